/* Both command lines are read with the options of the command; what is left of the picture's comes
 * first. */
#include "base/memory.h"
#include "base/plain.h"
#include "request/options/request.h"
#include "request/options/words.h"

#include <stdlib.h>
#include <string.h>

/* The command of a picture, and how many words name it. */
static ocelotl_status find_drawer(const oc_command **drawer, size_t *skipped,
                                  const oc_words *recorded, const char *picture)
{
    if (recorded->count < 2 || strcmp(recorded->words[0], "ocelotl-cli") != 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: its command is not one of ocelotl-cli", picture);
    *drawer = oc_find_command(recorded->words[1]);
    *skipped = *drawer != NULL && (*drawer)->draws ? 2 : 1;
    if (*skipped == 1)
        *drawer = &oc_commands[0];
    return OCELOTL_OK;
}

/* --- What of the picture's command is left */

static const oc_parameter *row_of(const ocelotl_request *line, size_t index)
{
    return oc_find_parameter(line->given[index].name, oc_request_command(line));
}

static bool is_of_detail(const ocelotl_request *line, size_t index)
{
    return (row_of(line, index)->flags & OC_OF_DETAIL) != 0;
}

/* The first option of p, or the first part; given_count: none. */
static size_t find_first(const ocelotl_request *line, bool part)
{
    size_t i = 0;
    while (i < line->given_count &&
           !(part ? row_of(line, i)->kind == OC_VALUE_PART : is_of_detail(line, i)))
        i++;
    return i;
}

/* A p given behind a part is not of what is looked into. */
static bool changes_p(const ocelotl_request *added)
{
    const size_t p = find_first(added, false);
    return p < added->given_count && p < find_first(added, true);
}

/* Steps are those of a window: from the one that is given now, further ones are made. */
static bool has_instant(const ocelotl_request *added)
{
    for (size_t i = 0; i < added->given_count; i++)
        if (row_of(added, i)->kind == OC_VALUE_INSTANT)
            return true;
    return false;
}

static bool is_replaced(const ocelotl_request *recorded, size_t index, const ocelotl_request *added)
{
    const oc_parameter *row = row_of(recorded, index);
    if ((row->flags & OC_OF_OUTPUT) != 0)
        return true;
    if (row->kind == OC_VALUE_PART)
        return false;
    if (row->kind == OC_VALUE_MOVE)
        return has_instant(added);
    if ((row->flags & OC_OF_DETAIL) != 0 &&
        (index < oc_line_end_of_zooms(recorded) || !changes_p(added)))
        return false;
    /* Some options say the same in other words. */
    const unsigned alternatives = row->flags & (OC_OF_DETAIL | OC_OF_TYPE);
    for (size_t i = 0; i < added->given_count; i++)
        if ((row_of(added, i)->flags & alternatives) != 0 ||
            strcmp(row_of(added, i)->name, row->name) == 0)
            return true;
    return false;
}

/* --- Writing */

/* The parts of a picture that was made with the level to show first, or with one given behind its
 * zoom, are of that, not of a p that is given now. */
static ocelotl_status add_first_p(oc_words *words, const ocelotl_request *recorded,
                                  const ocelotl_request *added)
{
    static const ocelotl_given automatic = {"p", "auto"};
    const size_t count = recorded->given_count;
    size_t p = find_first(recorded, false);
    for (size_t i = p; i < count && row_of(recorded, i)->kind != OC_VALUE_PART; i++)
        p = is_of_detail(recorded, i) ? i : p; /* the last one before a part counts */
    const bool now = find_first(added, false) < added->given_count;
    const bool zoomed = find_first(recorded, true) < count && p > find_first(recorded, true);
    const bool zooms =
        find_first(added, true) < added->given_count && !changes_p(added) && p == count;
    if (!now || (!zoomed && !zooms))
        return OCELOTL_OK;
    return oc_line_add_option(words, p < count ? &recorded->given[p] : &automatic);
}

static ocelotl_status write_line(oc_words *words, const ocelotl_request *recorded,
                                 const ocelotl_request *added, const oc_command *command)
{
    const size_t behind = oc_line_end_of_zooms(recorded);
    const bool front = behind > 0 && find_first(recorded, false) >= behind;
    const bool p_now = find_first(added, false) < added->given_count;
    OC_TRY(oc_words_add(words, "ocelotl-cli"));
    OC_TRY(oc_words_add(words, command->name));
    OC_TRY(add_first_p(words, recorded, added));
    for (size_t i = 0; i < recorded->given_count; i++)
        if (!(front && is_of_detail(recorded, i) && p_now) && !is_replaced(recorded, i, added))
            OC_TRY(oc_line_add_option(words, &recorded->given[i]));
    for (size_t i = 0; i < added->given_count; i++)
        OC_TRY(oc_line_add_option(words, &added->given[i]));
    if (added->help)
        OC_TRY(oc_words_add(words, "--help"));
    return oc_line_add_operands(words, added->operand_count > 0 ? added : recorded);
}

/* --- Checking */

static ocelotl_status check(const ocelotl_request *recorded, const ocelotl_request *added,
                            const char *picture, size_t traces)
{
    const char *names = traces == 1 ? "TRACE" : "FIRST SECOND";
    if (ocelotl_request_get(added, "output") == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--again %s needs the name of a picture to draw, expected -o FILE", picture);
    if (added->operand_count == 0 && recorded->operand_count < traces)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: its command names no %s, expected --again %s ... %s", picture,
                       traces == 1 ? "trace" : "two traces", picture, names);
    if (added->operand_count > 0 && added->operand_count < traces)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s was drawn of two traces, and one is given, expected --again %s ... %s",
                       picture, picture, names);
    return OCELOTL_OK;
}

