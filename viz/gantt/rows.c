#include "viz/gantt/gantt.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- How much room rows take: variables that never change need little, and those of many siblings
 * even less. */

enum { SIBLINGS_FROM = 5 /* this many siblings are drawn as one */ };

/* A row of a variable that never changes. */
typedef struct constant {
    uint32_t row, parent, resource, event_type;
    bool alone; /* its resource has no other rows */
    double value;
} constant;

static ocelotl_drawn_row row_at(const oc_gantt *gantt, uint32_t row)
{
    return ocelotl_drawables_row_at(gantt->drawables, row);
}

static bool is_constant(const oc_gantt *gantt, uint32_t row)
{
    const ocelotl_drawn_row is = row_at(gantt, row);
    if (is.event_type == OCELOTL_NONE || is.category != OCELOTL_VARIABLE || is.objects == 0)
        return false;
    const double value = oc_gantt_object_at(gantt, row, 0).low;
    for (uint64_t i = 0; i < is.objects; i++) {
        const ocelotl_drawn_object object = oc_gantt_object_at(gantt, row, i);
        if (object.low < value || object.high > value)
            return false;
    }
    return true;
}

/* Finds the rows of the resource that begins with one, and whether none of them changes and none is
 * below it. */
static uint32_t end_of_resource(bool *alone, const oc_gantt *gantt, uint32_t first)
{
    const uint32_t room = row_at(gantt, first).room;
    uint32_t end = first;
    *alone = true;
    for (; end < gantt->drawn_count && row_at(gantt, end).room == room; end++)
        *alone = *alone && gantt->room[end] == OC_GANTT_THIN_ROOM;
    *alone = *alone && (end >= gantt->drawn_count ||
                        !oc_gantt_contains(gantt, room, row_at(gantt, end).room));
    return end;
}

static size_t list(constant *found, oc_gantt *gantt)
{
    size_t count = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        gantt->room[row] = is_constant(gantt, row) && !oc_gantt_joins(gantt, row) &&
                                   !oc_gantt_joins(gantt, row + 1)
                               ? OC_GANTT_THIN_ROOM
                               : OC_GANTT_OWN_ROOM;
    for (uint32_t first = 0, end; first < gantt->drawn_count; first = end) {
        bool alone;
        end = end_of_resource(&alone, gantt, first);
        for (uint32_t row = first; row < end; row++) {
            const ocelotl_drawn_row is = row_at(gantt, row);
            if (gantt->room[row] != OC_GANTT_THIN_ROOM)
                continue;
            found[count++] =
                (constant){.row = row,
                           .parent = ocelotl_trace_resource_at(gantt->trace, is.resource).parent,
                           .resource = is.resource,
                           .event_type = is.event_type,
                           .alone = alone,
                           .value = oc_gantt_object_at(gantt, row, 0).low};
        }
    }
    return count;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Gathers constants that are the same in neighbouring siblings. */
static int compare_values(const void *left, const void *right)
{
    const constant *a = left;
    const constant *b = right;
    if (a->parent != b->parent)
        return compare_numbers(a->parent, b->parent);
    if (a->event_type != b->event_type)
        return compare_numbers(a->event_type, b->event_type);
    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? -1 : 1;
    return compare_numbers(a->row, b->row);
}

static bool is_same(const constant *a, const constant *b)
{
    return a->parent == b->parent && a->event_type == b->event_type && !(a->value < b->value) &&
           !(a->value > b->value);
}

static int compare_places(const void *left, const void *right)
{
    const constant *a = left;
    const constant *b = right;
    return a->parent != b->parent ? compare_numbers(a->parent, b->parent)
                                  : compare_numbers(a->row, b->row);
}

/* Keeps gathered rows by parent, then in their order. */
static ocelotl_status keep_gathered(oc_gantt *gantt, const constant *found, size_t count)
{
    OC_TRY(oc_allocate(&gantt->gathered, count, sizeof *gantt->gathered));
    for (size_t i = 0; i < count; i++)
        if (gantt->room[found[i].row] == OC_GANTT_SHARED_ROOM)
            gantt->gathered[gantt->gathered_count++] =
                (oc_gantt_gathered){found[i].parent, found[i].row};
    return OCELOTL_OK;
}

/* Finds gantt->room and gathered. O(rows log rows + links + objects of constants). */
static ocelotl_status find_room(oc_gantt *gantt)
{
    constant *found = NULL;
    OC_TRY(oc_allocate(&gantt->room, gantt->drawn_count, sizeof *gantt->room));
    OC_TRY(oc_allocate(&found, gantt->drawn_count, sizeof *found));
    const size_t count = list(found, gantt);
    /* left out are rows that have only links without duration, such as the wiring of a network. */
    bool some = false;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        some = some || row_at(gantt, row).event_type != OCELOTL_NONE;
    for (uint32_t row = 0; row < gantt->drawn_count && some; row++)
        if (row_at(gantt, row).event_type == OCELOTL_NONE)
            gantt->room[row] = OC_GANTT_NO_ROOM;
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(gantt->drawables, i);
        const uint32_t ends[] = {link.source, link.target};
        for (int end = 0; end < 2 && link.begin != link.end; end++)
            if (ends[end] < gantt->drawn_count && gantt->room[ends[end]] == OC_GANTT_NO_ROOM)
                gantt->room[ends[end]] = OC_GANTT_OWN_ROOM;
    }
    qsort(found, count, sizeof *found, compare_values);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && is_same(&found[end], &found[first]);)
            end++;
        for (size_t i = first; i < end && end - first >= SIBLINGS_FROM; i++)
            gantt->room[found[i].row] = OC_GANTT_SHARED_ROOM;
    }
    /* gathers constants whatever their values are. */
    qsort(found, count, sizeof *found, compare_places);
    for (size_t first = 0, end; first < count; first = end) {
        uint32_t resources = 0;
        uint32_t last = OCELOTL_NONE;
        for (end = first; end < count && found[end].parent == found[first].parent; end++) {
            resources += found[end].alone && found[end].resource != last;
            last = found[end].alone ? found[end].resource : last;
        }
        for (size_t i = first; i < end && resources >= SIBLINGS_FROM; i++)
            if (found[i].alone)
                gantt->room[found[i].row] = OC_GANTT_SHARED_ROOM;
    }
    const ocelotl_status status = keep_gathered(gantt, found, count);
    free(found);
    return status;
}

