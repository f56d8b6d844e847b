/* What two answers say of clocks in the same words. */
#ifndef OC_ANSWER_CLOCK_WORDS_H
#define OC_ANSWER_CLOCK_WORDS_H

#include "answer/answer.h"

/* Prints a time of seconds in s, ms or us. */
void oc_output_time(oc_output *out, double time);

/* Prints the name of a trace and how many clocks it has, one for each resource of a type ("": of
 * several), without the end of the line. */
void oc_output_clocks(oc_output *out, const ocelotl_trace *trace, uint32_t clocks,
                      const char *type);

/* Prints lines on collective operations: how many, and which were left out; nothing without any. */
void oc_output_collectives(oc_output *out, uint64_t collectives, const char *left_out);

/* A confidence in percent of a value. */
double oc_percent_of(double confidence, double value);

/* The tick of a trace in seconds. */
double oc_tick_of(const ocelotl_trace *trace);

#endif
