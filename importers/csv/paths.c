#include "importers/csv/paths.h"

#include "base/text.h"

#include <string.h>

static int hex(char digit)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *found = memchr(digits, digit, sizeof digits - 1);
    return found != NULL ? (int)(found - digits) : -1;
}

/* A step of a path as a name: %2F is a slash. */
static void decode(oc_text *name, csv_field step)
{
    oc_text_clear(name);
    for (size_t i = 0; i < step.length; i++) {
        char byte = step.text[i];
        if (byte == '%' && i + 2 < step.length && hex(step.text[i + 1]) >= 0 &&
            hex(step.text[i + 2]) >= 0) {
            byte = (char)(hex(step.text[i + 1]) * 16 + hex(step.text[i + 2]));
            i += 2;
        }
        oc_text_append(name, &byte, 1);
    }
}

/* A name as a step of a path. */
static void encode(oc_text *path, csv_field name)
{
    for (size_t i = 0; i < name.length; i++)
        if (name.text[i] == '/')
            oc_text_append(path, "%2F", 3);
        else if (name.text[i] == '%')
            oc_text_append(path, "%25", 3);
        else
            oc_text_append(path, &name.text[i], 1);
}

static ocelotl_status add_step(uint32_t *resource, csv_table *table, csv_field path, csv_field step)
{
    oc_text name = {0};
    decode(&name, step);
    const uint32_t around = *resource;
    const ocelotl_status status =
        name.failed
            ? oc_fail_memory()
            : csv_sheet_add_resource(resource, table->sheet, path,
                                     (csv_field){name.bytes != NULL ? name.bytes : "", name.length},
                                     around);
    oc_text_free(&name);
    return status;
}

ocelotl_status csv_path_find(uint32_t *resource, csv_table *table, csv_field path)
{
    if (path.length > 1 && path.text[0] == '/')
        path = (csv_field){path.text + 1, path.length - 1};
    *resource = csv_sheet_find(table->sheet, path);
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    *resource = OCELOTL_NONE;
    for (size_t from = 0, to; from <= path.length; from = to + 1) {
        const char *slash = memchr(path.text + from, '/', path.length - from);
        to = slash != NULL ? (size_t)(slash - path.text) : path.length;
        const csv_field until = {path.text, to};
        const uint32_t known = csv_sheet_find(table->sheet, until);
        if (known != OC_MAP_NONE)
            *resource = known;
        else
            OC_TRY(add_step(resource, table, until, (csv_field){path.text + from, to - from}));
    }
    return OCELOTL_OK;
}

/* Several columns make a path; each resource is of the type that its column is called. Where one
 * says nothing the path is shorter. */
static ocelotl_status find_levels(uint32_t *resource, csv_table *table, const csv_rows *rows)
{
    const csv_columns *columns = &table->columns;
    oc_text *path = &table->path;
    *resource = OCELOTL_NONE;
    oc_text_clear(path);
    for (size_t i = 0; i < columns->count; i++) {
        const csv_column *column = &columns->columns[i];
        const bool is_step = column->role == CSV_LEVEL || column->role == CSV_PATH;
        if (!is_step || rows->fields[i].length == 0)
            continue;
        if (*resource != OCELOTL_NONE)
            oc_text_append(path, "/", 1);
        encode(path, rows->fields[i]);
        if (path->failed)
            return oc_fail_memory();
        const csv_field key = {path->bytes, path->length};
        const uint32_t around = *resource;
        *resource = csv_sheet_find(table->sheet, key);
        if (*resource == OC_MAP_NONE)
            OC_TRY(csv_sheet_add_resource(resource, table->sheet, key, rows->fields[i], around));
        uint32_t *type = &table->sheet->resources[*resource].type;
        if (*type == OCELOTL_NONE) /* it is new, or was the end of a link until now */
            OC_TRY(csv_sheet_resource_type(type, table->sheet,
                                           (csv_field){column->word, strlen(column->word)}));
    }
    return OCELOTL_OK;
}

static ocelotl_status fail_resource(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "no resource, expected the path of one");
}

ocelotl_status csv_path_of_row(uint32_t *resource, csv_table *table, const csv_rows *rows)
{
    const csv_columns *columns = &table->columns;
    const csv_field type = csv_table_field(table, rows, CSV_RESOURCE_TYPE);
    if (columns->of[CSV_LEVEL] < columns->count) {
        OC_TRY(find_levels(resource, table, rows));
        return *resource != OCELOTL_NONE ? OCELOTL_OK : fail_resource();
    }
    if (csv_table_field(table, rows, CSV_PATH).length == 0)
        return fail_resource();
    OC_TRY(csv_path_find(resource, table, csv_table_field(table, rows, CSV_PATH)));
    if (type.length == 0 || table->sheet->resources[*resource].type != OCELOTL_NONE)
        return OCELOTL_OK;
    return csv_sheet_resource_type(&table->sheet->resources[*resource].type, table->sheet, type);
}
