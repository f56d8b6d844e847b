#include "store/codec/content.h"

/* What a digest is of, at its beginning. */
enum { OF_NAME = 1, OF_TWIN, OF_RESOURCE, OF_EVENT_TYPE, OF_STREAM, OF_TRACE };

static void take_identity(oc_digest *digest, oc_identity identity)
{
    oc_digest_number(digest, identity.first);
    oc_digest_number(digest, identity.second);
}

static oc_identity finish(oc_digest *digest)
{
    uint64_t result[2];
    oc_digest_end(result, digest);
    return (oc_identity){result[0], result[1]};
}

static oc_digest begin(unsigned of)
{
    oc_digest digest;
    oc_digest_begin(&digest);
    oc_digest_number(&digest, of);
    return digest;
}

oc_identity oc_identity_of(oc_named named, oc_identity parent, const char *name, uint32_t before)
{
    oc_digest digest = begin(OF_NAME);
    oc_digest_number(&digest, named);
    take_identity(&digest, parent);
    oc_digest_text(&digest, name);
    const oc_identity first = finish(&digest);
    if (before == 0)
        return first;
    digest = begin(OF_TWIN);
    take_identity(&digest, first);
    oc_digest_number(&digest, before);
    return finish(&digest);
}

ocelotl_status oc_identities_put(oc_identities *identities, oc_arena *arena, uint32_t index,
                                 oc_identity identity)
{
    const uint64_t place = (uint64_t)index + OC_IDENTITIES_AT_FIRST;
    const unsigned power = 63 - (unsigned)__builtin_clzll(place);
    const size_t length = (size_t)1 << power;
    oc_identity **segment = &identities->segments[power - 3];
    if (*segment == NULL)
        OC_TRY(oc_arena_allocate(segment, arena, length, sizeof **segment));
    (*segment)[place - length] = identity;
    return OCELOTL_OK;
}

/* --- Streams */

void oc_content_begin(oc_content *content)
{
    *content = (oc_content){.state = {0x243F6A8885A308D3u, 0x13198A2E03707344u}};
}

void oc_content_add_attribute(oc_identity *word, oc_identity attribute, const void *text,
                              size_t length)
{
    word->first += oc_checksum(text, length, attribute.first);
    word->second += oc_checksum(text, length, attribute.second);
}

static uint64_t reduce(oc_content_sum sum)
{
    return (uint64_t)(sum % OC_CONTENT_PRIME);
}

void oc_content_refine(oc_content *content, uint64_t factor)
{
    for (size_t i = 0; i < 2; i++)
        content->sums[i] = (oc_content_sum)reduce(content->sums[i]) * (factor % OC_CONTENT_PRIME);
}

/* --- The whole */

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return reduce((oc_content_sum)a * b);
}

/* 1 / number: its power by the prime less two. */
static uint64_t invert(uint64_t number)
{
    uint64_t result = 1;
    for (uint64_t power = OC_CONTENT_PRIME - 2; power > 0; power >>= 1) {
        if ((power & 1) != 0)
            result = multiply(result, number);
        number = multiply(number, number);
    }
    return result;
}

/* A time in seconds. */
static uint64_t seconds(const oc_content_total *total, int64_t time)
{
    const uint64_t size = time >= 0 ? (uint64_t)time : 0 - (uint64_t)time;
    const uint64_t number = multiply(size % OC_CONTENT_PRIME, total->tick);
    return time >= 0 || number == 0 ? number : OC_CONTENT_PRIME - number;
}

void oc_content_total_begin(oc_content_total *total, uint64_t numerator, uint64_t denominator)
{
    *total = (oc_content_total){
        .tick = multiply(numerator % OC_CONTENT_PRIME, invert(denominator % OC_CONTENT_PRIME))};
}

void oc_content_add_name(oc_content_total *total, oc_identity name)
{
    total->sum.first += name.first;
    total->sum.second += name.second;
}

void oc_content_add_resource(oc_content_total *total, oc_identity resource, oc_identity type,
                             int64_t from, int64_t to)
{
    oc_digest digest = begin(OF_RESOURCE);
    take_identity(&digest, resource);
    take_identity(&digest, type);
    oc_digest_number(&digest, seconds(total, from));
    oc_digest_number(&digest, seconds(total, to));
    oc_content_add_name(total, finish(&digest));
}

void oc_content_add_event_type(oc_content_total *total, oc_identity type, unsigned category,
                               const char *unit, const char *kind)
{
    oc_digest digest = begin(OF_EVENT_TYPE);
    take_identity(&digest, type);
    oc_digest_number(&digest, category);
    oc_digest_text(&digest, unit);
    if (kind != NULL)
        oc_digest_text(&digest, kind);
    oc_content_add_name(total, finish(&digest));
}

void oc_content_add_stream(oc_content_total *total, oc_identity resource, oc_identity type,
                           unsigned role, const oc_content *content)
{
    oc_digest digest = begin(OF_STREAM);
    take_identity(&digest, resource);
    take_identity(&digest, type);
    oc_digest_number(&digest, role);
    oc_digest_number(&digest, content->count);
    take_identity(&digest, content->state);
    for (size_t i = 0; i < 2; i++)
        oc_digest_number(&digest, multiply(reduce(content->sums[i]), total->tick));
    oc_content_add_name(total, finish(&digest));
}

void oc_content_end_total(uint64_t uid[2], const oc_content_total *total, int64_t from, int64_t to)
{
    oc_digest digest = begin(OF_TRACE);
    take_identity(&digest, total->sum);
    oc_digest_number(&digest, seconds(total, from));
    oc_digest_number(&digest, seconds(total, to));
    oc_digest_end(uid, &digest);
}
