#include "importers/ingest/timelines.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_timelines_open(oc_timelines *timelines, ocelotl_writer *writer,
                                 oc_oddities *oddities, const char *target, size_t memory)
{
    timelines->writer = writer;
    timelines->oddities = oddities;
    OC_TRY(oc_sorting_open(&timelines->records, target, memory / 8 * 6, true));
    OC_TRY(oc_sorting_open(&timelines->grouped, target, memory / 8, false));
    OC_TRY(oc_sorting_open(&timelines->links, target, memory / 8, false));
    OC_TRY(oc_sorting_open(&timelines->sides[0], target, memory / 4, true));
    return oc_sorting_open(&timelines->sides[1], target, memory / 4, true);
}

void oc_timelines_free(oc_timelines *timelines)
{
    oc_sorting_free(timelines->records);
    oc_sorting_free(timelines->grouped);
    oc_sorting_free(timelines->links);
    oc_sorting_free(timelines->sides[0]);
    oc_sorting_free(timelines->sides[1]);
    oc_pairs_free(&timelines->pairs);
    oc_lanes_free(&timelines->lanes);
    free(timelines->known);
    free(timelines->open_attributes);
    free(timelines->nestings);
    free(timelines->replaced);
    free(timelines->types);
    free(timelines->carried);
    *timelines = (oc_timelines){0};
}

static void widen(oc_timelines_known *known, int64_t time)
{
    known->begin = !known->has_bounds || time < known->begin ? time : known->begin;
    known->end = !known->has_bounds || time > known->end ? time : known->end;
    known->has_bounds = true;
}

static ocelotl_status know_row(oc_timelines *timelines, uint32_t row)
{
    OC_TRY(oc_grow(&timelines->known, &timelines->known_capacity, (size_t)row + 1,
                   sizeof *timelines->known));
    while (timelines->known_count <= row)
        timelines->known[timelines->known_count++] = (oc_timelines_known){0};
    return OCELOTL_OK;
}

ocelotl_status oc_timelines_nest(oc_timelines *timelines, uint32_t type, oc_nesting nesting)
{
    if (nesting == OC_NEST_BY_TIME)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&timelines->nestings, &timelines->nesting_capacity, (size_t)type + 1, 1));
    while (timelines->nesting_count <= type)
        timelines->nestings[timelines->nesting_count++] = OC_NEST_BY_TIME;
    timelines->nestings[type] = (unsigned char)nesting;
    return OCELOTL_OK;
}

static oc_nesting nesting_of(const oc_timelines *timelines, uint32_t type)
{
    return type < timelines->nesting_count ? (oc_nesting)timelines->nestings[type]
                                           : OC_NEST_BY_TIME;
}

ocelotl_status oc_timelines_add(oc_timelines *timelines, const oc_sorted *record)
{
    if (record->kind == OC_SORTED_VARIABLE && !(fabs(record->number) <= OCELOTL_LARGEST_VALUE))
        return oc_fail(OCELOTL_ERROR_INPUT, "value is %g, expected a number up to %g",
                       record->number, OCELOTL_LARGEST_VALUE);
    if (record->stream >= timelines->known_count)
        OC_TRY(know_row(timelines, record->stream));
    oc_timelines_known *known = &timelines->known[record->stream];
    widen(known, record->time);
    if (record->kind == OC_SORTED_SPAN)
        widen(known, record->end);
    const bool is_half = record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END;
    if (record->group != 0 || (is_half && nesting_of(timelines, record->type) != OC_NEST_REPLACE))
        known->is_indirect = true;
    return oc_sorting_add(timelines->records, record);
}

static void widen_all(oc_timelines *timelines, int64_t time)
{
    oc_timelines_known all = {
        .has_bounds = timelines->has_bounds, .begin = timelines->begin, .end = timelines->end};
    widen(&all, time);
    timelines->has_bounds = true;
    timelines->begin = all.begin;
    timelines->end = all.end;
}

ocelotl_status oc_timelines_add_link(oc_timelines *timelines, const oc_timelines_link *link)
{
    const oc_sorted record = {.kind = OC_SORTED_SPAN,
                              .time = link->from != OCELOTL_NONE ? link->begin : link->end,
                              .end = link->to != OCELOTL_NONE ? link->end : link->begin,
                              .group = (uint64_t)link->from << 32 | link->to,
                              .order = link->order,
                              .type = link->type,
                              .value = link->value,
                              .attributes = link->attributes,
                              .attribute_count = link->attribute_count};
    widen_all(timelines, record.time);
    widen_all(timelines, record.end);
    return oc_sorting_add(timelines->links, &record);
}

