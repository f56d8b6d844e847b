#include "query/sql/events_table.h"

#include "query/sql/kept_events.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef OC_SQLITE_EXTENSION
SQLITE_EXTENSION_INIT3
#endif

/* To keep an event takes so much longer than to read it, or somewhat more: both together take at
 * most a few times as long as whichever would have been the better. */
static const double patience = 10;

/* --- Taking */

static ocelotl_status make(oc_repeated **repeated, const char *kinds, int plan, size_t count)
{
    oc_repeated *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->plan = plan;
    made->count = count;
    ocelotl_status status = oc_copy_text(&made->kinds, kinds);
    if (status == OCELOTL_OK)
        status = oc_allocate(&made->values, count, sizeof(sqlite3_value *));
    if (status == OCELOTL_OK)
        status = oc_allocate(&made->varies, count, sizeof *made->varies);
    if (status == OCELOTL_OK)
        *repeated = made;
    else
        oc_repeated_free(made);
    return status;
}

ocelotl_status oc_repeated_take(oc_repeated **repeated, oc_repeated **list, const char *kinds,
                                int plan, size_t count)
{
    for (oc_repeated **at = list; *at != NULL; at = &(*at)->next) {
        oc_repeated *one = *at;
        if (one->plan != plan || one->count != count || strcmp(one->kinds, kinds) != 0)
            continue;
        *at = one->next;
        one->next = NULL;
        *repeated = one;
        return OCELOTL_OK;
    }
    return make(repeated, kinds, plan, count);
}

void oc_repeated_free(oc_repeated *list)
{
    while (list != NULL) {
        oc_repeated *freed = list;
        list = list->next;
        for (size_t i = 0; i < freed->count && freed->values != NULL; i++)
            sqlite3_value_free(freed->values[i]);
        oc_kept_events_free(freed->kept);
        free(freed->values);
        free(freed->varies);
        free(freed->kinds);
        free(freed);
    }
}

/* --- What varies */

/* Whether two values are the same as SQL has them; of NULL nobody knows. */
static bool is_same(sqlite3_value *a, sqlite3_value *b)
{
    const int type = sqlite3_value_type(a);
    if (type != sqlite3_value_type(b))
        return false;
    if (type == SQLITE_INTEGER)
        return sqlite3_value_int64(a) == sqlite3_value_int64(b);
    if (type == SQLITE_FLOAT)
        return !(sqlite3_value_double(a) < sqlite3_value_double(b)) &&
               !(sqlite3_value_double(a) > sqlite3_value_double(b));
    const int length = sqlite3_value_bytes(a);
    return type != SQLITE_NULL && length == sqlite3_value_bytes(b) &&
           (length == 0 ||
            memcmp(sqlite3_value_blob(a), sqlite3_value_blob(b), (size_t)length) == 0);
}

/* A condition whose value has changed varies from then on. If it let less be read, too little is
 * kept. */
static void let_vary(oc_repeated *repeated, size_t condition)
{
    repeated->varies[condition] = true;
    sqlite3_value_free(repeated->values[condition]);
    repeated->values[condition] = NULL;
    if (oc_constraint_narrows(repeated->kinds[condition])) {
        oc_kept_events_free(repeated->kept);
        repeated->kept = NULL;
    }
}

static ocelotl_status note_values(oc_repeated *repeated, sqlite3_value **values)
{
    for (size_t i = 0; i < repeated->count; i++) {
        if (repeated->asked && !repeated->varies[i] && !is_same(repeated->values[i], values[i]))
            let_vary(repeated, i);
        if (repeated->asked)
            continue;
        repeated->values[i] = sqlite3_value_dup(values[i]);
        if (repeated->values[i] == NULL)
            return oc_fail_memory();
    }
    repeated->asked = true;
    return OCELOTL_OK;
}

/* --- Keeping */

/* Whether what is kept is found by a condition. What lets less be read and stays the same has done
 * so before. */
static bool is_found_by(const oc_repeated *repeated, size_t condition)
{
    const char kind = repeated->kinds[condition];
    return oc_constraint_is_equality(kind) &&
           (repeated->varies[condition] || !oc_constraint_narrows(kind));
}

static ocelotl_status select_kept(oc_selection *selection, const oc_repeated *repeated,
                                  const oc_catalogue *catalogue)
{
    for (size_t i = 0; i < repeated->count; i++)
        if (!repeated->varies[i])
            OC_TRY(
                oc_constraint_apply(selection, repeated->kinds[i], repeated->values[i], catalogue));
    return OCELOTL_OK;
}

static ocelotl_status keep_columns(oc_repeated *repeated, oc_selection *selection,
                                   const oc_table_source *source)
{
    oc_column *columns = NULL;
    size_t count = 0;
    const double rows = oc_estimate_reading(selection, source->trace).rows;
    if (repeated->work <= patience * rows)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&columns, repeated->count, sizeof *columns));
    for (size_t i = 0; i < repeated->count; i++)
        if (is_found_by(repeated, i))
            columns[count++] = oc_constraint_column(repeated->kinds[i]);
    ocelotl_status status = OCELOTL_OK;
    if (count > 0)
        status = oc_kept_events_make(&repeated->kept, source->trace, &source->catalogue, selection,
                                     columns, count);
    free(columns);
    return status;
}

/* --- Asking */

/* Mixes a value into the hash; false where it is of another kind than the column, and SQL may
 * convert either. */
static bool add_value(uint64_t *hash, const oc_hash_key *key, sqlite3_value *value,
                      oc_column column)
{
    const bool number = oc_column_is_number(column);
    const int type = number ? sqlite3_value_numeric_type(value) : sqlite3_value_type(value);
    if (type == SQLITE_TEXT && !number) {
        const char *text = (const char *)sqlite3_value_text(value);
        if (text == NULL)
            return false;
        *hash = oc_hash_text_cell(key, *hash, column, text, (size_t)sqlite3_value_bytes(value));
        return true;
    }
    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(number || column == OC_COLUMN_VALUE))
        return false;
    *hash = oc_hash_number_cell(key, *hash, column, sqlite3_value_double(value));
    return true;
}

ocelotl_status oc_repeated_ask(bool *found, oc_repeated *repeated, sqlite3_value **values,
                               const oc_table_source *source)
{
    uint64_t hash = 0;
    *found = false;
    OC_TRY(note_values(repeated, values));
    if (repeated->kept == NULL) {
        /* Keeps what can be asked for, if it was read for long enough. */
        oc_selection selection = {.from = INT64_MIN,
                                  .to = INT64_MAX,
                                  .links_to = INT64_MAX,
                                  .attributes = (repeated->plan & OC_PLAN_DESCRIBED) != 0};
        ocelotl_status status = select_kept(&selection, repeated, &source->catalogue);
        if (status == OCELOTL_OK)
            status = keep_columns(repeated, &selection, source);
        oc_selection_free(&selection);
        OC_TRY(status);
    }
    *found = repeated->kept != NULL;
    for (size_t i = 0; i < repeated->count && *found; i++)
        if (is_found_by(repeated, i))
            *found = add_value(&hash, oc_kept_events_hash_key(repeated->kept), values[i],
                               oc_constraint_column(repeated->kinds[i]));
    if (*found)
        oc_kept_events_find(repeated->kept, hash);
    return OCELOTL_OK;
}
