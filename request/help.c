/* A help is one text made from the rows, with headings (lines that end in a colon, below an empty
 * one); what is printed of it are some of the sections below these. */
#include "base/options.h"
#include "base/plain.h"
#include "base/text.h"
#include "request/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 56,
    MOST_SECTIONS = 32,
    MOST_COLUMNS = 112,
    TOPIC_COLUMNS = 12,
    HELP_COLUMN = 24
};

/* Of the helps that are too long to be read, what is printed first: as many of these as fit, the
 * others being topics. */
static const char *const first_sections[] = {"Level", "Zoom", "Filter"};
enum { FIRST_SECTIONS = sizeof first_sections / sizeof first_sections[0] };
static const char last_section[] = "Examples";

/* --- All of it */

/* Adds the lines behind an option, below each other. */
static void add_lines(oc_text *text, size_t column, const char *help)
{
    oc_text_format(text, "%*s", column < HELP_COLUMN ? (int)(HELP_COLUMN - column) : 3, "");
    for (const char *line = help;;) {
        const size_t length = strcspn(line, "\n");
        oc_text_append(text, line, length);
        oc_text_add(text, "\n");
        if (line[length] == '\0')
            return;
        line += length + 1;
        if (*line != ' ')
            oc_text_format(text, "%*s", HELP_COLUMN, "");
    }
}

static void add_rows(oc_text *text, oc_group group, unsigned command)
{
    size_t begin = 0;
    bool joined = false;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        const oc_parameter *row = &oc_parameters[i];
        if (row->group != group || !oc_parameter_is_shown(row, command))
            continue;
        if (!joined)
            begin = text->length;
        oc_text_add(text, joined ? ", --" : strcmp(row->name, "output") == 0 ? "  -o, --" : "  --");
        oc_text_format(text, row->value != NULL ? "%s %s" : "%s", row->name, row->value);
        joined = row->help == NULL; /* its help is that of the next one */
        if (!joined)
            add_lines(text, text->length - begin, row->help);
    }
}

static void add_section(oc_text *text, const oc_section *section, unsigned command)
{
    static const char *const kinds[] = {"spatiotemporal", "temporal", "spatial"};
    if (section->heading != NULL)
        oc_text_format(text, "\n%s:\n", section->heading);
    if (section->kind == OC_SECTION_ROWS)
        add_rows(text, section->group, command);
    for (size_t i = 0; section->kind == OC_SECTION_VIEWS && i < ocelotl_view_count(); i++) {
        const ocelotl_view view = ocelotl_view_at(i);
        oc_text_format(text, "  %-15s %-10s %s\n", kinds[view.kind], view.name, view.what);
    }
    for (uint32_t i = 0; section->kind == OC_SECTION_METRICS && i < ocelotl_metric_count(); i++)
        oc_text_format(text, "  %-22s %s\n", ocelotl_metric_at(i).name,
                       ocelotl_metric_at(i).meaning);
}

static void add_all(oc_text *text, const oc_command *command)
{
    oc_text_format(text, "Usage: ocelotl-cli %s\n\n%s", command->usage, command->text);
    if (command->sections[0].heading == NULL)
        oc_text_add(text, "\n");
    for (size_t i = 0; i < command->section_count; i++)
        add_section(text, &command->sections[i], command->bit);
    oc_text_format(text, "\n%s:\n%s", last_section, command->examples);
}

/* --- Sections */

/* From its heading to the next one; the first has none. */
typedef struct help_section {
    const char *text;
    size_t length;
} help_section;

typedef struct sections {
    help_section all[MOST_SECTIONS];
    size_t count;
} sections;

static bool is_heading(const char *text, const char *line)
{
    const size_t length = strcspn(line, "\n");
    const bool below = line == text || (line - text >= 2 && line[-2] == '\n');
    return below && isupper((unsigned char)line[0]) && line[length - 1] == ':';
}

static sections split(const char *text)
{
    sections found = {.all = {{text, 0}}, .count = 1};
    for (const char *line = text; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        const size_t length = (size_t)(end - line) + (*end != '\0');
        if (is_heading(text, line) && found.count < MOST_SECTIONS)
            found.all[found.count++] = (help_section){line, 0};
        found.all[found.count - 1].length += length;
        line += length;
    }
    return found;
}

static bool begins_with(const help_section *section, const char *word)
{
    return oc_same_first_letters(section->text, word, strlen(word));
}

