/* The commands that look into a part of a report. */
#include "base/memory.h"
#include "request/words.h"

#include <stdlib.h>
#include <string.h>

/* A command, the name of the part in it, and of the file that it writes: "" for one that prints. */
static const struct {
    const char *what, *command, *part, *prefix, *suffix;
    bool views, pictures; /* takes the options of the overview's views, and of pictures */
} targets[] = {
    {"its overview", "", "zoom", "overview-", ".svg", true, true},
    {"its events, as a Gantt chart", "gantt", "part", "gantt-", ".svg", false, true},
    {"its statistics", "stats", "part", "", "", false, false},
    {"its events, as CSV", "export", "part", "events-", ".csv", false, false},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

/* Whether a command takes an option of the report's. What is expanded need not be in the part. */
static bool takes(size_t target, const ocelotl_request *line, size_t index)
{
    const oc_parameter *row = oc_find_parameter(line->given[index].name, OC_OVERVIEW);
    const bool view = strcmp(row->name, "view") == 0 || strcmp(row->name, "type") == 0;
    if ((row->flags & OC_OF_DETAIL) != 0)
        return index < oc_line_end_of_zooms(line);
    if (row->group == OC_GROUP_PICTURE && oc_find_parameter(row->name, OC_SERIES) == row)
        return targets[target].pictures;
    if (row->group == OC_GROUP_PICTURE)
        return targets[target].views && view;
    return row->group != OC_GROUP_OWN;
}

static ocelotl_status add_text(oc_text *text, size_t target, const ocelotl_request *line,
                               oc_words *words)
{
    if (targets[target].command[0] != '\0')
        OC_TRY(oc_words_add(words, targets[target].command));
    for (size_t i = 0; i < line->given_count; i++)
        if (takes(target, line, i))
            OC_TRY(oc_line_add_option(words, &line->given[i]));
    const size_t options = words->count;
    OC_TRY(oc_line_add_operands(words, line));
    oc_text_add(text, "ocelotl-cli");
    /* The words are quoted, and so without the bytes that stand for p and the part. */
    for (size_t i = 0; i < options; i++)
        oc_write_word(text, words->words[i]);
    oc_text_format(text, " --p \1 --%s \2", targets[target].part);
    if (targets[target].prefix[0] != '\0')
        oc_text_format(text, " -o %s\2%s", targets[target].prefix, targets[target].suffix);
    for (size_t i = options; i < words->count; i++)
        oc_write_word(text, words->words[i]);
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status make_command(ocelotl_part_command *command, size_t target,
                                   const ocelotl_request *line)
{
    oc_words words = {0};
    oc_text text = {0};
    const ocelotl_status status = add_text(&text, target, line, &words);
    oc_words_free(&words);
    if (status == OCELOTL_OK)
        *command = (ocelotl_part_command){targets[target].what, text.bytes};
    else
        oc_text_free(&text);
    return status;
}

static ocelotl_status make_commands(ocelotl_part_command *commands, size_t *count,
                                    const ocelotl_request *line)
{
    if (line->operand_count == 0 || strcmp(line->operands[0], "-") == 0)
        return OCELOTL_OK;
    for (; *count < TARGETS; ++*count)
        OC_TRY(make_command(&commands[*count], *count, line));
    return OCELOTL_OK;
}

/* The first word is the name of the program. */
static ocelotl_status read_report(ocelotl_request *line, oc_words *words, const char *report)
{
    OC_TRY(oc_words_read(words, report));
    return oc_line_read(line, words->count - (words->count > 0),
                        (const char *const *)words->words + (words->count > 0), 1);
}

ocelotl_status ocelotl_part_commands_make(ocelotl_part_command **commands, size_t *count,
                                          const char *report)
{
    ocelotl_request *line = NULL;
    ocelotl_part_command *made = NULL;
    oc_words words = {0};
    size_t made_count = 0;
    ocelotl_status status = ocelotl_request_new(&line, "overview");
    if (status == OCELOTL_OK)
        status = read_report(line, &words, report);
    if (status == OCELOTL_OK)
        status = oc_allocate(&made, TARGETS, sizeof *made);
    if (status == OCELOTL_OK)
        status = make_commands(made, &made_count, line);
    oc_words_free(&words);
    ocelotl_request_free(line);
    if (status != OCELOTL_OK) {
        ocelotl_part_commands_free(made, made_count);
        return status;
    }
    *commands = made;
    *count = made_count;
    return OCELOTL_OK;
}

void ocelotl_part_commands_free(ocelotl_part_command *commands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((void *)commands[i].text);
    free(commands);
}
