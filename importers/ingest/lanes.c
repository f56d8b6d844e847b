#include "importers/ingest/lanes.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* A state that is open in a lane, and the group of the states that nest in it. */
typedef struct oc_lane_state {
    int64_t end;
    uint64_t around;
} oc_lane_state;

/* No state is of it: nothing nests in it. */
static const uint64_t no_group = UINT64_MAX;

/* A few lanes are looked through; more are in a tree by their places, too: a treap, whose shape
 * follows from the numbers of lanes. */
enum { FEW = 8 };

typedef struct oc_lane {
    uint32_t type;       /* of its states */
    uint32_t number;     /* among those of its type */
    uint32_t stream;     /* the writer's */
    oc_lane_state *open; /* outermost first */
    size_t depth, capacity;
    uint32_t left, right; /* lanes of the tree, plus 1; 0: none */
    uint32_t size;        /* of the tree below it, itself included */
    int64_t latest;       /* of them the one whose innermost state ends last, or is empty */
} oc_lane;

/* A state that is open. */
typedef struct oc_lane_end {
    int64_t time;
    uint32_t lane;
} oc_lane_end;

void oc_lanes_begin(oc_lanes *lanes, uint32_t row)
{
    lanes->row = row;
    lanes->resource_count = 0;
}

static ocelotl_status find_type(uint32_t *type, oc_lanes *lanes)
{
    *type = lanes->lane_type;
    if (*type != OCELOTL_NONE)
        return OCELOTL_OK;
    *type = oc_map_get(&lanes->lane_type_of, &lanes->row_type, sizeof lanes->row_type);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(type, lanes->writer, lanes->row_type, "Lane"));
    return oc_map_set(&lanes->lane_type_of, &lanes->row_type, sizeof lanes->row_type, *type);
}

/* The resource of a row's lane: the row itself, then those below it. */
static ocelotl_status find_resource(uint32_t *resource, oc_lanes *lanes, size_t number)
{
    char name[32];
    uint32_t type;
    *resource = lanes->row;
    if (number == 0)
        return OCELOTL_OK;
    OC_TRY(find_type(&type, lanes));
    while (lanes->resource_count < number) {
        const size_t next = lanes->resource_count + 1;
        OC_TRY(
            oc_grow(&lanes->resources, &lanes->resource_capacity, next, sizeof *lanes->resources));
        snprintf(name, sizeof name, "~%zu", next);
        OC_TRY(ocelotl_writer_resource(&lanes->resources[next - 1], lanes->writer, type, lanes->row,
                                       name, lanes->begin));
        lanes->resource_count = next;
    }
    *resource = lanes->resources[number - 1];
    return OCELOTL_OK;
}

/* --- The tree of lanes: by type, empty or not, group, number */

typedef struct place {
    uint32_t type;
    bool open;
    uint64_t group;
    uint32_t number;
} place;

static place place_of(const oc_lane *lane)
{
    const uint64_t group = lane->depth > 0 ? lane->open[lane->depth - 1].around : 0;
    return (place){lane->type, lane->depth > 0, group, lane->number};
}

static bool is_before(place a, place b)
{
    if (a.type != b.type)
        return a.type < b.type;
    if (a.open != b.open)
        return b.open;
    return a.group != b.group ? a.group < b.group : a.number < b.number;
}

static oc_lane *lane_at(const oc_lanes *lanes, uint32_t root)
{
    return &lanes->lanes[root - 1];
}

static int64_t end_of(const oc_lane *lane)
{
    return lane->depth > 0 ? lane->open[lane->depth - 1].end : INT64_MAX;
}

static uint32_t size_of(const oc_lanes *lanes, uint32_t root)
{
    return root > 0 ? lane_at(lanes, root)->size : 0;
}

static void sum_up(const oc_lanes *lanes, oc_lane *lane)
{
    lane->size = 1 + size_of(lanes, lane->left) + size_of(lanes, lane->right);
    lane->latest = end_of(lane);
    for (int right = 0; right < 2; right++) {
        const uint32_t below = right ? lane->right : lane->left;
        if (below > 0 && lane_at(lanes, below)->latest > lane->latest)
            lane->latest = lane_at(lanes, below)->latest;
    }
}

/* What decides which of two lanes is above the other: a number as good as drawn by chance. */
static uint32_t rank_of(uint32_t root)
{
    root = (root ^ root >> 16) * 0x7feb352dU;
    root = (root ^ root >> 15) * 0x846ca68bU;
    return root ^ root >> 16;
}

