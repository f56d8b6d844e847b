#define _POSIX_C_SOURCE 200809L
#include "viz/scene/backend.h"
#include "viz/scene/cairo_draw.h"

#include <cairo-pdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned int length)
{
    oc_text *pdf = closure;
    oc_text_append(pdf, (const char *)bytes, length);
    return pdf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* A file that is the same whenever it is made: of no time, or of the one that says so for all of a
 * build (reproducible-builds.org). Empty it is left out. */
static void set_date(cairo_surface_t *surface)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char date[40] = "";
    char *end = NULL;
    struct tm parts;
    const long long seconds = given != NULL ? strtoll(given, &end, 10) : -1;
    const time_t time = (time_t)seconds;
    if (seconds >= 0 && end != given && *end == '\0' && gmtime_r(&time, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
}

/* A PDF's information has a few fixed names only: the parameters are its keywords, as "name=value;
 * ...". */
static ocelotl_status set_metadata(cairo_surface_t *surface, const oc_scene *scene)
{
    oc_text keywords = {0};
    oc_text_add(&keywords, "");
    for (size_t i = 0; i < scene->entry_count; i++)
        oc_text_format(&keywords, "%s%s=%s", i > 0 ? "; " : "",
                       oc_scene_string(scene, scene->entries[i].key),
                       oc_scene_string(scene, scene->entries[i].value));
    set_date(surface);
    if (!keywords.failed) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
                                       oc_scene_string(scene, scene->title));
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
                                       "ocelotl " OCELOTL_VERSION);
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

/* Where the table of objects is that ends the file; NULL: there is none, or of another form. */
static const char *find_table(const oc_text *pdf)
{
    static const char head[] = "startxref\n";
    enum { TAIL = 48 };
    const char *last = pdf->length > TAIL ? strstr(pdf->bytes + pdf->length - TAIL, head) : NULL;
    const unsigned long long place =
        last != NULL ? strtoull(last + sizeof head - 1, NULL, 10) : pdf->length;
    return place < pdf->length && strncmp(pdf->bytes + place, "xref\n", 5) == 0 ? pdf->bytes + place
                                                                                : NULL;
}

/* Whether the file ends, and each object of its table, whose lines have 20 bytes, is where that
 * says. */
static bool is_whole(const oc_text *pdf)
{
    static const char end[] = "%%EOF\n";
    enum { LINE = 20 };
    const size_t length = sizeof end - 1;
    if (pdf->length <= length || memcmp(pdf->bytes + pdf->length - length, end, length) != 0)
        return false;
    const char *table = find_table(pdf);
    char *line = NULL;
    const unsigned long long count =
        table != NULL ? strtoull(table + strlen("xref\n0 "), &line, 10) : 0;
    if (count > pdf->length / LINE)
        return false;
    for (unsigned long long i = 1; i < count; i++) {
        char object[40];
        const unsigned long long place = strtoull(line + 1 + i * LINE, NULL, 10);
        const int digits = snprintf(object, sizeof object, "%llu 0 obj", i);
        if (place >= pdf->length || strncmp(pdf->bytes + place, object, (size_t)digits) != 0)
            return false;
    }
    return true;
}

static ocelotl_status encode(oc_text *pdf, const oc_scene *scene)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, pdf, scene->width, scene->height);
    const ocelotl_status status = draw(surface, scene);
    cairo_surface_destroy(surface);
    /* cairo forgets it where it had no memory for a font, and goes on without. */
    return status == OCELOTL_OK && !is_whole(pdf) ? oc_fail_memory() : status;
}

const oc_backend oc_backend_pdf = {".pdf", encode};
