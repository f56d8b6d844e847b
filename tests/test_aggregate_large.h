/* Models of any size and shape for the tests of the aggregation, from a seed. */
#ifndef OC_TESTS_AGGREGATE_LARGE_H
#define OC_TESTS_AGGREGATE_LARGE_H

#include "test_aggregate_models.h"

typedef struct large_model {
    ocelotl_kind kind;
    uint32_t nodes, leaves, types, slices;
    int *parent;    /* leaves first, parents after their children; -1: the root */
    double *values; /* leaf x type x slice */
} large_model;

typedef enum large_shape {
    LARGE_FLAT,
    LARGE_BINARY,
    LARGE_TENFOLD,
    LARGE_RANDOM,
    LARGE_COMB,      /* every inner node has a leaf and the rest */
    LARGE_LOPSIDED,  /* half of the leaves below the root, the others deep down */
    LARGE_ONLY_CHILD /* binary, with one to three nodes of one child above each node */
} large_shape;
#define LARGE_SHAPES 7

typedef enum large_texture {
    LARGE_DENSE,
    LARGE_SPARSE,       /* 95% zeros */
    LARGE_STATES,       /* as a trace: one state after another, most slices filled by one */
    LARGE_FEW_VALUES,   /* 0, 1 and 2: many ties */
    LARGE_MIRRORED,     /* the same, and the same backwards in time and among leaves */
    LARGE_NEARLY_EQUAL, /* some series to 1e-3 of their values, some to 1e-5, some to 1e-8 */
    LARGE_PHASES,       /* long ones, nearly constant, most of them of all leaves */
    LARGE_MAGNITUDES,   /* 1 and 1e12 side by side */
    LARGE_INTEGERS,     /* up to 2^31 */
    LARGE_TINY          /* 1 and 2^-40 mixed */
} large_texture;
#define LARGE_TEXTURES 10

static inline void *large_allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    CHECK(memory != NULL);
    return memory;
}

/* The nodes that have no parent yet, in order. */
struct large_tops {
    uint32_t *top, count;
};

static inline void large_group(large_model *model, struct large_tops *tops, uint32_t first,
                               uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        model->parent[tops->top[i]] = (int)model->nodes;
    tops->top[first] = model->nodes++;
    for (uint32_t i = first + 1; i + count - 1 < tops->count; i++)
        tops->top[i] = tops->top[i + count - 1];
    tops->count -= count - 1;
}

static inline void large_group_all(large_model *model, struct large_tops *tops, uint32_t arity)
{
    for (uint32_t i = 0; i < tops->count; i++)
        large_group(model, tops, i, tops->count - i < arity ? tops->count - i : arity);
}

static inline void large_group_random(large_model *model, struct large_tops *tops, uint32_t begin,
                                      uint64_t *state)
{
    while (tops->count - begin > 1) {
        const uint32_t most = tops->count - begin < 4 ? tops->count - begin : 4;
        const uint32_t count = 2 + check_below(state, most - 1);
        large_group(model, tops, begin + check_below(state, tops->count - begin - count + 1),
                    count);
    }
}

static inline void large_make_tree(large_model *model, large_shape shape, uint64_t *state)
{
    struct large_tops tops = {large_allocate(model->leaves, sizeof(uint32_t)), model->leaves};
    for (uint32_t i = 0; i < model->leaves; i++)
        tops.top[i] = i;
    model->parent = large_allocate((size_t)model->leaves * 10 + 10, sizeof *model->parent);
    model->nodes = model->leaves;
    if (shape == LARGE_FLAT || model->leaves == 1)
        large_group(model, &tops, 0, tops.count);
    else if (shape == LARGE_LOPSIDED) {
        large_group_random(model, &tops, model->leaves / 2, state);
        large_group(model, &tops, 0, tops.count);
    }
    while (tops.count > 1) {
        if (shape == LARGE_COMB)
            large_group(model, &tops, tops.count - 2, 2);
        else if (shape == LARGE_RANDOM)
            large_group_random(model, &tops, 0, state);
        else
            large_group_all(model, &tops, shape == LARGE_TENFOLD ? 10 : 2);
        if (shape == LARGE_ONLY_CHILD)
            for (uint32_t i = 0; i < tops.count; i++)
                for (uint32_t left = 1 + check_below(state, 3); left > 0; left--)
                    large_group(model, &tops, i, 1);
    }
    model->parent[tops.top[0]] = -1;
    free(tops.top);
}

