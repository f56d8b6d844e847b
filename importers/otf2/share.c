/* Ranks that share an archive. */
#include "importers/otf2/import.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Who reads what */

/* A metric of something else than the location that records it is of the first that does: ranks
 * would have to agree on it. */
static bool has_scopes(const otf2_definitions *definitions)
{
    for (size_t i = 0; i < definitions->metrics.count; i++)
        if (definitions->scopes[i].is_set)
            return true;
    return false;
}

static ocelotl_status add_up(uint64_t *counts, size_t count, const ocelotl_exchange *ranks)
{
    OC_TRY(oc_exchange_combine(counts, count * sizeof *counts, oc_combine_counts, ranks));
    return oc_exchange_spread(counts, count * sizeof *counts, ranks);
}

/* Counts the events of locations by their files, as tracers define counts that are none; where
 * that is not known, as defined. */
static ocelotl_status count_events(otf2_import *import)
{
    otf2_shared *shared = &import->shared;
    const otf2_table *locations = &import->definitions.locations;
    OC_TRY(otf2_share_status(import, OCELOTL_OK));
    for (size_t i = 0; i < locations->count; i++)
        if (!otf2_is_elsewhere(import, i))
            shared->events[i] =
                otf2_archive_count(&import->archive, import->paths[i], import->sizes[i]);
    OC_TRY(add_up(shared->events, locations->count, shared->ranks));
    for (size_t i = 0; i < locations->count; i++)
        if (shared->events[i] == 0)
            shared->events[i] = locations->items[i].other;
    return OCELOTL_OK;
}

ocelotl_status otf2_share(otf2_import *import)
{
    otf2_shared *shared = &import->shared;
    const ocelotl_exchange *exchange = import->import->options->work.exchange;
    const size_t count = import->definitions.locations.count;
    uint64_t *weights = NULL;
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    if (import->import->source_count > 1 || has_scopes(&import->definitions)) {
        shared->is_idle = exchange->rank > 0;
        return OCELOTL_OK;
    }
    OC_TRY(oc_arena_allocate(&shared->rank_of, &import->arena, count, sizeof *shared->rank_of));
    OC_TRY(oc_arena_allocate(&shared->events, &import->arena, count, sizeof *shared->events));
    OC_TRY(oc_arena_allocate(&weights, &import->arena, count, sizeof *weights));
    for (size_t i = 0; i < count; i++)
        weights[i] = import->sizes[i] + 1;
    oc_exchange_deal(shared->rank_of, exchange, weights, (uint32_t)count);
    shared->ranks = exchange;
    return count_events(import);
}

/* --- Turns */

void otf2_share_counts(otf2_import *import)
{
    oc_oddities *oddities = &import->oddities;
    if (import->shared.ranks == NULL || import->shared.ranks->rank == 0)
        return;
    for (size_t i = 0; i < OC_MOST_ODDITIES; i++) {
        free(oddities->texts[i]);
        oddities->texts[i] = NULL;
        oddities->counts[i] = 0;
        oddities->places[i] = (oc_place){0};
    }
}

/* Keeps in which turn each oddity was first met. */
static void note_oddities(otf2_import *import)
{
    otf2_shared *shared = &import->shared;
    for (size_t i = 0; i < OC_MOST_ODDITIES; i++)
        if (shared->first[i] == 0 && import->oddities.counts[i] > 0)
            shared->first[i] = shared->turn + 1;
}

ocelotl_status otf2_share_turn(otf2_import *import, uint64_t location)
{
    otf2_shared *shared = &import->shared;
    if (shared->ranks == NULL)
        return OCELOTL_OK;
    note_oddities(import);
    shared->turn++;
    return ocelotl_writer_turn(import->writer, shared->turn, otf2_is_elsewhere(import, location));
}

/* --- Links */

/* Keeps the first link of some that are left. */
static ocelotl_status keep_first(otf2_import *import, const char **left)
{
    otf2_shared_link link;
    memcpy(&link, *left, sizeof link);
    *left += sizeof link;
    const otf2_batch batch = {.bytes = {.bytes = (char *)*left, .length = link.length}};
    *left += link.length;
    return otf2_keep_link(import, &batch, &link.record, link.location);
}

/* Keeps the links of all ranks, in the order of turns, as one that reads all does. `left` and `end`
 * are where those of each rank begin and end. */
static ocelotl_status keep_links(otf2_import *import, const char **left, const char *const *end)
{
    const uint32_t count = import->shared.ranks->count;
    for (;;) {
        uint32_t first = count;
        uint64_t turn = UINT64_MAX;
        for (uint32_t rank = 0; rank < count; rank++) {
            otf2_shared_link link;
            if (left[rank] == end[rank])
                continue;
            memcpy(&link, left[rank], sizeof link);
            first = link.turn < turn ? rank : first;
            turn = link.turn < turn ? link.turn : turn;
        }
        if (first == count)
            return OCELOTL_OK;
        for (uint64_t at = turn; at == turn && left[first] < end[first];) {
            OC_TRY(keep_first(import, &left[first]));
            if (left[first] < end[first])
                memcpy(&at, left[first], sizeof at); /* the first member of a link */
        }
    }
}

