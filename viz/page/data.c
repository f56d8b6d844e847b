/* What the script of a report reads. Names of a trace may be anything: see
 * oc_report_add_json_string. */
#include "viz/page/report.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in the page are for people: so many digits of them. */
enum { DIGITS = 7, SHARE_DIGITS = 5 };

/* Whatever could end a script, begin a comment in it, or end a line of JavaScript is written as its
 * number. */
void oc_report_add_json_string(oc_text *json, const char *string)
{
    oc_text clean = {0};
    oc_clean_add_whole(&clean, string, true);
    json->failed = json->failed || clean.failed;
    oc_text_add(json, "\"");
    for (size_t i = 0; i < clean.length && !clean.failed; i++) {
        const char *at = clean.bytes + i;
        const unsigned char byte = (unsigned char)*at;
        const bool line_end = byte == 0xE2 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 ||
                                               memcmp(at, "\xE2\x80\xA9", 3) == 0);
        if (line_end) {
            oc_text_format(json, "\\u20%02x", (unsigned char)at[2] - 0x80u);
            i += 2;
        } else if (byte < 0x20 || byte == 0x7F || strchr("\"\\<>&'", *at) != NULL) {
            oc_text_format(json, "\\u%04x", byte);
        } else {
            oc_text_append(json, at, 1);
        }
    }
    oc_text_add(json, "\"");
    oc_text_free(&clean);
}

static void add_key(oc_text *json, const char *key)
{
    oc_text_format(json, ",\n\"%s\":", key);
}

static void add_number(oc_text *json, double number, int digits)
{
    if (isfinite(number))
        oc_number_add(json, number, digits);
    else
        oc_text_add(json, "null");
}

static void add_frame(oc_text *json, const oc_frame *frame)
{
    oc_text_format(json, "[%d,%d,%d,%d]", frame->left, frame->top, frame->width, frame->height);
}

/* While data are written: where in the page's tables the model's nodes and types are. */
typedef struct tables {
    oc_text *json;
    const oc_report *report;
    const oc_shown *first; /* of the level that comes first, whose order of types is the page's */
    uint32_t *types;       /* by type of the model; report->types for the others */
    uint32_t *nodes;       /* by node of the model, from 1; 0: not listed */
    uint32_t node_count;
} tables;

static ocelotl_status begin_tables(tables *with)
{
    const oc_shown *first = with->first;
    OC_TRY(oc_allocate(&with->types, first->type_count, sizeof *with->types));
    OC_TRY(oc_allocate(&with->nodes, with->report->info.node_count, sizeof *with->nodes));
    for (uint32_t i = 0; i < first->type_count; i++)
        with->types[first->order[i]] = i < with->report->types ? i : with->report->types;
    return OCELOTL_OK;
}

static void write_types(const tables *with)
{
    const oc_shown *first = with->first;
    add_key(with->json, "types");
    oc_text_add(with->json, "[");
    for (uint32_t i = 0; i < with->report->types; i++) {
        const oc_type_summary *type = &first->types[first->order[i]];
        oc_text_add(with->json, i > 0 ? ",\n[" : "[");
        oc_report_add_json_string(with->json, type->type.name);
        oc_text_add(with->json, ",\"");
        oc_colour_write(with->json, type->colour);
        oc_text_format(with->json, "\",%d]", type->type.untraced ? 1 : 0);
    }
    if (with->report->types < first->type_count)
        oc_text_format(with->json, ",\n[\"%u others\",\"var(--muted)\",0]",
                       first->type_count - with->report->types);
    oc_text_add(with->json, "]");
}

/* Names of the edges of slices, the same as in pictures; none where there is no time. */
static void write_edges(const tables *with)
{
    const ocelotl_model_info *info = &with->report->info;
    const double slice = (info->end - info->begin) / info->slice_count;
    oc_text edge = {0};
    add_key(with->json, "edges");
    oc_text_add(with->json, "[");
    for (uint32_t i = 0; i <= info->slice_count && info->has_time; i++) {
        oc_text_clear(&edge);
        oc_time_instant_add(&edge, info->begin + slice * i, slice,
                            (oc_time_range){info->begin, info->end});
        oc_text_add(with->json, i > 0 ? "," : "");
        oc_report_add_json_string(with->json, edge.failed ? "" : edge.bytes);
    }
    with->json->failed = with->json->failed || edge.failed;
    oc_text_free(&edge);
    oc_text_add(with->json, "]");
}

