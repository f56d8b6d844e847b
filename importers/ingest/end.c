/* The end of an import: files are aligned, resources named and put in order, and all is written. */
#include "base/memory.h"
#include "importers/common/naming.h"
#include "importers/ingest/ingest.h"

#include <stdlib.h>
#include <string.h>

/* Names of resources that rows of several files share: no decoder has as many kinds of names. */
enum { SHARED = UINT16_MAX };

/* Finds the shifts of files, and applies them to what is known of rows. */
static ocelotl_status align(oc_ingest *ingest, ocelotl_align *how)
{
    const size_t count = ingest->import->source_count;
    const uint32_t nanoseconds = ingest->unit_digits < 9 ? 9 - ingest->unit_digits : 0;
    bool fits;
    if (!ingest->aligns_at_end)
        return OCELOTL_OK;
    if (count > 1 && ingest->digits < nanoseconds)
        OC_TRY(oc_ingest_refine(&fits, ingest, nanoseconds));
    for (size_t i = 0; i < ingest->row_count; i++) {
        const oc_ingest_row *row = &ingest->rows[i];
        oc_aligned *file = &ingest->files[row->file];
        if (!row->has_content)
            continue;
        file->begin = !file->has_bounds || row->first < file->begin ? row->first : file->begin;
        file->end = !file->has_bounds || row->last > file->end ? row->last : file->end;
        file->has_bounds = true;
    }
    OC_TRY(oc_align(how, ingest->files, count,
                    (int64_t)oc_power_of_ten(ingest->digits + ingest->unit_digits),
                    ingest->writer));
    for (size_t i = 0; i < ingest->row_count; i++) {
        oc_ingest_row *row = &ingest->rows[i];
        const int64_t shift = ingest->files[row->file].shift;
        row->first += row->has_content ? shift : 0;
        row->last += row->has_content ? shift : 0;
        row->begin += row->has_begin ? shift : 0;
        row->end += row->has_end ? shift : 0;
    }
    return OCELOTL_OK;
}

static bool merges(const oc_ingest *ingest)
{
    const oc_import *import = ingest->import;
    return ingest->aligns_at_end && import->options->same_root && import->source_count > 1;
}

/* A row holds what the rows in it do; those around it were made before it. */
static void settle_lives(oc_ingest *ingest)
{
    int64_t begin = INT64_MAX;
    for (size_t i = ingest->row_count; i-- > 0;) {
        oc_ingest_row *row = &ingest->rows[i];
        if (!row->has_content)
            continue;
        if (row->parent != OCELOTL_NONE) {
            oc_ingest_row_see(ingest, row->parent, row->first);
            oc_ingest_row_see(ingest, row->parent, row->last);
        }
        begin = row->first < begin ? row->first : begin;
    }
    begin = begin == INT64_MAX ? 0 : begin;
    for (size_t i = 0; i < ingest->row_count; i++) {
        oc_ingest_row *row = &ingest->rows[i];
        const oc_ingest_row *of = row;
        if (ingest->outlives_ends && row->has_content && row->has_end && row->end < row->last)
            row->end = row->last;
        if ((row->life & OC_LIVES_WITH_PARENT) != 0 && row->parent != OCELOTL_NONE) {
            of = &ingest->rows[row->parent];
            row->has_begin = of->has_begin;
            row->has_end = of->has_end;
        } else {
            if ((row->life & OC_BEGINS_WITH_CONTENT) != 0 && !row->has_begin)
                row->begin = row->first;
            if ((row->life & OC_ENDS_WITH_CONTENT) != 0 && !row->has_end)
                row->end = row->last;
            row->has_begin = row->has_begin || (row->life & OC_BEGINS_WITH_CONTENT) != 0;
            row->has_end = row->has_end || (row->life & OC_ENDS_WITH_CONTENT) != 0;
        }
        if (merges(ingest)) /* it may be of several files, which end at their own times */
            row->has_begin = row->has_end = false;
        row->begin = row->has_begin ? of->begin : begin;
        row->end = of->end;
    }
}

