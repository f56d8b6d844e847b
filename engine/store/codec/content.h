/* The uid of a trace is a hash of its content: of what is named in it, and of each stream's records
 * one by one. How that was written makes no difference: chunks, numbers, order, ticks. See
 * docs/developer/store.md.
 *
 * Of a stream two sequences of 64 bits hash what happens; and when, by sums of times that are
 * weighted with those. Such sums modulo a prime are of seconds as well as of ticks: a finer tick
 * multiplies them. */
#ifndef OC_STORE_CODEC_CONTENT_H
#define OC_STORE_CODEC_CONTENT_H

#include "base/arena.h"
#include "base/file/digest.h"
#include "base/status.h"

__extension__ typedef unsigned __int128 oc_content_sum;

/* What a name stands for, by its path: the same in every trace. Of nothing it is 0. */
typedef struct oc_identity {
    uint64_t first, second;
} oc_identity;

/* What has an identity. */
typedef enum oc_named {
    OC_NAMED_RESOURCE_TYPE,
    OC_NAMED_RESOURCE,
    OC_NAMED_EVENT_TYPE,
    OC_NAMED_VALUE,
    OC_NAMED_ATTRIBUTE,
} oc_named;

/* The identity of a name below another; `before` is how many of that name came before it there. */
oc_identity oc_identity_of(oc_named named, oc_identity parent, const char *name, uint32_t before);

/* Identities by index, in an arena. They never move, so another thread may read them while others
 * are added. Empty if zero-initialised. */
enum { OC_IDENTITY_SEGMENTS = 30, OC_IDENTITIES_AT_FIRST = 8 };
typedef struct oc_identities {
    oc_identity *segments[OC_IDENTITY_SEGMENTS]; /* of 8, 16, 32, .. */
} oc_identities;

/* Puts one at an index, which is 0 or follows one that has one. */
ocelotl_status oc_identities_put(oc_identities *identities, oc_arena *arena, uint32_t index,
                                 oc_identity identity);

/* That of an index that has one; of OCELOTL_NONE 0. */
static inline oc_identity oc_identity_at(const oc_identities *identities, uint32_t index)
{
    const oc_identity none = {0, 0};
    if (index == UINT32_MAX)
        return none;
    const uint64_t place = (uint64_t)index + OC_IDENTITIES_AT_FIRST;
    const unsigned segment = 63 - (unsigned)__builtin_clzll(place);
    return identities->segments[segment - 3][place - ((uint64_t)1 << segment)];
}

/* What a stream holds so far. */
typedef struct oc_content {
    uint64_t count; /* records */
    oc_identity state;
    oc_content_sum sums[2];
} oc_content;

void oc_content_begin(oc_content *content);

#define OC_CONTENT_PRIME (((uint64_t)1 << 61) - 1)

static inline void oc_content_weigh(oc_content_sum *sum, uint64_t number, uint64_t weight)
{
    *sum += (oc_content_sum)number * (weight >> 3);
    if ((uint64_t)(*sum >> 64) >> 60 != 0)
        *sum = (*sum & OC_CONTENT_PRIME) + (*sum >> 61);
}

/* Takes a word, and a time or duration that belongs to it. */
static inline void oc_content_take(oc_content *content, oc_identity word, int64_t time)
{
    oc_identity state = content->state;
    const uint64_t number =
        time >= 0 ? (uint64_t)time : OC_CONTENT_PRIME - (0 - (uint64_t)time) % OC_CONTENT_PRIME;
    state.first = (state.first ^ word.first) * 0x9E3779B97F4A7C15u;
    state.second = (state.second ^ word.second) * 0xC2B2AE3D27D4EB4Fu;
    state.first ^= state.first >> 32;
    state.second ^= state.second >> 29;
    content->state = state;
    oc_content_weigh(&content->sums[0], number, state.first);
    oc_content_weigh(&content->sums[1], number, state.second);
}

/* The word of an end of the state or link that is so deep. */
static inline oc_identity oc_content_end(uint32_t depth)
{
    const oc_identity word = {(uint64_t)depth + 1, (uint64_t)depth + 1};
    return word;
}

/* Adds an attribute to the word of all that a record carries, in whatever order. */
void oc_content_add_attribute(oc_identity *word, oc_identity attribute, const void *text,
                              size_t length);

/* All times so far are multiplied. */
void oc_content_refine(oc_content *content, uint64_t factor);

/* --- The whole, whose parts may come in any order */

/* The sum of all content. Zero-initialised it is that of nothing, except for its tick. */
typedef struct oc_content_total {
    uint64_t tick; /* a tick in seconds, modulo the prime */
    oc_identity sum;
} oc_content_total;

void oc_content_total_begin(oc_content_total *total, uint64_t numerator, uint64_t denominator);

/* Adds a name that has no more to it than its identity and `what`; a resource, with its type and
 * lifetime; an event type, with the unit of a variable and kind (NULL: a level); and a stream. */
void oc_content_add_name(oc_content_total *total, oc_identity name);
void oc_content_add_resource(oc_content_total *total, oc_identity resource, oc_identity type,
                             int64_t begin, int64_t end);
void oc_content_add_event_type(oc_content_total *total, oc_identity type, unsigned category,
                               const char *unit, const char *kind);
void oc_content_add_stream(oc_content_total *total, oc_identity resource, oc_identity type,
                           unsigned role, const oc_content *content);

/* The uid, of a trace from `begin` to `end`. */
void oc_content_end_total(uint64_t uid[2], const oc_content_total *total, int64_t begin,
                          int64_t end);

#endif
