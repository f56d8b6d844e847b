#define _GNU_SOURCE
#include "base/replacement.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    if (!overwrite)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: exists already; use --force to replace it", target);
    if (access(target, W_OK) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", target, strerror(errno));
    return OCELOTL_OK;
}

/* mkstemp makes files for their owner alone; the result gets what any new file would get. */
static void apply_umask(int file)
{
    const mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(file, 0666 & ~mask);
}

ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target, bool overwrite)
{
    OC_TRY(check_target(target, overwrite));
    oc_text name = {0};
    oc_text_format(&name, "%s.partial-XXXXXX", target);
    if (name.failed)
        return oc_fail_memory();
    const int file = mkstemp(name.bytes);
    if (file < 0) {
        const ocelotl_status status = oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", target, strerror(errno));
        oc_text_free(&name);
        return status;
    }
    apply_umask(file);
    close(file);
    replacement->temporary = name.bytes;
    return oc_copy_text(&replacement->target, target);
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

ocelotl_status oc_replacement_commit(oc_replacement *replacement)
{
    if (!reach_disk(replacement->temporary) || rename(replacement->temporary, replacement->target) != 0)
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