/* Cuts a tree in two: what is before a place, and the rest. */
static void split(uint32_t *before, uint32_t *rest, const oc_lanes *lanes, uint32_t root, place at)
{
    *before = *rest = 0;
    if (root == 0)
        return;
    oc_lane *lane = lane_at(lanes, root);
    uint32_t middle;
    if (is_before(place_of(lane), at)) {
        split(&middle, rest, lanes, lane->right, at);
        lane->right = middle;
        *before = root;
    } else {
        split(before, &middle, lanes, lane->left, at);
        lane->left = middle;
        *rest = root;
    }
    sum_up(lanes, lane);
}

static uint32_t merge(const oc_lanes *lanes, uint32_t before, uint32_t rest)
{
    if (before == 0 || rest == 0)
        return before + rest;
    const bool first = rank_of(before) > rank_of(rest);
    const uint32_t root = first ? before : rest;
    oc_lane *lane = lane_at(lanes, root);
    if (first)
        lane->right = merge(lanes, lane->right, rest);
    else
        lane->left = merge(lanes, before, lane->left);
    sum_up(lanes, lane);
    return root;
}

static void insert(oc_lanes *lanes, uint32_t number)
{
    uint32_t before;
    uint32_t rest;
    oc_lane *lane = &lanes->lanes[number];
    if (lanes->count <= FEW)
        return;
    lane->left = lane->right = 0;
    sum_up(lanes, lane);
    split(&before, &rest, lanes, lanes->root, place_of(lane));
    lanes->root = merge(lanes, merge(lanes, before, number + 1), rest);
}

static void take_out(oc_lanes *lanes, uint32_t number)
{
    uint32_t before;
    uint32_t rest;
    if (lanes->count <= FEW)
        return;
    place at = place_of(&lanes->lanes[number]);
    split(&before, &rest, lanes, lanes->root, at);
    at.number++;
    split(&number, &rest, lanes, rest, at);
    lanes->root = merge(lanes, before, rest);
}

static uint32_t find_among_few(uint32_t *size, const oc_lanes *lanes, place from, place to,
                               int64_t time)
{
    uint32_t found = 0;
    *size = 0;
    for (uint32_t i = 0; i < lanes->count; i++) {
        const place at = place_of(&lanes->lanes[i]);
        if (is_before(at, from) || !is_before(at, to))
            continue;
        ++*size;
        if (end_of(&lanes->lanes[i]) >= time &&
            (found == 0 || is_before(at, place_of(lane_at(lanes, found)))))
            found = i + 1;
    }
    return found;
}

/* Finds in the places from `from` to `to` the first lane that is empty or open until a time, plus
 * 1, or 0; *size: how many there are. */
static uint32_t find_between(uint32_t *size, oc_lanes *lanes, place from, place to, int64_t time)
{
    uint32_t before;
    uint32_t between;
    uint32_t rest;
    if (lanes->count <= FEW)
        return find_among_few(size, lanes, from, to, time);
    split(&before, &rest, lanes, lanes->root, from);
    split(&between, &rest, lanes, rest, to);
    *size = size_of(lanes, between);
    uint32_t found = between;
    if (found > 0 && lane_at(lanes, found)->latest < time)
        found = 0;
    while (found > 0) {
        const oc_lane *lane = lane_at(lanes, found);
        if (lane->left > 0 && lane_at(lanes, lane->left)->latest >= time)
            found = lane->left;
        else if (end_of(lane) >= time)
            break;
        else
            found = lane->right;
    }
    lanes->root = merge(lanes, before, merge(lanes, between, rest));
    return found;
}

/* --- States that are open: a heap, the one that ends first on top */

static ocelotl_status note_end(oc_lanes *lanes, oc_lane_end end)
{
    OC_TRY(
        oc_grow(&lanes->open, &lanes->open_capacity, lanes->open_count + 1, sizeof *lanes->open));
    size_t at = lanes->open_count++;
    for (; at > 0 && lanes->open[(at - 1) / 2].time > end.time; at = (at - 1) / 2)
        lanes->open[at] = lanes->open[(at - 1) / 2];
    lanes->open[at] = end;
    return OCELOTL_OK;
}

static oc_lane_end take_first_end(oc_lanes *lanes)
{
    const oc_lane_end first = lanes->open[0];
    const oc_lane_end moved = lanes->open[--lanes->open_count];
    size_t at = 0;
    for (size_t below = 1; below < lanes->open_count; below = 2 * at + 1) {
        below +=
            below + 1 < lanes->open_count && lanes->open[below + 1].time < lanes->open[below].time;
        if (lanes->open[below].time >= moved.time)
            break;
        lanes->open[at] = lanes->open[below];
        at = below;
    }
    lanes->open[at] = moved;
    return first;
}

