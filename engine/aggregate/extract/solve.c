/* The public solves. */
#include "aggregate/extract/extraction.h"
#include "aggregate/extract/partition.h"

static ocelotl_status check_p(double p)
{
    if (p >= 0 && p <= 1)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1]", p);
}

static ocelotl_status solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                            double p, double p_raw)
{
    oc_solution solution = {0};
    ocelotl_status status = oc_solve(&solution, aggregation, p_raw);
    if (status == OCELOTL_OK)
        status = oc_partition_make(partition, aggregation, &solution, p, p_raw);
    oc_solution_free(&solution);
    return status;
}

ocelotl_status ocelotl_solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                             double p)
{
    OC_TRY(check_p(p));
    return solve(partition, aggregation, p, ocelotl_p_to_raw(aggregation, p));
}

ocelotl_status ocelotl_solve_raw(ocelotl_partition **partition,
                                 const ocelotl_aggregation *aggregation, double p_raw)
{
    OC_TRY(check_p(p_raw));
    return solve(partition, aggregation, ocelotl_p_from_raw(aggregation, p_raw), p_raw);
}
