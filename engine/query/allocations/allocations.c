/* Reads the calls of a trace, and pairs them. */
#include "query/allocations.h"

#include "base/file/ordering.h"
#include "base/format/json_scan.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "store/select/question.h"

#include <ocelotl/query.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A change on its way through the ordering. */
typedef struct step {
    oc_block block;
    uint32_t resource;
    bool comes;
} step;

struct oc_allocations {
    ocelotl_trace *trace;
    const ocelotl_names *allocate, *release;
    oc_question question; /* what is selected */
    bool are_links;
    uint64_t left_out, calls, bytes; /* of all blocks so far */
    oc_ordering *ordering;
    oc_map name_numbers;
    char **names;
    size_t name_count, name_capacity;
    const char **only; /* the names of calls in the trace */
    size_t only_count, only_capacity;
    oc_text text;     /* scratch */
    uint64_t *last;   /* by resource: the key of the last block, */
    uint32_t *paths;  /* and the name of its path, OC_MAP_NONE: nothing happens there */
    oc_block *blocks; /* those that came; a key of 0: it is gone */
    size_t block_count, block_capacity;
    oc_map places; /* of the last one with a key */
    oc_block gone;
    uint64_t earlier, earlier_bytes; /* alive when the window begins */
};

/* --- Names */

static const char *const allocate_names[] = {"malloc",       "calloc",         "realloc",
                                             "reallocarray", "memalign",       "valloc",
                                             "pvalloc",      "posix_memalign", "aligned_alloc"};
static const char *const release_names[] = {"free", "cfree"};

/* A name as "lttng_ust_libc:malloc" is that of its last part. */
static bool is_call(const char *name, const char *const *known, size_t count,
                    const ocelotl_names *more)
{
    const char *colon = strrchr(name, ':');
    for (size_t i = 0; i < count; i++)
        if (strcmp(colon != NULL ? colon + 1 : name, known[i]) == 0)
            return true;
    return oc_patterns_match(more, name);
}

static bool allocates(const oc_allocations *a, const char *name)
{
    return is_call(name, allocate_names, sizeof allocate_names / sizeof *allocate_names,
                   a->allocate);
}

static bool releases(const oc_allocations *a, const char *name)
{
    return is_call(name, release_names, sizeof release_names / sizeof *release_names, a->release);
}

static ocelotl_status find_name(uint32_t *number, oc_allocations *a, const char *name,
                                size_t length)
{
    *number = oc_map_get(&a->name_numbers, name, length);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&a->names, &a->name_capacity, a->name_count + 1, sizeof *a->names));
    OC_TRY(oc_copy_text(&a->names[a->name_count], name));
    *number = (uint32_t)a->name_count++;
    return oc_map_set(&a->name_numbers, name, length, *number);
}

static ocelotl_status add_only(oc_allocations *a, const char *name)
{
    OC_TRY(oc_grow(&a->only, &a->only_capacity, a->only_count + 1, sizeof *a->only));
    a->only[a->only_count++] = name;
    return OCELOTL_OK;
}

/* Finds what calls are named in the trace; links of blocks come before all else. */
static ocelotl_status find_calls(oc_allocations *a)
{
    const ocelotl_trace *trace = a->trace;
    const uint32_t types = ocelotl_trace_event_type_count(trace);
    const uint32_t values = ocelotl_trace_value_count(trace);
    for (uint32_t t = 0; t < types; t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        a->are_links |= type.category == OCELOTL_LINK && strcmp(type.name, OC_ALLOCATION) == 0;
    }
    for (uint32_t i = 0; i < types + values && !a->are_links; i++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, i - types);
        const ocelotl_event_type type =
            ocelotl_trace_event_type_at(trace, i < types ? i : value.event_type);
        const char *name = i < types ? type.name : value.name;
        if ((type.category == OCELOTL_STATE || type.category == OCELOTL_EVENT) &&
            (allocates(a, name) || releases(a, name)))
            OC_TRY(add_only(a, name));
    }
    return OCELOTL_OK;
}

/* --- Reading */

/* What a call carries. */
typedef struct carried {
    bool has_size, has_made;
    uint64_t size, count, made, pointer, old;
    uint32_t caller;
} carried;

