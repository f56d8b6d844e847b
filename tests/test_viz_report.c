/* The page of a report: with any names it is well-formed, its data are JSON that cannot be read as
 * HTML, and it stays small. */
#include "temporary.h"

#include "base/memory.h"
#include "viz/page/report.h"
#include "viz/scene/scene.h"
#include "viz/words/words.h"

/* Decodes a JSON string without its quotes into *length octets. */
static char *read_json_string(const char *json, size_t *length)
{
    char *text = NULL;
    CHECK_OK(oc_allocate(&text, strlen(json) + 1, 1));
    *length = 0;
    for (const char *at = json + 1; at[1] != '\0'; at++) {
        unsigned code = (unsigned char)*at;
        CHECK(code >= 0x20 && code != 0x7F && strchr("\"<>&'", *at) == NULL);
        CHECK(strncmp(at, "\xE2\x80\xA8", 3) != 0 && strncmp(at, "\xE2\x80\xA9", 3) != 0);
        if (*at != '\\') {
            text[(*length)++] = *at;
            continue;
        }
        CHECK(at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1);
        at += 5;
        if (code < 0x80) {
            text[(*length)++] = (char)code;
        } else {
            text[(*length)++] = (char)(0xE0 | code >> 12);
            text[(*length)++] = (char)(0x80 | (code >> 6 & 0x3F));
            text[(*length)++] = (char)(0x80 | (code & 0x3F));
        }
    }
    return text;
}

static void check_string(const char *string)
{
    oc_json page = {.for_page = true};
    oc_text clean = {0};
    size_t length = 0;
    oc_clean_add(&clean, string, true);
    oc_report_add_text(&page, NULL, string);
    oc_text json = page.out.text;
    CHECK(!json.failed && !clean.failed);
    CHECK(json.bytes[0] == '"' && json.bytes[json.length - 1] == '"' && json.length >= 2);
    char *read = read_json_string(json.bytes, &length);
    CHECK(length == clean.length && (length == 0 || memcmp(read, clean.bytes, length) == 0));
    free(read);
    oc_text_free(&json);
    oc_text_free(&clean);
}

static void test_strings(void)
{
    static const char *const pieces[] = {
        "</script>", "<!--", "-->",  "]]>",  "\"", "\\", "\\u",      "\n", "\x01", "\x7F", "\u2028",
        "\u2029",    "\xE2", "\x80", "\xFF", "'",  "&",  "\xC3\xA9", "a",  "{{",   "}}"};
    const size_t count = sizeof pieces / sizeof pieces[0];
    uint64_t state = 5;
    check_string("");
    for (int round = 0; round < 3000; round++) {
        char string[256] = "";
        for (uint64_t i = 0; i < 1 + (uint64_t)round % 12; i++) {
            strcat(string, pieces[check_below(&state, (uint32_t)count)]);
        }
        check_string(string);
    }
}

static void draw_scene(oc_scene *scene, uint32_t paper, double width, const char *text)
{
    const oc_rectangle rectangle = {.width = width,
                                    .height = 5,
                                    .fill = paper,
                                    .opacity = 1,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = 0x123456};
    oc_scene_begin(scene, 100, 50, paper, "scene");
    oc_scene_rectangle(scene, &rectangle, NULL);
    oc_scene_label(scene, &(oc_label){.size = 11, .colour = paper ^ 0xFFFFFF}, text, NULL);
    CHECK_OK(oc_scene_status(scene));
}

/* The colours of two scenes become one for both; scenes that differ otherwise stay as they are. */
static void check_pair(double width, const char *text, bool expected)
{
    oc_colour_pairs pairs = {0};
    oc_scene light = {0}, dark = {0};
    oc_text colour = {0};
    bool paired;
    draw_scene(&light, 0xFFFFFF, 20, "text");
    draw_scene(&dark, 0x000000, width, text);
    CHECK_OK(oc_scene_pair(&paired, &light, &dark, &pairs));
    CHECK(paired == expected);
    CHECK(pairs.count == (expected ? 2 : 0));
    oc_colour_write(&colour, light.background);
    CHECK_TEXT(colour.bytes, expected ? "var(--c0)" : "#ffffff");
    CHECK((light.items[0].as.rectangle.fill == light.background) &&
          light.items[0].as.rectangle.hatch == 0x123456);
    CHECK(light.items[0].as.rectangle.stroke == OC_COLOUR_NONE);
    oc_text_free(&colour);
    oc_scene_free(&light);
    oc_scene_free(&dark);
    oc_colour_pairs_free(&pairs);
}

static void test_pairs(void)
{
    check_pair(20, "text", true);
    check_pair(21, "text", false);
    check_pair(20, "tent", false);
}

