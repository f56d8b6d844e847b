/* The states of a trace that take part in collective operations, stream after stream. */
#include "quality/collectives/collectives.h"

#include "base/file/bulk.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "store/read/walk.h"

#include <ocelotl/types.h>

#include <stdlib.h>
#include <string.h>

/* The attributes of a type that tells communicators, as OTF2 does, or of operations, as PyTorch
 * does; OCELOTL_NONE: it has none. */
enum {
    COMMUNICATOR,
    SEQUENCE,
    ROLE,
    SENT,
    RECEIVED,
    NAME,
    GROUP,
    RANKS,
    NUMBER,
    ID,
    CATEGORY,
    TOLD
};

static const char *const told_names[TOLD] = {"communicator",
                                             "sequence",
                                             "role",
                                             "sent",
                                             "received",
                                             "Collective name",
                                             "Process Group Name",
                                             "Process Group Ranks",
                                             "Seq",
                                             "Comms Id",
                                             "cat"};

typedef struct told {
    uint32_t of[TOLD];
} told;

typedef struct reading {
    const oc_collective_request *asked;
    oc_collectives *collectives;
    oc_collective_rules rules;
    bool *is_used;             /* by rule: a value matches */
    told *told;                /* by event type */
    oc_collective_kind *kinds; /* by value, where communicators are told; */
    uint32_t *rule_of;         /* by value, where not; OCELOTL_NONE */
    bool *reads;               /* by event type */
    bool has_kernels;          /* which take part, not the calls that launch them */
    oc_walk walk;
    oc_collective_row *rows;
    size_t row_count, row_capacity;
    oc_map row_of;    /* by event type, and communicator or rule */
    uint64_t *turns;  /* by row, of the resource that is read, */
    uint32_t *counts; /* and whose stream they are of, from 1 */
    size_t turn_capacity, count_capacity;
    oc_entry *entries;
    size_t entry_count, entry_capacity;
} reading;

/* --- What to read */

static uint32_t find_attribute(const reading *r, uint32_t event_type, const char *name)
{
    const oc_attribute_names *attributes = &r->asked->catalogue->attributes[event_type];
    for (size_t i = 0; i < attributes->count; i++)
        if (strcmp(attributes->names[i], name) == 0)
            return (uint32_t)i;
    return OCELOTL_NONE;
}

static bool is_told(const reading *r, uint32_t event_type)
{
    const told *is = &r->told[event_type];
    return is->of[COMMUNICATOR] != OCELOTL_NONE && is->of[SEQUENCE] != OCELOTL_NONE;
}

/* Communicators are never guessed where they are told. */
static bool find_told(reading *r, bool *says)
{
    bool found = false;
    const ocelotl_trace *trace = r->asked->trace;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const bool is_state = trace->event_types[e].category == OCELOTL_STATE;
        for (size_t i = 0; i < TOLD; i++)
            r->told[e].of[i] = is_state ? find_attribute(r, e, told_names[i]) : OCELOTL_NONE;
        found = found || is_told(r, e);
        *says = *says || r->told[e].of[NAME] != OCELOTL_NONE;
        r->reads[e] = is_told(r, e) || r->told[e].of[NAME] != OCELOTL_NONE;
    }
    return found;
}

static bool is_state(const ocelotl_trace *trace, uint32_t value)
{
    const uint32_t type = trace->values[value].event_type;
    return type < trace->event_type_count && trace->event_types[type].category == OCELOTL_STATE;
}

static void find_rule(reading *r, uint32_t value)
{
    const ocelotl_value *is = &r->asked->trace->values[value];
    if (!is_state(r->asked->trace, value))
        return;
    r->has_kernels = r->has_kernels || oc_collective_is_kernel(is->name);
    if (is_told(r, is->event_type)) {
        r->kinds[value] = oc_collective_kind_of(is->name);
        return;
    }
    for (size_t i = 0; i < r->rules.count && r->rule_of[value] == OCELOTL_NONE; i++)
        if (oc_pattern_matches(r->rules.rules[i].pattern, is->name)) {
            r->rule_of[value] = (uint32_t)i;
            r->kinds[value] = r->rules.rules[i].kind;
            r->is_used[i] = true;
            r->reads[is->event_type] = true;
        }
}

