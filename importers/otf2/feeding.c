#include "importers/otf2/import.h"

#include "base/machine.h"
#include "base/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    MOST_SLOTS = 8,
    BATCHES = 2, /* of each location under way: one is read, one is written */
    MOST_WORKERS = 8
};

/* What the readers of events may hold. */
static const uint64_t memory_of_readers = (uint64_t)128 << 20;

/* A location under way. */
typedef struct slot {
    bool is_used;
    bool is_read;    /* all its records have been */
    bool is_busy;    /* a worker reads it */
    uint64_t number; /* of the location */
    bool has_events;
    bool is_written; /* or another rank does that */
    uint64_t left;  /* events to be read at most: of a file that is cut off, those that are whole */
    uint64_t turns; /* that are left to it at least, where ranks share the work */
    otf2_location location;
    OTF2_EvtReader *reader; /* NULL: not opened */
    otf2_batch batches[BATCHES];
    size_t full; /* batches that wait to be written, */
    size_t next; /* and which is the next of them */
    otf2_track track;
} slot;

typedef struct feeding {
    otf2_import *import;
    OTF2_EvtReaderCallbacks *callbacks, *crossing;
    slot slots[MOST_SLOTS];
    size_t slot_count;
    uint64_t next; /* the next location */
    pthread_mutex_t lock;
    pthread_mutex_t archive_lock; /* opening and closing readers */
    pthread_cond_t changed;
    pthread_t workers[MOST_WORKERS];
    size_t worker_count;
    bool stops;
} feeding;

/* --- Reading: what a worker does */

static OTF2_EvtReader *get_reader(feeding *of, const slot *from)
{
    const otf2_import *import = of->import;
    const uint64_t self = import->definitions.locations.items[from->location.index].reference;
    pthread_mutex_lock(&of->archive_lock);
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(import->archive.reader, self);
    pthread_mutex_unlock(&of->archive_lock);
    return reader;
}

static void close_reader(feeding *of, slot *from)
{
    if (from->reader == NULL)
        return;
    pthread_mutex_lock(&of->archive_lock);
    OTF2_Reader_CloseEvtReader(of->import->archive.reader, from->reader);
    pthread_mutex_unlock(&of->archive_lock);
    from->reader = NULL;
}

/* Looks through a location for states that cross. Damage is not an error here: the code says it
 * where not even the first record can be read. */
