/* The report: a page to go through the levels of a partition. */
#ifndef OC_VIZ_PAGE_REPORT_H
#define OC_VIZ_PAGE_REPORT_H

#include "base/format/json.h"
#include "viz/overview/overview.h"
#include "viz/scene/scene.h"

enum { OC_REPORT_LEVELS_MOST = 12 };

/* How large a page may become, and a level in it, in bytes. */
#define OC_REPORT_SIZE_MOST       ((size_t)8 << 20)
#define OC_REPORT_LEVEL_SIZE_MOST ((size_t)3 << 19)

/* A level in the page. */
typedef struct oc_report_level {
    ocelotl_level is;
    size_t number;   /* as ocelotl_levels has it, from 1 */
    bool included;   /* it stands for a plateau and had room */
    double smallest; /* pixels below which it is drawn together */
    oc_text picture; /* its SVG */
    oc_text entries; /* the parameters, as HTML */
    oc_shown shown;
} oc_report_level;

/* What a page is made of. Zero-initialised it is empty. */
typedef struct oc_report {
    const ocelotl_model *model;
    ocelotl_model_info info;
    ocelotl_kind kind;
    double whole_gain, whole_loss;
    const char *expanded;      /* the path of the node that alone is shown; NULL: all is */
    const oc_picture *picture; /* as asked for: its title and command are the page's */
    oc_report_level *levels;   /* by p */
    size_t count;
    size_t listed;   /* levels that ocelotl_levels has */
    size_t start;    /* the one shown first */
    size_t left_out; /* plateaus without room in the page */
    oc_text curves;  /* their SVG */
    oc_frame curves_frame;
    oc_colour_pairs pairs; /* where light and dark differ */
    bool reader;           /* light or dark is the reader's choice */
    const ocelotl_part_command *commands;
    size_t command_count;
    uint32_t percentile; /* of the cells of a part, that its shares are; 0: their mean */
    uint32_t types;      /* the largest types, this many, are listed; the rest are "others" */
} oc_report;

/* Appends a text with places in it, of viz/page; of a served page without levels. Errors:
 * MEMORY. */
ocelotl_status oc_page_write_file(oc_text *page, const char *file, const oc_report *report);

/* Appends, as JSON, the first level with its picture; or what is known of all levels, with their
 * curves. Errors: MEMORY. */
ocelotl_status oc_page_write_view(oc_text *bytes, const oc_report *report);
ocelotl_status oc_page_write_levels(oc_text *bytes, const oc_report *report);

/* Writes a text as people may see it. In JSON for a page, nothing in it can be read as HTML or
 * JavaScript. */
void oc_report_add_text(oc_json *json, const char *key, const char *string);

/* --- The files of viz/page, which the build puts into the library (cmake/embed.cmake). */

extern const char oc_page[];
extern const char oc_page_style[];
extern const char oc_report_script[];
extern const char oc_served_script[];
extern const char oc_served_compressed[]; /* the script, by gzip */
extern const size_t oc_served_compressed_size;

/* SHA-256 of the script, in hexadecimal digits. */
extern const char oc_report_script_digest[];

#endif
