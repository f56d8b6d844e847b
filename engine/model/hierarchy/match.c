/* Calls the resources of one trace as those of another, so that both compare: what is called alike
 * below the same resource, else what has the same role there, else the same shape. */
#include "model/hierarchy/arrange.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* The steps, in their order. */
typedef enum way { BY_NAME, BY_ROLE, BY_SHAPE, WAYS } way;

typedef struct matcher {
    const ocelotl_model *models[2]; /* the one that is followed, and the one that follows it */
    oc_text *names[2];              /* by node: as --map calls it */
    bool *mapped[2];                /* by node: that changed it */
    uint64_t *shapes[2];            /* by node: of all below it */
    uint32_t *other[2];             /* by node: the same of the other model, or OCELOTL_NONE */
    oc_map taken;                   /* roles of siblings of which some are called alike */
    oc_map found, counts[2];        /* of siblings: by key and how many-th, and how many */
    oc_text key;
    oc_matched matched;
} matcher;

/* --- What nodes are called */

static ocelotl_status compile(regex_t *made, const char *pair, size_t length)
{
    char reason[200];
    oc_text expression = {0};
    oc_text_append(&expression, pair, length);
    const int error =
        expression.failed ? REG_ESPACE : regcomp(made, expression.bytes, REG_EXTENDED);
    oc_text_free(&expression);
    if (error == 0)
        return OCELOTL_OK;
    if (error == REG_ESPACE)
        return oc_fail_memory();
    regerror(error, made, reason, sizeof reason);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--map \"%s\": %s, expected REGEX=NAME", pair, reason);
}

/* Writes a name in which \1 to \9 stand for what these groups of a match are. */
static void add_name(oc_text *made, const char *name, const char *of, const regmatch_t *groups)
{
    for (; *name != '\0'; name++) {
        const int group = name[0] == '\\' && name[1] >= '1' && name[1] <= '9' ? name[1] - '0' : 0;
        const size_t length = (size_t)(groups[group].rm_eo - groups[group].rm_so);
        if (group == 0)
            oc_text_append(made, name, 1);
        else if (groups[group].rm_so >= 0)
            oc_text_append(made, of + groups[group].rm_so, length);
        name += group > 0;
    }
}

/* Puts the name of a pair where its expression first matches what a node is called. */
static ocelotl_status replace(matcher *with, int m, const regex_t *expression, const char *name)
{
    for (uint32_t k = 1; k < with->models[m]->matrix.tree.node_count; k++) {
        oc_text *is = &with->names[m][k];
        regmatch_t match[10];
        oc_text made = {0};
        if (is->length == 0 || regexec(expression, is->bytes, 10, match, 0) != 0 ||
            match[0].rm_so == match[0].rm_eo)
            continue;
        oc_text_append(&made, is->bytes, (size_t)match[0].rm_so);
        add_name(&made, name, is->bytes, match);
        oc_text_add(&made, is->bytes + match[0].rm_eo);
        oc_text_free(is);
        *is = made;
        with->mapped[m][k] = true;
        if (made.failed)
            return oc_fail_memory();
    }
    return OCELOTL_OK;
}

static ocelotl_status check_groups(const char *pair, const char *name, size_t groups)
{
    for (; *name != '\0'; name++)
        if (name[0] == '\\' && name[1] > '0' && name[1] <= '9' && (size_t)(name[1] - '0') > groups)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--map \"%s\": there is no group \\%c, the expression has %zu", pair,
                           name[1], groups);
    return OCELOTL_OK;
}

static ocelotl_status map_names(matcher *with, const ocelotl_names *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        regex_t expression;
        const char *name = strrchr(pairs->names[i], '=') + 1;
        OC_TRY(compile(&expression, pairs->names[i], (size_t)(name - pairs->names[i]) - 1));
        ocelotl_status status = check_groups(pairs->names[i], name, expression.re_nsub);
        if (status == OCELOTL_OK)
            status = replace(with, 0, &expression, name);
        if (status == OCELOTL_OK)
            status = replace(with, 1, &expression, name);
        regfree(&expression);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
}

