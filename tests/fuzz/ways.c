/* Paje traces of any bytes, imported in two ways: each line the long way in blocks of the usual
 * size by one thread, and the short way in blocks of any size by several. Both come to the same
 * trace.db, byte for byte, or fail with the same message. The first byte chooses the options and
 * the threads, the second the size of blocks; the rest is the trace. */
#include "fuzz.h"

#include "importers/importer.h"

#include <ocelotl/ocelotl.h>

#include <sqlite3.h>
#include <sys/mman.h>

enum { MESSAGE = 4096 };

typedef struct outcome {
    ocelotl_status status;
    char message[MESSAGE];
    uint8_t *bytes;
    size_t length;
} outcome;

static int input = -1;
static char source[64];

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    /* Counting its memory is a fifth of what an import of few lines takes. */
    FUZZ_CHECK(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK);
    temporary_begin();
    input = memfd_create("trace", MFD_CLOEXEC);
    FUZZ_CHECK(input >= 0);
    snprintf(source, sizeof source, "/proc/self/fd/%d", input);
    return 0;
}

static void read_target(outcome *made, const char *target)
{
    FILE *file = fopen(target, "rb");
    FUZZ_CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    made->length = (size_t)ftell(file);
    rewind(file);
    made->bytes = malloc(made->length + 1);
    FUZZ_CHECK(made->bytes != NULL && fread(made->bytes, 1, made->length, file) == made->length);
    fclose(file);
    FUZZ_CHECK(unlink(target) == 0);
}

static void import(outcome *made, uint8_t choice, size_t block_size, uint32_t threads,
                   bool long_way)
{
    static const char *const units[] = {NULL, "ms", "us", "ns"};
    const char *target = temporary_path("trace.db");
    const char *sources[] = {source};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.format = "paje";
    options.name = "ways";
    options.overwrite = true;
    options.lenient = choice % 2 == 0;
    options.time_unit = units[choice / 2 % 4];
    options.work.threads = threads;
    *made = (outcome){0};
    made->status = oc_import_files(target, sources, 1, &options, block_size, long_way);
    if (made->status == OCELOTL_OK)
        read_target(made, target);
    else
        snprintf(made->message, sizeof made->message, "%s", ocelotl_error_message());
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    outcome right;
    outcome made;
    if (length < 2)
        return 0;
    FUZZ_CHECK(ftruncate(input, 0) == 0);
    FUZZ_CHECK(pwrite(input, bytes + 2, length - 2, 0) == (ssize_t)(length - 2));
    import(&right, bytes[0], 0, 1, true);
    import(&made, bytes[0], (size_t)bytes[1] * bytes[1] + 1, 1 + bytes[0] / 8 % 4, bytes[0] >= 224);
    FUZZ_CHECK(made.status == right.status && strcmp(made.message, right.message) == 0);
    FUZZ_CHECK(made.length == right.length);
    FUZZ_CHECK(made.length == 0 || memcmp(made.bytes, right.bytes, made.length) == 0);
    free(right.bytes);
    free(made.bytes);
    return 0;
}
