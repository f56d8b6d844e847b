#include "store/read/chunk_finder.h"

#include <stdlib.h>

/* A chunk found by searching costs as much as about so many in a list. */
static const uint64_t listed_per_search = 16;

/* How many chunks in a row a probe looks at: the next one is cheap, another probe is not. */
enum { PROBE_ROWS = 4 };

ocelotl_status oc_chunk_finder_open(oc_chunk_finder *finder, const oc_connection *connection)
{
    finder->trace = connection->trace;
    return oc_database_prepare(&finder->from, connection->database, connection->trace->path,
                               OC_CHUNK_PLACES);
}

void oc_chunk_finder_close(oc_chunk_finder *finder)
{
    sqlite3_finalize(finder->from);
    free(finder->places);
    *finder = (oc_chunk_finder){0};
}

static void go_to(oc_chunk_finder *finder, int64_t number)
{
    sqlite3_bind_int64(finder->from, 1, finder->stream);
    sqlite3_bind_int64(finder->from, 2, number);
}

/* The last chunk says how long the others are about. */
static ocelotl_status read_last(oc_chunk_finder *finder)
{
    oc_chunk_place last = {0};
    go_to(finder, finder->count - 1);
    const ocelotl_status status =
        oc_chunk_read_place(&last, finder->from, finder->trace, finder->stream, finder->count - 1);
    sqlite3_reset(finder->from);
    finder->last_begin = last.begin;
    return status;
}

ocelotl_status oc_chunk_finder_begin(oc_chunk_finder *finder, uint32_t stream, uint64_t instants)
{
    finder->stream = stream;
    finder->low = -1;
    finder->count = finder->trace->streams[stream].chunk_count;
    finder->listed = (uint64_t)finder->count / listed_per_search <= instants;
    if (finder->listed)
        return oc_chunk_list_places(&finder->places, &finder->capacity, finder->from, finder->trace,
                                    stream);
    return read_last(finder);
}

/* How many chunks of the list begin before an instant, from one on that does. */
static int64_t find_listed(const oc_chunk_finder *finder, int64_t time, bool through)
{
    int64_t low = finder->low;
    int64_t step = 1;
    while (low + step < finder->count &&
           oc_is_before(finder->places[low + step].begin, time, through)) {
        low += step;
        step *= 2;
    }
    int64_t high = low + step < finder->count ? low + step : finder->count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (oc_is_before(finder->places[middle].begin, time, through))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the chunk should be if from the last one found to the stream's end all were of one length.
 */
static int64_t guess(const oc_chunk_finder *finder, int64_t time)
{
    if (finder->low < 0 || finder->last_begin <= finder->low_place.begin ||
        time <= finder->low_place.begin)
        return finder->low + 1;
    const double share = ((double)time - (double)finder->low_place.begin) /
                         ((double)finder->last_begin - (double)finder->low_place.begin);
    const double ahead = share * (double)(finder->count - 1 - finder->low);
    return finder->low + (ahead < (double)(finder->count - 1 - finder->low)
                              ? (int64_t)ahead
                              : finder->count - 1 - finder->low);
}

/* Looks at a few chunks from `number` on, which lies between the bounds, and moves them. */
static ocelotl_status probe(oc_chunk_finder *finder, int64_t *high, int64_t number, int64_t time,
                            bool through)
{
    ocelotl_status status = OCELOTL_OK;
    go_to(finder, number);
    for (int64_t i = number; i < number + PROBE_ROWS && i < *high && status == OCELOTL_OK; i++) {
        oc_chunk_place place;
        status = oc_chunk_read_place(&place, finder->from, finder->trace, finder->stream, i);
        if (status != OCELOTL_OK)
            break;
        if (!oc_is_before(place.begin, time, through)) {
            *high = i;
            break;
        }
        finder->low = i;
        finder->low_place = place;
    }
    sqlite3_reset(finder->from);
    return status;
}

/* Guesses and halvings take turns, so that no distribution of events makes it long. */
static ocelotl_status search(oc_chunk_finder *finder, int64_t time, bool through)
{
    int64_t high = finder->count;
    for (unsigned turn = 0; high - finder->low > 1; turn++) {
        int64_t number =
            turn % 2 == 0 ? guess(finder, time) - 1 : finder->low + (high - finder->low) / 2;
        if (number <= finder->low)
            number = finder->low + 1;
        if (number >= high)
            number = high - 1;
        OC_TRY(probe(finder, &high, number, time, through));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_finder_find(int64_t *number, oc_chunk_place *place, oc_chunk_finder *finder,
                                    int64_t time, bool through)
{
    if (finder->low >= 0 && !oc_is_before(finder->low_place.begin, time, through))
        finder->low = -1;
    if (finder->listed && finder->low < 0 && finder->count > 0 &&
        oc_is_before(finder->places[0].begin, time, through))
        finder->low = 0;
    if (!finder->listed) {
        OC_TRY(search(finder, time, through));
    } else if (finder->low >= 0) {
        finder->low = find_listed(finder, time, through);
        finder->low_place = finder->places[finder->low];
    }
    *number = finder->low;
    *place = finder->low_place;
    return OCELOTL_OK;
}
