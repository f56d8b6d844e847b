/* The links of a trace one after the other: what is wrong with each, and in what order they end. */
#include "quality/links.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A link among those of a stream, to find out which overtake which. */
typedef struct passed {
    uint64_t key; /* of tag and communicator */
    int64_t begin, end;
    uint32_t target;
} passed;

typedef struct reading {
    ocelotl_causality *causality;
    oc_walk walk;
    oc_watch watch;
    oc_clock_sums *sums; /* by group of the target, of the stream that is read */
    uint32_t *touched;   /* groups that have some */
    uint32_t touched_count;
    passed *passed; /* of the stream */
    size_t passed_count, passed_capacity;
} reading;

void oc_clock_sums_add(oc_clock_sums *sums, const oc_clock_sums *more)
{
    if (more->links > 0 && (sums->links == 0 || more->least < sums->least)) {
        sums->least = more->least;
        sums->begin = more->begin;
        sums->from = more->from;
        sums->to = more->to;
    }
    if (more->most_ahead < sums->most_ahead)
        sums->most_ahead = more->most_ahead;
    if (more->transit >= 0 && (sums->transit < 0 || more->transit < sums->transit))
        sums->transit = more->transit;
    sums->links += more->links;
    for (size_t k = 0; k < OCELOTL_VIOLATION_KINDS; k++)
        sums->counts[k] += more->counts[k];
}

static oc_clock_sums *find_sums(reading *r, uint32_t target)
{
    const uint32_t group = r->causality->clocks.group_of[target];
    oc_clock_sums *sums = &r->sums[group];
    if (sums->source == OCELOTL_NONE) {
        const uint32_t source = r->causality->clocks.group_of[r->walk.stream->resource];
        *sums =
            (oc_clock_sums){.source = source,
                            .target = group,
                            .transit = -1,
                            .most_ahead = INT64_MAX,
                            .clock_error = oc_causality_error_between(r->causality, source, group)};
        r->touched[r->touched_count++] = group;
    }
    return sums;
}

static ocelotl_status add_violation(reading *r, ocelotl_violation_kind kind, uint32_t target,
                                    int64_t begin, int64_t end, int64_t amount)
{
    ocelotl_causality *c = r->causality;
    OC_TRY(oc_grow(&c->violations, &c->violation_capacity, c->violation_count + 1,
                   sizeof *c->violations));
    c->violations[c->violation_count++] = (ocelotl_violation){
        kind, r->walk.stream->event_type, r->walk.stream->resource, target, begin, end, amount};
    find_sums(r, target)->counts[kind]++;
    c->info.counts[kind]++;
    return OCELOTL_OK;
}

/* --- What a link carries */

/* The text of an attribute at the begin of a link; NULL without. */
static const ocelotl_attribute_value *find_carried(const oc_interval *link, uint32_t attribute)
{
    for (size_t i = 0; link->begins != NULL && i < link->begins->count; i++)
        if (link->begins->values[i].attribute == attribute)
            return &link->begins->values[i];
    return NULL;
}

enum { DIGITS_MOST = 9 };

/* Reads a whole number without a sign and moves behind it. */
static bool read_number(long *number, const char **at, const char *end)
{
    const char *const first = *at;
    *number = 0;
    while (*at < end && **at >= '0' && **at <= '9' && *at - first < DIGITS_MOST)
        *number = *number * 10 + (*(*at)++ - '0');
    return *at > first;
}

static bool pass(const char **at, const char *end, char letter)
{
    if (*at >= end || **at != letter)
        return false;
    (*at)++;
    return true;
}

/* Whether a key's number of a resource counts ranks from `first`. */
static bool is_rank(const char *name, long number, long first)
{
    static const char prefix[] = "rank-";
    const char *at = name;
    long rank;
    if (name == NULL)
        return true;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    at += sizeof prefix - 1;
    return read_number(&rank, &at, name + strlen(name)) && *at == '\0' && number == rank + first;
}

/* Cuts a key to the tag in it, if SMPI of SimGrid made it: SOURCE_TARGET_TAG_NUMBER, between
 * resources rank-N. Its SOURCE and TARGET count these N from 0 or from 1, which tells it from other
 * keys. `source` and `target` are the names of the resources, NULL where one is not known. Returns
 * false and leaves the key for others. */
