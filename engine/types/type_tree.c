/* Trees of types: their text, and where a type is in them. */
#include "base/arena.h"
#include "base/file/input.h"
#include "base/map.h"
#include "base/options.h"
#include "base/text.h"
#include "types/lookup.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a file, which a person writes. */
enum { BYTES_MOST = 1 << 24, DEPTH_MOST = 16 };

/* The name of the group of all that a tree does not name. */
#define OTHER_GROUP "other"

typedef struct tree_group {
    const char *name;
    uint32_t parent;
    uint32_t depth;
    uint32_t place; /* of the types that have its name */
} tree_group;

/* A line that is a type, or a pattern for several. */
typedef struct tree_type {
    const char *name;
    uint32_t group;
    uint32_t place;
} tree_type;

struct ocelotl_type_tree {
    oc_arena arena; /* that it lives in, with all but the maps */
    const char *name;
    uint32_t levels;
    tree_group *groups;
    size_t group_count, group_capacity;
    tree_type *types;
    size_t type_count, type_capacity;
    uint32_t *patterns; /* those of the types that are no mere names */
    size_t pattern_count, pattern_capacity;
    oc_map group_numbers; /* by name */
    oc_map type_numbers;  /* by name */
    uint32_t other;       /* the group of what is not named */
    uint64_t hash;
    atomic_uint further_owners; /* beside the one that read it */
};

/* --- Trees for common runtimes, by the names that their tracers give: calls of MPI with and
 * without the prefixes of profilers, the states of Paraver, the regions of Score-P, the states of
 * Linux. A name that several trees have is in the one that is asked for */

/* The files in trees/. */
extern const char oc_mpi_tree[];
extern const char oc_openmp_tree[];
extern const char oc_cuda_tree[];
extern const char oc_kernel_tree[];

static const struct {
    ocelotl_built_in_tree tree;
    const char *text;
} trees[] = {
    {{"mpi", "calls of MPI: point-to-point, collective, one-sided, files"}, oc_mpi_tree},
    {{"openmp", "work, waiting and overhead of OpenMP"}, oc_openmp_tree},
    {{"cuda", "copies, kernels, calls and waiting of CUDA and HIP"}, oc_cuda_tree},
    {{"kernel", "states of processes and CPUs in a kernel"}, oc_kernel_tree},
};

enum { TREE_COUNT = sizeof trees / sizeof trees[0] };

size_t ocelotl_built_in_tree_count(void)
{
    return TREE_COUNT;
}

ocelotl_built_in_tree ocelotl_built_in_tree_at(size_t index)
{
    return index < TREE_COUNT ? trees[index].tree : (ocelotl_built_in_tree){"", ""};
}

/* --- Reading the text of a tree
 *
 * Whether a line is a group or a type is known only when the next one is read: lines become nodes
 * first, and those without any below them are types in the end. A node is named by its parent and
 * its name, so no text can make a cycle. */

typedef struct node {
    const char *name;
    uint32_t parent; /* OCELOTL_NONE: none */
    uint32_t depth;  /* from 1 */
    uint64_t line;   /* that named it first */
    uint64_t again;  /* that named it last as its own, not on the way; 0: none did */
    bool has_children;
    uint32_t group; /* its number once it is one */
} node;

/* A line that others may be below. */
typedef struct open_line {
    size_t indentation;
    uint32_t node;
} open_line;

typedef struct parsing {
    ocelotl_type_tree *tree;
    oc_arena scratch; /* of the nodes */
    const char *label;
    uint64_t line;
    node *nodes;
    size_t count, capacity;
    oc_map children;            /* parent and name -> node */
    oc_text key;                /* of such a child */
    open_line open[DEPTH_MOST]; /* the last line, and those above it */
    size_t open_count;
    char blank; /* what the first indented line is indented by; 0: none was */
} parsing;

