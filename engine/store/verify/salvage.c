/* What is left of a damaged trace.db as a sound one: its readable chunks, record by record, into a
 * writer. Where some are lost, what was open before them and is not after them ends where the loss
 * begins, and what began in between is known by the next chunk's totals. */
#include "store/copy/copying.h"
#include "store/verify/survey.h"

#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char warning_kind[] = "damaged chunks";

typedef struct salvage {
    oc_arena arena; /* of the lists */
    oc_survey *survey;
    const ocelotl_trace *trace;
    oc_copier copier; /* into the writer */
    uint32_t stream;
    oc_open *open; /* as oc_fold has it, but `total` is the value */
    size_t open_count, open_capacity;
    bool *goes_on; /* of what was open before a loss */
    size_t goes_on_capacity, kept;
    bool *lost; /* by resource: of its shard nothing can be read */
} salvage;

/* --- Records */

/* Ends one of what is open; `later` of it began later and go on. */
static ocelotl_status end_open(salvage *to, const oc_open *ended, size_t later, int64_t time)
{
    const bool is_link = to->trace->streams[to->stream].role == OC_ROLE_LINKS_OUT;
    const oc_record record = {.time = time,
                              .ends = true,
                              .depth = (uint32_t)later,
                              .partner = OCELOTL_NONE,
                              .duration = is_link ? ended->begin - time : 0};
    return oc_copy_record(to->copier.writer, to->copier.target, &record, &oc_no_attributes);
}

/* Follows the records of the chunk that has been read: the fold holds them in the end. */
static ocelotl_status keep_open(salvage *to)
{
    const oc_fold *fold = &to->survey->fold;
    OC_TRY(oc_arena_grow(&to->open, &to->open_capacity, &to->arena, fold->open.count,
                         sizeof *to->open));
    for (size_t i = 0; i < fold->open.count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        to->open[i] = (oc_open){open->begin, fold->totals[open->total].value};
    }
    to->open_count = fold->open.count;
    return OCELOTL_OK;
}

static bool is_open(const oc_fold *fold, size_t index, const oc_open *open)
{
    const oc_open *found = index < fold->open.count ? oc_fold_open(fold, index) : NULL;
    return found != NULL && found->begin == open->begin &&
           fold->totals[found->total].value == open->total;
}

/* Ends, after a loss that began at `since`, what the fold has no longer open, innermost first. Both
 * lists are ordered by begin, so one pass finds what is in both. */
static ocelotl_status end_lost(salvage *to, const oc_fold *fold, int64_t since)
{
    size_t kept = 0;
    OC_TRY(oc_arena_grow(&to->goes_on, &to->goes_on_capacity, &to->arena, to->open_count,
                         sizeof *to->goes_on));
    for (size_t i = 0; i < to->open_count; i++) {
        to->goes_on[i] = is_open(fold, kept, &to->open[i]);
        kept += to->goes_on[i];
    }
    to->kept = kept;
    for (size_t i = to->open_count, later = 0; i > 0; i--)
        if (to->goes_on[i - 1])
            later++;
        else
            OC_TRY(end_open(to, &to->open[i - 1], later, since));
    return OCELOTL_OK;
}

/* Bridges a loss: what is open then is what the next chunk says; the rest began in between. */
static ocelotl_status bridge(salvage *to, int64_t since)
{
    const oc_fold *fold = &to->survey->fold;
    OC_TRY(end_lost(to, fold, since));
    for (size_t i = to->kept; i < fold->open.count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        const oc_record begun = {.time = open->begin, .value = fold->totals[open->total].value};
        OC_TRY(oc_copy_record(to->copier.writer, to->copier.target, &begun, &oc_no_attributes));
    }
    return OCELOTL_OK;
}

static ocelotl_status copy_chunk(salvage *to, uint64_t chunk, bool after_loss, int64_t since)
{
    oc_survey *survey = to->survey;
    OC_TRY(oc_survey_read(survey, to->stream, chunk));
    if (after_loss)
        OC_TRY(bridge(to, since));
    for (size_t i = 0; i < survey->records.count; i++) {
        const oc_record *record = &survey->records.records[i];
        OC_TRY(oc_copier_add(&to->copier, &survey->records, record));
        OC_TRY(oc_fold_apply(&survey->fold, &survey->records, record));
    }
    return keep_open(to);
}