static ocelotl_status read_carried(carried *is, oc_allocations *a, const char *attributes)
{
    static const char margin[OC_JSON_MARGIN] = "";
    oc_json_item key;
    oc_json_item value;
    *is = (carried){.count = 1, .caller = OCELOTL_NONE};
    oc_text_clear(&a->text);
    oc_text_add(&a->text, attributes != NULL ? attributes : "{}");
    const size_t length = a->text.length;
    oc_text_append(&a->text, margin, sizeof margin);
    if (a->text.failed)
        return oc_fail_memory();
    oc_json_cursor cursor = {a->text.bytes + 1, a->text.bytes + length, NULL};
    while (oc_json_next(&key, &value, &cursor)) {
        const uint64_t number = strtoull(value.bytes, NULL, 0);
        if (oc_json_is(&key, "size") || oc_json_is(&key, "bytes") || oc_json_is(&key, "length")) {
            is->size = number;
            is->has_size = isdigit((unsigned char)value.bytes[0]) != 0;
        } else if (oc_json_is(&key, "nmemb") || oc_json_is(&key, "count")) {
            is->count = number;
        } else if (oc_json_is(&key, "return_value") || oc_json_is(&key, "out_ptr")) {
            is->made = number;
            is->has_made = true;
        } else if (oc_json_is(&key, "ptr") || oc_json_is(&key, "address")) {
            is->pointer = number;
        } else if (oc_json_is(&key, "in_ptr")) {
            is->old = number;
        } else if (oc_json_is(&key, "caller")) {
            oc_text name = {0};
            oc_json_decode_item(&name, &value);
            const ocelotl_status status =
                name.failed ? oc_fail_memory() : find_name(&is->caller, a, name.bytes, name.length);
            oc_text_free(&name);
            OC_TRY(status);
        }
    }
    if (__builtin_mul_overflow(is->size, is->count, &is->size))
        is->size = UINT64_MAX;
    return OCELOTL_OK;
}

/* Whether what happens there and then is selected. */
static bool chooses(const oc_allocations *a, uint32_t resource, int64_t time)
{
    return oc_is_selected(a->question.resources, resource) &&
           oc_window_has(&a->question.window, time);
}

static void choose(oc_block *block, const oc_allocations *a, int64_t time)
{
    block->is_chosen = chooses(a, block->resource, time);
    block->is_earlier =
        oc_is_selected(a->question.resources, block->resource) && time < a->question.window.from;
}

static ocelotl_status add_step(oc_allocations *a, int64_t time, uint32_t rank, uint32_t resource,
                               const oc_block *block, bool comes)
{
    step is;
    memset(&is, 0, sizeof is);
    is.block = *block;
    is.resource = resource;
    is.comes = comes;
    return oc_ordering_add(a->ordering, &(oc_order){time, a->calls, rank}, (const char *)&is,
                           sizeof is);
}

/* Without an end a link is a block that is never freed, without a begin the free of an unknown
 * one. */
static ocelotl_status read_link(oc_allocations *a, const ocelotl_event *event)
{
    carried is;
    OC_TRY(read_carried(&is, a, event->attributes));
    oc_block block = {.key = ++a->calls,
                      .address = is.pointer,
                      .size = is.size,
                      .resource = event->source,
                      .caller = is.caller};
    const char *kind = event->value != OCELOTL_NONE
                           ? ocelotl_trace_value_at(a->trace, event->value).name
                           : OC_ALLOCATION;
    OC_TRY(find_name(&block.kind, a, kind, strlen(kind)));
    if (block.caller == OCELOTL_NONE && event->value != OCELOTL_NONE && !allocates(a, kind))
        block.caller = block.kind; /* links may be called as the function that allocates */
    if (event->source != OCELOTL_NONE) {
        choose(&block, a, event->begin);
        OC_TRY(add_step(a, event->begin, 1, event->source, &block, true));
    }
    if (event->target == OCELOTL_NONE)
        return OCELOTL_OK;
    /* what is freed at an instant makes room for what is allocated then */
    const bool lasts = event->end > event->begin;
    return add_step(a, lasts ? event->end : event->begin, lasts ? 0 : 2, event->target, &block,
                    false);
}

static ocelotl_status read_call(oc_allocations *a, const ocelotl_event *event)
{
    carried is;
    const char *name = event->value != OCELOTL_NONE
                           ? ocelotl_trace_value_at(a->trace, event->value).name
                           : ocelotl_trace_event_type_at(a->trace, event->event_type).name;
    OC_TRY(read_carried(&is, a, event->attributes));
    const bool makes = allocates(a, name);
    const uint64_t made = !makes ? 0 : is.has_made ? is.made : is.pointer;
    uint64_t old = !makes || is.has_made ? is.pointer : 0;
    old = is.old != 0 ? is.old : old;
    oc_block block = {.key = old, .address = old, .resource = event->resource, .caller = is.caller};
    a->calls++;
    if (makes ? !is.has_size : old == 0) {
        a->left_out += makes || event->attributes == NULL; /* or it is free(NULL) */
        return OCELOTL_OK;
    }
    if (makes && made == 0 && is.size > 0) /* it failed: the old block stays */
        return OCELOTL_OK;
    if (old != 0)
        OC_TRY(add_step(a, old == made ? event->end : event->begin, 0, event->resource, &block,
                        false));
    if (made == 0)
        return OCELOTL_OK;
    block.key = block.address = made;
    block.size = is.size;
    choose(&block, a, event->end);
    a->calls++; /* it comes behind the old one */
    OC_TRY(find_name(&block.kind, a, name, strlen(name)));
    return add_step(a, event->end, 0, event->resource, &block, true);
}

