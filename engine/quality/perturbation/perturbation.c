#include "quality/perturbation/acts.h"

#include "base/file/bulk.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/select/resources.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Whom changes are of */

/* Whether names end in numbers of a range, as host-18 is in host-18..21. */
static bool is_in_range(const char *range, const char *name)
{
    const char *dots = strstr(range, "..");
    if (dots == NULL)
        return false;
    const char *number = dots;
    while (number > range && number[-1] >= '0' && number[-1] <= '9')
        number--;
    const size_t prefix = (size_t)(number - range);
    char *end;
    if (number == dots || strncmp(range, name, prefix) != 0 || name[prefix] < '0' ||
        name[prefix] > '9')
        return false;
    const unsigned long long is = strtoull(name + prefix, &end, 10);
    return *end == '\0' && is >= strtoull(number, NULL, 10) && is <= strtoull(dots + 2, NULL, 10);
}

static ocelotl_status find_changed(ocelotl_perturbation *p, const char *wanted, bool *changed)
{
    bool found = false;
    const ocelotl_trace *trace = p->trace;
    bool *is = NULL;
    OC_TRY(oc_arena_allocate(&is, &p->arena, trace->resource_count, sizeof *is));
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const char *path = oc_path_of(&p->catalogue.paths, r);
        const uint32_t parent = trace->resources[r].parent;
        is[r] = oc_pattern_matches(wanted, path) ||
                oc_pattern_matches(wanted, trace->resources[r].name) || is_in_range(wanted, path) ||
                is_in_range(wanted, trace->resources[r].name);
        found = found || is[r];
        is[r] = is[r] || (parent != OCELOTL_ROOT && is[parent]);
    }
    for (uint32_t t = 0; t < p->groups.count; t++)
        changed[t] = p->groups.resources[t] != OCELOTL_NONE && is[p->groups.resources[t]];
    return found ? OCELOTL_OK
                 : oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: no resource is called \"%s\", expected a name, a path, a glob, or "
                           "a range as host-18..21",
                           trace->label, wanted);
}

static ocelotl_status find_changes(ocelotl_perturbation *p)
{
    OC_TRY(oc_arena_allocate(&p->changed, &p->arena, p->options.change_count * p->groups.count,
                             sizeof *p->changed));
    for (size_t i = 0; i < p->options.change_count; i++) {
        const char *wanted = p->options.changes[i].resources;
        bool *changed = &p->changed[i * p->groups.count];
        if (wanted != NULL)
            OC_TRY(find_changed(p, wanted, changed));
        for (uint32_t t = 0; t < p->groups.count && wanted == NULL; t++)
            changed[t] = true;
    }
    return OCELOTL_OK;
}

/* --- The new times as functions */

/* What is of no thread is dated by the one that ends last. */
static ocelotl_status make_functions(ocelotl_perturbation *p)
{
    static const ocelotl_time_piece unchanged = {0};
    const ocelotl_time_function as_it_is = {&unchanged, 1};
    double latest = -INFINITY;
    OC_TRY(oc_arena_allocate(&p->functions, &p->arena, (size_t)p->groups.count + 1,
                             sizeof *p->functions));
    for (uint32_t t = 0; t < p->groups.count; t++) {
        oc_thread *thread = &p->threads[t];
        ocelotl_time_piece *pieces = NULL;
        if (thread->shift_count == 0)
            continue;
        OC_TRY(oc_bulk_allocate(&pieces, thread->shift_count, sizeof *pieces));
        const size_t count =
            oc_time_function_shift(pieces, &as_it_is, thread->shifts, thread->shift_count);
        oc_bulk_free(thread->shifts);
        thread->shifts = NULL;
        p->functions[t + 1] = (ocelotl_time_function){pieces, count};
        const double end = oc_between(p->trace->info.begin, thread->is.end) - thread->delay;
        if (end > latest)
            p->functions[0] = p->functions[t + 1];
        latest = fmax(latest, end);
    }
    return OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status check_read(const ocelotl_perturbation *p)
{
    size_t acts = 0;
    for (uint32_t t = 0; t < p->groups.count; t++)
        acts += p->threads[t].end;
    if (acts == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY, "%s: there are no states, events or links",
                       p->trace->label);
    if (p->info.wrong > 0 && !p->options.lenient)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: %" PRIu64 " messages end before they begin, expected clocks that agree "
                       "(ocelotl-cli clocks TRACE -o NEW.db), or --lenient, which takes them as "
                       "sent and there at once",
                       p->trace->label, p->info.wrong);
    return OCELOTL_OK;
}

