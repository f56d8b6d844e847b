/* Tags of messages that traces tell in the keys of their links. */
#ifndef OC_QUALITY_TAGS_H
#define OC_QUALITY_TAGS_H

#include <ocelotl/writer.h>

#include <stdbool.h>

/* Cuts a key to the tag in it, if SMPI of SimGrid made it: SOURCE_TARGET_TAG_NUMBER, between
 * resources rank-N. Its SOURCE and TARGET count these N from 0 or from 1, which tells it from other
 * keys. `source` and `target` are the names of the resources, NULL where one is not known. Returns
 * false and leaves the key for others. */
bool oc_tag_cut(ocelotl_attribute_value *key, const char *source, const char *target);

#endif