static OTF2_ErrorCode look(otf2_location *location, OTF2_EvtReaderCallbacks *crossing,
                           const slot *from)
{
    uint64_t count = 0;
    otf2_location looked = {.definitions = location->definitions, .looks = true};
    OTF2_ErrorCode code = OTF2_EvtReader_SetCallbacks(from->reader, crossing, &looked);
    if (code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ReadEvents(from->reader, from->left, &count);
    if (count > 0 || looked.status != OCELOTL_OK)
        code = OTF2_SUCCESS;
    location->status = otf2_look_finish(&looked);
    for (size_t i = 0; i < OC_OTF2_CROSSING; i++) {
        location->moved[i] = looked.moved[i];
        looked.moved[i] = (otf2_moved){0};
    }
    otf2_location_free(&looked);
    return code;
}

/* Looks through a location, and opens it again. The library may read what it
 * could not read at first as something else when it is asked again, so it is not. */
static OTF2_ErrorCode begin_reading(feeding *of, slot *from)
{
    OTF2_ErrorCode code = OTF2_ERROR_FILE_CAN_NOT_OPEN;
    otf2_location *location = &from->location;
    from->reader = get_reader(of, from);
    if (from->reader == NULL)
        return code;
    code = look(location, of->crossing, from);
    close_reader(of, from);
    if (code != OTF2_SUCCESS)
        return code;
    from->reader = get_reader(of, from);
    return from->reader != NULL && OTF2_EvtReader_SetCallbacks(from->reader, of->callbacks,
                                                               location) == OTF2_SUCCESS
               ? OTF2_SUCCESS
               : OTF2_ERROR_FILE_CAN_NOT_OPEN;
}

/* The rest of a location's events cannot be read. */
static void lose_events(const otf2_archive *archive, otf2_location *location, OTF2_ErrorCode code)
{
    if (location->lenient && otf2_archive_is_cut(archive, location->path))
        return; /* that was noted before it was read */
    location->status = location->lenient ? OCELOTL_OK : OCELOTL_ERROR_INPUT;
    location->is_cut = location->lenient;
    location->number++;
    location->is_placed = true;
    snprintf(location->message, sizeof location->message, "%s, expected more records%s",
             otf2_archive_message(code),
             location->lenient ? "" : " (--lenient reads those before it)");
}

/* Reads the next batch of a location, and marks the last one. */
static void read_batch(feeding *of, slot *from, otf2_batch *batch)
{
    uint64_t count = 0;
    otf2_location *location = &from->location;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    otf2_batch_clear(batch);
    location->batch = batch;
    if (from->has_events && from->reader == NULL)
        code = begin_reading(of, from);
    if (from->has_events && code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ReadEvents(
            from->reader, from->left < OC_OTF2_BATCH ? from->left : OC_OTF2_BATCH, &count);
    from->left -= count;
    if (code != OTF2_SUCCESS && location->status == OCELOTL_OK)
        lose_events(&of->import->archive, location, code);
    batch->is_last =
        code != OTF2_SUCCESS || count < OC_OTF2_BATCH || location->status != OCELOTL_OK;
    if (batch->is_last) {
        otf2_metrics_finish(location);
        otf2_transfers_finish(location);
        otf2_location_finish(location);
        close_reader(of, from);
    }
}

/* Reads a batch of a slot; the lock is held, but not meanwhile. */
static void fill(feeding *of, slot *one)
{
    otf2_batch *batch = &one->batches[(one->next + one->full) % BATCHES];
    one->is_busy = true;
    pthread_mutex_unlock(&of->lock);
    read_batch(of, one, batch);
    pthread_mutex_lock(&of->lock);
    one->is_busy = false;
    one->is_read = batch->is_last;
    one->full++;
    pthread_cond_broadcast(&of->changed);
}

static void *work(void *context)
{
    feeding *of = context;
    pthread_mutex_lock(&of->lock);
    while (!of->stops) {
        slot *hungry = NULL; /* the first of those with the fewest batches */
        for (size_t i = 0; i < of->slot_count; i++) {
            slot *one = &of->slots[i];
            if (one->is_used && !one->is_read && !one->is_busy && one->full < BATCHES &&
                (hungry == NULL || one->full < hungry->full))
                hungry = one;
        }
        if (hungry != NULL)
            fill(of, hungry);
        else
            pthread_cond_wait(&of->changed, &of->lock);
    }
    pthread_mutex_unlock(&of->lock);
    return NULL;
}

/* --- Writing: what the thread does that imports */

/* Checks that a location has all its events, as far as its file and the definitions say. */
static ocelotl_status check_file(slot *in, otf2_import *import, uint64_t location)
{
    struct stat about;
    otf2_passed whole;
    const bool lenient = import->import->options->lenient;
    const char *path = import->paths[location];
    const uint64_t records = import->definitions.locations.items[location].other;
    in->has_events = !import->archive.has_files || import->sizes[location] > 0;
    in->left = UINT64_MAX;
    if (in->has_events ? !otf2_archive_is_cut(&import->archive, path) : records == 0)
        return OCELOTL_OK;
    if (!in->has_events) {
        const ocelotl_status status =
            oc_fail(OCELOTL_ERROR_INPUT,
                    "%s: is %s, expected the %" PRIu64
                    " record%s of a location that the definitions count%s",
                    path, stat(path, &about) != 0 ? "missing" : "empty", records,
                    records == 1 ? "" : "s", lenient ? "" : " (--lenient goes without)");
        return lenient ? oc_oddities_keep(&import->oddities, OC_OTF2_FILE_MISSING,
                                          ocelotl_error_message())
                       : status;
    }
    OC_TRY(otf2_archive_pass(&whole, path, import->archive.chunk, UINT64_MAX));
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_INPUT,
                "%s:%" PRIu64 ": is cut off behind %" PRIu64 " events and %" PRIu64
                " bytes, expected all events of a location%s",
                path, whole.offset, whole.events, import->sizes[location],
                lenient ? "" : " (--lenient reads those that are there)");
    in->left = whole.events;
    in->has_events = in->left > 0;
    return lenient
               ? oc_oddities_keep(&import->oddities, OC_OTF2_EVENTS_LOST, ocelotl_error_message())
               : status;
}

/* How many turns a location should have: by its count of events, as far as its file, compressed or
 * not, can hold so many. */
static uint64_t count_turns(const otf2_import *import, uint64_t location)
{
    enum { MOST_OF_A_BYTE = 1024 };
    const uint64_t events = import->shared.events[location];
    const uint64_t most = import->sizes[location] * MOST_OF_A_BYTE;
    return (events < most ? events : most) / OC_OTF2_BATCH + 1;
}

/* Begins the next location in a slot, if any is left. Ranks that share the work know of locations
 * of others how many turns they have. */
static ocelotl_status begin_location(feeding *of, slot *in)
{
    otf2_import *import = of->import;
    const uint64_t location = of->next;
    if (location == import->definitions.locations.count)
        return OCELOTL_OK;
    of->next++;
    in->turns = import->shared.ranks != NULL ? count_turns(import, location) : 0;
    in->is_written = otf2_is_elsewhere(import, location);
    if (!in->is_written)
        OC_TRY(check_file(in, import, location));
    for (size_t i = 0; i < import->type_count; i++)
        in->track.streams[i] = OCELOTL_NONE;
    in->number = location;
    in->track.open_count = 0;
    in->track.lane_count = 0;
    pthread_mutex_lock(&of->lock);
    in->location = (otf2_location){.definitions = &import->definitions,
                                   .index = location,
                                   .timing = import->timing,
                                   .lenient = import->import->options->lenient,
                                   .path = import->paths[location]};
    in->is_used = true;
    in->is_read = in->is_written;
    in->full = 0;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
    return OCELOTL_OK;
}

/* Says where a record is: in its file, the byte where that is known, and its number. */
static void place_record(oc_text *place, const otf2_archive *archive, const char *path,
                         uint64_t number)
{
    otf2_passed before;
    const bool has_offset =
        archive->is_plain && number > 0 &&
        otf2_archive_pass(&before, path, archive->chunk, number - 1) == OCELOTL_OK;
    oc_text_add(place, path);
    if (has_offset)
        oc_text_format(place, ":%" PRIu64, before.offset);
    oc_text_format(place, ": record %" PRIu64, number);
}

/* Adds up an oddity of a location, and keeps where it was first met. */
static ocelotl_status add_oddity(otf2_import *import, const otf2_location *location, size_t oddity)
{
    oc_oddities *oddities = &import->oddities;
    oc_text place = {0};
    ocelotl_status status = OCELOTL_OK;
    if (location->oddities[oddity] == 0)
        return OCELOTL_OK;
    if (location->places[oddity] == 0) { /* of no record */
        oc_oddities_note(oddities, oddity, location->path, 0);
    } else {
        if (oddities->counts[oddity] == 0)
            place_record(&place, &import->archive, location->path, location->places[oddity]);
        status = place.failed ? oc_fail_memory() : oc_oddities_keep(oddities, oddity, place.bytes);
        oc_text_free(&place);
    }
    oddities->counts[oddity] += location->oddities[oddity] - 1;
    return status;
}

/* Says why a location, or the rest of it, cannot be read, with the record where that begins. */
static ocelotl_status fail_location(const otf2_archive *archive, const otf2_location *location)
{
    oc_text text = {0};
    const bool failed = location->status != OCELOTL_OK;
    if (location->is_placed) {
        place_record(&text, archive, location->path, location->number);
        oc_text_add(&text, ": ");
    }
    oc_text_add(&text, location->message[0] != '\0' ? location->message : "out of memory");
    const ocelotl_status status =
        text.failed ? oc_fail_memory()
                    : oc_fail(failed ? location->status : OCELOTL_ERROR_INPUT, "%s", text.bytes);
    oc_text_free(&text);
    return status;
}

static ocelotl_status end_location(otf2_import *import, slot *in)
{
    otf2_location *location = &in->location;
    const bool is_over = location->last_kind == OC_OTF2_KIND_THREAD_END ||
                         location->last_kind == OC_OTF2_KIND_PROGRAM_END;
    const bool is_cut = location->is_cut && location->status == OCELOTL_OK;
    ocelotl_status status = location->status;
    if (status != OCELOTL_OK || is_cut)
        status = fail_location(&import->archive, location);
    if (is_cut && status == OCELOTL_ERROR_INPUT)
        status = oc_oddities_keep(&import->oddities, OC_OTF2_EVENTS_LOST, ocelotl_error_message());
    for (size_t i = 0; status == OCELOTL_OK && i < OC_OTF2_KIND_COUNT; i++) {
        import->counts[i] += location->counts[i];
        import->left_out[i] += location->left_out[i];
    }
    for (size_t i = 0; status == OCELOTL_OK && i < OC_OTF2_ODDITY_END; i++)
        status = add_oddity(import, location, i);
    if (location->has_begun && is_over && location->open[OC_OTF2_REGIONS].count == 0)
        import->ends[location->index] = location->last;
    if (location->has_begun) {
        int64_t *last = &import->last[location->index]; /* a metric of it may be later */
        *last = location->last > *last ? location->last : *last;
    }
    in->is_written = true;
    otf2_location_free(location);
    return status;
}

/* A location's share of its file is not known: records are taken to be of a few bytes. */
static ocelotl_status report(const feeding *of, const slot *at)
{
    enum { BYTES_OF_A_RECORD = 12 };
    const otf2_import *import = of->import;
    const ocelotl_work *work = &import->import->options->work;
    const uint64_t size = at->is_used ? import->sizes[at->location.index] : 0;
    const uint64_t guess = at->location.counts[OC_OTF2_KIND_ENTER] * 2 * BYTES_OF_A_RECORD;
    const uint64_t done = import->bytes_done + (guess < size ? guess : size);
    if (work->progress == NULL || work->progress(work->context, done, import->bytes))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

/* Writes the next batch of a slot, which is read here where no worker does. A thread that says when
 * it begins lives from then on. */
static ocelotl_status write_next(feeding *of, slot *from)
{
    otf2_import *import = of->import;
    const uint64_t location = from->location.index;
    pthread_mutex_lock(&of->lock);
    while (from->full == 0) {
        if (!from->is_busy)
            fill(of, from);
        else
            pthread_cond_wait(&of->changed, &of->lock);
    }
    pthread_mutex_unlock(&of->lock);
    const otf2_batch *batch = &from->batches[from->next];
    const bool is_last = batch->is_last;
    if (import->places.locations[location] == OCELOTL_NONE) {
        const otf2_record *first = batch->count > 0 ? &batch->records[0] : NULL;
        const bool has_begin = first != NULL && first->type == OC_OTF2_LIFE;
        OC_TRY(otf2_places_add(import, location, has_begin ? first->time : import->places.begin,
                               first != NULL ? first->time : INT64_MAX));
    }
    OC_TRY(otf2_write_batch(import, batch, location, &from->track));
    pthread_mutex_lock(&of->lock);
    from->next = (from->next + 1) % BATCHES;
    from->full--;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
    return is_last ? end_location(import, from) : OCELOTL_OK;
}

/* Takes the turn of a slot: a batch, or all that is left in the last turn. */
static ocelotl_status take_turn(feeding *of, slot *from)
{
    otf2_import *import = of->import;
    const uint64_t location = from->number;
    OC_TRY(otf2_share_turn(import, location));
    if (otf2_is_elsewhere(import, location))
        OC_TRY(otf2_places_add(import, location, import->places.begin, INT64_MAX));
    from->turns -= from->turns > 0;
    if (!from->is_written)
        OC_TRY(write_next(of, from));
    while (import->shared.ranks != NULL && from->turns == 0 && !from->is_written)
        OC_TRY(write_next(of, from));
    if (from->turns > 0 || !from->is_written)
        return OCELOTL_OK;
    from->is_used = false;
    import->bytes_done += import->sizes[location];
    OC_TRY(begin_location(of, from));
    return report(of, from);
}

static ocelotl_status feed_all(feeding *of)
{
    for (size_t i = 0; i < of->slot_count; i++)
        OC_TRY(begin_location(of, &of->slots[i]));
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t i = 0; i < of->slot_count; i++)
            if (of->slots[i].is_used) {
                OC_TRY(take_turn(of, &of->slots[i]));
                goes_on = true;
            }
    }
    return OCELOTL_OK;
}