/* Both lines are read; their options must belong to the command that draws. */
static ocelotl_status redraw_by(ocelotl_redrawing *redrawing, oc_words *line,
                                const oc_command *drawer, ocelotl_request **lines,
                                const oc_words *old, size_t skipped, const char *picture,
                                size_t count, const char *const *words)
{
    OC_TRY(ocelotl_request_new(&lines[0], drawer->name));
    OC_TRY(ocelotl_request_new(&lines[1], drawer->name));
    redrawing->command = drawer->name;
    const bool one_or_two = drawer->operands == OC_OPERANDS_TRACE_OR_TWO;
    const bool runs = drawer->operands == OC_OPERANDS_RUNS;
    size_t traces = one_or_two || runs || drawer->operands == OC_OPERANDS_TWO_TRACES ? 2 : 1;
    const size_t most = runs ? SIZE_MAX : traces;
    OC_TRY(oc_line_read(lines[0], old->count - skipped, (const char *const *)old->words + skipped,
                        most));
    OC_TRY(oc_line_read(lines[1], count, words, most));
    if (one_or_two && lines[0]->operand_count < 2) /* the picture was drawn of one */
        traces = 1;
    redrawing->command = "";
    OC_TRY(check(lines[0], lines[1], picture, traces));
    redrawing->command = drawer->name;
    redrawing->kept = lines[1]->operand_count > 0 ? 0 : runs ? lines[0]->operand_count : traces;
    redrawing->added = lines[1]->given_count;
    return write_line(line, lines[0], lines[1], drawer);
}

ocelotl_status ocelotl_redraw(ocelotl_redrawing *redrawing, const char *picture, size_t count,
                              const char *const *words)
{
    const oc_command *drawer = NULL;
    ocelotl_request *lines[2] = {NULL, NULL};
    oc_words old = {0};
    oc_words line = {0};
    oc_text command = {0};
    size_t skipped = 0;
    *redrawing = (ocelotl_redrawing){.command = ""};
    ocelotl_status status = oc_picture_command(&command, picture);
    if (status == OCELOTL_OK) {
        status = oc_words_read(&old, command.bytes);
        if (status == OCELOTL_ERROR_INPUT)
            status = oc_fail(OCELOTL_ERROR_INPUT,
                             "%s: its command is not one that ocelotl-cli wrote: %.200s", picture,
                             command.bytes);
    }
    if (status == OCELOTL_OK)
        status = find_drawer(&drawer, &skipped, &old, picture);
    if (status == OCELOTL_OK)
        status = redraw_by(redrawing, &line, drawer, lines, &old, skipped, picture, count, words);
    ocelotl_request_free(lines[0]);
    ocelotl_request_free(lines[1]);
    oc_words_free(&old);
    oc_text_free(&command);
    redrawing->words = line.words;
    redrawing->count = line.count;
    return status;
}

void ocelotl_redrawing_free(ocelotl_redrawing *redrawing)
{
    if (redrawing == NULL)
        return;
    oc_words words = {redrawing->words, redrawing->count, 0};
    oc_words_free(&words);
    *redrawing = (ocelotl_redrawing){0};
}

/* --- Commands that look into parts */

/* A command, the name of the part in it, and of the file that it writes: "" for one that prints. */
static const struct {
    const char *what, *command, *part, *prefix, *suffix;
    bool views, pictures; /* takes the options of the overview's views, and of pictures */
} targets[] = {
    {"its overview", "", "part", "overview-", ".svg", true, true},
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

ocelotl_status ocelotl_part_commands_make(ocelotl_part_command **commands, size_t *count,
                                          const char *report)
{
    ocelotl_request *line = NULL;
    ocelotl_part_command *made = NULL;
    oc_words words = {0};
    size_t made_count = 0;
    ocelotl_status status = ocelotl_request_new(&line, "overview");
    if (status == OCELOTL_OK)
        status = oc_words_read(&words, report);
    const size_t skipped = words.count > 0; /* the name of the program */
    if (status == OCELOTL_OK)
        status = oc_line_read(line, words.count - skipped,
                              (const char *const *)words.words + skipped, 1);
    if (status == OCELOTL_OK)
        status = oc_allocate(&made, TARGETS, sizeof *made);
    const bool named =
        line != NULL && line->operand_count > 0 && strcmp(line->operands[0], "-") != 0;
    while (named && status == OCELOTL_OK && made_count < TARGETS) {
        status = make_command(&made[made_count], made_count, line);
        made_count += status == OCELOTL_OK;
    }
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
