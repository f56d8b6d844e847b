/* A CTF trace with hostile bytes: its import succeeds or fails with a message and leaves nothing;
 * what it wrote is sound.
 *
 * The input: a byte for the options, then edits of five bytes of the metadata (text) and the
 * stream of a small trace of a kernel: the file and what is done, where (two bytes), with what
 * (two bytes). */
#include "ask.h"
#include "files.h"

enum { FILES = 2, KINDS = 7 };

static fuzz_file files[FILES] = {{.name = "metadata"}, {.name = "stream"}};
static char folder[3000];

static const char metadata[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };\n"
    "env { domain = \"kernel\"; hostname = \"h\"; };\n"
    "clock { name = c; freq = 1000; offset_s = 5; };\n"
    "typealias integer { size = 64; align = 8; map = clock.c.value; } := stamp;\n"
    "stream { event.header := struct { u8 id; stamp timestamp; };\n"
    "packet.context := struct { u32 content_size; u32 packet_size; u8 cpu_id;\n"
    "u32 events_discarded; stamp timestamp_begin; stamp timestamp_end; };\n"
    "event.context := struct { u8 tid; string procname; }; };\n"
    "event { id = 0; name = sched_switch; fields := struct { string prev_comm;\n"
    "u8 prev_tid; u8 prev_state; string next_comm; u8 next_tid; }; };\n"
    "event { id = 1; name = syscall_entry_read; fields := struct { u8 fd; }; };\n"
    "event { id = 2; name = syscall_exit_read; fields := struct { u8 ret; }; };\n"
    "event { id = 3; name = irq_handler_entry; fields := struct { u8 irq; }; };\n"
    "event { id = 4; name = irq_handler_exit; fields := struct { enum : u8 { A, B } ret; }; };\n"
    "event { id = 5; name = sched_process_fork; fields := struct { u8 child_tid;\n"
    "string child_comm; }; };\n"
    "event { id = 6; name = sched_wakeup; fields := struct { u8 tid; }; };\n"
    "event { id = 7; name = work_begin; fields := struct { u8 n; u8 a[n]; }; };\n"
    "event { id = 8; name = work_end; fields := struct { struct { u8 x; } s; }; };\n";

static void add(const void *bytes, size_t length)
{
    memcpy(files[1].bytes + files[1].length, bytes, length);
    files[1].length += length;
}

static void add_number(uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        add(&(uint8_t){(uint8_t)(number >> 8 * i)}, 1);
}

static void add_event(uint8_t id, uint64_t time, const char *fields, size_t length)
{
    add_number(id, 1);
    add_number(time, 8);
    add("\x07p", 3);
    add(fields, length);
}

static void add_packet(uint64_t time, uint32_t discarded)
{
    const size_t begin = files[1].length;
    add_number(0xC1FC1FC1, 4);
    add_number(0, 8); /* sizes */
    add_number(0, 1);
    add_number(discarded, 4);
    add_number(time, 8);
    add_number(time + 9, 8);
    add_event(0, time,
              "a\0\x00\x00"
              "b\0\x07",
              7);
    add_event(1, time + 1, "\x03", 1);
    add_event(3, time + 2, "\x05", 1);
    add_event(4, time + 3, "\x01", 1);
    add_event(7, time + 4, "\x02xy", 3);
    add_event(2, time + 5, "\x09", 1);
    add_event(8, time + 6, "\x09", 1);
    add_event(5, time + 7,
              "\x08"
              "c",
              3);
    add_event(6, time + 8, "\x08", 1);
    add_event(0, time + 9,
              "b\0\x07\x40"
              "c\0\x08",
              7);
    const uint64_t bits = (files[1].length - begin) * 8;
    for (size_t i = 0; i < 8; i++)
        files[1].bytes[begin + 4 + i] = (uint8_t)(bits >> 8 * (i % 4));
}

/* A path in the folder of the trace; valid until the next call. */
static const char *path_of(size_t file)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, files[file].name);
    return path;
}

static void remove_files(void)
{
    for (size_t i = 0; i < FILES; i++)
        unlink(path_of(i));
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    snprintf(folder, sizeof folder, "%s", temporary_path("trace"));
    FUZZ_CHECK(mkdir(folder, 0700) == 0 && atexit(remove_files) == 0);
    files[0].length = sizeof metadata - 1;
    memcpy(files[0].bytes, metadata, files[0].length);
    add_packet(10, 0);
    add_packet(30, 4);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static fuzz_file edited[FILES];
    const char *target = temporary_path("trace.db");
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    memcpy(edited, files, sizeof edited);
    const size_t edits = fuzz_files_edit(edited, FILES, KINDS, bytes + 1, length - 1);
    for (size_t i = 0; i < FILES; i++)
        temporary_write(path_of(i), edited[i].bytes, edited[i].length);
    options.overwrite = true;
    options.format = "ctf";
    options.lenient = bytes[0] % 2 == 0;
    options.pairs = bytes[0] / 2 % 2 == 0 ? NULL : "sched_wakeup=sched_process_fork";
    const ocelotl_status status = ocelotl_import(target, folder, &options);
    FUZZ_CHECK(status == OCELOTL_OK || edits > 0); /* without an edit it is whole */
    if (status == OCELOTL_ERROR_MEMORY)            /* what a library made of an absurd size */
        FUZZ_CHECK(access(target, F_OK) != 0);
    else
        check_import(target, status);
    return 0;
}
