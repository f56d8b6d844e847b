/* Tables of any bytes, from import to model. The first byte chooses the options; where it says so,
 * the first line is --columns. The rest is one file, or two with a line "==" between them. */
#include "fuzz.h"
#include "ask.h"

#include <ocelotl/ocelotl.h>

enum { COLUMNS = 256 };

enum { LENIENT = 1, SAME_ROOT = 2, HAS_COLUMNS = 4, MILLISECONDS = 8 };

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

/* Takes the first line off the input, without NUL bytes. */
static void take_columns(char columns[COLUMNS], const uint8_t **bytes, size_t *length)
{
    size_t used = 0;
    for (; *length > 0 && **bytes != '\n'; ++*bytes, --*length)
        if (used < COLUMNS - 1 && **bytes != '\0')
            columns[used++] = (char)**bytes;
    columns[used] = '\0';
    *bytes += *length > 0;
    *length -= *length > 0;
}

static ocelotl_status import(const char *target, const uint8_t *bytes, size_t length)
{
    static const char separator[] = "\n==\n";
    char columns[COLUMNS];
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    const uint8_t choice = *bytes++;
    const char *paths[2] = {temporary_path("one.csv"), temporary_path("two.csv")};
    length--;
    options.format = "csv";
    options.overwrite = true;
    options.lenient = choice & LENIENT;
    options.same_root = choice & SAME_ROOT;
    options.time_unit = choice & MILLISECONDS ? "ms" : NULL;
    if (choice & HAS_COLUMNS) {
        take_columns(columns, &bytes, &length);
        options.columns = columns;
    }
    const uint8_t *end = memmem(bytes, length, separator, sizeof separator - 1);
    const size_t size = end != NULL ? (size_t)(end - bytes) + 1 : length;
    temporary_write(paths[0], bytes, size);
    if (end != NULL)
        temporary_write(paths[1], end + sizeof separator - 1,
                        length - size - (sizeof separator - 2));
    return ocelotl_import_files(target, paths, end != NULL ? 2 : 1, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    if (length == 0)
        return 0;
    const ocelotl_status status = import(target, bytes, length);
    check_import(target, status);
    return 0;
}
