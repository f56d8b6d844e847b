/* An OTF2 archive with hostile bytes: its import succeeds or fails with a message and leaves
 * nothing; what it wrote is sound.
 *
 * The input: a byte for the options, then edits of five bytes of the files of a small archive: the
 * file and what is done, where (two bytes), with what (two bytes). The library that reads them does
 * not check all that it reads: what it leaves behind, and asks for, is not looked at here. */
#include "fuzz.h"
#include "ask.h"

#include "../test_otf2_records.h"

#include <ocelotl/ocelotl.h>

enum { FILES = 5, EDIT = 5, MOST_EDITS = 12, ROOM = 1 << 17 };

typedef struct content {
    const char *name;
    size_t length;
    uint8_t bytes[ROOM];
} content;

static content files[FILES] = {{.name = "run.otf2"},
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
        CHECK(files[i].length < ROOM / 2);
        memcpy(files[i].bytes, bytes, files[i].length);
        free(bytes);
    }
    return 0;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void insert(content *file, size_t place, size_t count, uint8_t byte)
{
    if (file->length + count > ROOM)
        return;
    memmove(file->bytes + place + count, file->bytes + place, file->length - place);
    memset(file->bytes + place, byte, count);
    file->length += count;
}

static void edit(content *file, unsigned what, size_t place, const uint8_t value[2])
{
    const size_t wide = smaller(value[1], file->length - place);
    uint8_t *at = file->bytes + place;
    if (what == 0 || what == 1)
        at[0] = value[0];
    else if (what == 2)
        at[0] = (uint8_t)(at[0] + value[0]);
    else if (what == 3)
        memset(at, value[0], smaller(wide, 9));
    else if (what == 4)
        insert(file, place, value[1] % 16, value[0]);
    else if (what == 5) {
        memmove(at, at + wide, file->length - place - wide);
        file->length -= wide;
    } else if (what == 6)
        file->length = place;
    else if (file->length + wide <= ROOM) { /* the same bytes once more */
        insert(file, place, wide, 0);
        memcpy(file->bytes + place, file->bytes + place + wide, wide);
    }
}

/* The edited files, or none where all of one is taken away. */
static void write_files(const uint8_t *edits, size_t count)
{
    static content edited[FILES];
    memcpy(edited, files, sizeof edited);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *one = edits + i * EDIT;
        content *file = &edited[one[0] % FILES];
        if (file->length > 0)
            edit(file, one[0] / FILES % 8, (one[1] + 256U * one[2]) % file->length, one + 3);
    }
    for (size_t i = 0; i < FILES; i++)
        temporary_write(made_path(&archive, edited[i].name), edited[i].bytes, edited[i].length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const ocelotl_import_value values[] = {OCELOTL_VALUE_USUAL, OCELOTL_VALUE_CALLPATH,
                                                  OCELOTL_VALUE_ROLE, OCELOTL_VALUE_PARADIGM};
    const char *target = temporary_path("trace.db");
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    write_files(bytes + 1, smaller((length - 1) / EDIT, MOST_EDITS));
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
