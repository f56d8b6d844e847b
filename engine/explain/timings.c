/* What stands out in how long single calls take, and in steps that all do again and again. */
#include "explain/explaining.h"

#include "base/memory.h"
#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/explain.md gives the reason of each. */
enum { ITERATIONS_LEAST = 5, NEIGHBOURS = 3, LAG_MOST = 4 };
static const double duration_least = 0.01; /* of the mean call */
static const double span_least = 0.002;    /* of the time from one call to the next */
static const double missing = 0.5;         /* what takes so much of the usual time is not done */
static const double covered = 0.5;         /* of the time, by steps */
static const double unlike_least = 16; /* times the first quartile of what neighbours differ by */
static const double same_step = 0.08;  /* what comes again differs by so much at most */
static const double take_turns = 0.5;  /* kinds take turns where they differ by so much of it */
static const double same_call = 0.015;
static const double another_kind = 8; /* what takes so many times as long is no step */

ocelotl_status oc_timings_read(oc_explaining *x)
{
    const ocelotl_trace *trace = x->trace;
    oc_calls_wanted wanted = {.rows = x->tree.row_count,
                              .types = x->type_count,
                              .untraced = OCELOTL_NONE,
                              .from = x->info.from,
                              .to = x->info.to};
    uint32_t *types = NULL;
    OC_TRY(oc_arena_allocate(&types, x->arena, trace->value_count, sizeof *types));
    for (uint32_t v = 0; v < trace->value_count; v++) {
        types[v] = OCELOTL_NONE;
        for (uint32_t t = 0; t < x->type_count && types[v] == OCELOTL_NONE; t++)
            if (strcmp(oc_explained_type(x, t), trace->values[v].name) == 0)
                types[v] = t;
    }
    for (uint32_t t = 0; t < x->type_count; t++)
        if (ocelotl_model_type_at(x->model, x->types[t]).untraced && oc_explains_work(x, t))
            wanted.untraced = t;
    wanted.row_of_resource = x->row_of_resource;
    wanted.type_of_value = types;
    OC_TRY(oc_calls_read(&x->calls, x->trace, &wanted, x->work));
    OC_TRY(oc_arena_allocate(&x->usual_calls, x->arena, x->type_count, sizeof *x->usual_calls));
    for (uint32_t t = 0; t < x->type_count; t++) {
        bool most;
        OC_TRY(oc_calls_count(&x->usual_calls[t], &most, x->arena, &x->calls, t));
        x->usual_calls[t] = most ? x->usual_calls[t] : 0;
    }
    return OCELOTL_OK;
}

/* When the calls of a finding were, and how many each row has. */
static void place_calls(oc_explaining *x, oc_finding *finding, const oc_outlier *one, uint32_t type,
                        size_t columns)
{
    int64_t begin = INT64_MAX;
    int64_t end = INT64_MIN;
    double calls = 0;
    for (uint32_t i = 0; i < one->node_count; i++) {
        const oc_scan_node *node = &x->tree.nodes[one->nodes[i]];
        for (uint32_t row = node->first; row < node->first + node->count; row++) {
            const oc_call_series *series = oc_call_series_of(&x->calls, type, row);
            if (series->count == 0)
                continue;
            const uint32_t first = oc_call_block(series, columns, one->first);
            const uint32_t last = oc_call_block(series, columns, one->last);
            const int64_t ends = last + 1 < series->count ? series->begins[last + 1] : series->end;
            begin = series->begins[first] < begin ? series->begins[first] : begin;
            end = ends > end ? ends : end;
            for (uint32_t b = first; b <= last; b++)
                calls += (double)oc_calls_in_block(series, b);
        }
    }
    finding->begin = oc_explained_seconds(x, begin);
    finding->end = oc_explained_seconds(x, end);
    finding->cost = fabs(finding->here - finding->usual) * calls;
}

/* The time from one call of a type to the next, in the mean of the rows that have some. */
static double find_span(const oc_explaining *x, uint32_t type)
{
    double calls = 0;
    double rows = 0;
    for (uint32_t row = 0; row < x->tree.row_count; row++) {
        calls += (double)oc_call_series_of(&x->calls, type, row)->calls;
        rows += oc_call_series_of(&x->calls, type, row)->calls > 0;
    }
    return calls > 0 ? ((double)x->info.to - (double)x->info.from) * rows / calls : 0;
}

