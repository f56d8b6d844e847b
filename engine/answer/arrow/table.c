#include "answer/arrow/table.h"

#include "base/memory.h"
#include "base/options.h"

#include <errno.h>
#include <stdlib.h>

enum { USUAL_ROWS = 65536 };

typedef struct table {
    oc_batch batch;
    oc_row_source rows;
    void *state;  /* of the rows */
    size_t given; /* rows */
    ocelotl_arrow_options options;
    char *message; /* of the last failure */
    char **names;
} table;

/* --- Schemas */

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

static ocelotl_status make_column_schemas(struct ArrowSchema *schema, const table *of)
{
    static const char *const formats[] = {"I", "L", "l", "g", "b", "u", "z", "i"}; /* by kind */
    schema_content *content = schema->private_data;
    const uint32_t count = of->batch.column_count;
    OC_TRY(oc_allocate(&content->children, count, sizeof *content->children));
    OC_TRY(oc_allocate(&content->child_list, count, sizeof(void *)));
    schema->children = content->child_list;
    for (uint32_t i = 0; i < count; i++) {
        const oc_arrow_column *column = &of->batch.columns[i];
        struct ArrowSchema *child = &content->children[i];
        content->child_list[i] = child;
        schema->n_children = i + 1;
        OC_TRY(make_schema(child, formats[column->kind], column->name));
        if (column->kind != OC_CELL_NAME)
            continue;
        schema_content *own = child->private_data;
        OC_TRY(make_schema(&own->dictionary, "u", ""));
        child->dictionary = &own->dictionary;
    }
    return OCELOTL_OK;
}

/* --- The functions of a stream */

static int end_call(table *of, ocelotl_status status)
{
    free(of->message);
    of->message = NULL;
    if (status != OCELOTL_OK)
        (void)oc_copy_text(&of->message, ocelotl_error_message());
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
    ocelotl_status status = OCELOTL_OK;
    *array = (struct ArrowArray){.release = NULL};
    if (left == 0)
        return OCELOTL_OK;
    OC_TRY(oc_batch_begin(batch, left < of->options.batch_rows ? left : of->options.batch_rows));
    if (of->rows.fill != NULL)
        status = of->rows.fill(batch, of->state);
    while (of->rows.fill == NULL && !oc_batch_is_full(batch)) {
        of->rows.add(batch, of->state, of->given + batch->rows);
        oc_end_row(batch);
    }
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

/* Ends the rows. It frees what is read while that is locked, then the lock itself. */
static void end_rows(void (*free_state)(void *state), void *state,
                     const ocelotl_arrow_options *options)
{
    const bool locked = free_state != NULL && options->enter != NULL;
    if (locked)
        options->enter(options->context);
    if (free_state != NULL)
        free_state(state);
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
    free(of->state);
    free(of->message);
    free(of);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    table *of = stream->private_data;
    end_rows(of->rows.free, of->state, &of->options);
    free_columns(of);
    stream->release = NULL;
}

/* The dictionary of a column: that of an earlier one, where the names are the same. */
static ocelotl_status make_names(table *of, const oc_heading *headings, uint32_t column)
{
    const oc_names *names = &headings[column].names;
    oc_arrow_column *columns = of->batch.columns;
    for (uint32_t i = 0; i < column; i++)
        if (columns[i].kind == OC_CELL_NAME && headings[i].names.at == names->at &&
            headings[i].names.source == names->source) {
            columns[column].dictionary = oc_name_list_share(columns[i].dictionary);
            return OCELOTL_OK;
        }
    return oc_name_list_make(&columns[column].dictionary, names->count, names->at, names->source);
}

static ocelotl_status fill_table(table *of, const oc_heading *headings, uint32_t count,
                                 const oc_row_source *rows, const ocelotl_arrow_options *options)
{
    of->options = (ocelotl_arrow_options)OCELOTL_ARROW_OPTIONS_INIT;
    OC_TRY(oc_read_options(&of->options, sizeof of->options, options));
    if (of->options.batch_rows == 0)
        of->options.batch_rows = USUAL_ROWS;
    OC_TRY(oc_allocate(&of->batch.columns, count, sizeof *of->batch.columns));
    of->batch.column_count = count;
    OC_TRY(oc_allocate(&of->names, count, sizeof *of->names));
    for (uint32_t i = 0; i < count; i++) {
        OC_TRY(oc_copy_utf8(&of->names[i], headings[i].name));
        of->batch.columns[i] = (oc_arrow_column){.name = of->names[i], .kind = headings[i].kind};
        if (headings[i].kind == OC_CELL_NAME)
            OC_TRY(make_names(of, headings, i));
    }
    OC_TRY(oc_allocate(&of->state, rows->size, 1));
    memcpy(of->state, rows->state, rows->size);
    of->rows = *rows;
    return OCELOTL_OK;
}

ocelotl_status oc_table_fail(ocelotl_status status, const oc_row_source *rows,
                             const ocelotl_arrow_options *options)
{
    ocelotl_arrow_options known = OCELOTL_ARROW_OPTIONS_INIT;
    if (oc_read_options(&known, sizeof known, options) == OCELOTL_OK)
        end_rows(rows->free, rows->state, &known);
    return status;
}

ocelotl_status oc_table_make(struct ArrowArrayStream *stream, const oc_heading *headings,
                             uint32_t count, const oc_row_source *rows,
                             const ocelotl_arrow_options *options)
{
    table *made = NULL;
    ocelotl_status status = oc_allocate(&made, 1, sizeof *made);
    if (status == OCELOTL_OK)
        status = fill_table(made, headings, count, rows, options);
    if (status != OCELOTL_OK) {
        if (made != NULL)
            free_columns(made);
        return oc_table_fail(status, rows, options);
    }
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release_stream,
                                        .private_data = made};
    return OCELOTL_OK;
}
