#include "store/read/walk.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const oc_walk *walk, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s",
                   oc_stream_path(walk->reader.connection.trace, walk->reader.stream), what);
}

static bool is_of_intervals(const oc_walk *walk)
{
    return walk->stream->role == OC_ROLE_STATES || walk->stream->role == OC_ROLE_LINKS_OUT;
}

static ocelotl_status within(const oc_walk *walk, ocelotl_status status)
{
    return oc_fail_in_stream(walk->reader.connection.trace, walk->reader.stream, status);
}

/* --- What is open */

static oc_open_event *event_at(const oc_walk *walk, size_t index)
{
    return oc_walk_open(walk, index);
}

static void shorten(oc_walk *walk, size_t count)
{
    for (size_t i = count; i < walk->open.count; i++)
        free(event_at(walk, i)->carried);
    oc_open_list_shorten(&walk->open, walk->item_size, count);
}

static ocelotl_status push(oc_open_event **event, oc_walk *walk, int64_t begin, uint32_t value)
{
    OC_TRY(oc_open_list_begin(event, &walk->open, walk->item_size));
    memset(*event, 0, walk->item_size);
    (*event)->begin = begin;
    (*event)->value = value;
    (*event)->place = walk->taken++;
    return OCELOTL_OK;
}

/* Looks at what a record carries that has begun something. */
static ocelotl_status find_carried(oc_open_event *event, const oc_walk *walk,
                                   const oc_record *record)
{
    const oc_records *records = &walk->reader.records;
    event->found = true;
    if (walk->looks)
        OC_TRY(oc_conditions_look(&event->verdict, walk->conditions, walk->stream->event_type,
                                  records, record));
    if (walk->sums)
        event->number = oc_record_number(records, record, walk->attribute);
    return walk->carries ? oc_carried_copy(&event->carried, records, record) : OCELOTL_OK;
}

static ocelotl_status begin_event(oc_walk *walk, const oc_record *record)
{
    oc_open_event *event;
    OC_TRY(push(&event, walk, record->time, record->value));
    return record->time <= walk->to ? find_carried(event, walk, record) : OCELOTL_OK;
}

static ocelotl_status find_passes(oc_walk *walk, const oc_verdict *begun, const oc_record *record)
{
    oc_verdict verdict = *begun;
    walk->interval.passes = true;
    if (!walk->looks)
        return OCELOTL_OK;
    OC_TRY(oc_conditions_look(&verdict, walk->conditions, walk->stream->event_type,
                              &walk->reader.records, record));
    walk->interval.passes = oc_verdict_passes(&verdict, walk->conditions, walk->stream->event_type);
    return OCELOTL_OK;
}

static ocelotl_status end_event(oc_walk *walk, const oc_record *record)
{
    size_t index = 0;
    oc_open_event *ended = walk->ended;
    OC_TRY(within(walk, oc_open_list_find(&index, &walk->open, record->depth)));
    free(ended->carried);
    memcpy(ended, event_at(walk, index), walk->item_size);
    OC_TRY(oc_open_list_remove(&walk->open, walk->item_size, index));
    const bool links = walk->stream->role == OC_ROLE_LINKS_OUT;
    const bool arrives = links && record->partner != OCELOTL_NONE;
    walk->interval = (oc_interval){
        .value = ended->value,
        .target = links ? record->partner : OCELOTL_NONE,
        .begin = ended->begin,
        .end = arrives ? record->time + record->duration : record->time,
        .left = record->time,
        .around = index,
        .outlived = record->depth,
        .place = ended->place,
        .begins = ended->carried,
        .ends = record,
        .begun = ended->number,
        .ended = walk->sums ? oc_record_number(&walk->reader.records, record, walk->attribute) : 0,
    };
    return find_passes(walk, &ended->verdict, record);
}

static ocelotl_status passes(bool *result, const oc_walk *walk, const oc_record *record)
{
    const uint32_t event_type = walk->stream->event_type;
    oc_verdict verdict = {0};
    *result = true;
    if (!walk->looks)
        return OCELOTL_OK;
    OC_TRY(
        oc_conditions_look(&verdict, walk->conditions, event_type, &walk->reader.records, record));
    *result = oc_verdict_passes(&verdict, walk->conditions, event_type);
    return OCELOTL_OK;
}

/* A variable changes. */
static ocelotl_status hold(oc_walk *walk, const oc_record *record, size_t index)
{
    free(walk->held.carried);
    walk->held = (oc_step){
        .begin = record->time, .number = record->number, .chunk = walk->chunk - 1, .record = index};
    walk->holds = true;
    OC_TRY(passes(&walk->held.passes, walk, record));
    return walk->carries ? oc_carried_copy(&walk->held.carried, &walk->reader.records, record)
                         : OCELOTL_OK;
}

