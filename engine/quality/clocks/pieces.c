/* Clocks whose speeds change, or that somebody sets, are straight in pieces of the run.
 *
 * Messages are looked at in causal order, as the controlled logical clock dates their ends, however
 * wrong clocks are. A piece ends where a message is sent that no two straight clocks explain
 * together with those of its pair before it in the piece: what explains all messages explains some
 * of them, so to go on as long as can be takes the fewest pieces. The clocks of a piece are found
 * from its messages as those of a whole run.
 *
 * Where a clock is set, the fewest pieces leave messages about as much time as more pieces do.
 * Where speeds change, the fewest bend as far as messages allow: more pieces are better. */
#include "quality/clocks/amortise.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PIECES = 1024 };

/* A message, and when its ends are in causal order. */
typedef struct letter {
    int64_t came, left;     /* in order, */
    int64_t sent, received; /* and as the clocks read */
    uint32_t source, target;
    uint32_t pairing;
} letter;

typedef struct shifts {
    oc_shift *list;
    size_t count, capacity;
    double bend, quarter; /* the slope of the last piece, and a quarter of its length in ticks */
} shifts;

typedef struct bending {
    ocelotl_clocks *clocks;
    oc_moments moments;
    letter *letters;  /* as they come */
    oc_pairing *pair; /* what is known in a piece, by pairing */
    int64_t begins[MOST_PIECES + 1];
    size_t count;   /* of pieces */
    double least;   /* ticks that each message takes at least, as straight clocks of its pair say */
    shifts *shifts; /* by clock */
} bending;

/* --- The order of messages */

static int compare_letters(const void *left, const void *right)
{
    const letter *a = left, *b = right;
    if (a->came != b->came)
        return a->came < b->came ? -1 : 1;
    return (a->left > b->left) - (a->left < b->left);
}

static ocelotl_status list_letters(bending *b)
{
    oc_moments *all = &b->moments;
    oc_network *network = &b->clocks->network;
    ocelotl_clocks_info moved = {0};
    all->latency = 1;
    OC_TRY(oc_moments_gather(all, b->clocks, b->clocks->info.evidence));
    OC_TRY(oc_moments_move(&moved, all, network->count));
    OC_TRY(oc_allocate(&b->letters, all->messages, sizeof *b->letters));
    for (uint32_t c = 0; c < network->count; c++)
        for (size_t i = all->first[c]; i < all->first[c + 1]; i++) {
            oc_moment *moment = &all->moments[i];
            letter *of = &b->letters[moment->message];
            moment->time = (int64_t)((uint64_t)moment->time +
                                     (uint64_t)(int64_t)fmin(ceil(moment->shift), 0x1p62));
            *(moment->arrives ? &of->came : &of->left) = moment->time;
            *(moment->arrives ? &of->received : &of->sent) = moment->read;
            *(moment->arrives ? &of->target : &of->source) = c;
        }
    for (size_t i = 0; i < all->messages; i++) {
        letter *of = &b->letters[i];
        const bool forth = of->source < of->target;
        OC_TRY(oc_network_pair(&of->pairing, network, forth ? of->source : of->target,
                               forth ? of->target : of->source));
    }
    qsort(b->letters, all->messages, sizeof *b->letters, compare_letters);
    OC_TRY(oc_allocate(&b->pair, network->pairing_count, sizeof *b->pair));
    return oc_allocate(&b->shifts, network->count, sizeof *b->shifts);
}

/* --- Where pieces begin */

static double ticks_between(int64_t later, int64_t earlier)
{
    return (double)(int64_t)((uint64_t)later - (uint64_t)earlier);
}

/* *fits: straight clocks explain the message with those of its pair before it in the piece. */
static ocelotl_status add_letter(bool *fits, const bending *b, const letter *of)
{
    oc_pairing *pair = &b->pair[of->pairing];
    const bool forth = of->source < of->target;
    const int64_t x = forth ? of->sent : of->received, y = forth ? of->received : of->sent;
    OC_TRY(oc_pairing_add(pair, x, y, forth));
    const double ahead = ticks_between((int64_t)((uint64_t)y - (uint64_t)x), pair->z);
    const double above = ahead - pair->line.level - pair->line.slope * ticks_between(x, pair->x);
    *fits = !oc_pairing_is_two_way(pair) ||
            (pair->width >= 2 * b->least && (forth ? above : -above) >= b->least);
    if (*fits)
        return OCELOTL_OK;
    oc_hull_finish(&pair->above);
    oc_hull_finish(&pair->below);
    oc_line_find(pair, b->clocks->network.most_drift);
    *fits = pair->width >= 2 * b->least;
    return OCELOTL_OK;
}

static void begin_piece(bending *b, int64_t begin)
{
    b->begins[b->count++] = begin;
    for (size_t p = 0; p < b->clocks->network.pairing_count; p++) {
        b->pair[p].above.count = b->pair[p].below.count = 0;
        b->pair[p].width = -1;
    }
}

