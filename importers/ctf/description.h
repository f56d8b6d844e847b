/* What the metadata of a CTF trace describes: its clocks, streams and events, and the layout of
 * what stands in their files, in bits. */
#ifndef OC_IMPORTERS_CTF_DESCRIPTION_H
#define OC_IMPORTERS_CTF_DESCRIPTION_H

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ctf_kind {
    CTF_INTEGER, /* also enumerations */
    CTF_REAL,
    CTF_STRING,
    CTF_STRUCTURE,
    CTF_VARIANT,
    CTF_ARRAY,
    CTF_SEQUENCE
} ctf_kind;

typedef enum ctf_order { CTF_NATIVE, CTF_LITTLE, CTF_BIG } ctf_order;

/* How the bits of a number stand. */
typedef enum ctf_coding {
    CTF_PLAIN,
    CTF_REVERSED, /* the other way round than usual for its order of bytes */
    CTF_LEB128    /* in as many bytes as it needs, of 7 bits each */
} ctf_coding;

/* What the bytes of a string are, or those of an array or a sequence that is one value. */
typedef enum ctf_text {
    CTF_NO_TEXT,
    CTF_UTF8,
    CTF_UTF16_LITTLE,
    CTF_UTF16_BIG,
    CTF_UTF32_LITTLE,
    CTF_UTF32_BIG,
    CTF_BYTES /* without a meaning, shown in hexadecimal digits */
} ctf_text;

/* What the number of a field says of its packet or event. */
typedef enum ctf_meaning {
    CTF_IS_MAGIC,
    CTF_IS_STREAM, /* its class */
    CTF_IS_INSTANCE,
    CTF_IS_SIZE,
    CTF_IS_CONTENT,
    CTF_IS_BEGIN,
    CTF_IS_END, /* it leaves the clock as it is */
    CTF_IS_DISCARDED,
    CTF_IS_EVENT,
    CTF_IS_UUID, /* of CTF 2's metadata: bytes, no number */
    CTF_MEANINGS
} ctf_meaning;

/* Where a packet and an event have their fields, in their order. */
typedef enum ctf_root {
    CTF_PACKET_HEADER,
    CTF_PACKET_CONTEXT,
    CTF_EVENT_HEADER,
    CTF_EVENT_COMMON,   /* context of its stream's events */
    CTF_EVENT_SPECIFIC, /* context of its class */
    CTF_EVENT_PAYLOAD,
    CTF_ROOTS
} ctf_root;

/* Numbers of an enumeration, both inclusive; of unsigned ones they are the bits of a uint64_t. */
typedef struct ctf_label {
    const char *name;
    int64_t low, high;
} ctf_label;

typedef struct ctf_layout ctf_layout;

/* A member of a structure, or an option of a variant. */
typedef struct ctf_field {
    const char *name, *shown; /* as the metadata has it, and for people */
    ctf_layout *layout;
    uint32_t slot; /* where its number is kept for others that refer to it, less 1; 0: nowhere */
    uint32_t meanings; /* a bit for each ctf_meaning */
} ctf_field;

/* Numbers of a tag with which a variant has an option, as those of a ctf_label. */
typedef struct ctf_choice {
    int64_t low, high;
    size_t option;
    size_t label; /* of the tag, by index */
} ctf_choice;

struct ctf_layout {
    ctf_kind kind;
    uint32_t alignment; /* in bits, a power of two */
    uint32_t depth;     /* levels of layouts in it */
    unsigned place;     /* in the metadata */
    /* Integers and reals: */
    uint32_t size; /* of CTF_LEB128: 0 */
    ctf_order order;
    ctf_coding coding;
    bool is_signed, is_hexadecimal, is_text, is_boolean;
    bool is_enumeration, has_flags; /* labels name numbers, or bits */
    uint32_t clock;                 /* that it is a time of, less 1; 0: none */
    uint32_t meanings;
    ctf_label *labels;
    size_t label_count, label_capacity;
    /* Structures and variants: */
    ctf_field *fields;
    size_t field_count, field_capacity;
    oc_map field_of; /* by name, the last of those before `mapped` */
    size_t mapped;
    ctf_choice *choices;
    size_t choice_count, choice_capacity;
    bool is_optional;                  /* it has one option, or nothing */
    bool needs_signed, needs_unsigned; /* its choices want such a tag */
    bool tag_is_signed;
    /* Arrays, sequences and strings: */
    ctf_layout *element; /* NULL: it has a text */
    uint64_t length;
    ctf_text text;
    /* Sequences and variants: what says their length or option, and where that is kept. */
    const char *reference; /* steps apart by points; in CTF 2 those of oc_text_add_path_step, */
    size_t origin;         /* from a ctf_root; SIZE_MAX: from the structure around, */
    size_t rise;           /* as many further out */
    uint32_t slot;
};

typedef struct ctf_clock {
    const char *name;
    uint64_t frequency; /* in hertz */
    int64_t offset_seconds, offset_cycles;
    bool is_absolute; /* it counts from 1970, */
    bool is_apart;    /* or from what few others do */
} ctf_clock;

typedef struct ctf_entry {
    const char *name;
    const char *text; /* NULL: a number */
    int64_t number;
} ctf_entry;

