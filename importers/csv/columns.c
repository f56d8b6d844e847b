#include "importers/csv/columns.h"

#include "base/memory.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

/* The words of headers, in small letters. */
static const struct {
    const char *word;
    csv_role role;
} words[] = {
    {"resource", CSV_PATH},
    {"path", CSV_PATH},
    {"container", CSV_PATH},
    {"host", CSV_LEVEL},
    {"hostname", CSV_LEVEL},
    {"node", CSV_LEVEL},
    {"process", CSV_LEVEL},
    {"pid", CSV_LEVEL},
    {"rank", CSV_LEVEL},
    {"thread", CSV_LEVEL},
    {"tid", CSV_LEVEL},
    {"cpu", CSV_LEVEL},
    {"core", CSV_LEVEL},
    {"worker", CSV_LEVEL},
    {"resource_type", CSV_RESOURCE_TYPE},
    {"category", CSV_CATEGORY},
    {"type", CSV_TYPE},
    {"kind", CSV_TYPE},
    {"value", CSV_VALUE},
    {"name", CSV_VALUE},
    {"state", CSV_VALUE},
    {"begin", CSV_BEGIN},
    {"start", CSV_BEGIN},
    {"time", CSV_BEGIN},
    {"timestamp", CSV_BEGIN},
    {"end", CSV_END},
    {"finish", CSV_END},
    {"stop", CSV_END},
    {"duration", CSV_DURATION},
    {"dur", CSV_DURATION},
    {"depth", CSV_DEPTH},
    {"source", CSV_SOURCE},
    {"target", CSV_TARGET},
    {"destination", CSV_TARGET},
    {"key", CSV_KEY},
    {"id", CSV_ID},
    {"span_id", CSV_ID},
    {"spanid", CSV_ID},
    {"parent", CSV_PARENT},
    {"parent_id", CSV_PARENT},
    {"parentid", CSV_PARENT},
    {"parent_span_id", CSV_PARENT},
    {"parentspanid", CSV_PARENT},
};

static const char export_header[] =
    "resource resource_type category type value begin end duration depth source target key "
    "attributes";

/* --- What --columns says */

static ocelotl_status check_wanted(csv_wanted *wanted)
{
    const csv_rows *items = &wanted->words;
    size_t mapped = 0;
    for (size_t i = 0; i < items->field_count; i++) {
        const csv_field word = items->fields[i];
        const char *sign = memchr(word.text, '=', word.length);
        mapped += sign != NULL;
        if (word.length == 0 || sign == word.text || sign == word.text + word.length - 1)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--columns has an empty word, expected words such as "
                           "resource,type,value,begin,end, or begin=t0,rank=proc");
    }
    wanted->has_header = mapped > 0;
    if (mapped > 0 && mapped < items->field_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--columns has words with = and without, expected one for each column, or "
                       "WORD=HEADER for those that the header calls otherwise");
    return OCELOTL_OK;
}

ocelotl_status csv_wanted_read(csv_wanted *wanted, const char *text)
{
    wanted->is_given = text != NULL;
    if (text == NULL)
        return OCELOTL_OK;
    wanted->words.separator = ',';
    OC_TRY(oc_copy_text(&wanted->text, text));
    OC_TRY(csv_rows_cut(&wanted->words, wanted->text, strlen(wanted->text)));
    return check_wanted(wanted);
}

void csv_wanted_free(csv_wanted *wanted)
{
    csv_rows_free(&wanted->words);
    free(wanted->text);
    *wanted = (csv_wanted){0};
}

/* --- The separator */

static size_t count_separators(const char *header, size_t length, char separator)
{
    size_t count = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted ^= header[i] == '"';
        count += !quoted && header[i] == separator;
    }
    return count;
}

char csv_columns_separator(const char *header, size_t length, const csv_wanted *wanted)
{
    static const char separators[] = ";\t|,";
    const bool is_counted = wanted->is_given && !wanted->has_header;
    char best = ',';
    size_t most = count_separators(header, length, best);
    for (const char *one = separators; *one != '\0'; one++) {
        const size_t count = count_separators(header, length, *one);
        if (is_counted && count + 1 == wanted->words.field_count)
            return *one;
        if (count > most) {
            most = count;
            best = *one;
        }
    }
    return best;
}

