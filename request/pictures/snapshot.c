/* What a snapshot holds. */
#include "request/pictures/snapshot.h"

#include "answer/answer.h"
#include "base/format/csv.h"
#include "base/format/json.h"
#include "request/options/request.h"
#include "request/options/words.h"
#include "request/session.h"

#include <ocelotl/answer.h>
#include <ocelotl/snapshot.h>

#include <stdlib.h>

/* What all files are made of. */
typedef struct subject {
    ocelotl_session *session;
    const ocelotl_request *request;
    ocelotl_picture_options view;
    ocelotl_partition *partition;
    ocelotl_levels *levels;
    char *command;
    const oc_snapshot *made; /* the files before */
} subject;

static ocelotl_status write_svg(const ocelotl_sink *sink, const subject *of)
{
    return ocelotl_session_draw_overview(sink, OCELOTL_PICTURE_SVG, of->session, of->request,
                                         of->partition, &of->view);
}

/* A build that draws no PNG leaves it out. */
static ocelotl_status write_png(const ocelotl_sink *sink, const subject *of)
{
    ocelotl_picture_format png;
    if (ocelotl_picture_find_format(&png, oc_snapshot_names[2]) != OCELOTL_OK)
        return OCELOTL_OK;
    return ocelotl_session_draw_overview(sink, png, of->session, of->request, of->partition,
                                         &of->view);
}

static ocelotl_status write_curves(const ocelotl_sink *sink, const subject *of)
{
    const ocelotl_aggregation *aggregation = NULL;
    OC_TRY(ocelotl_session_aggregation(&aggregation, of->session, of->request));
    return ocelotl_curves_draw(sink, OCELOTL_PICTURE_SVG, of->levels, aggregation,
                               ocelotl_partition_info_of(of->partition).p, &of->view);
}

static ocelotl_status write_levels(const ocelotl_sink *sink, const subject *of)
{
    return ocelotl_levels_write(sink, OCELOTL_FORM_CSV, of->levels, NULL);
}

static ocelotl_status write_parts(const ocelotl_sink *sink, const subject *of)
{
    return ocelotl_parts_write(sink, OCELOTL_FORM_CSV, of->partition, OCELOTL_PARTS_BY_NUMBER);
}

static ocelotl_status write_partition(const ocelotl_sink *sink, const subject *of)
{
    return ocelotl_partition_write_json(sink, of->partition, &of->view);
}

/* The axis: when each slice begins and ends. */
static ocelotl_status write_slices(const ocelotl_sink *sink, const subject *of)
{
    const ocelotl_model_info info = ocelotl_model_info_of(ocelotl_partition_model(of->partition));
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, info.has_time ? "slice,begin,end" : "slice");
    for (uint32_t slice = 0; slice < info.slice_count; slice++) {
        oc_csv_count(&table, slice);
        if (info.has_time) {
            oc_csv_number(&table, ocelotl_slice_begin(&info, slice));
            oc_csv_number(&table, ocelotl_slice_end(&info, slice + 1.0));
        }
        oc_csv_end_row(&table);
    }
    return oc_csv_finish(&table, OCELOTL_OK);
}

static ocelotl_status write_statistics(const ocelotl_sink *sink, const subject *of)
{
    ocelotl_statistics *statistics = NULL;
    if (of->session->trace == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_session_statistics(&statistics, of->session, of->request));
    const ocelotl_status status =
        ocelotl_statistics_write(sink, OCELOTL_FORM_CSV, statistics, of->session->trace);
    ocelotl_statistics_free(statistics);
    return status;
}

static bool is_of_output(const ocelotl_given *given)
{
    return (oc_find_parameter(given->name, OC_SNAPSHOT)->flags & OC_OF_OUTPUT) != 0;
}