/* --- The threads */

/* Starts the workers, or as many as the system grants, and ends them when all is written. */
static ocelotl_status run(feeding *of)
{
    const uint32_t wanted = of->import->import->options->work.threads;
    size_t most = (wanted > 0 ? wanted : oc_processor_count()) - 1;
    most = most < of->slot_count ? most : of->slot_count;
    most = most < MOST_WORKERS ? most : MOST_WORKERS;
    for (size_t i = 0; i < of->slot_count; i++)
        OC_TRY(oc_allocate(&of->slots[i].track.streams, of->import->type_count,
                           sizeof *of->slots[i].track.streams));
    while (of->worker_count < most && oc_thread_start(&of->workers[of->worker_count], work, of))
        of->worker_count++;
    const ocelotl_status status = feed_all(of);
    pthread_mutex_lock(&of->lock);
    of->stops = true;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
    for (size_t i = 0; i < of->worker_count; i++)
        pthread_join(of->workers[i], NULL);
    return status;
}

ocelotl_status otf2_make_callbacks(OTF2_EvtReaderCallbacks **callbacks, bool looks)
{
    OTF2_EvtReaderCallbacks *made = OTF2_EvtReaderCallbacks_New();
    if (made == NULL)
        return oc_fail_memory();
    *callbacks = made;
    if (looks) {
        otf2_set_crossing(made);
        return OCELOTL_OK;
    }
    otf2_set_instants(made);
    otf2_set_states(made);
    otf2_set_links(made);
    otf2_set_metrics(made);
    return OCELOTL_OK;
}

