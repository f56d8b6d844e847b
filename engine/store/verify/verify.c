/* What is damaged in a trace.db: a survey of its chunks put into words. */
#include "store/verify/survey.h"

#include "base/options.h"
#include "base/text.h"
#include "store/file/tables.h"
#include "store/trace/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of what SQLite says of its pages. */
static const char check_pages[] = "PRAGMA integrity_check(20)";

/* --- The list */

static ocelotl_status add_damage(ocelotl_verification *verification, const ocelotl_damage *damage,
                                 uint32_t resource, const char *what)
{
    oc_arena *arena = &verification->arena;
    OC_TRY(oc_arena_grow(&verification->damages, &verification->damage_capacity, arena,
                         verification->damage_count + 1, sizeof *verification->damages));
    oc_damage *added = &verification->damages[verification->damage_count++];
    *added = (oc_damage){.resource = resource, .damage = *damage};
    added->damage.what = oc_arena_copy_utf8(arena, what);
    return oc_arena_status(arena);
}

/* Each is said once: damage that hides all tables is met at each. */
static ocelotl_status add_sentence(ocelotl_verification *verification, const char *what)
{
    static const char damaged[] = "is damaged: ";
    const ocelotl_damage damage = {.event_type = "", .to = -1};
    const size_t count = verification->damage_count;
    what += strncmp(what, damaged, strlen(damaged)) == 0 ? strlen(damaged) : 0;
    return count > 0 && strcmp(verification->damages[count - 1].damage.what, what) == 0
               ? OCELOTL_OK
               : add_damage(verification, &damage, OCELOTL_NONE, what);
}

/* Copies the message of the last failure, without the path, and without the advice to verify. */
static ocelotl_status copy_message(const char **copy, ocelotl_verification *verification)
{
    const char *message = ocelotl_error_message();
    const size_t path = strlen(verification->path);
    if (strncmp(message, verification->path, path) == 0 && strncmp(message + path, ": ", 2) == 0)
        message += path + 2;
    const char *advice = strstr(message, "; `ocelotl-cli verify`");
    *copy = oc_arena_copy_bytes(&verification->arena, message,
                                advice != NULL ? (size_t)(advice - message) : strlen(message));
    return oc_arena_status(&verification->arena);
}

/* A failure by damage is a damage; any other one is a failure here, too. */
static ocelotl_status add_failure(ocelotl_verification *verification, ocelotl_status status)
{
    const char *what = NULL;
    if (status != OCELOTL_ERROR_INPUT)
        return status;
    OC_TRY(copy_message(&what, verification));
    return add_sentence(verification, what);
}

/* --- Chunks */

typedef struct lost {
    uint64_t chunks, of_unknown; /* of_unknown: chunks with an unknown number of records */
    uint64_t records;
    int64_t from, to;
} lost;

static ocelotl_status add_lost(ocelotl_verification *verification, uint32_t stream,
                               const lost *found)
{
    char what[80];
    const ocelotl_trace *trace = verification->trace;
    const oc_stream *of = &trace->streams[stream];
    const ocelotl_damage damage = {
        .event_type = oc_type_spelling(trace, of->event_type),
        .from = found->from,
        .to = found->to,
        .records = found->records,
    };
    snprintf(what, sizeof what,
             found->chunks == 1 ? "a chunk of events" : "%" PRIu64 " chunks of events",
             found->chunks);
    return add_damage(verification, &damage, of->resource, what);
}

/* Counts records of unknown chunks: the stream's number less those of known chunks. */
static lost count_unknown(const ocelotl_verification *verification, uint32_t stream)
{
    const oc_survey *survey = &verification->survey;
    lost unknown = {.records = survey->trace->streams[stream].count};
    for (uint64_t c = survey->first[stream]; c < survey->first[stream + 1]; c++) {
        const uint64_t count = survey->chunks[c].count;
        if (survey->chunks[c].is_known)
            unknown.records -= count < unknown.records ? count : unknown.records;
        else
            unknown.chunks++;
    }
    return unknown;
}

