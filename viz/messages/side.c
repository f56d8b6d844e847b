/* The lines of one side of a matrix of messages. */
#include "base/memory.h"
#include "viz/messages/messages.h"
#include "viz/words/words.h"

#include <stdlib.h>
#include <string.h>

/* While lines are found. */
typedef struct finding {
    oc_messages_side *side;
    const oc_messages_input *input;
    oc_messages_group_at group_at;
    uint32_t count;    /* groups */
    uint32_t limit;    /* no line is of a resource deeper than this */
    uint32_t *open;    /* resources that contain the line, topmost first, */
    size_t *open_node; /* and their nodes */
    uint32_t open_count;
} finding;

void oc_messages_side_free(oc_messages_side *side)
{
    oc_row_nodes_free(&side->nodes);
    free(side->line_of);
    *side = (oc_messages_side){0};
}

/* Where groups are: a resource of the trace, or a node of the hierarchy that the messages have. */
typedef struct place {
    uint32_t parent; /* OCELOTL_ROOT: none */
    const char *name, *type;
    const char *path; /* NULL: the first steps of the path of what is in it */
} place;

static place place_at(const finding *f, uint32_t key)
{
    const ocelotl_model *hierarchy = ocelotl_messages_hierarchy(f->input->messages);
    if (hierarchy != NULL) {
        const ocelotl_node node = ocelotl_model_node_at(hierarchy, key);
        return (place){node.parent > 0 ? node.parent : OCELOTL_ROOT, node.name, node.kind,
                       node.path};
    }
    const ocelotl_resource is = ocelotl_trace_resource_at(f->input->trace, key);
    return (place){is.parent, is.name,
                   ocelotl_trace_resource_type_at(f->input->trace, is.type).name, NULL};
}

/* The place of a group; OCELOTL_NONE if it has none. */
static uint32_t place_of(const finding *f, uint32_t group)
{
    const ocelotl_message_group is = f->group_at(f->input->messages, group);
    return ocelotl_messages_hierarchy(f->input->messages) != NULL ? is.node : is.resource;
}

static uint32_t parent_of(const finding *f, uint32_t key)
{
    return place_at(f, key).parent;
}

static uint32_t depth_of(const finding *f, uint32_t key)
{
    uint32_t depth = 0;
    for (uint32_t r = parent_of(f, key); r != OCELOTL_ROOT; r = parent_of(f, r))
        depth++;
    return depth;
}

/* The place that a group is drawn as; OCELOTL_NONE for a group that is nowhere. */
static uint32_t key_of(const finding *f, uint32_t group)
{
    uint32_t key = place_of(f, group);
    if (key == OCELOTL_NONE)
        return key;
    for (uint32_t depth = depth_of(f, key); depth > f->limit; depth--)
        key = parent_of(f, key);
    return key;
}

/* Whether a group begins a line of its own, behind another one. */
static bool begins_line(uint32_t key, uint32_t before)
{
    return key != before || key == OCELOTL_NONE;
}

/* Goes up the levels until the lines fit. */
static void choose_limit(finding *f, uint32_t most)
{
    uint32_t lines = f->count;
    f->limit = 0;
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = place_of(f, g);
        const uint32_t depth = key != OCELOTL_NONE ? depth_of(f, key) : 0;
        f->limit = depth > f->limit ? depth : f->limit;
    }
    while (lines > most && f->limit > 0) {
        f->limit--;
        lines = 0;
        for (uint32_t g = 0, before = OCELOTL_NONE; g < f->count; g++) {
            const uint32_t key = key_of(f, g);
            lines += g == 0 || begins_line(key, before);
            before = key;
        }
    }
    f->side->joined = lines > most ? (lines + most - 1) / most : 1;
}

/* --- Nodes */

/* Gives the path of a place: its own, or the first steps of the path of what is in it. */
static ocelotl_status find_path(const char **path, const finding *f, const place *is,
                                const char *inside, uint32_t depth)
{
    *path = is->path;
    return is->path != NULL
               ? OCELOTL_OK
               : oc_row_nodes_keep(path, &f->side->nodes, inside, oc_path_prefix(inside, depth));
}

/* Opens what contains a place, and is not open yet; what is open and does not is closed. */
static ocelotl_status open_above(finding *f, uint32_t key, const char *path)
{
    const uint32_t depth = depth_of(f, key);
    uint32_t kept = depth;
    for (uint32_t r = parent_of(f, key); kept > 0; r = parent_of(f, r)) {
        if (kept <= f->open_count && f->open[kept - 1] == r)
            break;
        f->open[--kept] = r;
    }
    for (f->open_count = kept; f->open_count < depth; f->open_count++) {
        const place is = place_at(f, f->open[f->open_count]);
        oc_row_node node = {is.name, NULL, f->open_count, f->side->nodes.row_count, 0, false};
        OC_TRY(find_path(&node.path, f, &is, path, f->open_count));
        OC_TRY(oc_row_nodes_add(&f->side->nodes, &node));
        f->open_node[f->open_count] = f->side->nodes.node_count - 1;
    }
    return OCELOTL_OK;
}

/* Adds the line of a group. */
static ocelotl_status add_line(finding *f, uint32_t group, uint32_t key)
{
    oc_messages_side *side = f->side;
    const char *path = f->group_at(f->input->messages, group).path;
    oc_row_node node = {path, path, 0, side->nodes.row_count, 1, true};
    if (key == OCELOTL_NONE) {
        f->open_count = 0;
    } else {
        const place is = place_at(f, key);
        OC_TRY(open_above(f, key, path));
        node.name = is.name;
        node.depth = f->open_count;
        OC_TRY(find_path(&node.path, f, &is, path, node.depth));
    }
    OC_TRY(oc_row_nodes_add(&side->nodes, &node));
    for (uint32_t i = 0; i < f->open_count; i++)
        side->nodes.nodes[f->open_node[i]].count++;
    side->nodes.row_count++;
    return OCELOTL_OK;
}

