#include "query/sql/events_table.h"

#include "query/sql/kept_events.h"

#include <math.h>

#ifdef OC_SQLITE_EXTENSION
SQLITE_EXTENSION_INIT3
#endif

/* From this version on SQLite reports what a condition compares with, and whether it is an IN. */
enum { FIRST_VERSION_THAT_TELLS = 3038000 };

/* What it takes, in rows that are read: to find events among those kept, to give one, to keep one.
 * A join that asks less often than this had better read. */
static const double cost_of_finding = 30;
static const double cost_of_found = 10;
static const double cost_of_keeping = 20;
static const double times_asked = 100;

/* Streams that are read at the same time, each with a chunk in memory; for more of them SQLite
 * sorts. */
enum { STREAMS_AT_ONCE_MOST = 1024 };

typedef struct planning {
    sqlite3_index_info *info;
    const oc_table_source *source;
    oc_selection known; /* what the conditions select whose values are known */
    double rows;        /* of the trace */
    /* What conditions with unknown values leave: of the streams, of the time of these, of what was
     * read. */
    double streams, time, read;
    char *kinds;
    int count;
    bool varies; /* something is equal to what is not known yet */
} planning;

#if SQLITE_VERSION_NUMBER >= 3038000
static sqlite3_value *known_value(sqlite3_index_info *info, int constraint)
{
    sqlite3_value *value = NULL;
    if (sqlite3_libversion_number() < FIRST_VERSION_THAT_TELLS ||
        sqlite3_vtab_rhs_value(info, constraint, &value) != SQLITE_OK)
        return NULL;
    return value;
}

static bool may_be_list(sqlite3_index_info *info, int constraint)
{
    return sqlite3_libversion_number() >= FIRST_VERSION_THAT_TELLS &&
           sqlite3_vtab_in(info, constraint, -1) != 0;
}
#else
static sqlite3_value *known_value(sqlite3_index_info *info, int constraint)
{
    (void)info;
    (void)constraint;
    return NULL;
}

static bool may_be_list(sqlite3_index_info *info, int constraint)
{
    (void)info;
    (void)constraint;
    return false;
}
#endif

static void add_share(planning *with, int kind, bool known)
{
    const double share = oc_constraint_share(kind, with->source->trace, with->rows);
    const oc_column column = oc_constraint_column(kind);
    with->varies = with->varies || (!known && oc_constraint_is_equality(kind));
    if (!oc_constraint_narrows(kind))
        with->read *= share;
    else if (!known && (column == OC_COLUMN_BEGIN || column == OC_COLUMN_END))
        with->time *= share;
    else if (!known)
        with->streams *= share;
}

static ocelotl_status use(planning *with, int constraint, int kind)
{
    sqlite3_value *value = known_value(with->info, constraint);
    with->kinds[with->count++] = (char)kind;
    with->info->aConstraintUsage[constraint].argvIndex = with->count;
    add_share(with, kind, value != NULL);
    return value != NULL ? oc_constraint_apply(&with->known, kind, value, &with->source->catalogue)
                         : OCELOTL_OK;
}

static ocelotl_status use_constraints(planning *with)
{
    sqlite3_index_info *info = with->info;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        const int kind = constraint->usable
                             ? oc_constraint_kind(constraint->iColumn, constraint->op,
                                                  sqlite3_vtab_collation(info, i))
                             : OC_CONSTRAINT_NONE;
        /* An IN comes value by value. One reading tests all of them, unless each lets less be read.
         * */
        if (kind != OC_CONSTRAINT_NONE && (oc_constraint_narrows(kind) || !may_be_list(info, i)))
            OC_TRY(use(with, i, kind));
    }
    with->kinds[with->count] = '\0';
    return OCELOTL_OK;
}

/* Returns whether events come ordered by their ends. Streams are read in that order, except links,
 * which may end before links noted earlier. */
static bool comes_by_end(const planning *with, oc_estimate reading)
{
    const sqlite3_index_info *info = with->info;
    return info->nOrderBy == 1 && info->aOrderBy[0].iColumn == OC_COLUMN_END &&
           !info->aOrderBy[0].desc && reading.streams <= STREAMS_AT_ONCE_MOST &&
           !oc_can_hold_links(&with->known, with->source->trace);
}

static void estimate(planning *with)
{
    const sqlite3_uint64 described =
        (sqlite3_uint64)1 << OC_COLUMN_KEY | (sqlite3_uint64)1 << OC_COLUMN_ATTRIBUTES;
    sqlite3_index_info *info = with->info;
    const oc_estimate known = oc_estimate_reading(&with->known, with->source->trace);
    const oc_estimate reading = oc_estimate_share(known, with->streams, with->time);
    const double rows = known.rows * with->streams * with->time * with->read;
    const double cost = oc_estimate_cost(reading);
    const double cost_kept = cost_of_finding + cost_of_found * rows;
    const double cost_keeping = cost_of_keeping * known.rows / times_asked;
    const bool kept = with->varies && cost_kept < cost;
    info->idxNum = (info->colUsed & described) != 0 ? OC_PLAN_DESCRIBED : 0;
    info->idxNum |= kept ? OC_PLAN_KEPT : 0;
    info->estimatedCost = kept ? fmin(cost, cost_kept + cost_keeping) : cost;
    info->estimatedRows = 1 + (sqlite3_int64)fmin(rows, 1e18);
    if (!kept && comes_by_end(with, known)) {
        info->idxNum |= OC_PLAN_BY_END;
        info->orderByConsumed = 1;
    }
}

static double count_rows(const ocelotl_trace *trace)
{
    double rows = 1;
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        rows += (double)trace->event_types[t].count;
    return rows;
}

int oc_plan(sqlite3_index_info *info, const oc_table_source *source)
{
    planning with = {.info = info,
                     .source = source,
                     .known = {.from = INT64_MIN, .to = INT64_MAX, .links_to = INT64_MAX},
                     .rows = count_rows(source->trace),
                     .streams = 1,
                     .time = 1,
                     .read = 1,
                     .kinds = sqlite3_malloc64((sqlite3_uint64)info->nConstraint + 1)};
    if (with.kinds == NULL)
        return SQLITE_NOMEM;
    info->idxStr = with.kinds;
    info->needToFreeIdxStr = 1;
    const ocelotl_status status = use_constraints(&with);
    if (status == OCELOTL_OK)
        estimate(&with);
    oc_selection_free(&with.known);
    return status == OCELOTL_OK ? SQLITE_OK : SQLITE_NOMEM;
}
