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

/* Numbers of an enumeration, both inclusive; of unsigned ones they are the bits of a uint64_t. */
typedef struct ctf_label {
    char *name;
    int64_t low, high;
} ctf_label;

typedef struct ctf_layout ctf_layout;

/* A member of a structure, or an option of a variant. */
typedef struct ctf_field {
    char *name; /* as the metadata has it */
    ctf_layout *layout;
    uint32_t slot; /* where its number is kept for others that refer to it, less 1; 0: nowhere */
    bool is_id;    /* of the event, in its header */
    bool leaves_clock; /* its number is no time of the stream's clock */
} ctf_field;

/* Numbers of a tag with which a variant has an option. */
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
    uint32_t size;
    ctf_order order;
    bool is_signed, is_hexadecimal, is_text;
    uint32_t clock; /* that it is a time of, less 1; 0: none */
    ctf_label *labels;
    size_t label_count, label_capacity;
    bool is_enumeration;
    /* Structures and variants: */
    ctf_field *fields;
    size_t field_count, field_capacity;
    oc_map field_of; /* by name, the last of those before `mapped` */
    size_t mapped;
    ctf_choice *choices;
    size_t choice_count, choice_capacity;
    bool tag_is_signed;
    /* Arrays and sequences: */
    ctf_layout *element;
    uint64_t length;
    /* Sequences and variants: what says their length or option, and where that is kept. */
    char *reference;
    uint32_t slot;
};

typedef struct ctf_clock {
    char *name;
    uint64_t frequency; /* in hertz */
    int64_t offset_seconds;
    int64_t offset_cycles;
    bool is_absolute; /* it counts from 1970 */
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
    ctf_layout *packet_context, *event_header, *event_context;
    uint32_t clock; /* of its events, less 1; 0: none */
    /* Members of the packet context by index, SIZE_MAX: none. */
    size_t packet_size, content_size, begin, end, discarded;
    size_t first_event, event_count; /* in the description's list, by id */
} ctf_stream_class;

enum { CTF_UUID = 16 };

/* Zero-initialised it is empty. */
typedef struct ctf_description {
    bool is_big;
    char *uuid; /* as it is written, NULL: none */
    ctf_layout *packet_header;
    size_t magic, stream_id, instance_id; /* members of it, SIZE_MAX: none */
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
    const struct ctf_tokens *parsed; /* where the parser is, for messages; NULL: it is not */
    size_t field_bytes;              /* that all members of layouts take */
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

/* The text of a folder's metadata, out of its packets where it has some. */
ocelotl_status ctf_metadata_read(oc_text *text, const char *folder);

/* Parses metadata; `path` is for messages. */
ocelotl_status ctf_parse(ctf_description *into, const char *path, const oc_text *text);

/* A new layout, of zeros but for its kind and alignment; it is the description's. */
ocelotl_status ctf_layout_add(ctf_layout **added, ctf_description *to, ctf_kind kind,
                              uint32_t alignment);

/* Copies a layout that has members of its own, so that each use of a name is resolved by itself; of
 * others it gives the same. */
ocelotl_status ctf_layout_copy(ctf_layout **copy, ctf_description *to, ctf_layout *of);

/* Adds a member to a layout of the description. */
ocelotl_status ctf_layout_add_field(ctf_description *description, ctf_layout *to, const char *name,
                                    size_t length, ctf_layout *layout);

/* Finds the last of the first `end` members with a name of `length` bytes, without searching all.
 * SIZE_MAX if none has it. Errors: MEMORY. */
ocelotl_status ctf_layout_look_up(size_t *index, ctf_layout *structure, size_t end,
                                  const char *name, size_t length);

/* The index of a member, SIZE_MAX: none. */
size_t ctf_layout_find(const ctf_layout *structure, const char *name);

/* Links events to streams and references to their targets, and finds members by meaning. */
ocelotl_status ctf_link(ctf_description *description, const char *path);

/* Finds out what sequences and variants in `of` refer to: in it, or in the layouts before it, the
 * nearest last. */
typedef struct ctf_root {
    const char *path; /* as references name it */
    ctf_layout *layout;
} ctf_root;
ocelotl_status ctf_resolve(uint32_t *slot_count, const ctf_root *roots, size_t count,
                           const char *path);

/* --- Questions */

/* The name of a class of events, with a number where the trace gives it none. */
ocelotl_status ctf_name_event(oc_text *name, const ctf_event_class *of);

/* The event of a stream by its id, NULL: none. */
ctf_event_class *ctf_find_event(const ctf_description *description, const ctf_stream_class *stream,
                                uint64_t id);

/* An entry of the environment, NULL: none. */
const ctf_entry *ctf_find_entry(const ctf_description *description, const char *name);

/* A name as it is shown: tracers put an underline before those that could be words of the
 * language. */
static inline const char *ctf_shown_name(const char *name)
{
    return name[0] == '_' ? name + 1 : name;
}

#endif