ocelotl_status oc_timelines_add_side(oc_timelines *timelines, const oc_sorted *side)
{
    oc_sorted placed = *side;
    placed.kind = OC_SORTED_OTHER;
    placed.stream = side->order;
    placed.order = side->stream;
    return oc_sorting_add(timelines->sides[side->kind == OC_SORTED_LINK_END], &placed);
}

static bool multiply(int64_t *begin, int64_t *end, uint64_t factor)
{
    return oc_multiply_time(begin, *begin, factor) && oc_multiply_time(end, *end, factor);
}

ocelotl_status oc_timelines_refine(bool *fits, oc_timelines *timelines, uint64_t factor)
{
    int64_t begin = timelines->begin;
    int64_t end = timelines->end;
    *fits = multiply(&begin, &end, factor);
    for (size_t i = 0; i < timelines->known_count; i++) {
        oc_timelines_known known = timelines->known[i];
        *fits = *fits && multiply(&known.begin, &known.end, factor);
    }
    if (!*fits)
        return OCELOTL_OK;
    for (size_t i = 0; i < timelines->known_count; i++)
        (void)multiply(&timelines->known[i].begin, &timelines->known[i].end, factor);
    timelines->begin = begin;
    timelines->end = end;
    OC_TRY(oc_sorting_refine(timelines->records, factor));
    OC_TRY(oc_sorting_refine(timelines->sides[0], factor));
    OC_TRY(oc_sorting_refine(timelines->sides[1], factor));
    return oc_sorting_refine(timelines->links, factor);
}

/* --- Writing */

static void note(const oc_timelines *timelines, const oc_timelines_plan *plan, oc_oddity oddity,
                 const oc_sorted *record)
{
    const bool placed = record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END;
    oc_oddities_note(timelines->oddities, oddity,
                     placed ? plan->files[plan->rows[record->order].file] : "",
                     placed ? record->detail : 0);
}

/* Writes what is as it stays, at a resource. */
static ocelotl_status write_settled(oc_timelines *timelines, const oc_timelines_plan *plan,
                                    const oc_sorted *record, uint32_t resource)
{
    bool crosses = false;
    uint32_t stream;
    ocelotl_writer *writer = timelines->writer;
    if (record->kind == OC_SORTED_SPAN) {
        OC_TRY(
            oc_lanes_add(&crosses, &timelines->lanes, record, nesting_of(timelines, record->type)));
        if (crosses)
            note(timelines, plan, OC_STATE_CROSSES, record);
        return OCELOTL_OK;
    }
    const bool is_instant = record->kind == OC_SORTED_INSTANT;
    OC_TRY(ocelotl_writer_stream(&stream, writer, resource, record->type,
                                 is_instant ? OCELOTL_ROLE_EVENTS : OCELOTL_ROLE_VARIABLE));
    if (is_instant)
        return ocelotl_writer_stream_event(writer, stream, record->value, record->time,
                                           record->attributes, record->attribute_count);
    return ocelotl_writer_stream_variable(writer, stream, record->time, record->number,
                                          record->attributes, record->attribute_count);
}

/* Sorts a settled record again, at its resource, among all others there. */
static ocelotl_status regroup(oc_timelines *timelines, const oc_timelines_plan *plan,
                              const oc_sorted *record)
{
    oc_sorted moved = *record;
    moved.stream = plan->rows[record->stream].resource;
    return oc_sorting_add(timelines->grouped, &moved);
}

/* Moves a record by its row's shift. */
static bool shift(oc_sorted *record, const oc_timelines_plan *plan)
{
    const int64_t by = plan->rows[record->stream].shift;
    return oc_add_times(&record->time, record->time, by) &&
           (record->kind != OC_SORTED_SPAN || oc_add_times(&record->end, record->end, by));
}

