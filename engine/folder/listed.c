#define _GNU_SOURCE
/* A trace of a folder: what can be said of it without an import. */
#include "folder/folder.h"

#include "base/format/date.h"
#include "base/text.h"

#include <ocelotl/trace.h>

#include <stdlib.h>
#include <string.h>

enum { NAME, FORMAT, TITLE, UID, RECORDED, PROBLEM };

void oc_listed_free(oc_listed *listed)
{
    for (size_t i = 0; i < sizeof listed->texts / sizeof listed->texts[0]; i++)
        free(listed->texts[i]);
    ocelotl_notes_free(listed->notes);
}

/* Keeps a text of a trace; what is no UTF-8 stands for itself in no answer. */
static ocelotl_status keep(oc_listed *listed, int which, const char *text)
{
    free(listed->texts[which]);
    listed->texts[which] = NULL;
    return oc_copy_utf8(&listed->texts[which], text);
}

bool oc_is_our_own(ocelotl_status status)
{
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ||
           status == OCELOTL_ERROR_INTERNAL;
}

/* Keeps the last message as what is wrong, unless it is not the trace's fault. Its row names the
 * path already. */
ocelotl_status oc_listed_problem(oc_listed *listed, ocelotl_status status, const char *path)
{
    const char *message = ocelotl_error_message();
    const size_t length = strlen(path);
    if (status == OCELOTL_OK || oc_is_our_own(status) || listed->texts[PROBLEM] != NULL)
        return oc_is_our_own(status) ? status : OCELOTL_OK;
    if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        message += length + 2;
    return keep(listed, PROBLEM, message);
}

ocelotl_status oc_listed_name(oc_listed *listed, const char *name)
{
    return keep(listed, NAME, name);
}

static ocelotl_status read_totals(oc_listed *listed, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    ocelotl_folder_trace *known = &listed->trace;
    OC_TRY(keep(listed, FORMAT, info.format));
    OC_TRY(keep(listed, TITLE, info.name));
    OC_TRY(keep(listed, UID, info.uid));
    OC_TRY(keep(listed, RECORDED, info.origin));
    known->is_known = true;
    known->duration = ocelotl_trace_seconds(trace, info.end - info.begin);
    known->resources = ocelotl_trace_resource_count(trace);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        known->events += ocelotl_trace_event_type_at(trace, i).count;
    return OCELOTL_OK;
}

static ocelotl_status read_database(oc_listed *listed, const char *path)
{
    ocelotl_trace *trace = NULL;
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status == OCELOTL_OK)
        status = read_totals(listed, trace);
    ocelotl_trace_free(trace);
    return status;
}

void oc_listed_date(oc_listed *listed, const struct stat *is)
{
    char date[OC_DATE_SIZE];
    if (oc_date_write(date, is->st_mtime))
        snprintf(listed->modified, sizeof listed->modified, "%.19sZ", date);
}

ocelotl_status oc_listed_describe(oc_listed *listed, const ocelotl_identity *identity,
                                  const char *path)
{
    static const char *const kinds[] = {"trace.db", "matrix", "trace"};
    listed->trace.kind = kinds[identity->kind];
    OC_TRY(keep(listed, FORMAT, identity->format));
    if (identity->kind == OCELOTL_FILE_TRACE_DB)
        OC_TRY(oc_listed_problem(listed, read_database(listed, path), path));
    return oc_listed_problem(listed, ocelotl_notes_read(&listed->notes, path), path);
}

void oc_listed_finish(oc_listed *listed)
{
    ocelotl_folder_trace *trace = &listed->trace;
    const char *texts[6];
    for (size_t i = 0; i < 6; i++)
        texts[i] = listed->texts[i] != NULL ? listed->texts[i] : "";
    trace->name = texts[NAME];
    trace->format = texts[FORMAT];
    trace->title = texts[TITLE];
    trace->uid = texts[UID];
    trace->recorded = texts[RECORDED];
    trace->problem = listed->texts[PROBLEM];
    trace->notes = listed->notes;
    if (trace->kind == NULL)
        trace->kind = "";
}
