/* What is known of a problem once it is measured: its kind, the whole's gain and loss, and p in
 * both scales. */
#include "aggregate/problem/problem.h"

ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation)
{
    return aggregation->kind;
}

const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation)
{
    return aggregation->model;
}

double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_gain, aggregation->unit);
}

double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_loss, aggregation->unit);
}

/* p weighed by a, against 1 - p weighed by b. Only an end gives an end: below 1 the whole is one
 * part among others. */
static double reweigh(double p, double a, double b)
{
    if (!(p > 0 && p < 1) || !(a > 0 && b > 0))
        return p;
    const double weighed = p * a / (p * a + (1 - p) * b);
    return weighed < 1 ? weighed : nextafter(1, 0);
}

double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p)
{
    return reweigh(p, aggregation->whole_loss, aggregation->whole_gain);
}

double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw)
{
    return reweigh(p_raw, aggregation->whole_gain, aggregation->whole_loss);
}