static ocelotl_status fail_unused(const reading *r, const char *pattern)
{
    const ocelotl_trace *trace = r->asked->trace;
    oc_nearest_name nearest = oc_nearest_to(pattern, strlen(pattern));
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (is_state(trace, v))
            oc_nearest_try(&nearest, trace->values[v].name);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "no state without a communicator is called \"%s\", expected one that is a "
                   "collective operation%s%s%s",
                   pattern, nearest.name != NULL ? ", perhaps \"" : "",
                   nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "\"" : "");
}

/* A name tells what an operation is, and not whose: halves of all may have one each. So nobody
 * guesses, but it is said. */
static ocelotl_status say_untried(const reading *r)
{
    enum { NAMED_MOST = 4 };
    size_t found = 0;
    oc_text names = {0};
    const ocelotl_trace *trace = r->asked->trace;
    for (uint32_t v = 0; v < trace->value_count && found <= NAMED_MOST; v++) {
        if (!is_state(trace, v) || oc_collective_usual_kind(trace->values[v].name) != OC_ALL_TO_ALL)
            continue;
        oc_text_add(&names, found > 0 ? ", " : "");
        oc_text_add(&names, found < NAMED_MOST ? trace->values[v].name : "..");
        found++;
    }
    ocelotl_status status = names.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && found > 0)
        status = oc_collectives_leave_out(r->collectives, names.bytes, 0,
                                          "no communicators are told; where all take part, "
                                          "--collective says so");
    oc_text_free(&names);
    return status;
}

static ocelotl_status find_values(reading *r)
{
    const ocelotl_trace *trace = r->asked->trace;
    OC_TRY(oc_allocate(&r->told, trace->event_type_count, sizeof *r->told));
    OC_TRY(oc_allocate(&r->reads, trace->event_type_count, sizeof *r->reads));
    OC_TRY(oc_allocate(&r->kinds, trace->value_count, sizeof *r->kinds));
    OC_TRY(oc_allocate(&r->rule_of, trace->value_count, sizeof *r->rule_of));
    bool says = false;
    const bool found = find_told(r, &says);
    if (!found || r->asked->patterns->count > 0)
        OC_TRY(oc_collective_rules_read(&r->rules, r->asked));
    if (!found && !says && r->rules.count == 0)
        OC_TRY(say_untried(r));
    OC_TRY(oc_allocate(&r->is_used, r->rules.count, sizeof *r->is_used));
    for (uint32_t v = 0; v < trace->value_count; v++) {
        r->rule_of[v] = OCELOTL_NONE;
        find_rule(r, v);
    }
    for (size_t i = 0; i < r->asked->patterns->count; i++)
        if (!r->is_used[i])
            return fail_unused(r, r->rules.rules[i].pattern);
    return OCELOTL_OK;
}

/* --- Entries */

static const ocelotl_attribute_value *find_carried(const oc_carried *carried, uint32_t attribute)
{
    for (size_t i = 0; carried != NULL && i < carried->count; i++)
        if (carried->values[i].attribute == attribute)
            return &carried->values[i];
    return NULL;
}

/* Whether an attribute is a number above 0, or missing. */
static bool has_bytes(const oc_carried *carried, uint32_t attribute)
{
    const ocelotl_attribute_value *is = find_carried(carried, attribute);
    return is == NULL || is->length != 1 || is->text[0] != '0';
}

static ocelotl_status find_row(uint32_t *row, reading *r, uint32_t event_type, const char *name,
                               size_t length)
{
    oc_text key = {0};
    oc_text_format(&key, "%u ", event_type);
    oc_text_append(&key, name, length);
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    *row = status == OCELOTL_OK ? oc_map_get(&r->row_of, key.bytes, key.length) : 0;
    if (status == OCELOTL_OK && *row == OC_MAP_NONE) {
        *row = (uint32_t)r->row_count;
        status = oc_grow(&r->rows, &r->row_capacity, r->row_count + 1, sizeof *r->rows);
        if (status == OCELOTL_OK)
            status = oc_grow(&r->turns, &r->turn_capacity, r->row_count + 1, sizeof *r->turns);
        if (status == OCELOTL_OK)
            status = oc_grow(&r->counts, &r->count_capacity, r->row_count + 1, sizeof *r->counts);
        if (status == OCELOTL_OK)
            status = oc_map_set(&r->row_of, key.bytes, key.length, *row);
        oc_collective_row made = {.event_type = event_type};
        if (status == OCELOTL_OK)
            status = oc_copy_text(&made.name, strchr(key.bytes, ' ') + 1);
        if (status == OCELOTL_OK) {
            r->counts[r->row_count] = 0;
            r->rows[r->row_count++] = made;
        }
    }
    oc_text_free(&key);
    return status;
}

