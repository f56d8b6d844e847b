#include "answer/arrow/table.h"

#include "base/memory.h"
#include "base/options.h"

#include <errno.h>
#include <stdlib.h>

enum { USUAL_ROWS = 65536 };

typedef struct table {
    oc_batch batch;
    oc_row_source rows;
    size_t given; /* rows */
    ocelotl_arrow_options options;
    char *message; /* of the last failure */
    char **names;
} table;

/* --- Schemas */

static const char *format_of(oc_arrow_kind kind)
{
    static const char *const formats[] = {"I", "L", "l", "g", "b", "u", "z", "i"};
    return formats[kind];
}

typedef struct schema_content {
    char *name;
    struct ArrowSchema *children;
    struct ArrowSchema **child_list;
    struct ArrowSchema dictionary;
} schema_content;

static void release_schema(struct ArrowSchema *schema)
{
    schema_content *content = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    free(content->name);
    free(content->children);
    free(content->child_list);
    free(content);
    schema->release = NULL;
}

static ocelotl_status make_schema(struct ArrowSchema *schema, const char *format, const char *name)
{
    schema_content *content = NULL;
    OC_TRY(oc_allocate(&content, 1, sizeof *content));
    const ocelotl_status status = oc_copy_text(&content->name, name);
    if (status != OCELOTL_OK) {
        free(content);
        return status;
    }
    *schema = (struct ArrowSchema){.format = format,
                                   .name = content->name,
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema,
                                   .private_data = content};
    return OCELOTL_OK;
}

static ocelotl_status make_column_schema(struct ArrowSchema *schema, const oc_arrow_column *column)
{
    OC_TRY(make_schema(schema, format_of(column->kind), column->name));
    schema_content *content = schema->private_data;
    if (column->kind != OC_CELL_NAME)
        return OCELOTL_OK;
    OC_TRY(make_schema(&content->dictionary, "u", ""));
    schema->dictionary = &content->dictionary;
    return OCELOTL_OK;
}

static ocelotl_status make_column_schemas(struct ArrowSchema *schema, const table *of)
{
    schema_content *content = schema->private_data;
    const uint32_t count = of->batch.column_count;
    OC_TRY(oc_allocate(&content->children, count, sizeof *content->children));
    OC_TRY(oc_allocate(&content->child_list, count, sizeof(void *)));
    schema->children = content->child_list;
    for (uint32_t i = 0; i < count; i++) {
        content->child_list[i] = &content->children[i];
        schema->n_children = i + 1;
        OC_TRY(make_column_schema(&content->children[i], &of->batch.columns[i]));
    }
    return OCELOTL_OK;
}

/* --- The functions of a stream */

static int error_number(ocelotl_status status)
{
    switch (status) {
    case OCELOTL_OK:
        return 0;
    case OCELOTL_ERROR_IO:
        return EIO;
    case OCELOTL_ERROR_LIMIT:
    case OCELOTL_ERROR_MEMORY:
        return ENOMEM;
    case OCELOTL_ERROR_CANCELLED:
        return ECANCELED;
    default:
        return EINVAL;
    }
}

static int end_call(table *of, ocelotl_status status)
{
    free(of->message);
    of->message = NULL;
    if (status != OCELOTL_OK)
        (void)oc_copy_text(&of->message, ocelotl_error_message());
    return error_number(status);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
    table *of = stream->private_data;
    struct ArrowSchema made = {.release = NULL};
    ocelotl_status status = make_schema(&made, "+s", "");
    if (status == OCELOTL_OK)
        status = make_column_schemas(&made, of);
    if (status == OCELOTL_OK)
        *schema = made;
    else if (made.release != NULL)
        made.release(&made);
    return end_call(of, status);
}