/* The kinds of all nodes below one, in their order; children follow their parents. */
static void find_shapes(matcher *with, int m)
{
    const oc_tree *tree = &with->models[m]->matrix.tree;
    for (uint32_t k = tree->node_count; k-- > 0;) {
        for (const char *c = with->models[m]->nodes[k].kind; *c != '\0'; c++)
            with->shapes[m][k] = mix(with->shapes[m][k], (unsigned char)*c);
        if (k > 0)
            with->shapes[m][tree->parent[k]] =
                mix(with->shapes[m][tree->parent[k]], with->shapes[m][k]);
    }
}

static ocelotl_status make_names(matcher *with, int m)
{
    const ocelotl_model *model = with->models[m];
    const uint32_t count = model->matrix.tree.node_count;
    OC_TRY(oc_allocate(&with->names[m], count, sizeof *with->names[m]));
    OC_TRY(oc_allocate(&with->mapped[m], count, sizeof *with->mapped[m]));
    OC_TRY(oc_allocate(&with->shapes[m], count, sizeof *with->shapes[m]));
    OC_TRY(oc_allocate(&with->other[m], count, sizeof *with->other[m]));
    for (uint32_t k = 0; k < count; k++) {
        with->other[m][k] = OCELOTL_NONE;
        oc_text_add(&with->names[m][k], model->nodes[k].name);
        if (with->names[m][k].failed)
            return oc_fail_memory();
    }
    find_shapes(with, m);
    return OCELOTL_OK;
}

/* --- Pairs of siblings */

/* A number in brackets is one at the end, too. */
static size_t length_of_role(const oc_text *name)
{
    size_t length = name->length;
    while (length > 0 && strchr(")]", name->bytes[length - 1]) != NULL)
        length--;
    return oc_length_of_role(name->bytes, length);
}

/* Writes the key of a node for a way: its kind, and what is to be the same. */
static void write_key(matcher *with, int m, uint32_t k, way by)
{
    const oc_text *name = &with->names[m][k];
    oc_text_clear(&with->key);
    oc_text_format(&with->key, "%s\n", by != BY_NAME ? with->models[m]->nodes[k].kind : "");
    if (by == BY_SHAPE)
        oc_text_format(&with->key, "%llx", (unsigned long long)with->shapes[m][k]);
    else if (name->length > 0)
        oc_text_append(&with->key, name->bytes,
                       by == BY_ROLE ? length_of_role(name) : name->length);
}

static ocelotl_status set(oc_map *map, const oc_text *key, uint32_t value)
{
    return key->failed ? oc_fail_memory() : oc_map_set(map, key->bytes, key->length, value);
}

/* Whether a node is still to be paired: none that lacks a partner among others called alike. */
static bool is_open(matcher *with, int m, uint32_t k, way by)
{
    if (with->other[m][k] != OCELOTL_NONE)
        return false;
    write_key(with, m, k, BY_ROLE);
    return by == BY_NAME ||
           oc_map_get(&with->taken, with->key.bytes, with->key.length) == OC_MAP_NONE;
}

/* Numbers what has the same key, in its order. */
static ocelotl_status number_key(matcher *with, int m)
{
    const uint32_t before = oc_map_get(&with->counts[m], with->key.bytes, with->key.length);
    const uint32_t number = before == OC_MAP_NONE ? 0 : before + 1;
    OC_TRY(set(&with->counts[m], &with->key, number));
    oc_text_format(&with->key, "\n%u", number);
    return OCELOTL_OK;
}

static ocelotl_status take(matcher *with, uint32_t first, uint32_t second, way by)
{
    with->other[0][first] = second;
    with->other[1][second] = first;
    with->matched.by_map += by == BY_NAME && (with->mapped[0][first] || with->mapped[1][second]);
    with->matched.by_role += by == BY_ROLE;
    with->matched.by_shape += by == BY_SHAPE;
    write_key(with, 0, first, BY_ROLE);
    return by == BY_NAME ? set(&with->taken, &with->key, 1) : OCELOTL_OK;
}

