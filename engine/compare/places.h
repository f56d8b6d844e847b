/* Places where a run spends its time otherwise than those before it: slices of a node. */
#ifndef OC_COMPARE_PLACES_H
#define OC_COMPARE_PLACES_H

#include "compare/check.h"

/* So many places are looked at, those that matter most. */
enum { OC_PLACES_MOST = 20 };

/* Finds at most OC_PLACES_MOST places of the last run, see oc_check_runs; phases[i] are those of
 * comparisons[i]. Of a node it is the one that moves most time beyond chance, of places within each
 * other that differ alike the one that does. The most time comes first. Their `beyond` is not set.
 * O(nodes x (cells below one + slices x types x runs)). Errors: MEMORY. */
ocelotl_status oc_find_changed_places(oc_changed *places, size_t *found,
                                      const ocelotl_comparison *const *comparisons,
                                      ocelotl_phases *const *phases, size_t count, double max_loss);

#endif
