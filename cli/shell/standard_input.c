#define _GNU_SOURCE
#include "standard_input.h"

#include "messages.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char *kept; /* the file, until the program ends */

static ocelotl_status fail_to_write(const char *path)
{
    return cli_keep_failure(OCELOTL_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
}

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
static ocelotl_status copy(int file, const char *path, cli_progress *progress)
{
    static const char cancelled[] = "standard input: reading was cancelled";
    static char buffer[1 << 16];
    uint64_t done = 0;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (!cli_show_progress(progress, done, 0)) {
            cli_say("%s", cancelled); /* the program ends with the step */
            return cli_keep_failure(OCELOTL_ERROR_CANCELLED, "%s", cancelled);
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_keep_failure(OCELOTL_ERROR_IO, "standard input: cannot read: %s",
                                    strerror(errno));
        if (got == 0)
            return OCELOTL_OK;
        if (!write_all(file, buffer, (size_t)got))
            return fail_to_write(path);
        done += (uint64_t)got;
    }
}

static ocelotl_status fill(int file, const char *path, cli_progress *progress)
{
    cli_begin_step(progress, &cli_keeping);
    const ocelotl_status status = copy(file, path, progress);
    cli_end_step(progress);
    if (status == OCELOTL_OK && dup2(file, STDIN_FILENO) < 0)
        return cli_keep_failure(OCELOTL_ERROR_IO, "standard input: cannot read it again: %s",
                                strerror(errno));
    return status;
}

static ocelotl_status keep(cli_progress *progress)
{
    ocelotl_status status = cli_temporary_file(&kept, ".db");
    if (status != OCELOTL_OK)
        return status;
    const int file = open(kept, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return fail_to_write(kept);
    status = fill(file, kept, progress);
    close(file);
    return status;
}

ocelotl_status cli_keep_standard_input(const char **file, cli_progress *progress)
{
    const ocelotl_status status = kept == NULL ? keep(progress) : OCELOTL_OK;
    *file = kept;
    if (status == OCELOTL_OK && lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        return cli_keep_failure(OCELOTL_ERROR_IO, "standard input: cannot read it again: %s",
                                strerror(errno));
    return status;
}
