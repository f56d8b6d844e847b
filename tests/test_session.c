/* Sessions that have no trace: of a matrix, and of a model that was made already; and how many
 * models stay where memory is bounded. */
#include "temporary.h"

#include "aggregate/memory.h"
#include "request/session.h"

static const char rows[] =
    "path,type,slice,value\na,x,0,1.25\na,x,1,2e-1\na,y,1,0.0625\nb,x,0,3.5\n";

/* Events are of a trace, whatever they are asked for. */
static void check_no_events(ocelotl_session *session)
{
    ocelotl_request *request = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection;
    CHECK_OK(ocelotl_request_new(&request, "stats"));
    CHECK_FAILS(ocelotl_session_events(&events, &selection, session, request), OCELOTL_ERROR_INPUT,
                "is a microscopic model, expected a trace");
    ocelotl_request_free(request);
}

static void check_matrix(const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_request *request = NULL;
    CHECK_OK(ocelotl_request_new(&request, "overview"));
    CHECK_OK(ocelotl_session_open(&session, path, request, NULL));
    check_no_events(session);
    ocelotl_session_free(session);
    ocelotl_request_free(request);
}

static void check_model(const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_request *request = NULL, *other = NULL;
    ocelotl_model *model = NULL;
    const ocelotl_model *found = NULL;
    CHECK_OK(ocelotl_model_from_csv(&model, path));
    CHECK_OK(ocelotl_request_new(&request, "overview"));
    CHECK_OK(ocelotl_request_new(&other, "overview"));
    CHECK_OK(ocelotl_request_set(other, "kind", "temporal"));
    CHECK_OK(oc_session_of_model(&session, model, NULL));
    CHECK_OK(ocelotl_session_model(&found, session, request));
    CHECK(found == model);
    CHECK_REFUSED(ocelotl_session_model(&found, session, other),
                  "the session is of a model that was made already");
    CHECK_OK(ocelotl_session_model(&found, session, request));
    CHECK(found == model);
    check_no_events(session);
    ocelotl_session_free(session);
    ocelotl_request_free(other);
    ocelotl_request_free(request);
}

/* --- Memory */

enum { WINDOWS = 2 * OCELOTL_SESSION_MODELS };

typedef struct bounded {
    ocelotl_session *session;
    ocelotl_request *requests[WINDOWS]; /* of a window each */
    uint32_t gone;                      /* models that were freed for others */
} bounded;

static void count_gone(void *context, const ocelotl_model *model)
{
    bounded *of = context;
    CHECK(model != NULL);
    of->gone++;
}

static void begin_bounded(bounded *of, uint64_t memory, const char *command)
{
    char path[1200];
    const char *root = getenv("OCELOTL_ROOT");
    ocelotl_session_options options = OCELOTL_SESSION_OPTIONS_INIT;
    snprintf(path, sizeof path, "%s/examples/smpi-stencil-96.trace.zst",
             root != NULL ? root : "..");
    *of = (bounded){.session = NULL};
    options.context = of;
    options.forget = count_gone;
    options.memory = memory;
    for (int i = 0; i < WINDOWS; i++) {
        char from[16], to[16];
        snprintf(from, sizeof from, "%d%%", 5 * i);
        snprintf(to, sizeof to, "%d%%", 5 * i + 20);
        const char *const operands[] = {"--", path, path};
        CHECK_OK(ocelotl_request_new(&of->requests[i], command));
        CHECK_OK(ocelotl_request_set(of->requests[i], "no-cache", NULL));
        CHECK_OK(ocelotl_request_set(of->requests[i], "slices", "60"));
        CHECK_OK(ocelotl_request_set(of->requests[i], "from", from));
        CHECK_OK(ocelotl_request_set(of->requests[i], "to", to));
        CHECK_OK(ocelotl_request_parse(of->requests[i], strcmp(command, "compare") == 0 ? 3 : 2,
                                       operands));
        CHECK_OK(ocelotl_request_check(of->requests[i]));
    }
    CHECK_OK(ocelotl_session_open(&of->session, path, of->requests[0], &options));
}

static void end_bounded(bounded *of)
{
    ocelotl_session_free(of->session);
    for (int i = 0; i < WINDOWS; i++)
        ocelotl_request_free(of->requests[i]);
}

/* Asks for all windows, one after the other; gives what the largest takes. */
static uint64_t ask_for_all(bounded *of, uint64_t *hashes)
{
    uint64_t largest = 0;
    for (int i = 0; i < WINDOWS; i++) {
        ocelotl_partition *partition = NULL;
        const ocelotl_aggregation *aggregation = NULL;
        uint64_t least = 0, most = 0;
        ocelotl_session_release(of->session);
        CHECK_OK(ocelotl_session_partition(&partition, of->session, of->requests[i]));
        CHECK_OK(ocelotl_session_aggregation(&aggregation, of->session, of->requests[i]));
        CHECK_OK(ocelotl_aggregation_memory(&least, &most, ocelotl_aggregation_model(aggregation),
                                            NULL));
        CHECK(least <= most);
        largest = most > largest ? most : largest;
        hashes[i] = ocelotl_partition_hash(partition);
        ocelotl_partition_free(partition);
    }
    return largest;
}

/* With much memory all stay, more than without a bound; with little the last ones, and answers are
 * the same; with none it is said how much is needed. */
