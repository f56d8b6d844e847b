#include "quality/clocks/rows.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <stdlib.h>
#include <string.h>

enum { OWN = 3, BLOCK = 7 };

ocelotl_status oc_rows_make(oc_rows *rows, const oc_network *network, size_t others)
{
    const size_t clocks = network->count;
    rows->network = network;
    rows->unknowns = 2 * clocks + others;
    OC_TRY(oc_allocate(&rows->step, 4 * rows->unknowns, sizeof *rows->step));
    OC_TRY(oc_allocate(&rows->blocks, BLOCK * clocks + others, sizeof *rows->blocks));
    OC_TRY(oc_allocate(&rows->toward, clocks, sizeof *rows->toward));
    for (uint32_t c = 0; c < clocks; c++) {
        const uint32_t toward = network->clocks[c].toward;
        rows->toward[c] =
            toward == OCELOTL_NONE ? c : oc_pairing_other(&network->pairings[toward], c);
    }
    return OCELOTL_OK;
}

void oc_rows_free(oc_rows *rows)
{
    free(rows->list);
    free(rows->step);
    free(rows->blocks);
    free(rows->toward);
    *rows = (oc_rows){0};
}

ocelotl_status oc_rows_add(oc_rows *rows, const oc_row *row)
{
    OC_TRY(oc_grow(&rows->list, &rows->capacity, rows->count + 1, sizeof *rows->list));
    rows->list[rows->count++] = *row;
    return OCELOTL_OK;
}

/* --- The tree */

/* Sums what rows say of each clock, and of each one with the next one. */
static void add_blocks(const oc_rows *rows)
{
    double *others = &rows->blocks[BLOCK * (size_t)rows->network->count];
    memset(rows->blocks, 0,
           (rows->unknowns + (BLOCK - 2) * (size_t)rows->network->count) * sizeof(double));
    for (size_t i = 0; i < rows->count; i++) {
        const oc_row *row = &rows->list[i];
        for (size_t end = 0; end < 2 && row->weight > 0; end++) {
            const uint32_t clock = end == 0 ? row->a : row->b, next = end == 0 ? row->b : row->a;
            const double *f = &row->factor[2 * end], *g = &row->factor[2 - 2 * end];
            double *block = &rows->blocks[BLOCK * (size_t)clock];
            block[0] += row->weight * f[0] * f[0];
            block[1] += row->weight * f[0] * f[1];
            block[2] += row->weight * f[1] * f[1];
            for (size_t k = 0; k < 4 && clock != next && rows->toward[clock] == next; k++)
                block[OWN + k] += row->weight * f[k / 2] * g[k % 2];
        }
        if (row->factor[4] != 0)
            others[row->other] += row->weight * row->factor[4] * row->factor[4];
    }
}

/* Inverts two rows and columns; what says nothing stays nothing. */
static void invert(double *block)
{
    static const double little =
        1e-10; /* where one equation alone says something of two unknowns */
    const double first = block[0] * (1 + little), last = block[2] * (1 + little);
    const double determinant = first * last - block[1] * block[1];
    const bool both = first > 0 && last > 0 && determinant > little * first * last / 2;
    block[0] = both ? last / determinant : first > 0 ? 1 / first : 0;
    block[2] = both ? first / determinant : last > 0 ? 1 / last : 0;
    block[1] = both ? -block[1] / determinant : 0;
}

static void multiply(double product[2], const double *inverse, const double *by)
{
    const double first = inverse[0] * by[0] + inverse[1] * by[1];
    product[1] = inverse[1] * by[0] + inverse[2] * by[1];
    product[0] = first;
}

/* Takes from the next clock what is known of it through this one, leaves first. */
static void eliminate(const oc_rows *rows)
{
    const oc_network *network = rows->network;
    for (size_t i = network->count; i-- > 0;) {
        const uint32_t clock = network->order[i], next = rows->toward[clock];
        double *block = &rows->blocks[BLOCK * (size_t)clock];
        double *to = &rows->blocks[BLOCK * (size_t)next], part[2];
        const double *joins = &block[OWN];
        invert(block);
        for (size_t k = 0; k < 2 && next != clock; k++) {
            multiply(part, block, (double[2]){joins[k], joins[2 + k]});
            to[2 * k] -= joins[k] * part[0] + joins[2 + k] * part[1];
            if (k == 1)
                to[1] -= joins[0] * part[0] + joins[2] * part[1];
        }
    }
}

