#include "store/verify/survey.h"

#include <stdio.h>

/* No row of a chunk takes less. */
static const uint64_t smallest_row = 16;

static const uint64_t rows_per_progress = 256;

/* --- One row */

static ocelotl_status unpack(oc_survey *survey, const oc_chunk_bytes *bytes, uint32_t stream)
{
    const oc_role role = survey->trace->streams[stream].role;
    oc_fold_clear(&survey->fold);
    survey->fold.role = role;
    OC_TRY(oc_fold_unpack(&survey->fold, bytes->totals, bytes->totals_length, bytes->unit));
    OC_TRY(oc_records_unpack(&survey->records, bytes->events, bytes->events_length, role,
                             bytes->unit, oc_trace_dictionary(survey->trace, role)));
    OC_TRY(oc_chunk_check_fold(survey->trace, stream, &survey->fold));
    return oc_chunk_check_records(survey->trace, stream, &survey->fold, &survey->records);
}

/* Takes what the records say: they are in order of time, or could not be unpacked. */
static void take_records(oc_surveyed_chunk *chunk, const oc_survey *survey,
                         const oc_chunk_found *found)
{
    const oc_records *records = &survey->records;
    const ocelotl_trace_info *info = &survey->trace->info;
    if (records->count == 0)
        return;
    chunk->is_known = true;
    chunk->begin = records->records[0].time;
    chunk->end = records->records[records->count - 1].time;
    chunk->count = records->count;
    chunk->is_readable =
        chunk->begin == found->row.begin && chunk->begin >= info->begin && chunk->end <= info->end;
    chunk->is_sound = chunk->is_readable && found->place_holds && found->row_holds &&
                      chunk->end == found->row.end && (int64_t)chunk->count == found->row.count;
}

/* Identifies a chunk by any of its checksums. */
static ocelotl_status take(oc_survey *survey, int64_t number, const oc_chunk_found *found)
{
    const ocelotl_trace *trace = survey->trace;
    const oc_chunk_row *row = &found->row;
    oc_surveyed_chunk taken = {.row = number};
    const bool identified = found->place_holds || found->row_holds || found->bytes_hold;
    if (!identified)
        return OCELOTL_OK; /* the chunk that it was is missed where it should be */
    if (row->stream >= trace->stream_count || row->number < 0 ||
        row->number >= trace->streams[row->stream].chunk_count) {
        survey->strays++;
        return OCELOTL_OK;
    }
    if (found->row_holds) {
        taken.is_known = true;
        taken.begin = row->begin;
        taken.end = row->end;
        taken.count = (uint64_t)row->count;
    }
    if (found->bytes_hold) {
        const ocelotl_status status = unpack(survey, &found->bytes, row->stream);
        if (status == OCELOTL_OK)
            take_records(&taken, survey, found);
        else if (status != OCELOTL_ERROR_INPUT)
            return status;
    }
    oc_surveyed_chunk *chunk = &survey->chunks[survey->first[row->stream] + (uint64_t)row->number];
    survey->strays += chunk->row != 0;
    if (chunk->row == 0 || (taken.is_readable && !chunk->is_readable))
        *chunk = taken;
    return OCELOTL_OK;
}

/* --- All rows */

/* A row that cannot be read is missed where it should be. */
static ocelotl_status look(oc_survey *survey, int64_t number)
{
    bool row = false;
    sqlite3_bind_int64(survey->read, 1, number);
    ocelotl_status status = oc_database_row(&row, survey->read, survey->trace->path);
    if (status == OCELOTL_OK && row) {
        oc_chunk_found found;
        oc_chunk_find(&found, survey->read);
        status = take(survey, number, &found);
    }
    sqlite3_reset(survey->read);
    return status == OCELOTL_ERROR_INPUT ? OCELOTL_OK : status;
}

/* Rows behind those that there should be may be some of them, where others were written by another
 * hand. */
static ocelotl_status look_behind(void *context, const oc_row *row)
{
    oc_survey *survey = context;
    survey->strays++;
    return look(survey, sqlite3_column_int64(row->statement, 0));
}

static ocelotl_status survey_rows(oc_survey *survey, ocelotl_progress progress, void *context)
{
    char others[80];
    const ocelotl_trace *trace = survey->trace;
    oc_row row = {.path = trace->path};
    uint64_t count = 0;
    OC_TRY(oc_arena_allocate(&survey->first, &survey->arena, (size_t)trace->stream_count + 1,
                             sizeof *survey->first));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        survey->first[s] = count;
        count += trace->streams[s].chunk_count;
    }
    survey->first[trace->stream_count] = count;
    if (count > trace->info.file_size / smallest_row)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is damaged: more chunks of events than it can hold", trace->path);
    OC_TRY(
        oc_arena_allocate(&survey->chunks, &survey->arena, (size_t)count, sizeof *survey->chunks));
    OC_TRY(oc_database_prepare(&survey->read, trace->database, row.path, OC_CHUNK_WHOLE));
    for (uint64_t i = 0; i < count; i++) {
        if (progress != NULL && i % rows_per_progress == 0 && !progress(context, i, count))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled");
        OC_TRY(look(survey, (int64_t)i + 1));
    }
    snprintf(others, sizeof others, OC_CHUNK_OTHERS, count);
    const ocelotl_status status = oc_rows_read(&row, trace->database, others, look_behind, survey);
    return status == OCELOTL_ERROR_INPUT ? OCELOTL_OK : status;
}

ocelotl_status oc_survey_make(oc_survey *survey, ocelotl_progress progress, void *context)
{
    sqlite3 *database = survey->trace->database;
    const bool begins = sqlite3_get_autocommit(database) != 0;
    if (begins)
        OC_TRY(oc_database_execute(database, survey->trace->path, "BEGIN"));
    const ocelotl_status status = survey_rows(survey, progress, context);
    if (survey->read != NULL)
        sqlite3_reset(survey->read);
    if (begins)
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return status;
}

void oc_survey_free(oc_survey *survey)
{
    sqlite3_finalize(survey->read);
    oc_fold_free(&survey->fold);
    oc_records_free(&survey->records);
    oc_arena_free(&survey->arena);
    *survey = (oc_survey){0};
}

ocelotl_status oc_survey_read(oc_survey *survey, uint32_t stream, uint64_t chunk)
{
    bool row;
    sqlite3_bind_int64(survey->read, 1, survey->chunks[chunk].row);
    ocelotl_status status = oc_database_row(&row, survey->read, survey->trace->path);
    if (status == OCELOTL_OK && row) {
        oc_chunk_found found;
        oc_chunk_find(&found, survey->read);
        status = unpack(survey, &found.bytes, stream);
    } else if (status == OCELOTL_OK) {
        status = oc_fail_chunk(survey->trace, stream, (int64_t)(chunk - survey->first[stream]),
                               "is missing");
    }
    sqlite3_reset(survey->read);
    return status;
}
