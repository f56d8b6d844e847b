/* PICL traces of any bytes: their import succeeds or fails with a message and leaves nothing; what
 * it wrote is sound. The first byte chooses the options; the rest is the trace, or, from 128 on, up
 * to the first NUL, and behind it the file of its names. */
#include "fuzz.h"
#include "ask.h"

#include <ocelotl/ocelotl.h>

#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    const char *const files[] = {temporary_path("a.picl"), temporary_path("a.picl.names")};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    unlink(files[1]);
    fuzz_write_parts(files, bytes + 1, length - 1, bytes[0] >= 128);
    options.format = bytes[0] % 4 < 2 ? "picl" : NULL;
    options.overwrite = true;
    options.lenient = bytes[0] % 2 == 0;
    const ocelotl_status status = ocelotl_import_files(target, files, 1, &options);
    check_import(target, status);
    return 0;
}
