/* The page of a report: its data as JSON, then its HTML around them. */
#include "viz/page/report.h"

#include "base/memory.h"
#include "base/plain.h"
#include "viz/scene/backend.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What the script reads. Names of a trace may be anything: see oc_report_add_text. */

/* Digits of the numbers in the page, which are for people. */
enum { DIGITS = 7, SHARE_DIGITS = 5 };

/* Adds a text so that nothing in it can be read as HTML or JavaScript. */
void oc_report_add_text(oc_json *json, const char *key, const char *string)
{
    oc_text clean = {0};
    oc_clean_add_whole(&clean, string, true);
    oc_json_text(json, key, clean.failed ? "" : clean.bytes);
    json->out.text.failed |= clean.failed;
    oc_text_free(&clean);
}

static void add_number(oc_json *json, const char *key, double number, int digits)
{
    if (isfinite(number))
        oc_number_add(oc_json_value(json, key), number, digits);
    else
        oc_json_null(json, key);
}

static void add_frame(oc_json *json, const char *key, const oc_frame *frame)
{
    oc_json_list(json, key);
    oc_json_ticks(json, NULL, frame->left);
    oc_json_ticks(json, NULL, frame->top);
    oc_json_ticks(json, NULL, frame->width);
    oc_json_ticks(json, NULL, frame->height);
    oc_json_end_list(json);
}

/* Where the page's tables have the model's nodes and types, while data are written. */
typedef struct tables {
    oc_json *json;
    const oc_report *report;
    const oc_shown *first; /* of the level that comes first; its order of types is the page's */
    uint32_t *types;       /* by type of the model; report->types for the others */
    uint32_t *nodes;       /* by node of the model, from 1; 0: not listed */
    uint32_t node_count;
    bool alone; /* no page is around the data */
} tables;

/* Begins a list in a list, on its own line except for the first. */
static void begin_row(oc_json *json, bool follows)
{
    if (follows)
        oc_json_line(json, 0);
    oc_json_list(json, NULL);
}

/* Adds a text that was made, and frees it. */
static void add_made(oc_json *json, oc_text *text)
{
    oc_report_add_text(json, NULL, text->failed || text->length == 0 ? "" : text->bytes);
    json->out.text.failed |= text->failed;
    oc_text_free(text);
}

/* Writes types: each with its name, its colour, whether it is untraced time, and with a tree its
 * groups; what is not listed comes last. */
