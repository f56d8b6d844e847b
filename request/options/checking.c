/* What no single option of a request can say: how many operands it has, and which options exclude
 * or need others. */
#define _POSIX_C_SOURCE 200809L
#include "base/plain.h"
#include "request/options/request.h"
#include "types/lookup.h"

#include <ocelotl/picture.h>

#include <string.h>
#include <unistd.h>

static bool is_given(const ocelotl_request *request, const char *option)
{
    return ocelotl_request_get(request, option) != NULL;
}

/* --- Operands */

/* Whether a word is called as what a command writes, and no file is there that it may mean. */
static bool is_output(const char *word)
{
    static const char suffixes[] = ".svg|.png|.pdf|.html|.json|.csv|.txt|.zip";
    const char *suffix = strrchr(word, '.');
    ocelotl_picture_format format;
    return suffix != NULL && oc_find_word(suffixes, suffix, strlen(suffix)) < SIZE_MAX &&
           (access(word, F_OK) != 0 || ocelotl_picture_find_format(&format, word) == OCELOTL_OK);
}

/* Fails for an operand that is one too many, and says what it may be meant for. */
static ocelotl_status fail_operand(const ocelotl_request *request, size_t index, const char *what)
{
    const char *word = request->operands[index];
    const uint64_t command = oc_request_command(request);
    const char *meant = oc_meant(OC_MEANT_WORD, word, strlen(word), 0);
    if (oc_find_parameter("port", command) != NULL && word[strspn(word, "0123456789")] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" %s; to serve at it: --port %s", word, what,
                       word);
    const oc_command *of = oc_find_command(word);
    const bool queries = oc_find_command(request->command)->operands == OC_OPERANDS_QUERY;
    if (of != NULL && index > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" %s; the command stands first: ocelotl-cli %s", word, what,
                       of->usage);
    if (!queries && oc_find_parameter(word, command) != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" %s; the option is --%s", word, what, word);
    if (oc_find_parameter("output", command) != NULL && is_output(word))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" %s; to write it: -o %s", word, what, word);
    const bool numeric = word[0] != '\0' && word[strspn(word, "0123456789.")] == '\0';
    const char *option = numeric ? (strchr(word, '.') != NULL ? "p" : "part") : "only";
    if (meant == NULL && !queries && oc_find_parameter(option, command) != NULL &&
        access(word, F_OK) != 0 && (numeric || strpbrk(word, "./") == NULL))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" %s; the option meant may be --%s %s", word,
                       what, option, word);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" %s%s%s", word, what, meant != NULL ? "; " : "",
                   meant != NULL ? meant : "");
}

/* What the operands of a command are. */
static const struct {
    size_t least, most;
    size_t names; /* of files, the first of them: none is empty */
    const char *noun;
} operands_of[] = {
    [OC_OPERANDS_NONE] = {0, 0, 0, "argument"},
    [OC_OPERANDS_TRACE] = {1, 1, 1, "TRACE"},
    [OC_OPERANDS_TRACES] = {1, SIZE_MAX, SIZE_MAX, "TRACE"},
    [OC_OPERANDS_TWO_TRACES] = {2, 2, 2, "TRACE"},
    [OC_OPERANDS_QUERY] = {1, 2, 1, "argument"},
    [OC_OPERANDS_FOLDER] = {1, 2, 1, "TRACE"},
    [OC_OPERANDS_TRACES_IN] = {0, 1, 1, "folder"},
    [OC_OPERANDS_TRACE_OR_TWO] = {1, 2, 2, "TRACE"},
    [OC_OPERANDS_RUNS] = {2, SIZE_MAX, SIZE_MAX, "TRACE"},
};

/* The trace and the query, in this order. */
static ocelotl_status check_query(size_t count, const char *const *operands)
{
    if (count < 2)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       strchr(operands[0], ' ') != NULL && access(operands[0], F_OK) != 0
                           ? "no TRACE given; a QUERY stands behind it"
                           : "no QUERY given");
    if (access(operands[0], F_OK) == 0 && access(operands[1], F_OK) == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is a file, expected a QUERY, as \"$(cat %s)\"", operands[1],
                       operands[1]);
    return access(operands[0], F_OK) == 0 || access(operands[1], F_OK) != 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "\"%s\" is no file, and \"%s\" is one: the QUERY stands behind the TRACE",
                         operands[0], operands[1]);
}

