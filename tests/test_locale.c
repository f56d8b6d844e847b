/* A program that embeds the library may have set a locale with decimal commas, and one whose small
 * I is not i: what is written has the same bytes, what is read the same numbers, and the program's
 * locale stays. */
#include "test_viz_trace.h"

#include "base/plain.h"

#include <locale.h>

/* In the order of making, each with the suffix of its kind. */
static const char *const files[] = {"overview.svg", "overview.PDF", "overview.png",
                                    "report.html",  "gantt.svg",    "bars.svg",
                                    "curves.svg",   "matrix.svg",   "said.txt"};

enum { FILES = sizeof files / sizeof files[0] };

static const char *name_of(const char *locale, const char *file)
{
    char name[100];
    snprintf(name, sizeof name, "%s-%s", locale, file);
    return temporary_path(name);
}

/* --- Locales, made where they are not installed */

static bool make_locale(const char *source, const char *name)
{
    char command[3000];
    snprintf(command, sizeof command,
             "localedef -c -i %s -f UTF-8 --no-archive '%s/%s' >/dev/null 2>&1", source,
             temporary_folder, name);
    const int code = system(command);
    return code != -1 && setlocale(LC_ALL, name) != NULL;
}

static void remove_locales(void)
{
    char command[3000];
    snprintf(command, sizeof command, "rm -rf '%s'/*.UTF-8", temporary_folder);
    CHECK(system(command) == 0);
}

/* --- What a program asks for */

static void draw_partition(const char *locale, ocelotl_model *model, bool levels_too)
{
    ocelotl_levels *levels = NULL;
    OWN_AGGREGATION *aggregation = must_aggregate(model, NULL);
    ocelotl_partition *partition = must_solve(aggregation, 0.25);
    for (int i = 0; i < 3 && levels_too; i++)
        MUST_DRAW(name_of(locale, files[i]), ocelotl_overview_draw, partition, NULL);
    if (levels_too) {
        levels = must_find_levels(aggregation, NULL);
        ocelotl_buffer page = {0};
        const ocelotl_sink sink = ocelotl_buffer_sink(&page);
        CHECK_OK(ocelotl_report_draw(&sink, aggregation, levels, (double)NAN, NULL));
        temporary_write(name_of(locale, "report.html"), page.bytes, page.size);
        ocelotl_buffer_free(&page);
        MUST_DRAW(name_of(locale, "curves.svg"), ocelotl_curves_draw, levels, aggregation, 0.25,
                  NULL);
        CHECK(ocelotl_solve(&partition, aggregation, 1.5) == OCELOTL_ERROR_ARGUMENT);
    } else {
        MUST_DRAW(name_of(locale, "matrix.svg"), ocelotl_overview_draw, partition, NULL);
    }
    ocelotl_levels_free(levels);
    ocelotl_partition_free(partition);
}

