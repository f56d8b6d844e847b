#define _GNU_SOURCE
#include "stream.h"

#include "output.h"
#include "visible.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    const int lacking = cli_output_lacking();
    code = code != CLI_DONE ? code : lacking;
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