static void add_given(oc_json *json, const ocelotl_request *request)
{
    oc_json_list(json, "options");
    for (size_t i = 0; i < request->given_count; i++) {
        if (is_of_output(&request->given[i]))
            continue;
        oc_json_line(json, 1);
        oc_json_object(json, NULL);
        oc_json_text(json, "name", request->given[i].name);
        if (request->given[i].value != NULL)
            oc_json_text(json, "value", request->given[i].value);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static void add_model(oc_json *json, const ocelotl_model_info *info)
{
    oc_json_text(json, "trace", info->name);
    oc_json_text(json, "uid", info->uid);
    oc_json_text(json, "metric", info->metric);
    oc_json_text(json, "state_type", info->state_type);
    oc_json_text(json, "hierarchy", info->hierarchy);
    oc_json_count(json, "slices", info->slice_count);
    oc_json_count(json, "leaves", info->leaf_count);
    oc_json_count(json, "types", info->type_count);
    if (info->has_time) {
        oc_json_number(json, "begin", info->begin);
        oc_json_number(json, "end", info->end);
        oc_json_pieces(json, info);
    }
}

static ocelotl_status write_parameters(const ocelotl_sink *sink, const subject *of)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(of->partition);
    const ocelotl_model_info model = ocelotl_model_info_of(ocelotl_partition_model(of->partition));
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    oc_json_text(&json, "generator", "ocelotl " OCELOTL_VERSION);
    oc_json_text(&json, "command", of->command);
    add_given(&json, of->request);
    add_model(&json, &model);
    oc_json_number(&json, "p", info.p);
    oc_json_number(&json, "p_raw", info.p_raw);
    oc_json_count(&json, "parts", info.part_count);
    oc_json_number(&json, "gain", info.gain);
    oc_json_number(&json, "loss", info.loss);
    oc_json_number(&json, "whole_gain", info.whole_gain);
    oc_json_number(&json, "whole_loss", info.whole_loss);
    oc_snapshot_add_record(&json, of->made);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

static ocelotl_status write_command(const ocelotl_sink *sink, const subject *of)
{
    oc_output out = {.sink = sink};
    oc_output_add(&out, of->command);
    oc_output_add(&out, "\n");
    return oc_output_end(&out, OCELOTL_OK);
}

/* The writer of each, in the order of the names. */
static ocelotl_status (*const writers[OC_SNAPSHOT_FILES])(const ocelotl_sink *, const subject *) = {
    write_command, write_svg,       write_png,        write_curves, write_levels,
    write_parts,   write_partition, write_statistics, write_slices, write_parameters};

/* The options of the overview, and the trace. */
static ocelotl_status list_words(oc_words *words, const ocelotl_request *request)
{
    OC_TRY(oc_words_add(words, "ocelotl-cli"));
    for (size_t i = 0; i < request->given_count; i++)
        if (!is_of_output(&request->given[i]))
            OC_TRY(oc_line_add_option(words, &request->given[i]));
    const bool dashed = request->operands[0][0] == '-' && request->operands[0][1] != '\0';
    if (dashed)
        OC_TRY(oc_words_add(words, "--"));
    return oc_words_add(words, request->operands[0]);
}

static ocelotl_status make(oc_snapshot *snapshot, subject *of)
{
    const ocelotl_model *model = NULL;
    oc_words words = {0};
    ocelotl_status status = list_words(&words, of->request);
    if (status == OCELOTL_OK)
        status = ocelotl_words_write(&of->command, words.count, (const char *const *)words.words);
    oc_words_free(&words);
    OC_TRY(status);
    of->view.command = of->command;
    OC_TRY(ocelotl_session_model(&model, of->session, of->request));
    OC_TRY(ocelotl_request_fit_view(&of->view, of->request, model));
    OC_TRY(ocelotl_session_partition(&of->partition, of->session, of->request));
    OC_TRY(ocelotl_session_levels(&of->levels, of->session, of->request));
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++) {
        const ocelotl_sink sink = ocelotl_buffer_sink(&snapshot->files[i]);
        OC_TRY(writers[i](&sink, of));
    }
    return oc_snapshot_seal(&snapshot->files[OC_SNAPSHOT_PARAMETERS]);
}

/* All is made before anything is written. */
static ocelotl_status gather(oc_snapshot *snapshot, ocelotl_session *session,
                             const ocelotl_request *request, const ocelotl_picture_options *view)
{
    subject of = {.session = session, .request = request, .view = *view, .made = snapshot};
    const ocelotl_status status = make(snapshot, &of);
    ocelotl_levels_free(of.levels);
    ocelotl_partition_free(of.partition);
    free(of.command);
    return status;
}

static void free_snapshot(oc_snapshot *snapshot)
{
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++)
        ocelotl_buffer_free(&snapshot->files[i]);
}

ocelotl_status ocelotl_session_write_snapshot(const char *folder, ocelotl_session *session,
                                              const ocelotl_request *request,
                                              const ocelotl_picture_options *view)
{
    oc_snapshot snapshot = {0};
    OC_TRY(ocelotl_snapshot_check(folder, request->force));
    ocelotl_status status = gather(&snapshot, session, request, view);
    if (status == OCELOTL_OK)
        status = oc_snapshot_write_folder(folder, &snapshot, request->force);
    free_snapshot(&snapshot);
    return status;
}

ocelotl_status ocelotl_session_zip_snapshot(const ocelotl_sink *sink, ocelotl_session *session,
                                            const ocelotl_request *request,
                                            const ocelotl_picture_options *view)
{
    oc_snapshot snapshot = {0};
    ocelotl_status status = gather(&snapshot, session, request, view);
    if (status == OCELOTL_OK)
        status = oc_snapshot_write_zip(sink, &snapshot);
    free_snapshot(&snapshot);
    return status;
}