/* --- Where rows lie */

/* Rows of oc_row_nodes: one is half as high as a plain row of states. */
enum {
    UNITS_STATE = 2,
    UNITS_MARKS = 2,
    UNITS_VARIABLE = 4,
    UNITS_CONSTANT = 2,
    UNITS_LINKS = 1,
    LANES_MOST = 24
};

static uint32_t units_of(const ocelotl_drawn_row *row)
{
    if (row->event_type == OCELOTL_NONE)
        return UNITS_LINKS;
    if (row->category == OCELOTL_VARIABLE)
        return UNITS_VARIABLE;
    if (row->category != OCELOTL_STATE)
        return UNITS_MARKS;
    const uint32_t lanes = row->lanes < LANES_MOST ? row->lanes : LANES_MOST;
    return UNITS_STATE + (lanes > 1 ? lanes - 1 : 0);
}

/* The open resources while rows are gathered: each contains the next. */
typedef struct chain {
    size_t *nodes; /* of oc_row_nodes, by depth */
    uint32_t *resources;
    size_t length, capacity, capacity_resources;
} chain;

/* Adds a resource and those above it that are not open to the chain, which ends with one that
 * contains it, if it has any. */
static ocelotl_status lengthen(chain *open, const oc_gantt *gantt, uint32_t resource)
{
    const uint32_t top = open->length > 0 ? open->resources[open->length - 1] : OCELOTL_ROOT;
    size_t length = open->length;
    for (uint32_t at = resource; at != top; at = ocelotl_trace_resource_at(gantt->trace, at).parent)
        length++;
    OC_TRY(oc_grow(&open->nodes, &open->capacity, length, sizeof *open->nodes));
    OC_TRY(oc_grow(&open->resources, &open->capacity_resources, length, sizeof *open->resources));
    open->length = length;
    for (uint32_t at = resource; at != top; at = ocelotl_trace_resource_at(gantt->trace, at).parent)
        open->resources[--length] = at;
    return OCELOTL_OK;
}

/* Opens a resource and those above it that are not open. */
static ocelotl_status open_resource(oc_gantt *gantt, chain *open, uint32_t resource,
                                    const char *path)
{
    const size_t first = open->length;
    size_t end = first > 0 ? oc_path_prefix(path, (uint32_t)first - 1) : 0;
    OC_TRY(lengthen(open, gantt, resource));
    for (size_t depth = first; depth < open->length; depth++) {
        const char *kept = NULL;
        end += depth > 0;
        end += strcspn(path + end, "/");
        OC_TRY(oc_row_nodes_keep(&kept, &gantt->rows, path, end));
        const oc_row_node node = {
            ocelotl_trace_resource_at(gantt->trace, open->resources[depth]).name,
            kept,
            (uint32_t)depth,
            gantt->rows.row_count,
            0,
            false};
        OC_TRY(oc_row_nodes_add(&gantt->rows, &node));
        open->nodes[depth] = gantt->rows.node_count - 1;
    }
    return OCELOTL_OK;
}

