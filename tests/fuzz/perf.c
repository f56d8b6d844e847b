/* What perf script prints, of any bytes, from import to model. The first byte chooses the options;
 * the rest is the text. */
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
    static const char *const folds[] = {NULL, "[0-9]+", "a|b", "(x*y)+"};
    const char *target = temporary_path("trace.db");
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    temporary_write(temporary_path("run.txt"), bytes + 1, length - 1);
    options.format = "perf";
    options.overwrite = true;
    options.lenient = bytes[0] % 2 == 0;
    options.stacks = bytes[0] / 2 % 2 == 0;
    options.fold_names = folds[bytes[0] / 4 % 4];
    const ocelotl_status status = ocelotl_import(target, temporary_path("run.txt"), &options);
    check_import(target, status);
    return 0;
}
