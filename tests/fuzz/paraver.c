/* Paraver traces of any bytes, from import to model. The first byte chooses the options; the rest
 * is a .prv, and behind a line "==" each the .pcf and the .row beside it, which may be missing. */
#include "fuzz.h"
#include "ask.h"

#include "importers/paraver/header.h"

#include <ocelotl/ocelotl.h>

#include <errno.h>

enum { FILES = 3, OBJECTS = 2000, HEADER = 4096 };

static const char *const names[FILES] = {"run.prv", "run.pcf", "run.row"};

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

/* A header of a few bytes can list a million threads: that is slow, and no fault. */
static bool is_large(const uint8_t *bytes, size_t length)
{
    char line[HEADER] = {0};
    paraver_header header = {0};
    const uint8_t *end = memchr(bytes, '\n', length);
    const size_t size = end != NULL ? (size_t)(end - bytes) : length;
    memcpy(line, bytes, size < HEADER ? size : HEADER - 1);
    const bool sound = paraver_header_read(&header, line) == OCELOTL_OK;
    const size_t objects = header.node_count + header.cpu_count + header.application_count +
                           header.task_count + header.thread_count;
    paraver_header_free(&header);
    return size >= HEADER || (sound && objects > OBJECTS);
}

static void write_files(const uint8_t *bytes, size_t length)
{
    static const char separator[] = "\n==\n";
    for (size_t i = 0; i < FILES; i++) {
        const char *path = temporary_path(names[i]);
        const uint8_t *end =
            length > 0 ? memmem(bytes, length, separator, sizeof separator - 1) : NULL;
        const size_t size = end != NULL && i + 1 < FILES ? (size_t)(end - bytes) + 1 : length;
        if (size > 0 || i == 0)
            temporary_write(path, bytes, size);
        else
            FUZZ_CHECK(unlink(path) == 0 || errno == ENOENT);
        length -= size;
        bytes += size;
        if (length > 0) {
            bytes += sizeof separator - 2;
            length -= sizeof separator - 2;
        }
    }
}

static ocelotl_status import(const char *target, uint8_t choice)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.format = "paraver";
    options.overwrite = true;
    options.lenient = choice % 2 == 0;
    options.by = choice & 2 ? OCELOTL_BY_CPU : OCELOTL_BY_THREAD;
    return ocelotl_import(target, temporary_path(choice & 4 ? "." : names[0]), &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    if (length == 0 || is_large(bytes + 1, length - 1))
        return 0;
    write_files(bytes + 1, length - 1);
    const ocelotl_status status = import(target, bytes[0]);
    check_import(target, status);
    return 0;
}