/* --- Placing rows, and folds of them */

static void place_row(oc_gantt *gantt, uint32_t row, uint32_t units, uint32_t fold)
{
    gantt->drawn[row] = (oc_gantt_row){row_at(gantt, row), gantt->rows.row_count, units, fold};
}

static ocelotl_status begin_fold(oc_gantt *gantt, bool gathered)
{
    OC_TRY(
        oc_grow(&gantt->folds, &gantt->fold_capacity, gantt->fold_count + 1, sizeof *gantt->folds));
    gantt->folds[gantt->fold_count++] = (oc_gantt_fold){gantt->fold_row_count, 0, gathered};
    return OCELOTL_OK;
}

static void fold_row(oc_gantt *gantt, uint32_t row)
{
    place_row(gantt, row, UNITS_CONSTANT, gantt->fold_count);
    gantt->fold_rows[gantt->fold_row_count++] = row;
    gantt->folds[gantt->fold_count - 1].count++;
}

static size_t first_gathered(const oc_gantt *gantt, uint32_t parent)
{
    size_t low = 0;
    size_t high = gantt->gathered_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (gantt->gathered[middle].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Places the constants of many children of a resource below all its other rows. */
static ocelotl_status add_gathered(oc_gantt *gantt, uint32_t parent, size_t depth)
{
    size_t next = first_gathered(gantt, parent);
    if (next == gantt->gathered_count || gantt->gathered[next].parent != parent)
        return OCELOTL_OK;
    OC_TRY(begin_fold(gantt, true));
    for (; next < gantt->gathered_count && gantt->gathered[next].parent == parent; next++)
        fold_row(gantt, gantt->gathered[next].row);
    const oc_row_node node = {"constants",           "constants",    (uint32_t)depth,
                              gantt->rows.row_count, UNITS_CONSTANT, true};
    gantt->rows.row_count += UNITS_CONSTANT;
    return oc_row_nodes_add(&gantt->rows, &node);
}

/* --- Resources that contain rows */

static ocelotl_status close_down_to(oc_gantt *gantt, chain *open, size_t length)
{
    while (open->length > length) {
        OC_TRY(add_gathered(gantt, open->resources[open->length - 1], open->length));
        oc_row_node *node = &gantt->rows.nodes[open->nodes[--open->length]];
        node->count = gantt->rows.row_count - node->first;
    }
    return OCELOTL_OK;
}

/* Closes the resources that do not contain a resource, and opens those that do. */
static ocelotl_status open_for(oc_gantt *gantt, chain *open, uint32_t resource, const char *path)
{
    size_t kept = open->length;
    while (kept > 0 && !oc_gantt_contains(gantt, open->resources[kept - 1], resource))
        kept--;
    OC_TRY(close_down_to(gantt, open, kept));
    return resource != OCELOTL_ROOT ? open_resource(gantt, open, resource, path) : OCELOTL_OK;
}

/* Whether a resource has no rows but these: then the rows stand for the resource. */
static bool are_alone(const oc_gantt *gantt, uint32_t first, uint32_t end)
{
    const uint32_t room = row_at(gantt, first).room;
    uint32_t before = first;
    while (before > 0 && oc_gantt_is_elsewhere(gantt, before - 1))
        before--;
    if (before > 0 && row_at(gantt, before - 1).room == room)
        return false;
    while (end < gantt->drawn_count && oc_gantt_is_elsewhere(gantt, end))
        end++;
    return end >= gantt->drawn_count || !oc_gantt_contains(gantt, room, row_at(gantt, end).room);
}

/* Places a row with those that join it, or the constants of its resource that follow it. *end is
 * after the last one. */
static ocelotl_status place_own(uint32_t *end, oc_gantt *gantt, uint32_t first)
{
    const ocelotl_drawn_row is = row_at(gantt, first);
    uint32_t units = units_of(&is);
    *end = first + 1;
    if (gantt->room[first] == OC_GANTT_THIN_ROOM) {
        units = UNITS_CONSTANT;
        OC_TRY(begin_fold(gantt, false));
        for (uint32_t row = first;
             row < gantt->drawn_count && row_at(gantt, row).resource == is.resource &&
             gantt->room[row] == OC_GANTT_THIN_ROOM;
             *end = ++row)
            fold_row(gantt, row);
    } else {
        for (uint32_t row = first + 1; oc_gantt_joins(gantt, row); *end = ++row) {
            const ocelotl_drawn_row joins = row_at(gantt, row);
            units = units_of(&joins) > units ? units_of(&joins) : units;
        }
        if (*end - first > 1 && gantt->info.together)
            units = units > UNITS_VARIABLE ? units : UNITS_VARIABLE;
        for (uint32_t row = first; row < *end; row++)
            place_row(gantt, row, gantt->room[row] == OC_GANTT_NO_ROOM ? 0 : units, 0);
    }
    gantt->rows.row_count += units;
    return OCELOTL_OK;
}

static ocelotl_status keep_count(const char **kept, oc_gantt *gantt, uint32_t count,
                                 const char *what)
{
    oc_text name = {0};
    oc_count_add(&name, count);
    oc_text_add(&name, what);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : oc_row_nodes_keep(kept, &gantt->rows, name.bytes, name.length);
    oc_text_free(&name);
    return status;
}

static ocelotl_status add_own(uint32_t *end, oc_gantt *gantt, chain *open, uint32_t first)
{
    const ocelotl_drawn_row is = row_at(gantt, first);
    const char *name = "";
    OC_TRY(open_for(gantt, open, is.room, is.path));
    OC_TRY(place_own(end, gantt, first));
    if (open->length > 0 && are_alone(gantt, first, *end)) {
        gantt->rows.nodes[open->nodes[open->length - 1]].leaf = true;
        return OCELOTL_OK;
    }
    if (*end - first > 1 && !oc_gantt_joins(gantt, first + 1))
        OC_TRY(keep_count(&name, gantt, *end - first, " constants"));
    else if (is.event_type != OCELOTL_NONE)
        name = ocelotl_trace_event_type_at(gantt->trace, is.event_type).name;
    const oc_gantt_row *drawn = &gantt->drawn[first];
    return oc_row_nodes_add(&gantt->rows, &(oc_row_node){name, is.path, (uint32_t)open->length,
                                                         drawn->first, drawn->count, true});
}

static bool is_open(const chain *open, uint32_t resource)
{
    for (size_t i = 0; i < open->length; i++)
        if (open->resources[i] == resource)
            return true;
    return resource == OCELOTL_ROOT;
}

/* Opens the parent of a resource whose row is gathered, as it may have no other row. Open resources
 * in it stay open: further rows may follow. */
static ocelotl_status open_parent(oc_gantt *gantt, chain *open, const ocelotl_drawn_row *is)
{
    const uint32_t parent = ocelotl_trace_resource_at(gantt->trace, is->resource).parent;
    return is_open(open, parent) ? OCELOTL_OK : open_for(gantt, open, parent, is->path);
}

static ocelotl_status add_rows(oc_gantt *gantt, chain *open)
{
    for (uint32_t first = 0, end; first < gantt->drawn_count; first = end) {
        const ocelotl_drawn_row is = row_at(gantt, first);
        end = first + 1;
        if (gantt->room[first] == OC_GANTT_NO_ROOM)
            place_row(gantt, first, 0, 0);
        else if (gantt->room[first] == OC_GANTT_SHARED_ROOM)
            OC_TRY(open_parent(gantt, open, &is));
        else
            OC_TRY(add_own(&end, gantt, open, first));
    }
    OC_TRY(close_down_to(gantt, open, 0));
    return add_gathered(gantt, OCELOTL_ROOT, 0);
}

ocelotl_status oc_gantt_find_rows(oc_gantt *gantt)
{
    chain open = {0};
    gantt->drawn_count = ocelotl_drawables_row_count(gantt->drawables);
    OC_TRY(oc_allocate(&gantt->drawn, gantt->drawn_count, sizeof *gantt->drawn));
    OC_TRY(oc_allocate(&gantt->fold_rows, gantt->drawn_count, sizeof *gantt->fold_rows));
    OC_TRY(find_room(gantt));
    const ocelotl_status status = add_rows(gantt, &open);
    free(open.nodes);
    free(open.resources);
    return status;
}

bool oc_gantt_has_variables_alone(const oc_gantt *gantt)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        if (gantt->drawn[row].is.event_type != OCELOTL_NONE &&
            gantt->drawn[row].is.category != OCELOTL_VARIABLE)
            return false;
    return true;
}