static ocelotl_status add_lines(finding *f)
{
    uint32_t before = OCELOTL_NONE;
    uint32_t in_line = 0;
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = key_of(f, g);
        if (g == 0 || begins_line(key, before)) {
            /* several of the topmost resources in one line: it is called by the first of them */
            if (g == 0 || f->side->joined <= 1 || key == OCELOTL_NONE ||
                in_line >= f->side->joined) {
                OC_TRY(add_line(f, g, key));
                in_line = 0;
            }
            in_line++;
        }
        f->side->line_of[g] = f->side->nodes.row_count - 1;
        before = key;
    }
    f->side->merged = f->side->nodes.row_count < f->count;
    return OCELOTL_OK;
}

static const char *type_of_lines(const finding *f)
{
    const char *type = NULL;
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = key_of(f, g);
        if (key == OCELOTL_NONE)
            continue;
        const char *name = place_at(f, key).type;
        if (type != NULL && strcmp(type, name) != 0)
            return "";
        type = name;
    }
    return type != NULL ? type : "";
}

static ocelotl_status find_lines(finding *f, uint32_t most)
{
    choose_limit(f, most);
    OC_TRY(oc_allocate(&f->side->line_of, f->count, sizeof *f->side->line_of));
    OC_TRY(oc_allocate(&f->open, (size_t)f->limit + 1, sizeof *f->open));
    OC_TRY(oc_allocate(&f->open_node, (size_t)f->limit + 1, sizeof *f->open_node));
    f->side->type = type_of_lines(f);
    return add_lines(f);
}

ocelotl_status oc_messages_side_find(oc_messages_side *side, const oc_messages_input *input,
                                     oc_messages_group_at group_at, uint32_t count, uint32_t most)
{
    finding f = {.side = side, .input = input, .group_at = group_at, .count = count};
    const ocelotl_status status = find_lines(&f, most > 0 ? most : 1);
    free(f.open);
    free(f.open_node);
    return status;
}

/* --- Names above the plot */

enum { STRIP = 16, PADDING = 3, LONGEST = 110, NARROWEST = 12, BELOW = 4 };

/* Of the nodes of a depth: how many, how many can be named across, and what the names take. */
typedef struct level {
    uint32_t nodes, across;
    double widest;
    int narrowest;
} level;

static level measure_level(const oc_messages_side *side, const oc_frame *frame, uint32_t depth)
{
    level found = {.narrowest = frame->width};
    for (size_t i = 0; i < side->nodes.node_count; i++) {
        const oc_row_node *node = &side->nodes.nodes[i];
        if (node->depth != depth)
            continue;
        const int width = oc_messages_x(frame, side, node->first + node->count) -
                          oc_messages_x(frame, side, node->first);
        const double name = oc_lettering_width(node->name, OC_SIZE_LABEL, false);
        found.nodes++;
        found.across += name + 2 * PADDING <= width;
        found.widest = name > found.widest ? name : found.widest;
        found.narrowest = width < found.narrowest ? width : found.narrowest;
    }
    return found;
}

void oc_messages_head_choose(oc_messages_head *head, const oc_messages_side *side, int width)
{
    const oc_frame frame = {.width = width};
    *head = (oc_messages_head){0};
    for (uint32_t depth = 0; head->count < OC_MESSAGES_LEVELS_MOST; depth++) {
        const level found = measure_level(side, &frame, depth);
        oc_messages_strip *strip = &head->strips[head->count];
        if (found.nodes == 0)
            break;
        if (2 * found.across >= found.nodes)
            *strip = (oc_messages_strip){depth, STRIP, false};
        else if (found.narrowest >= NARROWEST)
            *strip = (oc_messages_strip){
                depth, (int)(found.widest < LONGEST ? found.widest : LONGEST) + 2 * PADDING, true};
        else
            continue;
        head->height += strip->height;
        head->count++;
    }
    head->height += head->count > 0 ? BELOW : 0;
}

static void draw_strip(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_messages_side *side, const oc_messages_strip *strip, int y)
{
    const double baseline = OC_SIZE_LABEL * 0.35;
    for (size_t i = 0; i < side->nodes.node_count; i++) {
        const oc_row_node *node = &side->nodes.nodes[i];
        const int left = oc_messages_x(frame, side, node->first);
        const int right = oc_messages_x(frame, side, node->first + node->count);
        if (node->depth != strip->depth || right - left < 2)
            continue;
        const oc_rectangle box =
            oc_rectangle_of(left, y, right - left - 1, strip->height - 1, picture->theme->node);
        oc_label label = oc_label_at(box.x + box.width / 2, box.y + box.height / 2 + baseline,
                                     OC_ANCHOR_MIDDLE, picture->theme->ink);
        if (strip->rotated) {
            label = oc_label_at(box.x + box.width / 2 + baseline, box.y + box.height - PADDING,
                                OC_ANCHOR_START, picture->theme->ink);
            label.rotation = -90;
        }
        oc_scene_rectangle(scene, &box, node->path);
        oc_label_draw(scene, &label, node->name,
                      (strip->rotated ? box.height : box.width) - 2 * PADDING, node->path);
    }
}

void oc_messages_head_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                           const oc_messages_side *side, const oc_messages_head *head)
{
    int y = frame->top - head->height;
    oc_scene_group(scene, "columns", &(oc_group_style){0}, NULL);
    for (uint32_t i = 0; i < head->count; i++) {
        draw_strip(scene, picture, frame, side, &head->strips[i], y);
        y += head->strips[i].height;
    }
    oc_scene_group_end(scene);
}
