/* Both command lines are read with the options of the command; what is left of the picture's comes
 * first. */
#include "base/plain.h"
#include "request/parameters.h"
#include "request/request.h"
#include "request/words.h"

#include <string.h>

/* The traces that a command takes. */
static size_t count_traces(const oc_command *command)
{
    return command->operands == OC_OPERANDS_TWO_TRACES ? 2 : 1;
}

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

/* Some options say the same in other words. */
static bool says_the_same(const oc_parameter *a, const oc_parameter *b)
{
    const unsigned alternatives = OC_OF_DETAIL | OC_OF_TYPE;
    return (a->flags & b->flags & alternatives) != 0 || strcmp(a->name, b->name) == 0;
}

static bool is_of_detail(const ocelotl_request *line, size_t index)
{
    return (row_of(line, index)->flags & OC_OF_DETAIL) != 0;
}

static bool is_zoom(const ocelotl_request *line, size_t index)
{
    return row_of(line, index)->kind == OC_VALUE_PART;
}

/* The first option of p; given_count: none. */
static size_t find_p(const ocelotl_request *line)
{
    size_t i = 0;
    while (i < line->given_count && !is_of_detail(line, i))
        i++;
    return i;
}

static size_t find_zoom(const ocelotl_request *line)
{
    size_t i = 0;
    while (i < line->given_count && !is_zoom(line, i))
        i++;
    return i;
}

/* A p given behind a zoom is not of what is looked into. */
static bool changes_p(const ocelotl_request *added)
{
    const size_t p = find_p(added);
    return p < added->given_count && p < find_zoom(added);
}

static bool is_replaced(const ocelotl_request *recorded, size_t index, const ocelotl_request *added)
{
    const oc_parameter *row = row_of(recorded, index);
    if ((row->flags & OC_OF_OUTPUT) != 0)
        return true;
    if (row->kind == OC_VALUE_PART)
        return false;
    if ((row->flags & OC_OF_DETAIL) != 0 &&
        (index < oc_line_end_of_zooms(recorded) || !changes_p(added)))
        return false;
    for (size_t i = 0; i < added->given_count; i++)
        if (says_the_same(row_of(added, i), row))
            return true;
    return false;
}

/* --- Writing */

/* Of those that are given before a zoom the last one counts; given_count: there is none. */
static size_t find_first_p(const ocelotl_request *line)
{
    size_t p = find_p(line);
    for (size_t i = p; i < line->given_count && !is_zoom(line, i); i++)
        p = is_of_detail(line, i) ? i : p;
    return p;
}

/* The parts of a picture that was made with the level to show first, or with one given behind its
 * zoom, are of that, not of a p that is given now. */
static ocelotl_status add_first_p(oc_words *words, const ocelotl_request *recorded,
                                  const ocelotl_request *added)
{
    static const ocelotl_given automatic = {"p", "auto"};
    const size_t count = recorded->given_count;
    const size_t p = find_first_p(recorded);
    const bool now = find_p(added) < added->given_count;
    const bool zoomed = find_zoom(recorded) < count && p > find_zoom(recorded);
    const bool zooms = find_zoom(added) < added->given_count && !changes_p(added) && p == count;
    if (!now || (!zoomed && !zooms))
        return OCELOTL_OK;
    return oc_line_add_option(words, p < count ? &recorded->given[p] : &automatic);
}

static bool is_picture(const char *name)
{
    static const char *const suffixes[] = {".svg", ".png", ".pdf"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < 3; i++)
        if (length > 4 && oc_same_letters(name + length - 4, suffixes[i]))
            return true;
    return false;
}

/* The picture of sweep is its plot. */
static ocelotl_given name_output(const ocelotl_given *option, const oc_command *command)
{
    const bool plot = command->bit == OC_SWEEP && strcmp(option->name, "output") == 0 &&
                      is_picture(option->value);
    return (ocelotl_given){plot ? "plot" : option->name, option->value};
}

