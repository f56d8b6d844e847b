/* What least squares say of clocks: the report of Tape/PVM (É. Maillet, Le traçage logiciel
 * d'applications parallèles, 1996, figure 6.1), and what else is known of them. */
#ifndef OC_ANSWER_CLOCK_FITS_H
#define OC_ANSWER_CLOCK_FITS_H

#include "answer/clock_words.h"

#include <ocelotl/clocks.h>

/* Prints tables of all clocks, if they were found by least squares. */
void oc_output_fits(oc_output *out, const ocelotl_trace *trace, const ocelotl_clocks *clocks);

/* Writes what is known of one, as an object `fitted`, if there is something. */
void oc_json_fit(oc_json *json, const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                 uint32_t index);

/* A confidence in percent of a value. */
double oc_percent_of(double confidence, double value);

#endif