static bool cut_tag(ocelotl_attribute_value *key, const char *source, const char *target)
{
    const char *at = key->text;
    const char *const end = at + key->length;
    long from;
    long to;
    long number;
    if (!read_number(&from, &at, end) || !pass(&at, end, '_') || !read_number(&to, &at, end) ||
        !pass(&at, end, '_'))
        return false;
    const char *const tag = at;
    pass(&at, end, '-');
    if (!read_number(&number, &at, end))
        return false;
    const size_t length = (size_t)(at - tag);
    if (!pass(&at, end, '_'))
        return false;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at != end || end[-1] == '_' ||
        (!(is_rank(source, from, 0) && is_rank(target, to, 0)) &&
         !(is_rank(source, from, 1) && is_rank(target, to, 1))))
        return false;
    key->text = tag;
    key->length = length;
    return true;
}

/* The tag of a link, its own or that in its key; one of no length without any. */
static ocelotl_attribute_value tag_of(const reading *r, const oc_interval *link)
{
    const ocelotl_causality *c = r->causality;
    const oc_stream *stream = r->walk.stream;
    const ocelotl_attribute_value *tag = find_carried(link, c->tags[stream->event_type]);
    const ocelotl_attribute_value *key = find_carried(link, c->keys[stream->event_type]);
    const ocelotl_attribute_value none = {OCELOTL_NONE, "", 0};
    const char *target =
        link->target < c->trace->resource_count ? c->trace->resources[link->target].name : NULL;
    if (tag != NULL || key == NULL)
        return tag != NULL ? *tag : none;
    ocelotl_attribute_value found = *key;
    return cut_tag(&found, c->trace->resources[stream->resource].name, target) ? found : none;
}

/* --- Links with one end */

static ocelotl_status add_unmatched(reading *r, bool begin, const char *tag, size_t length)
{
    ocelotl_causality *c = r->causality;
    const oc_stream *stream = r->walk.stream;
    oc_text key = {0};
    oc_text_format(&key, "%u %u %d ", stream->resource, stream->event_type, begin);
    oc_text_append(&key, tag, length);
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    uint32_t place =
        status == OCELOTL_OK ? oc_map_get(&c->unmatched_places, key.bytes, key.length) : 0;
    if (status == OCELOTL_OK && place == OC_MAP_NONE) {
        place = (uint32_t)c->unmatched_count;
        status = oc_grow(&c->unmatched, &c->unmatched_capacity, c->unmatched_count + 1,
                         sizeof *c->unmatched);
        if (status == OCELOTL_OK)
            status = oc_map_set(&c->unmatched_places, key.bytes, key.length, place);
        oc_unmatched made = {stream->resource, stream->event_type, begin, NULL, 0};
        if (status == OCELOTL_OK)
            status = oc_allocate(&made.tag, length + 1, 1);
        if (status == OCELOTL_OK) {
            if (length > 0)
                memcpy(made.tag, tag, length);
            c->unmatched[c->unmatched_count++] = made;
        }
    }
    if (status == OCELOTL_OK)
        c->unmatched[place].count++;
    oc_text_free(&key);
    return status;
}

static ocelotl_status add_orphan(reading *r, const oc_record *record)
{
    ocelotl_causality *c = r->causality;
    const uint32_t event_type = r->walk.stream->event_type;
    const uint32_t at = r->walk.stream->resource;
    const oc_records *records = &r->walk.reader.records;
    if (!oc_window_has(&c->window, record->time + record->duration) ||
        !oc_filter_shows(&c->filter, event_type, record->value))
        return OCELOTL_OK;
    c->info.without_begin++;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *carried = &records->attributes[record->attribute_first + i];
        ocelotl_attribute_value tag = {carried->attribute, records->text.bytes + carried->text,
                                       carried->length};
        const bool is_tag = carried->attribute == c->tags[event_type] ||
                            (carried->attribute == c->keys[event_type] &&
                             cut_tag(&tag, NULL, c->trace->resources[at].name));
        if (is_tag && tag.length > 0)
            return add_unmatched(r, false, tag.text, tag.length);
    }
    return add_unmatched(r, false, "", 0);
}

/* --- Links with both ends */

static double bytes_of(const reading *r)
{
    return r->walk.interval.begun + r->walk.interval.ended;
}

/* What a report prints of a line is rounded by less. */
static const double rounding = 1e-6;

