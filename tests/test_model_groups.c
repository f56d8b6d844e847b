/* Types that stand for several: the model equals that of a trace with the values renamed, and the
 * rest sums up columns of the whole model. */
#include "temporary.h"
#include "test_model_cells.h"

enum { MOST_VALUES = 60, THREADS = 3 };

static const char *const metrics[] = {"state-duration", "state-mean-duration", "state-min-duration",
                                      "state-max-duration", "event-count"};

static const char *const groups[] = {"io*=files", "cpu[78]=net3", "cpu*=cpu"};

/* What they make of a name. */
static const char *renamed(const char *name)
{
    if (strncmp(name, "io", 2) == 0)
        return "files";
    if (strcmp(name, "cpu7") == 0 || strcmp(name, "cpu8") == 0)
        return "net3"; /* a type of this name is there already */
    return strncmp(name, "cpu", 3) == 0 ? "cpu" : name;
}

static uint32_t write_values(uint32_t *values, ocelotl_writer *writer, uint32_t type, bool rename,
                             uint64_t *random)
{
    static const char *const families[] = {"io", "cpu", "net"};
    uint32_t count = 0;
    char name[32], names[MOST_VALUES][32];
    const uint32_t wanted = 3 + check_below(random, MOST_VALUES - 3);
    for (uint32_t v = 0; v < wanted; v++) {
        snprintf(name, sizeof name, "%s%u", families[v % 3], v / 3);
        const char *called = rename ? renamed(name) : name;
        uint32_t same = 0;
        while (same < count && strcmp(names[same], called) != 0)
            same++;
        snprintf(names[count], sizeof names[count], "%s", called);
        if (same < count)
            values[count] = values[same];
        else
            values[count] = must_value(writer, type, called);
        count++;
    }
    return count;
}

/* The same trace for the same seed, whatever its values are called. */
static ocelotl_trace *write_trace(const char *file, uint64_t seed, bool rename)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    uint32_t values[MOST_VALUES];
    ocelotl_writer *writer = must_write(temporary_path(file), NULL);
    const uint32_t thread = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t type = must_type(writer, OCELOTL_STATE, thread, "doing");
    const uint32_t count = write_values(values, writer, type, rename, &random);
    for (int r = 0; r < THREADS; r++) {
        uint32_t depth = 0;
        int64_t time = check_below(&random, 10);
        const uint32_t resource = must_resource(writer, thread, OCELOTL_ROOT, "leaf", time);
        const uint32_t changes = 200 + check_below(&random, 900);
        for (uint32_t i = 0; i < changes; i++, time += check_below(&random, 9)) {
            if (depth < 5 && check_below(&random, 2) == 0) {
                const uint32_t value =
                    values[check_below(&random, 1 + check_below(&random, count))];
                must_push(writer, resource, type, value, time);
                depth++;
            } else if (depth > 0) {
                must_pop(writer, resource, type, check_below(&random, depth--), time);
            }
        }
        must_end(writer, resource, time + 3);
    }
    must_finish(writer);
    return must_open(temporary_path(file));
}

/* All that is in the models and what is drawn of them, type by type of the same name. */
static void check_equal(const ocelotl_model *one, const ocelotl_model *other)
{
    const ocelotl_model_info info = ocelotl_model_info_of(one);
    double *a = calloc(info.type_count, sizeof *a);
    double *b = calloc(info.type_count, sizeof *b);
    CHECK(a != NULL && b != NULL);
    CHECK(info.type_count == ocelotl_model_info_of(other).type_count);
    CHECK(info.cell_count == ocelotl_model_info_of(other).cell_count);
    CHECK(info.node_count == ocelotl_model_info_of(other).node_count);
    for (uint32_t k = 0; k < info.node_count; k++)
        for (uint32_t s = 0; s < info.slice_count; s++) {
            CHECK_OK(ocelotl_model_values(a, one, k, s, s));
            CHECK_OK(ocelotl_model_values(b, other, k, s, s));
            for (uint32_t x = 0; x < info.type_count; x++) {
                const uint32_t y = cells_type(other, ocelotl_model_type_at(one, x).name);
                CHECK(y != OCELOTL_NONE);
                CHECK((isnan(a[x]) && isnan(b[y])) ||
                      fabs(a[x] - b[y]) <= 1e-12 * (1 + fabs(b[y])));
            }
        }
    free(a);
    free(b);
}

static ocelotl_model_options any_options(const ocelotl_trace *trace, uint64_t *random)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    options.slices = 1 + check_below(random, 30);
    options.cells.nesting = (ocelotl_nesting)check_below(random, 2);
    options.cells.untraced = (ocelotl_untraced)check_below(random, 2);
    options.cells.metric = metrics[check_below(random, 5)];
    options.types.max_types = UINT32_MAX;
    if (check_below(random, 3) == 0)
        options.selection.min_duration = check_below(random, 20);
    if (check_below(random, 2) == 0) {
        options.selection.from =
            info.begin + check_below(random, (uint32_t)(info.end - info.begin) / 2);
        options.selection.to = options.selection.from + options.slices + check_below(random, 200);
        if (options.selection.to > info.end)
            options.selection.to = INT64_MAX;
    }
    return options;
}