/* --- Words */

/* The letter of "\xC2\xB5s", and of the Greek alphabet, has two bytes. */
static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte & 0x80) != 0;
}

/* The words of units of time; each is 10^-digits seconds. */
static const struct {
    const char *word;
    int digits;
} units[] = {
    {"s", 0},    {"sec", 0},       {"secs", 0},        {"second", 0},       {"seconds", 0},
    {"ms", 3},   {"msec", 3},      {"millisecond", 3}, {"milliseconds", 3}, {"us", 6},
    {"usec", 6}, {"\xC2\xB5s", 6}, {"\xCE\xBCs", 6},   {"microsecond", 6},  {"microseconds", 6},
    {"ns", 9},   {"nsec", 9},      {"nanosecond", 9},  {"nanoseconds", 9},
};

/* Takes a unit off the end of a word ("begin (ms)", "start_us", "end [s]"); -1 if it has none. */
static int take_unit(char *word)
{
    size_t end = strlen(word);
    while (end > 0 && (word[end - 1] == ')' || word[end - 1] == ']' || word[end - 1] == ' '))
        end--;
    size_t first = end;
    while (first > 0 && is_letter(word[first - 1]))
        first--;
    if (first == 0 || strchr(" _([.", word[first - 1]) == NULL)
        return -1;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].word) == end - first &&
            memcmp(units[i].word, word + first, end - first) == 0) {
            while (first > 0 && strchr(" _([.", word[first - 1]) != NULL)
                first--;
            word[first] = '\0';
            return units[i].digits;
        }
    return -1;
}

static csv_role find_role(const char *word)
{
    char small[32] = "";
    const size_t length = strlen(word);
    for (size_t i = 0; i < length && i < sizeof small - 1; i++)
        small[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + ('a' - 'A') : word[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0] && length < sizeof small; i++)
        if (strcmp(words[i].word, small) == 0)
            return words[i].role;
    return CSV_ATTRIBUTE;
}

/* A word that ends in a slash is a step of the path; "-" is nothing. */
static csv_role find_wanted_role(char *word)
{
    const size_t length = strlen(word);
    if (strcmp(word, "-") == 0)
        return CSV_LEFT_OUT;
    if (length > 1 && word[length - 1] == '/') {
        word[length - 1] = '\0';
        return CSV_LEVEL;
    }
    return find_role(word);
}

static bool is_time(csv_role role)
{
    return role == CSV_BEGIN || role == CSV_END || role == CSV_DURATION;
}

/* Finds what a word says; `unit` is that of the header, -1: it has none. */
static ocelotl_status take_word(csv_columns *columns, csv_column *column, int unit, bool is_wanted)
{
    char *bare = NULL;
    column->role = is_wanted ? find_wanted_role(column->word) : find_role(column->word);
    if (column->word[0] == '\0')
        column->role = CSV_LEFT_OUT; /* numbers of rows, as R and pandas write them */
    if (column->role == CSV_ATTRIBUTE) {
        OC_TRY(oc_copy_text(&bare, column->word));
        const int own = take_unit(bare);
        if (own >= 0 && is_time(find_role(bare))) {
            unit = own;
            column->role = find_role(bare);
            memcpy(column->word, bare, strlen(bare) + 1);
        }
        free(bare);
    }
    if (unit < 0 || !is_time(column->role))
        return OCELOTL_OK;
    columns->is_mixed = columns->is_mixed || (columns->unit >= 0 && columns->unit != unit);
    columns->unit = unit;
    return OCELOTL_OK;
}

static ocelotl_status copy_field(char **copy, csv_field field)
{
    while (field.length > 0 && field.text[field.length - 1] == ' ')
        field.length--;
    OC_TRY(oc_allocate(copy, field.length + 1, 1));
    memcpy(*copy, field.text, field.length);
    return OCELOTL_OK;
}

/* The item WORD=HEADER that means a word of the header, with its unit or without; its index + 1, 0:
 * none does. */
