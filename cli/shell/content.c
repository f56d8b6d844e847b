#include "content.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Of several suffixes of one content the first is the one that messages name. */
static const struct {
    const char *suffix;
    cli_content content;
} suffixes[] = {
    {".svg", CLI_SVG},     {".png", CLI_PNG},        {".pdf", CLI_PDF},      {".html", CLI_PAGE},
    {".htm", CLI_PAGE},    {".json", CLI_JSON_TEXT}, {".csv", CLI_CSV_TEXT}, {".txt", CLI_TEXT},
    {".db", CLI_TRACE_DB}, {".trace", CLI_OTHER},    {".paje", CLI_OTHER},   {".gz", CLI_OTHER},
    {".zst", CLI_OTHER},   {".xz", CLI_OTHER},
};

enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0], LOOKED_AT = 8192 };

unsigned cli_content_of_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const size_t length = strlen(name);
    for (size_t i = 0; i < SUFFIXES; i++) {
        const size_t end = strlen(suffixes[i].suffix);
        if (length > end && strcasecmp(name + length - end, suffixes[i].suffix) == 0)
            return suffixes[i].content;
    }
    return 0;
}

const char *cli_content_name(unsigned content)
{
    switch (content) {
    case CLI_SVG:
        return "a picture (SVG)";
    case CLI_PNG:
        return "a picture (PNG)";
    case CLI_PDF:
        return "a picture (PDF)";
    case CLI_PAGE:
        return "a page (HTML)";
    case CLI_JSON_TEXT:
        return "JSON";
    case CLI_CSV_TEXT:
        return "CSV";
    case CLI_TRACE_DB:
        return "a trace.db";
    case CLI_TEXT:
        return "text";
    default:
        return "something else";
    }
}

void cli_list_suffixes(char *list, size_t size, unsigned contents)
{
    size_t length = 0;
    const char *last = NULL;
    list[0] = '\0';
    for (size_t i = 0; i < SUFFIXES && length < size; i++) {
        if ((suffixes[i].content & contents) == 0 ||
            (i > 0 && suffixes[i].content == suffixes[i - 1].content))
            continue;
        if (last != NULL)
            length += (size_t)snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       last);
        last = suffixes[i].suffix;
    }
    if (last != NULL && length < size)
        snprintf(list + length, size - length, "%s%s", length > 0 ? " or " : "", last);
}

/* --- What is in a file */

static bool begins(const char *bytes, size_t length, const char *with)
{
    const size_t size = strlen(with);
    return length >= size && strncasecmp(bytes, with, size) == 0;
}

static bool is_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)bytes[i]) && strchr("\t\n\r\f\x1b", bytes[i]) == NULL)
            return false;
    return memchr(bytes, '\0', length) == NULL;
}

static bool has(const char *bytes, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++)
        if (begins(bytes + i, length - i, word))
            return true;
    return false;
}

/* --- What this program wrote */

/* Whether a line of a table is the rule below its heads. */
static bool is_rule(const char *line)
{
    const size_t length = strspn(line, "- ");
    return length > 0 && memchr(line, '-', length) != NULL && line[length] == '\n';
}

