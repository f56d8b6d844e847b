#include "stream.h"

#include "output.h"

#include <string.h>
#include <sys/stat.h>

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

bool cli_stream_is_good(const cli_stream *stream)
{
    return ferror(stream->file) == 0;
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
    /* Standard output is looked after in main. */
    if (stream->path != NULL && stream->file != NULL && stream->replacement.file == NULL)
        code = end_file(stream, code);
    code = cli_replacement_close(&stream->replacement, code);
    *stream = (cli_stream){0};
    return code;
}

void cli_csv_cell(FILE *file, const char *text, size_t length)
{
    bool plain = true;
    for (size_t i = 0; i < length && plain; i++)
        plain = text[i] != '"' && text[i] != ',' && text[i] != '\r' && text[i] != '\n';
    if (plain) {
        fwrite(text, 1, length, file);
        return;
    }
    fputc('"', file);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            fputc('"', file);
        fputc(text[i], file);
    }
    fputc('"', file);
}