static ocelotl_status scan_calls(oc_explaining *x, uint32_t type, const double *values,
                                 size_t columns, double mean, bool noise)
{
    const double tick = oc_explained_tick(x);
    const oc_scan_table table = {&x->tree, values, columns,
                                 fmax(mean * duration_least, find_span(x, type) * span_least),
                                 x->work};
    oc_outliers outliers;
    OC_TRY(oc_scan_find(&outliers, x->arena, &table, OC_OUTLIERS_MOST));
    for (size_t i = 0; i < outliers.count; i++) {
        const oc_outlier *one = &outliers.all[i];
        oc_finding finding = {.kind = noise ? OC_FINDING_NOISE : OC_FINDING_DURATION,
                              .type = oc_explained_type(x, type),
                              .nodes = one->nodes,
                              .node_count = one->node_count,
                              .leaves = one->row_count,
                              .others = one->others,
                              .here = one->here * tick,
                              .usual = one->usual * tick,
                              .score = one->score,
                              .is_work = oc_explains_work(x, type),
                              .more = one->here > one->usual};
        if (noise && !finding.more)
            continue;
        place_calls(x, &finding, one, type, columns);
        finding.is_missing = finding.is_work && !noise && finding.here < missing * finding.usual;
        if (finding.is_missing)
            finding.end = fmax(finding.end, finding.begin + finding.usual);
        OC_TRY(oc_finding_add(x, &finding));
    }
    return OCELOTL_OK;
}

/* Takes the median of each column from what is in it. */
static void take_medians(double *values, size_t rows, size_t columns, size_t down, size_t across,
                         double *numbers)
{
    for (size_t c = 0; c < columns; c++) {
        size_t count = 0;
        for (size_t r = 0; r < rows; r++)
            if (!isnan(values[r * down + c * across]))
                numbers[count++] = values[r * down + c * across];
        const double median = oc_median(numbers, count);
        for (size_t r = 0; r < rows; r++)
            values[r * down + c * across] -= median;
    }
}

static double find_mean(const oc_explaining *x, const double *values, size_t columns)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < x->tree.row_count * columns; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            count++;
        }
    return count > 0 ? sum / (double)count : 0;
}

/* --- Steps: what all do again and again, and when it took long */

/* From the begin of one call of a type to that of the next, where all rows have as many, one by
 * one; the first from the begin of all. */
typedef struct steps {
    double *lengths; /* in seconds */
    int64_t *begins; /* one more */
    size_t count;
    uint32_t type;
} steps;

/* When the k-th call of a median row begins. */
static int64_t find_begin(const oc_explaining *x, uint32_t type, uint64_t calls, size_t call,
                          double *numbers)
{
    size_t count = 0;
    for (uint32_t row = 0; row < x->tree.row_count; row++) {
        const oc_call_series *series = oc_call_series_of(&x->calls, type, row);
        if (series->calls == calls)
            numbers[count++] = (double)(series->begins[call] - x->info.from);
    }
    return x->info.from + (int64_t)oc_median(numbers, count);
}

static ocelotl_status read_steps(steps *found, oc_explaining *x, uint32_t type)
{
    const uint64_t calls = x->usual_calls[type];
    double *numbers = NULL;
    steps is = {.count = calls, .type = type};
    if (calls < ITERATIONS_LEAST || calls > OC_CALLS_APART ||
        (found->count > ITERATIONS_LEAST && is.count >= found->count) ||
        (found->count > 0 && calls == ITERATIONS_LEAST)) /* few tell little */
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&is.lengths, x->arena, calls, sizeof *is.lengths));
    OC_TRY(oc_arena_allocate(&is.begins, x->arena, calls + 1, sizeof *is.begins));
    OC_TRY(oc_arena_allocate(&numbers, x->arena, x->tree.row_count, sizeof *numbers));
    is.begins[0] = x->info.from;
    for (size_t c = 0; c < calls; c++) {
        is.begins[c + 1] = find_begin(x, type, calls, c, numbers);
        is.lengths[c] = (double)(is.begins[c + 1] - is.begins[c]) * oc_explained_tick(x);
    }
    if ((double)(is.begins[calls] - is.begins[1]) >=
        covered * ((double)x->info.to - (double)x->info.from))
        *found = is;
    return OCELOTL_OK;
}

