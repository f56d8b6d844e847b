#define _GNU_SOURCE
#include "output.h"

#include "replacement.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_output_open(cli_output *output)
{
    output->stream = open_memstream(&output->bytes, &output->length);
    if (output->stream == NULL)
        cli_memory();
    return output->stream != NULL;
}

static bool write_all(FILE *file, const char *bytes, size_t length)
{
    bool good = file != NULL && fwrite(bytes, 1, length, file) == length;
    if (file != NULL && fclose(file) != 0)
        good = false;
    return good;
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

int cli_output_close(cli_output *output, const char *path)
{
    int code = CLI_DONE;
    if (output->stream == NULL)
        return CLI_INTERNAL;
    if (fclose(output->stream) != 0)
        code = cli_memory();
    else if (path != NULL)
        code = write_file(path, output->bytes, output->length);
    else
        fwrite(output->bytes, 1, output->length, stdout); /* whether that went well is asked at the end, in main */
    free(output->bytes);
    *output = (cli_output){0};
    return code;
}

bool cli_ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    return length > strlen(suffix) && strcasecmp(path + length - strlen(suffix), suffix) == 0;
}

bool cli_is_picture(const char *path)
{
    return ocelotl_picture_check(path, NULL) == OCELOTL_OK;
}

int cli_check_not_input(const char *path, const char *trace)
{
    struct stat a;
    struct stat b;
    if (stat(path, &a) == 0 && stat(trace, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return cli_wrong("%s: is the trace itself, expected another file to write", path);
    return CLI_DONE;
}

int cli_check_output(const char *path, const char *trace)
{
    struct stat found;
    if (path[0] == '\0')
        return cli_wrong("the name of the file to write is empty");
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return cli_wrong("%s: is a directory, expected the name of a file to write", path);
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return cli_check_not_input(path, trace);
    /* With the slash, so that what is not a folder is found out. */
    char *folder = strndup(path, (size_t)(slash + 1 - path));
    if (folder == NULL)
        return cli_memory();
    const int code = access(folder, F_OK) == 0 ? CLI_DONE : cli_cannot_write(path);
    free(folder);
    return code == CLI_DONE ? cli_check_not_input(path, trace) : code;
}

int cli_check_text_output(const char *path, const char *trace, const char *command)
{
    if (cli_is_picture(path))
        return cli_wrong("%s: %s draws no picture, expected a name in .json for JSON, or any other for text", path,
                         command);
    return cli_check_output(path, trace);
}