/* A network is between clocks. Sizes that are no number count as 0. */
static bool is_too_fast(const reading *r, const oc_clock_sums *sums, int64_t duration)
{
    const ocelotl_causality_info *info = &r->causality->info;
    if (oc_causality_is_one_clock(r->causality, sums->source, sums->target))
        return false;
    if (duration < info->latency)
        return true;
    const double line = info->latency_fixed + info->latency_per_byte * fmax(0, bytes_of(r));
    return line > 0 && (double)duration < line * (1 - rounding);
}

/* A link that is too fast may be uncertain, too. */
static ocelotl_status judge(reading *r, const oc_interval *link, int64_t duration)
{
    ocelotl_causality_info *info = &r->causality->info;
    const bool self = link->target == r->walk.stream->resource;
    oc_clock_sums *sums = find_sums(r, link->target);
    if (duration < 0)
        return add_violation(r, self ? OCELOTL_VIOLATION_SELF : OCELOTL_VIOLATION_TACHYON,
                             link->target, link->begin, link->end, duration);
    if (is_too_fast(r, sums, duration))
        OC_TRY(add_violation(r, OCELOTL_VIOLATION_FAST, link->target, link->begin, link->end,
                             duration));
    if (self || duration >= sums->clock_error)
        return OCELOTL_OK;
    if (info->clock_error > 0)
        return add_violation(r, OCELOTL_VIOLATION_UNCERTAIN, link->target, link->begin, link->end,
                             duration);
    sums->counts[OCELOTL_VIOLATION_UNCERTAIN]++; /* most may be: only their number is kept */
    info->counts[OCELOTL_VIOLATION_UNCERTAIN]++;
    return OCELOTL_OK;
}

static ocelotl_status add_link(reading *r, const oc_interval *link)
{
    ocelotl_causality *c = r->causality;
    const oc_stream *stream = r->walk.stream;
    if (!link->passes || !oc_filter_shows(&c->filter, stream->event_type, link->value))
        return OCELOTL_OK;
    if (link->target >= c->trace->resource_count) { /* it has no end */
        if (!oc_window_has(&c->window, link->begin) ||
            !oc_is_selected(c->resources, stream->resource))
            return OCELOTL_OK;
        const ocelotl_attribute_value tag = tag_of(r, link);
        c->info.without_end++;
        return add_unmatched(r, true, tag.text, tag.length);
    }
    if (!oc_window_has(&c->window, link->end > link->begin ? link->end : link->begin) ||
        (!oc_is_selected(c->resources, stream->resource) &&
         !oc_is_selected(c->resources, link->target)))
        return OCELOTL_OK;
    const int64_t duration = (int64_t)((uint64_t)link->end - (uint64_t)link->begin);
    const oc_clock_sums one = {.links = 1,
                               .least = duration,
                               .most_ahead = duration,
                               .begin = link->begin,
                               .transit = duration >= 0 ? duration : -1,
                               .from = stream->resource,
                               .to = link->target};
    oc_clock_sums_add(find_sums(r, link->target), &one);
    OC_TRY(oc_grow(&r->passed, &r->passed_capacity, r->passed_count + 1, sizeof *r->passed));
    /* links of other tags or communicators may overtake each other */
    const ocelotl_attribute_value tag = tag_of(r, link);
    const ocelotl_attribute_value *communicator =
        find_carried(link, c->communicators[stream->event_type]);
    const uint64_t key =
        (tag.length > 0 ? oc_hash(tag.text, tag.length) : 0) * 31 +
        (communicator != NULL ? oc_hash(communicator->text, communicator->length) : 0);
    r->passed[r->passed_count++] = (passed){key, link->begin, link->end, link->target};
    /* what a link of one clock takes says nothing of a network */
    const oc_clock_sums *sums = find_sums(r, link->target);
    if (duration >= 0 && !oc_causality_is_one_clock(c, sums->source, sums->target))
        OC_TRY(oc_transit_add(&c->transit, bytes_of(r), duration));
    return judge(r, link, duration);
}