/* How much numbers differ from those so far behind them: the first quartile. */
static double measure_step(const double *numbers, size_t count, size_t lag, double *copy)
{
    for (size_t i = 0; i + lag < count; i++)
        copy[i] = fabs(numbers[i + lag] - numbers[i]);
    return oc_quantile(copy, count - lag, 0.25);
}

/* The median of the next numbers, or of those before. */
static double measure_side(const double *numbers, size_t count, size_t i, size_t lag, bool after,
                           double *copy)
{
    size_t around = 0;
    for (size_t k = 1; k <= NEIGHBOURS; k++)
        if (after ? i + k * lag < count : i >= k * lag)
            copy[around++] = numbers[after ? i + k * lag : i - k * lag];
    return oc_median(copy, around);
}

/* Which of numbers are unlike all others: programs have steps of several kinds, which come again,
 * and change from one phase to the next. How numbers vary is what neighbours differ by, or those of
 * the same kind where kinds take turns. What is usual is what is before, or after. The second
 * result is what a number differs by, to be told apart. */
static ocelotl_status find_unlike(bool *unlike, double *usual, double *least, oc_explaining *x,
                                  const double *numbers, size_t count, double same_as)
{
    double *copy = NULL;
    size_t lag = 1;
    OC_TRY(oc_arena_allocate(&copy, x->arena, count + NEIGHBOURS, sizeof *copy));
    double step = measure_step(numbers, count, 1, copy);
    for (size_t longer = 2; longer <= LAG_MOST && 2 * longer < count; longer++) {
        const double other = measure_step(numbers, count, longer, copy);
        if (other < take_turns * step) {
            step = other;
            lag = longer;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const double before = measure_side(numbers, count, i, lag, false, copy);
        const double after = measure_side(numbers, count, i, lag, true, copy);
        usual[i] = fmin(fmax(numbers[i], fmin(before, after)), fmax(before, after));
        least[i] = fmax(unlike_least * step, same_as * fabs(numbers[i]));
    }
    for (size_t i = 0; i < count; i++) {
        const double excess = numbers[i] - usual[i];
        double nearest = fabs(excess);
        for (size_t k = 0; k < count; k++)
            if (k != i)
                nearest = fmin(nearest, fmin(fabs(numbers[k] - numbers[i]),
                                             fabs(numbers[k] - usual[k] - excess)));
        unlike[i] = nearest > least[i] && numbers[i] <= another_kind * usual[i];
    }
    return OCELOTL_OK;
}

/* Where long steps come again, each after as many, but for one time, which then is usual there. */
static size_t find_hole(double *usual, const double *numbers, const double *least, size_t count)
{
    size_t period = count;
    size_t hole = count;
    for (int pass = 0; pass < 2; pass++) {
        size_t last = 0;
        size_t times = 0;
        size_t holes = 0;
        double longer = 0;
        for (size_t i = 1; i < count; i++) {
            if (numbers[i] - usual[i] <= least[i])
                continue;
            const size_t gap = i - last;
            period = pass == 0 && gap < period ? gap : period;
            times += gap == period;
            holes += gap == 2 * period;
            if (pass == 1 && gap != period && gap != 2 * period)
                return count;
            hole = gap == 2 * period ? last + period : hole;
            longer = numbers[i] - usual[i];
            last = i;
        }
        if (pass == 1 && (times < 2 || holes != 1 || period < 2))
            return count;
        if (pass == 1)
            usual[hole] += longer;
        else
            hole = count;
    }
    return hole;
}

/* What all resources do at a time, and takes them long. `numbers` are in seconds, `begins` one more
 * in ticks. */
static ocelotl_status find_slow(oc_explaining *x, oc_finding_kind kind, uint32_t type,
                                const double *numbers, const int64_t *begins, size_t count)
{
    static const uint32_t root = 0;
    double *usual = NULL;
    double *least = NULL;
    bool *unlike = NULL;
    if (count < ITERATIONS_LEAST)
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&unlike, x->arena, count, sizeof *unlike));
    OC_TRY(oc_arena_allocate(&usual, x->arena, count, sizeof *usual));
    OC_TRY(oc_arena_allocate(&least, x->arena, count, sizeof *least));
    OC_TRY(find_unlike(unlike, usual, least, x, numbers, count,
                       kind == OC_FINDING_STEP ? same_step : same_call));
    const size_t hole = kind == OC_FINDING_STEP ? find_hole(usual, numbers, least, count) : count;
    for (size_t i = 1; i < count; i++)
        if (unlike[i] || i == hole)
            OC_TRY(oc_finding_add(
                x, &(oc_finding){.kind = kind,
                                 .type = oc_explained_type(x, type),
                                 .nodes = &root,
                                 .node_count = 1,
                                 .leaves = x->tree.row_count,
                                 .begin = oc_explained_seconds(x, begins[i]),
                                 .end = oc_explained_seconds(x, begins[i + 1]),
                                 .here = numbers[i],
                                 .usual = usual[i],
                                 .cost = fabs(numbers[i] - usual[i]) * x->tree.row_count,
                                 .score = unlike_least,
                                 .is_missing = i == hole,
                                 .is_work = kind == OC_FINDING_STEP || oc_explains_work(x, type),
                                 .more = numbers[i] > usual[i]}));
    return OCELOTL_OK;
}