static void write_types(const tables *with)
{
    oc_json *json = with->json;
    const oc_shown *first = with->first;
    const ocelotl_type_tree *tree = with->report->picture->tree;
    const uint32_t listed = with->report->types;
    oc_json_line(json, 0);
    oc_json_list(json, "types");
    for (uint32_t i = 0; i <= listed && i < first->type_count; i++) {
        const oc_type_summary *type = i < listed ? &first->types[first->order[i]] : NULL;
        oc_text name = {0}, colour = {0}, groups = {0};
        if (type != NULL) {
            oc_text_add(&name, type->type.name);
            oc_colour_write(&colour, type->colour);
        } else {
            oc_text_format(&name, "%u others", first->type_count - listed);
            oc_text_add(&colour, "var(--muted)");
        }
        if (tree != NULL && type != NULL && !type->type.untraced)
            oc_legend_add_groups(&groups, tree, oc_legend_group(tree, type->type.name),
                                 OCELOTL_NONE);
        begin_row(json, i > 0);
        add_made(json, &name);
        add_made(json, &colour);
        oc_json_count(json, NULL, type != NULL && type->type.untraced);
        if (tree != NULL)
            add_made(json, &groups);
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
}

static void write_edge(const tables *with, double instant)
{
    const ocelotl_model_info *info = &with->report->info;
    oc_text edge = {0};
    oc_time_instant_add(&edge, instant, ocelotl_slice_length(info),
                        (oc_time_range){info->begin, info->end});
    add_made(with->json, &edge);
}

/* Writes the names of the edges of slices, as pictures have them; none without time. Where time is
 * left out, those of slices begin behind it: cuts say when the slice before ends. */
static void write_edges(const tables *with)
{
    const ocelotl_model_info *info = &with->report->info;
    oc_json_line(with->json, 0);
    oc_json_list(with->json, "edges");
    for (uint32_t i = 0; i <= info->slice_count && info->has_time; i++)
        write_edge(with, ocelotl_slice_begin(info, i));
    oc_json_end_list(with->json);
    oc_json_line(with->json, 0);
    oc_json_list(with->json, "cuts");
    for (uint32_t i = 1; i < info->piece_count; i++) {
        begin_row(with->json, i > 1);
        oc_json_count(with->json, NULL, info->pieces[i].first);
        write_edge(with, info->pieces[i - 1].end);
        add_number(with->json, NULL, info->pieces[i - 1].end, 17);
        oc_json_end_list(with->json);
    }
    oc_json_end_list(with->json);
}

/* Writes a row of sums for each slice, in the order of the page's types; types that are not listed
 * go to "others". Zeros at the end of a row are left out. */
static ocelotl_status write_sums(const tables *with)
{
    const uint32_t slices = with->report->info.slice_count;
    const uint32_t types = with->first->type_count;
    const size_t width = (size_t)with->report->types + 1;
    double *sums = NULL; /* and behind them those of a row of the page */
    OC_TRY(oc_allocate(&sums, slices * (size_t)types + width, sizeof *sums));
    double *row = sums + slices * (size_t)types;
    const ocelotl_status status =
        ocelotl_model_sums(sums, with->report->model, with->first->visible.node, 0, slices - 1);
    oc_json_line(with->json, 0);
    oc_json_list(with->json, "sums");
    for (uint32_t slice = 0; slice < slices && status == OCELOTL_OK; slice++) {
        size_t end = width;
        memset(row, 0, width * sizeof *row);
        for (uint32_t type = 0; type < types; type++)
            row[with->types[type]] += sums[(size_t)slice * types + type];
        while (end > 0 && !(row[end - 1] > 0))
            end--;
        begin_row(with->json, slice > 0);
        for (size_t i = 0; i < end; i++)
            add_number(with->json, NULL, row[i] * with->report->info.rate, DIGITS);
        oc_json_end_list(with->json);
    }
    oc_json_end_list(with->json);
    free(sums);
    return status;
}

/* Writes a share with few digits, but so many that it is the same in hundredths of a percent. */
static void add_share(oc_json *json, double share)
{
    int digits = SHARE_DIGITS;
    for (; digits < 17 && share <= 1; digits++) {
        char text[40];
        oc_plain_print(text, sizeof text, "%.*g", digits, share);
        if (oc_share_hundredths(oc_plain_number(text, NULL)) == oc_share_hundredths(share))
            break;
    }
    add_number(json, NULL, share, digits);
}

static void write_part(tables *with, const oc_shown *shown, const oc_shown_part *part)
{
    oc_json *json = with->json;
    double others = 0;
    if (with->nodes[part->node] == 0)
        with->nodes[part->node] = ++with->node_count;
    oc_json_list(json, NULL);
    oc_json_count(json, NULL, with->nodes[part->node] - 1);
    oc_json_count(json, NULL, part->first);
    oc_json_count(json, NULL, part->last);
    oc_json_count(json, NULL, part->leaves);
    oc_json_count(json, NULL, part->parts);
    add_number(json, NULL, part->gain, DIGITS);
    add_number(json, NULL, part->loss, DIGITS);
    oc_json_list(json, NULL); /* types with their shares, one after the other */
    for (size_t i = 0; i < part->share_count; i++) {
        const oc_shown_share *share = &shown->shares[part->share_first + i];
        if (with->types[share->type] == with->report->types) {
            others += share->share;
            continue;
        }
        oc_json_count(json, NULL, with->types[share->type]);
        add_share(json, share->share);
    }
    if (others > 0) {
        oc_json_count(json, NULL, with->report->types);
        add_share(json, others);
    }
    oc_json_end_list(json);
    oc_json_count(json, NULL, part->number);
    oc_json_count(json, NULL, part->row);
    oc_json_count(json, NULL, part->cut);
    if (part->density > 0)
        add_number(json, NULL, part->density, SHARE_DIGITS);
    oc_json_end_list(json);
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Writes what the levels are; `with` tables also what their pictures show. */
static void write_all_levels(oc_json *json, const oc_report *report, tables *with)
{
    oc_json_list(json, "levels");
    for (size_t i = 0; i < report->count; i++) {
        const oc_report_level *level = &report->levels[i];
        if (i > 0 || with == NULL)
            oc_json_line(json, 0);
        oc_json_object(json, NULL);
        oc_json_count(json, "number", level->number);
        add_number(json, "p", level->is.p, 17);
        add_number(json, "from", level->is.plateau_from, 17);
        add_number(json, "to", level->is.plateau_to, 17);
        oc_json_count(json, "parts", level->is.parts);
        oc_json_flag(json, "auto", level->is.automatic);
        add_number(json, "gain", share_of(level->is.gain, report->whole_gain), DIGITS);
        add_number(json, "loss", share_of(level->is.loss, report->whole_loss), DIGITS);
        if (with != NULL) {
            add_frame(json, "frame", &level->shown.frame);
            oc_json_line(json, 0);
            oc_json_list(json, "shown");
            for (size_t k = 0; k < level->shown.part_count; k++) {
                if (k > 0)
                    oc_json_line(json, 0);
                write_part(with, &level->shown, &level->shown.parts[k]);
            }
            oc_json_end_list(json);
        }
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

/* Writes all nodes listed, in the order of their numbers: path, rows, the first of these, and
 * whether they are like siblings, which have no path of their own. Before, what has a name beside
 * an enlarged picture is listed, as far as there is room; and what is above a node, so that all
 * that nodes share can be chosen. */
static ocelotl_status write_nodes(tables *with)
{
    enum { NODES_MOST = 5000 }; /* more are listed only where something is shown of them */
    const ocelotl_model *model = with->report->model;
    const uint32_t count = with->report->info.node_count;
    uint32_t *listed = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (with->nodes[i] > 0 || (!with->alone && count <= NODES_MOST))
            for (uint32_t node = i; node != OCELOTL_ROOT;
                 node = ocelotl_model_node_at(model, node).parent)
                if (with->nodes[node] == 0)
                    with->nodes[node] = ++with->node_count;
    OC_TRY(oc_allocate(&listed, with->node_count, sizeof *listed));
    for (uint32_t node = 0; node < count; node++)
        if (with->nodes[node] > 0)
            listed[with->nodes[node] - 1] = node;
    oc_json_line(with->json, 0);
    oc_json_list(with->json, "nodes");
    for (uint32_t i = 0; i < with->node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(model, listed[i]);
        begin_row(with->json, i > 0);
        oc_report_add_text(with->json, NULL, node.path);
        oc_json_count(with->json, NULL, node.row_count);
        oc_json_count(with->json, NULL, node.row_first);
        oc_json_count(with->json, NULL, node.alike);
        oc_json_end_list(with->json);
    }
    oc_json_end_list(with->json);
    free(listed);
    return OCELOTL_OK;
}

/* Writes commands as strings, and between them 0 for p and 1 for the number of a part. */
static void write_commands(const tables *with)
{
    oc_json *json = with->json;
    oc_json_line(json, 0);
    oc_json_list(json, "commands");
    for (size_t i = 0; i < with->report->command_count; i++) {
        const ocelotl_part_command *command = &with->report->commands[i];
        begin_row(json, i > 0);
        oc_report_add_text(json, NULL, command->what);
        for (const char *at = command->text; *at != '\0';) {
            const size_t length = strcspn(at, "\1\2");
            oc_text piece = {0};
            oc_text_append(&piece, at, length);
            add_made(json, &piece);
            at += length;
            if (*at != '\0')
                oc_json_ticks(json, NULL, *at++ - 1);
        }
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
}

static void write_model(const tables *with)
{
    const ocelotl_model_info *info = &with->report->info;
    const oc_visible *visible = &with->first->visible;
    const bool shares =
        info->has_time && (info->metric[0] == '\0' || strcmp(info->unit, "share") == 0);
    oc_json *json = with->json;
    oc_json_flag(json, "shares", shares);
    oc_json_flag(json, "rate", info->rate != 1);
    oc_json_count(json, "percentile", with->report->percentile);
    oc_json_count(json, "first", visible->slice_first);
    oc_json_count(json, "count", visible->slice_count);
    oc_json_count(json, "row", visible->row_first);
    oc_json_count(json, "leaves", visible->row_count);
    oc_json_list(json, "folds");
    for (size_t i = 0; i < with->first->fold_count; i++) {
        const oc_row_fold *fold = &with->first->folds[i];
        oc_json_list(json, NULL);
        oc_json_count(json, NULL, visible->row_first + fold->first);
        oc_json_count(json, NULL, fold->count);
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
    oc_json_count(json, "start", with->report->start);
    oc_json_line(json, 0);
    oc_report_add_text(json, "expanded",
                       with->report->expanded != NULL ? with->report->expanded : "");
    oc_json_flag(json, "additive", info->additive || !info->has_time);
    oc_json_line(json, 0);
    oc_report_add_text(json, "unit", info->has_time && info->additive ? info->unit : "");
    oc_json_line(json, 0);
    add_frame(json, "curves", &with->report->curves_frame);
    oc_json_line(json, 0);
    oc_json_count(json, "listed", with->report->listed);
}

/* What a picture is called, if its user has not said otherwise. */
static const char *title_of(const oc_report *report)
{
    const char *title = report->picture->title;
    return title != NULL && title[0] != '\0' ? title : report->info.name;
}

/* How the swatch of an entry looks, beside its colour. */
static const char *look_of(const oc_legend_entry *entry)
{
    static const char *const marks[] = {"", "diagonal", "cross"};
    return entry->dots                            ? "dots"
           : entry->look.hatch != OC_COLOUR_NONE  ? "stripes"
           : entry->look.stroke != OC_COLOUR_NONE ? "outline"
                                                  : marks[entry->mark];
}

/* Writes what the picture leaves to the page: pieces of its caption, and entries of its legend,
 * each with its kind, name, tooltip, colour, look of the swatch, and whether it is muted. */
static void write_words(const tables *with)
{
    static const char *const kinds[] = {"type", "mark", "shades"};
    oc_json *json = with->json;
    oc_json_line(json, 0);
    oc_json_list(json, "notes");
    const oc_text *line = &with->first->caption.lines[0];
    for (const char *piece = line->length > 0 ? line->bytes : ""; *piece != '\0';) {
        const size_t length = strcspn(piece, "\n");
        oc_text text = {0};
        oc_text_append(&text, piece, length);
        add_made(json, &text);
        piece += length + (piece[length] != '\0');
    }
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_list(json, "legend");
    for (size_t i = 0; i < with->first->legend.count; i++) {
        const oc_legend_entry *entry = &with->first->legend.entries[i];
        oc_text colour = {0};
        oc_colour_write(&colour, entry->look.fill);
        begin_row(json, i > 0);
        oc_json_text(json, NULL, kinds[entry->kind]);
        oc_report_add_text(json, NULL, oc_legend_string(&with->first->legend, entry->name));
        oc_report_add_text(json, NULL, oc_legend_string(&with->first->legend, entry->tooltip));
        add_made(json, &colour);
        oc_json_text(json, NULL, look_of(entry));
        oc_json_flag(json, NULL, entry->muted);
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
}

/* Writes what a page that holds no pictures needs of its only level: also the begins of slices, and
 * the end of the last, so that they can be asked for; the types of the model in the page's order;
 * and what the whole gains and loses, which records have. */
static void write_picture(const tables *with)
{
    const oc_report *report = with->report;
    const ocelotl_model_info *info = &report->info;
    oc_json *json = with->json;
    oc_report_add_text(json, "title", title_of(report));
    oc_report_add_text(json, "command",
                       report->picture->command != NULL ? report->picture->command : "");
    oc_json_text(json, "picture", report->levels[0].picture.bytes);
    oc_json_text(json, "parameters", report->levels[0].entries.bytes);
    oc_json_line(json, 0);
    oc_json_list(json, "instants");
    for (uint32_t i = 0; i <= info->slice_count && info->has_time; i++)
        add_number(json, NULL, i < info->slice_count ? ocelotl_slice_begin(info, i) : info->end,
                   17);
    oc_json_end_list(json);
    write_words(with);
    oc_json_line(json, 0);
    oc_json_list(json, "order");
    for (uint32_t i = 0; i < report->types; i++)
        oc_json_count(json, NULL, with->first->order[i]);
    oc_json_end_list(json);
    oc_json_list(json, "whole");
    add_number(json, NULL, report->whole_gain, 17);
    add_number(json, NULL, report->whole_loss, 17);
    oc_json_end_list(json);
}

static ocelotl_status write_tables(tables *with)
{
    const oc_shown *first = with->first;
    OC_TRY(oc_allocate(&with->types, first->type_count, sizeof *with->types));
    OC_TRY(oc_allocate(&with->nodes, with->report->info.node_count, sizeof *with->nodes));
    for (uint32_t i = 0; i < first->type_count; i++)
        with->types[first->order[i]] = i < with->report->types ? i : with->report->types;
    oc_json_object(with->json, NULL);
    if (with->alone)
        write_picture(with);
    write_model(with);
    write_commands(with);
    write_types(with);
    write_edges(with);
    OC_TRY(write_sums(with));
    oc_json_line(with->json, 0);
    write_all_levels(with->json, with->report, with);
    OC_TRY(write_nodes(with));
    oc_json_end_object(with->json);
    return with->json->out.status;
}

static ocelotl_status write_all(oc_text *page, const oc_report *report, bool alone)
{
    oc_json json = {.out = {.text = *page}, .for_page = true};
    tables with = {.json = &json,
                   .report = report,
                   .first = &report->levels[report->start].shown,
                   .alone = alone};
    const ocelotl_status status = write_tables(&with);
    *page = json.out.text;
    free(with.types);
    free(with.nodes);
    return status;
}

ocelotl_status oc_page_write_view(oc_text *bytes, const oc_report *report)
{
    return write_all(bytes, report, true);
}

ocelotl_status oc_page_write_levels(oc_text *bytes, const oc_report *report)
{
    oc_json json = {.out = {.text = *bytes}, .for_page = true};
    oc_json_object(&json, NULL);
    oc_json_count(&json, "listed", report->listed);
    add_frame(&json, "frame", &report->curves_frame);
    oc_json_text(&json, "curves", report->curves.bytes);
    oc_json_line(&json, 0);
    write_all_levels(&json, report, NULL);
    oc_json_end_object(&json);
    *bytes = json.out.text;
    return json.out.status != OCELOTL_OK ? json.out.status
           : bytes->failed               ? oc_fail_memory()
                                         : OCELOTL_OK;
}

/* --- The HTML: in page.html {{name}} stands for what the writer of that name appends. */

static void add_clean(oc_text *page, const char *string)
{
    oc_text clean = {0};
    oc_clean_add_whole(&clean, string, false);
    page->failed = page->failed || clean.failed;
    if (clean.length > 0)
        oc_text_add_xml(page, clean.bytes);
    oc_text_free(&clean);
}

static void write_title(oc_text *page, const oc_report *report)
{
    add_clean(page, title_of(report));
}

/* The value of a hexadecimal digit in lower case. */
static unsigned digit(char character)
{
    return (unsigned)(character <= '9' ? character - '0' : character - 'a' + 10);
}

/* Writes the digest of the script as base64 (RFC 4648), its form in the policy. */
static void write_policy(oc_text *page, const oc_report *report)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (void)report;
    oc_text_add(page, "sha256-");
    for (const char *octets = oc_report_script_digest; *octets != '\0';) {
        char four[4] = {'=', '=', '=', '='};
        unsigned bits = 0;
        int count = 0;
        for (; count < 3 && *octets != '\0'; count++, octets += 2)
            bits |= (digit(octets[0]) << 4 | digit(octets[1])) << (16 - 8 * count);
        for (int i = 0; i <= count; i++)
            four[i] = letters[bits >> (18 - 6 * i) & 63];
        oc_text_append(page, four, sizeof four);
    }
}

/* Writes the colours of the page, and those of its pictures that differ in light and dark. */
static void write_theme_colours(oc_text *page, const oc_report *report, const oc_theme *theme,
                                int which)
{
    const struct {
        const char *name;
        uint32_t colour;
    } colours[] = {{"paper", theme->paper},  {"ink", theme->ink},   {"muted", theme->muted},
                   {"rule", theme->rule},    {"node", theme->node}, {"border", theme->border},
                   {"accent", theme->accent}};
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        oc_text_format(page, "--%s: #%06x; ", colours[i].name, (unsigned)colours[i].colour);
    for (size_t i = 0; i < report->pairs.count; i++) {
        oc_text_format(page, "--c%zu: ", i);
        oc_colour_write(page, report->pairs.pairs[i][which]);
        oc_text_add(page, "; ");
    }
}

/* Where light or dark is the reader's choice, a switch comes before what the system prefers. */
static void write_colours(oc_text *page, const oc_report *report)
{
    const oc_theme *dark = oc_theme_get(OCELOTL_THEME_DARK);
    oc_text_add(page, ":root { ");
    write_theme_colours(page, report, report->picture->theme, 0);
    oc_text_add(page, "}\n");
    if (!report->reader)
        return;
    oc_text_add(page, "@media screen and (prefers-color-scheme: dark) {\n");
    oc_text_add(page, ":root:not([data-theme=light]) { ");
    write_theme_colours(page, report, dark, 1);
    oc_text_add(page, "}\n}\n@media screen {\n:root[data-theme=dark] { ");
    write_theme_colours(page, report, dark, 1);
    oc_text_add(page, "}\n}\n");
}

/* The attribute that hides a level: without its script a page shows only the first. */
static const char *hidden(const oc_report *report, size_t level)
{
    return level == report->start ? "" : " hidden";
}

static void write_levels(oc_text *page, const oc_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        oc_text_format(page, "<div class=\"level\" data-level=\"%zu\"%s>\n", i, hidden(report, i));
        oc_text_append(page, report->levels[i].picture.bytes, report->levels[i].picture.length);
        oc_text_add(page, "</div>\n");
    }
}

static void write_parameters(oc_text *page, const oc_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        oc_text_format(page, "<dl data-level=\"%zu\"%s>\n", i, hidden(report, i));
        oc_text_append(page, report->levels[i].entries.bytes, report->levels[i].entries.length);
        oc_text_add(page, "</dl>\n");
    }
}

static void write_legend_entry(oc_text *page, const oc_report *report, const oc_legend *legend,
                               const oc_legend_entry *entry)
{
    const bool type = entry->kind == OC_LEGEND_TYPE;
    const ocelotl_type_tree *tree = report->picture->tree;
    oc_text groups = {0};
    oc_text_add(page, type ? "<button type=\"button\" aria-pressed=\"false\"" : "<span");
    oc_text_add(page, " title=\"");
    add_clean(page, oc_legend_string(legend, entry->tooltip));
    oc_text_format(page, "\"><span class=\"swatch %s\" style=\"background-color:", look_of(entry));
    oc_colour_write(page, entry->look.fill);
    oc_text_add(page, "\"></span>");
    if (tree != NULL && type)
        oc_legend_add_groups(&groups, tree, entry->group, OCELOTL_NONE);
    if (groups.length > 0) {
        oc_text_add(page, "<small>");
        add_clean(page, groups.bytes);
        oc_text_add(page, "</small>");
    }
    oc_text_add(page, "<bdi>");
    add_clean(page, oc_legend_string(legend, entry->name));
    oc_text_add(page, type ? "</bdi></button>\n" : "</bdi></span>\n");
    page->failed = page->failed || groups.failed;
    oc_text_free(&groups);
}

static void write_legends(oc_text *page, const oc_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const oc_legend *legend = &report->levels[i].shown.legend;
        oc_text_format(page, "<div class=\"types\" data-level=\"%zu\"%s>\n", i, hidden(report, i));
        for (size_t k = 0; k < legend->count; k++)
            write_legend_entry(page, report, legend, &legend->entries[k]);
        oc_text_add(page, "</div>\n");
    }
}

static void write_explained(oc_text *page, const oc_report *report)
{
    add_clean(page, report->picture->explained != NULL ? report->picture->explained : "");
}

/* What the script shows of the whole. */
static void write_shares(oc_text *page, const oc_report *report)
{
    const oc_shown *shown = &report->levels[report->start].shown;
    for (uint32_t i = 0; i < report->types; i++) {
        const oc_type_summary *type = &shown->types[shown->order[i]];
        oc_text_add(page, "<tr><th scope=\"row\">");
        add_clean(page, type->type.name);
        oc_text_add(page, "</th><td>");
        oc_percent_add(page, type->share);
        oc_text_add(page, "</td></tr>\n");
    }
}

static void write_command(oc_text *page, const oc_report *report)
{
    add_clean(page, report->picture->command != NULL ? report->picture->command : "");
}

/* Says why a level may be missing here. */
static void write_notes(oc_text *page, const oc_report *report)
{
    size_t coarse = 0;
    for (size_t i = 0; i < report->count; i++)
        coarse += report->levels[i].smallest > report->picture->smallest;
    if (report->left_out > 0)
        oc_text_format(page,
                       "<p class=\"note\">%zu of %zu levels that stand for a plateau are left out, "
                       "those of the "
                       "narrowest plateaus, to keep the page small; --p draws each of them.</p>\n",
                       report->left_out, report->left_out + report->count);
    if (coarse > 0)
        oc_text_format(page,
                       "<p class=\"note\">In %zu of %zu levels more parts are drawn together than "
                       "--smallest asks "
                       "for, to keep the page small.</p>\n",
                       coarse, report->count);
    if (report->types < report->levels[report->start].shown.type_count)
        oc_text_format(page,
                       "<p class=\"note\">Types beyond the %u largest are told as others.</p>\n",
                       report->types);
}

static void write_data(oc_text *page, const oc_report *report)
{
    if (write_all(page, report, false) != OCELOTL_OK)
        page->failed = true;
}

ocelotl_status oc_page_write_file(oc_text *page, const char *file, const oc_report *report)
{
    const char *theme = report->picture->theme->name;
    /* What one of both pages alone has is between its name and the end. */
    const char *left_out = report->count > 0 ? "{{served}}" : "{{report}}";
    /* What stands for a name: a text, or what its writer appends. */
    const struct {
        const char *name, *text;
        void (*write)(oc_text *page, const oc_report *report);
    } places[] = {
        {"title", NULL, write_title},
        {"policy", NULL, write_policy},
        {"theme", report->reader ? "reader" : theme, NULL},
        {"scheme", report->reader ? "light dark" : theme, NULL},
        {"colours", NULL, write_colours},
        {"style", oc_page_style, NULL},
        {"script", oc_report_script, NULL},
        {"levels", NULL, write_levels},
        {"legends", NULL, write_legends},
        {"explained", NULL, write_explained},
        {"shares", NULL, write_shares},
        {"curves", report->curves.length > 0 ? report->curves.bytes : "", NULL},
        {"parameters", NULL, write_parameters},
        {"command", NULL, write_command},
        {"notes", NULL, write_notes},
        {"data", NULL, write_data},
        {"version", OCELOTL_VERSION, NULL},
        {"served", "", NULL},
        {"report", "", NULL},
        {"end", "", NULL},
    };
    const size_t count = sizeof places / sizeof places[0];
    const char *rest = file;
    const char *open;
    while ((open = strstr(rest, "{{")) != NULL) {
        const bool out = strncmp(open, left_out, strlen(left_out)) == 0;
        const char *end = out ? "{{end}}" : "}}";
        const char *close = strstr(open, end);
        size_t i = 0;
        if (close == NULL)
            break;
        oc_text_append(page, rest, (size_t)(open - rest));
        rest = close + strlen(end);
        if (out)
            continue;
        const size_t length = (size_t)(close - open - 2);
        while (i < count &&
               (strlen(places[i].name) != length || memcmp(places[i].name, open + 2, length) != 0))
            i++;
        if (i == count)
            return oc_fail(OCELOTL_ERROR_INTERNAL,
                           "the page of reports has an unknown name \"%.*s\"", (int)length,
                           open + 2);
        if (places[i].write != NULL)
            places[i].write(page, report);
        else
            oc_text_add(page, places[i].text);
    }
    oc_text_add(page, rest);
    return page->failed ? oc_fail_memory() : OCELOTL_OK;
}
