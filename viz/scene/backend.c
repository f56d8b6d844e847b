#include "viz/scene/backend.h"

#include "base/file/sink.h"
#include "base/plain.h"

#include <string.h>

static const oc_backend *const backends[] = {
    [OCELOTL_PICTURE_SVG] = &oc_backend_svg,
    [OCELOTL_PICTURE_PNG] = &oc_backend_png,
    [OCELOTL_PICTURE_PDF] = &oc_backend_pdf,
};
#define BACKEND_COUNT (sizeof backends / sizeof backends[0])

#ifndef OC_HAVE_CAIRO
/* What such a build does not draw. */
const oc_backend oc_backend_png = {".png", NULL};
const oc_backend oc_backend_pdf = {".pdf", NULL};
#endif

static ocelotl_status check_drawn(size_t format)
{
    if (backends[format]->encode != NULL)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "this build draws no %s, for it has no cairo (OCELOTL_VIZ=OFF), expected .svg, "
                   "which needs none",
                   backends[format]->suffix);
}

static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *suffix = strrchr(name, '.');
    return suffix != NULL ? suffix : "";
}

static ocelotl_status fail_unknown(const char *path, const char *suffix)
{
    oc_text known = {0};
    /* Appends the suffixes as ".svg, .png or .pdf". */
    for (size_t i = 0; i < BACKEND_COUNT; i++)
        oc_text_format(&known, "%s%s",
                       i == 0                   ? ""
                       : i + 1 == BACKEND_COUNT ? " or "
                                                : ", ",
                       backends[i]->suffix);
    ocelotl_status status;
    if (known.failed)
        status = oc_fail_memory();
    else if (suffix[0] == '\0')
        status = oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: no suffix, expected %s", path, known.bytes);
    else
        status = oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: unknown suffix \"%s\", expected %s", path,
                         suffix, known.bytes);
    oc_text_free(&known);
    return status;
}

ocelotl_status ocelotl_picture_find_format(ocelotl_picture_format *format, const char *path)
{
    const char *suffix = suffix_of(path);
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        if (oc_same_letters(backends[i]->suffix, suffix)) {
            *format = (ocelotl_picture_format)i;
            return check_drawn(i);
        }
    }
    return fail_unknown(path, suffix);
}

ocelotl_status oc_format_check(ocelotl_picture_format format)
{
    if ((size_t)format < BACKEND_COUNT)
        return check_drawn(format);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "format %d does not exist, expected SVG, PNG or PDF",
                   (int)format);
}

ocelotl_status oc_scene_write(const oc_scene *scene, const oc_target *target)
{
    OC_TRY(oc_scene_status(scene));
    oc_text bytes = {0};
    const uint64_t before = oc_memory_failures();
    ocelotl_status status = backends[target->format]->encode(&bytes, scene);
    if (status == OCELOTL_OK)
        status = oc_check_memory(before);
    if (status == OCELOTL_OK)
        status = oc_sink_write(target->sink, bytes.bytes, bytes.length);
    oc_text_free(&bytes);
    return status;
}