/* --- Writing */

static ocelotl_status pop(oc_lanes *lanes, oc_lane *lane)
{
    return ocelotl_writer_stream_pop(lanes->writer, lane->stream, lane->open[--lane->depth].end,
                                     NULL, 0);
}

/* Pops states until a time; one that ends where another begins is outside it. */
static ocelotl_status pop_until(oc_lanes *lanes, int64_t time)
{
    while (lanes->open_count > 0 && lanes->open[0].time <= time) {
        const uint32_t number = take_first_end(lanes).lane;
        take_out(lanes, number);
        const ocelotl_status status = pop(lanes, &lanes->lanes[number]);
        insert(lanes, number);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status add_lane(oc_lanes *lanes, uint32_t type, uint32_t number)
{
    uint32_t resource;
    OC_TRY(oc_grow(&lanes->lanes, &lanes->capacity, lanes->count + 1, sizeof *lanes->lanes));
    oc_lane *lane = &lanes->lanes[lanes->count];
    *lane = (oc_lane){.type = type, .number = number};
    OC_TRY(find_resource(&resource, lanes, number));
    OC_TRY(
        ocelotl_writer_stream(&lane->stream, lanes->writer, resource, type, OCELOTL_ROLE_STATES));
    for (size_t i = lanes->count++ == FEW ? 0 : lanes->count - 1; i < lanes->count; i++)
        insert(lanes, (uint32_t)i);
    return OCELOTL_OK;
}

/* Finds the lane of a state that nests in those of a group; of no group it nests in none. */
static ocelotl_status find_lane(uint32_t *number, oc_lanes *lanes, const oc_sorted *span,
                                uint64_t group)
{
    const uint32_t type = span->type;
    uint32_t size;
    OC_TRY(pop_until(lanes, span->time));
    const uint32_t empty = find_between(&size, lanes, (place){type, false, 0, 0},
                                        (place){type, false, 0, UINT32_MAX}, INT64_MIN);
    const uint32_t around = find_between(&size, lanes, (place){type, true, group, 0},
                                         (place){type, true, group, UINT32_MAX}, span->end);
    uint32_t found = around > 0 ? around : empty;
    if (around > 0 && empty > 0 && group == 0 && empty < around)
        found = empty;
    if (found == 0) {
        find_between(&size, lanes, (place){type, false, 0, 0},
                     (place){type, true, no_group, UINT32_MAX}, INT64_MAX);
        OC_TRY(add_lane(lanes, type, size));
        found = (uint32_t)lanes->count;
    }
    *number = found - 1;
    return OCELOTL_OK;
}

ocelotl_status oc_lanes_add(bool *crosses, oc_lanes *lanes, const oc_sorted *span,
                            oc_nesting nesting)
{
    uint32_t number;
    const bool is_root = nesting == OC_NEST_BY_PARENT && span->group == 0;
    oc_lane_state opened = {span->end, span->group};
    if (nesting == OC_NEST_BY_PARENT)
        opened.around = span->order;
    else if (nesting == OC_NEST_PARALLEL)
        opened.around = no_group;
    OC_TRY(find_lane(&number, lanes, span, is_root ? no_group - 1 : span->group));
    oc_lane *lane = &lanes->lanes[number];
    *crosses = lane->number > 0 && span->group == 0 && nesting == OC_NEST_BY_TIME;
    OC_TRY(oc_grow(&lane->open, &lane->capacity, lane->depth + 1, sizeof *lane->open));
    OC_TRY(note_end(lanes, (oc_lane_end){span->end, number}));
    OC_TRY(ocelotl_writer_stream_push(lanes->writer, lane->stream, span->value, span->time,
                                      span->attributes, span->attribute_count));
    take_out(lanes, number);
    lane->open[lane->depth++] = opened;
    insert(lanes, number);
    return OCELOTL_OK;
}

ocelotl_status oc_lanes_end(oc_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        while (lanes->lanes[i].depth > 0)
            OC_TRY(pop(lanes, &lanes->lanes[i]));
    for (size_t i = 0; i < lanes->count; i++)
        free(lanes->lanes[i].open);
    lanes->count = lanes->open_count = 0;
    lanes->root = 0;
    return OCELOTL_OK;
}

void oc_lanes_free(oc_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        free(lanes->lanes[i].open);
    free(lanes->lanes);
    free(lanes->open);
    free(lanes->resources);
    oc_map_free(&lanes->lane_type_of);
}