static ocelotl_status pair_children(matcher *with, const uint32_t nodes[2], way by)
{
    for (int m = 0; m < 2; m++) {
        const oc_tree *tree = &with->models[m]->matrix.tree;
        const uint32_t end = nodes[m] + tree->subtree[nodes[m]];
        for (uint32_t k = nodes[m] + 1; k < end; k += tree->subtree[k]) {
            if (!is_open(with, m, k, by))
                continue;
            write_key(with, m, k, by);
            OC_TRY(number_key(with, m));
            const uint32_t found = oc_map_get(&with->found, with->key.bytes, with->key.length);
            if (m == 0)
                OC_TRY(set(&with->found, &with->key, k));
            else if (found != OC_MAP_NONE)
                OC_TRY(take(with, found, k, by));
        }
    }
    oc_map_free(&with->found);
    oc_map_free(&with->counts[0]);
    oc_map_free(&with->counts[1]);
    return OCELOTL_OK;
}

/* --- New paths */

/* What has no partner stays below its parent, whatever that is called now. */
static ocelotl_status call(matcher *with, ocelotl_model *model)
{
    const ocelotl_model *like = with->models[0];
    const oc_tree *tree = &model->matrix.tree;
    const char **paths = NULL;
    OC_TRY(oc_allocate(&paths, tree->node_count, sizeof *paths));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        oc_model_node *node = &model->nodes[k];
        const uint32_t other = with->other[1][k];
        const uint32_t above = k > 0 ? tree->parent[k] : 0;
        paths[k] = node->path;
        if (other != OCELOTL_NONE && k > 0) {
            node->name = oc_arena_copy(&model->tree_arena, like->nodes[other].name);
            node->path = oc_arena_copy(&model->tree_arena, like->nodes[other].path);
        } else if (k > 0 && strcmp(paths[above], model->nodes[above].path) != 0) {
            oc_text_clear(&with->key);
            oc_text_format(&with->key, "%s%s", model->nodes[above].path,
                           node->path + strlen(paths[above]));
            if (!with->key.failed)
                node->path = oc_arena_copy(&model->tree_arena, with->key.bytes);
        }
    }
    free(paths);
    return with->key.failed ? oc_fail_memory() : oc_arena_status(&model->tree_arena);
}

static ocelotl_status match(matcher *with, ocelotl_model *model, const ocelotl_names *pairs)
{
    OC_TRY(make_names(with, 0));
    OC_TRY(make_names(with, 1));
    OC_TRY(map_names(with, pairs));
    with->other[0][0] = with->other[1][0] = 0;
    for (uint32_t k = 0; k < with->models[1]->matrix.tree.node_count; k++) {
        const uint32_t nodes[] = {with->other[1][k], k};
        for (way by = BY_NAME; by < WAYS && nodes[0] != OCELOTL_NONE; by++)
            OC_TRY(pair_children(with, nodes, by));
        oc_map_free(&with->taken);
    }
    model->matched = with->matched;
    if (with->matched.by_map + with->matched.by_role + with->matched.by_shape == 0)
        return OCELOTL_OK;
    return call(with, model);
}

ocelotl_status oc_match_names(ocelotl_model *model, const ocelotl_model *like,
                              const ocelotl_names *pairs)
{
    matcher with = {.models = {like->origin != NULL ? like->origin : like, model}};
    const ocelotl_status status = match(&with, model, pairs);
    for (int m = 0; m < 2; m++) {
        for (uint32_t k = 0; with.names[m] != NULL && k < with.models[m]->matrix.tree.node_count;
             k++)
            oc_text_free(&with.names[m][k]);
        free(with.names[m]);
        free(with.mapped[m]);
        free(with.shapes[m]);
        free(with.other[m]);
        oc_map_free(&with.counts[m]);
    }
    oc_map_free(&with.taken);
    oc_map_free(&with.found);
    oc_text_free(&with.key);
    return status;
}