static inline double *large_at(const large_model *model, uint32_t leaf, uint32_t type,
                               uint32_t slice)
{
    return &model->values[((size_t)leaf * model->types + type) * model->slices + slice];
}

/* Writes one state after another, each over 1 to 8 whole slices or some sixteenths of one. */
static inline void large_fill_states(const large_model *model, uint32_t leaf, uint64_t *state)
{
    uint32_t type = check_below(state, model->types);
    uint32_t left = check_below(state, 100);
    for (uint32_t sixteenth = 0; sixteenth < 16 * model->slices; sixteenth++, left--) {
        while (left == 0) {
            type = check_below(state, model->types);
            left = check_below(state, 3) == 0 ? check_below(state, 50)
                                              : 16 * (1 + check_below(state, 8)) - sixteenth % 16;
        }
        *large_at(model, leaf, type, sixteenth / 16) += 1.0 / 16;
    }
}

/* Returns the phase: it changes at 2/3 and at 14/15 of the time, and for each third leaf at 4/5. */
static inline double large_phase(const large_model *model, uint32_t leaf, uint32_t type,
                                 uint32_t slice)
{
    uint32_t changes = 3 * slice >= 2 * model->slices ? 1 : 0;
    changes += 15 * slice >= 14 * model->slices ? 2 : 0;
    changes += leaf % 3 == 0 && 5 * slice >= 4 * model->slices ? 4 : 0;
    return 0.125 * ((5 * changes + 3 * type) % 8 + 1);
}

static inline double large_value(large_texture texture, uint32_t leaf, uint32_t type,
                                 uint64_t *state)
{
    const double random = check_uniform(state);
    switch (texture) {
    case LARGE_SPARSE:
        return random < 0.95 ? 0 : random;
    case LARGE_FEW_VALUES:
    case LARGE_MIRRORED:
        return (double)check_below(state, 3);
    case LARGE_NEARLY_EQUAL:
        return 0.1 + ((leaf + type) % 3 == 0   ? 1e-9
                      : (leaf + type) % 3 == 1 ? 1e-6
                                               : 1e-4) *
                         (2 * random - 1);
    case LARGE_MAGNITUDES:
        return random * ((leaf + type) % 2 == 0 ? 1 : 1e12);
    case LARGE_INTEGERS:
        return floor(random * 0x1p31);
    case LARGE_TINY:
        return (check_below(state, 2) == 0 ? 1 : random) *
               (check_below(state, 2) == 0 ? 1 : 0x1p-40);
    default:
        return random;
    }
}

static inline void large_mirror(const large_model *model)
{
    for (uint32_t leaf = 0; leaf < model->leaves; leaf++)
        for (uint32_t type = 0; type < model->types; type++)
            for (uint32_t t = 0; t < model->slices; t++) {
                const uint32_t other =
                    model->leaves - 1 - leaf < leaf ? model->leaves - 1 - leaf : leaf;
                const uint32_t time = model->slices - 1 - t < t ? model->slices - 1 - t : t;
                *large_at(model, leaf, type, t) = *large_at(model, other, type, time);
            }
}

static inline large_model large_make(ocelotl_kind kind, large_shape shape, large_texture texture,
                                     uint32_t leaves, uint32_t types, uint32_t slices,
                                     uint64_t seed)
{
    uint64_t state = seed * 2654435761u + 88172645463325252u;
    for (int i = 0; i < 8; i++)
        check_random(&state);
    large_model model = {.kind = kind, .leaves = leaves, .types = types, .slices = slices};
    large_make_tree(&model, shape, &state);
    model.values = large_allocate((size_t)leaves * types * slices, sizeof *model.values);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        if (texture == LARGE_STATES)
            large_fill_states(&model, leaf, &state);
        else
            for (uint32_t type = 0; type < types; type++)
                for (uint32_t t = 0; t < slices; t++)
                    *large_at(&model, leaf, type, t) =
                        texture == LARGE_PHASES ? large_phase(&model, leaf, type, t) *
                                                      (1 + 0.01 * check_uniform(&state))
                                                : large_value(texture, leaf, type, &state);
    }
    if (texture == LARGE_MIRRORED)
        large_mirror(&model);
    return model;
}

static inline void large_free(large_model *model)
{
    free(model->parent);
    free(model->values);
}

static inline ocelotl_model *large_build(const large_model *model)
{
    return test_build_arrays(model->nodes, model->parent, model->leaves, model->types,
                             model->slices, model->values);
}

#endif