static ocelotl_status compute(ocelotl_perturbation *p)
{
    OC_TRY(oc_catalogue_read(&p->catalogue, p->trace));
    OC_TRY(oc_select_event_types(&p->event_types, p->trace, p->options.type));
    OC_TRY(oc_acts_read(p));
    OC_TRY(check_read(p));
    p->info.threads = p->groups.count;
    OC_TRY(find_changes(p));
    OC_TRY(oc_transits_find(p));
    OC_TRY(oc_contention_find(p));
    if (p->options.check)
        return OCELOTL_OK;
    double *const bounds[] = {&p->info.least_length, &p->info.most_length};
    for (int i = 0; i < 2 && p->options.bounds; i++) {
        p->extreme = 2 * i - 1;
        oc_lines_find(p);
        OC_TRY(oc_replay(p));
        *bounds[i] = p->info.new_length;
    }
    p->extreme = 0;
    oc_lines_find(p);
    OC_TRY(oc_replay(p));
    return make_functions(p);
}

ocelotl_status ocelotl_perturbation_compute(ocelotl_perturbation **perturbation,
                                            ocelotl_trace *trace,
                                            const ocelotl_perturbation_options *options)
{
    ocelotl_perturbation *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    made->trace = trace;
    made->options = *options;
    made->info.left_out = "";
    made->info.reference = options->reference;
    made->info.checks = options->check;
    made->info.predicts = options->predict;
    const ocelotl_status status = compute(made);
    if (status == OCELOTL_OK)
        *perturbation = made;
    else
        ocelotl_perturbation_free(made);
    return status;
}

void ocelotl_perturbation_free(ocelotl_perturbation *p)
{
    if (p == NULL)
        return;
    for (uint32_t t = 0; t < p->groups.count; t++) {
        if (p->threads != NULL) {
            oc_bulk_free(p->threads[t].acts);
            free(p->threads[t].open);
            oc_bulk_free(p->threads[t].shifts);
        }
        if (p->functions != NULL)
            oc_bulk_free((void *)p->functions[t + 1].pieces);
    }
    oc_bulk_free(p->transfers);
    free(p->routes);
    free(p->bytes);
    oc_bulk_free(p->loads);
    oc_bulk_free(p->new_loads);
    oc_bulk_free(p->flights);
    free(p->event_types);
    oc_map_free(&p->route_of);
    oc_collectives_free(&p->collectives);
    oc_groups_free(&p->groups);
    oc_kept_paths_free(&p->paths);
    if (p->catalogue.trace != NULL)
        oc_catalogue_free(&p->catalogue);
    oc_arena_free(&p->arena);
}

ocelotl_status ocelotl_perturbation_derive(const char *path, const ocelotl_perturbation *p,
                                           const char *how, bool overwrite)
{
    uint32_t *function_of = NULL;
    ocelotl_derive_options options = {0};
    OC_TRY(oc_allocate(&function_of, p->trace->resource_count, sizeof *function_of));
    ocelotl_status status = oc_functions_of_groups(function_of, p->trace, &p->groups);
    options.functions = p->functions;
    options.function_count = p->groups.count + 1;
    options.function_of = function_of;
    options.derivation = how;
    options.overwrite = overwrite;
    options.work = p->options.work;
    if (status == OCELOTL_OK)
        status = ocelotl_trace_derive(path, p->trace, &options);
    free(function_of);
    return status;
}

/* --- What was found */

ocelotl_perturbation_info ocelotl_perturbation_info_of(const ocelotl_perturbation *p)
{
    return p->info;
}

ocelotl_perturbed_thread ocelotl_perturbation_thread_at(const ocelotl_perturbation *p,
                                                        uint32_t index)
{
    if (index >= p->groups.count)
        return (ocelotl_perturbed_thread){.path = ""};
    ocelotl_perturbed_thread thread = p->threads[index].is;
    thread.path = oc_thread_path(p, index);
    return thread;
}

ocelotl_route ocelotl_perturbation_route_at(const ocelotl_perturbation *p, uint32_t index)
{
    return index < p->info.routes ? p->routes[index].is
                                  : (ocelotl_route){.within = "", .source = "", .target = ""};
}
