/* What a snapshot wrote, so that what somebody changed since is not replaced. The parameters, which
 * come last, have a digest of each other file, and end with one of themselves. */
#define _GNU_SOURCE
#include "request/snapshot.h"

#include "base/memory.h"

#include <ocelotl/digest.h>
#include <ocelotl/snapshot.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 32 };

/* The last member of the parameters is this, the digits and the end. */
static const char member[] = ",\"digest\":\"";
static const char end[] = "\"}\n";

static void write_digest(char digits[DIGITS + 1], const void *bytes, size_t size)
{
    uint64_t digest[2] = {0, 0};
    ocelotl_digest(digest, bytes, size);
    snprintf(digits, DIGITS + 1, "%016" PRIx64 "%016" PRIx64, digest[0], digest[1]);
}

static void format_entry(oc_text *text, size_t file, const ocelotl_buffer *bytes)
{
    char digits[DIGITS + 1];
    write_digest(digits, bytes->bytes, bytes->size);
    oc_text_format(text, "{\"name\":\"%s\",\"digest\":\"%s\"}", oc_snapshot_names[file], digits);
}

void oc_snapshot_add_record(oc_json *json, const oc_snapshot *snapshot)
{
    oc_json_list(json, "files");
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++)
        if (snapshot->files[i].bytes != NULL) {
            oc_json_line(json, 1);
            format_entry(oc_json_value(json, NULL), i, &snapshot->files[i]);
        }
    oc_json_end_list(json);
}

ocelotl_status oc_snapshot_seal(ocelotl_buffer *parameters)
{
    static const char whole[] = "}\n";
    char digits[DIGITS + 1];
    ocelotl_buffer sealed = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&sealed);
    const size_t size = parameters->size - strlen(whole);
    write_digest(digits, parameters->bytes, size);
    const struct {
        const char *bytes;
        size_t size;
    } pieces[] = {
        {parameters->bytes, size}, {member, strlen(member)}, {digits, DIGITS}, {end, strlen(end)}};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const ocelotl_status status = sink.write(sink.context, pieces[i].bytes, pieces[i].size);
        if (status != OCELOTL_OK) {
            ocelotl_buffer_free(&sealed);
            return status;
        }
    }
    ocelotl_buffer_free(parameters);
    *parameters = sealed;
    return OCELOTL_OK;
}

/* --- What is there */

static ocelotl_status read_whole(ocelotl_buffer *bytes, int file)
{
    char block[1 << 14];
    const ocelotl_sink sink = ocelotl_buffer_sink(bytes);
    for (ssize_t got; (got = read(file, block, sizeof block)) != 0;) {
        if (got < 0 && errno != EINTR)
            return oc_fail(OCELOTL_ERROR_IO, "cannot read: %s", strerror(errno));
        if (got > 0)
            OC_TRY(sink.write(sink.context, block, (size_t)got));
    }
    return OCELOTL_OK;
}

/* *found says whether there is such a file. */
static ocelotl_status read_file(bool *found, ocelotl_buffer *bytes, int folder, const char *name)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *found = file >= 0;
    if (file < 0)
        return errno == ENOENT ? OCELOTL_OK
                               : oc_fail(OCELOTL_ERROR_IO, "cannot open: %s", strerror(errno));
    const ocelotl_status status = read_whole(bytes, file);
    close(file);
    return status;
}

/* Whether parameters are as they were written; *size is that of what their digest is of. */
static bool is_sealed(size_t *size, const ocelotl_buffer *parameters)
{
    const size_t tail = strlen(member) + DIGITS + strlen(end);
    char digits[DIGITS + 1];
    if (parameters->bytes == NULL || parameters->size < tail)
        return false;
    const char *at = parameters->bytes + (parameters->size - tail);
    *size = parameters->size - tail;
    write_digest(digits, parameters->bytes, *size);
    return memcmp(at, member, strlen(member)) == 0 &&
           memcmp(at + strlen(member), digits, DIGITS) == 0 &&
           memcmp(at + strlen(member) + DIGITS, end, strlen(end)) == 0;
}

static ocelotl_status fail_changed(const char *name)
{
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "holds \"%s\", which is not what a snapshot wrote, expected another folder, or "
                   "--force to replace it",
                   name);
}

/* Refuses the bytes of a file that the parameters do not list. */
static ocelotl_status check_bytes(size_t file, const ocelotl_buffer *bytes,
                                  const ocelotl_buffer *parameters, size_t size)
{
    oc_text entry = {0};
    ocelotl_status status = OCELOTL_OK;
    format_entry(&entry, file, bytes);
    if (entry.failed)
        status = oc_fail_memory();
    else if (memmem(parameters->bytes, size, entry.bytes, entry.length) == NULL)
        status = fail_changed(oc_snapshot_names[file]);
    oc_text_free(&entry);
    return status;
}

static ocelotl_status check_file(int folder, size_t file, const ocelotl_buffer *parameters,
                                 size_t size)
{
    ocelotl_buffer bytes = {0};
    bool found = false;
    ocelotl_status status = read_file(&found, &bytes, folder, oc_snapshot_names[file]);
    if (status == OCELOTL_OK && found)
        status = check_bytes(file, &bytes, parameters, size);
    ocelotl_buffer_free(&bytes);
    return status;
}

static ocelotl_status check_files(int folder, ocelotl_buffer *parameters)
{
    size_t size = 0;
    bool found = false;
    OC_TRY(read_file(&found, parameters, folder, oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]));
    if (!is_sealed(&size, parameters))
        return fail_changed(oc_snapshot_names[found ? OC_SNAPSHOT_PARAMETERS : 0]);
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++)
        OC_TRY(check_file(folder, i, parameters, size));
    return OCELOTL_OK;
}

ocelotl_status oc_snapshot_check_record(int folder)
{
    ocelotl_buffer parameters = {0};
    const ocelotl_status status = check_files(folder, &parameters);
    ocelotl_buffer_free(&parameters);
    return status;
}

/* --- In a zip */

/* Counts the files that are there; one that cannot be unpacked is none. */
static ocelotl_status check_zipped(size_t *count, const void *zip, size_t zip_size,
                                   const ocelotl_buffer *parameters)
{
    size_t size = 0;
    if (!is_sealed(&size, parameters))
        return fail_changed(oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]);
    *count = 1;
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++) {
        ocelotl_buffer bytes = {0};
        ocelotl_status status = ocelotl_snapshot_unzip(&bytes, zip, zip_size, oc_snapshot_names[i]);
        const bool found = status == OCELOTL_OK;
        if (status == OCELOTL_ERROR_INPUT)
            status = OCELOTL_OK;
        else if (found)
            status = check_bytes(i, &bytes, parameters, size);
        ocelotl_buffer_free(&bytes);
        OC_TRY(status);
        *count += found;
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_snapshot_check_zip(const void *zip, size_t size)
{
    ocelotl_buffer parameters = {0};
    size_t count = 0;
    OC_TRY(
        ocelotl_snapshot_unzip(&parameters, zip, size, oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]));
    const ocelotl_status status = check_zipped(&count, zip, size, &parameters);
    ocelotl_buffer_free(&parameters);
    OC_TRY(status);
    return count == oc_snapshot_zip_count(zip, size)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT,
                         "the zip has more than a snapshot, expected that alone");
}