static ocelotl_status share_links(otf2_import *import)
{
    oc_bytes all = {0};
    otf2_shared *shared = &import->shared;
    const uint32_t count = shared->ranks->count;
    const char **left = NULL;
    const char **end = NULL;
    const uint64_t length = shared->links.length;
    OC_TRY(oc_arena_allocate(&left, &import->arena, count, sizeof *left));
    OC_TRY(oc_arena_allocate(&end, &import->arena, count, sizeof *end));
    ocelotl_status status = oc_bytes_add(&all, &length, sizeof length);
    if (status == OCELOTL_OK)
        status = oc_bytes_add(&all, shared->links.bytes, shared->links.length);
    oc_bytes_free(&shared->links);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, shared->ranks);
    for (uint32_t rank = 0; rank < count && status == OCELOTL_OK; rank++) {
        uint64_t held;
        status = oc_bytes_take(&held, &all, sizeof held);
        if (status != OCELOTL_OK)
            break;
        left[rank] = (const char *)all.bytes + all.read;
        end[rank] = left[rank] + held;
        all.read += held;
    }
    shared->is_joined = true;
    if (status == OCELOTL_OK)
        status = keep_links(import, left, end);
    oc_bytes_free(&all);
    return status;
}

/* --- Counts */

/* Where an oddity was first met on a rank: in words, or in a file. */
typedef struct first_place {
    uint64_t turn, length;
    bool is_file;
} first_place;

static ocelotl_status keep_place(otf2_import *import, size_t oddity, const first_place *first,
                                 const char *text)
{
    oc_oddities *oddities = &import->oddities;
    free(oddities->texts[oddity]);
    oddities->texts[oddity] = NULL;
    oddities->places[oddity] =
        (oc_place){first->is_file ? oc_arena_copy(&import->arena, text) : NULL, 0};
    return first->is_file ? oc_arena_status(&import->arena)
                          : oc_copy_text(&oddities->texts[oddity], text);
}

/* Gives all ranks the place where an oddity was first met. */
static ocelotl_status share_place(otf2_import *import, size_t oddity)
{
    oc_bytes all = {0};
    const oc_oddities *oddities = &import->oddities;
    const otf2_shared *shared = &import->shared;
    const char *file = oddities->places[oddity].file;
    first_place own = {.turn = shared->first[oddity], .is_file = oddities->texts[oddity] == NULL};
    const char *text = !own.is_file ? oddities->texts[oddity] : file != NULL ? file : "";
    uint64_t first = UINT64_MAX;
    own.length = strlen(text) + 1;
    ocelotl_status status = oc_bytes_add(&all, &own, sizeof own);
    if (status == OCELOTL_OK)
        status = oc_bytes_add(&all, text, own.length);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, shared->ranks);
    while (status == OCELOTL_OK && all.read < all.length) {
        first_place one;
        status = oc_bytes_take(&one, &all, sizeof one);
        text = (const char *)all.bytes + all.read;
        if (status == OCELOTL_OK && one.turn > 0 && one.turn < first) {
            first = one.turn;
            status = keep_place(import, oddity, &one, text);
        }
        all.read += one.length;
    }
    oc_bytes_free(&all);
    return status;
}

ocelotl_status otf2_share_all(otf2_import *import)
{
    otf2_shared *shared = &import->shared;
    if (shared->ranks == NULL)
        return OCELOTL_OK;
    note_oddities(import);
    OC_TRY(otf2_share_status(import, OCELOTL_OK));
    /* What is declared from now on all declare alike. */
    OC_TRY(ocelotl_writer_turn(import->writer, UINT64_MAX, false));
    OC_TRY(add_up(import->counts, OC_OTF2_KIND_COUNT, shared->ranks));
    OC_TRY(add_up(import->left_out, OC_OTF2_KIND_COUNT, shared->ranks));
    OC_TRY(add_up(import->oddities.counts, OC_MOST_ODDITIES, shared->ranks));
    for (size_t i = 0; i < OC_MOST_ODDITIES; i++)
        if (import->oddities.counts[i] > 0)
            OC_TRY(share_place(import, i));
    return share_links(import);
}

ocelotl_status otf2_share_status(otf2_import *import, ocelotl_status status)
{
    if (import->shared.has_failed)
        return status;
    status = oc_exchange_agree(status, import->import->options->work.exchange);
    import->shared.has_failed = status != OCELOTL_OK;
    return status;
}