/* An end without a begin: it began before the recording. */
static ocelotl_status end_alone(oc_timelines *timelines, const oc_timelines_plan *plan,
                                const oc_sorted *end)
{
    const bool kept = timelines->oddities->lenient && end->value != OCELOTL_NONE;
    note(timelines, plan, kept ? OC_END_FROM_BEGIN : OC_END_LEFT_OUT, end);
    if (!kept)
        return plan->left_out != NULL ? plan->left_out(plan->context, end) : OCELOTL_OK;
    const oc_timelines_row *at = &plan->rows[end->order];
    oc_sorted span = *end;
    span.kind = OC_SORTED_SPAN;
    span.time = at->has_begin ? at->begin : timelines->begin;
    span.end = end->time;
    span.stream = end->order;
    span.order = 0;
    return regroup(timelines, plan, &span);
}

static ocelotl_status end_state(oc_timelines *timelines, const oc_timelines_plan *plan,
                                const oc_sorted *end)
{
    oc_pair found;
    oc_sorted span = {0};
    OC_TRY(oc_pairs_end(&found, &span, &timelines->pairs, end));
    if (found == OC_PAIR_NONE)
        return end_alone(timelines, plan, end);
    if (found != OC_PAIR_INNER)
        note(timelines, plan, found == OC_PAIR_OUTER ? OC_END_OF_OUTER : OC_END_OF_OTHER, end);
    span.stream = oc_pairs_closed(&timelines->pairs)->order;
    return regroup(timelines, plan, &span);
}

/* Ends the state of a type that is open in the row at hand, and begins the one that replaces it;
 * an end begins none. They go straight to the writer, since they never overlap. */
static ocelotl_status replace_state(oc_timelines *timelines, const oc_timelines_plan *plan,
                                    const oc_sorted *record)
{
    size_t place = 0;
    ocelotl_writer *writer = timelines->writer;
    while (place < timelines->replaced_count && timelines->replaced[place].type != record->type)
        place++;
    if (place < timelines->replaced_count) {
        OC_TRY(ocelotl_writer_stream_pop(writer, timelines->replaced[place].stream, record->time,
                                         NULL, 0));
        timelines->replaced[place] = timelines->replaced[--timelines->replaced_count];
    }
    if (record->kind == OC_SORTED_END)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&timelines->replaced, &timelines->replaced_capacity,
                   timelines->replaced_count + 1, sizeof *timelines->replaced));
    oc_timelines_replaced *open = &timelines->replaced[timelines->replaced_count];
    *open = (oc_timelines_replaced){.type = record->type, .row = record->order};
    OC_TRY(ocelotl_writer_stream(&open->stream, writer, plan->rows[record->order].resource,
                                 record->type, OCELOTL_ROLE_STATES));
    timelines->replaced_count++;
    return ocelotl_writer_stream_push(writer, open->stream, record->value, record->time,
                                      record->attributes, record->attribute_count);
}

/* What nothing replaces lasts to the end of its row. */
static ocelotl_status end_replaced(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    while (timelines->replaced_count > 0) {
        const oc_timelines_replaced *open = &timelines->replaced[--timelines->replaced_count];
        const oc_timelines_row *at = &plan->rows[open->row];
        OC_TRY(ocelotl_writer_stream_pop(timelines->writer, open->stream,
                                         at->has_end ? at->end : timelines->end, NULL, 0));
    }
    return OCELOTL_OK;
}

static ocelotl_status find_open_attribute(uint32_t *attribute, oc_timelines *timelines,
                                          uint32_t type)
{
    OC_TRY(oc_grow(&timelines->open_attributes, &timelines->open_capacity, (size_t)type + 1,
                   sizeof *timelines->open_attributes));
    while (timelines->open_count <= type)
        timelines->open_attributes[timelines->open_count++] = 0;
    if (timelines->open_attributes[type] == 0) {
        OC_TRY(ocelotl_writer_attribute(attribute, timelines->writer, type, "open"));
        timelines->open_attributes[type] = *attribute + 1;
    }
    *attribute = timelines->open_attributes[type] - 1;
    return OCELOTL_OK;
}

/* Ends all that a row and a group have open. */
static ocelotl_status end_open(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    for (;;) {
        bool open;
        oc_sorted span = {0};
        oc_pairs *pairs = &timelines->pairs;
        ocelotl_attribute_value marked = {0, "true", 4};
        OC_TRY(oc_pairs_rest(&open, &span, pairs, timelines->end));
        if (!open)
            return OCELOTL_OK;
        const oc_packed *begin = oc_pairs_closed(pairs);
        const oc_timelines_row *at = &plan->rows[begin->order];
        span.end = at->has_end ? at->end : span.end;
        oc_oddities_note(timelines->oddities, OC_STATE_OPEN, plan->files[at->file], begin->bits);
        OC_TRY(find_open_attribute(&marked.attribute, timelines, span.type));
        OC_TRY(oc_grow(&pairs->room, &pairs->room_capacity, span.attribute_count + 1,
                       sizeof *pairs->room));
        pairs->room[span.attribute_count++] = marked;
        span.attributes = pairs->room;
        span.stream = begin->order;
        OC_TRY(regroup(timelines, plan, &span));
    }
}

