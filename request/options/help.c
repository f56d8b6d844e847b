/* A help is made of the rows, section by section; of one that is too long to be read some sections
 * are printed, and the others are topics. */
#include "base/options.h"
#include "base/plain.h"
#include "base/text.h"
#include "request/options/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 56, MOST_COLUMNS = 112, TOPIC_COLUMNS = 12, HELP_COLUMN = 24 };

/* In the order of every help. A section without rows of a command is none of its help. */
static const struct {
    const char *heading; /* NULL: it goes on behind what the command does */
    uint64_t commands;
    oc_group group;
    unsigned first; /* as many as fit of these are printed of a long help; 0: it is a topic */
} sections[] = {
    {NULL, ~0U, OC_GROUP_OWN, 0},
    {"Level of detail", ~0U, OC_GROUP_DETAIL, 1},
    {"Zoom into a part", ~0U, OC_GROUP_ZOOM, 2},
    {"Zoom", ~0U, OC_GROUP_PLACE, 2},
    {"Filter", ~0U, OC_GROUP_FILTER, 3},
    {"Metric", ~0U, OC_GROUP_METRIC, 0},
    {"Types", ~0U, OC_GROUP_TYPES, 0},
    {"Hierarchy", ~0U, OC_GROUP_HIERARCHY, 0},
    {"Model", ~0U, OC_GROUP_MODEL, 0},
    {"Reading", ~0U, OC_GROUP_READING, 0},
    {"Diagram", ~0U, OC_GROUP_DIAGRAM, 0},
    {"Picture", ~0U, OC_GROUP_PICTURE, 0},
    {"Views (what --view can be, of each --kind; the first of a kind is its default)",
     OC_OVERVIEW | OC_SERVE | OC_SNAPSHOT, OC_GROUP_VIEWS, 0},
    {"Metrics (what --metric can be)", OC_OVERVIEW | OC_SERVE | OC_SNAPSHOT, OC_GROUP_METRICS, 0},
    {"Examples", ~0U, OC_GROUP_EXAMPLES, 0},
};
enum { SECTIONS = sizeof sections / sizeof sections[0], EXAMPLES = SECTIONS - 1, FIRST_MOST = 3 };

/* Whether the help has a line for a row. Of a part's partition those of events have one row. */
static bool is_shown(const oc_parameter *row, oc_group group, uint64_t command)
{
    const bool named_elsewhere =
        (row->flags & OC_OF_PARTITION) != 0 && (command & OC_OF_EVENTS) != 0;
    return row->group == group && (row->commands & command) != 0 && !named_elsewhere;
}

/* --- Sections */

/* Adds words from a column on, in lines of which those behind the first begin at another one. A
 * line that begins with a blank, or an empty one, is as it is. */
static void add_lines(oc_text *text, const char *words, size_t column, size_t begin)
{
    for (bool behind = false; *words != '\0'; behind = *words++ != '\n') {
        const bool as_it_is = !behind && (*words == ' ' || *words == '\n');
        const size_t length = strcspn(words, as_it_is ? "\n" : " \n");
        const bool ends = !as_it_is && column > begin && column + behind + length > MOST_COLUMNS;
        if (ends)
            oc_text_format(text, "\n%*s", (int)begin, "");
        else
            oc_text_add(text, behind ? " " : "");
        oc_text_append(text, words, length);
        column = (ends ? begin : column + behind) + length;
        words += length;
        if (*words != ' ')
            oc_text_add(text, "\n");
        if (*words == '\0')
            return;
        column = *words == '\n' ? 0 : column;
    }
}

static void add_rows(oc_text *text, oc_group group, uint64_t command)
{
    size_t begin = 0;
    bool joined = false;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        const oc_parameter *row = &oc_parameters[i];
        if (!is_shown(row, group, command))
            continue;
        if (!joined)
            begin = text->length;
        oc_text_add(text, joined ? ", --" : strcmp(row->name, "output") == 0 ? "  -o, --" : "  --");
        oc_text_format(text, row->value != NULL ? "%s %s" : "%s", row->name, row->value);
        joined = row->help == NULL; /* its help is that of the next one */
        const size_t column = text->length - begin;
        if (joined)
            continue;
        oc_text_format(text, "%*s", column < HELP_COLUMN ? (int)(HELP_COLUMN - column) : 3, "");
        add_lines(text, row->help, text->length - begin, HELP_COLUMN);
    }
}