/* Finds as few pieces as let each message take so long, if that takes no more than `most`. Who sent
 * what contradicts the others was set before, or ran faster. */
static ocelotl_status find_pieces(bool *found, bending *b, double least, size_t most)
{
    b->least = least;
    b->count = 0;
    begin_piece(b, INT64_MIN);
    *found = true;
    for (size_t i = 0; i < b->moments.messages; i++) {
        const letter *of = &b->letters[i];
        const int64_t begin = b->begins[b->count - 1];
        bool fits = true;
        if (of->left >= begin)
            OC_TRY(add_letter(&fits, b, of));
        if (fits)
            continue;
        *found = b->count < most;
        if (!*found)
            break;
        begin_piece(b, of->left > begin ? of->left : of->came);
        while (i > 0 && b->letters[i - 1].came >= b->begins[b->count - 1])
            i--;
        i--;
    }
    return OCELOTL_OK;
}

/* Finds the most time that messages can have in so many pieces, to a hundredth. */
static ocelotl_status find_most_time(double *time, bending *b, size_t pieces)
{
    const size_t most = pieces < MOST_PIECES ? pieces : MOST_PIECES;
    bool found = true;
    double low = 0, high = 1;
    while (found && high < 0x1p60) {
        OC_TRY(find_pieces(&found, b, high, most));
        low = found ? high : low;
        high *= found ? 2 : 1;
    }
    while (high - low > high / 128) {
        const double middle = (low + high) / 2;
        OC_TRY(find_pieces(&found, b, middle, most));
        *(found ? &low : &high) = middle;
    }
    *time = low;
    return OCELOTL_OK;
}

/* --- The clocks of a piece */

/* New times must not run backwards: where a clock was set what is before gives way. */
static ocelotl_status add_shift(shifts *of, int64_t read, double shift, double slope)
{
    while (of->count > 0) {
        oc_shift *last = &of->list[of->count - 1];
        const double passed = (double)read - (double)last->read;
        if (passed > 0 && slope * passed + shift - last->shift >= 0)
            break;
        const oc_shift *before = last - 1;
        of->count--;
        if (of->count == 0)
            break;
        const double length = (double)last->read - (double)before->read;
        const double bend = (last->shift - before->shift) / length;
        const double left =
            floor((slope * ((double)read - (double)before->read) + shift - before->shift) /
                  (slope + bend));
        if (!(left > 0))
            continue;
        of->count++;
        *last = (oc_shift){before->read + (int64_t)left, before->shift + bend * left, true};
        break;
    }
    OC_TRY(oc_grow(&of->list, &of->capacity, of->count + 1, sizeof *of->list));
    of->list[of->count++] = (oc_shift){read, shift, true};
    return OCELOTL_OK;
}

