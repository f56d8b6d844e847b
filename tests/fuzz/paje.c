/* Paje traces of any bytes: their import succeeds or fails with a message and leaves nothing; what
 * it wrote can be cut into slices and read event by event, and is never damaged. The first byte
 * chooses the options; the rest is the trace, or, from 128 on, up to the first NUL, and behind it
 * another file, which the first one can name as "part.trace", or which is given, too. */
#include "fuzz.h"
#include "ask.h"

#include <ocelotl/ocelotl.h>

#include <sys/mman.h>

static int input = -1;
static char source[64];

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    input = memfd_create("trace", MFD_CLOEXEC);
    FUZZ_CHECK(input >= 0);
    snprintf(source, sizeof source, "/proc/self/fd/%d", input);
    return 0;
}

static void write_input(const uint8_t *bytes, size_t length)
{
    FUZZ_CHECK(ftruncate(input, 0) == 0);
    FUZZ_CHECK(pwrite(input, bytes, length, 0) == (ssize_t)length);
}

static ocelotl_status import_two(const char *target, const ocelotl_import_options *options,
                                 uint8_t choice)
{
    const char *const sources[] = {temporary_path("main.trace"), temporary_path("part.trace")};
    return ocelotl_import_files(target, sources, choice & 32 ? 1 : 2, options);
}

static ocelotl_status import(const char *target, uint8_t choice)
{
    static const char *const units[] = {NULL, "s", "ms", "us", "ns"};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.format = "paje";
    options.overwrite = true;
    options.lenient = choice % 2 == 0;
    options.time_unit = units[choice / 2 % 5];
    options.same_root = (choice & 64) != 0;
    if (choice >= 128)
        return import_two(target, &options, choice);
    return ocelotl_import(target, source, &options);
}

static void write_two(const uint8_t *bytes, size_t length)
{
    const uint8_t *end = memchr(bytes, 0, length);
    const size_t first = end != NULL ? (size_t)(end - bytes) : length;
    temporary_write(temporary_path("main.trace"), bytes, first);
    temporary_write(temporary_path("part.trace"), bytes + first, length - first);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    if (length == 0)
        return 0;
    if (bytes[0] >= 128)
        write_two(bytes + 1, length - 1);
    else
        write_input(bytes + 1, length - 1);
    const ocelotl_status status = import(target, bytes[0]);
    check_import(target, status);
    return 0;
}