/* Empty for a section that a command does not have. */
static void add_section(oc_text *text, size_t section, const oc_command *command)
{
    static const char *const kinds[] = {"spatiotemporal", "temporal", "spatial"};
    oc_text rows = {0};
    const oc_group group = sections[section].group;
    if ((sections[section].commands & command->bit) == 0)
        return;
    if (sections[section].heading == NULL) {
        oc_text_format(text, "Usage: ocelotl-cli %s\n\n", command->usage);
        add_lines(text, command->text, 0, 0);
        const size_t before = text->length;
        oc_text_add(text, "\n");
        add_rows(text, OC_GROUP_OWN, command->bit);
        if (text->length == before + 1)
            text->bytes[text->length = before] = '\0';
        return;
    }
    add_rows(&rows, group, command->bit);
    for (size_t i = 0; group == OC_GROUP_VIEWS && i < ocelotl_view_count(); i++) {
        const ocelotl_view view = ocelotl_view_at(i);
        oc_text_format(&rows, "  %-15s %-10s %s\n", kinds[view.kind], view.name, view.what);
    }
    for (uint32_t i = 0; group == OC_GROUP_METRICS && i < ocelotl_metric_count(); i++)
        oc_text_format(&rows, "  %-22s %s\n", ocelotl_metric_at(i).name,
                       ocelotl_metric_at(i).meaning);
    if (group == OC_GROUP_EXAMPLES)
        oc_text_add(&rows, command->examples);
    if (rows.length > 0 || rows.failed)
        oc_text_format(text, "%s:\n%s", sections[section].heading, rows.failed ? "" : rows.bytes);
    text->failed = text->failed || rows.failed;
    oc_text_free(&rows);
}

/* --- Topics */

/* The word that a section is asked for by. */
typedef struct topic_name {
    char text[TOPIC_COLUMNS];
} topic_name;

static topic_name topic_of(size_t section)
{
    topic_name topic = {""};
    const char *heading = sections[section].heading;
    for (size_t i = 0; i + 1 < sizeof topic.text && isalpha((unsigned char)heading[i]); i++)
        topic.text[i] = (char)(heading[i] | 0x20);
    return topic;
}

/* The options of a section; of one without, what its heading says. */
static void add_content(oc_text *page, size_t section, uint64_t command)
{
    const size_t begin = TOPIC_COLUMNS + 2;
    const char *last = "";
    size_t column = begin;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        const oc_parameter *row = &oc_parameters[i];
        const size_t length = strlen(row->name) + 2;
        if (!is_shown(row, sections[section].group, command) || strcmp(last, row->name) == 0)
            continue;
        const bool ends = column > begin && column + 2 + length > MOST_COLUMNS;
        if (ends)
            oc_text_format(page, ",\n%*s", (int)begin, "");
        else if (column > begin)
            oc_text_add(page, ", ");
        column = ends ? begin + length : column + length + (column > begin ? 2 : 0);
        oc_text_format(page, "--%s", row->name);
        last = row->name;
    }
    if (column == begin) {
        const char *about = strchr(sections[section].heading, '(');
        oc_text_append(page, about + 1, strcspn(about + 1, ")"));
    }
    oc_text_add(page, "\n");
}

static bool is_first(size_t section, unsigned first)
{
    return sections[section].first > 0 && sections[section].first <= first;
}

static void add_topics(oc_text *page, const oc_text *texts, unsigned first,
                       const oc_command *command)
{
    oc_text_format(page, "\nMore, by ocelotl-cli %s --help TOPIC:\n", command->name);
    for (size_t i = 1; i < EXAMPLES; i++)
        if (texts[i].length > 0 && !is_first(i, first)) {
            oc_text_format(page, "  %-*s", TOPIC_COLUMNS, topic_of(i).text);
            add_content(page, i, command->bit);
        }
    oc_text_format(page, "  %-*s%s\n", TOPIC_COLUMNS, "all", "all of the above and all of these");
}

static ocelotl_status fail_topic(const oc_text *texts, const char *word)
{
    topic_name topics[SECTIONS];
    oc_nearest_name nearest = oc_nearest_to(word, strlen(word));
    oc_nearest_try(&nearest, "all");
    for (size_t i = 1; i < SECTIONS; i++)
        if (texts[i].length > 0) {
            topics[i] = topic_of(i);
            oc_nearest_try(&nearest, topics[i].text);
        }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "no help on \"%s\"%s%s", word,
                   nearest.name != NULL ? "; the nearest topic is " : "",
                   nearest.name != NULL ? nearest.name : "");
}

