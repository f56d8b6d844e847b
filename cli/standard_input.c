#define _GNU_SOURCE
#include "standard_input.h"

#include "replacement.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char *kept; /* the file, until the program ends */

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A signal that interrupts the wait for more ends it. */
static int copy(int file, const char *path, cli_progress *progress)
{
    static char buffer[1 << 16];
    uint64_t done = 0;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (!cli_show_progress(progress, done, 0))
            return cli_wrong("standard input: reading was cancelled");
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_wrong("standard input: cannot read: %s", strerror(errno));
        if (got == 0)
            return CLI_DONE;
        if (!write_all(file, buffer, (size_t)got))
            return cli_cannot_write(path);
        done += (uint64_t)got;
    }
}

static int fill(int file, const char *path, cli_progress *progress)
{
    cli_begin_step(progress, &cli_keeping);
    const int code = copy(file, path, progress);
    cli_end_step(progress);
    if (code == CLI_DONE && dup2(file, STDIN_FILENO) < 0)
        return cli_wrong("standard input: cannot read it again: %s", strerror(errno));
    return code;
}

static int keep(cli_progress *progress)
{
    int code = cli_temporary_file(&kept, ".db");
    if (code != CLI_DONE)
        return code;
    const int file = open(kept, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return cli_cannot_write(kept);
    code = fill(file, kept, progress);
    close(file);
    return code;
}

int cli_keep_standard_input(const char **file, cli_progress *progress)
{
    const int code = kept == NULL ? keep(progress) : CLI_DONE;
    *file = kept;
    if (code == CLI_DONE && lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        return cli_wrong("standard input: cannot read it again: %s", strerror(errno));
    return code;
}
