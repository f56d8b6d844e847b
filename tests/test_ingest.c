/* What a decoder gives the ingest is in the trace: a decoder of lines with all that it holds, and
 * random states that nest by parent, run in parallel or replace each other, against a model. */
#include "temporary.h"

#include "importers/ingest/ingest.h"

extern const oc_importer oc_steps_importer;

enum { SPANS = 300, ROWS = 3, NUMBER = 32 };

/* Imports texts as the sources of a trace. */
static ocelotl_status import_texts(const char *const *texts, size_t count, bool lenient)
{
    static const char *const nodes[] = {"left", "right"};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    oc_source sources[2] = {{0}};
    oc_import import = {.sources = sources,
                        .source_count = count,
                        .nodes = nodes,
                        .target = temporary_path("steps.db"),
                        .name = "steps",
                        .source_path = "steps",
                        .options = &options};
    options.overwrite = true;
    options.lenient = lenient;
    for (size_t i = 0; i < count; i++) {
        const char *path = temporary_path(i == 0 ? "a.steps" : "b.steps");
        temporary_write(path, texts[i], strlen(texts[i]));
        CHECK_OK(oc_source_open(&sources[i], path, &options));
        CHECK(oc_steps_importer.recognises(&sources[i]) == OC_SURE);
        CHECK_OK(oc_source_rewind(&sources[i]));
    }
    const ocelotl_status status = oc_steps_importer.import(&import);
    for (size_t i = 0; i < count; i++)
        oc_source_close(&sources[i]);
    return status;
}

/* Whether SQL over the events gives a text. */
static void says(const char *sql, const char *expected)
{
    bool found;
    ocelotl_query *query;
    ocelotl_trace *trace = must_open(temporary_path("steps.db"));
    CHECK_OK(ocelotl_query_open(&query, trace, sql));
    CHECK_OK(ocelotl_query_next(&found, query));
    const char *text = found ? ocelotl_query_cell_at(query, 0).text : NULL;
    if (text == NULL || strcmp(text, expected) != 0)
        fprintf(stderr, "%s: \"%s\", expected \"%s\"\n", sql, text != NULL ? text : "", expected);
    CHECK(text != NULL && strcmp(text, expected) == 0);
    ocelotl_query_free(query);
    ocelotl_trace_free(trace);
}

static void check_decoder(void)
{
    const char *const texts[] = {"# steps 1\n"
                                 "1 n2 begin Solve\n"
                                 "2.5 n2 end Solve\r\n"
                                 "0.5 n10 begin Read\n"
                                 "\n"
                                 "1.5 n10 receive n2 7\n"
                                 "1.25 n2 send n10 7\n"
                                 "2 n2 load 0.5\n"
                                 "3.0000000001 n2 load 2",
                                 "# steps 1\n0 n2 send n1 1\n4 n2 end Gone\n"};
    CHECK_OK(import_texts(texts, 1, false));
    says("SELECT group_concat(resource, ' ') FROM (SELECT DISTINCT resource FROM events)",
         "n2 n10");
    says("SELECT group_concat(value || ' ' || begin || ' ' || end, ', ') FROM events "
         "WHERE category = 'state'",
         "Solve 1.0 2.5, Read 0.5 3.0000000001");
    says("SELECT source || ' ' || target || ' ' || begin || ' ' || end FROM events "
         "WHERE category = 'link'",
         "n2 n10 1.25 1.5");
    says("SELECT group_concat(value || ' ' || begin || ' ' || end, ', ') FROM events "
         "WHERE category = 'variable'",
         "0.5 2.0 3.0000000001, 2.0 3.0000000001 3.0000000001");
    CHECK_OK(import_texts(texts, 2, true));
    says("SELECT group_concat(resource, ' ') FROM (SELECT DISTINCT resource FROM events)",
         "left/n2 left/n10 right/n2");
    says("SELECT value || ' ' || begin || ' ' || end FROM events WHERE resource = 'right/n2' AND "
         "category = 'state'",
         "Gone 0.0 4.0");
}

static void check_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"# steps\n1 n begin A\nx n end A\n", "a.steps:3: the time is \"x\", expected seconds"},
        {"# steps\n1 n jump A\n", "a.steps:2: the act is \"jump\", expected begin, end, load, send "
                                  "or receive"},
        {"# steps\n1 n load x\n", "a.steps:2: the load is \"x\", expected a number"},
        {"# steps\n", "a.steps: holds no step, expected some"},
        {"# steps\n1e18 n load 1\n0.1234567890123 n load 2\n", "a.steps:2: the time is too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(import_texts(&cases[i].text, 1, false) == OCELOTL_ERROR_INPUT);
        const char *found = strstr(ocelotl_error_message(), cases[i].message);
        if (found == NULL)
            fprintf(stderr, "%s\n", ocelotl_error_message());
        CHECK(found != NULL);
    }
}

/* --- Random states */

typedef struct span {
    uint32_t row, parent; /* a span's number, from 1; 0: none */
    int64_t begin, end;
} span;

typedef struct world {
    oc_nesting nesting;
    span spans[SPANS + 1]; /* by number */
    uint64_t random;
} world;

/* Children begin in their parent's row, and most end before it does. */
static void make_spans(world *to)
{
    for (uint32_t i = 1; i <= SPANS; i++) {
        span *made = &to->spans[i];
        made->parent =
            i > 4 && check_below(&to->random, 4) > 0 ? 1 + check_below(&to->random, i - 1) : 0;
        const span *around = &to->spans[made->parent];
        made->row = made->parent > 0 ? around->row : check_below(&to->random, ROWS);
        made->begin = made->parent > 0 ? around->begin + 1 : (int64_t)check_below(&to->random, 900);
        const int64_t most = made->parent > 0 ? around->end - made->begin : 400;
        made->end = made->begin + 1 +
                    (most > 1 ? (int64_t)check_below(&to->random, (uint32_t)most) : 0) +
                    (check_below(&to->random, 10) == 0 ? 50 : 0);
    }
}

