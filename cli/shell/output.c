#define _GNU_SOURCE
#include "output.h"

#include "ending.h"

#include <ocelotl/snapshot.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of several suffixes of one content the first is the one that messages name. */
static const struct {
    const char *suffix;
    cli_content content;
} suffixes[] = {
    {".svg", CLI_SVG},
    {".png", CLI_PNG},
    {".pdf", CLI_PDF},
    {".html", CLI_PAGE},
    {".htm", CLI_PAGE},
    {".json", CLI_JSON_TEXT},
    {".csv", CLI_CSV_TEXT},
    {".txt", CLI_TEXT},
    {".db", CLI_TRACE_DB},
    {".trace", CLI_TRACE_TEXT},
    {".paje", CLI_TRACE_TEXT},
    {".picl", CLI_TRACE_TEXT},
    {".pftrace", CLI_TRACE_TEXT},
    {".perfetto-trace", CLI_TRACE_TEXT},
    {".xml", CLI_XML},
    {".md", CLI_MARKDOWN},
    {".zip", CLI_OTHER},
    {".gz", CLI_OTHER},
    {".zst", CLI_OTHER},
    {".xz", CLI_OTHER},
    {".bz2", CLI_OTHER},
};

enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0], LOOKED_AT = 8192, LARGEST_ZIP = 1 << 30 };

ocelotl_form cli_form(cli_content content)
{
    unsigned form = OCELOTL_FORM_MARKDOWN;
    while (form > 0 && (unsigned)content != 1U << form)
        form--;
    return (ocelotl_form)form;
}

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
    static const char *const names[] = {"text",
                                        "CSV",
                                        "JSON",
                                        "a picture (SVG)",
                                        "a picture (PNG)",
                                        "a picture (PDF)",
                                        "a page (HTML)",
                                        "a trace.db",
                                        "XML",
                                        "Markdown",
                                        "something else",
                                        "a trace as text"};
    size_t bit = 0;
    while (bit + 1 < sizeof names / sizeof names[0] && content >> bit != 1)
        bit++;
    return content == 1U << bit ? names[bit] : "something else";
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

static bool has(const char *bytes, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++)
        if (begins(bytes + i, length - i, word))
            return true;
    return false;
}

/* --- What this program wrote */

static const char made_perfetto[] = "\n\x0e\x50\x01\x68\x01\xa2\x02\x07ocelotl";

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
        {CLI_JSON_TEXT, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"generator\":\"ocelotl\""},
        {CLI_TRACE_TEXT, "# ocelotl\n"},
        {CLI_TRACE_TEXT, made_perfetto},
        {CLI_JSON_TEXT, "{\"resource\":\""},
        {CLI_JSON_TEXT, "{\"folder\":\""},
        {CLI_JSON_TEXT, "{\"first\":{\"name\":\""},
        {CLI_JSON_TEXT, "{\"traces\":["},
        {CLI_JSON_TEXT, "{\"formats\":["},
        {CLI_JSON_TEXT, "{\"ranked_at\":"},
        {CLI_CSV_TEXT, "id,node,first,last,begin,end,leaves,"},
        {CLI_CSV_TEXT, "what,type,name,count,"},
        {CLI_CSV_TEXT, "what,path,type,first,second,"},
        {CLI_CSV_TEXT, "name,kind,format,duration,"},
        {CLI_CSV_TEXT, "shared,property,trace,value\n"},
        {CLI_CSV_TEXT, "level,p,p_from,p_to,"},
        {CLI_CSV_TEXT, "rank,hierarchy,parts,p,"},
        {CLI_CSV_TEXT, "category,type,value,whole,"},
        {CLI_CSV_TEXT, "resource,series,time,value\n"},
        {CLI_CSV_TEXT, "resource,resource_type,category,type,"},
        {CLI_CSV_TEXT, "resource,group,category,type,"},
        {CLI_CSV_TEXT, "row,column,count,bytes,"},
        {CLI_CSV_TEXT, "clock,group,reference,at,"},
        {CLI_CSV_TEXT, "kind,type,source,target,"},
        {CLI_CSV_TEXT, "kind,source,size,made,used,file\n"},
        {CLI_CSV_TEXT, "name,description\n"},
        {CLI_JSON_TEXT, "{\"passed\":"},
        {CLI_CSV_TEXT, "kind,node,type,phase,"},
        {CLI_XML,
         "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ocelotl-cli check"},
        {CLI_TEXT, "passed: "},
        {CLI_TEXT, "failed: "},
        {CLI_TEXT, "  part  node "},
        {CLI_TEXT, "level            p "},
        {CLI_TEXT, "rank  "},
        {CLI_TEXT, "name       "},
        {CLI_TEXT, "several traces\n"},
        {CLI_TEXT, "nothing has changed\n"},
        {CLI_TEXT, "both take "},
        {CLI_TEXT, "the second takes "},
        {CLI_TEXT, "everything "},
        {CLI_TEXT, "everything, "},
        {CLI_TEXT, "a leaf has "},
        {CLI_TEXT, "Container, "},
        {CLI_TEXT, "processor 0 "},
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

