/* Which level of a tree of types shows most by fewest types. */
#ifndef OC_MODEL_BUILD_TYPE_LEVEL_H
#define OC_MODEL_BUILD_TYPE_LEVEL_H

#include <ocelotl/model.h>

/* Chooses the level of a tree for a model whose types are each by themselves; docs/selecting.md has
 * the formula. Errors: MEMORY. O(levels x cells log series). */
ocelotl_status oc_type_level_choose(uint32_t *level, const ocelotl_model *model,
                                    const ocelotl_type_tree *tree);

#endif