/* The rows of the next batch; none at the end. */
static ocelotl_status read_batch(struct ArrowArray *array, table *of)
{
    oc_batch *batch = &of->batch;
    const size_t left = of->rows.count == SIZE_MAX ? SIZE_MAX : of->rows.count - of->given;
    *array = (struct ArrowArray){.release = NULL};
    if (left == 0)
        return OCELOTL_OK;
    OC_TRY(oc_batch_begin(batch, left < of->options.batch_rows ? left : of->options.batch_rows));
    const ocelotl_status status = of->rows.fill(batch, of->rows.source);
    if (status != OCELOTL_OK || batch->rows == 0) {
        oc_batch_drop(batch);
        return status;
    }
    of->given += batch->rows;
    return oc_batch_end(array, batch);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
    table *of = stream->private_data;
    if (of->options.enter != NULL)
        of->options.enter(of->options.context);
    const int number = end_call(of, read_batch(array, of));
    if (of->options.leave != NULL)
        of->options.leave(of->options.context);
    return number;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((table *)stream->private_data)->message;
}

/* --- Making and ending */

/* What is read goes while it is locked, then the lock may. */
static void end_rows(const oc_row_source *rows, const ocelotl_arrow_options *options)
{
    const bool locked = rows->free != NULL && options->enter != NULL;
    if (locked)
        options->enter(options->context);
    if (rows->free != NULL)
        rows->free(rows->source);
    if (locked && options->leave != NULL)
        options->leave(options->context);
    if (options->release != NULL)
        options->release(options->context);
}

static void free_columns(table *of)
{
    for (uint32_t i = 0; i < of->batch.column_count; i++)
        oc_name_list_free(of->batch.columns[i].dictionary);
    for (uint32_t i = 0; of->names != NULL && i < of->batch.column_count; i++)
        free(of->names[i]);
    free(of->names);
    free(of->batch.columns);
    free(of->message);
    free(of);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    table *of = stream->private_data;
    end_rows(&of->rows, &of->options);
    free_columns(of);
    stream->release = NULL;
}

/* Dictionaries are taken last: until then they are the caller's. */
static ocelotl_status make_headings(table *of, const oc_heading *headings, uint32_t count)
{
    OC_TRY(oc_allocate(&of->batch.columns, count, sizeof *of->batch.columns));
    of->batch.column_count = count;
    OC_TRY(oc_allocate(&of->names, count, sizeof *of->names));
    for (uint32_t i = 0; i < count; i++) {
        OC_TRY(oc_copy_utf8(&of->names[i], headings[i].name));
        of->batch.columns[i] = (oc_arrow_column){.name = of->names[i], .kind = headings[i].kind};
    }
    for (uint32_t i = 0; i < count; i++)
        of->batch.columns[i].dictionary = headings[i].dictionary;
    return OCELOTL_OK;
}

static ocelotl_status make_table(table **made, const oc_heading *headings, uint32_t count,
                                 const oc_row_source *rows, const ocelotl_arrow_options *options)
{
    table *of = NULL;
    OC_TRY(oc_allocate(&of, 1, sizeof *of));
    of->options = (ocelotl_arrow_options)OCELOTL_ARROW_OPTIONS_INIT;
    ocelotl_status status = oc_read_options(&of->options, sizeof of->options, options);
    if (of->options.batch_rows == 0)
        of->options.batch_rows = USUAL_ROWS;
    of->rows = *rows;
    if (status == OCELOTL_OK)
        status = make_headings(of, headings, count);
    if (status == OCELOTL_OK)
        *made = of;
    else
        free_columns(of);
    return status;
}

ocelotl_status oc_table_fail(ocelotl_status status, const oc_heading *headings, uint32_t count,
                             const oc_row_source *rows, const ocelotl_arrow_options *options)
{
    ocelotl_arrow_options known = OCELOTL_ARROW_OPTIONS_INIT;
    for (uint32_t i = 0; i < count; i++)
        oc_name_list_free(headings[i].dictionary);
    if (oc_read_options(&known, sizeof known, options) == OCELOTL_OK)
        end_rows(rows, &known);
    return status;
}

ocelotl_status oc_table_make(struct ArrowArrayStream *stream, const oc_heading *headings,
                             uint32_t count, const oc_row_source *rows,
                             const ocelotl_arrow_options *options)
{
    table *made = NULL;
    const ocelotl_status status = make_table(&made, headings, count, rows, options);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, headings, count, rows, options);
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release_stream,
                                        .private_data = made};
    return OCELOTL_OK;
}
