/* Clocks by least squares of samples, each against the reference alone, and what that says of them.
 */
#include "quality/clocks/clocks.h"

#include "base/memory.h"
#include "quality/fit/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { USUAL_MEDIAN = 5, FEWEST = 3, FEWEST_OF_WAVES = 12 };

typedef struct fitting {
    ocelotl_clocks *clocks;
    uint32_t median;
    oc_fit_point *points;
    int64_t first; /* sample of a clock, what points count from */
    double last;
} fitting;

/* --- Points */

static int compare_points(const void *left, const void *right)
{
    const oc_fit_point *a = left;
    const oc_fit_point *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

/* A sample that a clock and its reference have, seen from the reference. */
static bool find_sample(oc_sample *seen, const oc_sample *sample, uint32_t clock,
                        uint32_t reference)
{
    *seen = *sample;
    if (sample->clock == clock && sample->reference == reference)
        return true;
    if (sample->clock != reference || sample->reference != clock)
        return false;
    seen->x = sample->x + (int64_t)llrint(sample->z);
    seen->z = -sample->z;
    return true;
}

static size_t find_points(fitting *f, uint32_t clock, uint32_t reference)
{
    size_t count = 0;
    oc_sample seen;
    const oc_samples *samples = &f->clocks->raw_samples;
    f->last = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (find_sample(&seen, &samples->items[i], clock, reference)) {
            f->first = count == 0 || seen.x < f->first ? seen.x : f->first;
            count++;
        }
    count = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (find_sample(&seen, &samples->items[i], clock, reference)) {
            const double x = (double)(int64_t)((uint64_t)seen.x - (uint64_t)f->first);
            f->last = fmax(f->last, x);
            f->points[count++] = (oc_fit_point){x, seen.z};
        }
    if (count > 1)
        qsort(f->points, count, sizeof *f->points, compare_points);
    return count;
}

/* --- Clocks */

/* Three more unknowns always explain more: by far more than chance would. */
static bool oscillates(const oc_fit *line, const oc_fit *wave)
{
    static const double usual = 10;
    const double freedom = (double)wave->points - 5;
    return wave->points >= FEWEST_OF_WAVES && wave->amplitude > 2 * wave->amplitude_error &&
           (line->squares - wave->squares) / 3 > usual * wave->squares / freedom;
}

static ocelotl_status tell(ocelotl_clock_fitted *told, const fitting *f, const oc_fit *line,
                           size_t samples)
{
    static const double turn = 6.283185307179586;
    oc_fit wave;
    const double student = oc_fit_student(line->points - 2);
    oc_fit_wave(&wave, f->points, line->points);
    *told = (ocelotl_clock_fitted){.samples = samples,
                                   .points = line->points,
                                   .first = (double)f->first,
                                   .last = (double)f->first + f->last,
                                   .offset = line->level,
                                   .offset_confidence = student * line->level_error,
                                   .drift = line->slope,
                                   .drift_confidence = student * line->slope_error,
                                   .deviation = line->deviation,
                                   .durbin_watson = line->durbin_watson};
    OC_TRY(oc_fit_finds_steps(&told->steps, line, f->points, line->points));
    if (!told->steps && oscillates(line, &wave)) {
        told->amplitude = wave.amplitude;
        told->period = turn / wave.turn;
        told->eps = 4 * wave.amplitude;
    }
    return OCELOTL_OK;
}

static ocelotl_status fit_clock(fitting *f, uint32_t index)
{
    oc_fit line;
    oc_network *network = &f->clocks->network;
    oc_clock *clock = &network->clocks[index];
    const uint32_t reference = network->references[clock->set];
    if (index == reference)
        return OCELOTL_OK;
    const size_t samples = find_points(f, index, reference);
    if (samples < FEWEST) {
        const char *path = oc_clocks_path(f->clocks, index);
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s has %zu sample%s against %s, expected at least %d for least squares",
                       path, samples, samples == 1 ? "" : "s", oc_clocks_path(f->clocks, reference),
                       FEWEST);
    }
    size_t left;
    OC_TRY(oc_fit_median(&left, f->points, samples, f->median));
    oc_fit_line(&line, f->points, left);
    /* When the reference reads first + x, a clock reads first + level + (1 + slope) x; the other
     * way round at the middle of the clock's run. */
    const double since = (double)clock->middle - (double)f->first;
    const double offset = (line.level + line.slope * since) / (1 + line.slope);
    const double whole = rint(offset);
    clock->drift = line.slope / (1 + line.slope);
    clock->offset = (int64_t)whole;
    clock->rest = offset - whole;
    return tell(&f->clocks->fitted[index], f, &line, samples);
}

ocelotl_status oc_clocks_fit(ocelotl_clocks *clocks, uint32_t median)
{
    fitting f = {.clocks = clocks, .median = median > 0 ? median : USUAL_MEDIAN};
    ocelotl_status status =
        oc_allocate(&clocks->fitted, clocks->network.count, sizeof *clocks->fitted);
    if (status == OCELOTL_OK)
        status = oc_allocate(&f.points, clocks->raw_samples.count, sizeof *f.points);
    for (uint32_t c = 0; c < clocks->network.count && status == OCELOTL_OK; c++)
        status = fit_clock(&f, c);
    free(f.points);
    clocks->info.median = f.median;
    double first = INFINITY;
    double last = -INFINITY;
    for (uint32_t c = 0; c < clocks->network.count && status == OCELOTL_OK; c++)
        if (clocks->fitted[c].points > 0) {
            first = fmin(first, clocks->fitted[c].first);
            last = fmax(last, clocks->fitted[c].last);
        }
    clocks->info.sampled = last > first ? last - first : 0;
    return status;
}

ocelotl_clock_fitted ocelotl_clocks_fitted_at(const ocelotl_clocks *clocks, uint32_t index)
{
    return clocks->fitted != NULL && index < clocks->network.count ? clocks->fitted[index]
                                                                   : (ocelotl_clock_fitted){0};
}