/* Sums over what is visible, in a slice, in the order of the page's types; what has no place there
 * is "others". */
static void order_sums(double *ordered, const tables *with, const double *sums, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        ordered[i] = 0;
    for (uint32_t type = 0; type < with->first->type_count; type++)
        ordered[with->types[type]] += sums[type];
}

/* Rows end with their last number that is not 0. */
static void write_row(oc_text *json, const double *row, uint32_t width)
{
    while (width > 0 && !(row[width - 1] > 0))
        width--;
    oc_text_add(json, "[");
    for (uint32_t i = 0; i < width; i++) {
        oc_text_add(json, i > 0 ? "," : "");
        add_number(json, row[i], DIGITS);
    }
    oc_text_add(json, "]");
}

static void write_rows(const tables *with, double *ordered, const double *sums, uint32_t width)
{
    add_key(with->json, "sums");
    oc_text_add(with->json, "[");
    for (uint32_t slice = 0; slice < with->report->info.slice_count; slice++) {
        order_sums(ordered, with, sums + (size_t)slice * with->first->type_count, width);
        oc_text_add(with->json, slice > 0 ? ",\n" : "");
        write_row(with->json, ordered, width);
    }
    oc_text_add(with->json, "]");
}

static ocelotl_status write_sums(const tables *with)
{
    const uint32_t slices = with->report->info.slice_count;
    const uint32_t width = with->report->types + 1;
    double *sums = NULL;
    double *ordered = NULL;
    ocelotl_status status = oc_allocate(&sums, slices, with->first->type_count * sizeof *sums);
    if (status == OCELOTL_OK)
        status = oc_allocate(&ordered, width, sizeof *ordered);
    if (status == OCELOTL_OK)
        status =
            ocelotl_model_sums(sums, with->report->model, with->first->visible.node, 0, slices - 1);
    if (status == OCELOTL_OK)
        write_rows(with, ordered, sums, width);
    free(ordered);
    free(sums);
    return status;
}

/* Types with their shares, one after the other. */
static void write_shares(const tables *with, const oc_shown *shown, const oc_shown_part *part)
{
    double others = 0;
    bool written = false;
    for (size_t i = 0; i < part->share_count; i++) {
        const oc_shown_share *share = &shown->shares[part->share_first + i];
        if (with->types[share->type] == with->report->types) {
            others += share->share;
            continue;
        }
        oc_text_format(with->json, written ? ",%u," : "%u,", with->types[share->type]);
        add_number(with->json, share->share, SHARE_DIGITS);
        written = true;
    }
    if (others > 0) {
        oc_text_format(with->json, written ? ",%u," : "%u,", with->report->types);
        add_number(with->json, others, SHARE_DIGITS);
    }
}