static ocelotl_status add_entry(reading *r, uint32_t stream, uint32_t row, const oc_entry *entry)
{
    if (r->counts[row] != stream + 1) {
        r->counts[row] = stream + 1;
        r->turns[row] = 0;
    }
    OC_TRY(oc_bulk_grow(&r->entries, &r->entry_capacity, r->entry_count + 1, sizeof *r->entries));
    r->entries[r->entry_count] = *entry;
    r->entries[r->entry_count].row = row;
    r->entries[r->entry_count++].turn = r->turns[row]++;
    return OCELOTL_OK;
}

static ocelotl_status add_told(reading *r, uint32_t stream, const oc_interval *state,
                               oc_entry *entry)
{
    uint32_t row;
    const uint32_t event_type = r->walk.stream->event_type;
    const told *is = &r->told[event_type];
    const ocelotl_attribute_value *communicator = find_carried(state->begins, is->of[COMMUNICATOR]);
    if (communicator == NULL || find_carried(state->begins, is->of[SEQUENCE]) == NULL)
        return OCELOTL_OK;
    entry->participant.is_root = find_carried(state->begins, is->of[ROLE]) != NULL;
    if (oc_collective_carries(r->asked->trace->values[state->value].name)) {
        entry->participant.gives = has_bytes(state->begins, is->of[SENT]);
        entry->participant.takes = has_bytes(state->begins, is->of[RECEIVED]);
    }
    OC_TRY(find_row(&row, r, event_type, communicator->text, communicator->length));
    return add_entry(r, stream, row, entry);
}

/* How many ranks a list has, as "[0, 1]"; 0: it is cut short. */
static size_t count_ranks(const ocelotl_attribute_value *list)
{
    size_t ranks = 0;
    for (size_t i = 0; i < list->length; i++) {
        const bool digit = list->text[i] >= '0' && list->text[i] <= '9';
        if (list->text[i] == '.')
            return 0;
        ranks += digit && (i == 0 || list->text[i - 1] < '0' || list->text[i - 1] > '9');
    }
    return ranks;
}

/* What PyTorch says of an operation: a process group may have its name on other ranks, too. */
static ocelotl_status add_said(reading *r, uint32_t stream, const oc_interval *state,
                               oc_entry *entry)
{
    uint32_t row = 0;
    oc_text name = {0};
    const ocelotl_attribute_value *is[TOLD];
    const uint32_t event_type = r->walk.stream->event_type;
    for (size_t i = 0; i < TOLD; i++)
        is[i] = find_carried(state->begins, r->told[event_type].of[i]);
    const ocelotl_attribute_value *number = is[ID] != NULL ? is[ID] : is[NUMBER];
    const bool on_device = is[CATEGORY] != NULL && is[CATEGORY]->length == strlen("kernel") &&
                           memcmp(is[CATEGORY]->text, "kernel", strlen("kernel")) == 0;
    r->has_kernels = r->has_kernels || on_device;
    entry->launches = !on_device;
    oc_text_append(&name, is[NAME]->text, is[NAME]->length);
    entry->kind = name.failed ? OC_COLLECTIVE_NONE : oc_collective_said_kind(name.bytes);
    for (size_t i = GROUP; i <= RANKS; i++) {
        oc_text_add(&name, is[i] == NULL ? "" : i == GROUP ? " of group " : " ");
        oc_text_append(&name, is[i] != NULL ? is[i]->text : "", is[i] != NULL ? is[i]->length : 0);
    }
    oc_text_add(&name, number != NULL ? "" : ", in order");
    ocelotl_status status = name.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && entry->kind != OC_COLLECTIVE_NONE)
        status = find_row(&row, r, event_type, name.bytes, name.length);
    oc_text_free(&name);
    if (status != OCELOTL_OK || entry->kind == OC_COLLECTIVE_NONE)
        return status;
    r->rows[row].numbered = number != NULL;
    r->rows[row].size = is[RANKS] != NULL ? count_ranks(is[RANKS]) : 0;
    OC_TRY(add_entry(r, stream, row, entry));
    if (number != NULL)
        r->entries[r->entry_count - 1].turn = oc_hash(number->text, number->length);
    return OCELOTL_OK;
}