static ocelotl_status check_operands(const ocelotl_request *request)
{
    char what[80];
    const size_t count = request->operand_count;
    const oc_operands kind = oc_find_command(request->command)->operands;
    const size_t least = operands_of[kind].least, most = operands_of[kind].most;
    oc_plain_print(what, sizeof what, "is one %s too many%s", operands_of[kind].noun,
                   kind == OC_OPERANDS_QUERY ? ", expected the QUERY as one, in quotes" : "");
    for (size_t i = 0; i < count; i++)
        if (oc_meant(OC_MEANT_UNIT, request->operands[i], strlen(request->operands[i]), 0) !=
                NULL &&
            access(request->operands[i], F_OK) != 0)
            return fail_operand(request, i, "is no TRACE");
    if (count > most)
        return fail_operand(request, most, most == 0 ? "is not expected" : what);
    if (count == 0 && least == 1)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no TRACE given");
    if (count < least)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%zu TRACE%s given, expected two%s", count,
                       count == 1 ? "" : "s",
                       kind == OC_OPERANDS_RUNS ? " or more, the last of them the new one"
                                                : " (the same twice, for two windows of one)");
    for (size_t i = 0; i < count && i < operands_of[kind].names; i++)
        if (request->operands[i][0] == '\0')
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the %s is empty",
                           kind == OC_OPERANDS_QUERY ? "TRACE" : operands_of[kind].noun);
    const char *second = count == 2 ? request->operands[1] : "";
    const bool numeric = second[0] != '\0' && second[strspn(second, "0123456789")] == '\0';
    if (operands_of[kind].names == 2 &&
        (is_output(second) || (numeric && access(second, F_OK) != 0)))
        return fail_operand(request, 1, "is no TRACE");
    if (kind == OC_OPERANDS_FOLDER && is_output(second))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is no name of a folder, expected DIR, or -o X.zip", second);
    return kind == OC_OPERANDS_QUERY ? check_query(count, request->operands) : OCELOTL_OK;
}

/* --- Options of several commands */

/* "none" is no node to fold, but says that idle rows are not folded. */
static void take_no_fold(ocelotl_request *request)
{
    ocelotl_names *folded = &request->model.folded;
    const char **names = (const char **)folded->names;
    size_t kept = 0;
    for (size_t i = 0; i < folded->count; i++)
        if (strcmp(names[i], "none") == 0)
            request->view.all_rows = true;
        else
            names[kept++] = names[i];
    folded->count = kept;
}

/* Refuses options about groups where a hierarchy has none or others, and says what it is. */
static ocelotl_status finish_hierarchy(ocelotl_request *request)
{
    ocelotl_model_options *model = &request->model;
    const char *file = request->hierarchy;
    const bool automatic = file != NULL && strcmp(file, "auto") == 0;
    const bool bare = file != NULL && strcmp(file, "trace") == 0;
    const bool by_role = file != NULL && strcmp(file, "role") == 0;
    const char *groups = ocelotl_request_get(request, "max-groups") != NULL ? "max-groups"
                         : ocelotl_request_get(request, "regroup") != NULL  ? "regroup"
                                                                            : NULL;
    if (groups != NULL && (automatic || bare))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s and --hierarchy %s exclude each other: that has no groups", groups,
                       file);
    const bool none =
        groups != NULL && strcmp(groups, "max-groups") == 0 && model->hierarchy.max_groups == 0;
    model->hierarchy.cluster = automatic;
    model->hierarchy.regroup = automatic || ocelotl_request_get(request, "regroup") != NULL;
    model->hierarchy.by_role = by_role;
    model->hierarchy.file = automatic || bare || by_role ? NULL : file;
    model->hierarchy.bare = bare || none;
    take_no_fold(request);
    /* For the library 0 is the default; given it means all. */
    if (ocelotl_request_get(request, "most-types") != NULL && model->types.max_types == 0)
        model->types.max_types = UINT32_MAX;
    return OCELOTL_OK;
}

/* Whether it exports in a format. */
static bool exports(const ocelotl_request *request, const char *format)
{
    return oc_request_command(request) == OC_EXPORT && request->format != NULL &&
           strcmp(request->format, format) == 0;
}