/* --- Pages */

/* Adds a section behind an empty line. */
static void add_behind(oc_text *page, const oc_text *text)
{
    if (text->length > 0 && page->length > 0)
        oc_text_add(page, "\n");
    if (text->length > 0)
        oc_text_append(page, text->bytes, text->length);
}

static size_t count_lines(const oc_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->bytes[i] == '\n';
    return count;
}

static ocelotl_status add_page(oc_text *page, const oc_text *texts, const oc_command *command,
                               const char *topic)
{
    const bool all = topic != NULL && strcmp(topic, "all") == 0;
    for (size_t i = 0; i < SECTIONS; i++)
        if (topic == NULL || all ||
            (i > 0 && oc_same_first_letters(sections[i].heading, topic, strlen(topic))))
            add_behind(page, &texts[i]);
    if (topic != NULL)
        return page->length > 0 || page->failed ? OCELOTL_OK : fail_topic(texts, topic);
    /* What is printed first is left out from the last, until a page can be read. */
    for (unsigned first = FIRST_MOST + 1; first-- > 0 && count_lines(page) > MOST_LINES;) {
        oc_text_free(page);
        for (size_t i = 0; i < EXAMPLES; i++)
            if (i == 0 || is_first(i, first))
                add_behind(page, &texts[i]);
        add_topics(page, texts, first, command);
        add_behind(page, &texts[EXAMPLES]);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_help(char **text, const char *command, const char *topic)
{
    const oc_command *found = oc_find_command(command);
    oc_text texts[SECTIONS] = {{0}};
    oc_text page = {0};
    bool failed = false;
    if (found == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is no command", command);
    for (size_t i = 0; i < SECTIONS; i++) {
        add_section(&texts[i], i, found);
        failed = failed || texts[i].failed;
    }
    ocelotl_status status = failed ? oc_fail_memory() : add_page(&page, texts, found, topic);
    if (status == OCELOTL_OK && page.failed)
        status = oc_fail_memory();
    for (size_t i = 0; i < SECTIONS; i++)
        oc_text_free(&texts[i]);
    if (status == OCELOTL_OK)
        *text = page.bytes;
    else
        oc_text_free(&page);
    return status;
}

/* --- Parameters one by one */

size_t ocelotl_parameter_count(const char *command)
{
    const oc_command *found = oc_find_command(command);
    size_t count = 0;
    for (size_t i = 0; found != NULL && i < oc_parameter_count; i++)
        count += oc_is_option(&oc_parameters[i], found->bit);
    return count;
}

/* The parameters of a section come one after the other. */
ocelotl_parameter ocelotl_parameter_at(const char *command, size_t index)
{
    const oc_command *found = oc_find_command(command);
    for (size_t s = 0; found != NULL && s < SECTIONS; s++)
        for (size_t i = 0; i < oc_parameter_count; i++) {
            const oc_parameter *row = &oc_parameters[i];
            if (row->group != sections[s].group || !oc_is_option(row, found->bit) || index-- > 0)
                continue;
            return (ocelotl_parameter){row->name,
                                       sections[s].heading != NULL ? sections[s].heading : "",
                                       row->value != NULL ? row->value : "",
                                       row->help != NULL ? row->help : "",
                                       row->kind == OC_VALUE_NAMES || row->kind == OC_VALUE_PAIRS ||
                                           row->kind == OC_VALUE_PART,
                                       (row->flags & OC_OF_ANSWER) != 0};
        }
    return (ocelotl_parameter){"", "", "", "", false, false};
}

ocelotl_parameter ocelotl_parameter_find(const char *command, const char *name)
{
    const size_t count = ocelotl_parameter_count(command);
    size_t i = 0;
    while (i < count && strcmp(ocelotl_parameter_at(command, i).name, name) != 0)
        i++;
    const oc_command *known = oc_find_command(command);
    const char *stands_for;
    const oc_parameter *earlier = i == count && known != NULL
                                      ? oc_find_earlier(&stands_for, name, strlen(name), known->bit)
                                      : NULL;
    return earlier != NULL ? ocelotl_parameter_find(command, earlier->name)
                           : ocelotl_parameter_at(command, i);
}