static ocelotl_status copy_stream(salvage *to)
{
    const oc_survey *survey = to->survey;
    const oc_stream *stream = &to->trace->streams[to->stream];
    int64_t since = stream->begin;
    bool lost = false;
    to->open_count = 0;
    OC_TRY(oc_writer_find_stream(&to->copier.target, to->copier.writer, stream->resource,
                                 stream->event_type, stream->role));
    for (uint64_t c = survey->first[to->stream]; c < survey->first[to->stream + 1]; c++) {
        const oc_surveyed_chunk *chunk = &survey->chunks[c];
        if (chunk->is_readable) {
            OC_TRY(copy_chunk(to, c, lost, since));
            since = chunk->end;
        } else if (!lost && chunk->is_known && chunk->begin > since) {
            since = chunk->begin;
        }
        lost = !chunk->is_readable;
    }
    return lost ? end_lost(to, &(oc_fold){.role = stream->role}, since) : OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status warn(const salvage *to, const ocelotl_verification *verification)
{
    for (size_t i = 0; i < verification->damage_count; i++) {
        char detail[256];
        const ocelotl_damage damage = ocelotl_verification_damage_at(verification, (uint32_t)i);
        if (damage.from <= damage.to && damage.event_type[0] != '\0')
            oc_plain_print(detail, sizeof detail,
                           "about %" PRIu64 " records of %.80s at %.80s, from %.9g s to %.9g s",
                           damage.records, damage.event_type, damage.resource,
                           ocelotl_trace_seconds(to->trace, damage.from),
                           ocelotl_trace_seconds(to->trace, damage.to));
        else
            snprintf(detail, sizeof detail, "%.200s", damage.what);
        OC_TRY(ocelotl_writer_warning(to->copier.writer, warning_kind, 1, detail));
    }
    return OCELOTL_OK;
}

static ocelotl_status copy_streams(salvage *to, ocelotl_verification *of)
{
    to->survey = &of->survey;
    to->trace = of->trace;
    for (to->stream = 0; to->stream < of->trace->stream_count; to->stream++)
        OC_TRY(copy_stream(to));
    return OCELOTL_OK;
}

/* Resources keep their streams, without records, and so their rows in pictures. */
static ocelotl_status note_lost(salvage *to, const ocelotl_trace *run, uint32_t shard)
{
    for (uint32_t s = 0; s < run->stream_count; s++) {
        const oc_stream *stream = &run->streams[s];
        if (stream->shard != shard)
            continue;
        to->lost[stream->resource] = true;
        OC_TRY(oc_writer_find_stream(&to->copier.target, to->copier.writer, stream->resource,
                                     stream->event_type, stream->role));
    }
    return OCELOTL_OK;
}

/* Verifies a shard again; what that finds has been said. */
static ocelotl_status copy_shard(salvage *to, const ocelotl_trace *run, uint32_t shard)
{
    ocelotl_verification *of = NULL;
    ocelotl_status status = oc_shard_open(run, shard);
    if (status == OCELOTL_OK)
        status = ocelotl_verify(&of, run->shards[shard].path, NULL);
    const bool is_lost = status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO ||
                         (status == OCELOTL_OK && of->trace == NULL);
    if (is_lost)
        status = note_lost(to, run, shard);
    else if (status == OCELOTL_OK)
        status = copy_streams(to, of);
    ocelotl_verification_free(of);
    return status;
}

/* Copies all. Lifetimes of resources are kept where their events are lost, unless their whole shard
 * is: then they are never alive, as pictures show. */
static ocelotl_status copy_all(salvage *to, ocelotl_verification *verification)
{
    const ocelotl_trace *trace = verification->trace;
    OC_TRY(oc_arena_allocate(&to->lost, &to->arena, trace->resource_count, sizeof *to->lost));
    for (uint32_t s = 0; s < trace->shard_count; s++)
        OC_TRY(copy_shard(to, trace, s));
    if (trace->shard_count == 0)
        OC_TRY(copy_streams(to, verification));
    to->trace = trace;
    OC_TRY(warn(to, verification));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        OC_TRY(ocelotl_writer_resource_end(to->copier.writer, r,
                                           to->lost[r] ? trace->resources[r].begin
                                                       : trace->resources[r].end));
    return ocelotl_writer_finish(to->copier.writer);
}

ocelotl_status ocelotl_salvage(const char *target, ocelotl_verification *verification)
{
    const ocelotl_trace *trace = verification->trace;
    if (trace == NULL) {
        return oc_fail(
            OCELOTL_ERROR_INPUT,
            "%s: is damaged: %s; nothing can be read without that; import the trace again",
            verification->path, ocelotl_verification_damage_at(verification, 0).what);
    }
    salvage to = {.trace = trace};
    ocelotl_writer_options options = oc_copy_options(trace);
    options.overwrite = true;
    ocelotl_status status =
        oc_copy_begin(&to.copier.writer, target, &verification->catalogue, NULL, &options);
    if (status == OCELOTL_OK)
        status = copy_all(&to, verification);
    ocelotl_writer_free(to.copier.writer);
    free(to.copier.attributes);
    oc_arena_free(&to.arena);
    return status;
}