/* A model of few cells whose names are given. */
static ocelotl_model *model_of(const char *const names[3], const char *const types[2],
                               uint32_t slices)
{
    static const uint32_t parents[] = {OCELOTL_ROOT, 0, 0};
    ocelotl_cell *cells = NULL;
    CHECK_OK(oc_allocate(&cells, 2 * (size_t)slices, sizeof *cells));
    for (uint32_t slice = 0; slice < slices; slice++)
        for (uint32_t leaf = 0; leaf < 2; leaf++)
            cells[2 * slice + leaf] =
                (ocelotl_cell){1 + leaf, (slice / 3 + leaf) % 2, slice, 1 + slice % 7};
    ocelotl_model *model =
        must_take_cells(names[0], 3, parents, names, 2, types, slices, cells, 2 * (size_t)slices);
    free(cells);
    return model;
}

static char *write_report(const ocelotl_model *model, ocelotl_kind kind, double p,
                          const ocelotl_picture_options *options)
{
    ocelotl_aggregation_options measures = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_buffer page = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&page);
    measures.kind = kind;
    ocelotl_aggregation *aggregation = must_aggregate(model, &measures);
    ocelotl_levels *levels = must_find_levels(aggregation, NULL);
    CHECK_OK(ocelotl_report_draw(&sink, aggregation, levels, p, options));
    ocelotl_levels_free(levels);
    ocelotl_aggregation_free(aggregation);
    CHECK(strlen(page.bytes) == page.size);
    return page.bytes;
}

/* The open elements of a page, by name. */
typedef struct open_elements {
    char names[64][24];
    size_t count;
} open_elements;

