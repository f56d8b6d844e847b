#include "answer/tracks.h"

#include "answer/export.h"

#include "base/json.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- The order of the hierarchy: parents have lower indices, but siblings need not follow */

/* The number of resources in and below each. */
static ocelotl_status count_below(uint32_t **below, const ocelotl_trace *trace, uint32_t count)
{
    OC_TRY(oc_allocate(below, count, sizeof **below));
    for (uint32_t r = count; r-- > 0;) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, r).parent;
        ++(*below)[r];
        if (parent != OCELOTL_ROOT)
            (*below)[parent] += (*below)[r];
    }
    return OCELOTL_OK;
}

/* A resource comes behind its siblings of lower index and all below them. */
static ocelotl_status find_places(oc_tracks *tracks, uint32_t count)
{
    uint32_t *below = NULL;
    uint32_t *next = NULL; /* the place of the next child */
    uint32_t root = 0;
    OC_TRY(count_below(&below, tracks->trace, count));
    const ocelotl_status status = oc_allocate(&next, count, sizeof *next);
    for (uint32_t r = 0; r < count && status == OCELOTL_OK; r++) {
        const uint32_t parent = ocelotl_trace_resource_at(tracks->trace, r).parent;
        uint32_t *place = parent != OCELOTL_ROOT ? &next[parent] : &root;
        tracks->places[r] = *place;
        next[r] = *place + 1;
        *place += below[r];
    }
    free(next);
    free(below);
    return status;
}

static ocelotl_status find_processes(oc_tracks *tracks, uint32_t count)
{
    const ocelotl_trace *trace = tracks->trace;
    bool *have_variables = NULL; /* each type of resources */
    OC_TRY(oc_allocate(&have_variables, ocelotl_trace_resource_type_count(trace),
                       sizeof *have_variables));
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        if (type.category == OCELOTL_VARIABLE && type.count > 0 &&
            type.resource_type != OCELOTL_ROOT)
            have_variables[type.resource_type] = true;
    }
    for (uint32_t r = 0; r < count; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        if (resource.parent != OCELOTL_ROOT && !oc_is_lane(trace, r))
            tracks->are_processes[resource.parent] = true;
        if (have_variables[resource.type])
            tracks->are_processes[r] = true;
    }
    free(have_variables);
    return OCELOTL_OK;
}

ocelotl_status oc_tracks_open(oc_tracks *tracks, oc_output *out, const ocelotl_trace *trace,
                              const ocelotl_events *events)
{
    const uint32_t count = ocelotl_trace_resource_count(trace);
    *tracks = (oc_tracks){.out = out, .trace = trace, .events = events, .next = count + 2};
    OC_TRY(oc_allocate(&tracks->places, count, sizeof *tracks->places));
    OC_TRY(oc_allocate(&tracks->are_processes, count, sizeof *tracks->are_processes));
    OC_TRY(oc_allocate(&tracks->types, count, sizeof *tracks->types));
    OC_TRY(
        oc_allocate(&tracks->named_processes, (size_t)count + 1, sizeof *tracks->named_processes));
    OC_TRY(oc_allocate(&tracks->named_threads, (size_t)count + 1, sizeof *tracks->named_threads));
    OC_TRY(find_places(tracks, count));
    return find_processes(tracks, count);
}

void oc_tracks_free(oc_tracks *tracks)
{
    free(tracks->places);
    free(tracks->are_processes);
    free(tracks->types);
    free(tracks->named_processes);
    free(tracks->named_threads);
    oc_map_free(&tracks->others);
}

/* --- Names */

void oc_tracks_begin(oc_tracks *tracks, const char *phase, uint32_t process)
{
    oc_output_format(tracks->out, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32, tracks->follows ? "," : "",
                     phase, process);
    tracks->follows = true;
}