static void draw_trace(FILE *said, const char *locale, ocelotl_trace *trace)
{
    static const char *const conditions[] = {"size >= 1.5"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_statistics_options wanted = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics = NULL;
    options.slices = 16;
    OWN_MODEL *model = must_build(trace, &options);
    draw_partition(locale, model, true);
    fprintf(said, "%s\n", ocelotl_error_message());
    OWN_DRAWABLES *drawables = must_find_drawables(trace, NULL);
    MUST_DRAW(name_of(locale, "gantt.svg"), ocelotl_gantt_draw, trace, drawables, NULL);
    wanted.selection.min_duration = 3;
    wanted.selection.where = (ocelotl_names){conditions, 1};
    const ocelotl_status status = ocelotl_statistics_compute(&statistics, trace, &wanted);
    fprintf(said, "%d %s\n", (int)status, ocelotl_error_message());
    wanted.selection.where = (ocelotl_names){NULL, 0};
    if (status != OCELOTL_OK)
        statistics = must_sum(trace, &wanted);
    fprintf(said, "%s\n", ocelotl_statistics_info_of(statistics).filters);
    MUST_DRAW(name_of(locale, "bars.svg"), ocelotl_statistics_draw, trace, statistics, NULL);
    ocelotl_statistics_free(statistics);
}

static void ask(FILE *said, ocelotl_trace *trace)
{
    OWN_QUERY *query = NULL;
    bool found = true;
    CHECK_OK(ocelotl_query_open(
        &query, trace,
        "SELECT resource, value, begin, CAST(begin AS TEXT), '0.5' + 1, printf('%.2f', end), "
        "attributes FROM events ORDER BY 1, 3, 2"));
    while (found) {
        CHECK_OK(ocelotl_query_next(&found, query));
        for (uint32_t c = 0; found && c < ocelotl_query_column_count(query); c++) {
            char number[40];
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            oc_plain_print(number, sizeof number, "%.17g", cell.number);
            fprintf(said, "%s|%s ", cell.text, number);
        }
        fprintf(said, "\n");
    }
}

/* A trace and a matrix as text: times, values and durations have points in them, the title of a
 * column an I. */
static void read_texts(FILE *said, const char *locale)
{
    static const char trace[] =
        "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name "
        "string\n%EndEventDef\n"
        "%EventDef PajeDefineVariableType 1\n% Alias string\n% Type string\n% Name "
        "string\n%EndEventDef\n"
        "%EventDef PajeCreateContainer 2\n% Time date\n% Alias string\n% Type string\n% Container "
        "string\n"
        "% Name string\n%EndEventDef\n"
        "%EventDef PajeSetVariable 3\n% Time date\n% Type string\n% Container string\n% Value "
        "double\n%EndEventDef\n"
        "0 N 0 Node\n1 V N load\n2 0.125 n N 0 n\n3 0.25 V n 1.5\n3 1.75 V n 2.25e-3\n3 2.5 V n "
        "7\n";
    static const char matrix[] =
        "path,type,slice,value\na,x,0,1.25\na,x,1,2e-1\na,y,1,0.0625\nb,x,0,3.5\n";
    static const char palette[] = "name,colour\nx,LIGHTPINK\ny,#FFAA00\n";
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    OWN_MODEL *model = NULL;
    options.overwrite = true;
    temporary_write(temporary_path("text.trace"), trace, sizeof trace - 1);
    temporary_write(temporary_path("text.csv"), matrix, sizeof matrix - 1);
    temporary_write(temporary_path("palette.csv"), palette, sizeof palette - 1);
    CHECK_OK(ocelotl_import(temporary_path("text.db"), temporary_path("text.trace"), &options));
    ocelotl_trace *made = must_open(temporary_path("text.db"));
    ask(said, made);
    ocelotl_trace_free(made);
    CHECK_OK(ocelotl_model_from_csv(&model, temporary_path("text.csv")));
    draw_partition(locale, model, false);
    ocelotl_palette *colours = NULL;
    fprintf(said, "%d %s\n", (int)ocelotl_palette_read(&colours, temporary_path("palette.csv")),
            colours == NULL ? strrchr(ocelotl_error_message(), '/') : "");
    ocelotl_palette_free(colours);
}

static void run(const char *locale, const char *database)
{
    ocelotl_trace *trace = NULL;
    struct lconv *numbers = localeconv();
    const char point = numbers->decimal_point[0];
    FILE *said = fopen(name_of(locale, "said.txt"), "wb");
    CHECK(said != NULL);
    CHECK_OK(ocelotl_trace_open_as(&trace, database, "trace.db"));
    draw_trace(said, locale, trace);
    ask(said, trace);
    ocelotl_trace_free(trace);
    read_texts(said, locale);
    CHECK(fclose(said) == 0);
    CHECK(localeconv()->decimal_point[0] == point);
}

static void compare(const char *locale)
{
    for (int i = 0; i < FILES; i++) {
        oc_text wanted = read_whole(name_of("C", files[i]));
        oc_text found = read_whole(name_of(locale, files[i]));
        const bool same =
            wanted.length == found.length && memcmp(wanted.bytes, found.bytes, wanted.length) == 0;
        if (!same)
            fprintf(stderr, "%s is not the same in the locale %s\n", files[i], locale);
        CHECK(same && wanted.length > 0);
        oc_text_free(&wanted);
        oc_text_free(&found);
    }
}

static void test_plain(void)
{
    char text[40], *end = NULL;
    CHECK(oc_plain_print(text, sizeof text, "%.2f %d", 0.5, 7) == 6);
    CHECK_TEXT(text, "0.50 7");
    CHECK(oc_plain_number("1.5x", &end) == 1.5 && strcmp(end, "x") == 0);
    CHECK(oc_same_letters("SIZE.Inf", "size.iNF") && !oc_same_letters("size", "sizes") &&
          !oc_same_letters("a", "b"));
    CHECK(oc_same_first_letters("TITLE and", "title", 5) &&
          !oc_same_first_letters("TITL", "title", 5));
}

int main(void)
{
    static const char *const sources[][2] = {{"de_DE", "de_DE.UTF-8"}, {"tr_TR", "tr_TR.UTF-8"}};
    char database[1400];
    int tried = 0;
    temporary_begin();
    setenv("LOCPATH", temporary_folder, 1);
    snprintf(database, sizeof database, "%s", temporary_path("trace.db"));
    viz_trace_write(database);
    run("C", database);
    test_plain();
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (!make_locale(sources[i][0], sources[i][1]))
            continue;
        tried++;
        CHECK(localeconv()->decimal_point[0] == ',');
        test_plain();
        run(sources[i][1], database);
        CHECK_TEXT(setlocale(LC_ALL, NULL), sources[i][1]);
        compare(sources[i][1]);
    }
    remove_locales();
    return tried > 0 ? 0 : CHECK_SKIPPED;
}