static size_t find_item(const csv_wanted *wanted, const char *header, const char *bare)
{
    for (size_t i = 0; i < wanted->words.field_count; i++) {
        const csv_field item = wanted->words.fields[i];
        const char *sign = memchr(item.text, '=', item.length);
        if (sign != NULL && (strcmp(sign + 1, header) == 0 || strcmp(sign + 1, bare) == 0))
            return i + 1;
    }
    return 0;
}

/* Puts the word of an item WORD=HEADER, which ends in '\0', into the place of the header's. */
static ocelotl_status replace_word(csv_columns *columns, csv_column *column, const char *item,
                                   int unit)
{
    const csv_field word = {item, (size_t)(strchr(item, '=') - item)};
    free(column->word);
    column->word = NULL;
    OC_TRY(copy_field(&column->word, word));
    return take_word(columns, column, unit, true);
}

static ocelotl_status read_header_word(csv_columns *columns, bool *used, csv_field field,
                                       const csv_wanted *wanted)
{
    csv_column *column = &columns->columns[columns->count];
    char *bare = NULL;
    OC_TRY(copy_field(&column->word, field));
    columns->count++;
    OC_TRY(oc_copy_text(&bare, column->word));
    const int unit = take_unit(bare);
    const size_t item = find_item(wanted, column->word, bare);
    free(bare);
    if (item == 0)
        return take_word(columns, column, -1, false);
    used[item - 1] = true;
    return replace_word(columns, column, wanted->words.fields[item - 1].text, unit);
}

static ocelotl_status read_header(csv_columns *columns, bool *used, const csv_rows *header,
                                  const csv_wanted *wanted)
{
    for (size_t i = 0; i < header->field_count; i++)
        OC_TRY(read_header_word(columns, used, header->fields[i], wanted));
    for (size_t i = 0; i < wanted->words.field_count; i++)
        if (!used[i])
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "the header has no column \"%s\", which --columns names",
                           strchr(wanted->words.fields[i].text, '=') + 1);
    return OCELOTL_OK;
}

/* The fields of --columns become texts, each with its '\0'. */
static void end_items(const csv_wanted *wanted)
{
    for (size_t i = 0; i < wanted->words.field_count; i++) {
        const csv_field item = wanted->words.fields[i];
        wanted->text[(size_t)(item.text - wanted->text) + item.length] = '\0';
    }
}

static ocelotl_status read_words(csv_columns *columns, const csv_rows *header,
                                 const csv_wanted *wanted)
{
    bool *used = NULL;
    if (!wanted->is_given || wanted->has_header) {
        end_items(wanted);
        OC_TRY(oc_allocate(&used, wanted->words.field_count + 1, sizeof *used));
        const ocelotl_status status = read_header(columns, used, header, wanted);
        free(used);
        return status;
    }
    if (header->field_count != wanted->words.field_count)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "--columns has %zu words, expected one for each of the %zu fields",
                       wanted->words.field_count, header->field_count);
    for (size_t i = 0; i < header->field_count; i++) {
        csv_column *column = &columns->columns[columns->count];
        OC_TRY(copy_field(&column->word, wanted->words.fields[i]));
        columns->count++;
        OC_TRY(take_word(columns, column, -1, true));
    }
    return OCELOTL_OK;
}

static bool has(const csv_columns *columns, csv_role role)
{
    return columns->of[role] < columns->count;
}

/* Settles roles: each but levels and attributes has one column, the first; of ids that which says
 * more. A path beside levels is one of them. */
static void settle_roles(csv_columns *columns)
{
    for (size_t role = 0; role < CSV_ROLES; role++)
        columns->of[role] = columns->count;
    for (size_t i = columns->count; i-- > 0;) {
        const csv_role role = columns->columns[i].role;
        size_t *of = &columns->of[role];
        const bool is_id = (role == CSV_ID || role == CSV_PARENT) && *of < columns->count;
        if (!is_id || strlen(columns->columns[i].word) >= strlen(columns->columns[*of].word))
            *of = i;
    }
    if (!has(columns, CSV_ID) || !has(columns, CSV_PARENT))
        columns->of[CSV_ID] = columns->of[CSV_PARENT] = columns->count;
    for (size_t i = 0; i < columns->count; i++) {
        csv_role *role = &columns->columns[i].role;
        if (*role != CSV_LEVEL && *role != CSV_LEFT_OUT && columns->of[*role] != i)
            *role = CSV_ATTRIBUTE;
    }
}