/* Chunks from `first` on that are not sound; *end is behind the last. */
static lost measure(uint64_t *end, const ocelotl_verification *verification, uint32_t stream,
                    uint64_t first, const lost *unknown)
{
    const oc_survey *survey = &verification->survey;
    const oc_stream *of = &survey->trace->streams[stream];
    lost run = {.from = first > survey->first[stream] ? survey->chunks[first - 1].end : of->begin,
                .to = of->end};
    uint64_t shares = 0;
    uint64_t c = first;
    for (; c < survey->first[stream + 1] && !survey->chunks[c].is_sound; c++) {
        run.chunks++;
        run.records += survey->chunks[c].is_known ? survey->chunks[c].count : 0;
        shares += !survey->chunks[c].is_known;
    }
    if (shares > 0)
        run.records +=
            (uint64_t)((double)unknown->records * ((double)shares / (double)unknown->chunks));
    if (survey->chunks[first].is_known)
        run.from = survey->chunks[first].begin;
    if (c < survey->first[stream + 1])
        run.to = survey->chunks[c].begin;
    else if (survey->chunks[c - 1].is_known)
        run.to = survey->chunks[c - 1].end;
    *end = c;
    return run;
}

static ocelotl_status list_lost(bool *all_sound, ocelotl_verification *verification,
                                uint32_t stream)
{
    const oc_survey *survey = &verification->survey;
    const lost unknown = count_unknown(verification, stream);
    *all_sound = true;
    for (uint64_t c = survey->first[stream]; c < survey->first[stream + 1];) {
        if (survey->chunks[c].is_sound) {
            c++;
            continue;
        }
        const lost run = measure(&c, verification, stream, c, &unknown);
        *all_sound = false;
        OC_TRY(add_lost(verification, stream, &run));
    }
    if (*all_sound && unknown.records != 0)
        return add_sentence(verification, "a stream has fewer events than it says");
    return OCELOTL_OK;
}

/* The index is what readers look chunks up by: it leads to the rows that were found without it. */
static ocelotl_status check_index(ocelotl_verification *verification, uint32_t stream,
                                  sqlite3_stmt *places)
{
    const oc_survey *survey = &verification->survey;
    const uint64_t first = survey->first[stream];
    const ocelotl_status status = oc_chunk_list_places(
        &verification->places, &verification->place_capacity, places, survey->trace, stream);
    if (status != OCELOTL_OK)
        return add_failure(verification, status);
    for (uint64_t c = first; c < survey->first[stream + 1]; c++)
        if (verification->places[c - first].row != survey->chunks[c].row)
            return add_sentence(verification,
                                "the index of the chunks leads to other rows than theirs");
    return OCELOTL_OK;
}

static ocelotl_status check_streams(ocelotl_verification *verification, sqlite3_stmt *places)
{
    for (uint32_t s = 0; s < verification->trace->stream_count; s++) {
        bool all_sound;
        OC_TRY(list_lost(&all_sound, verification, s));
        if (all_sound)
            OC_TRY(check_index(verification, s, places));
    }
    return OCELOTL_OK;
}

static ocelotl_status check_chunks(ocelotl_verification *verification,
                                   const ocelotl_verify_options *options)
{
    char what[96];
    sqlite3_stmt *places = NULL;
    oc_survey *survey = &verification->survey;
    OC_TRY(oc_survey_make(survey, options->work.progress, options->work.context));
    if (survey->strays > 0) {
        snprintf(what, sizeof what, "%" PRIu64 " row%s of chunks that should not be there",
                 survey->strays, survey->strays == 1 ? "" : "s");
        OC_TRY(add_sentence(verification, what));
    }
    ocelotl_status status = oc_database_prepare(&places, verification->trace->database,
                                                verification->path, OC_CHUNK_PLACES);
    if (status == OCELOTL_OK)
        status = check_streams(verification, places);
    sqlite3_finalize(places);
    return status;
}

/* --- Tables and pages */

static ocelotl_status read_page_check(void *context, const oc_row *row)
{
    const char *text = (const char *)sqlite3_column_text(row->statement, 0);
    oc_text line = {0};
    if (text != NULL && strcmp(text, "ok") == 0)
        return OCELOTL_OK;
    oc_text_add(&line, "SQLite: ");
    oc_text_add(&line, text != NULL ? text : "");
    for (size_t i = 0; i < line.length && !line.failed; i++)
        if (line.bytes[i] == '\n')
            line.bytes[i] = ' ';
    const ocelotl_status status =
        line.failed ? oc_fail_memory() : add_sentence(context, line.bytes);
    oc_text_free(&line);
    return status;
}

