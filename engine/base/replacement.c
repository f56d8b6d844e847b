#define _GNU_SOURCE
#include "base/replacement.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static ocelotl_status check_target(const char *target, bool overwrite)
{
    struct stat found;
    if (target[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the file to write is empty");
    if (stat(target, &found) != 0)
        return OCELOTL_OK;
    if (S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected the name of a file to write", target);
    if (!S_ISREG(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a device or a pipe, expected the name of a file to write", target);
    if (!overwrite)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: exists already; use --force to replace it", target);
    if (access(target, W_OK) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", target, strerror(errno));
    return OCELOTL_OK;
}

/* Not mkstemp: its files are for their owner alone, and the umask cannot be read without changing it. */
static int create_beside(oc_text *name, const char *target)
{
    int file = -1;
    errno = EEXIST;
    for (unsigned attempt = 0; attempt < 100 && file < 0 && errno == EEXIST; attempt++) {
        uint32_t random = attempt;
        if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
            random = (uint32_t)getpid() * 100 + attempt;
        oc_text_clear(name);
        oc_text_format(name, "%s.partial-%08" PRIx32, target, random);
        if (name->failed)
            break;
        file = open(name->bytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return file;
}

/* A link stays one: what it leads to is replaced. */
static ocelotl_status find_target(char **found, const char *target)
{
    char *real = realpath(target, NULL);
    const ocelotl_status status = oc_copy_text(found, real != NULL ? real : target);
    free(real);
    return status;
}

ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target, bool overwrite)
{
    OC_TRY(check_target(target, overwrite));
    OC_TRY(find_target(&replacement->target, target));
    replacement->overwrite = overwrite;
    oc_text name = {0};
    const int file = create_beside(&name, replacement->target);
    if (file < 0) {
        const ocelotl_status status =
            name.failed ? oc_fail_memory()
                        : oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", target, strerror(errno));
        oc_text_free(&name);
        return status;
    }
    close(file);
    replacement->temporary = name.bytes;
    return OCELOTL_OK;
}

/* A rename may reach the disk before what was written: a power cut must not leave a name without its bytes. */
static bool reach_disk(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool reached = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return reached;
}

/* A file that came to be while this one was written is not replaced unasked. Where the file system knows no links,
 * only the look at the beginning protects it. */
static bool take_place(const oc_replacement *replacement)
{
    if (!replacement->overwrite) {
        if (link(replacement->temporary, replacement->target) == 0)
            return unlink(replacement->temporary) == 0;
        if (errno == EEXIST)
            return false;
    }
    return rename(replacement->temporary, replacement->target) == 0;
}

ocelotl_status oc_replacement_commit(oc_replacement *replacement)
{
    if (!reach_disk(replacement->temporary) || !take_place(replacement))
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", replacement->target, strerror(errno));
    free(replacement->temporary);
    replacement->temporary = NULL;
    return OCELOTL_OK;
}

void oc_replacement_end(oc_replacement *replacement)
{
    if (replacement->temporary != NULL)
        unlink(replacement->temporary);
    free(replacement->temporary);
    free(replacement->target);
    *replacement = (oc_replacement){0};
}

static ocelotl_status write_all(const oc_replacement *replacement, const void *bytes, size_t length)
{
    FILE *file = fopen(replacement->temporary, "wb");
    bool good = file != NULL && fwrite(bytes, 1, length, file) == length;
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (!good)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", replacement->target, strerror(errno));
    return OCELOTL_OK;
}

ocelotl_status oc_replace_file(const char *target, const void *bytes, size_t length)
{
    oc_replacement replacement = {0};
    ocelotl_status status = oc_replacement_begin(&replacement, target, true);
    if (status == OCELOTL_OK)
        status = write_all(&replacement, bytes, length);
    if (status == OCELOTL_OK)
        status = oc_replacement_commit(&replacement);
    oc_replacement_end(&replacement);
    return status;
}
