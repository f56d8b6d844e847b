/* An OTF2 archive with hostile bytes: its import succeeds or fails with a message and leaves
 * nothing; what it wrote is sound.
 *
 * The input: a byte for the options, then edits of five bytes of the files of a small archive: the
 * file and what is done, where (two bytes), with what (two bytes). The library that reads them does
 * not check all that it reads: what it leaves behind, and asks for, is not looked at here. */
#include "ask.h"
#include "files.h"

#include "../test_otf2_records.h"

enum { FILES = 5, KINDS = 8 };

static fuzz_file files[FILES] = {{.name = "run.otf2"},
                                 {.name = "run.def"},
                                 {.name = "run/7.evt"},
                                 {.name = "run/5000000000.evt"},
                                 {.name = "run/7.def"}};
static made archive;

/* Of the library: it keeps what it made of an archive that it cannot open, and asks for as much as
 * a file says. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}

static void remove_archive(void)
{
    made_remove(archive.folder);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    made_write(&archive, "archive");
    CHECK(atexit(remove_archive) == 0);
    for (size_t i = 0; i < FILES; i++) {
        char *bytes = temporary_read(&files[i].length, made_path(&archive, files[i].name));
        CHECK(files[i].length < FILE_ROOM / 2);
        memcpy(files[i].bytes, bytes, files[i].length);
        free(bytes);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const ocelotl_import_value values[] = {OCELOTL_VALUE_USUAL, OCELOTL_VALUE_CALLPATH,
                                                  OCELOTL_VALUE_ROLE, OCELOTL_VALUE_PARADIGM};
    static fuzz_file edited[FILES];
    const char *target = temporary_path("trace.db");
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    memcpy(edited, files, sizeof edited);
    fuzz_files_edit(edited, FILES, KINDS, bytes + 1, length - 1);
    for (size_t i = 0; i < FILES; i++)
        temporary_write(made_path(&archive, edited[i].name), edited[i].bytes, edited[i].length);
    options.overwrite = true;
    options.format = "otf2";
    options.lenient = bytes[0] % 2 == 0;
    options.work.threads = 1 + bytes[0] / 2 % 2;
    options.value = values[bytes[0] / 4 % 4];
    const ocelotl_status status = ocelotl_import(target, made_path(&archive, "run.otf2"), &options);
    if (status == OCELOTL_ERROR_MEMORY) /* what a library made of an absurd size */
        FUZZ_CHECK(access(target, F_OK) != 0);
    else
        check_import(target, status);
    return 0;
}