static ocelotl_status take_record(oc_timelines *timelines, const oc_timelines_plan *plan,
                                  const oc_sorted *record)
{
    oc_sorted moved = *record;
    if (plan->see != NULL && (record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_SPAN ||
                              record->kind == OC_SORTED_OTHER))
        OC_TRY(plan->see(plan->context, record));
    if (!shift(&moved, plan))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large where the files are aligned");
    const bool is_half = record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END;
    if (is_half && nesting_of(timelines, record->type) == OC_NEST_REPLACE)
        return replace_state(timelines, plan, &moved);
    if (record->kind == OC_SORTED_BEGIN)
        return oc_pairs_begin(&timelines->pairs, &moved);
    if (record->kind == OC_SORTED_END)
        return end_state(timelines, plan, &moved);
    if (record->kind == OC_SORTED_OTHER)
        return OCELOTL_OK;
    if (plan->merges || timelines->known[record->stream].is_indirect)
        return regroup(timelines, plan, &moved);
    return write_settled(timelines, plan, &moved, plan->rows[record->stream].resource);
}

/* Takes all that was added, row by row. */
static ocelotl_status take_records(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    const oc_sorted *record;
    uint32_t row = OCELOTL_NONE;
    uint64_t group = 0;
    OC_TRY(oc_sorting_finish(timelines->records));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, timelines->records));
        const bool same = record != NULL && record->stream == row;
        if (row != OCELOTL_NONE && !(same && record->group == group))
            OC_TRY(end_open(timelines, plan));
        if (!same) {
            OC_TRY(oc_lanes_end(&timelines->lanes));
            OC_TRY(end_replaced(timelines, plan));
        }
        if (record == NULL)
            return OCELOTL_OK;
        if (!same) {
            timelines->lanes.row_type = plan->rows[record->stream].type;
            oc_lanes_begin(&timelines->lanes, plan->rows[record->stream].resource);
        }
        row = record->stream;
        group = record->group;
        OC_TRY(take_record(timelines, plan, record));
    }
}

/* Writes what had to be sorted again, resource by resource. */
static ocelotl_status write_grouped(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    const oc_sorted *record;
    uint32_t resource = OCELOTL_NONE;
    OC_TRY(oc_sorting_finish(timelines->grouped));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, timelines->grouped));
        if (record == NULL || record->stream != resource)
            OC_TRY(oc_lanes_end(&timelines->lanes));
        if (record == NULL)
            return OCELOTL_OK;
        if (record->stream != resource) {
            if (timelines->types != NULL)
                timelines->lanes.row_type = timelines->types[record->stream];
            oc_lanes_begin(&timelines->lanes, record->stream);
        }
        resource = record->stream;
        OC_TRY(write_settled(timelines, plan, record, resource));
    }
}

/* --- Links: those whose sides came apart */

/* Adds what an end carries and its begin does not, behind the `own` attributes of that. */
static size_t carry_end(bool *differs, ocelotl_attribute_value *carried, size_t own,
                        const oc_sorted *end)
{
    size_t count = own;
    for (size_t i = 0; i < end->attribute_count; i++) {
        const ocelotl_attribute_value *added = &end->attributes[i];
        size_t same = 0;
        while (same < own && carried[same].attribute != added->attribute)
            same++;
        if (same == own)
            carried[count++] = *added;
        else
            *differs = *differs || carried[same].length != added->length ||
                       memcmp(carried[same].text, added->text, added->length) != 0;
    }
    return count;
}