/* Finds the resource of a row; those of several files may be one. */
static ocelotl_status declare_row(oc_ingest *ingest, oc_ingest_row *row, const char *name)
{
    uint32_t around =
        row->parent == OCELOTL_NONE ? OCELOTL_NONE : ingest->rows[row->parent].resource;
    const uint32_t around_type =
        row->parent == OCELOTL_NONE ? OCELOTL_ROOT : ingest->rows[row->parent].type;
    row->resource = around;
    if (row->is_around) {
        row->type = row->type_name != NULL ? around_type : row->type;
        return OCELOTL_OK;
    }
    if (row->type_name != NULL)
        OC_TRY(oc_ingest_resource_type(&row->type, ingest, around_type, row->type_name));
    around = around == OCELOTL_NONE ? OCELOTL_ROOT : around;
    row->resource = merges(ingest)
                        ? oc_ingest_own(ingest, SHARED, around, row->type, name, strlen(name))
                        : OCELOTL_NONE;
    if (row->resource != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource(&row->resource, ingest->writer, row->type, around, name,
                                   row->begin));
    return merges(ingest) ? oc_ingest_own_keep(ingest, row->resource) : OCELOTL_OK;
}

typedef struct placed_row {
    uint32_t row;
    bool is_placed;
} placed_row;

