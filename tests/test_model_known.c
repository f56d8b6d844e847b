/* Models of a trace that are known already: a part takes its groups from one that fits, and is the
 * same bytes as one that found them alone. */
#define _XOPEN_SOURCE 700
#include "made.h"
#include "test_hierarchy_trace.h"

enum { PROCESSES = 9, SLOW = 3, END = 1000 };

static ocelotl_trace *write_trace(void)
{
    static char names[PROCESSES][16];
    hierarchy_resource resources[PROCESSES + 1] = {{-1, 2, "m", 0, END, 0, 0}};
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        resources[i + 1] = (hierarchy_resource){
            0, 3, names[i], 0, END, 100 + 10 * (i % 4), i == SLOW ? 700 : i == 8 ? 310 : 300};
    }
    return hierarchy_trace(resources, PROCESSES + 1);
}

static bool count_calls(void *context, uint64_t done, uint64_t total)
{
    int *calls = context;
    (void)done;
    *calls += total > 0; /* the others are of reading */
    return true;
}

/* Builds a model; *calls counts the comparisons of children. */
static ocelotl_model *build(int *calls, ocelotl_trace *trace, const ocelotl_model_options *asked,
                            const ocelotl_model *const *known, size_t known_count)
{
    ocelotl_model_options options = *asked;
    *calls = 0;
    options.work.progress = count_calls;
    options.work.context = calls;
    options.hierarchy.known = known;
    options.hierarchy.known_count = known_count;
    return must_build(trace, &options);
}

static void check_same(const ocelotl_model *a, const ocelotl_model *b)
{
    ocelotl_buffer bytes[2] = {0};
    ocelotl_sink sinks[] = {ocelotl_buffer_sink(&bytes[0]), ocelotl_buffer_sink(&bytes[1])};
    CHECK_OK(ocelotl_model_to_bytes(&sinks[0], a));
    CHECK_OK(ocelotl_model_to_bytes(&sinks[1], b));
    CHECK(bytes[0].size == bytes[1].size);
    CHECK(memcmp(bytes[0].bytes, bytes[1].bytes, bytes[0].size) == 0);
    ocelotl_buffer_free(&bytes[0]);
    ocelotl_buffer_free(&bytes[1]);
}

/* A model with what is known is the same as one without, and found its groups anew or did not. */
static ocelotl_model *check_known(ocelotl_trace *trace, const ocelotl_model_options *options,
                                  const ocelotl_model *known, bool taken)
{
    int alone_calls, known_calls;
    OWN_MODEL *alone = build(&alone_calls, trace, options, NULL, 0);
    ocelotl_model *with = build(&known_calls, trace, options, &known, 1);
    check_same(alone, with);
    CHECK(alone_calls > 0);
    CHECK(taken ? known_calls == 0 : known_calls == alone_calls);
    return with;
}

static ocelotl_model_options window(int64_t from, int64_t to)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    options.selection.from = from;
    options.selection.to = to;
    return options;
}

/* From the whole, from a part that found the groups itself, and from one that took them there. */
static void test_taken(ocelotl_trace *trace)
{
    static const char *const chosen[] = {"m/p1", "m/p3", "m/p5"};
    const ocelotl_model_options all = window(INT64_MIN, INT64_MAX);
    const ocelotl_model_options late = window(800, 900);
    ocelotl_model_options few = late;
    int calls;
    few.selection.resources = (ocelotl_names){chosen, 3};
    few.hierarchy.max_leaves = 2;
    few.hierarchy.order = OCELOTL_ORDER_ACTIVITY;
    OWN_MODEL *whole = build(&calls, trace, &all, NULL, 0);
    ocelotl_model_free(check_known(trace, &late, whole, true));
    ocelotl_model_free(check_known(trace, &few, whole, true));
    OWN_MODEL *first = build(&calls, trace, &late, NULL, 0);
    CHECK(calls > 0);
    OWN_MODEL *second = check_known(trace, &few, first, true);
    ocelotl_model_free(check_known(trace, &late, second, true));
}

/* Checks models that must not be reused: found in another way, changed, or not the first that
 * fits. */
static void test_not_taken(ocelotl_trace *trace)
{
    const ocelotl_model_options all = window(INT64_MIN, INT64_MAX);
    const ocelotl_model_options late = window(800, 900);
    ocelotl_model_options others[6];
    ocelotl_model *models[7];
    int calls;
    for (int i = 0; i < 6; i++)
        others[i] = all;
    others[0].slices = 10;
    others[1].hierarchy.max_leaves = 2;
    others[2].hierarchy.bare = true;
    others[3].hierarchy.order = OCELOTL_ORDER_NAME;
    others[4].cells.metric = "state-mean-duration";
    others[5].cells.nesting = OCELOTL_INCLUSIVE;
    for (int i = 0; i < 6; i++) {
        models[i] = build(&calls, trace, &others[i], NULL, 0);
        ocelotl_model_free(check_known(trace, &late, models[i], false));
    }
    models[6] = build(&calls, trace, &all, NULL, 0);
    ocelotl_model_free(build(&calls, trace, &late, (const ocelotl_model *const *)models, 7));
    CHECK(calls == 0);
    for (int i = 0; i < 7; i++)
        ocelotl_model_free(models[i]);
}

int main(void)
{
    OWN_TRACE *trace = write_trace();
    test_taken(trace);
    test_not_taken(trace);
    return 0;
}