/* Keeps the path of a resource that is met. */
static ocelotl_status keep_path(oc_allocations *a, const ocelotl_events *events, uint32_t resource)
{
    if (resource == OCELOTL_NONE || a->paths[resource] != OC_MAP_NONE)
        return OCELOTL_OK;
    const char *path = ocelotl_events_path(events, resource);
    return find_name(&a->paths[resource], a, path, strlen(path));
}

static ocelotl_status read_event(oc_allocations *a, const ocelotl_events *events,
                                 const ocelotl_event *event)
{
    OC_TRY(keep_path(a, events, event->resource));
    if (event->category != OCELOTL_LINK)
        return event->category == OCELOTL_VARIABLE || a->are_links ? OCELOTL_OK
                                                                   : read_call(a, event);
    OC_TRY(keep_path(a, events, event->source));
    OC_TRY(keep_path(a, events, event->target));
    return read_link(a, event);
}

static ocelotl_status read_all(oc_allocations *a, const ocelotl_work *work)
{
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    bool found;
    options.work = *work;
    options.type = a->are_links ? OC_ALLOCATION : NULL;
    if (a->are_links)
        options.selection = a->question.selection;
    else
        options.selection.only = (ocelotl_names){a->only, a->only_count};
    options.selection.from = options.selection.to = 0;
    options.selection.resources = options.selection.only_resources =
        options.selection.except_resources = (ocelotl_names){0};
    OC_TRY(ocelotl_events_open(&events, a->trace, &options));
    ocelotl_status status = ocelotl_events_next(&found, &event, events);
    while (status == OCELOTL_OK && found) {
        status = read_event(a, events, &event);
        if (status == OCELOTL_OK)
            status = ocelotl_events_next(&found, &event, events);
    }
    ocelotl_events_free(events);
    return status;
}

static ocelotl_status open_all(oc_allocations *a, const ocelotl_selection *selection,
                               const ocelotl_work *work)
{
    static const size_t memory = (size_t)64 << 20;
    static const char *const called = "calls of malloc and free that say a size and a pointer; "
                                      "--alloc and --free name others";
    const char *trace = ocelotl_trace_info_of(a->trace).name;
    const uint32_t resources = ocelotl_trace_resource_count(a->trace);
    OC_TRY(oc_allocate(&a->last, resources, sizeof *a->last));
    OC_TRY(oc_allocate(&a->paths, resources, sizeof *a->paths));
    for (uint32_t r = 0; r < resources; r++)
        a->paths[r] = OC_MAP_NONE;
    OC_TRY(oc_ordering_open(&a->ordering, memory));
    OC_TRY(find_calls(a));
    if (!a->are_links && a->only_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no allocations, expected %s", trace,
                       called);
    if (!a->are_links && selection->only.count + selection->except.count + selection->where.count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: --only, --except and --where choose among links, expected the trace "
                       "that heap TRACE -o FILE.db writes",
                       trace);
    OC_TRY(oc_question_make(&a->question, a->trace, selection, a->are_links ? OC_ALLOCATION : NULL,
                            work));
    OC_TRY(read_all(a, work));
    if (a->calls > 0 && a->calls == a->left_out)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: the calls of %s carry no size and pointer, expected %s", trace,
                       a->only[0], called);
    return oc_ordering_finish(a->ordering);
}

ocelotl_status oc_allocations_open(oc_allocations **allocations, ocelotl_trace *trace,
                                   const ocelotl_selection *selection,
                                   const ocelotl_names *allocate, const ocelotl_names *release,
                                   const ocelotl_work *work)
{
    oc_allocations *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    *made = (oc_allocations){.trace = trace, .allocate = allocate, .release = release};
    const ocelotl_status status = open_all(made, selection, work);
    if (status == OCELOTL_OK)
        *allocations = made;
    else
        oc_allocations_free(made);
    return status;
}

