/* Trees of types of any bytes. The first line is a type that is looked for, the rest the file. */
#include "fuzz.h"
#include "types/lookup.h"

#include <ocelotl/type_tree.h>

enum { NAME = 256 };

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

/* Groups come behind those that they are in, each name once. */
static void check_groups(const ocelotl_type_tree *tree)
{
    const ocelotl_type_tree_info info = ocelotl_type_tree_info_of(tree);
    FUZZ_CHECK(info.other < info.group_count && info.levels >= 2);
    for (uint32_t g = 0; g < info.group_count; g++) {
        const ocelotl_type_group group = ocelotl_type_tree_group_at(tree, g);
        const bool outermost = group.parent == OCELOTL_NONE;
        FUZZ_CHECK(group.name[0] != '\0' && group.depth < info.levels);
        FUZZ_CHECK(outermost || group.parent < g);
        FUZZ_CHECK(group.depth ==
                   (outermost ? 1 : ocelotl_type_tree_group_at(tree, group.parent).depth + 1));
        FUZZ_CHECK(ocelotl_type_tree_find_group(tree, group.name) == g);
        FUZZ_CHECK(ocelotl_type_tree_find(NULL, tree, group.name) < info.group_count);
    }
}

/* A type is in a group of each level down to its own, and itself below it. */
static void check_type(const ocelotl_type_tree *tree, const char *type)
{
    bool known = false;
    const ocelotl_type_tree_info info = ocelotl_type_tree_info_of(tree);
    uint32_t group = ocelotl_type_tree_find(&known, tree, type);
    FUZZ_CHECK(known || group == info.other);
    for (uint32_t level = info.levels; level > 0; level--) {
        const char *name = ocelotl_type_tree_name_at(tree, type, level);
        const ocelotl_type_group is = ocelotl_type_tree_group_at(tree, group);
        FUZZ_CHECK(strcmp(name, level > is.depth ? type : is.name) == 0);
        if (level == is.depth)
            group = is.parent;
    }
    FUZZ_CHECK(group == OCELOTL_NONE);
    (void)ocelotl_type_tree_place(tree, type);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char type[NAME] = "";
    size_t used = 0;
    ocelotl_type_tree *tree = NULL;
    const char *path = temporary_path("tree.txt");
    for (; length > 0 && *bytes != '\n'; bytes++, length--)
        if (used < NAME - 1 && *bytes != '\0')
            type[used++] = (char)*bytes;
    if (length == 0)
        return 0;
    temporary_write(path, bytes + 1, length - 1);
    const ocelotl_status status = ocelotl_type_tree_read(&tree, path);
    if (status != OCELOTL_OK) {
        fuzz_check_failure(status);
        FUZZ_CHECK(tree == NULL);
        return 0;
    }
    check_groups(tree);
    check_type(tree, type);
    ocelotl_type_tree_free(tree);
    return 0;
}