static bool is_first(const help_section *section, size_t first)
{
    for (size_t i = 0; i < first; i++)
        if (begins_with(section, first_sections[i]))
            return true;
    return false;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static void add(oc_text *page, const help_section *section)
{
    oc_text_append(page, section->text, section->length);
}

/* --- Topics */

/* The word that a section is asked for by. */
typedef struct topic_name {
    char text[TOPIC_COLUMNS];
} topic_name;

static topic_name topic_of(const help_section *section)
{
    topic_name topic = {""};
    for (size_t i = 0; i + 1 < sizeof topic.text && isalpha((unsigned char)section->text[i]); i++)
        topic.text[i] = (char)(section->text[i] | 0x20);
    return topic;
}

static void add_item(oc_text *page, size_t *column, const char *text, size_t length)
{
    if (*column > TOPIC_COLUMNS + 2 && *column + 2 + length > MOST_COLUMNS) {
        oc_text_format(page, ",\n%*s", TOPIC_COLUMNS + 2, "");
        *column = TOPIC_COLUMNS + 2;
    } else if (*column > TOPIC_COLUMNS + 2) {
        oc_text_add(page, ", ");
        *column += 2;
    }
    oc_text_append(page, text, length);
    *column += length;
}

/* The names in the line of an option, which ends where its help begins; *last is the one added
 * before, of an option that has several lines. */
static void add_names(oc_text *page, size_t *column, const char **last, const char *line,
                      size_t length)
{
    const char *help = strstr(line, "   ");
    const char *end = help != NULL && help < line + length ? help : line + length;
    for (const char *dashes = strstr(line, "--"); dashes != NULL && dashes < end;
         dashes = strstr(dashes, "--")) {
        const size_t name = strcspn(dashes, " ,[\n");
        if (*last == NULL || strncmp(*last, dashes, name + 1) != 0)
            add_item(page, column, dashes, name);
        *last = dashes;
        dashes += name;
    }
}

/* The options of a section; of one without, what its heading says. */
static void add_content(oc_text *page, const help_section *section)
{
    size_t column = TOPIC_COLUMNS + 2;
    const char *end = section->text + section->length;
    const char *last = NULL;
    for (const char *line = section->text; line < end; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "  --", 4) == 0 || strncmp(line, "  -o, --", 8) == 0)
            add_names(page, &column, &last, line + 2, strcspn(line + 2, "\n"));
    if (column == TOPIC_COLUMNS + 2) {
        const char *rest = section->text + strcspn(section->text, " :\n");
        rest += strspn(rest, " (");
        add_item(page, &column, rest, strcspn(rest, "):\n"));
    }
    oc_text_add(page, "\n");
}

static void add_topics(oc_text *page, const sections *of, size_t first, const char *command)
{
    oc_text_format(page, "More, by ocelotl-cli %s --help TOPIC:\n", command);
    for (size_t i = 1; i < of->count; i++)
        if (!is_first(&of->all[i], first) && !begins_with(&of->all[i], last_section)) {
            oc_text_format(page, "  %-*s", TOPIC_COLUMNS, topic_of(&of->all[i]).text);
            add_content(page, &of->all[i]);
        }
    oc_text_format(page, "  %-*s%s\n\n", TOPIC_COLUMNS, "all", "all of the above and all of these");
}

/* --- Pages */

static void add_short(oc_text *page, const sections *of, size_t first, const char *command)
{
    add(page, &of->all[0]);
    for (size_t i = 1; i < of->count; i++)
        if (is_first(&of->all[i], first))
            add(page, &of->all[i]);
    add_topics(page, of, first, command);
    for (size_t i = 1; i < of->count; i++)
        if (begins_with(&of->all[i], last_section))
            add(page, &of->all[i]);
}

static bool add_topic(oc_text *page, const sections *of, const char *word)
{
    bool found = false;
    for (size_t i = 1; i < of->count; i++) {
        help_section section = of->all[i];
        if (!begins_with(&section, word))
            continue;
        while (section.length > 1 && section.text[section.length - 2] == '\n')
            section.length--;
        if (found)
            oc_text_add(page, "\n");
        add(page, &section);
        found = true;
    }
    return found;
}

static ocelotl_status fail_topic(const sections *of, const char *word)
{
    topic_name topics[MOST_SECTIONS];
    oc_nearest_name nearest = oc_nearest_to(word, strlen(word));
    oc_nearest_try(&nearest, "all");
    for (size_t i = 1; i < of->count; i++) {
        topics[i] = topic_of(&of->all[i]);
        oc_nearest_try(&nearest, topics[i].text);
    }
    if (nearest.name == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no help on \"%s\"", word);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "no help on \"%s\"; the nearest topic is %s", word,
                   nearest.name);
}

