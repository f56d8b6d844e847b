/* The hierarchy by role or software: leaves of the same last name come together, wherever they
 * are. */
#include "model/hierarchy/arrange.h"

#include "base/map.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct role_maker {
    oc_arrangement *arrangement;
    uint32_t old_count; /* nodes that there were before */
    const char **last;  /* by node that there was: the last name of a leaf */
    uint32_t *above;    /* by node that there was: the new node that a leaf comes below */
    uint32_t *numbers;  /* by node that there was: the leaves below it that are called a number */
    oc_map names;       /* by last name: the number of leaves that have it */
    oc_map inner;       /* by new path: the node; in the end those of leaves, too */
    oc_map twins;       /* their numbers */
    oc_text path;       /* of the node that is being made */
} role_maker;

/* A resource's own events are those of its name. */
static const char *last_name(const oc_arrangement *arrangement, uint32_t leaf)
{
    const oc_arranged_node *node = &arrangement->nodes[leaf];
    return node->given.own_leaf ? arrangement->nodes[node->given.parent].given.name
                                : node->given.name;
}

size_t oc_length_of_role(const char *name, size_t length)
{
    while (length > 0 && strchr("0123456789", name[length - 1]) != NULL) {
        while (length > 0 && strchr("0123456789", name[length - 1]) != NULL)
            length--;
        while (length > 0 && strchr(" -_.:#@/[(", name[length - 1]) != NULL)
            length--;
    }
    return length;
}

/* The resource that a leaf is in, in the trace. */
static uint32_t place_of(const oc_arrangement *arrangement, uint32_t leaf)
{
    const oc_given_node *given = &arrangement->nodes[leaf].given;
    return given->own_leaf ? arrangement->nodes[given->parent].given.parent : given->parent;
}

static ocelotl_status count_names(role_maker *maker)
{
    for (uint32_t k = 0; k < maker->old_count; k++) {
        if (!oc_arranged_is_leaf(&maker->arrangement->nodes[k]))
            continue;
        maker->last[k] = last_name(maker->arrangement, k);
        const size_t length = strlen(maker->last[k]);
        const uint32_t known = oc_map_get(&maker->names, maker->last[k], length);
        OC_TRY(oc_map_set(&maker->names, maker->last[k], length,
                          known == OC_MAP_NONE ? 1 : known + 1));
        if (oc_length_of_role(maker->last[k], strlen(maker->last[k])) > 0)
            continue;
        for (uint32_t place = k; place > 0;)
            maker->numbers[place = maker->arrangement->nodes[place].given.parent]++;
    }
    return OCELOTL_OK;
}

/* Goes from a node that was made to the one of a name below it, which is made if need be. */
static ocelotl_status step_down(uint32_t *node, role_maker *maker, const char *name,
                                const char *kind, uint32_t rank)
{
    oc_arrangement *arrangement = maker->arrangement;
    const uint32_t parent = *node;
    oc_text_add(&maker->path, maker->path.length > 0 ? "/" : "");
    oc_text_add_path_step(&maker->path, name);
    if (maker->path.failed)
        return oc_fail_memory();
    *node = oc_map_get(&maker->inner, maker->path.bytes, maker->path.length);
    if (*node != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_arrangement_add(node, arrangement, parent, name, kind, rank));
    arrangement->nodes[*node].path = oc_arena_copy(&arrangement->arena, maker->path.bytes);
    return oc_map_set(&maker->inner, maker->path.bytes, maker->path.length, *node);
}

/* Makes the nodes below the name from those above a node in the trace, outermost first. */
static ocelotl_status step_through(uint32_t *node, role_maker *maker, uint32_t old, uint32_t rank)
{
    if (old == 0)
        return OCELOTL_OK;
    const oc_given_node given = maker->arrangement->nodes[old].given;
    OC_TRY(step_through(node, maker, given.parent, rank));
    return step_down(node, maker, given.name, given.kind, rank);
}

static bool is_shared(const role_maker *maker, uint32_t leaf)
{
    return oc_map_get(&maker->names, maker->last[leaf], strlen(maker->last[leaf])) > 1;
}

/* Makes what is above a leaf: its role, its name where others have it, and where it is, but for the
 * resource that it is in, whose name it takes. */