void oc_allocations_free(oc_allocations *allocations)
{
    if (allocations == NULL)
        return;
    for (size_t i = 0; i < allocations->name_count; i++)
        free(allocations->names[i]);
    free(allocations->names);
    oc_map_free(&allocations->name_numbers);
    oc_ordering_free(allocations->ordering);
    oc_question_free(&allocations->question);
    oc_text_free(&allocations->text);
    free(allocations->only);
    free(allocations->last);
    free(allocations->paths);
    free(allocations->blocks);
    oc_map_free(&allocations->places);
    free(allocations);
}

/* --- Live blocks */

/* Makes room for one more: forgets those that are gone, once they are as many as may be. */
static ocelotl_status make_room(oc_allocations *a)
{
    size_t kept = 0;
    if (a->block_count < a->block_capacity)
        return OCELOTL_OK;
    oc_map_free(&a->places);
    for (size_t i = 0; i < a->block_count; i++) {
        if (a->blocks[i].key == 0)
            continue;
        OC_TRY(oc_map_set(&a->places, &a->blocks[i].key, sizeof(uint64_t), (uint32_t)kept));
        a->blocks[kept++] = a->blocks[i];
    }
    a->block_count = kept;
    return oc_grow(&a->blocks, &a->block_capacity, 2 * kept + 1024, sizeof *a->blocks);
}

static ocelotl_status add_block(oc_block **live, oc_allocations *a, const oc_block *block)
{
    OC_TRY(make_room(a));
    const uint32_t before = oc_map_get(&a->places, &block->key, sizeof block->key);
    if (before != OC_MAP_NONE)
        a->blocks[before].key = 0;
    OC_TRY(oc_map_set(&a->places, &block->key, sizeof block->key, (uint32_t)a->block_count));
    *live = &a->blocks[a->block_count++];
    **live = *block;
    return OCELOTL_OK;
}

/* The block of a link is told by both sides; that of a call by its address. */
static oc_block *take_block(oc_allocations *a, const oc_block *block)
{
    a->gone = *block;
    if (a->are_links)
        return block->resource != OCELOTL_NONE ? &a->gone : NULL;
    const uint32_t place = oc_map_get(&a->places, &block->key, sizeof block->key);
    if (place == OC_MAP_NONE || a->blocks[place].key == 0)
        return NULL;
    a->gone = a->blocks[place];
    a->blocks[place].key = 0;
    return &a->gone;
}

static ocelotl_status change_blocks(oc_block_change *change, oc_allocations *a, const step *is)
{
    *change = (oc_block_change){
        .time = change->time, .resource = is->resource, .comes = is->comes, .block = &a->gone};
    if (!is->comes) {
        change->block = take_block(a, &is->block);
        change->is_last =
            change->block != NULL && a->last[change->block->resource] == change->block->key;
        return OCELOTL_OK;
    }
    a->gone = is->block;
    a->last[is->resource] = is->block.key;
    if (__builtin_add_overflow(a->bytes, is->block.size, &a->bytes))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: the sizes of its allocations are 2^64 bytes or more in all, that of "
                       "the last is %" PRIu64 ", expected less",
                       ocelotl_trace_info_of(a->trace).name, is->block.size);
    return a->are_links ? OCELOTL_OK : add_block(&change->block, a, &is->block);
}

ocelotl_status oc_allocations_next(bool *found, oc_block_change *change, oc_allocations *a)
{
    oc_order order;
    const char *bytes;
    size_t length;
    step is;
    for (;;) {
        OC_TRY(oc_ordering_next(&order, &bytes, &length, a->ordering));
        *found = bytes != NULL;
        if (bytes == NULL)
            return OCELOTL_OK;
        memcpy(&is, bytes, sizeof is);
        change->time = order.time;
        OC_TRY(change_blocks(change, a, &is));
        const oc_block *block = change->block;
        if (block == NULL ? chooses(a, is.resource, order.time) : block->is_chosen)
            return OCELOTL_OK;
        if (block == NULL || !block->is_earlier || order.time > a->question.window.from)
            continue;
        a->earlier += is.comes ? 1 : UINT64_MAX;
        a->earlier_bytes += is.comes ? block->size : 0 - block->size;
    }
}

uint64_t oc_allocations_earlier(uint64_t *bytes, const oc_allocations *allocations)
{
    *bytes = allocations->earlier_bytes;
    return allocations->earlier;
}

const char *oc_allocations_name(const oc_allocations *allocations, uint32_t name)
{
    return name < allocations->name_count ? allocations->names[name] : "";
}

const char *oc_allocations_path(const oc_allocations *allocations, uint32_t resource)
{
    return oc_allocations_name(allocations, allocations->paths[resource]);
}

uint64_t oc_allocations_left_out(const oc_allocations *allocations)
{
    return allocations->left_out;
}

bool oc_allocations_are_links(const oc_allocations *allocations)
{
    return allocations->are_links;
}