static void check_memory(void)
{
    uint64_t hashes[3][WINDOWS];
    const ocelotl_aggregation *first = NULL, *again = NULL;
    bounded of;
    begin_bounded(&of, (uint64_t)1 << 30, "overview");
    const uint64_t largest = ask_for_all(&of, hashes[0]);
    CHECK(of.gone == 0);
    CHECK_OK(ocelotl_session_aggregation(&first, of.session, of.requests[0]));
    ask_for_all(&of, hashes[1]);
    CHECK_OK(ocelotl_session_aggregation(&again, of.session, of.requests[0]));
    CHECK(of.gone == 0 && first == again);
    end_bounded(&of);

    begin_bounded(&of, 0, "overview");
    ask_for_all(&of, hashes[1]);
    CHECK(of.gone == WINDOWS - OCELOTL_SESSION_MODELS);
    end_bounded(&of);

    begin_bounded(&of, 3 * largest, "overview");
    ask_for_all(&of, hashes[2]);
    CHECK(of.gone >= WINDOWS - 5 && of.gone < WINDOWS);
    CHECK_OK(ocelotl_session_aggregation(&first, of.session, of.requests[WINDOWS - 1]));
    CHECK_OK(ocelotl_session_aggregation(&again, of.session, of.requests[WINDOWS - 1]));
    CHECK(first == again);
    end_bounded(&of);
    for (int i = 0; i < WINDOWS; i++)
        CHECK(hashes[0][i] == hashes[1][i] && hashes[0][i] == hashes[2][i]);

    /* Models without measures count as well. */
    begin_bounded(&of, largest + (1 << 19), "overview");
    for (int i = 0; i < WINDOWS; i++) {
        const ocelotl_model *model = NULL;
        ocelotl_session_release(of.session);
        CHECK_OK(ocelotl_session_model(&model, of.session, of.requests[i]));
    }
    CHECK(of.gone == 0);
    CHECK_OK(ocelotl_session_aggregation(&first, of.session, of.requests[WINDOWS - 1]));
    CHECK(of.gone > 0);
    end_bounded(&of);

    begin_bounded(&of, 1, "overview");
    CHECK_FAILS(ocelotl_session_aggregation(&first, of.session, of.requests[0]),
                OCELOTL_ERROR_LIMIT, "MiB of memory, expected at most");
    end_bounded(&of);
}

/* The second trace stays where memory is bounded, and what is like a model goes with it. */
static void check_second(void)
{
    bounded of;
    ocelotl_pair *pair = NULL;
    begin_bounded(&of, (uint64_t)1 << 30, "compare");
    CHECK_OK(ocelotl_session_compare(&pair, of.session, of.requests[0]));
    const ocelotl_trace *second = ocelotl_pair_trace(pair, 1);
    ocelotl_pair_free(pair);
    ocelotl_session_release(of.session);
    CHECK_OK(ocelotl_session_compare(&pair, of.session, of.requests[1]));
    CHECK(ocelotl_pair_trace(pair, 1) == second);
    CHECK(of.gone == 0);
    ocelotl_pair_free(pair);
    end_bounded(&of);

    begin_bounded(&of, 1 << 20, "compare");
    for (int i = 0; i < WINDOWS; i++) {
        const ocelotl_aggregation *aggregation = NULL;
        ocelotl_session_release(of.session);
        CHECK_OK(ocelotl_session_compare(&pair, of.session, of.requests[i]));
        CHECK(ocelotl_pair_comparison(pair)->info.named_count == 0);
        ocelotl_pair_free(pair);
        if (ocelotl_session_aggregation(&aggregation, of.session, of.requests[i]) != OCELOTL_OK)
            CHECK(strstr(ocelotl_error_message(), "MiB of memory") != NULL);
    }
    end_bounded(&of);
}

/* A list of another trace's names: a single one that is unknown counts as well as several. */
static void check_lists(void)
{
    static const struct {
        const char *names;
        const char *failure; /* NULL: the list is fitted */
        size_t left;
    } cases[] = {{"PMPI_Nothing\n", "has none of the names in the list of --only", 1},
                 {"PMPI_Send\nPMPI_Nothing\n", NULL, 1},
                 {"PMPI_Send\n", NULL, 1}};
    char list[1300];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        bounded of;
        bool changed = false;
        ocelotl_request *request = NULL;
        temporary_write(temporary_path("names"), cases[c].names, strlen(cases[c].names));
        snprintf(list, sizeof list, "@%s", temporary_path("names"));
        begin_bounded(&of, 0, "overview");
        CHECK_OK(ocelotl_request_new(&request, "overview"));
        CHECK_OK(ocelotl_request_set(request, "only", list));
        const ocelotl_status status = ocelotl_session_fit_lists(&changed, of.session, request);
        if (cases[c].failure != NULL) {
            CHECK(status == OCELOTL_ERROR_ARGUMENT);
            CHECK(strstr(ocelotl_error_message(), cases[c].failure) != NULL);
        } else {
            CHECK(status == OCELOTL_OK && request->given_count == cases[c].left);
            CHECK(changed == (strstr(cases[c].names, "Nothing") != NULL));
        }
        ocelotl_request_free(request);
        end_bounded(&of);
    }
}

int main(void)
{
    temporary_begin();
    char *path = strdup(temporary_path("matrix.csv"));
    CHECK(path != NULL);
    temporary_write(path, rows, sizeof rows - 1);
    check_matrix(path);
    check_model(path);
    free(path);
    check_memory();
    check_second();
    check_lists();
    return 0;
}
