/* Options of an import that only some formats take: a row each. */
#include "importers/importer.h"

#include "base/text.h"

#include <string.h>

/* Zero is the default of each member. */
typedef struct option_row {
    const char *name; /* as the program has it */
    oc_taken_option bit;
    size_t offset, size; /* in ocelotl_import_options */
} option_row;

#define ROW(name, bit, member)                               \
    {                                                        \
        name, bit, offsetof(ocelotl_import_options, member), \
            sizeof(((ocelotl_import_options *)NULL)->member) \
    }

static const option_row rows[] = {
    ROW("time-unit", OC_TAKES_TIME_UNIT, time_unit),
    ROW("by", OC_TAKES_BY, by),
    ROW("value", OC_TAKES_VALUE, value),
    ROW("stacks", OC_TAKES_STACKS, stacks),
    ROW("columns", OC_TAKES_COLUMNS, columns),
    ROW("collectives", OC_TAKES_COLLECTIVES, collectives),
    ROW("fold-names", OC_TAKES_FOLD_NAMES, fold_names),
    ROW("pair", OC_TAKES_PAIRS, pairs),
};

static const size_t row_count = sizeof rows / sizeof rows[0];

static bool is_given(const option_row *row, const ocelotl_import_options *options)
{
    const char *member = (const char *)options + row->offset;
    const bool has_row = options->size >= row->offset + row->size;
    for (size_t i = 0; i < row->size && has_row; i++)
        if (member[i] != 0)
            return true;
    return false;
}

static bool takes(const oc_importer *importer, const option_row *row,
                  const ocelotl_import_options *options)
{
    if (row->bit == OC_TAKES_VALUE)
        return options->value < 32 && (importer->values >> options->value & 1) != 0;
    return (importer->takes & row->bit) != 0;
}

/* --- Refusing */

/* Adds a word of several: "a, b or c". */
static void add_word(oc_text *text, const char *word, size_t index, size_t count)
{
    oc_text_format(text, "%s%s", index == 0 ? "" : index + 1 < count ? ", " : " or ", word);
}

/* Adds the names of the values in some bits, and counts them. */
static size_t add_values(oc_text *text, uint32_t values)
{
    static const char *const names[] = {"usual",    "level", "function", "region",
                                        "paradigm", "role",  "callpath"};
    enum { COUNT = sizeof names / sizeof names[0] };
    size_t count = 0;
    size_t added = 0;
    for (size_t i = 1; i < COUNT; i++)
        count += values >> i & 1;
    for (size_t i = 1; i < COUNT; i++)
        if (values >> i & 1)
            add_word(text, names[i], added++, count);
    return count;
}

/* Adds the names of the formats that take an option as it is given, and counts them. */
static size_t add_formats(oc_text *text, const option_row *row,
                          const ocelotl_import_options *options)
{
    size_t count = 0;
    size_t added = 0;
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        count += takes(oc_importer_get(i), row, options);
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        if (takes(oc_importer_get(i), row, options))
            add_word(text, oc_importer_get(i)->format.name, added++, count);
    return count;
}

static ocelotl_status describe(oc_text *given, oc_text *expected, const oc_importer *importer,
                               const option_row *row, const ocelotl_import_options *options)
{
    oc_text_add(given, row->name);
    if (row->bit == OC_TAKES_VALUE) {
        oc_text_add(given, " ");
        if (options->value >= 32 || add_values(given, 1U << options->value) == 0)
            oc_text_format(given, "%u", (unsigned)options->value);
    }
    if ((importer->takes & row->bit) != 0) {
        (void)add_values(expected, importer->values);
    } else {
        oc_text_add(expected, "a trace of the format ");
        if (add_formats(expected, row, options) == 0)
            oc_text_add(expected, "that this build cannot read");
    }
    return given->failed || expected->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status fail_not_taken(const oc_importer *importer, const char *path,
                                     const option_row *row, const ocelotl_import_options *options)
{
    oc_text given = {0};
    oc_text expected = {0};
    ocelotl_status status = describe(&given, &expected, importer, row, options);
    if (status == OCELOTL_OK)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: is of the format %s, which does not take --%s, expected %s", path,
                         importer->format.name, given.bytes, expected.bytes);
    oc_text_free(&given);
    oc_text_free(&expected);
    return status;
}

ocelotl_status oc_check_taken(const oc_importer *importer, const char *path,
                              const ocelotl_import_options *options)
{
    for (size_t i = 0; i < row_count; i++)
        if (is_given(&rows[i], options) && !takes(importer, &rows[i], options))
            return fail_not_taken(importer, path, &rows[i], options);
    return OCELOTL_OK;
}

/* --- Files that are read each by itself */

/* The importer of what is at a path; NULL: it needs no import, or its import alone tells. */
static ocelotl_status find_importer(const oc_importer **importer, const char *path,
                                    const ocelotl_import_options *options)
{
    ocelotl_identity found = {.kind = OCELOTL_FILE_TRACE, .format = ""};
    const ocelotl_status status = oc_identify(&found, path, true);
    const bool is_table = options->columns != NULL && found.kind != OCELOTL_FILE_TRACE_DB &&
                          (status == OCELOTL_ERROR_INPUT || found.kind == OCELOTL_FILE_MATRIX);
    *importer = is_table ? &oc_csv_importer : oc_importer_by_name(found.format);
    if (found.is_folder && options->columns != NULL)
        *importer = NULL; /* it may hold tables, too */
    return is_table ? OCELOTL_OK : status;
}

/* Drops from `given` what another file takes. */
static ocelotl_status take_away(bool *given, const ocelotl_import_options *options,
                                const char *other)
{
    const oc_importer *importer = NULL;
    const ocelotl_status status = find_importer(&importer, other, options);
    for (size_t i = 0; i < row_count && status == OCELOTL_OK && importer != NULL; i++)
        given[i] = given[i] && !takes(importer, &rows[i], options);
    return status == OCELOTL_ERROR_MEMORY ? status : OCELOTL_OK;
}

/* Makes what the importer does not take, and another file does, the default. */
static ocelotl_status fit(ocelotl_import_options *options, const oc_importer *importer,
                          const char *path, const char *const *others, size_t other_count)
{
    bool refused[sizeof rows / sizeof rows[0]];
    const ocelotl_import_options asked = *options;
    for (size_t i = 0; i < row_count; i++)
        refused[i] = is_given(&rows[i], options) && !takes(importer, &rows[i], options);
    bool left[sizeof rows / sizeof rows[0]];
    memcpy(left, refused, sizeof left);
    for (size_t i = 0; i < other_count; i++)
        if (strcmp(others[i], path) != 0 && strcmp(others[i], "-") != 0)
            OC_TRY(take_away(left, &asked, others[i]));
    for (size_t i = 0; i < row_count; i++)
        if (refused[i] && !left[i])
            memset((char *)options + rows[i].offset, 0, rows[i].size);
    return oc_check_taken(importer, strcmp(path, "-") == 0 ? "standard input" : path, options);
}

ocelotl_status ocelotl_import_fit(ocelotl_import_options *options, const char *path,
                                  const char *const *others, size_t other_count)
{
    const oc_importer *importer = NULL;
    bool any = false;
    for (size_t i = 0; i < row_count; i++)
        any = any || is_given(&rows[i], options);
    if (any)
        OC_TRY(find_importer(&importer, path, options));
    return importer != NULL ? fit(options, importer, path, others, other_count) : OCELOTL_OK;
}