/* Whether the words are those of `ocelotl-cli export`. */
static ocelotl_status compare_export(csv_columns *columns)
{
    oc_text all = {0};
    for (size_t i = 0; i < columns->count; i++)
        oc_text_format(&all, "%s%s", i > 0 ? " " : "", columns->columns[i].word);
    const ocelotl_status status = all.failed ? oc_fail_memory() : OCELOTL_OK;
    columns->is_export = all.bytes != NULL && strcmp(all.bytes, export_header) == 0;
    oc_text_free(&all);
    return status;
}

ocelotl_status csv_columns_read(csv_columns *columns, const csv_rows *header,
                                const csv_wanted *wanted)
{
    csv_columns_free(columns);
    *columns = (csv_columns){.unit = -1};
    OC_TRY(oc_allocate(&columns->columns, header->field_count, sizeof *columns->columns));
    OC_TRY(read_words(columns, header, wanted));
    OC_TRY(compare_export(columns));
    if (columns->is_export)
        columns->columns[columns->count - 1].role = CSV_ATTRIBUTES;
    settle_roles(columns);
    return OCELOTL_OK;
}

bool csv_columns_suffice(const csv_columns *columns)
{
    const bool may_be_else =
        has(columns, CSV_CATEGORY) || has(columns, CSV_SOURCE) || has(columns, CSV_TARGET);
    const bool are_states = (has(columns, CSV_END) || has(columns, CSV_DURATION)) && !may_be_else;
    return (has(columns, CSV_PATH) || has(columns, CSV_LEVEL)) && has(columns, CSV_BEGIN) &&
           (has(columns, CSV_VALUE) || (has(columns, CSV_TYPE) && !are_states));
}

bool csv_columns_mean(const csv_columns *columns)
{
    int known = has(columns, CSV_LEVEL) && !has(columns, CSV_PATH);
    for (size_t i = 0; i < columns->count; i++)
        if (oc_same_letters(columns->columns[i].word, "slice"))
            return false;
    for (csv_role role = CSV_PATH; role < CSV_ATTRIBUTE; role++)
        known += has(columns, role);
    return known > 2;
}

void csv_columns_describe(oc_text *text, const csv_columns *columns, char separator,
                          uint32_t unit_digits)
{
    static const char *const unit_names[] = {"s", "ms", "us", "ns"};
    static const char *const roles[CSV_ROLES] = {[CSV_LEVEL] = "level of the path",
                                                 [CSV_PATH] = "path",
                                                 [CSV_RESOURCE_TYPE] = "type of resource",
                                                 [CSV_CATEGORY] = "category",
                                                 [CSV_TYPE] = "type",
                                                 [CSV_VALUE] = "value",
                                                 [CSV_BEGIN] = "begin",
                                                 [CSV_END] = "end",
                                                 [CSV_DURATION] = "duration",
                                                 [CSV_DEPTH] = "depth",
                                                 [CSV_SOURCE] = "source",
                                                 [CSV_TARGET] = "target",
                                                 [CSV_KEY] = "key",
                                                 [CSV_ATTRIBUTES] = "attributes",
                                                 [CSV_ATTRIBUTE] = "attribute",
                                                 [CSV_ID] = "id",
                                                 [CSV_PARENT] = "id of the state around it",
                                                 [CSV_LEFT_OUT] = "left out"};
    oc_text_format(text, "separator \"%s\"", separator == '\t' ? "tab" : (char[]){separator, 0});
    oc_text_format(text, ", times in %s", unit_names[unit_digits / 3]);
    for (size_t i = 0; i < columns->count; i++)
        oc_text_format(text, ", \"%s\" is %s", columns->columns[i].word,
                       roles[columns->columns[i].role]);
}

void csv_columns_free(csv_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->columns[i].word);
    free(columns->columns);
    *columns = (csv_columns){0};
}
