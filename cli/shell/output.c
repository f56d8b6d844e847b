#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(const char *path)
{
    return cli_wrong("%s: cannot write: %s", path, strerror(errno));
}

bool cli_is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

int cli_copy_to_standard_output(const char *path)
{
    char bytes[1 << 16];
    size_t length;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return cli_wrong("%s: cannot open: %s", path, strerror(errno));
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        fwrite(bytes, 1, length, stdout); /* whether that went well is asked at the end, in main */
    const bool read = ferror(file) == 0;
    fclose(file);
    return read ? CLI_DONE : cli_wrong("%s: cannot read: %s", path, strerror(errno));
}

/* --- An output */

/* Zero-initialised it is not open. */
typedef struct output {
    const char *path;   /* NULL: standard output */
    FILE *stream;       /* standard output, or what a path leads to that is no file */
    ocelotl_file *file; /* takes its place at the end; NULL: it is a stream */
} output;

/* A pipe or a terminal is written to: replacing it would put a file at its place. */
static int open_output(output *to, const char *path)
{
    struct stat found;
    if (cli_is_standard_output(path)) {
        to->stream = stdout;
        return CLI_DONE;
    }
    to->path = path;
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))
        return cli_code(ocelotl_file_open(&to->file, path, true));
    to->stream = fopen(path, "wb");
    return to->stream != NULL ? CLI_DONE : cannot_write(path);
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

static bool streamed;

bool cli_has_streamed(void)
{
    return streamed;
}

static ocelotl_status write_stream(void *context, const void *bytes, size_t size)
{
    FILE *stream = context;
    streamed = true;
    write_lines(stream, bytes, size);
    return ferror(stream) == 0 ? OCELOTL_OK : OCELOTL_ERROR_IO;
}

static ocelotl_sink sink_of(const output *to)
{
    return to->file != NULL ? ocelotl_file_sink(to->file)
                            : (ocelotl_sink){write_stream, to->stream};
}

/* A stream that cannot be written says so at its end. */
static int code_of(const output *to, ocelotl_status status)
{
    return to->stream != NULL && ferror(to->stream) != 0 ? CLI_DONE : cli_code(status);
}

/* Of standard output main asks at the end whether that went well. */
static int close_output(const output *to, int code)
{
    if (to->file != NULL && code == CLI_DONE)
        code = cli_code(ocelotl_file_commit(to->file));
    ocelotl_file_free(to->file);
    if (to->path == NULL || to->stream == NULL)
        return code;
    const bool written = ferror(to->stream) == 0;
    const bool closed = fclose(to->stream) == 0;
    return code == CLI_DONE && !(written && closed) ? cannot_write(to->path) : code;
}

int cli_stream_answer(const char *path, cli_content content, cli_answer write, void *of)
{
    output to = {0};
    int code = open_output(&to, path);
    if (code == CLI_DONE) {
        const ocelotl_sink sink = sink_of(&to);
        code = code_of(&to, write(&sink, content, of));
    }
    return close_output(&to, code);
}

static ocelotl_status write_made(const ocelotl_sink *sink, cli_content content, void *of)
{
    const ocelotl_buffer *made = of;
    (void)content;
    return made->size > 0 ? sink->write(sink->context, made->bytes, made->size) : OCELOTL_OK;
}

int cli_write_bytes(const char *path, const char *bytes, size_t length)
{
    ocelotl_buffer made = {.bytes = (char *)bytes, .size = length};
    return cli_stream_answer(path, CLI_TEXT, write_made, &made);
}

int cli_write_answer(const char *path, cli_content content, cli_answer write, void *of)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(write(&sink, content, of));
    if (code == CLI_DONE)
        code = cli_stream_answer(path, content, write_made, &made);
    ocelotl_buffer_free(&made);
    return code;
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

/* What somebody else made is not replaced unasked, whatever it holds. */
static int check_content(const char *path, cli_content content)
{
    struct stat found;
    const unsigned there = cli_content_of_file(path);
    if (content == CLI_TRACE_DB && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        return cli_wrong("%s: exists already; use --force to replace it", path);
    if (there == 0 || (there == content && cli_is_own(path, content)))
        return CLI_DONE;
    return cli_wrong("%s: holds %s%s, and %s would take its place; use --force to replace it", path,
                     cli_content_name(there),
                     there == content ? " that ocelotl-cli did not write" : "",
                     cli_content_name(content));
}

int cli_check_target(const char *path, cli_content content, bool force, const char *trace)
{
    int code = check_place(path);
    if (code == CLI_DONE)
        code = cli_check_not_input(path, trace);
    return code == CLI_DONE && !force ? check_content(path, content) : code;
}
