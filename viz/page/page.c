/* Fills the page of viz/report: {{name}} in it stands for what a writer of that name appends. */
#include "viz/page/report.h"

#include "viz/scene/svg_elements.h"
#include "viz/words/words.h"

#include <string.h>

static void add_clean(oc_text *page, const char *string)
{
    oc_text clean = {0};
    oc_clean_add_whole(&clean, string, false);
    page->failed = page->failed || clean.failed;
    if (clean.length > 0)
        oc_svg_add_escaped(page, clean.bytes);
    oc_text_free(&clean);
}

static void write_title(oc_text *page, const oc_report *report)
{
    const char *title = report->picture->title;
    add_clean(page, title != NULL && title[0] != '\0' ? title : report->info.name);
}

static void write_version(oc_text *page, const oc_report *report)
{
    (void)report;
    add_clean(page, OCELOTL_VERSION);
}

/* The value of a hexadecimal digit in lower case. */
static unsigned digit(char character)
{
    return (unsigned)(character <= '9' ? character - '0' : character - 'a' + 10);
}

/* Hexadecimal octets as base64 (RFC 4648), which the policy takes digests in. */
static void add_base64(oc_text *page, const char *octets)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (*octets != '\0') {
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

static void write_policy(oc_text *page, const oc_report *report)
{
    (void)report;
    oc_text_add(page, "sha256-");
    add_base64(page, oc_report_script_digest);
}

static void write_theme(oc_text *page, const oc_report *report)
{
    oc_text_add(page, report->reader ? "reader" : report->picture->theme->name);
}

static void write_scheme(oc_text *page, const oc_report *report)
{
    oc_text_add(page, report->reader ? "light dark" : report->picture->theme->name);
}

/* The colours of the page, and of its pictures those that are not the same in light and dark. */
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

static void write_colours(oc_text *page, const oc_report *report)
{
    oc_text_format(page, ":root { --wide: %dpx; ", (int)report->picture->width);
    write_theme_colours(page, report, report->picture->theme, 0);
    oc_text_add(page, "}\n");
    if (!report->reader)
        return;
    oc_text_add(page, "@media (prefers-color-scheme: dark) {\n:root { ");
    write_theme_colours(page, report, oc_theme_get(OCELOTL_THEME_DARK), 1);
    oc_text_add(page, "}\n}\n");
}

static void write_style(oc_text *page, const oc_report *report)
{
    (void)report;
    oc_text_add(page, oc_report_style);
}

static void write_script(oc_text *page, const oc_report *report)
{
    (void)report;
    oc_text_add(page, oc_report_script);
}

static void write_start(oc_text *page, const oc_report *report)
{
    oc_text_format(page, "%zu", report->start);
}

static void write_last(oc_text *page, const oc_report *report)
{
    oc_text_format(page, "%zu", report->count - 1);
}

/* Without its script a page shows the first level alone. */
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

static void write_curves(oc_text *page, const oc_report *report)
{
    oc_text_append(page, report->curves.bytes, report->curves.length);
}

static void write_parameters(oc_text *page, const oc_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        oc_text_format(page, "<dl data-level=\"%zu\"%s>\n", i, hidden(report, i));
        oc_text_append(page, report->levels[i].entries.bytes, report->levels[i].entries.length);
        oc_text_add(page, "</dl>\n");
    }
}

static void write_command(oc_text *page, const oc_report *report)
{
    if (report->picture->command == NULL || report->picture->command[0] == '\0')
        return;
    oc_text_add(page, "<h3>Command</h3>\n<pre tabindex=\"0\"><code>");
    add_clean(page, report->picture->command);
    oc_text_add(page, "</code></pre>\n");
}

static size_t count_coarse(const oc_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->levels[i].smallest > report->picture->smallest;
    return count;
}

/* What somebody has to know who looks for a level that is not here. */
static void write_notes(oc_text *page, const oc_report *report)
{
    const size_t coarse = count_coarse(report);
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
    if (oc_report_write_data(page, report) != OCELOTL_OK)
        page->failed = true;
}

static const struct {
    const char *name;
    void (*write)(oc_text *page, const oc_report *report);
} writers[] = {
    {"title", write_title},     {"policy", write_policy},   {"theme", write_theme},
    {"scheme", write_scheme},   {"colours", write_colours}, {"style", write_style},
    {"script", write_script},   {"start", write_start},     {"last", write_last},
    {"levels", write_levels},   {"curves", write_curves},   {"parameters", write_parameters},
    {"command", write_command}, {"notes", write_notes},     {"data", write_data},
    {"version", write_version},
};

static ocelotl_status write_named(oc_text *page, const oc_report *report, const char *name,
                                  size_t length)
{
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (strlen(writers[i].name) == length && memcmp(writers[i].name, name, length) == 0) {
            writers[i].write(page, report);
            return OCELOTL_OK;
        }
    }
    return oc_fail(OCELOTL_ERROR_INTERNAL, "the page of reports has an unknown name \"%.*s\"",
                   (int)length, name);
}

ocelotl_status oc_report_write_page(oc_text *page, const oc_report *report)
{
    const char *rest = oc_report_page;
    const char *open;
    while ((open = strstr(rest, "{{")) != NULL) {
        const char *close = strstr(open, "}}");
        if (close == NULL)
            break;
        oc_text_append(page, rest, (size_t)(open - rest));
        OC_TRY(write_named(page, report, open + 2, (size_t)(close - open - 2)));
        rest = close + 2;
    }
    oc_text_add(page, rest);
    return page->failed ? oc_fail_memory() : OCELOTL_OK;
}