static ocelotl_status add_page(oc_text *page, const char *text, const char *command,
                               const char *topic)
{
    const sections found = split(text);
    const bool all = topic != NULL && strcmp(topic, "all") == 0;
    if (topic != NULL && !all)
        return add_topic(page, &found, topic) ? OCELOTL_OK : fail_topic(&found, topic);
    if (all || count_lines(text) <= MOST_LINES) {
        oc_text_add(page, text);
        return OCELOTL_OK;
    }
    /* What is printed first is left out from the last, until a page can be read. */
    size_t first = FIRST_SECTIONS;
    add_short(page, &found, first, command);
    while (first > 0 && !page->failed && count_lines(page->bytes) > MOST_LINES) {
        oc_text_free(page);
        add_short(page, &found, --first, command);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_help(char **text, const char *command, const char *topic)
{
    const oc_command *found = oc_find_command(command);
    oc_text all = {0};
    oc_text page = {0};
    if (found == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is no command", command);
    add_all(&all, found);
    ocelotl_status status =
        all.failed ? oc_fail_memory() : add_page(&page, all.bytes, command, topic);
    if (status == OCELOTL_OK && page.failed)
        status = oc_fail_memory();
    oc_text_free(&all);
    if (status == OCELOTL_OK)
        *text = page.bytes;
    else
        oc_text_free(&page);
    return status;
}

/* --- Parameters one by one */

static bool is_parameter(const oc_parameter *row, unsigned command)
{
    return (row->commands & command) != 0 && (row->flags & OC_HELP_ALONE) == 0;
}

/* The section that a group stands in; NULL: the help of a part names what is in it. */
static const oc_section *find_section(const oc_command *command, oc_group group)
{
    for (size_t s = 0; s < command->section_count; s++)
        if (command->sections[s].kind == OC_SECTION_ROWS && command->sections[s].group == group)
            return &command->sections[s];
    return NULL;
}

/* The parameters of a section come one after the other, and those of none last. */
static const oc_parameter *find_parameter(const oc_section **section, const oc_command *command,
                                          size_t index)
{
    for (size_t s = 0; s <= command->section_count; s++) {
        *section = s < command->section_count ? &command->sections[s] : NULL;
        for (size_t i = 0; i < oc_parameter_count; i++)
            if (is_parameter(&oc_parameters[i], command->bit) &&
                find_section(command, oc_parameters[i].group) == *section && index-- == 0)
                return &oc_parameters[i];
    }
    return NULL;
}

size_t ocelotl_parameter_count(const char *command)
{
    const oc_command *found = oc_find_command(command);
    size_t count = 0;
    for (size_t i = 0; found != NULL && i < oc_parameter_count; i++)
        count += is_parameter(&oc_parameters[i], found->bit);
    return count;
}

ocelotl_parameter ocelotl_parameter_at(const char *command, size_t index)
{
    const oc_command *found = oc_find_command(command);
    const oc_section *section = NULL;
    const oc_parameter *row = found != NULL ? find_parameter(&section, found, index) : NULL;
    if (row == NULL)
        return (ocelotl_parameter){"", "", "", "", false, false};
    return (ocelotl_parameter){row->name,
                               section != NULL && section->heading != NULL ? section->heading : "",
                               row->value != NULL ? row->value : "",
                               row->help != NULL ? row->help : "",
                               row->kind == OC_VALUE_NAMES || row->kind == OC_VALUE_PAIRS ||
                                   row->kind == OC_VALUE_PART,
                               (row->flags & OC_OF_ANSWER) != 0};
}

ocelotl_parameter ocelotl_parameter_find(const char *command, const char *name)
{
    const size_t count = ocelotl_parameter_count(command);
    size_t i = 0;
    while (i < count && strcmp(ocelotl_parameter_at(command, i).name, name) != 0)
        i++;
    return ocelotl_parameter_at(command, i);
}

const char *ocelotl_request_first_of(const ocelotl_request *request, const char *group)
{
    const oc_command *command = oc_find_command(request->command);
    for (size_t i = 0; i < request->given_count; i++) {
        const oc_parameter *row = oc_find_parameter(request->given[i].name, command->bit);
        const oc_section *section = find_section(command, row->group);
        if (section != NULL && section->heading != NULL && strcmp(section->heading, group) == 0)
            return row->name;
    }
    return NULL;
}
