/* Notes: a file beside the trace, which is whole or absent. */
#define _GNU_SOURCE
#include "notes.h"
#include "panels.h"

#include <ocelotl/digest.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NOTES = 1024 * 1024 };

static const char no_notes[] = "{\"notes\":[]}\n";

/* The file of the notes of a trace, freed by free. A folder may be named "run/" or ".", and what is
 * written into it would be a change of the trace. */
static ocelotl_status find_path(char **path, const server_asking *with)
{
    const char *trace = with->room->options.trace;
    struct stat is;
    char *folder = stat(trace, &is) == 0 && S_ISDIR(is.st_mode) ? realpath(trace, NULL) : NULL;
    const int length = asprintf(path, "%s.notes.json", folder != NULL ? folder : trace);
    free(folder);
    return length >= 0 ? OCELOTL_OK : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

static ocelotl_status fail_path(const char *path, const char *why)
{
    char message[600];
    snprintf(message, sizeof message, "%.400s: %s", path, why);
    return ocelotl_fail(OCELOTL_ERROR_IO, message);
}

static ocelotl_status read_stream(ocelotl_buffer *notes, FILE *file, const char *path)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(notes);
    char bytes[8192];
    ocelotl_status status = OCELOTL_OK;
    for (size_t size; status == OCELOTL_OK && (size = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        status = sink.write(sink.context, bytes, size);
        if (status == OCELOTL_OK && notes->size > MOST_NOTES)
            status = fail_path(path, "is larger than 1 MB, expected notes");
    }
    if (status == OCELOTL_OK && ferror(file))
        status = fail_path(path, "cannot be read");
    return status;
}

/* Reads the notes; a missing file has none. */
static ocelotl_status read_notes(ocelotl_buffer *notes, const char *path)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(notes);
    FILE *file = fopen(path, "rb");
    if (file == NULL && errno == ENOENT)
        return sink.write(sink.context, no_notes, strlen(no_notes));
    if (file == NULL)
        return fail_path(path, "cannot be opened");
    ocelotl_status status = read_stream(notes, file, path);
    fclose(file);
    if (status == OCELOTL_OK && !server_notes_are_sound(notes->bytes, notes->size))
        status = fail_path(path, "holds no notes, expected {\"notes\":[..]}");
    return status;
}

static void write_tag(server_answer *answer, const ocelotl_buffer *notes)
{
    uint64_t digest[2] = {0, 0};
    ocelotl_digest(digest, notes->bytes, notes->size);
    snprintf(answer->tag, sizeof answer->tag, "\"%016llx\"", (unsigned long long)digest[0]);
}

static ocelotl_status write_notes(const char *path, const char *bytes, size_t size)
{
    ocelotl_file *file = NULL;
    ocelotl_status status = ocelotl_file_open(&file, path, true);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_sink sink = ocelotl_file_sink(file);
    status = sink.write(sink.context, bytes, size);
    if (status == OCELOTL_OK)
        status = ocelotl_file_commit(file);
    ocelotl_file_free(file);
    return status;
}

/* --- What is asked */

static ocelotl_status get(server_asking *with, const char *path)
{
    ocelotl_buffer notes = {NULL, 0, 0};
    ocelotl_status status = read_notes(&notes, path);
    if (status == OCELOTL_OK) {
        write_tag(with->answer, &notes);
        status = with->sink.write(with->sink.context, notes.bytes, notes.size);
    }
    ocelotl_buffer_free(&notes);
    return status;
}

/* Whether what the client changes is what is there. */
static ocelotl_status check_match(bool *same, const server_asking *with, const char *path)
{
    ocelotl_buffer notes = {NULL, 0, 0};
    server_answer now = {.status = 0};
    const char *match = with->answer->sent.match;
    const ocelotl_status status = read_notes(&notes, path);
    if (status == OCELOTL_OK)
        write_tag(&now, &notes);
    ocelotl_buffer_free(&notes);
    *same = match != NULL && strcmp(match, now.tag) == 0;
    return status;
}

/* Locks the folder of a file against other servers, until `lock` is closed; -1 where it cannot be
 * locked. The file itself is replaced, and a file for the lock alone would stay. Whoever reads the
 * folder may lock it too, so this is not waited for without an end. */
static ocelotl_status lock_folder(int *lock, const char *path)
{
    const struct timespec pause = {0, 10000000};
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (folder == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    for (int tries = 0; *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return OCELOTL_OK; /* some file systems have no locks */
        if (tries == 1000)
            return fail_path(path, "another program keeps its folder locked");
        nanosleep(&pause, NULL);
    }
    return OCELOTL_OK;
}

/* Keeps notes that are sound, once nobody else does. */
static ocelotl_status put_alone(server_asking *with, const char *path)
{
    const server_sent *sent = &with->answer->sent;
    bool same = false;
    ocelotl_status status = check_match(&same, with, path);
    if (status == OCELOTL_OK && !same) {
        server_answer_problem(with->answer, 409, "the notes were changed elsewhere since",
                              "Yours are still on this page: take the others in, and keep again.");
        return OCELOTL_OK;
    }
    if (status == OCELOTL_OK)
        status = write_notes(path, sent->body, sent->size);
    if (status == OCELOTL_OK)
        status = get(with, path);
    return status;
}

static ocelotl_status put(server_asking *with, const char *path)
{
    const server_sent *sent = &with->answer->sent;
    int lock = -1;
    if (!server_notes_are_sound(sent->body, sent->size))
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                            "what is sent are no notes, expected {\"notes\":[..]} in JSON");
    ocelotl_status status = lock_folder(&lock, path);
    if (status == OCELOTL_OK)
        status = put_alone(with, path);
    if (lock >= 0)
        close(lock);
    return status;
}

ocelotl_status server_answer_notes(server_asking *with)
{
    const bool puts = with->route->method != NULL;
    char *path = NULL;
    if (puts && with->room->options.initial->read_only) {
        server_answer_problem(with->answer, 403, "notes are not kept",
                              "Begin ocelotl-cli serve without --read-only.");
        return OCELOTL_OK;
    }
    ocelotl_status status = find_path(&path, with);
    if (status == OCELOTL_OK)
        status = puts ? put(with, path) : get(with, path);
    free(path);
    return status;
}