/* Adds a link of two sides, either of which may be missing. */
static ocelotl_status join_sides(oc_timelines *timelines, const oc_timelines_plan *plan,
                                 const oc_sorted *begin, const oc_sorted *end)
{
    bool differs = false;
    const oc_sorted *first = begin != NULL ? begin : end;
    const size_t own = first->attribute_count;
    const size_t most = own + (end != NULL ? end->attribute_count : 0);
    OC_TRY(oc_grow(&timelines->carried, &timelines->carried_capacity, most,
                   sizeof *timelines->carried));
    if (own > 0)
        memcpy(timelines->carried, first->attributes, own * sizeof *timelines->carried);
    oc_timelines_link link = {.from = begin != NULL ? begin->order : OCELOTL_NONE,
                              .to = end != NULL ? end->order : OCELOTL_NONE,
                              .begin = first->time,
                              .end = end != NULL ? end->time : first->time,
                              .type = first->type,
                              .value = first->value,
                              .attributes = timelines->carried,
                              .attribute_count = own};
    if (begin != NULL && end != NULL)
        link.attribute_count = carry_end(&differs, timelines->carried, own, end);
    if (differs)
        oc_oddities_note(timelines->oddities, OC_LINK_SIDES_DIFFER,
                         plan->files[plan->rows[end->order].file], end->detail);
    return oc_timelines_add_link(timelines, &link);
}

/* Negative where the key of the left one comes first. */
static int compare_keys(const oc_sorted *left, const oc_sorted *right)
{
    if (left->stream != right->stream)
        return left->stream < right->stream ? -1 : 1;
    return left->group < right->group ? -1 : left->group > right->group;
}

static ocelotl_status match_sides(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    const oc_sorted *at[2];
    for (size_t i = 0; i < 2; i++) {
        OC_TRY(oc_sorting_finish(timelines->sides[i]));
        OC_TRY(oc_sorting_next(&at[i], timelines->sides[i]));
    }
    while (at[0] != NULL || at[1] != NULL) {
        const int order = at[0] == NULL ? 1 : at[1] == NULL ? -1 : compare_keys(at[0], at[1]);
        OC_TRY(join_sides(timelines, plan, order <= 0 ? at[0] : NULL, order >= 0 ? at[1] : NULL));
        if (order <= 0)
            OC_TRY(oc_sorting_next(&at[0], timelines->sides[0]));
        if (order >= 0)
            OC_TRY(oc_sorting_next(&at[1], timelines->sides[1]));
    }
    for (size_t i = 0; i < 2; i++) {
        oc_sorting_free(timelines->sides[i]);
        timelines->sides[i] = NULL;
    }
    return OCELOTL_OK;
}

/* --- Links: writing */

/* A link that is open: when its end has its turn, and what the writer knows it by. Those that
 * have their turn first are at the top of a heap. */
typedef struct arrival {
    int64_t due, end;
    uint64_t number, link;
    uint32_t to; /* the writer's stream */
} arrival;

typedef struct arrivals {
    arrival *heap;
    size_t count, capacity;
    uint64_t given;
} arrivals;

static bool is_sooner(const arrival *one, const arrival *other)
{
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static ocelotl_status await(arrivals *open, const arrival *added)
{
    OC_TRY(oc_grow(&open->heap, &open->capacity, open->count + 1, sizeof *open->heap));
    size_t place = open->count++;
    for (; place > 0 && is_sooner(added, &open->heap[(place - 1) / 2]); place = (place - 1) / 2)
        open->heap[place] = open->heap[(place - 1) / 2];
    open->heap[place] = *added;
    return OCELOTL_OK;
}

static void forget_first(arrivals *open)
{
    const arrival sinking = open->heap[--open->count];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < open->count; place = child) {
        child += child + 1 < open->count && is_sooner(&open->heap[child + 1], &open->heap[child]);
        if (!is_sooner(&open->heap[child], &sinking))
            break;
        open->heap[place] = open->heap[child];
    }
    open->heap[place] = sinking;
}

/* Ends the links whose turn is not after `time`. */
static ocelotl_status arrive(const oc_timelines *timelines, arrivals *open, int64_t time)
{
    while (open->count > 0 && open->heap[0].due <= time) {
        const arrival *first = &open->heap[0];
        OC_TRY(ocelotl_writer_stream_link_end(timelines->writer, first->link, first->to, first->end,
                                              NULL, 0));
        forget_first(open);
    }
    return OCELOTL_OK;
}

static bool is_elsewhere(const oc_timelines_plan *plan, uint32_t row)
{
    return row == OCELOTL_NONE || plan->rows[row].is_elsewhere;
}