/* Puts parent and decoded name into the key. */
static ocelotl_status decode(parsing *all, uint32_t parent, const char *step, size_t length)
{
    static const struct {
        const char *code;
        const char *letter;
    } codes[] = {{"%2F", "/"}, {"%2f", "/"}, {"%25", "%"}, {"%23", "#"}};
    oc_text *key = &all->key;
    oc_text_clear(key);
    oc_text_append(key, (const char *)&parent, sizeof parent);
    for (size_t i = 0; i < length; i++) {
        const char *letter = NULL;
        for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++)
            if (length - i >= 3 && memcmp(step + i, codes[c].code, 3) == 0)
                letter = codes[c].letter;
        oc_text_append(key, letter != NULL ? letter : step + i, 1);
        i += letter != NULL ? 2 : 0;
    }
    return key->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add_node(parsing *all, uint32_t *number, uint32_t parent)
{
    const uint32_t depth = parent == OCELOTL_NONE ? 1 : all->nodes[parent].depth + 1;
    if (depth > DEPTH_MOST)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s:%" PRIu64 ": is below %d others, expected at most %d", all->label,
                       all->line, DEPTH_MOST, DEPTH_MOST - 1);
    OC_TRY(oc_arena_grow(&all->nodes, &all->capacity, &all->scratch, all->count + 1,
                         sizeof *all->nodes));
    *number = (uint32_t)all->count++;
    all->nodes[*number] =
        (node){.name = oc_arena_copy_utf8(&all->tree->arena, all->key.bytes + sizeof parent),
               .parent = parent,
               .depth = depth,
               .line = all->line,
               .group = OCELOTL_NONE};
    OC_TRY(oc_arena_status(&all->tree->arena));
    return oc_map_set(&all->children, all->key.bytes, all->key.length, *number);
}

static ocelotl_status find_child(parsing *all, uint32_t *child, uint32_t parent, const char *step,
                                 size_t length)
{
    if (length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": has a step without a name, expected one before and after "
                       "every /",
                       all->label, all->line);
    OC_TRY(decode(all, parent, step, length));
    *child = oc_map_get(&all->children, all->key.bytes, all->key.length);
    if (*child == OC_MAP_NONE)
        OC_TRY(add_node(all, child, parent));
    if (parent != OCELOTL_NONE)
        all->nodes[parent].has_children = true;
    return OCELOTL_OK;
}

static ocelotl_status add_path(parsing *all, uint32_t *last, const char *path, size_t length)
{
    const char *end = path + length;
    for (const char *step = path;; step++) {
        const char *slash = memchr(step, '/', (size_t)(end - step));
        const char *stop = slash != NULL ? slash : end;
        OC_TRY(find_child(all, last, *last, step, (size_t)(stop - step)));
        if (slash == NULL)
            break;
        step = slash;
    }
    all->nodes[*last].again = all->line;
    return OCELOTL_OK;
}

/* Closes the lines that this one is not below; it is as deep as one of them, or below the last. */
static ocelotl_status find_parent(parsing *all, uint32_t *parent, size_t indentation)
{
    size_t beside = all->count == 0 ? 0 : indentation;
    while (all->open_count > 0 && all->open[all->open_count - 1].indentation >= indentation)
        beside = all->open[--all->open_count].indentation;
    const size_t above = all->open_count > 0 ? all->open[all->open_count - 1].indentation : 0;
    if (beside != indentation && all->count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": is indented by %zu, expected the first line not to be",
                       all->label, all->line, indentation);
    if (beside != indentation)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": is indented by %zu, expected %zu or %zu as lines above",
                       all->label, all->line, indentation, above, beside);
    *parent = all->open_count > 0 ? all->open[all->open_count - 1].node : OCELOTL_NONE;
    return OCELOTL_OK;
}

static ocelotl_status read_line(parsing *all, const char *line, size_t length)
{
    size_t indentation = 0;
    uint32_t last = OCELOTL_NONE;
    while (length > 0 && (oc_is_blank(line[length - 1]) || line[length - 1] == '\r'))
        length--;
    while (indentation < length && oc_is_blank(line[indentation]))
        indentation++;
    if (indentation == length || line[indentation] == '#')
        return OCELOTL_OK;
    if (memchr(line, '\0', length) != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": has a byte 0, expected a text",
                       all->label, all->line);
    /* One kind of blanks alone says how deep a line is. */
    for (size_t i = 0; i < indentation; i++) {
        if (all->blank == '\0')
            all->blank = line[i];
        if (line[i] != all->blank)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%" PRIu64 ": is indented by a %s, expected %s as in the lines above",
                           all->label, all->line, line[i] == ' ' ? "blank" : "tab",
                           line[i] == ' ' ? "tabs" : "blanks");
    }
    OC_TRY(find_parent(all, &last, indentation));
    OC_TRY(add_path(all, &last, line + indentation, length - indentation));
    all->open[all->open_count++] = (open_line){indentation, last};
    return OCELOTL_OK;
}

