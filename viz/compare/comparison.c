/* Two overviews in one picture: to one scale of time, in the same colours, with one legend. */
#include "compare/compare.h"
#include "viz/frame/halves.h"
#include "viz/overview/overview.h"
#include "viz/pictures.h"
#include "viz/scene/scene.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_height = 960;

/* The first is above the second. */
typedef struct pair {
    oc_overview_input inputs[2];
    ocelotl_part *parts[2];
    bool stretch;
} pair;

/* --- What they share */

static ocelotl_status add_types(oc_shared *shared, const oc_overview *overview)
{
    shared->has_untraced = shared->has_untraced || overview->has_untraced;
    shared->has_lifetimes = shared->has_lifetimes || overview->has_lifetimes;
    shared->largest = fmax(shared->largest, overview->shading.largest);
    for (uint32_t x = 0; x < overview->model.type_count; x++) {
        const oc_type_summary *summary = &overview->types[x];
        const size_t length = strlen(summary->type.name);
        const uint32_t number = oc_map_get(&shared->numbers, summary->type.name, length);
        if (number == OC_MAP_NONE) {
            OC_TRY(oc_map_set(&shared->numbers, summary->type.name, length, shared->count));
            shared->types[shared->count] = *summary;
            shared->types[shared->count++].share /= 2;
        } else {
            shared->types[number].share += summary->share / 2;
            shared->types[number].dominant = shared->types[number].dominant || summary->dominant;
        }
    }
    return OCELOTL_OK;
}

/* Larger shares come first; equal ones come by name, which is unique. */
static int compare_types(const void *left, const void *right)
{
    const oc_type_summary *a = left;
    const oc_type_summary *b = right;
    const long long shares[] = {llround(a->share * 1e9), llround(b->share * 1e9)};
    if (shares[0] != shares[1])
        return shares[0] > shares[1] ? -1 : 1;
    return strcmp(a->type.name, b->type.name);
}

static ocelotl_status find_shared(oc_shared *shared, const oc_picture *picture, const pair *of)
{
    const ocelotl_model *const models[] = {of->inputs[0].model, of->inputs[1].model};
    const oc_colouring by = oc_picture_colouring(picture);
    OC_TRY(oc_type_colours_of_models(&shared->colours, models, 2, &by));
    OC_TRY(oc_allocate(&shared->types,
                       ocelotl_model_info_of(models[0]).type_count +
                           ocelotl_model_info_of(models[1]).type_count,
                       sizeof *shared->types));
    for (int i = 0; i < 2; i++) {
        oc_overview overview = oc_overview_of(&of->inputs[i], picture);
        ocelotl_status status = oc_overview_find_modes(&overview);
        if (status == OCELOTL_OK)
            status = oc_overview_find_rows(&overview);
        if (status == OCELOTL_OK)
            status = add_types(shared, &overview);
        oc_overview_free(&overview);
        OC_TRY(status);
    }
    qsort(shared->types, shared->count, sizeof *shared->types, compare_types);
    for (uint32_t i = 0; i < shared->count; i++) {
        oc_type_summary *summary = &shared->types[i];
        summary->colour = summary->type.untraced
                              ? picture->theme->paper
                              : oc_type_colours_find(&shared->colours, summary->type.name);
    }
    return OCELOTL_OK;
}

/* --- Layout */

/* Both halves, while they are laid out. */
typedef struct laying {
    const pair *of;
    oc_shared shared;
} laying;

static ocelotl_status lay_out_half(oc_scene *scene, const oc_picture *half, void *context,
                                   int which)
{
    laying *both = context;
    oc_overview_input input = both->of->inputs[which];
    input.shared = &both->shared;
    return oc_overview_lay_out(scene, half, &input);
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    laying both = {.of = subject};
    const oc_overview_input *inputs = both.of->inputs;
    oc_halves halves = {lay_out_half, &both, ocelotl_model_info_of(inputs[0].model).name, {0}};
    for (int i = 0; i < 2 && !both.of->stretch && !inputs[0].view->timeless; i++) {
        const ocelotl_model_info info = ocelotl_model_info_of(inputs[i].model);
        halves.lengths[i] = info.has_time ? info.end - info.begin : info.slice_count;
    }
    ocelotl_status status = find_shared(&both.shared, picture, both.of);
    if (status == OCELOTL_OK)
        status = oc_halves_lay_out(scene, picture, &halves);
    free(both.shared.types);
    oc_map_free(&both.shared.numbers);
    oc_type_colours_free(&both.shared.colours);
    return status;
}

ocelotl_status ocelotl_compare_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_partition *first, const ocelotl_partition *second,
                                    bool stretch, const ocelotl_picture_options *given)
{
    pair of = {.stretch = stretch};
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    options.plain = true; /* both have one scale */
    const ocelotl_kind kind = ocelotl_partition_info_of(first).kind;
    if (ocelotl_partition_info_of(second).kind != kind)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "two partitions of different kinds are compared, expected one kind");
    oc_picture_preset(&options.height, default_height);
    for (int i = 0; i < 2; i++) {
        OC_TRY(oc_view_find(&of.inputs[i].view, kind, options.view));
        of.inputs[i].type = options.type;
    }
    ocelotl_status status = oc_overview_gather(&of.inputs[0], &of.parts[0], first);
    if (status == OCELOTL_OK)
        status = oc_overview_gather(&of.inputs[1], &of.parts[1], second);
    if (status == OCELOTL_OK)
        status = oc_picture_make(&(oc_target){sink, format}, &options, lay_out, &of);
    free(of.parts[0]);
    free(of.parts[1]);
    return status;
}