static ocelotl_status write_link(oc_timelines *timelines, const oc_timelines_plan *plan,
                                 arrivals *open, const oc_sorted *link)
{
    uint32_t stream;
    ocelotl_writer *writer = timelines->writer;
    const uint32_t from = (uint32_t)(link->group >> 32);
    const uint32_t to = (uint32_t)link->group;
    const bool declares = is_elsewhere(plan, from) && is_elsewhere(plan, to);
    arrival added = {.due = link->end < link->time ? link->time : link->end,
                     .end = link->end,
                     .number = open->given++};
    if (from == OCELOTL_NONE) {
        note(timelines, plan, OC_LINK_WITHOUT_START, link);
        if (declares)
            return ocelotl_writer_stream(&stream, writer, plan->rows[to].resource, link->type,
                                         OCELOTL_ROLE_LINKS_IN);
        return ocelotl_writer_link_orphan(writer, plan->rows[to].resource, link->type, link->value,
                                          link->end, link->attributes, link->attribute_count);
    }
    OC_TRY(ocelotl_writer_stream(&stream, writer, plan->rows[from].resource, link->type,
                                 OCELOTL_ROLE_LINKS_OUT));
    if (!declares)
        OC_TRY(ocelotl_writer_stream_link_begin(&added.link, writer, stream, link->value,
                                                link->time, link->attributes,
                                                link->attribute_count));
    if (to == OCELOTL_NONE) {
        note(timelines, plan, OC_LINK_WITHOUT_END, link);
        return OCELOTL_OK;
    }
    if (link->end < link->time)
        note(timelines, plan, OC_LINK_REVERSED, link);
    OC_TRY(ocelotl_writer_stream(&added.to, writer, plan->rows[to].resource, link->type,
                                 OCELOTL_ROLE_LINKS_IN));
    return declares ? OCELOTL_OK : await(open, &added);
}

static ocelotl_status write_links(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    arrivals open = {0};
    const oc_sorted *link;
    ocelotl_status status = oc_sorting_finish(timelines->links);
    while (status == OCELOTL_OK) {
        status = oc_sorting_next(&link, timelines->links);
        if (status != OCELOTL_OK || link == NULL)
            break;
        status = arrive(timelines, &open, link->time);
        if (status == OCELOTL_OK)
            status = write_link(timelines, plan, &open, link);
    }
    if (status == OCELOTL_OK)
        status = arrive(timelines, &open, INT64_MAX);
    free(open.heap);
    return status;
}

/* The types of resources, which lanes are below. */
static ocelotl_status know_types(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    uint32_t most = 0;
    for (size_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].resource != OCELOTL_NONE && plan->rows[i].resource > most)
            most = plan->rows[i].resource;
    OC_TRY(oc_allocate(&timelines->types, (size_t)most + 1, sizeof *timelines->types));
    for (size_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].resource != OCELOTL_NONE)
            timelines->types[plan->rows[i].resource] = plan->rows[i].type;
    return OCELOTL_OK;
}

ocelotl_status oc_timelines_write(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    OC_TRY(match_sides(timelines, plan));
    for (uint32_t row = 0; row < timelines->known_count; row++) {
        const oc_timelines_known *known = &timelines->known[row];
        int64_t begin;
        int64_t end;
        if (!known->has_bounds)
            continue;
        if (!oc_add_times(&begin, known->begin, plan->rows[row].shift) ||
            !oc_add_times(&end, known->end, plan->rows[row].shift))
            return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large where the files are aligned");
        widen_all(timelines, begin);
        widen_all(timelines, end);
    }
    timelines->pairs.exact = plan->exact;
    timelines->pairs.of_end = plan->of_end;
    timelines->pairs.context = plan->names;
    timelines->lanes.writer = timelines->writer;
    timelines->lanes.lane_type = plan->lane_type;
    timelines->lanes.begin = timelines->begin;
    if (plan->lane_type == OCELOTL_NONE)
        OC_TRY(know_types(timelines, plan));
    OC_TRY(take_records(timelines, plan));
    if (plan->seen != NULL)
        OC_TRY(plan->seen(plan->context));
    oc_sorting_free(timelines->records);
    timelines->records = NULL;
    OC_TRY(write_grouped(timelines, plan));
    for (size_t i = 0; i < plan->row_count && plan->ends_rows; i++)
        if (plan->rows[i].resource != OCELOTL_NONE && plan->rows[i].has_end)
            OC_TRY(ocelotl_writer_resource_end(timelines->writer, plan->rows[i].resource,
                                               plan->rows[i].end));
    return write_links(timelines, plan);
}