ocelotl_status otf2_feed(otf2_import *import)
{
    feeding *of = NULL;
    const uint64_t fitting = memory_of_readers / (import->archive.chunk + 1);
    const uint64_t locations = import->definitions.locations.count;
    uint64_t slots = fitting < MOST_SLOTS ? fitting : MOST_SLOTS;
    slots = slots < locations ? slots : locations;
    OC_TRY(oc_allocate(&of, 1, sizeof *of));
    of->import = import;
    of->slot_count = (size_t)(slots > 0 ? slots : 1);
    pthread_mutex_init(&of->lock, NULL);
    pthread_mutex_init(&of->archive_lock, NULL);
    pthread_cond_init(&of->changed, NULL);
    ocelotl_status status = otf2_make_callbacks(&of->callbacks, false);
    if (status == OCELOTL_OK)
        status = otf2_make_callbacks(&of->crossing, true);
    if (status == OCELOTL_OK)
        status = run(of);
    for (size_t i = 0; i < of->slot_count; i++) {
        slot *one = &of->slots[i];
        close_reader(of, one);
        otf2_location_free(&one->location);
        for (size_t b = 0; b < BATCHES; b++)
            otf2_batch_free(&one->batches[b]);
        free(one->track.streams);
        free(one->track.open);
        free(one->track.lanes);
    }
    if (of->callbacks != NULL)
        OTF2_EvtReaderCallbacks_Delete(of->callbacks);
    if (of->crossing != NULL)
        OTF2_EvtReaderCallbacks_Delete(of->crossing);
    pthread_cond_destroy(&of->changed);
    pthread_mutex_destroy(&of->archive_lock);
    pthread_mutex_destroy(&of->lock);
    free(of);
    return status;
}
