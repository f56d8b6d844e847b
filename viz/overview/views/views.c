#include "base/memory.h"
#include "base/options.h"
#include "viz/overview/overview.h"
#include "viz/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first of each kind is the default. */
static const oc_view *const views[] = {
    &oc_view_mode,          &oc_view_partition, &oc_view_amplitude,
    &oc_view_stacked,       &oc_view_histogram, &oc_view_temporal_partition,
    &oc_view_temporal_mode, &oc_view_treemap,   &oc_view_spatial_mode,
};
#define VIEW_COUNT (sizeof views / sizeof views[0])

size_t ocelotl_view_count(void)
{
    return VIEW_COUNT;
}

ocelotl_view ocelotl_view_at(size_t index)
{
    const ocelotl_view none = {"", "", OCELOTL_SPATIOTEMPORAL};
    return index < VIEW_COUNT ? views[index]->is : none;
}

/* Finds the view of another kind whose name is nearest. */
static const oc_view *nearest_elsewhere(ocelotl_kind kind, const char *name)
{
    const char *names[VIEW_COUNT];
    for (size_t i = 0; i < VIEW_COUNT; i++)
        names[i] = views[i]->is.name;
    const size_t nearest = oc_nearest(name, names, VIEW_COUNT);
    return nearest < VIEW_COUNT && views[nearest]->is.kind != kind ? views[nearest] : NULL;
}

static ocelotl_status fail_unknown(ocelotl_kind kind, const char *name)
{
    const oc_view *other = nearest_elsewhere(kind, name);
    oc_text known = {0};
    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (views[i]->is.kind == kind)
            oc_text_format(&known, "%s%s", known.length > 0 ? ", " : "", views[i]->is.name);
    if (other != NULL)
        oc_text_format(&known, "; %s is of a %s one", other->is.name, oc_kind_name(other->is.kind));
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "a %s partition has no view \"%s\", expected one of %s",
                               oc_kind_name(kind), name, known.bytes);
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_view_find(const oc_view **view, ocelotl_kind kind, const char *name)
{
    for (size_t i = 0; i < VIEW_COUNT; i++) {
        if (views[i]->is.kind == kind && (name == NULL || strcmp(views[i]->is.name, name) == 0)) {
            *view = views[i];
            return OCELOTL_OK;
        }
    }
    return fail_unknown(kind, name != NULL ? name : "");
}

/* --- Drawing a partition */

static ocelotl_status read_options(ocelotl_picture_options *options,
                                   const ocelotl_picture_options *given)
{
    *options = (ocelotl_picture_options)OCELOTL_PICTURE_OPTIONS_INIT;
    return oc_read_options(options, sizeof *options, given);
}

/* A treemap draws a part in several colours, with others nested in it. */
static ocelotl_status check_texture(const oc_view *view, const ocelotl_picture_options *options)
{
    return options->texture == OCELOTL_TEXTURE_NONE || view->texture
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "the view %s has no room for a texture, expected another view, such as "
                         "mode",
                         view->is.name);
}

ocelotl_status ocelotl_overview_check(const char *path, ocelotl_kind kind,
                                      const ocelotl_picture_options *given)
{
    const oc_view *view = NULL;
    ocelotl_picture_options options;
    OC_TRY(read_options(&options, given));
    OC_TRY(oc_view_find(&view, kind, options.view));
    OC_TRY(oc_expansion_check_kind(kind, &options));
    OC_TRY(check_texture(view, &options));
    return ocelotl_picture_check(path, &options);
}

/* What is drawn, and its parts. */
typedef struct subject {
    oc_overview_input input, whole;
    ocelotl_part *parts, *whole_parts;
} subject;

static ocelotl_status render(oc_picture *picture, subject *of, const ocelotl_partition *partition,
                             const ocelotl_picture_options *options)
{
    const ocelotl_partition *whole = options->whole;
    const bool has_height = fpclassify(options->height) != FP_ZERO;
    OC_TRY(oc_overview_gather(&of->input, &of->parts, partition));
    OC_TRY(oc_expansion_check_kind(of->input.partition.kind, options));
    OC_TRY(oc_expansion_find(&of->input.visible, &of->input.expanded, of->input.model, options));
    if (whole != NULL) {
        OC_TRY(oc_overview_gather(&of->whole, &of->whole_parts, whole));
        of->whole.view = &oc_view_temporal_mode;
        of->input.whole = &of->whole;
    }
    if (!has_height && of->input.view->height > 0)
        picture->height = of->input.view->height + oc_whole_strip_height(&of->input);
    return oc_picture_draw(picture, oc_overview_lay_out, &of->input);
}

ocelotl_status ocelotl_overview_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     const ocelotl_partition *partition,
                                     const ocelotl_picture_options *given)
{
    return oc_overview_draw_why(sink, format, partition, NULL, given);
}

ocelotl_status oc_overview_draw_why(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_partition *partition, const char *const *why,
                                    const ocelotl_picture_options *given)
{
    subject of = {0};
    oc_picture picture = {0};
    ocelotl_picture_options options;
    OC_TRY(read_options(&options, given));
    OC_TRY(oc_view_find(&of.input.view, ocelotl_partition_info_of(partition).kind, options.view));
    OC_TRY(oc_picture_read(&picture, &(oc_target){sink, format}, &options));
    of.input.type = options.type;
    of.input.why = why;
    const ocelotl_status status = render(&picture, &of, partition, &options);
    free(of.parts);
    free(of.whole_parts);
    oc_picture_free(&picture);
    return status;
}