/* The first moment of a clock from a time on. */
static size_t find_moment(const oc_moments *all, uint32_t clock, int64_t time)
{
    size_t low = all->first[clock], high = all->first[clock + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all->moments[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A clock that is joined with its reference in a piece is straight from its first moment there to
 * its last one. If that goes on where the piece before ended, the speed changed and nobody set the
 * clock: then it is known best within pieces, and straight between their quarters. */
static ocelotl_status shift_clocks(bending *b, const oc_network *piece, int64_t begin, int64_t end)
{
    const oc_network *network = &b->clocks->network;
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *was = &network->clocks[c], *is = &piece->clocks[c];
        shifts *of = &b->shifts[c];
        if (was->toward == OCELOTL_NONE || is->last < is->first ||
            piece->references[is->set] != network->references[was->set])
            continue;
        int64_t read = b->moments.moments[find_moment(&b->moments, c, begin)].read;
        const int64_t last = b->moments.moments[find_moment(&b->moments, c, end) - 1].read;
        const double bend = was->drift - is->drift;
        const double quarter = floor(((double)last - (double)read) / 4);
        double shift = ticks_between(was->offset, is->offset) + was->rest - is->rest +
                       was->drift * ((double)read - (double)was->middle) -
                       is->drift * ((double)read - (double)is->middle);
        const double length = (double)last - (double)read;
        const double at_end = shift + bend * length;
        oc_shift *before = of->count > 0 ? &of->list[of->count - 1] : NULL;
        if (before != NULL &&
            fabs(before->shift + of->bend * ((double)read - (double)before->read) - shift) <=
                b->least) {
            before->read -= (int64_t)of->quarter;
            before->shift -= of->bend * of->quarter;
            read += (int64_t)quarter;
            shift += bend * quarter;
        }
        OC_TRY(add_shift(of, read, shift, 0.99 - was->drift));
        if (last > read)
            OC_TRY(add_shift(of, last, at_end, 0.99 - was->drift));
        of->bend = bend;
        of->quarter = quarter;
    }
    return OCELOTL_OK;
}

static ocelotl_status solve_piece(oc_network *piece, const bending *b, int64_t begin, int64_t end,
                                  size_t *next)
{
    const oc_network *network = &b->clocks->network;
    OC_TRY(oc_network_make(piece, network->count));
    piece->most_drift = network->most_drift;
    for (; *next < b->moments.messages && b->letters[*next].came < end; (*next)++) {
        const letter *of = &b->letters[*next];
        uint32_t pairing;
        const bool forth = of->source < of->target;
        if (of->left < begin)
            continue;
        OC_TRY(oc_network_pair(&pairing, piece, forth ? of->source : of->target,
                               forth ? of->target : of->source));
        OC_TRY(oc_network_add(piece, pairing, of->source, of->sent, of->target, of->received));
    }
    OC_TRY(oc_network_join(piece, network->references, network->set_count));
    OC_TRY(oc_network_solve(piece));
    return oc_network_repair(piece);
}

/* Of clocks whose speeds change a piece that does not join all of them says little. */
static ocelotl_status solve_pieces(bending *b, bool partly)
{
    size_t next = 0;
    ocelotl_clocks_info *info = &b->clocks->info;
    const oc_network *network = &b->clocks->network;
    info->pieces = (uint32_t)b->count;
    info->joined_pieces = 0;
    for (uint32_t c = 0; c < network->count; c++)
        b->shifts[c].count = 0;
    for (size_t i = 0; i < b->count; i++) {
        oc_network piece = {0};
        const int64_t end = i + 1 < b->count ? b->begins[i + 1] : INT64_MAX;
        ocelotl_status status = solve_piece(&piece, b, b->begins[i], end, &next);
        const bool joins = piece.set_count == network->set_count;
        if (status == OCELOTL_OK && (joins || partly))
            status = shift_clocks(b, &piece, b->begins[i], end);
        info->joined_pieces += joins;
        oc_network_free(&piece);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

/* The fewest pieces are enough if they can leave messages half of the time that these have in twice
 * as many. Else speeds change: as few are taken as leave nearly all that eight times as many do, or
 * four or two times, so that most of them join all clocks. */
static ocelotl_status choose_pieces(bending *b)
{
    bool found;
    double time;
    OC_TRY(find_pieces(&found, b, 0, MOST_PIECES));
    const size_t fewest = b->count;
    if (found && fewest > 1) {
        OC_TRY(find_most_time(&time, b, 2 * fewest));
        OC_TRY(find_pieces(&found, b, time / 2, MOST_PIECES));
    }
    for (size_t times = 8; times > 1 && b->count > fewest; times /= 2) {
        OC_TRY(find_most_time(&time, b, times * fewest));
        OC_TRY(find_pieces(&found, b, 0.95 * time, MOST_PIECES));
        OC_TRY(solve_pieces(b, false));
        if (10 * (size_t)b->clocks->info.joined_pieces >= 9 * b->count)
            return OCELOTL_OK;
    }
    OC_TRY(find_pieces(&found, b, b->count == fewest ? b->least : 0, MOST_PIECES));
    return solve_pieces(b, true);
}

/* --- The whole */

static ocelotl_status bend(bending *b, uint32_t pieces)
{
    ocelotl_clocks *clocks = b->clocks;
    OC_TRY(list_letters(b));
    if (pieces > 0) {
        const size_t messages = b->moments.messages;
        const int64_t first = messages > 0 ? b->letters[0].left : 0;
        const int64_t last = messages > 0 ? b->letters[messages - 1].came : 0;
        b->count = 0;
        b->least = INFINITY;
        begin_piece(b, INT64_MIN);
        while (b->count < pieces)
            begin_piece(
                b, first + (int64_t)(((double)last - (double)first) * (double)b->count / pieces));
        OC_TRY(solve_pieces(b, false));
    } else {
        OC_TRY(choose_pieces(b));
    }
    if (pieces > 1 && clocks->info.joined_pieces == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: in none of %u pieces do messages join all clocks, both ways or round, "
                       "expected fewer pieces",
                       clocks->trace->label, pieces);
    for (uint32_t c = 0; c < clocks->network.count && b->count > 1; c++) {
        if (b->shifts[c].count > 0)
            OC_TRY(oc_clock_shift(clocks, c, b->shifts[c].list, b->shifts[c].count));
        if (clocks->network.clocks[c].toward != OCELOTL_NONE)
            clocks->network.clocks[c].bound = INFINITY;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_clocks_bend(ocelotl_clocks *clocks, uint32_t pieces)
{
    bending b = {.clocks = clocks};
    const ocelotl_status status = bend(&b, pieces);
    for (size_t p = 0; b.pair != NULL && p < clocks->network.pairing_count; p++)
        oc_pairing_free(&b.pair[p]);
    for (uint32_t c = 0; b.shifts != NULL && c < clocks->network.count; c++)
        free(b.shifts[c].list);
    oc_moments_free(&b.moments);
    free(b.letters);
    free(b.pair);
    free(b.shifts);
    return status;
}
