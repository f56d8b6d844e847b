#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path)
{
    return cli_wrong("%s: cannot write: %s", path, strerror(errno));
}

static int open_beside(cli_stream *stream)
{
    stream->target = realpath(stream->path, NULL);
    if (stream->target == NULL)
        stream->target = strdup(stream->path);
    if (stream->target == NULL ||
        asprintf(&stream->temporary, "%s.partial-%ld", stream->target, (long)getpid()) < 0) {
        stream->temporary = NULL;
        return cli_memory();
    }
    if (access(stream->target, F_OK) != 0 || access(stream->target, W_OK) == 0)
        stream->file = fopen(stream->temporary, "wxb");
    return stream->file != NULL ? CLI_DONE : fail(stream->path);
}

int cli_stream_open(cli_stream *stream, const char *path)
{
    struct stat found;
    stream->path = path;
    if (path == NULL) {
        stream->file = stdout;
        return CLI_DONE;
    }
    if (stat(path, &found) != 0 || S_ISREG(found.st_mode))
        return open_beside(stream);
    stream->file = fopen(path, "wb");
    return stream->file != NULL ? CLI_DONE : fail(path);
}

bool cli_stream_is_good(const cli_stream *stream)
{
    return ferror(stream->file) == 0;
}

static int end_file(cli_stream *stream, int code)
{
    bool good = stream->file != NULL && !ferror(stream->file);
    if (stream->file != NULL && fclose(stream->file) != 0)
        good = false;
    if (code == CLI_DONE && stream->temporary != NULL)
        good = good && rename(stream->temporary, stream->target) == 0;
    if (code == CLI_DONE && !good)
        code = fail(stream->path);
    if (code != CLI_DONE && stream->temporary != NULL && stream->file != NULL)
        unlink(stream->temporary);
    return code;
}

int cli_stream_close(cli_stream *stream, int code)
{
    /* Standard output is looked after in main. */
    if (stream->path != NULL)
        code = end_file(stream, code);
    free(stream->target);
    free(stream->temporary);
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