static ocelotl_status read_lines(parsing *all, const char *text, size_t length)
{
    const char *end = text + length;
    text += oc_text_mark(text, length);
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline != NULL ? newline : end;
        all->line++;
        OC_TRY(read_line(all, line, (size_t)(stop - line)));
        line = newline != NULL ? newline + 1 : end;
    }
    return OCELOTL_OK;
}

/* --- What lines are */

static ocelotl_status add_group(ocelotl_type_tree *tree, const char *name, uint32_t parent,
                                uint32_t depth)
{
    OC_TRY(oc_arena_grow(&tree->groups, &tree->group_capacity, &tree->arena, tree->group_count + 1,
                         sizeof *tree->groups));
    tree->groups[tree->group_count] = (tree_group){.name = name, .parent = parent, .depth = depth};
    return oc_map_set(&tree->group_numbers, name, strlen(name), (uint32_t)tree->group_count++);
}

/* The node that became the group of a number. */
static const node *node_of_group(const parsing *all, uint32_t group)
{
    const node *found = all->nodes;
    while (found->group != group)
        found++;
    return found;
}

static ocelotl_status take_group(parsing *all, node *is)
{
    const uint32_t parent =
        is->parent != OCELOTL_NONE ? all->nodes[is->parent].group : OCELOTL_NONE;
    const uint32_t known = ocelotl_type_tree_find_group(all->tree, is->name);
    if (known != OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": the group \"%.200s\" is elsewhere since line %" PRIu64
                       ", expected each group in one place",
                       all->label, is->line, is->name, node_of_group(all, known)->line);
    is->group = (uint32_t)all->tree->group_count;
    return add_group(all->tree, is->name, parent, is->depth);
}

static ocelotl_status take_type(parsing *all, const node *is)
{
    ocelotl_type_tree *tree = all->tree;
    const uint32_t known = oc_map_get(&tree->type_numbers, is->name, strlen(is->name));
    if (is->parent == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64
                       ": the type \"%.200s\" is in no group, expected GROUP/TYPE or a "
                       "line below that of a group",
                       all->label, is->line, is->name);
    if (known != OC_MAP_NONE || is->again != is->line)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": the type \"%.200s\" is in \"%.200s\", and since line "
                       "%" PRIu64 " in \"%.200s\", expected each type once",
                       all->label, is->again, is->name, all->nodes[is->parent].name,
                       known != OC_MAP_NONE ? (uint64_t)tree->types[known].place : is->line,
                       known != OC_MAP_NONE ? tree->groups[tree->types[known].group].name
                                            : all->nodes[is->parent].name);
    OC_TRY(oc_arena_grow(&tree->types, &tree->type_capacity, &tree->arena, tree->type_count + 1,
                         sizeof *tree->types));
    tree->types[tree->type_count] =
        (tree_type){is->name, all->nodes[is->parent].group, (uint32_t)is->line};
    OC_TRY(
        oc_map_set(&tree->type_numbers, is->name, strlen(is->name), (uint32_t)tree->type_count++));
    if (is->depth > tree->levels)
        tree->levels = is->depth;
    if (strpbrk(is->name, "*?[") == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&tree->patterns, &tree->pattern_capacity, &tree->arena,
                         tree->pattern_count + 1, sizeof *tree->patterns));
    tree->patterns[tree->pattern_count++] = (uint32_t)tree->type_count - 1;
    return OCELOTL_OK;
}

/* Places count from 0: types and groups in the order of walking through the tree. */
typedef struct walk {
    const parsing *all;
    uint32_t *first_child, *next; /* by node, OCELOTL_NONE: none */
    uint32_t *type;               /* by node: its number, OCELOTL_NONE: it is a group */
    uint32_t place;
} walk;

static void number_below(walk *at, uint32_t first)
{
    ocelotl_type_tree *tree = at->all->tree;
    for (uint32_t i = first; i != OCELOTL_NONE; i = at->next[i]) {
        if (at->type[i] != OCELOTL_NONE) {
            tree->types[at->type[i]].place = at->place++;
            continue;
        }
        tree->groups[at->all->nodes[i].group].place = at->place++;
        number_below(at, at->first_child[i]);
    }
}