void oc_tracks_name(oc_tracks *tracks, oc_track track, const char *kind, const char *name,
                    int64_t place)
{
    oc_output *out = tracks->out;
    oc_tracks_begin(tracks, "M", track.process);
    oc_output_format(
        out, ",\"tid\":%" PRIu32 ",\"name\":\"%s_name\",\"args\":{\"name\":", track.thread, kind);
    oc_json_append_string(&out->text, name, strlen(name));
    oc_output_add(out, "}}");
    oc_tracks_begin(tracks, "M", track.process);
    oc_output_format(out,
                     ",\"tid\":%" PRIu32
                     ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRId64 "}}",
                     track.thread, kind, place);
}

static uint32_t number_of(const oc_tracks *tracks, uint32_t resource)
{
    return resource != OCELOTL_ROOT ? tracks->places[resource] + 2 : 1;
}

static uint32_t name_process(oc_tracks *tracks, uint32_t resource)
{
    const uint32_t number = number_of(tracks, resource);
    if (!tracks->named_processes[number - 1])
        oc_tracks_name(tracks, (oc_track){number, number}, "process",
                       resource != OCELOTL_ROOT ? ocelotl_events_path(tracks->events, resource)
                                                : ocelotl_trace_info_of(tracks->trace).name,
                       (int64_t)number - 1);
    tracks->named_processes[number - 1] = true;
    return number;
}

uint32_t oc_tracks_process(oc_tracks *tracks, uint32_t resource)
{
    return name_process(tracks, resource);
}

/* The process around a thread; that of a lane is that of its thread. */
static uint32_t find_process(oc_tracks *tracks, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && !tracks->are_processes[resource])
        resource = ocelotl_trace_resource_at(tracks->trace, resource).parent;
    return name_process(tracks, resource);
}

/* "thread/~1" of a lane. */
static ocelotl_status name_thread(oc_tracks *tracks, oc_track track, uint32_t resource,
                                  uint32_t type, uint32_t lane)
{
    const ocelotl_resource named = ocelotl_trace_resource_at(tracks->trace, resource);
    oc_text name = {0};
    if (oc_is_lane(tracks->trace, resource) && named.parent != OCELOTL_ROOT)
        oc_text_format(&name, "%s/", ocelotl_trace_resource_at(tracks->trace, named.parent).name);
    oc_text_add(&name, named.name);
    if (type != OCELOTL_NONE)
        oc_text_format(&name, ": %s", ocelotl_trace_event_type_at(tracks->trace, type).name);
    if (lane > 0)
        oc_text_format(&name, "/~%" PRIu32, lane);
    if (!name.failed)
        oc_tracks_name(tracks, track, "thread", name.bytes,
                       (int64_t)number_of(tracks, resource) - 1);
    const bool failed = name.failed;
    oc_text_free(&name);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status find_other(oc_track *track, oc_tracks *tracks, uint32_t resource,
                                 uint32_t type, uint32_t lane)
{
    const uint32_t key[] = {resource, type, lane};
    track->thread = oc_map_get(&tracks->others, key, sizeof key);
    if (track->thread != OC_MAP_NONE)
        return OCELOTL_OK;
    track->thread = tracks->next++;
    OC_TRY(oc_map_set(&tracks->others, key, sizeof key, track->thread));
    return name_thread(tracks, *track, resource, type, lane);
}

ocelotl_status oc_tracks_find(oc_track *track, oc_tracks *tracks, uint32_t resource, uint32_t type,
                              uint32_t lane)
{
    track->process = find_process(tracks, resource);
    if (type != OCELOTL_NONE && tracks->types[resource] == 0)
        tracks->types[resource] = type + 1;
    if (type != OCELOTL_NONE && tracks->types[resource] == type + 1)
        type = OCELOTL_NONE;
    if (type != OCELOTL_NONE || lane > 0)
        return find_other(track, tracks, resource, type, lane);
    track->thread = number_of(tracks, resource);
    if (tracks->named_threads[track->thread - 1])
        return OCELOTL_OK;
    tracks->named_threads[track->thread - 1] = true;
    return name_thread(tracks, *track, resource, OCELOTL_NONE, 0);
}