/* How the files begin that commands write; of a table of sql, the second line. */
static bool begins_as_own(const char *bytes, size_t length, unsigned content)
{
    static const struct {
        unsigned content;
        const char *begin;
    } own[] = {
        {CLI_JSON_TEXT, "{\"kind\":\"spatiotemporal\","},
        {CLI_JSON_TEXT, "{\"kind\":\"temporal\","},
        {CLI_JSON_TEXT, "{\"kind\":\"spatial\","},
        {CLI_JSON_TEXT, "{\"trace\":\""},
        {CLI_JSON_TEXT, "{\"resource\":\""},
        {CLI_JSON_TEXT, "{\"folder\":\""},
        {CLI_JSON_TEXT, "{\"first\":{\"name\":\""},
        {CLI_JSON_TEXT, "{\"formats\":["},
        {CLI_CSV_TEXT, "id,node,first,last,begin,end,leaves,"},
        {CLI_CSV_TEXT, "what,type,name,count,"},
        {CLI_CSV_TEXT, "what,path,type,first,second,"},
        {CLI_CSV_TEXT, "level,p,p_from,p_to,"},
        {CLI_CSV_TEXT, "category,type,value,whole,"},
        {CLI_CSV_TEXT, "resource,series,time,value\n"},
        {CLI_CSV_TEXT, "resource,resource_type,category,type,"},
        {CLI_CSV_TEXT, "kind,source,size,made,used,file\n"},
        {CLI_CSV_TEXT, "name,description\n"},
        {CLI_TEXT, "  part  node "},
        {CLI_TEXT, "level            p "},
        {CLI_TEXT, "name       "},
        {CLI_TEXT, "nothing has changed\n"},
        {CLI_TEXT, "both take "},
        {CLI_TEXT, "the second takes "},
        {CLI_TEXT, "everything "},
        {CLI_TEXT, "everything, "},
        {CLI_TEXT, "a leaf has "},
        {CLI_TEXT, "Container, "},
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].content == content && begins(bytes, length, own[i].begin))
            return true;
    const char *second = memchr(bytes, '\n', length);
    if (content == CLI_TEXT)
        return second != NULL &&
               (is_rule(second + 1) || has(bytes, (size_t)(second - bytes), " of at most "));
    return content == CLI_JSON_TEXT && begins(bytes, length, "{\"name\":\"") &&
           has(bytes, length, "\"uid\":\"");
}

/* A PDF says so at its end. */
static bool is_own_pdf(FILE *file)
{
    static const char mark[] = "/Creator (ocelotl ";
    char bytes[LOOKED_AT];
    size_t kept = 0;
    for (size_t got; (got = fread(bytes + kept, 1, sizeof bytes - kept, file)) > 0;) {
        const size_t length = kept + got;
        if (has(bytes, length, mark))
            return true;
        kept = length < sizeof mark ? length : sizeof mark;
        memmove(bytes, bytes + length - kept, kept);
    }
    return false;
}

bool cli_is_own(const char *path, unsigned content)
{
    char bytes[LOOKED_AT + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t length = fread(bytes, 1, LOOKED_AT, file);
    bytes[length] = '\0';
    const char *mark = content == CLI_SVG    ? "urn:ocelotl:parameters"
                       : content == CLI_PAGE ? "<meta name=\"generator\" content=\"ocelotl "
                       : content == CLI_PNG  ? "ocelotl "
                                             : NULL;
    bool own = mark != NULL ? has(bytes, length, mark) : begins_as_own(bytes, length, content);
    if (content == CLI_PDF) {
        rewind(file);
        own = is_own_pdf(file);
    }
    fclose(file);
    return own;
}

/* A matrix is CSV as well, and a trace is text, but nobody makes them by a command that prints. */
static unsigned content_of_text(const char *bytes, size_t length)
{
    while (length > 0 && isspace((unsigned char)bytes[0])) {
        bytes++;
        length--;
    }
    if (has(bytes, length, "%EventDef ") || begins(bytes, length, "path,type,slice,value"))
        return CLI_OTHER;
    if (begins(bytes, length, "{") || begins(bytes, length, "["))
        return CLI_JSON_TEXT;
    if (begins(bytes, length, "<!DOCTYPE html") || begins(bytes, length, "<html"))
        return CLI_PAGE;
    if (bytes[0] == '<' && length > 0)
        return has(bytes, length, "<svg") ? CLI_SVG : CLI_OTHER;
    const bool table = begins_as_own(bytes, length, CLI_TEXT);
    return !table && memchr(bytes, ',', strcspn(bytes, "\n")) != NULL ? CLI_CSV_TEXT : CLI_TEXT;
}

unsigned cli_content_of_file(const char *path)
{
    char bytes[LOOKED_AT + 1];
    struct stat found;
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0)
        return 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return CLI_OTHER;
    const size_t length = fread(bytes, 1, LOOKED_AT, file);
    fclose(file);
    bytes[length] = '\0';
    if (begins(bytes, length, "SQLite format 3"))
        return CLI_TRACE_DB;
    if (begins(bytes, length, "\x89PNG"))
        return CLI_PNG;
    if (begins(bytes, length, "%PDF-"))
        return CLI_PDF;
    return is_text(bytes, length) ? content_of_text(bytes, length) : CLI_OTHER;
}