static ocelotl_status add_state(reading *r, uint32_t stream, const oc_interval *state)
{
    uint32_t row;
    const uint32_t resource = r->walk.stream->resource;
    oc_entry entry = {.participant = {.resource = resource,
                                      .value = state->value,
                                      .gives = true,
                                      .takes = true,
                                      .enter = state->begin,
                                      .leave = state->end}};
    if (state->value >= r->asked->trace->value_count)
        return OCELOTL_OK;
    entry.kind = r->kinds[state->value];
    if (is_told(r, r->walk.stream->event_type))
        return add_told(r, stream, state, &entry);
    if (find_carried(state->begins, r->told[r->walk.stream->event_type].of[NAME]) != NULL)
        return add_said(r, stream, state, &entry);
    if (r->rule_of[state->value] == OCELOTL_NONE)
        return OCELOTL_OK;
    const char *name = r->asked->trace->values[state->value].name;
    entry.launches = oc_collective_is_launch(name);
    entry.participant.is_root = r->rules.rules[r->rule_of[state->value]].root == resource;
    OC_TRY(find_row(&row, r, r->walk.stream->event_type, name, strlen(name)));
    return add_entry(r, stream, row, &entry);
}

static ocelotl_status read_streams(reading *r)
{
    const ocelotl_trace *trace = r->asked->trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        const oc_interval *state;
        if (stream->role != OC_ROLE_STATES || !r->reads[stream->event_type] ||
            stream->resource >= trace->resource_count)
            continue;
        OC_TRY(oc_reader_ask(&r->walk.reader));
        r->walk.to = INT64_MAX;
        r->walk.carries =
            is_told(r, stream->event_type) || r->told[stream->event_type].of[NAME] != OCELOTL_NONE;
        OC_TRY(oc_walk_begin(&r->walk, s, INT64_MIN));
        OC_TRY(oc_walk_next_interval(&state, &r->walk));
        while (state != NULL) {
            OC_TRY(add_state(r, s, state));
            OC_TRY(oc_walk_next_interval(&state, &r->walk));
        }
    }
    return OCELOTL_OK;
}

/* The call of an asynchronous operation does not wait: its kernel does. */
static void drop_launches(reading *r)
{
    size_t kept = 0;
    for (size_t i = 0; r->has_kernels && i < r->entry_count; i++)
        if (!r->entries[i].launches)
            r->entries[kept++] = r->entries[i];
    r->entry_count = r->has_kernels ? kept : r->entry_count;
}

/* --- The whole */

ocelotl_status oc_collectives_read(oc_collectives *collectives, const oc_collective_request *asked)
{
    reading r = {.asked = asked, .collectives = collectives};
    r.walk.reader.connection = oc_connection_of(asked->trace);
    r.walk.reader.watch = asked->watch;
    r.walk.reader.asks = asked->watch != NULL;
    ocelotl_status status = find_values(&r);
    if (status == OCELOTL_OK)
        status = oc_fail_in_trace(asked->trace, read_streams(&r));
    drop_launches(&r);
    if (status == OCELOTL_OK)
        status = oc_collectives_match(collectives, r.entries, r.entry_count, r.rows);
    oc_walk_free(&r.walk);
    oc_collective_rules_free(&r.rules);
    oc_map_free(&r.row_of);
    for (size_t i = 0; i < r.row_count; i++)
        free(r.rows[i].name);
    free(r.rows);
    free(r.told);
    free(r.reads);
    free(r.is_used);
    free(r.kinds);
    free(r.rule_of);
    free(r.turns);
    free(r.counts);
    oc_bulk_free(r.entries);
    return status;
}
