/* A help is written as one text, with headings (lines that end in a colon, below an empty one);
 * what is printed of it are some of the sections below these. So whatever an option's help is, it
 * is in the text of its group alone. */
#define _GNU_SOURCE
#include "help.h"

#include "nearest.h"
#include "output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_LINES = 60, MOST_SECTIONS = 32, MOST_COLUMNS = 112, TOPIC_COLUMNS = 12 };

/* Of the helps that are too long to be read, what is printed first. */
static const char *const first_sections[] = {"Level", "Zoom", "Filter"};
static const char last_section[] = "Examples";

/* From its heading to the next one; the first has none. */
typedef struct help_section {
    const char *text;
    size_t length;
} help_section;

typedef struct sections {
    help_section all[MOST_SECTIONS];
    size_t count;
} sections;

bool cli_may_be_name(const char *word)
{
    return word[0] != '-' && word[0] != '\0' && strpbrk(word, "./") == NULL &&
           access(word, F_OK) != 0;
}

/* --- Sections */

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
    return strncasecmp(section->text, word, strlen(word)) == 0;
}

static bool is_first(const help_section *section)
{
    for (size_t i = 0; i < sizeof first_sections / sizeof first_sections[0]; i++)
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

static void print(const help_section *section)
{
    fwrite(section->text, 1, section->length, stdout);
}

/* --- What else there is */

/* The word that a section is asked for by. */
typedef struct topic_name {
    char text[TOPIC_COLUMNS];
} topic_name;

static topic_name topic_of(const help_section *section)
{
    topic_name topic = {""};
    for (size_t i = 0; i + 1 < sizeof topic.text && isalpha((unsigned char)section->text[i]); i++)
        topic.text[i] = (char)tolower((unsigned char)section->text[i]);
    return topic;
}

static void print_item(size_t *column, const char *text, size_t length)
{
    if (*column > TOPIC_COLUMNS + 2 && *column + 2 + length > MOST_COLUMNS) {
        printf(",\n%*s", TOPIC_COLUMNS + 2, "");
        *column = TOPIC_COLUMNS + 2;
    } else if (*column > TOPIC_COLUMNS + 2) {
        *column += (size_t)printf(", ");
    }
    *column += (size_t)printf("%.*s", (int)length, text);
}

/* The names in the line of an option, which ends where its help begins; *last is the one printed
 * before, of an option that has several lines. */
static void print_names(size_t *column, const char **last, const char *line, size_t length)
{
    const char *help = strstr(line, "   ");
    const char *end = help != NULL && help < line + length ? help : line + length;
    for (const char *dashes = strstr(line, "--"); dashes != NULL && dashes < end;
         dashes = strstr(dashes, "--")) {
        const size_t name = strcspn(dashes, " ,[\n");
        if (*last == NULL || strncmp(*last, dashes, name + 1) != 0)
            print_item(column, dashes, name);
        *last = dashes;
        dashes += name;
    }
}

/* The options of a section; of one without, what its heading says. */
static void print_content(const help_section *section)
{
    size_t column = TOPIC_COLUMNS + 2;
    const char *end = section->text + section->length;
    const char *last = NULL;
    for (const char *line = section->text; line < end; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "  --", 4) == 0)
            print_names(&column, &last, line + 2, strcspn(line + 2, "\n"));
    if (column == TOPIC_COLUMNS + 2) {
        const char *rest = section->text + strcspn(section->text, " :\n");
        rest += strspn(rest, " (");
        print_item(&column, rest, strcspn(rest, "):\n"));
    }
    printf("\n");
}

static void print_topics(const sections *of, const char *command)
{
    printf("More, by ocelotl-cli %s --help TOPIC:\n", command);
    for (size_t i = 1; i < of->count; i++)
        if (!is_first(&of->all[i]) && !begins_with(&of->all[i], last_section)) {
            printf("  %-*s", TOPIC_COLUMNS, topic_of(&of->all[i]).text);
            print_content(&of->all[i]);
        }
    printf("  %-*s%s\n\n", TOPIC_COLUMNS, "all", "all of the above and all of these");
}

/* --- Pages */

static void print_short(const sections *of, const char *command)
{
    print(&of->all[0]);
    for (size_t i = 1; i < of->count; i++)
        if (is_first(&of->all[i]))
            print(&of->all[i]);
    print_topics(of, command);
    for (size_t i = 1; i < of->count; i++)
        if (begins_with(&of->all[i], last_section))
            print(&of->all[i]);
}

static bool print_topic(const sections *of, const char *word)
{
    bool found = false;
    for (size_t i = 1; i < of->count; i++) {
        help_section section = of->all[i];
        if (!begins_with(&section, word))
            continue;
        while (section.length > 1 && section.text[section.length - 2] == '\n')
            section.length--;
        if (found)
            printf("\n");
        print(&section);
        found = true;
    }
    return found;
}

static int unknown_topic(const sections *of, const char *word, const char *command)
{
    topic_name topics[MOST_SECTIONS];
    cli_nearest nearest = cli_nearest_to(word, strlen(word));
    cli_nearest_try(&nearest, "all");
    for (size_t i = 1; i < of->count; i++) {
        topics[i] = topic_of(&of->all[i]);
        cli_nearest_try(&nearest, topics[i].text);
    }
    /* It may be meant as a command. */
    if (nearest.name == NULL)
        return cli_usage(strcmp(command, "overview") == 0 ? "" : command,
                         "there is no help on \"%s\"", word);
    return cli_usage(command, "there is no help on \"%s\"; the nearest topic is %s", word,
                     nearest.name);
}

static int print_page(const char *text, const char *word, const char *command)
{
    const sections found = split(text);
    const bool is_name = word != NULL && cli_may_be_name(word);
    const bool all = is_name && strcmp(word, "all") == 0;
    if (is_name && !all)
        return print_topic(&found, word) ? CLI_DONE : unknown_topic(&found, word, command);
    if (all || count_lines(text) <= MOST_LINES)
        fputs(text, stdout);
    else
        print_short(&found, command);
    return CLI_DONE;
}

int cli_print_help(const cli_command_line *line, const char *word)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        return cli_memory();
    line->help(file);
    const int code = cli_close_memory(file) ? print_page(text, word, line->command) : cli_memory();
    free(text);
    return code;
}
