/* What the metadata of a CTF trace describes: its clocks, streams and events, and the layout of
 * what stands in their files, in bits. */
#ifndef OC_IMPORTERS_CTF_DESCRIPTION_H
#define OC_IMPORTERS_CTF_DESCRIPTION_H

#include "base/map.h"
#include "base/status.h"
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
    char *name;
    int64_t low, high;
} ctf_label;

typedef struct ctf_layout ctf_layout;

/* A member of a structure, or an option of a variant. */
typedef struct ctf_field {
    char *name;        /* as the metadata has it */
    const char *shown; /* within `name` */
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
    /* Integers and reals: */
    uint32_t size; /* of CTF_LEB128: 0 */
    ctf_order order;
    ctf_coding coding;
    bool is_signed, is_hexadecimal, is_text, is_boolean;
    uint32_t clock; /* that it is a time of, less 1; 0: none */
    uint32_t meanings;
    ctf_label *labels; /* of numbers, or of bits that are set */
    size_t label_count, label_capacity;
    bool is_enumeration, has_flags;
    /* Structures and variants: */
    ctf_field *fields;
    size_t field_count, field_capacity;
    oc_map field_of; /* by name, the last of those before `mapped` */
    size_t mapped;
    ctf_choice *choices;
    size_t choice_count, choice_capacity;
    bool is_optional; /* it has one option, or nothing */
    bool tag_is_signed;
    bool needs_signed, needs_unsigned; /* its choices want such a tag */
    /* Arrays and sequences: */
    ctf_layout *element; /* NULL: it has a text */
    uint64_t length;
    ctf_text text; /* also of strings */
    /* Sequences and variants: what says their length or option, and where that is kept. */
    char *reference; /* steps apart by points; in CTF 2 those of oc_text_add_path_step, */
    size_t origin;   /* from a root, by index; SIZE_MAX: from the structure around, */
    size_t rise;     /* as many further out */
    unsigned place;  /* where it is in the metadata */
    uint32_t slot;
};

typedef struct ctf_clock {
    char *name;
    uint64_t frequency; /* in hertz */
    int64_t offset_seconds;
    int64_t offset_cycles;
    bool is_absolute; /* it counts from 1970, */
    bool is_apart;    /* or from what few others do */
} ctf_clock;

typedef struct ctf_entry {
    char *name;
    char *text; /* NULL: a number */
    int64_t number;
} ctf_entry;

typedef struct ctf_event_class {
    uint64_t id, stream_id;
    char *name; /* NULL: none */
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
    bool is_new; /* of CTF 2 */
    bool is_big;
    char *uuid; /* as it is written, NULL: none */
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
    const char *path;      /* while it is read, for messages, */
    const unsigned *place; /* and the line, of CTF 2 the fragment, that is parsed */
    size_t field_bytes;    /* that all members of layouts take */
    uint32_t slot_count;
    uint32_t *packet_slots; /* those of numbers in the heads of packets */
    size_t packet_slot_count, packet_slot_capacity;
    size_t most_members; /* that the structures of an event have */
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

/* --- What the parser and the links use */

/* Parse metadata: of CTF 1.8 (blocks.c), and of CTF 2, which is JSON (fragments.c). */
ocelotl_status ctf_parse_blocks(ctf_description *into, const oc_text *text);
ocelotl_status ctf_parse_fragments(ctf_description *into, oc_text *text);

/* Fails at a line of the metadata, in CTF 2 at a fragment; 0: at none. */
ocelotl_status ctf_fail_at(const ctf_description *of, unsigned place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails if `count` streams or clocks are too many. */
ocelotl_status ctf_check_count(const ctf_description *of, size_t count, const char *what);

/* The number of a clock of a name, from 1; one that is new is declared later, or never. */
ocelotl_status ctf_find_clock(uint32_t *clock, ctf_description *in, const char *name,
                              size_t length);

/* Adds a stream of zeros, which has begun at the place where the parser is. */
ocelotl_status ctf_add_stream(ctf_stream_class **added, ctf_description *to);

/* Adds an event of zeros, or an entry of the environment. */
ocelotl_status ctf_add_event_class(ctf_event_class **added, ctf_description *to);
ocelotl_status ctf_add_entry(ctf_entry **added, ctf_description *to, const char *name);

/* Whether an alignment is a power of two that is allowed; fails at the place. */
ocelotl_status ctf_check_alignment(const ctf_description *of, uint64_t alignment, unsigned place);

/* A new layout, of zeros but for its kind and alignment; it is the description's. */
ocelotl_status ctf_layout_add(ctf_layout **added, ctf_description *to, ctf_kind kind,
                              uint32_t alignment);

/* Copies a layout that has members of its own, so that each use of a name is resolved by itself; of
 * others it gives the same. */
ocelotl_status ctf_layout_copy(ctf_layout **copy, ctf_description *to, ctf_layout *of);

/* Adds a member to a layout of the description. */
ocelotl_status ctf_layout_add_field(ctf_description *description, ctf_layout *to, const char *name,
                                    size_t length, ctf_layout *layout);

/* Adds numbers with a name to an integer. */
ocelotl_status ctf_layout_add_label(ctf_label **added, ctf_layout *to, const char *name,
                                    size_t length);

/* Makes the elements of an array or a sequence. */
ocelotl_status ctf_layout_set_element(const ctf_description *of, ctf_layout *array,
                                      ctf_layout *element);

/* Finds the last of the first `end` members with a name of `length` bytes, without searching all.
 * SIZE_MAX if none has it. Errors: MEMORY. */
ocelotl_status ctf_layout_look_up(size_t *index, ctf_layout *structure, size_t end,
                                  const char *name, size_t length);

/* Links events to streams and references to their targets, and finds numbers by meaning. */
ocelotl_status ctf_link(ctf_description *description);

/* --- Questions */

/* The name of a class of events, with a number where the trace gives it none. */
ocelotl_status ctf_name_event(oc_text *name, const ctf_event_class *of);

/* The event of a stream by its id, NULL: none. */
ctf_event_class *ctf_find_event(const ctf_description *description, const ctf_stream_class *stream,
                                uint64_t id);

/* An entry of the environment, NULL: none. */
const ctf_entry *ctf_find_entry(const ctf_description *description, const char *name);

#endif