static ocelotl_status check_database_pages(ocelotl_verification *verification, sqlite3 *database)
{
    oc_row row = {.path = verification->path};
    return add_failure(verification,
                       oc_rows_read(&row, database, check_pages, read_page_check, verification));
}

static ocelotl_status check_table(ocelotl_verification *verification, sqlite3 *database,
                                  oc_table table)
{
    char what[96];
    uint64_t written;
    uint64_t checksum = 0;
    bool is_there = false;
    ocelotl_status status =
        oc_table_read_checksum(&is_there, &written, database, verification->path, table);
    if (status == OCELOTL_OK)
        status = oc_table_add_up(&checksum, database, verification->path, table);
    if (status != OCELOTL_OK)
        return add_failure(verification, status);
    if (is_there && written == checksum)
        return OCELOTL_OK;
    snprintf(what, sizeof what, "the table %s does not hold what was written",
             oc_table_name(table));
    return add_sentence(verification, what);
}

static ocelotl_status check_all_tables(ocelotl_verification *verification, sqlite3 *database)
{
    for (unsigned i = 0; i < OC_TABLE_COUNT; i++)
        OC_TRY(check_table(verification, database, (oc_table)i));
    return check_database_pages(verification, database);
}

/* A trace.db that is one, and cannot be opened: which tables are damaged says more than the first
 * thing that was odd. */
static ocelotl_status check_unopened(ocelotl_verification *verification, const char *first)
{
    sqlite3 *database = NULL;
    const char *path = verification->path;
    ocelotl_status status = oc_database_open(&database, path, path, SQLITE_OPEN_READONLY);
    if (status == OCELOTL_OK)
        status = oc_connection_check_identity(database, path);
    if (status == OCELOTL_OK)
        status = check_all_tables(verification, database);
    else if (status == OCELOTL_ERROR_INPUT)
        status = oc_fail(OCELOTL_ERROR_INPUT, "%s: %s", path, first);
    sqlite3_close(database);
    return status == OCELOTL_OK && verification->damage_count == 0
               ? add_sentence(verification, first)
               : status;
}

/* --- Shards of a run */

/* What is damaged in a shard, which ends here, is damaged in the run; it is said with the file. */
static ocelotl_status add_damages(ocelotl_verification *verification, const char *file,
                                  const ocelotl_verification *shard)
{
    ocelotl_status status = OCELOTL_OK;
    oc_text what = {0};
    for (size_t i = 0; i < shard->damage_count && status == OCELOTL_OK; i++) {
        ocelotl_damage damage = shard->damages[i].damage;
        damage.event_type = oc_arena_copy(&verification->arena, damage.event_type);
        oc_text_clear(&what);
        oc_text_format(&what, "%s: %s", file, damage.what);
        status = what.failed
                     ? oc_fail_memory()
                     : add_damage(verification, &damage, shard->damages[i].resource, what.bytes);
    }
    oc_text_free(&what);
    return status;
}

static bool is_same_stream(const oc_stream *one, const oc_stream *other)
{
    return one->resource == other->resource && one->event_type == other->event_type &&
           one->role == other->role && one->count == other->count && one->begin == other->begin &&
           one->end == other->end && one->chunk_count == other->chunk_count;
}

/* Whether the run says of its streams what the shard does. */
static bool has_streams_of(const ocelotl_trace *run, uint32_t shard, const ocelotl_trace *of)
{
    bool same = of->stream_count == run->shards[shard].stream_count;
    for (uint32_t s = 0; s < run->stream_count && same; s++)
        same = run->streams[s].shard != shard ||
               is_same_stream(&run->streams[s], &of->streams[run->streams[s].stored]);
    return same;
}

/* A shard that is not there is damage; one that cannot be read is a failure. Takes what it counts
 * off `left`, by event type; *all: so have all so far. */
static ocelotl_status check_shard(ocelotl_verification *verification, uint32_t number,
                                  uint64_t *left, bool *all, const ocelotl_verify_options *options)
{
    struct stat is;
    ocelotl_verification *found = NULL;
    const ocelotl_trace *run = verification->trace;
    const char *path = run->shards[number].path;
    const char *slash = strrchr(path, '/');
    ocelotl_status status = oc_shard_open(run, number);
    if (status == OCELOTL_ERROR_IO && stat(path, &is) != 0 && errno == ENOENT)
        status = OCELOTL_ERROR_INPUT;
    if (status != OCELOTL_OK) {
        *all = false;
        return add_failure(verification, status);
    }
    OC_TRY(ocelotl_verify(&found, path, options));
    *all = *all && found->trace != NULL && found->trace->event_type_count == run->event_type_count;
    for (uint32_t t = 0; *all && t < run->event_type_count; t++)
        left[t] -= found->trace->event_types[t].count;
    status = add_damages(verification, slash != NULL ? slash + 1 : path, found);
    if (status == OCELOTL_OK && found->trace != NULL && !has_streams_of(run, number, found->trace))
        status = add_sentence(verification,
                              "the streams of " OC_RUN_FILE " are others than those of its shards");
    ocelotl_verification_free(found);
    return status;
}

