#include "importers/csv/columns.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The words of headers, in small letters. */
static const struct {
    const char *word;
    csv_role role;
} words[] = {
    {"resource", CSV_PATH},      {"path", CSV_PATH},         {"container", CSV_PATH},
    {"host", CSV_LEVEL},         {"hostname", CSV_LEVEL},    {"node", CSV_LEVEL},
    {"process", CSV_LEVEL},      {"pid", CSV_LEVEL},         {"rank", CSV_LEVEL},
    {"thread", CSV_LEVEL},       {"tid", CSV_LEVEL},         {"cpu", CSV_LEVEL},
    {"core", CSV_LEVEL},         {"worker", CSV_LEVEL},      {"resource_type", CSV_RESOURCE_TYPE},
    {"category", CSV_CATEGORY},  {"type", CSV_TYPE},         {"kind", CSV_TYPE},
    {"value", CSV_VALUE},        {"name", CSV_VALUE},        {"state", CSV_VALUE},
    {"begin", CSV_BEGIN},        {"start", CSV_BEGIN},       {"time", CSV_BEGIN},
    {"timestamp", CSV_BEGIN},    {"end", CSV_END},           {"finish", CSV_END},
    {"stop", CSV_END},           {"duration", CSV_DURATION}, {"dur", CSV_DURATION},
    {"depth", CSV_DEPTH},        {"source", CSV_SOURCE},     {"target", CSV_TARGET},
    {"destination", CSV_TARGET}, {"key", CSV_KEY},
};

static const char export_header[] =
    "resource resource_type category type value begin end duration depth source target key "
    "attributes";

char csv_columns_separator(const char *header, size_t length)
{
    static const char separators[] = ",;\t|";
    char best = ',';
    size_t most = 0;
    for (const char *one = separators; *one != '\0'; one++) {
        size_t count = 0;
        for (size_t i = 0; i < length; i++)
            count += header[i] == *one;
        if (count > most) {
            most = count;
            best = *one;
        }
    }
    return best;
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* Takes a unit off the end of a word ("begin (ms)", "start_us", "end [s]"); -1: there is none. */
static int take_unit(char *word)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    size_t end = strlen(word);
    while (end > 0 && (word[end - 1] == ')' || word[end - 1] == ']' || word[end - 1] == ' '))
        end--;
    size_t first = end;
    while (first > 0 && is_letter(word[first - 1]))
        first--;
    if (first == 0 || strchr(" _([.", word[first - 1]) == NULL)
        return -1;
    for (int i = 0; i < 4; i++)
        if (strlen(units[i]) == end - first && memcmp(units[i], word + first, end - first) == 0) {
            while (first > 0 && strchr(" _([.", word[first - 1]) != NULL)
                first--;
            word[first] = '\0';
            return 3 * i;
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

static ocelotl_status read_word(csv_columns *columns, csv_field field)
{
    csv_column *column = &columns->columns[columns->count];
    OC_TRY(oc_allocate(&column->word, field.length + 1, 1));
    memcpy(column->word, field.text, field.length);
    columns->count++;
    column->role = find_role(column->word);
    if (column->role != CSV_ATTRIBUTE)
        return OCELOTL_OK;
    char *bare = NULL;
    OC_TRY(oc_copy_text(&bare, column->word));
    const int unit = take_unit(bare);
    const csv_role role = find_role(bare);
    const bool is_time =
        unit >= 0 && (role == CSV_BEGIN || role == CSV_END || role == CSV_DURATION);
    if (is_time) {
        column->role = role;
        memcpy(column->word, bare, strlen(bare) + 1);
    }
    free(bare);
    columns->is_mixed =
        columns->is_mixed || (is_time && columns->unit >= 0 && columns->unit != unit);
    if (is_time)
        columns->unit = unit;
    return OCELOTL_OK;
}

/* Each role but levels and attributes has one column: of several the first counts. A path beside
 * levels is one of them. */
static void settle_roles(csv_columns *columns)
{
    for (size_t role = 0; role < CSV_ROLES; role++)
        columns->of[role] = columns->count;
    for (size_t i = columns->count; i-- > 0;)
        columns->of[columns->columns[i].role] = i;
    for (size_t i = 0; i < columns->count; i++) {
        csv_role *role = &columns->columns[i].role;
        if (*role != CSV_LEVEL && columns->of[*role] != i)
            *role = CSV_ATTRIBUTE;
    }
}

ocelotl_status csv_columns_read(csv_columns *columns, const csv_rows *header)
{
    oc_text all = {0};
    csv_columns_free(columns);
    *columns = (csv_columns){.unit = -1};
    OC_TRY(oc_allocate(&columns->columns, header->field_count, sizeof *columns->columns));
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < header->field_count && status == OCELOTL_OK; i++) {
        status = read_word(columns, header->fields[i]);
        if (status == OCELOTL_OK)
            oc_text_format(&all, "%s%s", i > 0 ? " " : "", columns->columns[i].word);
    }
    if (status == OCELOTL_OK && all.failed)
        status = oc_fail_memory();
    columns->is_export = all.bytes != NULL && strcmp(all.bytes, export_header) == 0;
    oc_text_free(&all);
    OC_TRY(status);
    if (columns->is_export)
        columns->columns[columns->count - 1].role = CSV_ATTRIBUTES;
    settle_roles(columns);
    return OCELOTL_OK;
}

static bool has(const csv_columns *columns, csv_role role)
{
    return columns->of[role] < columns->count;
}

bool csv_columns_suffice(const csv_columns *columns)
{
    return (has(columns, CSV_PATH) || has(columns, CSV_LEVEL)) && has(columns, CSV_BEGIN) &&
           (has(columns, CSV_TYPE) || has(columns, CSV_VALUE));
}

size_t csv_columns_known(const csv_columns *columns)
{
    size_t known = 0;
    for (size_t i = 0; i < columns->count; i++)
        known += columns->columns[i].role != CSV_ATTRIBUTE;
    return known;
}

void csv_columns_describe(oc_text *text, const csv_columns *columns, char separator)
{
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
                                                 [CSV_ATTRIBUTE] = "attribute"};
    static const char *const units[] = {"s", "ms", "us", "ns"};
    oc_text_format(text, "separator \"%s\"", separator == '\t' ? "tab" : (char[]){separator, 0});
    if (columns->unit >= 0)
        oc_text_format(text, ", times in %s", units[columns->unit / 3]);
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
