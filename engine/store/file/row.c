#include "store/file/row.h"

#include "base/text.h"

#include <ocelotl/writer.h>

#include <inttypes.h>

ocelotl_status oc_row_fail(const oc_row *row, int column, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: \"%s\" of %s %" PRId64 " is %s", row->path,
                   sqlite3_column_name(row->statement, column), row->what, row->number, what);
}

static ocelotl_status fail_range(const oc_row *row, int column, int64_t found, int64_t least,
                                 int64_t most)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is damaged: \"%s\" of %s %" PRId64 " is %" PRId64 ", expected %" PRId64
                   " to %" PRId64,
                   row->path, sqlite3_column_name(row->statement, column), row->what, row->number,
                   found, least, most);
}

ocelotl_status oc_row_integer(int64_t *integer, const oc_row *row, int column, int64_t least,
                              int64_t most)
{
    if (sqlite3_column_type(row->statement, column) != SQLITE_INTEGER)
        return oc_row_fail(row, column, "no integer, expected one");
    const int64_t found = sqlite3_column_int64(row->statement, column);
    if (found < least || found > most)
        return fail_range(row, column, found, least, most);
    *integer = found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_count(uint64_t *count, const oc_row *row, int column)
{
    int64_t found;
    OC_TRY(oc_row_integer(&found, row, column, 0, INT64_MAX));
    *count = (uint64_t)found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_index(uint32_t *index, const oc_row *row, int column, uint32_t count,
                            bool optional)
{
    int64_t found;
    *index = OCELOTL_NONE;
    if (optional && sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return OCELOTL_OK;
    if (count == 0)
        return oc_row_fail(row, column, "a reference to nothing, expected none");
    OC_TRY(oc_row_integer(&found, row, column, 0, (int64_t)count - 1));
    *index = (uint32_t)found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_colour(int32_t *colour, const oc_row *row, int column)
{
    int64_t found;
    *colour = -1;
    if (sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return OCELOTL_OK;
    OC_TRY(oc_row_integer(&found, row, column, 0, INT32_MAX));
    *colour = (int32_t)(found & 0xFFFFFF);
    return OCELOTL_OK;
}

ocelotl_status oc_row_text(char **text, const oc_row *row, int column)
{
    if (sqlite3_column_type(row->statement, column) != SQLITE_TEXT)
        return oc_row_fail(row, column, "no text, expected one");
    const char *found = (const char *)sqlite3_column_text(row->statement, column);
    const uint64_t length = (uint64_t)sqlite3_column_bytes(row->statement, column);
    if (found == NULL)
        return oc_fail_memory();
    if (length > *row->text_left)
        return oc_row_fail(row, column, "too long, expected texts that fit into the file");
    *row->text_left -= length;
    return oc_copy_utf8(text, found);
}