static ocelotl_status number(parsing *all)
{
    walk at = {.all = all};
    uint32_t types = 0;
    uint32_t top = OCELOTL_NONE;
    OC_TRY(oc_arena_allocate(&at.first_child, &all->scratch, all->count, sizeof *at.first_child));
    OC_TRY(oc_arena_allocate(&at.next, &all->scratch, all->count, sizeof *at.next));
    OC_TRY(oc_arena_allocate(&at.type, &all->scratch, all->count, sizeof *at.type));
    for (size_t i = 0; i < all->count; i++) {
        at.first_child[i] = OCELOTL_NONE;
        at.type[i] = all->nodes[i].has_children ? OCELOTL_NONE : types++;
    }
    /* Children follow each other as their first lines do. */
    for (size_t i = all->count; i-- > 0;) {
        const uint32_t parent = all->nodes[i].parent;
        uint32_t *first = parent != OCELOTL_NONE ? &at.first_child[parent] : &top;
        at.next[i] = *first;
        *first = (uint32_t)i;
    }
    number_below(&at, top);
    return OCELOTL_OK;
}

/* Equal for trees that say the same: names do not hold the byte 0. */
static ocelotl_status find_hash(ocelotl_type_tree *tree)
{
    oc_text text = {0};
    for (size_t i = 0; i < tree->group_count; i++)
        oc_text_format(&text, "%s\n%" PRIu32 "\n", tree->groups[i].name, tree->groups[i].parent);
    for (size_t i = 0; i < tree->type_count; i++)
        oc_text_format(&text, "%s\n%" PRIu32 "\n", tree->types[i].name, tree->types[i].group);
    tree->hash = text.failed ? 0 : oc_hash(text.bytes, text.length);
    const ocelotl_status status = text.failed ? oc_fail_memory() : OCELOTL_OK;
    oc_text_free(&text);
    return status;
}

static ocelotl_status take_nodes(parsing *all)
{
    ocelotl_type_tree *tree = all->tree;
    for (size_t i = 0; i < all->count; i++)
        OC_TRY(all->nodes[i].has_children ? take_group(all, &all->nodes[i])
                                          : take_type(all, &all->nodes[i]));
    if (tree->type_count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:1: names no type, expected groups with types",
                       all->label);
    OC_TRY(number(all));
    /* Whatever is not named is in a group, too, and each by itself one level below it. */
    tree->other = ocelotl_type_tree_find_group(tree, OTHER_GROUP);
    if (tree->other == OCELOTL_NONE) {
        tree->other = (uint32_t)tree->group_count;
        OC_TRY(add_group(tree, OTHER_GROUP, OCELOTL_NONE, 1));
    }
    if (tree->groups[tree->other].depth + 1 > tree->levels)
        tree->levels = tree->groups[tree->other].depth + 1;
    return find_hash(tree);
}

/* Fills an empty tree from its text. `label` names it in messages. */
static ocelotl_status parse(ocelotl_type_tree *tree, const char *label, const char *text,
                            size_t length)
{
    parsing all = {.tree = tree, .label = label};
    ocelotl_status status = read_lines(&all, text, length);
    if (status == OCELOTL_OK)
        status = take_nodes(&all);
    oc_arena_free(&all.scratch);
    oc_map_free(&all.children);
    oc_text_free(&all.key);
    return status;
}

/* --- Opening */

static ocelotl_status read_file(ocelotl_type_tree *tree, const char *path)
{
    oc_input *input = NULL;
    oc_text bytes = {0};
    OC_TRY(oc_input_open(&input, path));
    ocelotl_status status = oc_input_read_all(&bytes, input, BYTES_MOST, "a tree of types");
    if (status == OCELOTL_OK)
        status =
            parse(tree, oc_input_name(input), bytes.length > 0 ? bytes.bytes : "", bytes.length);
    oc_text_free(&bytes);
    oc_input_free(input);
    return status;
}

static ocelotl_status fail_missing(const char *name)
{
    oc_text known = {0};
    for (size_t i = 0; i < TREE_COUNT; i++)
        oc_text_format(&known, "%s%s", i + 1 == TREE_COUNT ? " or " : ", ", trees[i].tree.name);
    const ocelotl_status status =
        known.failed
            ? oc_fail_memory()
            : oc_fail(OCELOTL_ERROR_IO, "%s: there is no such file, expected a tree of types%s",
                      name, known.bytes);
    oc_text_free(&known);
    return status;
}

