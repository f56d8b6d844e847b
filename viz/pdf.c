#include "viz/backend.h"
#include "viz/cairo_draw.h"

#include <cairo-pdf.h>

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned int length)
{
    oc_text *pdf = closure;
    oc_text_append(pdf, (const char *)bytes, length);
    return pdf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* A PDF's information has a few fixed names only: the parameters are its keywords, as "name=value; ...". */
static ocelotl_status set_metadata(cairo_surface_t *surface, const oc_scene *scene)
{
    oc_text keywords = {0};
    oc_text_add(&keywords, "");
    for (size_t i = 0; i < scene->entry_count; i++)
        oc_text_format(&keywords, "%s%s=%s", i > 0 ? "; " : "", oc_scene_string(scene, scene->entries[i].key),
                       oc_scene_string(scene, scene->entries[i].value));
    if (!keywords.failed) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, oc_scene_string(scene, scene->title));
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "ocelotl " OCELOTL_VERSION);
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, keywords.bytes);
    }
    const bool failed = keywords.failed;
    oc_text_free(&keywords);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status draw(cairo_surface_t *surface, const oc_scene *scene)
{
    OC_TRY(oc_cairo_check(cairo_surface_status(surface)));
    OC_TRY(set_metadata(surface, scene));
    cairo_t *cairo = cairo_create(surface);
    const ocelotl_status status = oc_cairo_draw(cairo, scene, 0, scene->height);
    cairo_destroy(cairo);
    OC_TRY(status);
    cairo_surface_finish(surface);
    return oc_cairo_check(cairo_surface_status(surface));
}

static ocelotl_status encode(oc_text *pdf, const oc_scene *scene)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append, pdf, scene->width, scene->height);
    const ocelotl_status status = draw(surface, scene);
    cairo_surface_destroy(surface);
    return status;
}

const oc_backend oc_backend_pdf = {".pdf", encode};
