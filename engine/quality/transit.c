/* The line below what links take by their size. */
#include "quality/transit.h"

#include <math.h>

ocelotl_status oc_transit_add(oc_transit *transit, double bytes, int64_t duration)
{
    const double known = bytes >= 0 && isfinite(bytes) ? bytes : 0;
    transit->links++;
    transit->bytes += known;
    return oc_hull_add(&transit->hull, known, (double)duration);
}

/* A byte takes no negative time, and neither does a link without any. */
oc_transit_line oc_transit_find(oc_transit *transit)
{
    oc_hull_finish(&transit->hull);
    if (transit->links == 0)
        return (oc_transit_line){0, 0};
    const double mean = transit->bytes / (double)transit->links;
    const double slope = fmax(0, oc_hull_slope_at(&transit->hull, mean));
    const double fixed = oc_hull_least(&transit->hull, slope);
    if (fixed >= 0)
        return (oc_transit_line){fixed, slope};
    double steepest = INFINITY; /* through no bytes in no time, below all points */
    for (size_t i = 0; i < transit->hull.count; i++)
        if (transit->hull.points[i].x > 0)
            steepest = fmin(steepest, transit->hull.points[i].z / transit->hull.points[i].x);
    return (oc_transit_line){0, isfinite(steepest) ? steepest : 0};
}

void oc_transit_free(oc_transit *transit)
{
    oc_hull_free(&transit->hull);
}