/* What the tree makes of a pull on each unknown. */
static void step_of_tree(double *found, const double *pull, const oc_rows *rows)
{
    const oc_network *network = rows->network;
    const size_t clocks = network->count;
    double part[2];
    memcpy(found, pull, 2 * clocks * sizeof *found);
    for (size_t i = clocks; i-- > 0;) {
        const uint32_t clock = network->order[i], next = rows->toward[clock];
        const double *block = &rows->blocks[BLOCK * (size_t)clock], *joins = &block[OWN];
        multiply(part, block, &found[2 * (size_t)clock]);
        for (size_t k = 0; k < 2 && next != clock; k++)
            found[2 * (size_t)next + k] -= joins[k] * part[0] + joins[2 + k] * part[1];
    }
    for (size_t i = 0; i < clocks; i++) {
        const uint32_t clock = network->order[i], next = rows->toward[clock];
        const double *block = &rows->blocks[BLOCK * (size_t)clock], *joins = &block[OWN];
        double *is = &found[2 * (size_t)clock];
        const double *of = &found[2 * (size_t)next];
        for (size_t k = 0; k < 2 && next != clock; k++)
            is[k] -= joins[2 * k] * of[0] + joins[2 * k + 1] * of[1];
        multiply(is, block, is);
    }
    for (size_t u = 2 * clocks; u < rows->unknowns; u++) {
        const double own = rows->blocks[BLOCK * clocks + u - 2 * clocks];
        found[u] = own > 0 ? pull[u] / own : 0;
    }
}

/* --- Rounds */

double oc_row_of(const oc_rows *rows, const oc_row *row, const double *values)
{
    const double *a = &values[2 * (size_t)row->a], *b = &values[2 * (size_t)row->b];
    const double *f = row->factor, *others = &values[2 * (size_t)rows->network->count];
    return f[0] * a[0] + f[1] * a[1] + f[2] * b[0] + f[3] * b[1] +
           (f[4] != 0 ? f[4] * others[row->other] : 0);
}

static void add_row(double *values, const oc_rows *rows, const oc_row *row, double times)
{
    for (size_t k = 0; k < 4; k++)
        values[2 * (size_t)(k < 2 ? row->a : row->b) + k % 2] += times * row->factor[k];
    if (row->factor[4] != 0)
        values[2 * (size_t)rows->network->count + row->other] += times * row->factor[4];
}

double oc_rows_solve(oc_rows *rows, double enough, int rounds)
{
    const size_t unknowns = rows->unknowns;
    double *rest = rows->step + unknowns, *along = rest + unknowns, *made = along + unknowns;
    double before = 1, first = 0, falls = 0;
    memset(rows->step, 0, 4 * unknowns * sizeof *rows->step);
    add_blocks(rows);
    eliminate(rows);
    for (size_t i = 0; i < rows->count; i++)
        add_row(rest, rows, &rows->list[i], rows->list[i].pull);
    for (int round = 0; round < rounds; round++) {
        double size = 0, length = 0;
        step_of_tree(made, rest, rows);
        for (size_t u = 0; u < unknowns; u++)
            size += rest[u] * made[u];
        first = round == 0 ? size : first;
        if (!(size > enough * first))
            break;
        for (size_t u = 0; u < unknowns; u++) {
            along[u] = made[u] + size / before * along[u];
            made[u] = 0;
        }
        for (size_t i = 0; i < rows->count; i++) {
            const oc_row *row = &rows->list[i];
            if (row->weight == 0)
                continue;
            const double by = oc_row_of(rows, row, along);
            add_row(made, rows, row, row->weight * by);
            length += row->weight * by * by;
        }
        if (!(length > 0))
            break;
        for (size_t u = 0; u < unknowns; u++) {
            rows->step[u] += size / length * along[u];
            rest[u] -= size / length * made[u];
        }
        falls += size * size / length;
        before = size;
    }
    return falls;
}