static ocelotl_status make_above(role_maker *maker, uint32_t leaf)
{
    oc_arrangement *arrangement = maker->arrangement;
    const char *name = maker->last[leaf];
    const size_t length = oc_length_of_role(name, strlen(name));
    const char *kind = arrangement->nodes[leaf].given.kind;
    const char *role = length > 0        ? oc_arena_copy_bytes(&arrangement->arena, name, length)
                       : kind[0] != '\0' ? kind
                                         : name;
    uint32_t node = 0;
    oc_text_clear(&maker->path);
    OC_TRY(step_down(&node, maker, role, "role", leaf));
    if (is_shared(maker, leaf)) {
        if (strcmp(role, name) != 0)
            OC_TRY(step_down(&node, maker, name, "name", leaf));
        const uint32_t place = place_of(arrangement, leaf);
        if (place > 0)
            OC_TRY(step_through(&node, maker, arrangement->nodes[place].given.parent, leaf));
    }
    maker->above[leaf] = node;
    return OCELOTL_OK;
}

/* Writes the places of a number that set it apart from other numbers, outermost first. */
static void write_places(oc_text *text, const role_maker *maker, uint32_t place)
{
    const oc_given_node *given = &maker->arrangement->nodes[place].given;
    if (place == 0)
        return;
    write_places(text, maker, given->parent);
    if (maker->numbers[place] < maker->numbers[given->parent])
        oc_text_format(text, "%s%s", text->length > 0 ? ": " : "", given->name);
}

/* Names a leaf for where it is, where its own name does not tell: it is one of several, or a
 * number. */
static const char *name_of(const role_maker *maker, uint32_t leaf)
{
    const char *name = maker->last[leaf];
    const uint32_t place = place_of(maker->arrangement, leaf);
    oc_text text = {0};
    if (place == 0 || (!is_shared(maker, leaf) && oc_length_of_role(name, strlen(name)) > 0))
        return name;
    if (is_shared(maker, leaf))
        return maker->arrangement->nodes[place].given.name;
    write_places(&text, maker, place);
    if (maker->numbers[place] > 1 || text.length == 0)
        oc_text_format(&text, "%s%s", text.length > 0 ? ": " : "", name);
    return oc_arrangement_take(maker->arrangement, &text);
}

static ocelotl_status place_leaf(role_maker *maker, uint32_t leaf)
{
    oc_arrangement *arrangement = maker->arrangement;
    const uint32_t above = maker->above[leaf];
    const char *name = name_of(maker, leaf);
    oc_text_clear(&maker->path);
    oc_text_add(&maker->path, arrangement->nodes[above].path);
    oc_text_add(&maker->path, "/");
    oc_text_add_path_step(&maker->path, name);
    OC_TRY(oc_number_twin(&maker->path, &maker->inner, &maker->twins));
    oc_arranged_node *node = &arrangement->nodes[leaf];
    node->given.name = name;
    node->given.parent = above;
    node->given.own_leaf = false;
    node->rank = leaf;
    node->path = oc_arena_copy(&arrangement->arena, maker->path.bytes);
    return oc_map_set(&maker->inner, maker->path.bytes, maker->path.length, leaf);
}

/* Leaves move once all is made that is found by where they were. */
static ocelotl_status make(role_maker *maker)
{
    OC_TRY(oc_allocate(&maker->last, maker->old_count, sizeof *maker->last));
    OC_TRY(oc_allocate(&maker->above, maker->old_count, sizeof *maker->above));
    OC_TRY(oc_allocate(&maker->numbers, maker->old_count, sizeof *maker->numbers));
    oc_text_append(&maker->path, "", 0);
    OC_TRY(count_names(maker));
    for (uint32_t k = 0; k < maker->old_count; k++)
        if (maker->last[k] != NULL)
            OC_TRY(make_above(maker, k));
    for (uint32_t k = 0; k < maker->old_count; k++)
        if (maker->last[k] != NULL)
            OC_TRY(place_leaf(maker, k));
    return OCELOTL_OK;
}

ocelotl_status oc_arrange_by_role(oc_arrangement *arrangement)
{
    role_maker maker = {.arrangement = arrangement, .old_count = arrangement->count};
    const ocelotl_status status = make(&maker);
    free(maker.last);
    free(maker.above);
    free(maker.numbers);
    oc_map_free(&maker.names);
    oc_map_free(&maker.inner);
    oc_map_free(&maker.twins);
    oc_text_free(&maker.path);
    return status;
}
