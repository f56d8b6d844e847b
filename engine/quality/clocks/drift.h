/* How much two clocks may differ in speed. */
#ifndef OC_QUALITY_CLOCKS_DRIFT_H
#define OC_QUALITY_CLOCKS_DRIFT_H

/* As options ask for it: 0: 100 ppm, below 0: not at all. */
static inline double oc_most_drift(double asked)
{
    static const double usual = 1e-4;
    return asked > 0 ? asked : asked < 0 ? 0 : usual;
}

#endif