static ocelotl_status write_line(oc_words *words, const ocelotl_request *recorded,
                                 const ocelotl_request *added, const oc_command *command)
{
    const size_t behind = oc_line_end_of_zooms(recorded);
    const bool front = behind > 0 && find_p(recorded) >= behind;
    const bool p_now = find_p(added) < added->given_count;
    OC_TRY(oc_words_add(words, "ocelotl-cli"));
    OC_TRY(oc_words_add(words, command->name));
    OC_TRY(add_first_p(words, recorded, added));
    for (size_t i = 0; i < recorded->given_count; i++)
        if (!(front && is_of_detail(recorded, i) && p_now) && !is_replaced(recorded, i, added))
            OC_TRY(oc_line_add_option(words, &recorded->given[i]));
    for (size_t i = 0; i < added->given_count; i++) {
        const ocelotl_given option = name_output(&added->given[i], command);
        OC_TRY(oc_line_add_option(words, &option));
    }
    if (added->help)
        OC_TRY(oc_words_add(words, "--help"));
    return oc_line_add_operands(words, added->operand_count > 0 ? added : recorded);
}

/* --- Checking */

static ocelotl_status check(const ocelotl_request *recorded, const ocelotl_request *added,
                            const char *picture, size_t traces)
{
    const char *names = traces == 1 ? "TRACE" : "FIRST SECOND";
    if (ocelotl_request_get(added, "output") == NULL && ocelotl_request_get(added, "plot") == NULL)
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

/* Reads both lines; the options of which are those of the command that draws. */
static ocelotl_status read_lines(ocelotl_request *recorded, ocelotl_request *added,
                                 const oc_words *old, size_t skipped, size_t count,
                                 const char *const *words, size_t traces)
{
    OC_TRY(oc_line_read(recorded, old->count - skipped, (const char *const *)old->words + skipped,
                        traces));
    return oc_line_read(added, count, words, traces);
}

static ocelotl_status redraw_by(ocelotl_redrawing *redrawing, oc_words *line,
                                const oc_command *drawer, ocelotl_request **lines,
                                const oc_words *old, size_t skipped, const char *picture,
                                size_t count, const char *const *words)
{
    const size_t traces = count_traces(drawer);
    OC_TRY(ocelotl_request_new(&lines[0], drawer->name));
    OC_TRY(ocelotl_request_new(&lines[1], drawer->name));
    redrawing->command = drawer->name;
    OC_TRY(read_lines(lines[0], lines[1], old, skipped, count, words, traces));
    redrawing->command = "";
    OC_TRY(check(lines[0], lines[1], picture, traces));
    redrawing->command = drawer->name;
    redrawing->kept = lines[1]->operand_count == 0 ? traces : 0;
    return write_line(line, lines[0], lines[1], drawer);
}

ocelotl_status ocelotl_redraw(ocelotl_redrawing *redrawing, const char *command,
                              const char *picture, size_t count, const char *const *words)
{
    const oc_command *drawer = NULL;
    ocelotl_request *lines[2] = {NULL, NULL};
    oc_words old = {0};
    oc_words line = {0};
    size_t skipped = 0;
    *redrawing = (ocelotl_redrawing){.command = ""};
    ocelotl_status status = oc_words_read(&old, command);
    if (status == OCELOTL_ERROR_INPUT)
        status =
            oc_fail(OCELOTL_ERROR_INPUT,
                    "%s: its command is not one that ocelotl-cli wrote: %.200s", picture, command);
    if (status == OCELOTL_OK)
        status = find_drawer(&drawer, &skipped, &old, picture);
    if (status == OCELOTL_OK)
        status = redraw_by(redrawing, &line, drawer, lines, &old, skipped, picture, count, words);
    ocelotl_request_free(lines[0]);
    ocelotl_request_free(lines[1]);
    oc_words_free(&old);
    redrawing->words = line.words;
    redrawing->count = line.count;
    return status;
}

void ocelotl_redrawing_free(ocelotl_redrawing *redrawing)
{
    oc_words words = {redrawing->words, redrawing->count, 0};
    oc_words_free(&words);
    *redrawing = (ocelotl_redrawing){0};
}
