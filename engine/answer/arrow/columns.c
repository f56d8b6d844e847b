#include "answer/arrow/columns.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

/* --- Dictionaries */

struct oc_name_list {
    atomic_uint users;
    size_t count; /* of names that differ */
    int32_t *offsets;
    oc_text text;
    int32_t *places; /* by index */
};

oc_name_list *oc_name_list_share(oc_name_list *dictionary)
{
    atomic_fetch_add_explicit(&dictionary->users, 1, memory_order_relaxed);
    return dictionary;
}

void oc_name_list_free(oc_name_list *dictionary)
{
    if (dictionary == NULL ||
        atomic_fetch_sub_explicit(&dictionary->users, 1, memory_order_acq_rel) > 1)
        return;
    oc_text_free(&dictionary->text);
    free(dictionary->offsets);
    free(dictionary->places);
    free(dictionary);
}

const int32_t *oc_name_list_places(const oc_name_list *dictionary)
{
    return dictionary->places;
}

static ocelotl_status add_names(oc_name_list *dictionary, oc_map *known, size_t count,
                                const char *(*name_at)(const void *source, uint32_t index),
                                const void *source)
{
    OC_TRY(oc_allocate(&dictionary->offsets, count + 1, sizeof(int32_t)));
    OC_TRY(oc_allocate(&dictionary->places, count, sizeof(int32_t)));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = name_at(source, i);
        const size_t length = strlen(name);
        uint32_t place = oc_map_get(known, name, length);
        if (place == OC_MAP_NONE) {
            place = (uint32_t)dictionary->count++;
            OC_TRY(oc_map_set(known, name, length, place));
            oc_text_add_utf8(&dictionary->text, name, length);
            if (dictionary->text.length > INT32_MAX)
                return oc_fail(OCELOTL_ERROR_LIMIT,
                               "names of more than 2 GiB are too long for Arrow");
            dictionary->offsets[dictionary->count] = (int32_t)dictionary->text.length;
        }
        dictionary->places[i] = (int32_t)place;
        if (dictionary->text.failed)
            return oc_fail_memory();
    }
    return OCELOTL_OK;
}

ocelotl_status oc_name_list_make(oc_name_list **dictionary, size_t count,
                                 const char *(*name_at)(const void *source, uint32_t index),
                                 const void *source)
{
    oc_name_list *made = NULL;
    oc_map known = {0};
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    atomic_init(&made->users, 1);
    const ocelotl_status status = add_names(made, &known, count, name_at, source);
    oc_map_free(&known);
    if (status == OCELOTL_OK)
        *dictionary = made;
    else
        oc_name_list_free(made);
    return status;
}

/* --- Cells */

void oc_add_flag(oc_batch *batch, bool flag)
{
    unsigned char *bits = oc_batch_next(batch)->cells;
    bits[batch->rows / 8] |= (unsigned char)((unsigned)flag << batch->rows % 8);
}

void oc_add_text(oc_batch *batch, const char *bytes, size_t length)
{
    oc_arrow_column *column = oc_batch_next(batch);
    const size_t before = column->text.length;
    if (column->kind == OC_CELL_TEXT)
        oc_text_add_utf8(&column->text, bytes, length);
    else
        oc_text_append(&column->text, bytes, length);
    batch->failed |= column->text.failed;
    batch->too_long |= column->text.length > INT32_MAX;
    batch->text += column->text.length - before;
    ((int32_t *)column->cells)[batch->rows + 1] = (int32_t)column->text.length;
}

static bool has_offsets(const oc_arrow_column *column)
{
    return column->kind == OC_CELL_TEXT || column->kind == OC_CELL_BYTES;
}

static size_t cell_size(const oc_arrow_column *column)
{
    switch (column->kind) {
    case OC_CELL_COUNT:
    case OC_CELL_INTEGER:
    case OC_CELL_NUMBER:
        return 8;
    default:
        return 4;
    }
}

/* A null cell holds zero, so that what is read by mistake is always the same. */
static void clear_cells(oc_arrow_column *column, size_t row, size_t count)
{
    if (column->kind == OC_CELL_FLAG)
        return;
    if (!has_offsets(column)) {
        memset((char *)column->cells + row * cell_size(column), 0, count * cell_size(column));
        return;
    }
    for (size_t i = row + 1; i <= row + count; i++)
        ((int32_t *)column->cells)[i] = (int32_t)column->text.length;
}

static void clear_bits(unsigned char *bits, size_t first, size_t count)
{
    const size_t end = first + count;
    while (first < end && (first % 8 != 0 || end - first < 8)) {
        bits[first / 8] &= (unsigned char)~(1U << first % 8);
        first++;
    }
    memset(bits + first / 8, 0, (end - first) / 8);
    for (first += (end - first) / 8 * 8; first < end; first++)
        bits[first / 8] &= (unsigned char)~(1U << first % 8);
}

void oc_add_nulls(oc_batch *batch, size_t count)
{
    oc_arrow_column *column = oc_batch_next(batch);
    const size_t bytes = (batch->most + 7) / 8;
    clear_cells(column, batch->rows, count);
    if (column->valid == NULL) {
        if (oc_allocate(&column->valid, bytes, 1) != OCELOTL_OK) {
            batch->failed = true;
            return;
        }
        memset(column->valid, 0xff, bytes);
    }
    clear_bits(column->valid, batch->rows, count);
    column->nulls += count;
}