/* Refuses options that choose the partition of a part if the request names no part. */
static ocelotl_status check_partition(const ocelotl_request *request)
{
    const uint64_t command = oc_request_command(request);
    const bool has_partition = request->with_parts || exports(request, "matrix");
    if ((command & OC_OF_EVENTS) == 0 || request->zoom_count > 0 || has_partition)
        return OCELOTL_OK;
    size_t i = 0;
    for (; i < oc_parameter_count; i++)
        if ((oc_parameters[i].commands & command) != 0 &&
            (oc_parameters[i].flags & OC_OF_PARTITION) != 0 &&
            !(command == OC_GANTT && (oc_parameters[i].flags & OC_OF_ROWS) != 0) &&
            !(request->counter != NULL && strcmp(oc_parameters[i].name, "counter-step") == 0) &&
            ocelotl_request_get(request, oc_parameters[i].name) != NULL)
            break;
    if (i == oc_parameter_count)
        return OCELOTL_OK;
    const char *name = oc_parameters[i].name;
    const char *meant = oc_meant(OC_MEANT_ELSE, name, strlen(name), 0);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s chooses the partition of a part, but no --part is given%s", name,
                   meant != NULL ? meant : "");
}

/* --- Options of one command */

/* The view of a name is of a kind: where several have it, of the first. */
static ocelotl_status finish_overview(ocelotl_request *request)
{
    const size_t count = ocelotl_view_count();
    const bool given = is_given(request, "kind");
    ocelotl_picture_options *view = &request->view;
    size_t i = 0;
    if (view->view == NULL && view->type != NULL) {
        if (given && request->model.kind != OCELOTL_TEMPORAL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--type is of a histogram, which is --kind temporal");
        view->view = "histogram";
    }
    if (given || view->view == NULL)
        return OCELOTL_OK;
    while (i < count && strcmp(ocelotl_view_at(i).name, view->view) != 0)
        i++;
    if (i < count)
        request->model.kind = ocelotl_view_at(i).kind;
    return OCELOTL_OK;
}

static ocelotl_status check_stats(const ocelotl_request *request)
{
    static const char *const with[] = {"from2", "to2", "over-time"};
    static const char *const without[] = {"of",       "sort", "quantiles",
                                          "extremes", "type", "durations"};
    const bool durations = request->durations.count > 0;
    static const char *const of_times[] = {"of",        "sort",      "quantiles",  "extremes",
                                           "type",      "durations", "efficiency", "at",
                                           "over-time", "counter"};
    const char *of_rows = request->placement != NULL ? "placement"
                          : request->counter != NULL ? "counter"
                                                     : NULL;
    for (size_t i = 0; i < sizeof of_times / sizeof *of_times && of_rows != NULL; i++)
        if (is_given(request, of_times[i]) && strcmp(of_times[i], of_rows) != 0 &&
            (strcmp(of_times[i], "type") != 0 || request->placement != NULL))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s and --%s exclude each other", of_times[i],
                           of_rows);
    for (size_t i = 0; i < (request->efficiency ? 2 : 3) && !durations; i++)
        if (is_given(request, with[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s needs --durations%s", with[i],
                           i == 2 ? " or --efficiency" : "");
    for (size_t i = 0; i < (request->efficiency ? 6 : 4) && (durations || request->efficiency); i++)
        if (is_given(request, without[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s and --%s exclude each other%s", without[i],
                           request->efficiency ? "efficiency" : "durations",
                           request->efficiency ? "" : ": a histogram has none");
    return oc_check_interval(&request->second_window);
}

static ocelotl_status check_parts(const ocelotl_request *request)
{
    static const char *const apart[][2] = {
        {"why", "sort"}, {"quantiles", "why"}, {"quantiles", "sort"}, {"quantiles", "statistic"}};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        if (is_given(request, apart[i][0]) && is_given(request, apart[i][1]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s and --%s exclude each other", apart[i][0],
                           apart[i][1]);
    return OCELOTL_OK;
}

static ocelotl_status check_treemap(const ocelotl_request *request)
{
    const bool depth = is_given(request, "depth");
    if (request->model.kind != OCELOTL_SPATIAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--kind is not spatial, but a treemap shows resources alone");
    if (request->at != NULL && depth)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--at and --depth exclude each other");
    if ((request->at != NULL || depth) && request->detail.option != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s and --%s exclude each other",
                       request->at != NULL ? "at" : "depth", request->detail.option);
    return OCELOTL_OK;
}

static ocelotl_status check_compare(const ocelotl_request *request)
{
    if (request->view.view == NULL || strcmp(request->view.view, "difference") != 0)
        return OCELOTL_OK;
    if (request->model.kind != OCELOTL_SPATIOTEMPORAL)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "--view difference is of a spatiotemporal partition, expected no other --kind");
    if (request->stretch)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "--view difference and --stretch exclude each other: both have as many slices");
    return OCELOTL_OK;
}

/* Refuses options of states and variables with links, and options of links without them. */
static ocelotl_status check_flight(const ocelotl_request *request)
{
    static const char *const of_others[] = {"variable", "reduce", "state-type", "nesting"};
    static const char *const of_links[] = {"side", "attribute", "only-above"};
    static const char *const of_series[] = {
        "variable", "reduce",   "state-type", "nesting",        "in-flight",        "at",    "from",
        "to",       "resource", "only",       "only-resources", "except-resources", "except"};
    for (size_t i = 0; i < sizeof of_series / sizeof *of_series && request->owner != NULL; i++)
        if (is_given(request, of_series[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--owner is of all locks of the trace: --%s and it exclude each other",
                           of_series[i]);
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++)
        if (request->in_flight != OCELOTL_IN_FLIGHT_NONE && is_given(request, of_others[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--in-flight is of links, and --%s of states or variables: they exclude "
                           "each other",
                           of_others[i]);
    for (size_t i = 0; i < sizeof of_links / sizeof of_links[0]; i++)
        if (request->in_flight == OCELOTL_IN_FLIGHT_NONE && is_given(request, of_links[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is of links, expected --in-flight with it",
                           of_links[i]);
    return OCELOTL_OK;
}

static ocelotl_status finish_series(ocelotl_request *request)
{
    OC_TRY(check_flight(request));
    const bool variables = is_given(request, "variable");
    const char *reduce = ocelotl_request_get(request, "reduce");
    const char *of_states = request->model.cells.state_type != NULL             ? "state-type"
                            : request->model.cells.nesting != OCELOTL_INNERMOST ? "nesting"
                                                                                : NULL;
    if (variables && request->reduction == OCELOTL_REDUCE_COUNT)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "--reduce count is of states, and --variable is given; expected sum, mean, min or max");
    if (variables && request->reduction == OCELOTL_REDUCE_DEFAULT)
        request->reduction = OCELOTL_REDUCE_SUM;
    if (request->reduction > OCELOTL_REDUCE_COUNT && of_states != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is of states, and --reduce %s of variables; expected --reduce count",
                       of_states, reduce != NULL ? reduce : "sum");
    return OCELOTL_OK;
}

/* Makes --from and --to count as in an overview, for a part of it. */
static void count_from_beginning(ocelotl_instant *instant)
{
    if (instant->text != NULL && instant->text[0] != '@')
        instant->base = OCELOTL_FROM_BEGINNING;
}

static ocelotl_status finish_export(ocelotl_request *request)
{
    if (request->zoom_count > 0) {
        count_from_beginning(&request->window.from);
        count_from_beginning(&request->window.to);
    }
    if (is_given(request, "digits") && !exports(request, "pjdump"))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--digits is of --format pjdump alone; the others write all digits");
    if (request->with_parts && !exports(request, "chrome") && !exports(request, "perfetto"))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--with-parts is of --format chrome and perfetto "
                                               "alone: the others have no parts");
    if (request->type != NULL && exports(request, "matrix"))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--type is of events, and --format matrix writes a model; expected --only, "
                       "--state-type or --metric");
    return OCELOTL_OK;
}

static ocelotl_status check_clocks(const ocelotl_request *request)
{
    const char *const of_lines[] = {"amortise", "latency"};
    if (is_given(request, "latency") && !request->amortise)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--latency is what messages take once --amortise moved them, expected both");
    if (is_given(request, "max-drift") && request->drift == OCELOTL_DRIFT_NONE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--max-drift and --drift none exclude each other: all clocks run alike");
    for (size_t i = 0; i < sizeof of_lines / sizeof of_lines[0]; i++)
        if (request->pair != NULL && is_given(request, of_lines[i]))
            return oc_fail(
                OCELOTL_ERROR_ARGUMENT,
                "--between and --%s exclude each other: the points of two clocks are drawn "
                "as they are",
                of_lines[i]);
    return OCELOTL_OK;
}

/* What is of two traces needs two. A part is of one overview, and has no place in another. */
static ocelotl_status check_gantt(const ocelotl_request *request)
{
    static const char *const of_two[] = {"stretch", "from2", "to2", "align-event"};
    for (size_t i = 0; i < sizeof of_two / sizeof of_two[0] && request->operand_count < 2; i++)
        if (is_given(request, of_two[i]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is of two traces, and one is given",
                           of_two[i]);
    if (request->at != NULL && (request->model.hierarchy.reuse_rows ||
                                request->model.hierarchy.order != OCELOTL_ORDER_TRACE))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--at and --%s exclude each other: groups are in the order of the trace",
                       request->model.hierarchy.reuse_rows ? "reuse-rows" : "order");
    return request->operand_count == 2 && request->zoom_count > 0
               ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--part is of one trace, and two are given; expected --resource, --from "
                         "and --to")
               : OCELOTL_OK;
}

/* What changes notes answers nothing. */
static ocelotl_status check_info(const ocelotl_request *request)
{
    const bool changes = request->set.count + request->unset.count > 0;
    size_t next = 0; /* what may be a value of its own, behind blanks */
    while (next < request->operand_count && strcmp(request->operands[next], "=") == 0)
        next++;
    const char *value = request->operand_count > next + 1 ? request->operands[next] : "VALUE";
    value += value[0] == '=';
    for (size_t i = 0; i < request->set.count; i++)
        if (strchr(request->set.names[i], '=') == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--set is \"%s\", expected KEY=VALUE in one word, as %s=%s",
                           request->set.names[i], request->set.names[i], value);
    return changes && (request->output != NULL || request->json || request->csv)
               ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--%s changes what is noted, expected neither -o nor --csv nor --json",
                         request->set.count > 0 ? "set" : "unset")
               : OCELOTL_OK;
}

/* A name of what is not there may be meant as the file to write. */
static ocelotl_status fail_target(const ocelotl_request *request)
{
    const char *last = request->operands[request->operand_count - 1];
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "no file to write given, expected -o %s",
                   request->operand_count > 1 && access(last, F_OK) != 0 ? last : "TRACE.db");
}

static ocelotl_status finish_command(ocelotl_request *request)
{
    switch (oc_request_command(request)) {
    case OC_OVERVIEW:
        return finish_overview(request);
    case OC_INFO:
        return check_info(request);
    case OC_PARTS:
        return check_parts(request);
    case OC_STATS:
        return check_stats(request);
    case OC_TREEMAP:
        return check_treemap(request);
    case OC_COMPARE:
        return check_compare(request);
    case OC_GANTT:
        return check_gantt(request);
    case OC_SERIES:
        return finish_series(request);
    case OC_CLOCKS:
        return check_clocks(request);
    case OC_EXPORT:
        return finish_export(request);
    case OC_IMPORT:
    case OC_MERGE:
        return request->output != NULL ? OCELOTL_OK : fail_target(request);
    case OC_CACHE:
        return request->clear && (request->output != NULL || request->json || request->csv)
                   ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                             "--clear lists nothing, expected neither -o nor --csv nor --json")
                   : OCELOTL_OK;
    default:
        return OCELOTL_OK;
    }
}

/* A window that is no part's can be moved. */
static ocelotl_status check_steps(const ocelotl_request *request)
{
    const ocelotl_interval *window = &request->window;
    if (!is_given(request, "move"))
        return OCELOTL_OK;
    if (request->zoom_count > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--move and --part exclude each other");
    if (window->from.text == NULL && window->to.text == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--move moves a window, expected --from or --to with it");
    return OCELOTL_OK;
}

/* A level is one of a tree. */
static ocelotl_status check_type_level(const ocelotl_request *request)
{
    const uint32_t level = request->model.type_level;
    if (level == 0)
        return OCELOTL_OK;
    if (request->type_tree == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--type-level needs --type-tree");
    const ocelotl_type_tree_info tree = ocelotl_type_tree_info_of(request->type_tree);
    return level <= tree.levels || level == OCELOTL_TYPE_LEVEL_AUTO
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--type-level is %u, and the tree %s has %u levels, expected 1 to %u, or "
                         "auto",
                         level, tree.name, tree.levels, tree.levels);
}

ocelotl_status ocelotl_request_check(ocelotl_request *request)
{
    const ocelotl_interval *window = &request->window;
    if (request->json && request->csv)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--json and --csv exclude each other");
    OC_TRY(check_operands(request));
    /* What is drawn by a command of its own is no view. */
    const char *view = request->view.view;
    size_t i = 0;
    while (view != NULL && i < ocelotl_view_count() && strcmp(ocelotl_view_at(i).name, view) != 0)
        i++;
    OC_TRY(view == NULL || i < ocelotl_view_count() || oc_find_command(view) == NULL
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--view is %s, which is a command: ocelotl-cli %s %s", view, view,
                         request->operands[0]));
    OC_TRY(finish_hierarchy(request));
    OC_TRY(check_type_level(request));
    OC_TRY(check_partition(request));
    if (request->model.snap && window->from.text == NULL && window->to.text == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--snap needs a window, expected --from or --to with it");
    OC_TRY(check_steps(request));
    OC_TRY(oc_check_interval(window));
    return finish_command(request);
}

/* --- Options that change nothing: each row says where its option has an effect */

static bool is_view(const ocelotl_request *request, const char *views)
{
    const char *view = request->view.view != NULL ? request->view.view : "";
    return oc_find_word(views, view, strlen(view)) < SIZE_MAX;
}

static bool has_window(const ocelotl_request *request)
{
    return request->window.from.text != NULL || request->window.to.text != NULL ||
           request->zoom_count > 0;
}

static bool is_of_states(const ocelotl_request *request)
{
    const char *metric = request->model.cells.metric;
    for (uint32_t i = 0; metric != NULL && i < ocelotl_metric_count(); i++)
        if (strcmp(ocelotl_metric_at(i).name, metric) == 0)
            return strcmp(ocelotl_metric_at(i).category, "state") == 0;
    return metric == NULL;
}

const char *ocelotl_request_unused(const ocelotl_request *request, const char *option,
                                   ocelotl_writing writing)
{
    static const char of_pictures[] = "it is of pictures, and none is drawn";
    const uint64_t command = oc_request_command(request);
    const oc_parameter *row = oc_find_parameter(option, command);
    const bool all = (command & (OC_SERVE | OC_SNAPSHOT)) != 0;
    const bool draws = all || writing != OCELOTL_WRITING_TEXT;
    const struct {
        bool used;
        const char *why;
    } rules[] = {
        {true, NULL},
        [OC_USED_PICTURE] = {draws, of_pictures},
        [OC_USED_SIZE] = {draws || command == OC_GANTT, of_pictures},
        [OC_USED_PNG] = {all || writing == OCELOTL_WRITING_PNG, "it is of pictures as .png"},
        [OC_USED_CURVES] = {all || (draws && command == OC_SWEEP) ||
                                writing == OCELOTL_WRITING_PAGE,
                            "it is of curves, which a page (.html) and a picture of sweep have"},
        [OC_USED_VIEW] = {draws || request->model.kind != OCELOTL_SPATIOTEMPORAL, of_pictures},
        [OC_USED_CONTEXT] = {draws && has_window(request),
                             "it is of the strip above the picture of a window"},
        [OC_USED_TYPE] = {draws ? all || is_view(request, "histogram|difference")
                                : request->model.kind != OCELOTL_SPATIOTEMPORAL,
                          "it is of a picture as --view histogram"},
        [OC_USED_TREE] =
            {draws || request->model.type_level > 0,
             "a tree says colours and, with --type-level, types, and nothing is drawn"},
        [OC_USED_DETAIL] = {draws || request->zoom_count > 0 ||
                                (command & (OC_OF_PAIRS | OC_SWEEP)) == 0,
                            of_pictures},
        [OC_USED_STATES] = {is_of_states(request), "it is of metrics of states"},
    };
    return row == NULL || rules[row->used].used ? NULL : rules[row->used].why;
}
