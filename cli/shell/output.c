#define _GNU_SOURCE
#include "output.h"

#include "replacement.h"
#include "visible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int lacking; /* an exit code */

void cli_output_lacks(int code)
{
    if (lacking == CLI_DONE)
        lacking = code;
}

int cli_output_lacking(void)
{
    const int code = lacking;
    lacking = CLI_DONE;
    return code;
}

bool cli_output_open(cli_output *output)
{
    output->stream = open_memstream(&output->bytes, &output->length);
    if (output->stream == NULL)
        cli_memory();
    return output->stream != NULL;
}

void cli_write_lines(FILE *file, const char *bytes, size_t length)
{
    if (!isatty(fileno(file))) {
        fwrite(bytes, 1, length, file);
        return;
    }
    for (const char *last = bytes + length; bytes < last;) {
        const char *end = memchr(bytes, '\n', (size_t)(last - bytes));
        cli_write_visible_bytes(file, bytes, (size_t)((end != NULL ? end : last) - bytes));
        fputs(end != NULL ? "\n" : "", file);
        bytes = end != NULL ? end + 1 : last;
    }
}

static bool write_all(FILE *file, const char *bytes, size_t length)
{
    if (file == NULL)
        return false;
    cli_write_lines(file, bytes, length);
    const bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

static int replace_file(const char *path, const char *bytes, size_t length)
{
    cli_replacement replacement = {0};
    const int code = cli_replacement_open(&replacement, path);
    if (code == CLI_DONE)
        fwrite(bytes, 1, length, replacement.file);
    return cli_replacement_close(&replacement, code);
}

/* A pipe or a terminal is written to: replacing it would put a file at its place. */
static int write_file(const char *path, const char *bytes, size_t length)
{
    struct stat found;
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))
        return replace_file(path, bytes, length);
    return write_all(fopen(path, "wb"), bytes, length) ? CLI_DONE : cli_cannot_write(path);
}

bool cli_close_memory(FILE *stream)
{
    const bool written = ferror(stream) == 0;
    return fclose(stream) == 0 && written;
}

static int write_out(const char *path, const char *bytes, size_t length)
{
    if (!cli_is_standard_output(path))
        return write_file(path, bytes, length);
    /* whether that went well is asked at the end, in main */
    cli_write_lines(stdout, bytes, length);
    return CLI_DONE;
}

int cli_write_answer(const char *path, ocelotl_buffer *answer, int code)
{
    if (code == CLI_DONE)
        code = write_out(path, answer->bytes, answer->size);
    ocelotl_buffer_free(answer);
    return code;
}

int cli_output_close(cli_output *output, const char *path)
{
    int code = cli_output_lacking();
    if (output->stream == NULL)
        return CLI_INTERNAL;
    if (!cli_close_memory(output->stream) && code == CLI_DONE)
        code = cli_memory();
    if (code == CLI_DONE)
        code = write_out(path, output->bytes, output->length);
    free(output->bytes);
    *output = (cli_output){0};
    return code;
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
    const int code = access(folder, F_OK) == 0 ? CLI_DONE : cli_cannot_write(path);
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

/* --- What goes out as it is made */

int cli_stream_open(cli_stream *stream, const char *path)
{
    struct stat found;
    stream->path = path;
    if (cli_is_standard_output(path)) {
        stream->path = NULL;
        stream->file = stdout;
        return CLI_DONE;
    }
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode)) {
        const int code = cli_replacement_open(&stream->replacement, path);
        stream->file = stream->replacement.file;
        return code;
    }
    stream->file = fopen(path, "wb");
    return stream->file != NULL ? CLI_DONE : cli_cannot_write(path);
}

static bool streamed;

bool cli_has_streamed(void)
{
    return streamed;
}

bool cli_stream_is_good(const cli_stream *stream)
{
    streamed = streamed || stream->replacement.file == NULL;
    return ferror(stream->file) == 0;
}

static ocelotl_status write_answer(void *context, const void *bytes, size_t size)
{
    const cli_stream *stream = context;
    cli_write_lines(stream->file, bytes, size);
    return cli_stream_is_good(stream) ? OCELOTL_OK : OCELOTL_ERROR_IO;
}

ocelotl_sink cli_stream_sink(cli_stream *stream)
{
    return (ocelotl_sink){write_answer, stream};
}

int cli_stream_code(const cli_stream *stream, ocelotl_status status)
{
    return cli_stream_is_good(stream) ? cli_code(status) : CLI_DONE;
}

/* A pipe or a device, which was written to directly. */
static int end_file(const cli_stream *stream, int code)
{
    const bool written = ferror(stream->file) == 0;
    const bool closed = fclose(stream->file) == 0;
    return code == CLI_DONE && !(written && closed) ? cli_cannot_write(stream->path) : code;
}

int cli_stream_close(cli_stream *stream, int code)
{
    const int missing = cli_output_lacking();
    code = code != CLI_DONE ? code : missing;
    /* Standard output is looked after in main. */
    if (stream->path != NULL && stream->file != NULL && stream->replacement.file == NULL)
        code = end_file(stream, code);
    code = cli_replacement_close(&stream->replacement, code);
    *stream = (cli_stream){0};
    return code;
}

static bool is_terminal(FILE *file)
{
    const int number = fileno(file);
    return number >= 0 && isatty(number);
}

void cli_write_kept(FILE *file, const char *text, size_t length)
{
    if (cli_has_hidden(text, length) && is_terminal(file))
        cli_write_visible_bytes(file, text, length);
    else
        fwrite(text, 1, length, file);
}

void cli_csv_cell(FILE *file, const char *text, size_t length)
{
    bool plain = true;
    for (size_t i = 0; i < length && plain; i++)
        plain = text[i] != '"' && text[i] != ',' && text[i] != '\r' && text[i] != '\n';
    if (plain) {
        cli_write_kept(file, text, length);
        return;
    }
    fputc('"', file);
    for (size_t from = 0; from < length;) {
        const char *quote = memchr(text + from, '"', length - from);
        const size_t end = quote != NULL ? (size_t)(quote - text) + 1 : length;
        cli_write_kept(file, text + from, end - from);
        if (quote != NULL)
            fputc('"', file);
        from = end;
    }
    fputc('"', file);
}