/* --- Beginnings: running totals say what is open where a chunk begins, but not what it carries.
 * That is where it began. */

/* Of more that begin at one instant, it is not worth looking which is which. */
enum { LARGEST_GROUP = 32 };

/* What is open from one instant: a range of the list. */
typedef struct candidates {
    size_t first, end;
    size_t chunk; /* the first chunk with records of the instant */
    size_t read;  /* the chunk that has been read; that of the next instant is often the same */
    bool clear;   /* each has one beginning that fits, in their order */
} candidates;

/* The first that has no beginning yet and fits; end of the group: none. */
static size_t find_fitting(const oc_walk *walk, const candidates *group, uint32_t value)
{
    size_t i = group->first;
    while (i < group->end && (event_at(walk, i)->found || event_at(walk, i)->value != value))
        i++;
    return i;
}

static bool has_value(const oc_walk *walk, const candidates *group, uint32_t value)
{
    for (size_t i = group->first; i < group->end; i++)
        if (event_at(walk, i)->value == value)
            return true;
    return false;
}

/* The first record of an instant or later; records are in order of time. */
static size_t find_record(const oc_records *records, int64_t time)
{
    size_t low = 0;
    size_t high = records->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (records->records[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes the beginnings in the chunk that has been read. */
static ocelotl_status match_records(oc_walk *walk, candidates *group)
{
    const oc_records *records = &walk->reader.records;
    const int64_t time = event_at(walk, group->first)->begin;
    for (size_t r = find_record(records, time);
         r < records->count && records->records[r].time == time && group->clear; r++) {
        const oc_record *record = &records->records[r];
        if (record->ends || !has_value(walk, group, record->value))
            continue;
        const size_t i = find_fitting(walk, group, record->value);
        group->clear = i < group->end;
        if (group->clear)
            OC_TRY(find_carried(event_at(walk, i), walk, record));
    }
    return OCELOTL_OK;
}

/* Chunks before `last` that hold records of the group's instant. */
static ocelotl_status match(oc_walk *walk, candidates *group, size_t last)
{
    const int64_t time = event_at(walk, group->first)->begin;
    group->chunk = oc_reader_chunk_at(&walk->reader, time);
    group->clear = group->end - group->first <= LARGEST_GROUP;
    for (size_t c = group->chunk; c < last && walk->reader.chunks[c].begin <= time && group->clear;
         c++) {
        if (c != group->read)
            OC_TRY(oc_reader_read(&walk->reader, c, true));
        group->read = c;
        OC_TRY(match_records(walk, group));
    }
    for (size_t i = group->first; i < group->end; i++)
        group->clear = group->clear && event_at(walk, i)->found;
    return OCELOTL_OK;
}

static ocelotl_status take_open(oc_walk *walk, size_t kept);

/* Takes all records from a chunk on. */
static ocelotl_status follow_chunks(oc_walk *walk, size_t chunk, size_t last)
{
    for (size_t c = chunk; c < last; c++) {
        OC_TRY(oc_reader_read(&walk->reader, c, true));
        if (c == chunk)
            OC_TRY(take_open(walk, 0));
        for (size_t r = 0; r < walk->reader.records.count; r++)
            OC_TRY(oc_walk_take(walk, &walk->reader.records.records[r]));
    }
    return OCELOTL_OK;
}

/* Follows begins and ends from a chunk on, to find the open items. */
static ocelotl_status follow(oc_walk *walk, const candidates *group, size_t last)
{
    oc_open_list known = walk->open;
    walk->open = (oc_open_list){0};
    const ocelotl_status status = follow_chunks(walk, group->chunk, last);
    const oc_open_list followed = walk->open;
    /* What was found of those before is kept. */
    const bool fits = followed.count == known.count;
    for (size_t i = 0; i < group->first && fits; i++) {
        oc_open_event *before = oc_open_list_at(&known, walk->item_size, i);
        oc_open_event *now = event_at(walk, i);
        now->found = before->found;
        now->verdict = before->verdict;
        now->number = before->number;
        oc_carried *carried = now->carried;
        now->carried = before->carried;
        before->carried = carried;
    }
    walk->open = known;
    shorten(walk, 0);
    oc_open_list_free(&walk->open);
    walk->open = followed;
    OC_TRY(status);
    return fits ? OCELOTL_OK : damaged(walk, "what is open has not begun");
}

/* Reads the beginnings of what is open before a chunk, the next one to read. */
static ocelotl_status find_beginnings(oc_walk *walk, size_t chunk)
{
    candidates group = {.read = SIZE_MAX};
    while (group.first < walk->open.count) {
        const int64_t begin = event_at(walk, group.first)->begin;
        group.end = group.first + 1;
        while (group.end < walk->open.count && event_at(walk, group.end)->begin == begin)
            group.end++;
        OC_TRY(match(walk, &group, chunk));
        if (!group.clear)
            return follow(walk, &group, chunk);
        group.first = group.end;
    }
    return OCELOTL_OK;
}

/* --- From chunk to chunk */

static void forget_read(oc_walk *walk)
{
    oc_records_clear(&walk->reader.records);
    walk->next = 0;
}

/* Takes what is open in the reader's fold behind the first items, which are kept. */
static ocelotl_status take_open(oc_walk *walk, size_t kept)
{
    const oc_fold *fold = &walk->reader.fold;
    if (fold->open.count < kept)
        return damaged(walk, "running totals");
    shorten(walk, kept);
    for (size_t i = kept; i < fold->open.count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        oc_open_event *event;
        OC_TRY(push(&event, walk, open->begin, fold->totals[open->total].value));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_walk_jump(oc_walk *walk, size_t chunk, size_t kept)
{
    if (walk->reader.at != chunk)
        OC_TRY(oc_reader_read(&walk->reader, chunk, false));
    OC_TRY(take_open(walk, kept));
    walk->chunk = chunk;
    forget_read(walk);
    return OCELOTL_OK;
}

static void forget(oc_walk *walk)
{
    shorten(walk, 0);
    oc_open_event *ended = walk->ended;
    if (ended != NULL)
        free(ended->carried);
    if (ended != NULL)
        memset(ended, 0, walk->item_size);
    free(walk->held.carried);
    free(walk->given.carried);
    walk->held = walk->given = (oc_step){0};
    walk->holds = false;
}

void oc_walk_free(oc_walk *walk)
{
    forget(walk);
    oc_open_list_free(&walk->open);
    free(walk->ended);
    walk->ended = NULL;
    oc_reader_free(&walk->reader);
}

ocelotl_status oc_walk_begin(oc_walk *walk, uint32_t stream, int64_t from)
{
    const ocelotl_trace *trace = walk->reader.connection.trace;
    if (walk->item_size == 0)
        walk->item_size = sizeof(oc_open_event);
    if (walk->ended == NULL)
        OC_TRY(oc_allocate(&walk->ended, 1, walk->item_size));
    forget(walk);
    walk->stream = &trace->streams[stream];
    walk->looks = walk->conditions != NULL &&
                  oc_conditions_concern(walk->conditions, walk->stream->event_type);
    OC_TRY(oc_reader_select(&walk->reader, stream));
    /* A link that outlives its source is noted at the source's end. */
    const int64_t lives_until = trace->resources[walk->stream->resource].end;
    if (walk->stream->role == OC_ROLE_LINKS_OUT && lives_until < from)
        from = lives_until;
    walk->chunk = oc_reader_chunk_at(&walk->reader, from);
    walk->next = 0;
    walk->taken = 0;
    if (!is_of_intervals(walk) || walk->chunk >= walk->reader.chunk_count)
        return OCELOTL_OK;
    OC_TRY(oc_walk_jump(walk, walk->chunk, 0));
    if (walk->carries || walk->looks || walk->sums)
        OC_TRY(find_beginnings(walk, walk->chunk));
    forget_read(walk);
    return OCELOTL_OK;
}

/* Whether all that was open at the end of the window still is where a chunk begins: they are the
 * first in its list, and none that has ended comes back. */
static ocelotl_status is_open_at(bool *open, oc_walk *walk, size_t chunk, size_t wanted)
{
    const oc_fold *fold = &walk->reader.fold;
    OC_TRY(oc_reader_read(&walk->reader, chunk, false));
    *open = oc_open_list_until(&fold->open, sizeof(oc_open), walk->to) == wanted;
    return OCELOTL_OK;
}

/* Skips chunks beyond the window, where only ends matter, which may be far. It goes to the last
 * chunk before the first end, in steps that double and then halve. */
static ocelotl_status skip_chunks(oc_walk *walk, size_t wanted)
{
    size_t low = walk->chunk;
    size_t step = 1;
    bool open = true;
    while (open && walk->reader.chunk_count - low > step) {
        OC_TRY(is_open_at(&open, walk, low + step, wanted));
        low = open ? low + step : low;
        step = open ? 2 * step : step;
    }
    for (size_t high = open ? walk->reader.chunk_count : low + step; high - low > 1;) {
        const size_t middle = low + (high - low) / 2;
        OC_TRY(is_open_at(&open, walk, middle, wanted));
        low = open ? middle : low;
        high = open ? high : middle;
    }
    return low > walk->chunk ? oc_walk_jump(walk, low, wanted) : OCELOTL_OK;
}

/* --- Records */

/* Whether the end of something is wanted that is open and began by `to`. */
static bool is_followed(const oc_walk *walk)
{
    return !walk->within && walk->open.count > 0 && event_at(walk, 0)->begin <= walk->to;
}

ocelotl_status oc_walk_peek(const oc_record **record, oc_walk *walk)
{
    *record = NULL;
    if (oc_walk_is_between(walk)) {
        const bool ends = walk->chunk >= walk->reader.chunk_count;
        if (ends || walk->reader.chunks[walk->chunk].begin > walk->to) {
            if (!is_followed(walk))
                return OCELOTL_OK;
            if (ends)
                return damaged(walk, "something never ends");
            OC_TRY(skip_chunks(walk, oc_walk_open_until(walk, walk->to)));
        }
        OC_TRY(oc_reader_read(&walk->reader, walk->chunk, true));
        walk->chunk++;
        walk->next = 0;
    }
    const oc_record *next = &walk->reader.records.records[walk->next];
    if (next->time <= walk->to || is_followed(walk))
        *record = next;
    return OCELOTL_OK;
}

ocelotl_status oc_walk_take(oc_walk *walk, const oc_record *record)
{
    const size_t index = walk->next++;
    if (walk->stream->role == OC_ROLE_VARIABLE) {
        walk->taken++;
        return hold(walk, record, index);
    }
    if (!is_of_intervals(walk))
        return OCELOTL_OK;
    if (!record->ends)
        return begin_event(walk, record);
    walk->taken++;
    return end_event(walk, record);
}

/* Only of damaged chunks can there be more than 2^24 records. */
int64_t oc_walk_row(const oc_walk *walk, size_t chunk, size_t record)
{
    return (int64_t)((uint64_t)walk->reader.chunks[chunk].row << 24 | (record & 0xFFFFFF));
}

ocelotl_status oc_walk_next_interval(const oc_interval **interval, oc_walk *walk)
{
    const oc_record *record;
    *interval = NULL;
    do {
        OC_TRY(oc_walk_peek(&record, walk));
        if (record == NULL)
            return OCELOTL_OK;
        OC_TRY(oc_walk_take(walk, record));
    } while (!record->ends || walk->interval.begin > walk->to);
    *interval = &walk->interval;
    return OCELOTL_OK;
}

ocelotl_status oc_walk_next_instant(const oc_record **record, oc_walk *walk)
{
    bool found = false;
    while (!found) {
        OC_TRY(oc_walk_peek(record, walk));
        if (*record == NULL)
            return OCELOTL_OK;
        walk->next++;
        walk->taken++;
        OC_TRY(passes(&found, walk, *record));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_walk_begin_orphans(oc_walk *walk, uint32_t stream, int64_t from)
{
    walk->within = true;
    walk->carries = walk->sums = false;
    walk->to = INT64_MAX;
    return oc_walk_begin(walk, stream, from);
}

ocelotl_status oc_walk_next_orphan(const oc_record **record, bool late, oc_walk *walk)
{
    do
        OC_TRY(oc_walk_next_instant(record, walk));
    while (*record != NULL &&
           ((*record)->partner != OCELOTL_NONE || (late && (*record)->duration >= 0)));
    return OCELOTL_OK;
}

/* --- Steps */

/* The step that is held ends. */
static void give(oc_walk *walk, int64_t end)
{
    free(walk->given.carried);
    walk->given = walk->held;
    walk->given.end = end;
    walk->held.carried = NULL;
    walk->holds = false;
}

ocelotl_status oc_walk_next_step(const oc_step **step, oc_walk *walk)
{
    const int64_t last = walk->reader.connection.trace->resources[walk->stream->resource].end;
    *step = NULL;
    while (*step == NULL) {
        const oc_record *record;
        const int64_t begin = walk->held.begin;
        if (walk->holds && begin > walk->to)
            return OCELOTL_OK;
        /* The change that ends a step may be behind `to`. */
        const int64_t to = walk->to;
        if (walk->holds && !walk->within)
            walk->to = INT64_MAX;
        const ocelotl_status status = oc_walk_peek(&record, walk);
        walk->to = to;
        OC_TRY(status);
        if (record == NULL && !walk->holds)
            return OCELOTL_OK;
        if (walk->holds && (record == NULL || record->time > begin || walk->every_change)) {
            give(walk, record != NULL ? record->time : last > begin ? last : begin);
            *step = &walk->given;
        }
        if (record != NULL)
            OC_TRY(oc_walk_take(walk, record));
    }
    return OCELOTL_OK;
}
