/* The colours that states of common runtimes have by their name alone. */
#ifndef OC_VIZ_COLOUR_KNOWN_COLOURS_H
#define OC_VIZ_COLOUR_KNOWN_COLOURS_H

#include "base/status.h"

/* Finds the colour that a name stands for: a call of MPI, a state of StarPU, OpenMP or an operating
 * system, idling, computing. Upper case, prefixes (PMPI_, smpi_, action_ ...), `_`, `-` and blanks
 * do not matter. Related calls have related hues: blue for messages, purple for collectives, red
 * for waiting, yellow for files, green for work, grey for the beginning and the end and for
 * "others", pale for idling, which is pale against `background` whatever that is. Any two of these
 * colours but those for the end and for others are told apart with the common deficiencies of
 * colour vision. */
bool oc_known_colour(uint32_t *colour, const char *name, uint32_t background);

#endif
