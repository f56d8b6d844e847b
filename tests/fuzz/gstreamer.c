/* Logs of GStreamer of any bytes: their import succeeds or fails with a message and leaves nothing;
 * what it wrote is sound. The first byte chooses the options; the rest is the
 * file, or, from 128 on, up to the first NUL, and behind it another file. */
#include "fuzz.h"
#include "ask.h"

#include <ocelotl/ocelotl.h>

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
    const char *const sources[] = {temporary_path("a.log"), temporary_path("b.log")};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    const size_t count = fuzz_write_parts(sources, bytes + 1, length - 1, bytes[0] >= 128);
    options.format = "gstreamer";
    options.overwrite = true;
    options.lenient = bytes[0] % 2 == 0;
    options.same_root = bytes[0] / 2 % 2 == 0;
    options.align = (ocelotl_align)(bytes[0] / 4 % 4);
    options.value = (ocelotl_import_value)(bytes[0] / 16 % 3);
    const ocelotl_status status = ocelotl_import_files(target, sources, count, &options);
    check_import(target, status);
    return 0;
}