/* Of files that are no text, snapshots alone are written: as zips. */
static bool is_own_zip(FILE *file)
{
    struct stat found;
    if (fstat(fileno(file), &found) != 0 || found.st_size > LARGEST_ZIP)
        return false;
    const size_t size = (size_t)found.st_size;
    char *bytes = malloc(size + 1);
    const bool own = bytes != NULL && fread(bytes, 1, size, file) == size &&
                     ocelotl_snapshot_check_zip(bytes, size) == OCELOTL_OK;
    free(bytes);
    return own;
}

static const char made_markdown[] = "<!-- made by ocelotl-cli ";

bool cli_is_own(const char *path, unsigned content)
{
    char bytes[LOOKED_AT + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t length = fread(bytes, 1, LOOKED_AT, file);
    bytes[length] = '\0';
    const char *mark = content == CLI_SVG        ? "urn:ocelotl:parameters"
                       : content == CLI_PAGE     ? "<meta name=\"generator\" content=\"ocelotl "
                       : content == CLI_PNG      ? "ocelotl "
                       : content == CLI_MARKDOWN ? made_markdown
                                                 : NULL;
    bool own = mark != NULL ? has(bytes, length, mark) : begins_as_own(bytes, length, content);
    if (content == CLI_PDF) {
        rewind(file);
        own = is_own_pdf(file);
    } else if (content == CLI_OTHER) {
        rewind(file);
        own = is_own_zip(file);
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
    if (has(bytes, length, "%EventDef "))
        return CLI_TRACE_TEXT;
    if (begins(bytes, length, "path,type,slice,value"))
        return CLI_OTHER;
    if (begins(bytes, length, "{") || begins(bytes, length, "["))
        return CLI_JSON_TEXT;
    if (begins(bytes, length, "<!DOCTYPE html") || begins(bytes, length, "<html"))
        return CLI_PAGE;
    if (begins(bytes, length, made_markdown))
        return CLI_MARKDOWN;
    if (bytes[0] == '<' && length > 0)
        return has(bytes, length, "<svg")         ? CLI_SVG
               : has(bytes, length, "<testsuite") ? CLI_XML
                                                  : CLI_OTHER;
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
    if (begins(bytes, length, made_perfetto))
        return CLI_TRACE_TEXT;
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)bytes[i]) &&
            (bytes[i] == '\0' || strchr("\t\n\r\f\x1b", bytes[i]) == NULL))
            return CLI_OTHER;
    return content_of_text(bytes, length);
}

/* --- Where answers go */

static int cannot_write(const char *path)
{
    return cli_wrong("%s: cannot write: %s", path, strerror(errno));
}

bool cli_is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static void write_lines(FILE *stream, const char *bytes, size_t length)
{
    const ocelotl_sink sink = ocelotl_stream_sink(stream);
    const int number = fileno(stream);
    if (number < 0 || !isatty(number)) {
        fwrite(bytes, 1, length, stream);
        return;
    }
    for (const char *last = bytes + length; bytes < last;) {
        const char *end = memchr(bytes, '\n', (size_t)(last - bytes));
        (void)ocelotl_text_write_visible(&sink, bytes,
                                         (size_t)((end != NULL ? end : last) - bytes));
        fputs(end != NULL ? "\n" : "", stream);
        bytes = end != NULL ? end + 1 : last;
    }
}

static const ocelotl_exchange *ranks;

void cli_set_exchange(const ocelotl_exchange *exchange)
{
    ranks = exchange;
}

const ocelotl_exchange *cli_exchange(void)
{
    return ranks;
}

bool cli_has_ranks(void)
{
    return ranks != NULL && ranks->count > 1;
}

static bool streamed;

bool cli_has_streamed(void)
{
    return streamed;
}

static ocelotl_status write_stream(void *context, const void *bytes, size_t size)
{
    FILE *stream = context;
    if (!streamed)
        cli_wipe_line();
    streamed = true;
    write_lines(stream, bytes, size);
    return ferror(stream) == 0 ? OCELOTL_OK : OCELOTL_ERROR_IO;
}

/* A stream that cannot be written says so at its end; of standard output, main checks that. */
static int stream_answer(FILE *stream, cli_content content, cli_answer write, void *of)
{
    const ocelotl_sink sink = {write_stream, stream};
    const ocelotl_status status = write(&sink, cli_form(content), of);
    return ferror(stream) != 0 ? CLI_DONE : cli_code(status);
}

