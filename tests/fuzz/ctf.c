/* A CTF trace with hostile bytes: its import succeeds or fails with a message and leaves nothing;
 * what it wrote is sound.
 *
 * The input: a byte for the options and the version of CTF, then edits of five bytes of the
 * metadata (text, or JSON) and the stream of a small trace of a kernel: the file and what is done,
 * where (two bytes), with what (two bytes). */
#include "ask.h"
#include "files.h"

enum { FILES = 2, KINDS = 7 };

static fuzz_file files[FILES] = {{.name = "metadata"}, {.name = "stream"}};
static fuzz_file fragments;
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

/* The same of CTF 2, with what it alone has in fields that hold the same bytes.
 * Each text is a fragment, whose quotes stand for double ones. */
static const char *const json[] = {
    "{'type':'preamble','version':2,'extensions':{'a':{}}}",
    "{'type':'field-class-alias','name':'u8',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':8,'alignment':8,"
    "'byte-order':'little-endian'}}",
    "{'type':'field-class-alias','name':'text',"
    "'field-class':{'type':'null-terminated-string'}}",
    "{'type':'trace-class','uid':'1','environment':{'domain':'kernel','n':-1},"
    "'packet-header-field-class':{'type':'structure','member-classes':[{'name':'m',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':32,'alignment':8,"
    "'byte-order':'little-endian','roles':['packet-magic-number']}}]}}",
    "{'type':'clock-class','id':'c','frequency':1000,'origin':'unix-epoch',"
    "'offset-from-origin':{'seconds':5,'cycles':1}}",
    "{'type':'data-stream-class','default-clock-class-id':'c',"
    "'packet-context-field-class':{'type':'structure','member-classes':[{'name':'a',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':32,'alignment':8,"
    "'byte-order':'little-endian','roles':['packet-content-length']}},{'name':'b',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':32,'alignment':8,"
    "'byte-order':'little-endian','roles':['packet-total-length']}},{'name':'cpu_id',"
    "'field-class':'u8'},{'name':'d','field-class':{'type':'fixed-length-unsigned-integer',"
    "'length':32,'alignment':8,'byte-order':'little-endian',"
    "'roles':['discarded-event-record-counter-snapshot']}},{'name':'e',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':64,'alignment':8,"
    "'byte-order':'little-endian','roles':['default-clock-timestamp']}},{'name':'f',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':64,'alignment':8,"
    "'byte-order':'little-endian','roles':['packet-end-default-clock-timestamp']}}]},"
    "'event-record-header-field-class':{'type':'structure','member-classes':[{'name':'id',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':8,'alignment':8,"
    "'byte-order':'little-endian','roles':['event-record-class-id']}},{'name':'t',"
    "'field-class':{'type':'fixed-length-unsigned-integer','length':64,'alignment':8,"
    "'byte-order':'little-endian','roles':['default-clock-timestamp']}}]},"
    "'event-record-common-context-field-class':{'type':'structure',"
    "'member-classes':[{'name':'tid','field-class':'u8'},{'name':'procname',"
    "'field-class':'text'}]}}",
    "{'type':'event-record-class','id':0,'name':'sched_switch',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'prev_comm',"
    "'field-class':'text'},{'name':'prev_tid','field-class':'u8'},{'name':'prev_state',"
    "'field-class':'u8'},{'name':'next_comm','field-class':'text'},{'name':'next_tid',"
    "'field-class':'u8'}]}}",
    "{'type':'event-record-class','id':1,'name':'syscall_entry_read',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'fd',"
    "'field-class':{'type':'fixed-length-bit-map','length':8,'byte-order':'big-endian',"
    "'bit-order':'first-to-last','flags':{'a':[[0,3],[6,6]]}}}]}}",
    "{'type':'event-record-class','id':2,'name':'syscall_exit_read',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'ret',"
    "'field-class':{'type':'variable-length-signed-integer','preferred-display-base':16,"
    "'mappings':{'x':[[-3,4]]}}}]}}",
    "{'type':'event-record-class','id':3,'name':'irq_handler_entry',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'irq',"
    "'field-class':'u8'}]}}",
    "{'type':'event-record-class','id':4,'name':'irq_handler_exit',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'ret',"
    "'field-class':{'type':'fixed-length-boolean','length':8,'byte-order':'little-endian'}},"
    "{'name':'o','field-class':{'type':'optional',"
    "'selector-field-location':{'origin':'event-record-common-context','path':['tid']},"
    "'selector-field-ranges':[[9,9]],'field-class':'u8'}}]}}",
    "{'type':'event-record-class','id':5,'name':'sched_process_fork',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'child_tid',"
    "'field-class':'u8'},{'name':'child_comm','field-class':'text'}]}}",
    "{'type':'event-record-class','id':6,'name':'sched_wakeup',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'v',"
    "'field-class':{'type':'variant',"
    "'selector-field-location':{'origin':'event-record-common-context','path':['tid']},"
    "'options':[{'selector-field-ranges':[[0,255]],'field-class':'u8'},"
    "{'selector-field-ranges':[[256,999]],'field-class':'text'}]}}]}}",
    "{'type':'event-record-class','id':7,'name':'work_begin',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'n',"
    "'field-class':'u8'},{'name':'a','field-class':{'type':'dynamic-length-string',"
    "'encoding':'utf-16le','length-field-location':{'path':['n']}}},{'name':'b',"
    "'field-class':{'type':'static-length-array','length':0,"
    "'element-field-class':{'type':'dynamic-length-blob',"
    "'length-field-location':{'path':['n']}}}}]}}",
    "{'type':'event-record-class','id':8,'name':'work_end',"
    "'payload-field-class':{'type':'structure','member-classes':[{'name':'s',"
    "'field-class':{'type':'structure','member-classes':[{'name':'x','field-class':'u8'},"
    "{'name':'y','field-class':{'type':'static-length-string','length':0}}]}}]}}",
};

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
    fragments.name = files[0].name;
    for (size_t i = 0; i < sizeof json / sizeof json[0]; i++) {
        fragments.bytes[fragments.length++] = 0x1E;
        for (const char *next = json[i]; *next != '\0'; next++)
            fragments.bytes[fragments.length++] = (uint8_t)(*next == '\'' ? '"' : *next);
    }
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
    if (bytes[0] / 4 % 2 == 1)
        edited[0] = fragments;
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