static ocelotl_status add_spans(world *to, oc_ingest *ingest)
{
    uint32_t row_type;
    uint32_t type;
    uint32_t attribute;
    OC_TRY(oc_ingest_resource_type(&row_type, ingest, OCELOTL_ROOT, "Row"));
    OC_TRY(oc_ingest_event_type(&type, ingest, OCELOTL_STATE, row_type, "Span", to->nesting));
    OC_TRY(oc_ingest_attribute(&attribute, ingest, type, "number", 6));
    for (uint32_t n = 0; n < SPANS; n++) {
        char name[NUMBER];
        const uint32_t i = SPANS - n; /* the last ones first */
        const span *one = &to->spans[i];
        const bool is_span = to->nesting != OC_NEST_REPLACE;
        oc_sorted record = {.kind = is_span ? OC_SORTED_SPAN : OC_SORTED_BEGIN,
                            .time = one->begin,
                            .type = type,
                            .group = to->nesting == OC_NEST_BY_PARENT ? one->parent : 0};
        snprintf(name, sizeof name, "row %u", one->row);
        OC_TRY(
            oc_ingest_row_find(&record.stream, ingest, OCELOTL_NONE, row_type, name, strlen(name)));
        record.order = is_span ? i : record.stream;
        if (is_span)
            record.end = one->end;
        snprintf(name, sizeof name, "%u", i);
        const ocelotl_attribute_value number = {attribute, name, strlen(name)};
        record.attributes = &number;
        record.attribute_count = 1;
        OC_TRY(oc_ingest_value(&record.value, ingest, type, "work", 4));
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    return oc_ingest_write(ingest, "", NULL, NULL);
}

/* How many rows of a query there are, which must be none. */
static void none(const char *sql)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "WITH s AS MATERIALIZED (SELECT resource AS lane, "
        "CASE WHEN instr(resource, '/') > 0 THEN substr(resource, 1, instr(resource, '/') - 1) "
        "ELSE resource END AS row, begin AS b, end AS e, "
        "CAST(json_extract(attributes, '$.number') AS INTEGER) AS n FROM events) "
        "SELECT 'none' WHERE NOT EXISTS (%s)",
        sql);
    says(text, "none");
}

static void check_world(world *to)
{
    static const char *const nested = "SELECT 1 FROM s x, s y WHERE x.lane = y.lane AND "
                                      "x.n <> y.n AND x.b < y.e AND y.b < x.e";
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    oc_source source = {.path = (char[]){"spans"}};
    oc_ingest ingest = {0};
    const char *const path = temporary_path("steps.db");
    const oc_import import = {.sources = &source,
                              .source_count = 1,
                              .target = path,
                              .name = "spans",
                              .source_path = "spans",
                              .options = &options};
    char text[512];
    options.overwrite = true;
    make_spans(to);
    CHECK_OK(oc_ingest_open(&ingest, &import, "spans", NULL, OC_COMMON_ODDITIES));
    CHECK_OK(add_spans(to, &ingest));
    CHECK(ingest.oddities.counts[OC_STATE_CROSSES] == 0);
    oc_ingest_close(&ingest);
    snprintf(text, sizeof text, "SELECT 'all' WHERE (SELECT count(*) FROM events) = %d", SPANS);
    says(text, "all");
    if (to->nesting == OC_NEST_PARALLEL)
        none(nested);
    if (to->nesting == OC_NEST_REPLACE) {
        none("SELECT 1 FROM s WHERE lane <> row");
        none("SELECT 1 FROM s x WHERE x.e <> coalesce((SELECT min(y.b) FROM s y WHERE y.row = "
             "x.row AND y.b > x.b), (SELECT max(e) FROM s)) AND x.e <> x.b");
    }
    if (to->nesting != OC_NEST_BY_PARENT)
        return;
    ocelotl_trace *trace = must_open(path);
    ocelotl_events *events = must_list(trace, NULL);
    int64_t lane_of[SPANS + 1] = {0};
    ocelotl_event event;
    bool found;
    for (;;) {
        CHECK_OK(ocelotl_events_next(&found, &event, events));
        if (!found)
            break;
        const char *number = strstr(event.attributes, "\"number\":");
        lane_of[strtoul(number + 9 + (number[9] == '"'), NULL, 10)] = event.resource;
    }
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    /* What is around a span in its lane is what it names, or around that. */
    for (uint32_t i = 1; i <= SPANS; i++)
        for (uint32_t j = 1; j <= SPANS; j++) {
            const span *inner = &to->spans[i];
            const span *outer = &to->spans[j];
            if (i == j || lane_of[i] != lane_of[j] || inner->begin >= outer->end ||
                outer->begin >= inner->end)
                continue;
            uint32_t around = inner->end - inner->begin <= outer->end - outer->begin ? i : j;
            const uint32_t other = around == i ? j : i;
            while (around != other && around != 0)
                around = to->spans[around].parent;
            CHECK(around == other);
        }
}

int main(void)
{
    temporary_begin();
    check_decoder();
    check_refused();
    static const oc_nesting nestings[] = {OC_NEST_BY_PARENT, OC_NEST_PARALLEL, OC_NEST_REPLACE};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        static world all;
        all = (world){.nesting = nestings[seed % 3], .random = seed};
        check_world(&all);
    }
    return 0;
}
