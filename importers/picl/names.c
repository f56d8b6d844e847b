/* What numbers stand for: a file beside the trace says it, if this program wrote both. */
#include "importers/picl/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Deeper paths are names. */
enum { LEVELS = 32 };

const char *picl_name_of(const picl_reader *reader, picl_named whose, int64_t number)
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
    if (picl_name_of(reader, whose, number) != NULL)
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

ocelotl_status picl_take_name(picl_reader *reader, const char *line)
{
    static const char *const words[] = {[PICL_PROCESSORS] = "processor ", [PICL_EVENTS] = "event "};
    for (int whose = PICL_PROCESSORS; whose <= PICL_EVENTS; whose++) {
        char *end;
        const size_t length = strlen(words[whose]);
        if (strncmp(line, words[whose], length) != 0)
            continue;
        const int64_t number = strtoll(line + length, &end, 10);
        if (end > line + length && end[0] == ' ' && end[1] != '\0')
            return keep_name(reader, (picl_named)whose, number, end + 1);
    }
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the line is \"%.40s\", expected processor or event, a number and a name", line);
}

ocelotl_status picl_declare_types(picl_reader *reader)
{
    ocelotl_writer *to = reader->writer;
    const uint32_t all = OCELOTL_ROOT;
    OC_TRY(ocelotl_writer_event_type(&reader->state_type, to, OCELOTL_STATE, all, "state", -1));
    OC_TRY(ocelotl_writer_attribute(&reader->state_data, to, reader->state_type, "data"));
    OC_TRY(ocelotl_writer_event_type(&reader->link_type, to, OCELOTL_LINK, all, "link", -1));
    OC_TRY(ocelotl_writer_value(&reader->message, to, reader->link_type, "message", -1));
    OC_TRY(ocelotl_writer_attribute(&reader->size_attribute, to, reader->link_type, "size"));
    OC_TRY(ocelotl_writer_attribute(&reader->tag_attribute, to, reader->link_type, "tag"));
    if (reader->form == PICL_NEW)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_event_type(&reader->mark_type, to, OCELOTL_EVENT, all, "mark", -1));
    return ocelotl_writer_attribute(&reader->mark_data, to, reader->mark_type, "data");
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
    const int64_t key[2] = {type, event};
    *value = oc_map_get(&reader->value_of, key, sizeof key);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    const char *name = type == reader->state_type ? picl_name_of(reader, PICL_EVENTS, event)
                                                  : picl_old_name(event);
    if (name == NULL)
        name = usual_name(event);
    snprintf(number, sizeof number, "event %" PRId64, event);
    OC_TRY(ocelotl_writer_value(value, reader->writer, type, name != NULL ? name : number, -1));
    return oc_map_set(&reader->value_of, key, sizeof key, *value);
}
