/* What numbers stand for: a file beside the trace says it, if this program wrote both. */
#include "importers/picl/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Deeper paths are names. */
enum { LEVELS = 32, HOST = -32768 };

static const char *name_of(const picl_reader *reader, picl_named whose, int64_t number)
{
    const int64_t key[2] = {whose, number};
    const uint32_t text = oc_map_get(&reader->text_of, key, sizeof key);
    return text != OC_MAP_NONE ? reader->texts[text] : NULL;
}

static ocelotl_status keep_name(picl_reader *reader, picl_named whose, int64_t number,
                                const char *text)
{
    size_t levels = 0;
    const int64_t key[2] = {whose, number};
    for (const char *slash = text; (slash = strchr(slash, '/')) != NULL; slash++)
        levels++;
    if (name_of(reader, whose, number) != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%" PRId64 " has a name already, expected another",
                       number);
    if (whose == PICL_PROCESSORS && levels > LEVELS)
        return oc_fail(OCELOTL_ERROR_INPUT, "the path has %zu levels, expected at most %d", levels,
                       LEVELS);
    OC_TRY(oc_grow(&reader->texts, &reader->text_capacity, reader->text_count + 1,
                   sizeof *reader->texts));
    OC_TRY(oc_copy_text(&reader->texts[reader->text_count], text));
    return oc_map_set(&reader->text_of, key, sizeof key, (uint32_t)reader->text_count++);
}

ocelotl_status picl_take_name(void *reader, char *line, size_t length)
{
    (void)length;
    static const char *const words[] = {[PICL_PROCESSORS] = "processor ", [PICL_EVENTS] = "event "};
    for (int whose = PICL_PROCESSORS; whose <= PICL_EVENTS; whose++) {
        char *end;
        const size_t before = strlen(words[whose]);
        if (strncmp(line, words[whose], before) != 0)
            continue;
        const int64_t number = strtoll(line + before, &end, 10);
        if (end > line + before && end[0] == ' ' && end[1] != '\0')
            return keep_name(reader, (picl_named)whose, number, end + 1);
    }
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the line is \"%.40s\", expected processor or event, a number and a name", line);
}

/* --- Types and values */

ocelotl_status picl_declare_types(picl_reader *reader)
{
    oc_ingest *to = &reader->ingest;
    const uint32_t all = OCELOTL_ROOT;
    OC_TRY(oc_ingest_event_type(&reader->state_type, to, OCELOTL_STATE, all, "state",
                                OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_attribute(&reader->state_data, to, reader->state_type, "data", 4));
    OC_TRY(
        oc_ingest_event_type(&reader->link_type, to, OCELOTL_LINK, all, "link", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_value(&reader->message, to, reader->link_type, "message", 7));
    OC_TRY(oc_ingest_attribute(&reader->size_attribute, to, reader->link_type, "size", 4));
    OC_TRY(oc_ingest_attribute(&reader->tag_attribute, to, reader->link_type, "tag", 3));
    if (reader->form == PICL_NEW)
        return OCELOTL_OK;
    OC_TRY(
        oc_ingest_event_type(&reader->mark_type, to, OCELOTL_EVENT, all, "mark", OC_NEST_BY_TIME));
    return oc_ingest_attribute(&reader->mark_data, to, reader->mark_type, "data", 4);
}

static const char *usual_name(int64_t event)
{
    static const struct {
        int event;
        const char *name;
    } usual[] = {
        {PICL_SEND, "send"},
        {PICL_SEND_AT_ONCE, "send at once"},
        {-30, "wait for a send"},
        {-31, "wait for a send"},
        {PICL_RECEIVE, "receive"},
        {PICL_RECEIVE_BLOCKING, "receive"},
        {-57, "receive at once"},
        {PICL_RECEIVED, "wait for a receive"},
        {PICL_RECEIVED_TOO, "wait for a receive"},
        {PICL_BARRIER, "barrier"},
        {PICL_BROADCAST, "broadcast"},
        {PICL_REDUCE, "reduce"},
        {-782, "allreduce"},
        {-601, "idle"},
        {-911, "text"},
    };
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (usual[i].event == event)
            return usual[i].name;
    return NULL;
}

ocelotl_status picl_find_value(uint32_t *value, picl_reader *reader, uint32_t type, int64_t event)
{
    char number[32];
    const char *name =
        type == reader->state_type ? name_of(reader, PICL_EVENTS, event) : picl_old_name(event);
    if (name == NULL)
        name = usual_name(event);
    if (name == NULL) {
        snprintf(number, sizeof number, "event %" PRId64, event);
        name = number;
    }
    return oc_ingest_value(value, &reader->ingest, type, name, strlen(name));
}

/* --- Processors */

/* Finds the row of a step of a path; a group is where its first processor is. */
static ocelotl_status find_step(uint32_t *row, oc_ingest *ingest, uint32_t type, const char *step,
                                size_t length, int64_t order)
{
    oc_text name = {0};
    const size_t before = ingest->row_count;
    oc_text_add_step_name(&name, step, length);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : oc_ingest_row_find(row, ingest, *row, type, name.bytes, name.length);
    oc_text_free(&name);
    OC_TRY(status);
    oc_ingest_row *found = &ingest->rows[*row];
    if (ingest->row_count > before || order < found->order)
        found->order = order;
    return OCELOTL_OK;
}

static ocelotl_status find_row(uint32_t *row, picl_reader *reader, int64_t number)
{
    oc_ingest *ingest = &reader->ingest;
    char name[32] = "host";
    uint32_t type = OCELOTL_ROOT;
    const char *step = name_of(reader, PICL_PROCESSORS, number);
    if (number != HOST)
        snprintf(name, sizeof name, "%" PRId64, number);
    if (step == NULL)
        step = name;
    *row = OCELOTL_NONE;
    for (const char *slash; (slash = strchr(step, '/')) != NULL; step = slash + 1) {
        OC_TRY(oc_ingest_resource_type(&type, ingest, type, "group"));
        OC_TRY(find_step(row, ingest, type, step, (size_t)(slash - step), number));
    }
    OC_TRY(oc_ingest_resource_type(&type, ingest, type, "processor"));
    return find_step(row, ingest, type, step, strlen(step), number);
}

ocelotl_status picl_find_processor(picl_processor **processor, picl_reader *reader, int64_t number,
                                   int64_t time)
{
    oc_ingest *ingest = &reader->ingest;
    uint32_t found = oc_map_get(&reader->processor_of, &number, sizeof number);
    if (found == OC_MAP_NONE) {
        found = (uint32_t)reader->processor_count;
        OC_TRY(oc_grow(&reader->processors, &reader->processor_capacity,
                       reader->processor_count + 1, sizeof *reader->processors));
        reader->processors[found] = (picl_processor){.number = number};
        OC_TRY(find_row(&reader->processors[found].row, reader, number));
        OC_TRY(oc_map_set(&reader->processor_of, &number, sizeof number, found));
        reader->processor_count++;
    }
    *processor = &reader->processors[found];
    const oc_ingest_row *row = &ingest->rows[(*processor)->row];
    if (row->has_content && time < row->last)
        oc_ingest_note(ingest, PICL_OUT_OF_ORDER);
    oc_ingest_row_see(ingest, (*processor)->row, time);
    return OCELOTL_OK;
}
