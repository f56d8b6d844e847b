#include "explain/phases.h"

#include "explain/scan.h"

#include <ocelotl/levels.h>

#include <math.h>

/* docs/explain.md gives the reason of each. */
static const double alike = 0.25;     /* phases differ in so much of their time at most */
static const double said_least = 0.1; /* a second type is said from there on */

enum { UNIT_MOST = 6 };

typedef struct finding_phases {
    oc_explained *explained;
    oc_arena *arena;
    ocelotl_model_info info;
    double *shares; /* phase x type, as shares of what all types have */
} finding_phases;

static void find_leading(oc_phase *phase, const double *shares, uint32_t count)
{
    for (int k = 0; k < 2; k++) {
        phase->types[k] = OCELOTL_NONE;
        phase->shares[k] = 0;
        for (uint32_t t = 0; t < count; t++)
            if ((k == 0 || t != phase->types[0]) && shares[t] > phase->shares[k]) {
                phase->types[k] = t;
                phase->shares[k] = shares[t];
            }
    }
    if (phase->shares[1] < said_least)
        phase->types[1] = OCELOTL_NONE;
}

static void make_phase(oc_phase *phase, double *shares, const finding_phases *f, uint32_t first,
                       uint32_t last)
{
    double all = 0;
    *phase = (oc_phase){.begin = ocelotl_slice_begin(&f->info, first),
                        .end = ocelotl_slice_end(&f->info, last + 1.0),
                        .first = first,
                        .last = last};
    for (uint32_t t = 0; t < f->info.type_count; t++)
        all += shares[t];
    for (uint32_t t = 0; t < f->info.type_count; t++)
        shares[t] = all > 0 ? shares[t] / all : 0;
    find_leading(phase, shares, f->info.type_count);
}

/* Parts that follow each other and do mostly the same are one phase. */
static ocelotl_status take_parts(finding_phases *f, const ocelotl_partition *partition)
{
    oc_explained *explained = f->explained;
    const uint32_t types = f->info.type_count;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    double *whole = NULL;
    OC_TRY(oc_arena_allocate(&whole, f->arena, types, sizeof *whole));
    OC_TRY(oc_arena_allocate(&explained->phases, f->arena, count, sizeof *explained->phases));
    OC_TRY(oc_arena_allocate(&f->shares, f->arena, count * types, sizeof *f->shares));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const double slices = part.last - part.first + 1;
        double *own = f->shares + explained->phase_count * types;
        oc_phase one;
        for (uint32_t t = 0; t < types; t++) {
            own[t] = part.shares[t];
            whole[t] += part.shares[t] * slices;
        }
        make_phase(&one, own, f, part.first, part.last);
        oc_phase *before = i > 0 ? &explained->phases[explained->phase_count - 1] : NULL;
        if (before != NULL && before->types[0] == one.types[0]) {
            const double more = before->last - before->first + 1;
            double *kept = own - types;
            for (uint32_t t = 0; t < types; t++)
                kept[t] = kept[t] * more + own[t] * slices;
            make_phase(before, kept, f, before->first, one.last);
        } else {
            explained->phases[explained->phase_count++] = one;
        }
    }
    make_phase(&explained->whole, whole, f, 0, f->info.slice_count - 1);
    return OCELOTL_OK;
}

/* --- What repeats */

static bool are_alike(const finding_phases *f, size_t a, size_t b)
{
    const uint32_t types = f->info.type_count;
    double apart = 0;
    for (uint32_t t = 0; t < types; t++)
        apart += fabs(f->shares[a * types + t] - f->shares[b * types + t]);
    return f->explained->phases[a].types[0] == f->explained->phases[b].types[0] &&
           apart / 2 < alike;
}

static uint32_t count_repeats(const finding_phases *f, size_t first, uint32_t unit)
{
    uint32_t repeats = 1;
    for (size_t i = first + unit; i + unit <= f->explained->phase_count; i += unit, repeats++)
        for (size_t k = 0; k < unit; k++)
            if (!are_alike(f, first + k, i + k))
                return repeats;
    return repeats;
}

static ocelotl_status find_sections(finding_phases *f)
{
    oc_explained *explained = f->explained;
    const size_t count = explained->phase_count;
    double *lengths = NULL;
    OC_TRY(oc_arena_allocate(&lengths, f->arena, count, sizeof *lengths));
    OC_TRY(oc_arena_allocate(&explained->sections, f->arena, count, sizeof *explained->sections));
    for (size_t i = 0; i < count;) {
        oc_section *section = &explained->sections[explained->section_count++];
        *section = (oc_section){.first = i, .unit = 1, .repeats = 1};
        for (uint32_t unit = 1; unit <= UNIT_MOST && i + 2 * (size_t)unit <= count; unit++) {
            const uint32_t repeats = count_repeats(f, i, unit);
            if (repeats > 1 && repeats * unit > section->repeats * section->unit) {
                section->repeats = repeats;
                section->unit = unit;
            }
        }
        for (uint32_t r = 0; r < section->repeats; r++) {
            const oc_phase *begins = &explained->phases[section->first + (size_t)r * section->unit];
            lengths[r] = begins[section->unit - 1].end - begins->begin;
            section->longest = lengths[r] > lengths[section->longest] ? r : section->longest;
        }
        section->most = lengths[section->longest];
        section->median = oc_median(lengths, section->repeats);
        i += (size_t)section->repeats * section->unit;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_phases_find(oc_explained *explained, oc_arena *arena, const ocelotl_work *work)
{
    finding_phases f = {explained, arena, ocelotl_model_info_of(explained->model), NULL};
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = OCELOTL_TEMPORAL;
    options.work = *work;
    ocelotl_status status = ocelotl_aggregation_create(&aggregation, explained->model, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_solve_auto(&partition, aggregation);
    if (status == OCELOTL_OK)
        status = take_parts(&f, partition);
    if (status == OCELOTL_OK)
        status = find_sections(&f);
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    return status;
}
