/* Cells of models by name, for tests. */
#ifndef OC_TESTS_MODEL_CELLS_H
#define OC_TESTS_MODEL_CELLS_H

#include "base/matrix.h"
#include "check.h"

#include <ocelotl/ocelotl.h>

/* The leaf of a path, OCELOTL_NONE if none has it. */
static inline uint32_t cells_leaf(const ocelotl_model *model, const char *path)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t k = 0; k < info.node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(model, k);
        if (strcmp(node.path, path) == 0 && oc_tree_is_leaf(&oc_model_matrix(model)->tree, k))
            return node.leaf_first;
    }
    return OCELOTL_NONE;
}

static inline const char *cells_path(const ocelotl_model *model, uint32_t leaf)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t k = 0; k < info.node_count; k++)
        if (oc_tree_is_leaf(&oc_model_matrix(model)->tree, k) &&
            ocelotl_model_node_at(model, k).leaf_first == leaf)
            return ocelotl_model_node_at(model, k).path;
    return "";
}

static inline uint32_t cells_type(const ocelotl_model *model, const char *name)
{
    const uint32_t count = ocelotl_model_info_of(model).type_count;
    uint32_t type = 0;
    while (type < count && strcmp(ocelotl_model_type_at(model, type).name, name) != 0)
        type++;
    return type < count ? type : OCELOTL_NONE;
}

/* A value, 0 if the cell is absent. */
static inline double cells_get(const ocelotl_model *model, uint32_t leaf, uint32_t type,
                               uint32_t slice)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    for (size_t s = 0; s < matrix->series_count; s++) {
        const oc_series *series = &matrix->series[s];
        if (series->leaf != leaf || series->type != type)
            continue;
        for (size_t c = series->first; c < series[1].first; c++)
            if (matrix->cell_slice[c] == slice)
                return matrix->cell_value[c];
    }
    return 0;
}

/* The same of a type by its name. */
static inline double cells_of(const ocelotl_model *model, uint32_t leaf, const char *type,
                              uint32_t slice)
{
    return cells_get(model, leaf, cells_type(model, type), slice);
}

/* Checks that two models are the same to the last byte that they are written as. */
static inline void cells_check_same(const ocelotl_model *one, const ocelotl_model *other)
{
    ocelotl_buffer bytes[2] = {0};
    const ocelotl_sink sinks[] = {ocelotl_buffer_sink(&bytes[0]), ocelotl_buffer_sink(&bytes[1])};
    CHECK_OK(ocelotl_model_to_bytes(&sinks[0], one));
    CHECK_OK(ocelotl_model_to_bytes(&sinks[1], other));
    CHECK(bytes[0].size == bytes[1].size);
    CHECK(memcmp(bytes[0].bytes, bytes[1].bytes, bytes[0].size) == 0);
    ocelotl_buffer_free(&bytes[0]);
    ocelotl_buffer_free(&bytes[1]);
}

/* Checks that `part` equals `whole` from slice `first` on, without a missing leaf or type. */
static inline void cells_check_part(const ocelotl_model *part, const ocelotl_model *whole,
                                    uint32_t first)
{
    const ocelotl_model_info info = ocelotl_model_info_of(part);
    CHECK(info.type_count == ocelotl_model_info_of(whole).type_count);
    for (uint32_t leaf = 0; leaf < info.leaf_count; leaf++) {
        const uint32_t other = cells_leaf(whole, cells_path(part, leaf));
        CHECK(other != OCELOTL_NONE);
        for (uint32_t x = 0; x < info.type_count; x++) {
            CHECK_TEXT(ocelotl_model_type_at(part, x).name, ocelotl_model_type_at(whole, x).name);
            for (uint32_t slice = 0; slice < info.slice_count; slice++)
                CHECK(cells_get(part, leaf, x, slice) == cells_get(whole, other, x, slice + first));
        }
    }
}

#endif
