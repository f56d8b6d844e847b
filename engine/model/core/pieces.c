/* Windows that leave time out: pieces of whole slices, and when a slice is. */
#include "base/memory.h"
#include "model/core/slicing.h"

#include <stdlib.h>
#include <string.h>

/* --- When a slice is */

/* The window as one piece, or that of its pieces with a slice; at an edge the one before it where
 * `ends`. */
static ocelotl_piece find_piece(const ocelotl_model_info *info, double slice, bool ends)
{
    uint32_t i = 0;
    if (info->piece_count == 0)
        return (ocelotl_piece){.begin = info->begin, .end = info->end, .slices = info->slice_count};
    while (i + 1 < info->piece_count &&
           (ends ? slice > info->pieces[i + 1].first : slice >= info->pieces[i + 1].first))
        i++;
    return info->pieces[i];
}

static double instant_in(const ocelotl_piece *piece, double slice)
{
    return piece->begin + (piece->end - piece->begin) * (slice - piece->first) / piece->slices;
}

double ocelotl_slice_begin(const ocelotl_model_info *info, double slice)
{
    const ocelotl_piece piece = find_piece(info, slice, false);
    return instant_in(&piece, slice);
}

double ocelotl_slice_end(const ocelotl_model_info *info, double slice)
{
    const ocelotl_piece piece = find_piece(info, slice, true);
    return instant_in(&piece, slice);
}

double ocelotl_slice_length(const ocelotl_model_info *info)
{
    const ocelotl_piece piece = find_piece(info, 0, false);
    return (piece.end - piece.begin) / piece.slices;
}

double ocelotl_slice_at(const ocelotl_model_info *info, double seconds)
{
    uint32_t i = 0;
    while (i + 1 < info->piece_count && seconds >= info->pieces[i + 1].begin)
        i++;
    const ocelotl_piece piece =
        info->piece_count > 0 ? info->pieces[i] : find_piece(info, 0, false);
    const double slice =
        piece.first + (seconds - piece.begin) / ((piece.end - piece.begin) / piece.slices);
    const double end = piece.first + (double)piece.slices;
    return i + 1 < info->piece_count && slice > end ? end : slice;
}

/* --- Dividing a window */

static uint64_t length_of(const ocelotl_span *span)
{
    return (uint64_t)span->to - (uint64_t)span->from;
}

static uint64_t slices_of(uint64_t length, uint64_t slice)
{
    return length / slice + (length % slice > 0);
}

/* The shortest slice that covers all spans in so many. */
static uint64_t shortest_slice(const ocelotl_span *spans, size_t count, uint32_t slices)
{
    uint64_t low = 1;
    uint64_t high = UINT64_MAX;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t needed = 0;
        for (size_t i = 0; i < count && needed <= slices; i++) {
            const uint64_t more = slices_of(length_of(&spans[i]), middle);
            needed = more > slices ? more : needed + more;
        }
        if (needed <= slices)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Widens a piece to its slices; the first one forwards, the last one backwards. */
static bool widen(ocelotl_piece *piece, uint64_t slice, bool first, bool last)
{
    const ocelotl_span span = {piece->from, piece->to};
    uint64_t length;
    if (__builtin_mul_overflow(slice, piece->slices, &length) || length > INT64_MAX)
        return false;
    const int64_t more = (int64_t)(length - length_of(&span));
    const int64_t before = first ? 0 : last ? more : more / 2;
    return !__builtin_sub_overflow(piece->from, before, &piece->from) &&
           !__builtin_add_overflow(piece->to, more - before, &piece->to);
}

/* False: the pieces would meet. */
static bool divide(ocelotl_piece *pieces, const ocelotl_span *spans, size_t count, uint32_t slices)
{
    const uint64_t slice = shortest_slice(spans, count, slices);
    uint32_t left = slices;
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        pieces[i] = (ocelotl_piece){.from = spans[i].from,
                                    .to = spans[i].to,
                                    .slices = (uint32_t)slices_of(length_of(&spans[i]), slice)};
        left -= pieces[i].slices;
    }
    for (size_t i = 0; left > 0; left--, i = (i + 1) % count)
        pieces[i].slices++;
    for (size_t i = 0; i < count; i++) {
        pieces[i].first = next;
        next += pieces[i].slices;
        if (!widen(&pieces[i], slice, i == 0, i + 1 == count) ||
            (i > 0 && pieces[i].from <= pieces[i - 1].to))
            return false;
    }
    return true;
}

ocelotl_status oc_pieces_divide(ocelotl_piece **pieces, uint32_t *count, const ocelotl_span *spans,
                                size_t span_count, uint32_t slices)
{
    OC_TRY(oc_allocate(pieces, span_count, sizeof **pieces));
    *count = (uint32_t)span_count;
    if (span_count > 1 && slices / 2 >= span_count && divide(*pieces, spans, span_count, slices))
        return OCELOTL_OK;
    **pieces =
        (ocelotl_piece){.from = spans[0].from, .to = spans[span_count - 1].to, .slices = slices};
    *count = 1;
    return OCELOTL_OK;
}

/* --- Joining cells */

static bool precedes(const oc_series *a, const oc_series *b)
{
    return a->leaf != b->leaf ? a->leaf < b->leaf : a->type < b->type;
}

/* The series that comes next of all pieces; NULL: none is left. */
static const oc_series *find_next(const oc_cells *cells, const size_t *at, uint32_t count)
{
    const oc_series *next = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (at[i] < cells[i].series_count &&
            (next == NULL || precedes(&cells[i].series[at[i]], next)))
            next = &cells[i].series[at[i]];
    return next;
}

static void add_series(oc_cells *joined, const oc_cells *from, size_t series, uint32_t slice)
{
    const size_t first = from->series[series].first;
    const size_t end =
        series + 1 < from->series_count ? from->series[series + 1].first : from->count;
    for (size_t i = first; i < end; i++) {
        joined->slice[joined->count] = from->slice[i] + slice;
        joined->value[joined->count++] = from->value[i];
    }
}

static ocelotl_status join(oc_cells *joined, const oc_cells *cells, const ocelotl_piece *pieces,
                           size_t *at, uint32_t count)
{
    size_t sum = 0;
    size_t series = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += cells[i].count;
        series += cells[i].series_count;
    }
    OC_TRY(oc_grow(&joined->slice, &joined->slice_capacity, sum, sizeof *joined->slice));
    OC_TRY(oc_grow(&joined->value, &joined->value_capacity, sum, sizeof *joined->value));
    OC_TRY(oc_grow(&joined->series, &joined->series_capacity, series + 1, sizeof *joined->series));
    for (const oc_series *found; (found = find_next(cells, at, count)) != NULL;) {
        const oc_series next = {found->leaf, found->type, joined->count};
        joined->series[joined->series_count++] = next;
        for (uint32_t i = 0; i < count; i++)
            if (at[i] < cells[i].series_count && !precedes(&next, &cells[i].series[at[i]]))
                add_series(joined, &cells[i], at[i]++, pieces[i].first);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_pieces_join(oc_cells *joined, oc_cells *cells, const ocelotl_piece *pieces,
                              uint32_t count)
{
    size_t *at = NULL;
    if (count == 1) {
        *joined = cells[0];
        cells[0] = (oc_cells){0};
        return OCELOTL_OK;
    }
    ocelotl_status status = oc_allocate(&at, count, sizeof *at);
    if (status == OCELOTL_OK)
        status = join(joined, cells, pieces, at, count);
    free(at);
    for (uint32_t i = 0; i < count; i++)
        oc_cells_free(&cells[i]);
    return status;
}