/* Each by itself: they may be many. What the run counts is the sum of what they do. */
static ocelotl_status check_shards(ocelotl_verification *verification,
                                   const ocelotl_verify_options *options)
{
    const ocelotl_trace *run = verification->trace;
    uint64_t *left = NULL;
    bool all = true;
    OC_TRY(oc_arena_allocate(&left, &verification->arena, run->event_type_count, sizeof *left));
    for (uint32_t t = 0; t < run->event_type_count; t++)
        left[t] = run->event_types[t].count;
    for (uint32_t s = 0; s < run->shard_count; s++)
        OC_TRY(check_shard(verification, s, left, &all, options));
    for (uint32_t t = 0; t < run->event_type_count && all; t++)
        if (left[t] != 0)
            return add_sentence(verification, "the counts of " OC_RUN_FILE
                                              " are not the sums of those of its shards");
    return OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status verify(ocelotl_verification *verification, const char *path,
                             const ocelotl_verify_options *options)
{
    OC_TRY(oc_trace_find(&verification->path, &verification->arena, path));
    const ocelotl_status status = ocelotl_trace_open(&verification->trace, path);
    if (status == OCELOTL_ERROR_INPUT) {
        const char *message = NULL;
        OC_TRY(copy_message(&message, verification));
        return check_unopened(verification, message);
    }
    OC_TRY(status);
    OC_TRY(oc_catalogue_read(&verification->catalogue, verification->trace));
    verification->survey.trace = verification->trace;
    OC_TRY(check_database_pages(verification, verification->trace->database));
    return verification->trace->shard_count > 0 ? check_shards(verification, options)
                                                : check_chunks(verification, options);
}

ocelotl_status ocelotl_verify(ocelotl_verification **verification, const char *path,
                              const ocelotl_verify_options *given)
{
    ocelotl_verify_options options = OCELOTL_VERIFY_OPTIONS_INIT;
    ocelotl_verification *made = NULL;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(oc_arena_make(&made, sizeof *made));
    const ocelotl_status status = verify(made, path, &options);
    if (status == OCELOTL_OK)
        *verification = made;
    else
        ocelotl_verification_free(made);
    return status;
}

void ocelotl_verification_free(ocelotl_verification *verification)
{
    if (verification == NULL)
        return;
    free(verification->places);
    oc_survey_free(&verification->survey);
    oc_catalogue_free(&verification->catalogue);
    ocelotl_trace_free(verification->trace);
    oc_arena_free(&verification->arena);
}

void ocelotl_verification_get_info(ocelotl_verification_info *info,
                                   const ocelotl_verification *verification)
{
    const ocelotl_trace *trace = verification->trace;
    ocelotl_verification_info known = {.damages = (uint32_t)verification->damage_count,
                                       .tables_are_sound = trace != NULL};
    for (uint32_t s = 0; trace != NULL && s < trace->stream_count; s++) {
        known.chunks += trace->streams[s].chunk_count;
        known.records += trace->streams[s].count;
    }
    known.streams = trace != NULL ? trace->stream_count : 0;
    oc_give_info(info, &known, sizeof known);
}

const ocelotl_trace *ocelotl_verification_trace(const ocelotl_verification *verification)
{
    return verification->trace;
}

ocelotl_damage ocelotl_verification_damage_at(const ocelotl_verification *verification,
                                              uint32_t index)
{
    if (index >= verification->damage_count)
        return (ocelotl_damage){.what = "", .resource = "", .event_type = ""};
    const oc_damage *found = &verification->damages[index];
    ocelotl_damage damage = found->damage;
    damage.resource = found->resource != OCELOTL_NONE
                          ? oc_path_of(&verification->catalogue.paths, found->resource)
                          : "";
    return damage;
}