/* Puts rows in an order in which those around others come before them. */
static ocelotl_status put_parents_first(placed_row *to, const uint32_t *order,
                                        const oc_ingest *ingest)
{
    size_t placed = 0;
    const oc_ingest_row *rows = ingest->rows;
    for (size_t i = 0; i < ingest->row_count; i++) {
        size_t depth = 0;
        for (uint32_t one = order[i]; one != OCELOTL_NONE && !to[one].is_placed;
             one = rows[one].parent)
            if (++depth > ingest->row_count)
                return oc_fail(OCELOTL_ERROR_INPUT,
                               "%s: container \"%s\" is inside itself, expected one of its own "
                               "around it",
                               ingest->paths[0], rows[order[i]].id);
        size_t place = placed += depth;
        for (uint32_t one = order[i]; one != OCELOTL_NONE && !to[one].is_placed;
             one = rows[one].parent) {
            to[--place].row = one;
            to[one].is_placed = true;
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status order_rows(uint32_t *order, const oc_ingest *ingest)
{
    placed_row *to = NULL;
    OC_TRY(oc_allocate(&to, ingest->row_count, sizeof *to));
    const ocelotl_status status = put_parents_first(to, order, ingest);
    for (size_t i = 0; status == OCELOTL_OK && i < ingest->row_count; i++)
        order[i] = to[i].row;
    free(to);
    return status;
}

/* Declares the types of events that waited for the types of rows, and their names. */
static ocelotl_status declare_late(const oc_ingest *ingest)
{
    uint32_t number;
    ocelotl_writer *writer = ingest->writer;
    for (size_t i = 0; i < ingest->type_count; i++) {
        const oc_ingest_type *type = &ingest->types[i];
        OC_TRY(ocelotl_writer_event_type(&number, writer, type->category,
                                         type->row != OCELOTL_NONE ? ingest->rows[type->row].type
                                                                   : OCELOTL_ROOT,
                                         type->name, -1));
    }
    for (size_t i = 0; i < ingest->late_count; i++) {
        const oc_ingest_late *late = &ingest->late[i];
        OC_TRY(late->is_attribute
                   ? ocelotl_writer_attribute(&number, writer, late->type, late->name)
                   : ocelotl_writer_value(&number, writer, late->type, late->name, -1));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_rows(oc_ingest *ingest, oc_namings *found)
{
    OC_TRY(oc_namings_begin(found, ingest->row_count));
    for (size_t i = 0; i < ingest->row_count; i++) {
        const oc_ingest_row *row = &ingest->rows[i];
        const bool is_apart = row->parent == OCELOTL_NONE || ingest->orders_all;
        found->named[i] = (oc_named){.parent = is_apart ? 0 : row->parent + 1,
                                     .id = row->id,
                                     .name = row->name,
                                     .label = row->label,
                                     .index = row->order};
    }
    OC_TRY(oc_namings_settle(found));
    OC_TRY(order_rows(found->order, ingest));
    OC_TRY(oc_allocate(&ingest->places, ingest->row_count, sizeof *ingest->places));
    for (size_t i = 0; i < ingest->row_count; i++) {
        const uint32_t number = found->order[i];
        oc_ingest_row *row = &ingest->rows[number];
        if (row->has_content || ingest->keeps_empty_rows)
            OC_TRY(declare_row(ingest, row, found->names[number]));
        ingest->places[number] = (oc_timelines_row){.resource = row->resource,
                                                    .type = row->type,
                                                    .shift = oc_ingest_shift(ingest, number),
                                                    .file = row->file,
                                                    .has_begin = row->has_begin,
                                                    .has_end = row->has_end && !row->is_around,
                                                    .begin = row->begin,
                                                    .end = row->end};
    }
    for (size_t i = 0; i < ingest->remark_count; i++) {
        const oc_ingest_remark *remark = &ingest->remarks[i];
        const uint32_t resource = ingest->rows[remark->row].resource;
        if (resource != OCELOTL_NONE)
            OC_TRY(
                ocelotl_writer_resource_note(ingest->writer, resource, remark->name, remark->text));
    }
    return OCELOTL_OK;
}

/* Says how files were aligned, by the names of their rows. */
static ocelotl_status tell_alignment(oc_ingest *ingest, const oc_namings *found, ocelotl_align how)
{
    const oc_import *import = ingest->import;
    if (!ingest->aligns_at_end || import->source_count < 2)
        return OCELOTL_OK;
    for (size_t i = 0; i < ingest->row_count; i++)
        if (ingest->rows[i].parent == OCELOTL_NONE)
            OC_TRY(oc_align_tell(ingest->writer, found->names[i], how,
                                 oc_ingest_shift(ingest, (uint32_t)i),
                                 (double)oc_power_of_ten(ingest->digits + ingest->unit_digits)));
    return OCELOTL_OK;
}

ocelotl_status oc_ingest_declare(oc_ingest *ingest, const char *empty)
{
    oc_namings found = {0};
    const oc_import *import = ingest->import;
    ocelotl_align how = import->options->align;
    bool is_empty = !ingest->keeps_empty_rows || ingest->row_count == 0;
    for (size_t i = 0; is_empty && i < ingest->row_count; i++)
        is_empty = !ingest->rows[i].has_content;
    if (is_empty && empty != NULL)
        return oc_oddities_fail_empty(&ingest->oddities, import->sources[0].path, empty);
    OC_TRY(align(ingest, &how));
    settle_lives(ingest);
    ocelotl_status status = declare_rows(ingest, &found);
    if (status == OCELOTL_OK)
        status = declare_late(ingest);
    if (status == OCELOTL_OK)
        status = tell_alignment(ingest, &found, how);
    oc_namings_free(&found);
    return status;
}

ocelotl_status oc_ingest_end(oc_ingest *ingest,
                             ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                             void *decoder)
{
    const oc_timelines_plan plan = {.rows = ingest->places,
                                    .row_count = ingest->row_count,
                                    .merges = merges(ingest),
                                    .ends_rows = true,
                                    .exact = ingest->exact,
                                    .lane_type = ingest->lane_type,
                                    .files = ingest->paths,
                                    .see = ingest->see,
                                    .seen = ingest->seen,
                                    .left_out = left_out,
                                    .context = decoder,
                                    .of_end =
                                        ingest->names_ends ? oc_ingest_attribute_of_end : NULL,
                                    .names = ingest};
    OC_TRY(oc_timelines_write(&ingest->timelines, &plan));
    OC_TRY(oc_oddities_finish(&ingest->oddities));
    OC_TRY(oc_kinds_finish(&ingest->kinds, ingest->writer));
    return ocelotl_writer_finish(ingest->writer);
}

ocelotl_status oc_ingest_write(oc_ingest *ingest, const char *empty,
                               ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                               void *decoder)
{
    OC_TRY(oc_ingest_declare(ingest, empty));
    return oc_ingest_end(ingest, left_out, decoder);
}

static ocelotl_status import_all(const oc_ingest_decoder *how, void *decoder,
                                 const oc_import *import)
{
    OC_TRY(how->open(decoder, import));
    OC_TRY(oc_ingest_files(decoder, how->read, decoder));
    if (how->end != NULL)
        OC_TRY(how->end(decoder));
    return oc_ingest_write(decoder, how->empty, how->left_out, decoder);
}

ocelotl_status oc_ingest_import(const oc_ingest_decoder *how, const oc_import *import)
{
    void *decoder = NULL;
    OC_TRY(oc_allocate(&decoder, 1, how->size));
    const ocelotl_status status = import_all(how, decoder, import);
    if (how->free != NULL)
        how->free(decoder);
    oc_ingest_close(decoder);
    free(decoder);
    return status;
}