static bool is_void(const char *name)
{
    static const char *const names[] = {"!DOCTYPE", "meta", "input", "link", "img", "br", "hr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The end of a tag, beyond attributes in quotes. */
static const char *end_of_tag(const char *at)
{
    char quote = '\0';
    for (at++; *at != '\0' && (quote != '\0' || *at != '>'); at++) {
        if (quote == '\0' && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == quote)
            quote = '\0';
        CHECK(*at != '<' || quote != '\0');
    }
    CHECK(*at == '>');
    return at;
}

/* Reads a tag at '<' and returns what follows it; for scripts and styles, what follows their raw
 * text. */
static const char *read_tag(const char *at, open_elements *open)
{
    char name[24] = "";
    const bool closing = at[1] == '/';
    const size_t length = strcspn(at + 1 + closing, " \t\n/>");
    CHECK(length > 0 && length < sizeof name);
    memcpy(name, at + 1 + closing, length);
    const char *end = end_of_tag(at);
    if (closing) {
        CHECK(open->count > 0);
        CHECK_TEXT(open->names[open->count - 1], name);
        open->count--;
    } else if (end[-1] != '/' && !is_void(name)) {
        CHECK(open->count < 64);
        strcpy(open->names[open->count++], name);
        if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0)
            end = strstr(end, strcmp(name, "script") == 0 ? "</script" : "</style") - 1;
    }
    CHECK(end != NULL);
    return end + 1;
}

/* Every element is closed in its turn, and nothing is left open. */
static void check_well_formed(const char *page)
{
    open_elements open = {0};
    for (const char *at = page; *at != '\0';) {
        if (*at == '<')
            at = read_tag(at, &open);
        else
            at++;
    }
    CHECK(open.count == 0);
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        count++;
    return count;
}

/* Names of a trace add no elements to a page. */
static void check_page(const char *page)
{
    check_well_formed(page);
    CHECK(count_of(page, "<script") == 2 && count_of(page, "</script") == 2);
    CHECK(count_of(page, "<style") == 1 && count_of(page, "<!--") == 0);
    CHECK(count_of(page, "<metadata") == 0); /* its elements have names that HTML knows */
    CHECK(count_of(page, "Content-Security-Policy") == 1);
    CHECK(count_of(page, "{{") == count_of(page, "{{x}}"));
    CHECK(count_of(page, "<img") == 0);
}

static void test_hostile(void)
{
    static const char *const names[3] = {"</script><!--<script>{{x}}",
                                         "\"'><img src=x onerror=alert(1)>\xE2\x80\xA8",
                                         "</svg></title>\xFF\x01&lt;"};
    static const char *const types[2] = {"</style></script>]]>", "<!-- {{x}} & '\""};
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    options.title = "</title><script>{{x}}<!--";
    options.command = "ocelotl-cli '</code></pre><script>'";
    for (int kind = OCELOTL_SPATIOTEMPORAL; kind <= OCELOTL_TEMPORAL; kind++) {
        for (size_t view = 0; view < ocelotl_view_count(); view++) {
            if (ocelotl_view_at(view).kind != (ocelotl_kind)kind)
                continue;
            ocelotl_model *model = model_of(names, types, 24);
            options.view = ocelotl_view_at(view).name;
            char *page = write_report(model, (ocelotl_kind)kind, (double)NAN, &options);
            check_page(page);
            CHECK(strstr(page, "ocelotl-cli &#39;&lt;/code&gt;") != NULL);
            CHECK(strstr(page, " data-part=\"1\"") != NULL);
            free(page);
            ocelotl_model_free(model);
        }
    }
}

/* Names that two pictures of one page would share are kept apart. */
static void test_one_name_each(void)
{
    static const char *const names[3] = {"all", "a", "b"};
    static const char *const types[2] = {"x", "y"};
    ocelotl_model *model = model_of(names, types, 40);
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    options.smallest = 100; /* types that are merged are hatched */
    options.height = 330;
    char *page = write_report(model, OCELOTL_TEMPORAL, (double)NAN, &options);
    CHECK(count_of(page, "<pattern") >= 2);
    for (const char *at = strstr(page, " id=\""); at != NULL; at = strstr(at + 1, " id=\"")) {
        char id[64] = "";
        memcpy(id, at, strcspn(at + 5, "\"") + 6);
        CHECK(count_of(page, id) == 1);
    }
    free(page);
    ocelotl_model_free(model);
}

/* The start is the level of p. A wrong request fails and leaves no file. */
static void test_choice(void)
{
    static const char *const names[3] = {"all", "a", "b"};
    static const char *const types[2] = {"x", "y"};
    ocelotl_model *model = model_of(names, types, 40);
    char *page = write_report(model, OCELOTL_SPATIOTEMPORAL, 1, NULL);
    CHECK(strstr(page, "\"start\":0") == NULL);
    free(page);
    page = write_report(model, OCELOTL_SPATIOTEMPORAL, 0, NULL);
    CHECK(strstr(page, "\"start\":0") != NULL);
    free(page);
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    CHECK_REFUSED(ocelotl_report_check("page.svg", OCELOTL_TEMPORAL, NULL), ".html");
    CHECK_REFUSED(ocelotl_report_check("html", OCELOTL_TEMPORAL, NULL), ".html");
    CHECK_REFUSED(ocelotl_report_check("page.html", OCELOTL_SPATIAL, NULL), "spatial");
    CHECK_OK(ocelotl_report_check("page.HTML", OCELOTL_TEMPORAL, NULL));
    options.width = 1;
    CHECK_REFUSED(ocelotl_report_check("page.html", OCELOTL_TEMPORAL, &options), "width");
    ocelotl_model_free(model);
}

/* With noise in many resources and slices, every part is a cell; the page stays bounded. */
static void test_large(void)
{
    enum { LEAVES = 300, SLICES = 100 };
    static uint32_t parents[LEAVES + 1];
    static ocelotl_cell cells[LEAVES * SLICES];
    static const char *const types[2] = {"x", "y"};
    uint64_t state = 1;
    parents[0] = OCELOTL_ROOT;
    for (uint32_t i = 0; i < LEAVES * SLICES; i++) {
        cells[i] = (ocelotl_cell){1 + i / SLICES, check_below(&state, 2), i % SLICES,
                                  (double)(check_random(&state) >> 40)};
    }
    ocelotl_model *model =
        must_take_cells(NULL, LEAVES + 1, parents, NULL, 2, types, SLICES, cells, LEAVES * SLICES);
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    options.width = 1600;
    options.height = 1600;
    options.smallest = 1;
    char *page = write_report(model, OCELOTL_SPATIOTEMPORAL, 0, &options);
    CHECK(strlen(page) < OC_REPORT_SIZE_MOST + (1 << 20));
    CHECK(strstr(page, "more parts are drawn together") != NULL);
    free(page);
    ocelotl_model_free(model);
}

/* The page lists 400 types; sums and shares of the other three are added up. */
static void test_many_types(void)
{
    enum { TYPES = 403 };
    static const uint32_t parents[] = {OCELOTL_ROOT, 0};
    static char names[TYPES][12];
    static const char *types[TYPES];
    static ocelotl_cell cells[TYPES];
    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(names[i], sizeof names[i], "type %u", i);
        types[i] = names[i];
        cells[i] = (ocelotl_cell){1, i, 0, 1};
    }
    ocelotl_model *model = must_take_cells(NULL, 2, parents, NULL, TYPES, types, 1, cells, TYPES);
    char *page = write_report(model, OCELOTL_SPATIOTEMPORAL, 0.5, NULL);
    CHECK(strstr(page, "[\"3 others\",") != NULL);
    CHECK(strstr(page, ",1,1,3]]") != NULL);        /* sums of the slice */
    CHECK(strstr(page, "399,1,400,3],0,") != NULL); /* shares, and the number of the part */
    free(page);
    ocelotl_model_free(model);
}

int main(void)
{
    temporary_begin();
    /* The text must not end the element around it. */
    CHECK(strstr(oc_report_script, "</script") == NULL && strstr(oc_report_script, "<!--") == NULL);
    CHECK(strstr(oc_page_style, "</style") == NULL);
    /* a browser would change it, and with it the digest */
    CHECK(strchr(oc_report_script, '\r') == NULL);
    test_strings();
    test_pairs();
    test_hostile();
    test_one_name_each();
    test_choice();
    test_large();
    test_many_types();
    return 0;
}