/* A file in the working directory may have the name of a built-in tree: ./mpi is the file. */
static ocelotl_status read_tree(ocelotl_type_tree *tree, const char *name)
{
    tree->name = oc_arena_copy_utf8(&tree->arena, strcmp(name, "-") == 0 ? "standard input" : name);
    OC_TRY(oc_arena_status(&tree->arena));
    for (size_t i = 0; i < TREE_COUNT; i++)
        if (strcmp(trees[i].tree.name, name) == 0)
            return parse(tree, name, trees[i].text, strlen(trees[i].text));
    return strcmp(name, "-") != 0 && access(name, F_OK) != 0 ? fail_missing(name)
                                                             : read_file(tree, name);
}

ocelotl_status ocelotl_type_tree_read(ocelotl_type_tree **tree, const char *name)
{
    ocelotl_type_tree *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    const ocelotl_status status = read_tree(made, name);
    if (status == OCELOTL_OK)
        *tree = made;
    else
        ocelotl_type_tree_free(made);
    return status;
}

ocelotl_type_tree *ocelotl_type_tree_share(ocelotl_type_tree *tree)
{
    atomic_fetch_add(&tree->further_owners, 1);
    return tree;
}

void ocelotl_type_tree_free(ocelotl_type_tree *tree)
{
    if (tree == NULL || atomic_fetch_sub(&tree->further_owners, 1) > 0)
        return;
    oc_map_free(&tree->group_numbers);
    oc_map_free(&tree->type_numbers);
    oc_arena_free(&tree->arena);
}

ocelotl_type_tree_info ocelotl_type_tree_info_of(const ocelotl_type_tree *tree)
{
    return (ocelotl_type_tree_info){.name = tree->name,
                                    .levels = tree->levels,
                                    .group_count = (uint32_t)tree->group_count,
                                    .other = tree->other,
                                    .hash = tree->hash};
}

ocelotl_type_group ocelotl_type_tree_group_at(const ocelotl_type_tree *tree, uint32_t index)
{
    if (index >= tree->group_count)
        return (ocelotl_type_group){"", OCELOTL_NONE, 0};
    const tree_group *group = &tree->groups[index];
    return (ocelotl_type_group){group->name, group->parent, group->depth};
}

uint32_t ocelotl_type_tree_find_group(const ocelotl_type_tree *tree, const char *name)
{
    const uint32_t found = oc_map_get(&tree->group_numbers, name, strlen(name));
    return found != OC_MAP_NONE ? found : OCELOTL_NONE;
}

/* --- Where a type is */

typedef struct where {
    uint32_t group, place;
    bool known;
} where;

static where find_whole(const ocelotl_type_tree *tree, const char *type)
{
    uint32_t line = oc_map_get(&tree->type_numbers, type, strlen(type));
    for (size_t i = 0; i < tree->pattern_count && line == OC_MAP_NONE; i++)
        if (oc_pattern_matches(tree->types[tree->patterns[i]].name, type))
            line = tree->patterns[i];
    if (line != OC_MAP_NONE)
        return (where){tree->types[line].group, tree->types[line].place, true};
    const uint32_t group = ocelotl_type_tree_find_group(tree, type);
    if (group != OCELOTL_NONE)
        return (where){group, tree->groups[group].place, true};
    return (where){tree->other, UINT32_MAX, false};
}

/* The value of "TYPE:VALUE"; a colon of "std::sort" divides nothing. NULL: it is no such name. */
static const char *value_of(const char *type)
{
    for (const char *at = strchr(type, ':'); at != NULL; at = strchr(at, ':')) {
        const size_t colons = strspn(at, ":");
        if (colons == 1 && at != type && at[1] != '\0')
            return at + 1;
        at += colons;
    }
    return NULL;
}

static where find(const ocelotl_type_tree *tree, const char *type)
{
    enum { COLONS_MOST = 3 };
    where found = find_whole(tree, type);
    for (int i = 0; i < COLONS_MOST && !found.known && (type = value_of(type)) != NULL; i++)
        found = find_whole(tree, type);
    return found;
}

uint32_t ocelotl_type_tree_find(bool *known, const ocelotl_type_tree *tree, const char *type)
{
    const where found = find(tree, type);
    if (known != NULL)
        *known = found.known;
    return found.group;
}

uint32_t ocelotl_type_tree_place(const ocelotl_type_tree *tree, const char *type)
{
    return find(tree, type).place;
}

const char *ocelotl_type_tree_name_at(const ocelotl_type_tree *tree, const char *type,
                                      uint32_t level)
{
    const tree_group *group = &tree->groups[find(tree, type).group];
    if (level > group->depth)
        return type;
    while (group->depth > level)
        group = &tree->groups[group->parent];
    return group->name;
}