void oc_add_null(oc_batch *batch)
{
    oc_add_nulls(batch, 1);
}

/* --- Batches */

void oc_batch_drop(oc_batch *batch)
{
    for (uint32_t i = 0; i < batch->column_count; i++) {
        oc_arrow_column *column = &batch->columns[i];
        free(column->cells);
        free(column->valid);
        oc_text_free(&column->text);
        column->cells = NULL;
        column->valid = NULL;
        column->nulls = 0;
    }
}

ocelotl_status oc_batch_begin(oc_batch *batch, size_t most)
{
    ocelotl_status status = OCELOTL_OK;
    batch->rows = 0;
    batch->most = most;
    batch->failed = batch->too_long = false;
    batch->at = 0;
    batch->text = 0;
    for (uint32_t i = 0; i < batch->column_count && status == OCELOTL_OK; i++) {
        oc_arrow_column *column = &batch->columns[i];
        const bool offsets = has_offsets(column);
        status = column->kind == OC_CELL_FLAG
                     ? oc_allocate(&column->cells, (most + 7) / 8, 1)
                     : oc_allocate_large(&column->cells, most + offsets, cell_size(column));
        if (status == OCELOTL_OK && offsets)
            *(int32_t *)column->cells = 0;
    }
    if (status != OCELOTL_OK)
        oc_batch_drop(batch);
    return status;
}

/* --- Arrays */

/* What an array owns. Its children may be moved out of it: each owns what is its own. */
typedef struct array_content {
    const void *buffers[3];
    void *owned[3];
    struct ArrowArray *children;
    struct ArrowArray **child_list;
    oc_name_list *dictionary;
    struct ArrowArray dictionary_array;
} array_content;

static void release_one(struct ArrowArray *array)
{
    if (array != NULL && array->release != NULL)
        array->release(array);
}

static void release_array(struct ArrowArray *array)
{
    array_content *content = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        release_one(array->children[i]);
    release_one(array->dictionary);
    for (size_t i = 0; i < sizeof content->owned / sizeof content->owned[0]; i++)
        free(content->owned[i]);
    oc_name_list_free(content->dictionary);
    free(content->children);
    free(content->child_list);
    free(content);
    array->release = NULL;
}

static ocelotl_status make_array(struct ArrowArray *array, size_t rows, int64_t buffers)
{
    array_content *content = NULL;
    OC_TRY(oc_allocate(&content, 1, sizeof *content));
    *array = (struct ArrowArray){.length = (int64_t)rows,
                                 .n_buffers = buffers,
                                 .buffers = content->buffers,
                                 .release = release_array,
                                 .private_data = content};
    return OCELOTL_OK;
}

/* Takes what the column has. */
static ocelotl_status make_column(struct ArrowArray *array, oc_arrow_column *column, size_t rows)
{
    OC_TRY(make_array(array, rows, has_offsets(column) ? 3 : 2));
    array_content *content = array->private_data;
    array->null_count = (int64_t)column->nulls;
    content->buffers[0] = content->owned[0] = column->valid;
    content->buffers[1] = content->owned[1] = column->cells;
    if (has_offsets(column)) {
        content->owned[2] = column->text.bytes;
        content->buffers[2] = column->text.bytes != NULL ? column->text.bytes : "";
    }
    column->cells = NULL;
    column->valid = NULL;
    column->text = (oc_text){0};
    column->nulls = 0;
    if (column->kind != OC_CELL_NAME)
        return OCELOTL_OK;
    OC_TRY(make_array(&content->dictionary_array, column->dictionary->count, 3));
    array_content *names = content->dictionary_array.private_data;
    names->dictionary = oc_name_list_share(column->dictionary);
    names->buffers[1] = column->dictionary->offsets;
    names->buffers[2] =
        column->dictionary->text.bytes != NULL ? column->dictionary->text.bytes : "";
    array->dictionary = &content->dictionary_array;
    return OCELOTL_OK;
}

static ocelotl_status make_columns(struct ArrowArray *array, oc_batch *batch)
{
    array_content *content = array->private_data;
    OC_TRY(oc_allocate(&content->children, batch->column_count, sizeof *content->children));
    OC_TRY(oc_allocate(&content->child_list, batch->column_count, sizeof(void *)));
    array->children = content->child_list;
    for (uint32_t i = 0; i < batch->column_count; i++) {
        content->child_list[i] = &content->children[i];
        array->n_children = i + 1;
        OC_TRY(make_column(&content->children[i], &batch->columns[i], batch->rows));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_batch_end(struct ArrowArray *array, oc_batch *batch)
{
    ocelotl_status status = batch->failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && batch->too_long)
        status = oc_fail(OCELOTL_ERROR_LIMIT, "a text of more than 2 GiB is too long for Arrow, "
                                              "expected shorter ones");
    if (status == OCELOTL_OK)
        status = make_array(array, batch->rows, 1);
    if (status != OCELOTL_OK) {
        oc_batch_drop(batch);
        return status;
    }
    status = make_columns(array, batch);
    if (status != OCELOTL_OK) {
        release_array(array);
        oc_batch_drop(batch);
    }
    return status;
}