/* The k-th calls of all resources: of each step the first, the second.. are compared. */
static ocelotl_status find_slow_calls(oc_explaining *x, uint32_t type, const double *values,
                                      size_t columns, size_t each)
{
    const uint64_t calls = columns;
    double *numbers = NULL;
    double *lengths = NULL;
    int64_t *begins = NULL;
    const double tick = oc_explained_tick(x);
    OC_TRY(oc_arena_allocate(&numbers, x->arena, x->tree.row_count, sizeof *numbers));
    OC_TRY(oc_arena_allocate(&lengths, x->arena, columns, sizeof *lengths));
    OC_TRY(oc_arena_allocate(&begins, x->arena, columns + 1, sizeof *begins));
    for (size_t phase = 0; phase < each; phase++) {
        size_t count = 0;
        for (size_t c = phase; c < columns / each * each; c += each) {
            size_t rows = 0;
            for (size_t row = 0; row < x->tree.row_count; row++)
                if (!isnan(values[row * columns + c]))
                    numbers[rows++] = values[row * columns + c];
            if (2 * rows <= x->tree.row_count) /* these are not all */
                return OCELOTL_OK;
            lengths[count] = oc_median(numbers, rows) * tick;
            begins[count++] = find_begin(x, type, calls, c, numbers);
        }
        begins[count] = x->info.to;
        OC_TRY(find_slow(x, OC_FINDING_DURATION, type, lengths, begins, count));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_timings_find(oc_explaining *x)
{
    steps found = {.count = 0};
    for (uint32_t t = 0; t < x->type_count; t++)
        if (!oc_explains_untraced(x, t))
            OC_TRY(read_steps(&found, x, t));
    OC_TRY(find_slow(x, OC_FINDING_STEP, found.type, found.lengths, found.begins, found.count));
    for (uint32_t t = 0; t < x->type_count; t++) {
        double *values = NULL;
        size_t columns = 0;
        OC_TRY(oc_calls_tabulate(&values, &columns, x->arena, &x->calls, t));
        const double mean = columns > 0 ? find_mean(x, values, columns) : 0;
        if (mean <= 0)
            continue;
        OC_TRY(scan_calls(x, t, values, columns, mean, false));
        if (!oc_explains_work(x, t))
            continue;
        const size_t each = found.count > 0 ? (columns + found.count / 2) / found.count : 1;
        if (x->usual_calls[t] == columns && each > 0)
            OC_TRY(find_slow_calls(x, t, values, columns, each));
        /* Each call as far as it is from others at its place, and they from others of their row. */
        const size_t rows = x->tree.row_count;
        double *numbers = NULL;
        OC_TRY(oc_arena_allocate(&numbers, x->arena, rows + columns, sizeof *numbers));
        take_medians(values, rows, columns, columns, 1, numbers);
        take_medians(values, columns, rows, 1, columns, numbers);
        for (size_t i = 0; i < rows * columns; i++)
            values[i] = fabs(values[i]);
        OC_TRY(scan_calls(x, t, values, columns, mean, true));
    }
    return OCELOTL_OK;
}
