/* Lines of the program that an event says it comes from, in its tooltip (Stein 1999, 5.3.2). */
#define _GNU_SOURCE
#include "viz/gantt/gantt.h"

#include "base/format/json_scan.h"
#include "base/plain.h"
#include "viz/words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 1, LONGEST_LINE = 120, LONGEST_NAME = 400 };

/* What traces call a file, and a line in it. */
static const char *const files[] = {"File", "file", "filename", "source"};
static const char *const lines[] = {"Line", "line", "lineno"};

/* The value behind the first key that attributes have; NULL: none. */
static const char *find_value(const char *attributes, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = oc_json_find(attributes, keys[i]);
        if (value != NULL)
            return value;
    }
    return NULL;
}

/* Opens a file by its path below the folder, or else by its last name. What leads out of the folder
 * is not opened. */
static FILE *open_source(const char *folder, const char *name)
{
    const char *last = strrchr(name, '/');
    const char *const tried[] = {name, last != NULL ? last + 1 : name};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (tried[i][0] == '/' || strstr(tried[i], "..") != NULL ||
            asprintf(&path, "%s/%s", folder, tried[i]) < 0)
            continue;
        FILE *found = fopen(path, "r");
        free(path);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void add_lines(oc_text *text, FILE *in, unsigned long wanted)
{
    char *line = NULL;
    size_t room = 0;
    for (unsigned long at = 1; at <= wanted + AROUND && getline(&line, &room, in) >= 0; at++) {
        if (at + AROUND < wanted)
            continue;
        const size_t length = strcspn(line, "\r\n");
        line[length < LONGEST_LINE ? length : LONGEST_LINE] = '\0';
        oc_text_format(text, "\n%s%lu  ", at == wanted ? "\xE2\x96\xB8" : " ", at);
        oc_clean_add(text, line, false);
    }
    free(line);
}

void oc_gantt_add_source(oc_text *text, const oc_gantt *gantt, const char *attributes)
{
    char name[LONGEST_NAME];
    const char *folder = gantt->picture->source;
    const char *file = find_value(attributes, files, sizeof files / sizeof files[0]);
    const char *line = find_value(attributes, lines, sizeof lines / sizeof lines[0]);
    if (folder == NULL || file == NULL || line == NULL || file[0] != '"')
        return;
    const double number = oc_plain_number(line + (line[0] == '"'), NULL);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file + 1, "\""), file + 1);
    FILE *in = number >= 1 && number < 1e7 ? open_source(folder, name) : NULL;
    if (in == NULL)
        return;
    add_lines(text, in, (unsigned long)number);
    fclose(in);
}