static void write_part(tables *with, const oc_shown *shown, const oc_shown_part *part)
{
    if (with->nodes[part->node] == 0)
        with->nodes[part->node] = ++with->node_count;
    oc_text_format(with->json, "[%u,%u,%u,%u,%zu,", with->nodes[part->node] - 1, part->first,
                   part->last, part->leaves, part->parts);
    add_number(with->json, part->gain, DIGITS);
    oc_text_add(with->json, ",");
    add_number(with->json, part->loss, DIGITS);
    oc_text_add(with->json, ",[");
    write_shares(with, shown, part);
    oc_text_format(with->json, "],%zu]", part->number);
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void write_level(tables *with, const oc_report_level *level)
{
    oc_text *json = with->json;
    oc_text_format(json, "{\"number\":%zu,\"p\":", level->number);
    add_number(json, level->is.p, 17);
    oc_text_add(json, ",\"from\":");
    add_number(json, level->is.plateau_from, 17);
    oc_text_add(json, ",\"to\":");
    add_number(json, level->is.plateau_to, 17);
    oc_text_format(json, ",\"parts\":%zu,\"auto\":%s,\"gain\":", level->is.parts,
                   level->is.automatic ? "true" : "false");
    add_number(json, share_of(level->is.gain, with->report->whole_gain), DIGITS);
    oc_text_add(json, ",\"loss\":");
    add_number(json, share_of(level->is.loss, with->report->whole_loss), DIGITS);
    oc_text_add(json, ",\"frame\":");
    add_frame(json, &level->shown.frame);
    add_key(json, "shown");
    oc_text_add(json, "[");
    for (size_t i = 0; i < level->shown.part_count; i++) {
        oc_text_add(json, i > 0 ? ",\n" : "");
        write_part(with, &level->shown, &level->shown.parts[i]);
    }
    oc_text_add(json, "]}");
}

static void write_levels(tables *with)
{
    add_key(with->json, "levels");
    oc_text_add(with->json, "[");
    for (size_t i = 0; i < with->report->count; i++) {
        oc_text_add(with->json, i > 0 ? ",\n" : "");
        write_level(with, &with->report->levels[i]);
    }
    oc_text_add(with->json, "]");
}

/* Full paths of all nodes that are shown, in the order in which they were listed. */
static ocelotl_status write_nodes(const tables *with)
{
    uint32_t *listed = NULL;
    OC_TRY(oc_allocate(&listed, with->node_count, sizeof *listed));
    for (uint32_t node = 0; node < with->report->info.node_count; node++)
        if (with->nodes[node] > 0)
            listed[with->nodes[node] - 1] = node;
    add_key(with->json, "nodes");
    oc_text_add(with->json, "[");
    for (uint32_t i = 0; i < with->node_count; i++) {
        const ocelotl_node node = ocelotl_model_node(with->report->model, listed[i]);
        oc_text_add(with->json, i > 0 ? ",\n[" : "[");
        oc_report_add_json_string(with->json, node.path);
        oc_text_format(with->json, ",%u]", node.row_count);
    }
    oc_text_add(with->json, "]");
    free(listed);
    return OCELOTL_OK;
}

/* A line as strings, and between them 0 for p and 1 for the number of a part. */
static void write_command(oc_text *json, const ocelotl_part_command *command)
{
    oc_text piece = {0};
    oc_text_add(json, "[");
    oc_report_add_json_string(json, command->what);
    for (const char *at = command->text; *at != '\0';) {
        const size_t length = strcspn(at, "\1\2");
        oc_text_clear(&piece);
        oc_text_append(&piece, at, length);
        oc_text_add(json, ",");
        oc_report_add_json_string(json, piece.failed || length == 0 ? "" : piece.bytes);
        at += length;
        if (*at != '\0')
            oc_text_format(json, ",%d", *at++ - 1);
    }
    json->failed = json->failed || piece.failed;
    oc_text_free(&piece);
    oc_text_add(json, "]");
}

static void write_commands(const tables *with)
{
    add_key(with->json, "commands");
    oc_text_add(with->json, "[");
    for (size_t i = 0; i < with->report->command_count; i++) {
        oc_text_add(with->json, i > 0 ? ",\n" : "");
        write_command(with->json, &with->report->commands[i]);
    }
    oc_text_add(with->json, "]");
}

static void write_model(const tables *with)
{
    const ocelotl_model_info *info = &with->report->info;
    const oc_visible *visible = &with->first->visible;
    const bool shares =
        info->has_time && (info->metric[0] == '\0' || strcmp(info->unit, "share") == 0);
    oc_text_format(with->json,
                   "{\"shares\":%s,\"first\":%u,\"count\":%u,\"leaves\":%u,\"start\":%zu",
                   shares ? "true" : "false", visible->slice_first, visible->slice_count,
                   visible->row_count, with->report->start);
    add_key(with->json, "expanded");
    oc_report_add_json_string(with->json,
                              with->report->expanded != NULL ? with->report->expanded : "");
    oc_text_format(with->json, ",\"additive\":%s",
                   info->additive || !info->has_time ? "true" : "false");
    add_key(with->json, "unit");
    oc_report_add_json_string(with->json, info->has_time && info->additive ? info->unit : "");
    add_key(with->json, "curves");
    add_frame(with->json, &with->report->curves_frame);
}

static ocelotl_status write_all(tables *with)
{
    OC_TRY(begin_tables(with));
    write_model(with);
    oc_text_format(with->json, ",\n\"listed\":%zu", with->report->listed);
    write_commands(with);
    write_types(with);
    write_edges(with);
    OC_TRY(write_sums(with));
    write_levels(with);
    OC_TRY(write_nodes(with));
    oc_text_add(with->json, "}");
    return with->json->failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_report_write_data(oc_text *json, const oc_report *report)
{
    tables with = {.json = json, .report = report, .first = &report->levels[report->start].shown};
    const ocelotl_status status = write_all(&with);
    free(with.types);
    free(with.nodes);
    return status;
}
