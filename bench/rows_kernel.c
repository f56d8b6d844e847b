/* Row 3: how near to the machine's ceiling a solve comes. A cut evaluation is one addition with a
 * maximum; those that pruning spares are not counted; at p = 0.9, where the whole is best, it
 * spares few. The time is that of the whole solve, not of its inner loops alone. */
#include "bench.h"

#include <stddef.h>

static void print_share(bench_subject *subject, const bench_ceiling *ceiling, double target)
{
    subject->options.instructions = ceiling->instructions;
    subject->options.work.threads = 1;
    bench_create(subject);
    const bench_time time = bench_solve(subject, 0.9);
    const ocelotl_partition_info info = ocelotl_partition_info_of(subject->partition);
    const bool counted = info.cut_count > 0;
    const double rate = (double)info.cuts_tried / time.seconds;
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs},
                "%s: one p, p = 0.9, one thread", ceiling->instructions);
    bench_print(
        (bench_line){.unit = BENCH_SHARE,
                     .figure = counted ? (double)info.cuts_tried / (double)info.cut_count : -1},
        "%s: cuts that pruning leaves", ceiling->instructions);
    bench_print((bench_line){.unit = BENCH_RATE, .figure = counted ? rate : -1},
                "%s: cuts evaluated", ceiling->instructions);
    bench_print((bench_line){.unit = BENCH_SHARE,
                             .figure = counted ? rate / ceiling->rate : -1,
                             .target = target},
                "%s: share of the ceiling", ceiling->instructions);
}

static int print_ceilings(bench_ceiling ceilings[BENCH_CEILINGS])
{
    const int count = bench_ceilings(ceilings);
    for (int i = 0; i < count; i++)
        bench_print((bench_line){.unit = BENCH_RATE, .figure = ceilings[i].rate},
                    "%s: ceiling of one core", ceilings[i].instructions);
    return count;
}

void bench_kernel_medium(const bench_traces *traces)
{
    (void)traces;
    bench_ceiling ceilings[BENCH_CEILINGS];
    const int count = print_ceilings(ceilings);
    ocelotl_model *model = bench_random_model(1000, 300, 1);
    for (int i = 0; i < count; i++) {
        bench_subject subject = bench_subject_of(model);
        print_share(&subject, &ceilings[i], 0.4);
        bench_subject_end(&subject);
    }
    ocelotl_model_free(model);
}

void bench_kernel_longest(const bench_traces *traces)
{
    (void)traces;
    bench_ceiling ceilings[BENCH_CEILINGS];
    print_ceilings(ceilings);
    ocelotl_model *model = bench_random_model(1000, 1000, 1);
    bench_subject subject = bench_subject_of(model);
    print_share(&subject, &ceilings[0], 0.6);
    bench_subject_end(&subject);
    ocelotl_model_free(model);
}
