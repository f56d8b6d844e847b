#include "viz/frame/picture.h"

#include "base/options.h"
#include "viz/words/lettering.h"

#include <math.h>

static const double default_width = 1280;
static const double default_height = 720;
static const double smallest_picture = 320;
static const double largest_picture = 20000;
static const double default_dpi = 96;
static const double default_smallest = 2;

static bool is_given(double value)
{
    return isnan(value) || value < 0 || value > 0;
}

static ocelotl_status check_length(double *length, double wanted, double preset, const char *what)
{
    *length = is_given(wanted) ? round(wanted) : preset;
    if (*length >= smallest_picture && *length <= largest_picture)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "a picture cannot have a %s of %g, expected %g to %g",
                   what, wanted, smallest_picture, largest_picture);
}

static ocelotl_status check_resolution(oc_picture *picture, double wanted)
{
    picture->dpi = is_given(wanted) ? wanted : default_dpi;
    if (!(picture->dpi >= 24 && picture->dpi <= 1200))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a picture cannot have %g dots per inch, expected 24 to 1200", wanted);
    const double scale = picture->dpi / default_dpi;
    if (fmax(picture->width, picture->height) * scale > largest_picture)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%g x %g at %g dots per inch are more than %g pixels, expected fewer dots",
                       picture->width, picture->height, picture->dpi, largest_picture);
    return OCELOTL_OK;
}

static ocelotl_status check_smallest(oc_picture *picture, double wanted)
{
    picture->smallest = is_given(wanted) ? wanted : default_smallest;
    if (picture->smallest >= 1 && picture->smallest <= 100)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "the smallest thing to draw cannot have %g pixels, expected 1 to 100", wanted);
}

static ocelotl_status check_target(const oc_target *target)
{
    ocelotl_picture_format format = target->format;
    return target->path != NULL ? ocelotl_picture_find_format(&format, target->path)
                                : oc_format_check(format);
}

ocelotl_status oc_picture_read(oc_picture *picture, const oc_target *target,
                               const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(check_target(target));
    OC_TRY(oc_read_options(&options, sizeof options, given));
    *picture = (oc_picture){.target = *target,
                            .title = options.title,
                            .command = options.command,
                            .area = options.area,
                            .names = options.type_names,
                            .memory_failures = oc_memory_failures()};
    OC_TRY(check_length(&picture->width, options.width, default_width, "width"));
    OC_TRY(check_length(&picture->height, options.height, default_height, "height"));
    OC_TRY(check_resolution(picture, options.dpi));
    OC_TRY(check_smallest(picture, options.smallest));
    picture->theme = oc_theme_get(options.theme);
    if (picture->theme == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "theme %d does not exist, expected light or dark",
                       (int)options.theme);
    picture->colours = options.colours;
    if (options.colours != NULL || options.palette == NULL)
        return OCELOTL_OK;
    OC_TRY(ocelotl_palette_read(&picture->read_colours, options.palette));
    picture->colours = picture->read_colours;
    return OCELOTL_OK;
}

void oc_picture_free(oc_picture *picture)
{
    ocelotl_palette_free(picture->read_colours);
    *picture = (oc_picture){0};
}

ocelotl_status ocelotl_picture_check(const char *path, const ocelotl_picture_options *options)
{
    oc_picture picture = {0};
    OC_TRY(oc_picture_read(&picture, &(oc_target){.path = path}, options));
    oc_picture_free(&picture);
    return OCELOTL_OK;
}

ocelotl_status oc_picture_draw(const oc_picture *picture, oc_lay_out lay_out, const void *subject)
{
    oc_scene scene = {0};
    ocelotl_status status = lay_out(&scene, picture, subject);
    if (status == OCELOTL_OK)
        status = oc_check_memory(picture->memory_failures);
    if (status == OCELOTL_OK)
        status = oc_scene_write(&scene, &picture->target);
    oc_scene_free(&scene);
    return status;
}

void oc_picture_begin(oc_scene *scene, const oc_picture *picture, const char *title)
{
    oc_scene_begin(scene, picture->width, picture->height, picture->theme->paper,
                   picture->title != NULL ? picture->title : title);
    scene->scale = picture->dpi / default_dpi;
}

int oc_picture_margin(const oc_picture *picture)
{
    const int margin = (int)(fmin(picture->width, picture->height) * 0.03);
    return picture->margin > 0 ? picture->margin : margin < 10 ? 10 : margin > 24 ? 24 : margin;
}

void oc_metadata_text(oc_scene *scene, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0')
        oc_scene_metadata(scene, key, value);
}

void oc_metadata_number(oc_scene *scene, const char *key, double value)
{
    oc_text text = {0};
    oc_number_add(&text, value, 17);
    oc_scene_metadata(scene, key, text.bytes);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}

void oc_metadata_count(oc_scene *scene, const char *key, uint64_t value)
{
    oc_text text = {0};
    oc_text_format(&text, "%llu", (unsigned long long)value);
    oc_scene_metadata(scene, key, text.bytes);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}

void oc_picture_add_metadata(oc_scene *scene, const oc_picture *picture)
{
    oc_scene_metadata(scene, "generator", "ocelotl " OCELOTL_VERSION);
    oc_metadata_text(scene, "command", picture->command);
}
