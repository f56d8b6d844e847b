/* The file that trace-cmd record writes: what its header says of events and names, and its records
 * in order of time. */
#ifndef OC_IMPORTERS_PERF_DAT_H
#define OC_IMPORTERS_PERF_DAT_H

#include "importers/perf/reader.h"

/* Bytes of the file. A read beyond the end sets `failed`, and all later ones give 0. */
typedef struct dat_bytes {
    const unsigned char *at, *end;
    bool is_big, failed; /* the highest byte comes first */
} dat_bytes;

/* A name by its number: of a function by its address, of a text by its place, of a command by its
 * thread. */
typedef struct dat_name {
    uint64_t number;
    perf_text name;
} dat_name;

/* In order of their numbers. */
typedef struct dat_names {
    dat_name *names;
    size_t count, capacity;
} dat_names;

typedef enum dat_form {
    DAT_NUMBERS, /* one, or some behind each other */
    DAT_ADDRESS,
    DAT_TEXT
} dat_form;

typedef struct dat_field {
    perf_text name;
    uint32_t offset, size, element; /* the size of one number; */
    bool is_signed, is_array;
    bool is_far, is_relative; /* it is elsewhere in the record: its bits say where, */
    dat_form form;
    bool has_flags; /* the names are of bits, else of numbers */
    dat_names names;
} dat_field;

typedef enum dat_role { DAT_EVENT, DAT_FUNCTION, DAT_PRINT, DAT_BPRINT, DAT_BPUTS } dat_role;

typedef struct dat_event {
    perf_text name; /* of length 0: there is none of this number */
    dat_role role;
    dat_field *fields;
    size_t count, capacity;
} dat_event;

/* What a file says of its events and names; texts are its own bytes, or in the arena. */
typedef struct dat_format {
    oc_arena arena;
    uint32_t word;     /* the size of a long of the kernel */
    dat_event *events; /* by number */
    size_t event_count, event_capacity;
    dat_field type, flags, thread; /* what each record begins with */
    dat_names functions, texts, commands;
} dat_format;

/* The next number of 1 to 8 bytes, and the next bytes; a text ends with a '\0'. */
uint64_t dat_number(dat_bytes *bytes, size_t size);
dat_bytes dat_cut(dat_bytes *bytes, uint64_t size);
perf_text dat_string(dat_bytes *bytes);

/* Where a page has its data, and the size of the number that counts them, as the kernel's file
 * header_page says it. */
void dat_read_page(uint32_t *data, uint32_t *commit, dat_bytes text);

/* Adds an event that a text describes, as the kernel's files `format` do. Errors: INPUT, MEMORY. */
ocelotl_status dat_add_event(dat_format *format, dat_bytes text);

/* Adds names of a text of lines: of functions (kallsyms), of texts (printk_formats), of commands
 * (saved_cmdlines). Errors: MEMORY. */
ocelotl_status dat_add_functions(dat_format *format, dat_bytes text);
ocelotl_status dat_add_texts(dat_format *format, dat_bytes text);
ocelotl_status dat_add_commands(dat_format *format, dat_bytes text);

/* The name of a number, or that of the last one below it; of length 0 where there is none. */
perf_text dat_find(const dat_names *names, uint64_t number, bool or_below);

/* The number of a field of a record; 0 where the record is too short. */
uint64_t dat_field_number(const dat_field *field, dat_bytes record);

/* Appends what a record says, as a report has it: "name=value ..", or what was printed. */
void dat_describe(oc_text *text, const dat_format *format, const dat_event *event,
                  dat_bytes record);

/* Reads a file, and takes its records as samples. */
ocelotl_status perf_read_dat(perf_reader *reader, const oc_source *source);

#endif