typedef struct ctf_event_class {
    uint64_t id, stream_id;
    const char *name; /* NULL: none */
    ctf_layout *context, *payload;
    const struct ctf_stream_class *stream_class;
    uint32_t reader_class; /* the importer's number, less 1; 0: none yet */
} ctf_event_class;

typedef struct ctf_stream_class {
    uint64_t id;
    unsigned place; /* in the metadata */
    ctf_layout *packet_context, *event_header, *event_context;
    uint32_t clock;                  /* of its events, less 1; 0: none */
    size_t first_event, event_count; /* in the description's list, by id */
} ctf_stream_class;

/* Zero-initialised it is empty. */
typedef struct ctf_description {
    oc_arena arena; /* of all that it has */
    bool is_new;    /* of CTF 2 */
    bool is_big;
    const char *uuid; /* as it is written, NULL: none */
    ctf_layout *packet_header;
    ctf_clock *clocks;
    size_t clock_count, clock_capacity;
    oc_map clock_of; /* by name */
    ctf_entry *environment;
    size_t entry_count, entry_capacity;
    ctf_stream_class *streams;
    size_t stream_count, stream_capacity;
    ctf_event_class *events; /* by stream and id, once it is linked */
    size_t event_count, event_capacity;
    ctf_layout **layouts; /* all of them */
    size_t layout_count, layout_capacity;
    size_t field_bytes; /* that all members of layouts take */
    uint32_t slot_count;
    uint32_t *packet_slots; /* those of numbers in the heads of packets */
    size_t packet_slot_count, packet_slot_capacity;
    size_t most_members; /* that the structures of an event have */
    /* While it is read: */
    ocelotl_status status; /* the first failure, with which nothing more is done */
    const char *path;
    const unsigned *place; /* the line that is parsed, of CTF 2 the fragment */
    struct {
        ctf_layout layout;
        ctf_label label;
        ctf_stream_class stream;
        ctf_event_class event;
        ctf_entry entry;
    } spare; /* what is added after a failure */
} ctf_description;

enum {
    CTF_DEEPEST = 32,            /* levels of layouts in layouts */
    CTF_MOST_LAYOUTS = 1 << 20,  /* of a trace, */
    CTF_MOST_FIELDS = 512 << 20, /* and bytes of their members, */
    CTF_MOST_STREAMS = 1 << 12   /* streams and clocks */
};

/* Reads the metadata of a folder. Errors: IO, MEMORY; INPUT with the file and the line. */
ocelotl_status ctf_description_read(ctf_description *description, const char *folder);

void ctf_description_free(ctf_description *description);

/* The name of a class of events, with a number where the trace gives it none. */
ocelotl_status ctf_name_event(oc_text *name, const ctf_event_class *of);

/* The event of a stream by its id, NULL: none. */
ctf_event_class *ctf_find_event(const ctf_description *description, const ctf_stream_class *stream,
                                uint64_t id);

/* An entry of the environment, NULL: none. */
const ctf_entry *ctf_find_entry(const ctf_description *description, const char *name);

/* --- What parsers fill it by: tsdl.c of CTF 1.8, fragments.c of CTF 2, which is JSON. A failure
 * stays in its status; what is added then is room that nobody reads */

void ctf_parse_tsdl(ctf_description *into, const oc_text *text);
void ctf_parse_fragments(ctf_description *into, oc_text *text);

/* Links events to streams and references to their targets, and finds numbers by meaning. */
void ctf_link(ctf_description *description);

/* Fails at a line of the metadata, in CTF 2 at a fragment; 0: at none. */
void ctf_fail_at(ctf_description *of, unsigned place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds one of zeros to an array of the description; NULL where it has failed. */
void *ctf_add_one(ctf_description *to, void *items, size_t *count, size_t *capacity, size_t size);

/* Copies a text that lives as long as it. */
const char *ctf_keep(ctf_description *in, const char *text, size_t length);

/* The number of a clock of a name, from 1; one that is new is declared later, or never. */
uint32_t ctf_find_clock(ctf_description *in, const char *name, size_t length);

/* Add one of zeros: a stream that begins where the parser is, an event, an entry. */
ctf_stream_class *ctf_add_stream(ctf_description *to);
ctf_event_class *ctf_add_event_class(ctf_description *to);
ctf_entry *ctf_add_entry(ctf_description *to, const char *name);

/* Fails where an alignment is no power of two, or a large one. */
void ctf_check_alignment(ctf_description *of, uint64_t alignment, unsigned place);

/* A new layout, of zeros but for its kind and alignment. */
ctf_layout *ctf_layout_add(ctf_description *to, ctf_kind kind, uint32_t alignment);

/* Copies a layout that has members of its own, so that each use of a name is resolved by itself; of
 * others it gives the same. */
ctf_layout *ctf_layout_copy(ctf_description *to, ctf_layout *of);

/* Adds a member, the numbers of a label, the elements of an array. */
void ctf_layout_add_field(ctf_description *in, ctf_layout *to, const char *name, size_t length,
                          ctf_layout *layout);
ctf_label *ctf_layout_add_label(ctf_description *in, ctf_layout *to, const char *name,
                                size_t length);
void ctf_layout_set_element(ctf_description *in, ctf_layout *array, ctf_layout *element);

/* Finds the last of the first `end` members with a name, without searching all; SIZE_MAX: none. */
size_t ctf_layout_look_up(ctf_description *in, ctf_layout *structure, size_t end, const char *name,
                          size_t length);

#endif
