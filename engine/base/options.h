/* What callers ask for: structures of options, names that may be patterns, and what somebody may
 * have meant by a name that does not exist. */
#ifndef OC_BASE_OPTIONS_H
#define OC_BASE_OPTIONS_H

#include "base/status.h"

#include <ocelotl/selection.h>
#include <ocelotl/types.h>

#include <stdbool.h>
#include <stddef.h>

/* Copies a caller's options over `known`, which holds the presets and has `size` bytes. Both
 * structures begin with their size. A caller built against an older header gives fewer members, and
 * the rest keep their presets; one built against a newer header gives more, which are unknown here.
 * NULL leaves the presets. Errors: ARGUMENT for an impossible size: the initialiser was not
 * used. */
ocelotl_status oc_read_options(void *known, size_t size, const void *given);

/* Copies what is known over the info of a caller, whose size it keeps: members that it has no room
 * for are left out, and those that are not known here become zero. Both begin with their size; a
 * size of zero takes nothing. */
void oc_give_info(void *info, const void *known, size_t known_size);

/* Completes a selection: a window that is not given becomes INT64_MIN to INT64_MAX, and a bound of
 * durations one to compare with. */
void oc_complete_selection(ocelotl_selection *selection);

/* Whether a name is the pattern, or matches it as a glob (SQLite's GLOB: `*` any text, `?` a
 * character, `[a-z]` one of several). */
bool oc_pattern_matches(const char *pattern, const char *name);

/* The same of a pattern in small letters, where capital ones do not matter; of up to 255 bytes of a
 * name. */
bool oc_pattern_matches_small(const char *pattern, const char *name);

/* Whether a state is called as one in which nothing happens, as "Blocked". */
bool oc_is_idle_name(const char *name);

/* Whether a resource is called as a stream of a GPU, as "stream 7 (NCCL)". */
bool oc_is_gpu_stream(const char *name);

/* Whether one of the patterns matches. */
bool oc_patterns_match(const ocelotl_names *patterns, const char *name);

/* Whether all of them are texts. Errors: ARGUMENT. */
ocelotl_status oc_check_names(const ocelotl_names *names, const char *what);

/* Copies names with their texts into one block (freed by free). Errors: MEMORY. */
ocelotl_status oc_copy_names(const char ***copy, const ocelotl_names *names);

/* How unlike a text is to what was wanted: letters to add, remove or replace. 0 if it is the text's
 * last steps. At most 256 bytes of each count. */
size_t oc_count_changes(const char *wanted, const char *text);

/* The index of the text most like `wanted`, the first of equals; `count` if none is given. The last
 * steps of a path are most alike, then texts by the number of changed letters. O(bytes of the texts
 * x bytes of `wanted`), at most 256 of each. */
size_t oc_nearest(const char *wanted, const char *const *texts, size_t count);

/* The name of a kind: "temporal", "spatial" or "spatiotemporal". */
const char *oc_kind_name(ocelotl_kind kind);

/* The word for a category: "event", "state", "variable" or "link". */
const char *oc_category_name(ocelotl_category category);

/* --- What a word may have been meant for */

/* The name most like `wanted` of those that were tried, the first of equals; NULL while none is
 * alike enough to be meant. */
typedef struct oc_nearest_name {
    const char *wanted;
    size_t length; /* of wanted */
    const char *name;
    size_t changes; /* from the one to the other */
} oc_nearest_name;

/* At most 63 bytes of a name and of `wanted` count. */
oc_nearest_name oc_nearest_to(const char *wanted, size_t length);
void oc_nearest_try(oc_nearest_name *nearest, const char *name);

#endif