/* A pipe or a terminal is written to: replacing it would put a file at its place. */
int cli_stream_answer(const char *path, cli_content content, cli_answer write, void *of)
{
    struct stat found;
    if (ranks != NULL && ranks->rank > 0 && !cli_is_standard_output(path))
        path = "/dev/null";
    if (cli_is_standard_output(path))
        return stream_answer(stdout, content, write, of);
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode)) {
        ocelotl_file *file = NULL;
        int code = cli_code(ocelotl_file_open(&file, path, true));
        if (code == CLI_DONE) {
            const ocelotl_sink sink = ocelotl_file_sink(file);
            code = cli_code(write(&sink, cli_form(content), of));
        }
        if (code == CLI_DONE)
            code = cli_code(ocelotl_file_commit(file));
        ocelotl_file_free(file);
        return code;
    }
    FILE *stream = fopen(path, "wb");
    if (stream == NULL)
        return cannot_write(path);
    const int code = stream_answer(stream, content, write, of);
    const bool written = ferror(stream) == 0;
    const bool closed = fclose(stream) == 0;
    return code == CLI_DONE && !(written && closed) ? cannot_write(path) : code;
}

/* What goes before the last brace of an object in JSON; NULL: nothing does. */
static const char *last_member;

void cli_set_last_member(const char *text)
{
    last_member = text;
}

static ocelotl_status write_all(const ocelotl_sink *sink, const char *bytes, size_t length)
{
    return length > 0 ? sink->write(sink->context, bytes, length) : OCELOTL_OK;
}

static ocelotl_status write_made(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const ocelotl_buffer *made = of;
    size_t end = made->size;
    (void)form;
    while (end > 0 && made->bytes[end - 1] != '}')
        end--;
    if (last_member == NULL || end < 3 || made->bytes[0] != '{')
        return write_all(sink, made->bytes, made->size);
    ocelotl_status status = write_all(sink, made->bytes, end - 1);
    if (status == OCELOTL_OK)
        status = write_all(sink, ",", 1);
    if (status == OCELOTL_OK)
        status = write_all(sink, last_member, strlen(last_member));
    return status == OCELOTL_OK ? write_all(sink, made->bytes + end - 1, made->size - end + 1)
                                : status;
}

int cli_write_made(const char *path, ocelotl_status status, ocelotl_buffer *made)
{
    int code = cli_code(status);
    if (code == CLI_DONE)
        code = cli_stream_answer(path, CLI_TEXT, write_made, made);
    ocelotl_buffer_free(made);
    return code;
}

int cli_write_answer(const char *path, cli_content content, cli_answer write, void *of)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    return cli_write_made(path, write(&sink, cli_form(content), of), &made);
}

/* --- What may be written to */

int cli_check_not_input(const char *path, const char *trace)
{
    struct stat a;
    struct stat b;
    if (stat(path, &a) == 0 && stat(trace, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return cli_wrong("%s: is the trace itself, expected another file to write", path);
    return CLI_DONE;
}

static int check_place(const char *path)
{
    struct stat found;
    if (path[0] == '\0')
        return cli_usage("", "the name of the file to write is empty");
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return cli_wrong("%s: is a directory, expected the name of a file to write", path);
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return CLI_DONE;
    /* With the slash, so that what is not a folder is found out. */
    char *folder = strndup(path, (size_t)(slash + 1 - path));
    if (folder == NULL)
        return cli_memory();
    const int code = access(folder, F_OK) == 0 ? CLI_DONE : cannot_write(path);
    free(folder);
    return code;
}

/* Refuses to replace a foreign file unasked, whatever it holds. */
static int check_content(const char *path, cli_content content)
{
    struct stat found;
    const unsigned there = cli_content_of_file(path);
    if (content == CLI_TRACE_DB && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        return cli_wrong("%s: exists already; use --force to replace it", path);
    if (there == 0 || (there == content && cli_is_own(path, content)))
        return CLI_DONE;
    if (there == content && content == CLI_OTHER)
        return cli_wrong("%s: is no snapshot as ocelotl-cli wrote it; use --force to replace it",
                         path);
    return cli_wrong("%s: holds %s%s, and %s would take its place; use --force to replace it", path,
                     cli_content_name(there),
                     there == content ? " that ocelotl-cli did not write" : "",
                     cli_content_name(content));
}

int cli_check_target(const char *path, cli_content content, bool force, const char *trace)
{
    if (cli_has_ranks() && content == CLI_TRACE_DB)
        return cli_wrong("%s: a trace.db is written by one process, expected ocelotl-cli; ranks "
                         "import a run, -o run.ocelotl",
                         path);
    int code = check_place(path);
    if (code == CLI_DONE)
        code = cli_check_not_input(path, trace);
    if (code == CLI_DONE && !force)
        code = check_content(path, content);
    return code == CLI_DONE ? cli_expect_target(path) : code;
}