static int compare_passed(const void *left, const void *right)
{
    const passed *a = left;
    const passed *b = right;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* Finds overtaking links. Among links that begin at one instant the order is unknown. */
static ocelotl_status find_overtaking(reading *r)
{
    int64_t latest = INT64_MIN; /* end of those that began before the instant, */
    int64_t next = INT64_MIN;   /* and of those that began by it */
    if (r->passed_count > 1)
        qsort(r->passed, r->passed_count, sizeof *r->passed, compare_passed);
    for (size_t i = 0; i < r->passed_count; i++) {
        const passed *link = &r->passed[i];
        const bool same = i > 0 && link->target == link[-1].target && link->key == link[-1].key;
        if (!same)
            latest = next = INT64_MIN;
        else if (link->begin != link[-1].begin)
            latest = next;
        if (latest > link->end)
            OC_TRY(add_violation(r, OCELOTL_VIOLATION_OVERTAKING, link->target, link->begin,
                                 link->end, link->end - latest));
        next = link->end > next ? link->end : next;
    }
    r->passed_count = 0;
    return OCELOTL_OK;
}

/* --- Streams */

static ocelotl_status read_begun(reading *r, uint32_t index)
{
    ocelotl_causality *c = r->causality;
    const uint32_t type = c->trace->streams[index].event_type;
    const oc_interval *link;
    r->walk.within = false;
    r->walk.to = c->window.last;
    r->walk.carries = c->tags[type] != OCELOTL_NONE || c->keys[type] != OCELOTL_NONE ||
                      c->communicators[type] != OCELOTL_NONE;
    r->walk.attribute = c->bytes[type];
    r->walk.sums = r->walk.attribute != OCELOTL_NONE;
    OC_TRY(oc_walk_begin(&r->walk, index, c->info.from));
    OC_TRY(oc_walk_next_interval(&link, &r->walk));
    while (link != NULL) {
        OC_TRY(add_link(r, link));
        OC_TRY(oc_walk_next_interval(&link, &r->walk));
    }
    OC_TRY(find_overtaking(r));
    OC_TRY(
        oc_grow(&c->pairs, &c->pair_capacity, c->pair_count + r->touched_count, sizeof *c->pairs));
    for (uint32_t i = 0; i < r->touched_count; i++) {
        c->pairs[c->pair_count++] = r->sums[r->touched[i]];
        r->sums[r->touched[i]].source = OCELOTL_NONE;
    }
    r->touched_count = 0;
    return OCELOTL_OK;
}

/* Ends without a begin may be noted late. */
static ocelotl_status read_orphans(reading *r, uint32_t index)
{
    const oc_stream *stream = &r->causality->trace->streams[index];
    const oc_record *record;
    if (r->causality->trace->event_types[stream->event_type].unmatched == 0 ||
        !oc_is_selected(r->causality->resources, stream->resource))
        return OCELOTL_OK;
    OC_TRY(oc_walk_begin_orphans(&r->walk, index, r->causality->info.from));
    OC_TRY(oc_walk_next_orphan(&record, false, &r->walk));
    while (record != NULL) {
        OC_TRY(add_orphan(r, record));
        OC_TRY(oc_walk_next_orphan(&record, false, &r->walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_streams(reading *r)
{
    const ocelotl_causality *c = r->causality;
    const uint32_t groups = c->clocks.count + 1;
    OC_TRY(oc_allocate(&r->sums, groups, sizeof *r->sums));
    OC_TRY(oc_allocate(&r->touched, groups, sizeof *r->touched));
    for (uint32_t g = 0; g < groups; g++)
        r->sums[g].source = OCELOTL_NONE;
    r->watch.total = c->trace->stream_count;
    for (uint32_t s = 0; s < c->trace->stream_count; s++) {
        const oc_stream *stream = &c->trace->streams[s];
        r->watch.done = s;
        OC_TRY(oc_reader_ask(&r->walk.reader));
        if (!oc_is_of_links(stream) || !oc_is_selected(c->event_types, stream->event_type) ||
            stream->resource >= c->trace->resource_count || c->window.from > c->window.last)
            continue;
        OC_TRY(stream->role == OC_ROLE_LINKS_OUT ? read_begun(r, s) : read_orphans(r, s));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_causality_read(ocelotl_causality *causality, const ocelotl_work *work)
{
    reading r = {.causality = causality, .watch = {.work = *work}};
    r.walk.reader.connection = oc_connection_of(causality->trace);
    r.walk.reader.watch = &r.watch;
    r.walk.reader.asks = true;
    r.walk.conditions = &causality->filter.conditions;
    const ocelotl_status status = oc_fail_in_trace(causality->trace, read_streams(&r));
    oc_walk_free(&r.walk);
    free(r.sums);
    free(r.touched);
    free(r.passed);
    return status;
}
