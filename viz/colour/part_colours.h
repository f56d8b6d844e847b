/* Colours of parts that stand for nothing but where they begin (thesis, 5.6.2). */
#ifndef OC_VIZ_COLOUR_PART_COLOURS_H
#define OC_VIZ_COLOUR_PART_COLOURS_H

#include "base/status.h"

/* The colour of the part that begins at a position: its first slice. It depends on nothing else, so
 * that a part keeps it whatever p is and wherever the part ends. Positions up to eight apart have
 * colours that everybody tells apart, up to thirty apart that normal vision does; farther ones
 * never have the same, but of all pairs below 200 one in eighty is too near for normal vision and
 * one in ten for somebody, so a line between parts is still wanted. The colours stand out from the
 * background, white or dark. */
uint32_t oc_part_colour(uint32_t position, uint32_t background);

#endif
