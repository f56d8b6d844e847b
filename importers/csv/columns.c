#include "importers/csv/table.h"

#include "base/plain.h"

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

static ocelotl_status add_item(csv_wanted *wanted, size_t *capacity, const char *text,
                               size_t length)
{
    const char *word = oc_arena_copy_bytes(&wanted->arena, text, length);
    const size_t before = strcspn(word, "=");
    OC_TRY(oc_arena_status(&wanted->arena));
    OC_TRY(oc_arena_grow(&wanted->items, capacity, &wanted->arena, wanted->count + 1,
                         sizeof *wanted->items));
    if (length == 0 || before == 0 || before + 1 == length)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--columns has an empty word, expected words such as "
                       "resource,type,value,begin,end, or begin=t0,rank=proc");
    csv_item *item = &wanted->items[wanted->count++];
    *item = (csv_item){.word = oc_arena_copy_bytes(&wanted->arena, word, before),
                       .header = before < length ? word + before + 1 : NULL};
    wanted->has_header = wanted->items[0].header != NULL;
    if (wanted->has_header != (item->header != NULL))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--columns has words with = and without, expected one for each column, or "
                       "WORD=HEADER for those that the header calls otherwise");
    return oc_arena_status(&wanted->arena);
}

ocelotl_status csv_wanted_read(csv_wanted *wanted, const char *text)
{
    size_t capacity = 0;
    wanted->is_given = text != NULL;
    for (size_t length; text != NULL; text = text[length] == ',' ? text + length + 1 : NULL) {
        length = strcspn(text, ",");
        OC_TRY(add_item(wanted, &capacity, text, length));
    }
    return OCELOTL_OK;
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
        if (is_counted && count + 1 == wanted->count)
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

/* Finds the unit at the end of a word ("begin (ms)", "start_us", "end [s]"), -1 if it has none, and
 * how long the word is without it. */
static int find_unit(size_t *bare, const char *word)
{
    size_t end = strlen(word);
    *bare = end;
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
            *bare = first;
            return units[i].digits;
        }
    return -1;
}

static csv_role find_role(const char *word, size_t length)
{
    char small[32] = "";
    for (size_t i = 0; i < length && i < sizeof small - 1; i++)
        small[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + ('a' - 'A') : word[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0] && length < sizeof small; i++)
        if (strcmp(words[i].word, small) == 0)
            return words[i].role;
    return CSV_ATTRIBUTE;
}

static bool is_time(csv_role role)
{
    return role == CSV_BEGIN || role == CSV_END || role == CSV_DURATION;
}

/* Takes what a word says, `unit` of the header with it (-1: it has none). A word of --columns that
 * ends in a slash is a step of the path; "-" is nothing. */
static ocelotl_status take_word(csv_columns *columns, const char *word, int unit, bool is_wanted)
{
    size_t length = strlen(word);
    size_t bare;
    const int own = find_unit(&bare, word);
    csv_role role = find_role(word, length);
    if (length == 0 || (is_wanted && strcmp(word, "-") == 0))
        role = CSV_LEFT_OUT; /* numbers of rows, as R and pandas write them */
    else if (is_wanted && length > 1 && word[length - 1] == '/') {
        role = CSV_LEVEL;
        length--;
    } else if (role == CSV_ATTRIBUTE && own >= 0 && is_time(find_role(word, bare))) {
        role = find_role(word, bare);
        length = bare;
        unit = own;
    }
    columns->columns[columns->count++] =
        (csv_column){role, oc_arena_copy_bytes(&columns->arena, word, length)};
    if (unit >= 0 && is_time(role)) {
        columns->is_mixed = columns->is_mixed || (columns->unit >= 0 && columns->unit != unit);
        columns->unit = unit;
    }
    return oc_arena_status(&columns->arena);
}

/* Takes a word of the header, or what an item WORD=HEADER says of it, with its unit or without. */
static ocelotl_status take_header(csv_columns *columns, csv_field field, csv_wanted *wanted)
{
    while (field.length > 0 && field.text[field.length - 1] == ' ')
        field.length--;
    size_t bare;
    const char *word = oc_arena_copy_bytes(&columns->arena, field.text, field.length);
    const int unit = find_unit(&bare, word);
    for (size_t i = 0; i < wanted->count; i++) {
        csv_item *item = &wanted->items[i];
        if (!csv_is((csv_field){word, bare}, item->header) && strcmp(word, item->header) != 0)
            continue;
        item->is_used = true;
        return take_word(columns, item->word, unit, true);
    }
    return take_word(columns, word, -1, false);
}

static ocelotl_status read_words(csv_columns *columns, const csv_rows *header, csv_wanted *wanted)
{
    const bool is_said = wanted->is_given && !wanted->has_header;
    if (is_said && header->field_count != wanted->count)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "--columns has %zu words, expected one for each of the %zu fields",
                       wanted->count, header->field_count);
    for (size_t i = 0; i < wanted->count; i++)
        wanted->items[i].is_used = is_said;
    for (size_t i = 0; i < header->field_count; i++)
        OC_TRY(is_said ? take_word(columns, wanted->items[i].word, -1, true)
                       : take_header(columns, header->fields[i], wanted));
    for (size_t i = 0; i < wanted->count; i++)
        if (!wanted->items[i].is_used)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "the header has no column \"%s\", which --columns names",
                           wanted->items[i].header);
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

ocelotl_status csv_columns_read(csv_columns *columns, const csv_rows *header, csv_wanted *wanted)
{
    oc_arena_free(&columns->arena);
    *columns = (csv_columns){.unit = -1};
    OC_TRY(oc_arena_allocate(&columns->columns, &columns->arena, header->field_count,
                             sizeof *columns->columns));
    OC_TRY(read_words(columns, header, wanted));
    /* Whether the words are those of `ocelotl-cli export`. */
    oc_text all = {0};
    for (size_t i = 0; i < columns->count; i++)
        oc_text_format(&all, "%s%s", i > 0 ? " " : "", columns->columns[i].word);
    const ocelotl_status status = all.failed ? oc_fail_memory() : OCELOTL_OK;
    columns->is_export = all.bytes != NULL && strcmp(all.bytes, export_header) == 0;
    oc_text_free(&all);
    OC_TRY(status);
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