/* Groups of all kinds against a trace whose values are called so. */
static void check_renamed(uint64_t seed)
{
    uint64_t random = seed;
    OWN_TRACE *trace = write_trace("as-is.db", seed, false);
    OWN_TRACE *other = write_trace("renamed.db", seed, true);
    for (int i = 0; i < 6; i++) {
        OWN_MODEL *grouped = NULL;
        ocelotl_model_options options = any_options(trace, &random);
        OWN_MODEL *expected = must_build(other, &options);
        options.types.groups = (ocelotl_names){groups, 3};
        const ocelotl_status status = ocelotl_model_from_trace(&grouped, trace, &options);
        if (status == OCELOTL_OK)
            check_equal(grouped, expected);
        else
            CHECK(strstr(ocelotl_error_message(), "no type of the model is called \"cpu[78]\"") !=
                  NULL);
    }
}

static double column(const ocelotl_model *model, const char *name)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const uint32_t type = cells_type(model, name);
    double sum = 0;
    CHECK(type != OCELOTL_NONE);
    for (uint32_t leaf = 0; leaf < info.leaf_count; leaf++)
        for (uint32_t s = 0; s < info.slice_count; s++)
            sum += cells_get(model, leaf, type, s);
    return sum;
}

/* The columns of "others" are those that are missing, and none of these is larger than one that is
 * there. */
static void check_columns(const ocelotl_model *all, const ocelotl_model *most, uint32_t wanted)
{
    const ocelotl_model_info info = ocelotl_model_info_of(all);
    double smallest = INFINITY, largest_other = 0;
    uint32_t kept = 0;
    for (uint32_t x = 0; x < info.type_count; x++) {
        const ocelotl_type type = ocelotl_model_type_at(all, x);
        const double sum = column(all, type.name);
        if (type.untraced || cells_type(most, type.name) != OCELOTL_NONE) {
            CHECK_NEAR(column(most, type.name), sum, 1e-12);
            kept += !type.untraced;
            smallest = type.untraced || sum > smallest ? smallest : sum;
        } else {
            largest_other = fmax(largest_other, sum);
        }
    }
    CHECK(kept == wanted);
    CHECK(largest_other <= smallest + 1e-12);
    for (uint32_t leaf = 0; leaf < info.leaf_count; leaf++)
        for (uint32_t s = 0; s < info.slice_count; s++) {
            double missing = 0;
            for (uint32_t x = 0; x < info.type_count; x++)
                if (cells_type(most, ocelotl_model_type_at(all, x).name) == OCELOTL_NONE)
                    missing += cells_get(all, leaf, x, s);
            CHECK_NEAR(cells_get(most, leaf, cells_type(most, "others"), s), missing, 1e-12);
        }
}

static void check_most(uint64_t seed)
{
    uint64_t random = seed;
    OWN_TRACE *trace = write_trace("most.db", seed, false);
    for (int i = 0; i < 6; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.hierarchy.bare = true;
        options.slices = 1 + check_below(&random, 20);
        options.cells.nesting = (ocelotl_nesting)check_below(&random, 2);
        options.cells.metric = metrics[check_below(&random, 2) * 4];
        options.types.max_types = UINT32_MAX;
        OWN_MODEL *all = must_build(trace, &options);
        const bool untraced = cells_type(all, "(no state)") != OCELOTL_NONE;
        const uint32_t types = ocelotl_model_info_of(all).type_count - untraced;
        options.types.max_types = 1 + check_below(&random, 35);
        OWN_MODEL *most = must_build(trace, &options);
        if (options.types.max_types < types)
            check_columns(all, most, options.types.max_types);
        else
            CHECK(ocelotl_model_hash(all) == ocelotl_model_hash(most));
    }
}

static void check_words(void)
{
    OWN_TRACE *trace = write_trace("words.db", 7, false);
    ocelotl_model *model;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    static const struct {
        const char *group, *message;
    } cases[] = {
        {"cpu", "a group of types is \"cpu\", expected PATTERN=NAME"},
        {"cpu*=", "expected PATTERN=NAME"},
        {"never*=never", "no type of the model is called \"never*\"; the nearest is \""},
        /* The last "=" is meant, so this pattern matches nothing. */
        {"io*=input=output", "\"io*=input\""},
    };
    const char *all[] = {"doing=work"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options.types.groups = (ocelotl_names){&cases[i].group, 1};
        MUST_REFUSE(trace, &options, cases[i].message);
    }
    /* All values of an event type are one state: what is in any. */
    options.types.groups = (ocelotl_names){all, 1};
    model = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(model).type_count == 2);
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "work");
    CHECK(strstr(ocelotl_model_info_of(model).grouping, "types as work") != NULL);
    ocelotl_model_free(model);
    options.types.groups = (ocelotl_names){NULL, 0};
    options.types.max_types = 2;
    model = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(model).type_count == 4);
    CHECK_TEXT(ocelotl_model_type_at(model, 2).name, "others");
    CHECK(!ocelotl_model_type_at(model, 2).untraced && ocelotl_model_type_at(model, 3).untraced);
    CHECK(strstr(ocelotl_model_info_of(model).grouping, "2 largest types and ") != NULL);
    ocelotl_model_free(model);
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_renamed(seed);
        check_most(seed + 100);
    }
    check_words();
    return 0;
}
