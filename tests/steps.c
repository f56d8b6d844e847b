/* Logs of the steps of a program: "SECONDS NODE ACT REST", where ACT is begin, end, load, send or
 * receive. An example of docs/developer/import.md, and what tests/test_ingest.c reads. */
#include "base/memory.h"
#include "importers/ingest/ingest.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS_FINE_TIME = OC_COMMON_ODDITIES, STEPS_ODDITY_END };

static const char *const oddity_names[] = {
    [STEPS_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a tick can be (rounded)",
};

typedef struct steps_reader {
    oc_ingest ingest;
    uint32_t node_type, step_type, load_type, message_type, message;
} steps_reader;

/* Takes the next word of a line, ended by '\0' in place; "" where none is left. */
static char *take_word(char **line)
{
    char *word = *line + strspn(*line, " ");
    *line = word + strcspn(word, " ");
    if (**line != '\0')
        *(*line)++ = '\0';
    return word;
}

/* Both sides of a message have its number in common, and who sends it. */
static ocelotl_status take_side(steps_reader *reader, oc_sorted *side, const char *sender,
                                const char *number)
{
    char key[128];
    const int length = snprintf(key, sizeof key, "%s %s", sender, number);
    side->type = reader->message_type;
    side->value = reader->message;
    return oc_ingest_side(&reader->ingest, side, key, (size_t)length);
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    steps_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    oc_decimal seconds;
    oc_sorted record = {.type = reader->step_type};
    (void)length;
    if (line[0] == '#')
        return oc_ingest_count(ingest, "#", OCELOTL_FATE_LEFT_OUT, "a comment");
    const char *time = take_word(&line);
    const char *node = take_word(&line);
    const char *act = take_word(&line);
    const char *what = take_word(&line);
    if (!oc_decimal_read(&seconds, time, strlen(time), 12))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is \"%s\", expected seconds", time);
    if (what[0] == '\0')
        return oc_fail(OCELOTL_ERROR_INPUT, "the line ends early, expected a time, a node, an act "
                                            "and what it is about");
    OC_TRY(oc_ingest_time(&record.time, ingest, &seconds, STEPS_FINE_TIME));
    OC_TRY(oc_ingest_row_find(&record.stream, ingest, OCELOTL_NONE, reader->node_type, node,
                              strlen(node)));
    record.order = record.stream;
    if (strcmp(act, "begin") == 0 || strcmp(act, "end") == 0) {
        record.kind = act[0] == 'b' ? OC_SORTED_BEGIN : OC_SORTED_END;
        OC_TRY(oc_ingest_value(&record.value, ingest, record.type, what, strlen(what)));
        OC_TRY(oc_ingest_count(ingest, act, OCELOTL_FATE_STATE, NULL));
        return oc_ingest_add(ingest, &record);
    }
    if (strcmp(act, "load") == 0) {
        record.kind = OC_SORTED_VARIABLE;
        record.type = reader->load_type;
        if (!oc_text_is_number(&record.number, what, strlen(what)))
            return oc_fail(OCELOTL_ERROR_INPUT, "the load is \"%s\", expected a number", what);
        OC_TRY(oc_ingest_count(ingest, act, OCELOTL_FATE_VARIABLE, NULL));
        return oc_ingest_add(ingest, &record);
    }
    if (strcmp(act, "send") != 0 && strcmp(act, "receive") != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the act is \"%s\", expected begin, end, load, send or receive", act);
    OC_TRY(oc_ingest_count(ingest, act, OCELOTL_FATE_LINK, NULL));
    record.kind = act[0] == 's' ? OC_SORTED_LINK_BEGIN : OC_SORTED_LINK_END;
    return take_side(reader, &record, act[0] == 's' ? node : what, take_word(&line));
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    steps_reader *reader = decoder;
    return oc_ingest_lines(&reader->ingest, source, "trace", read_line, reader);
}

static ocelotl_status import_all(steps_reader *reader, const oc_import *import)
{
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_ingest_open(ingest, import, "steps", oddity_names, STEPS_ODDITY_END));
    OC_TRY(oc_ingest_resource_type(&reader->node_type, ingest, ingest->file_type, "Node"));
    OC_TRY(oc_ingest_event_type(&reader->step_type, ingest, OCELOTL_STATE, reader->node_type,
                                "Step", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_event_type(&reader->load_type, ingest, OCELOTL_VARIABLE, reader->node_type,
                                "Load", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_event_type(&reader->message_type, ingest, OCELOTL_LINK, OCELOTL_ROOT,
                                "Message", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_value(&reader->message, ingest, reader->message_type, "message", 7));
    OC_TRY(oc_ingest_files(ingest, read_file, reader));
    return oc_ingest_write(ingest, "holds no step, expected some", NULL, NULL);
}

static ocelotl_status import_steps(const oc_import *import)
{
    steps_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    const ocelotl_status status = import_all(reader, import);
    oc_ingest_close(&reader->ingest);
    free(reader);
    return status;
}

/* How sure it is that a file is of the format: by its first line. */
static int recognises_steps(const oc_source *source)
{
    static const char first[] = "# steps";
    return source->head.length >= sizeof first - 1 &&
                   memcmp(source->head.bytes, first, sizeof first - 1) == 0
               ? OC_SURE
               : OC_NO;
}

static const char *const suffixes[] = {".steps", NULL};

const oc_importer oc_steps_importer = {
    .format = {.name = "steps", .description = "Logs of steps (.steps)", .suffixes = suffixes},
    .takes_several = true,
    .recognises = recognises_steps,
    .import = import_steps,
};
