/* Trees of types: where a type is in them. */
#include "types/type_tree.h"

#include "base/file/input.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a file, which a person writes. */
enum { BYTES_MOST = 1 << 24 };

static ocelotl_status read_file(ocelotl_type_tree *tree, const char *path)
{
    oc_input *input = NULL;
    oc_text bytes = {0};
    OC_TRY(oc_input_open(&input, path));
    ocelotl_status status = oc_input_read_all(&bytes, input, BYTES_MOST, "a tree of types");
    if (status == OCELOTL_OK)
        status = oc_type_tree_parse(tree, oc_input_name(input), bytes.length > 0 ? bytes.bytes : "",
                                    bytes.length);
    oc_text_free(&bytes);
    oc_input_free(input);
    return status;
}

static ocelotl_status fail_missing(const char *name)
{
    oc_text known = {0};
    const size_t count = ocelotl_built_in_tree_count();
    for (size_t i = 0; i < count; i++)
        oc_text_format(&known, "%s%s", i + 1 == count ? " or " : ", ",
                       ocelotl_built_in_tree_at(i).name);
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
    const char *text = oc_built_in_tree(name);
    OC_TRY(oc_copy_utf8(&tree->name, strcmp(name, "-") == 0 ? "standard input" : name));
    if (text != NULL)
        return oc_type_tree_parse(tree, name, text, strlen(text));
    return strcmp(name, "-") != 0 && access(name, F_OK) != 0 ? fail_missing(name)
                                                             : read_file(tree, name);
}

ocelotl_status ocelotl_type_tree_read(ocelotl_type_tree **tree, const char *name)
{
    ocelotl_type_tree *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
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
    for (size_t i = 0; i < tree->group_count; i++)
        free(tree->groups[i].name);
    for (size_t i = 0; i < tree->type_count; i++)
        free(tree->types[i].name);
    free(tree->groups);
    free(tree->types);
    free(tree->patterns);
    oc_map_free(&tree->group_numbers);
    oc_map_free(&tree->type_numbers);
    free(tree->name);
    free(tree);
}

void ocelotl_type_tree_get_info(ocelotl_type_tree_info *info, const ocelotl_type_tree *tree)
{
    const ocelotl_type_tree_info known = {.size = sizeof known,
                                          .name = tree->name,
                                          .levels = tree->levels,
                                          .group_count = (uint32_t)tree->group_count,
                                          .other = tree->other,
                                          .hash = tree->hash};
    oc_give_info(info, &known, sizeof known);
}

ocelotl_type_group ocelotl_type_tree_group_at(const ocelotl_type_tree *tree, uint32_t index)
{
    if (index >= tree->group_count)
        return (ocelotl_type_group){"", OCELOTL_NONE, 0};
    const oc_tree_group *group = &tree->groups[index];
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

static const oc_tree_type *find_line(const ocelotl_type_tree *tree, const char *type)
{
    const uint32_t exact = oc_map_get(&tree->type_numbers, type, strlen(type));
    if (exact != OC_MAP_NONE)
        return &tree->types[exact];
    for (size_t i = 0; i < tree->pattern_count; i++)
        if (oc_pattern_matches(tree->types[tree->patterns[i]].name, type))
            return &tree->types[tree->patterns[i]];
    return NULL;
}

static where find_whole(const ocelotl_type_tree *tree, const char *type)
{
    const oc_tree_type *line = find_line(tree, type);
    if (line != NULL)
        return (where){line->group, line->place, true};
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
    const oc_tree_group *group = &tree->groups[find(tree, type).group];
    if (level > group->depth)
        return type;
    while (group->depth > level)
        group = &tree->groups[group->parent];
    return group->name;
}
