/* A block of a source on its way to the writer: a part of the text, and the events that were made
 * of it. */
#ifndef OC_IMPORTERS_COMMON_BLOCK_H
#define OC_IMPORTERS_COMMON_BLOCK_H

#include "base/pool.h"
#include "base/status.h"

#include <ocelotl/writer.h>

/* What an event does. */
typedef enum oc_raw_kind {
    OC_RAW_END_RESOURCE, /* with all that is inside it */
    OC_RAW_INSTANT,
    OC_RAW_SET_STATE, /* ends all states of the type that are open, and begins one */
    OC_RAW_PUSH_STATE,
    OC_RAW_POP_STATE,
    OC_RAW_RESET_STATE, /* ends all that are open */
    OC_RAW_SET_VARIABLE,
    OC_RAW_ADD_VARIABLE,
    OC_RAW_SUB_VARIABLE,
    OC_RAW_START_LINK,
    OC_RAW_END_LINK,
    OC_RAW_KINDS
} oc_raw_kind;

/* An event with its names resolved. */
typedef struct oc_raw_event {
    int64_t time;
    union {
        double number;     /* of a variable */
        uint64_t key_hash; /* of a link: a hash of the key, which is the first attribute */
    };
    uint64_t line : 40;            /* in its file, behind those before the block */
    uint64_t kind : 8;             /* an oc_raw_kind */
    uint64_t attribute_count : 16; /* at most OC_RAW_ATTRIBUTES */
    uint32_t first_attribute;      /* of the block's */
    uint32_t resource;             /* of oc_resources; of a link: the one that owns it */
    uint32_t end;                  /* of a link: the resource where it starts or ends */
    uint32_t type, value;          /* the writer's */
    uint32_t file;                 /* by number: the line is one of it */
} oc_raw_event;

/* The bits of a line's number. */
#define OC_RAW_LINE(line) ((line) & (((uint64_t)1 << 40) - 1))

/* An event as it is applied: with what it carries, its line in the file, and its stream if that is
 * known. */
typedef struct oc_applied {
    const oc_raw_event *event;
    const ocelotl_attribute_value *attributes;
    uint64_t line;
    uint32_t stream; /* the writer's, or OCELOTL_NONE */
} oc_applied;

enum {
    OC_RAW_ATTRIBUTES = 64,
    /* Bytes behind the text of a block that may be read, for reading in large steps. */
    OC_BLOCK_MARGIN = 128,
    /* The most kinds of lines that a format numbers, for counting. */
    OC_BLOCK_KINDS = 100
};

/* Texts that are kept apart from their block's. */
typedef struct oc_kept_text {
    struct oc_kept_text *next;
    size_t used, capacity;
    char bytes[];
} oc_kept_text;

/* Zero-initialised it is empty. */
typedef struct oc_block {
    struct oc_block *before, *next; /* of the list that it is in */
    /* The text: whole lines, each with its end. */
    char *bytes;
    size_t length, capacity;
    uint64_t position; /* of the source at the text's end, for progress */
    bool is_too_long;  /* it has no text: one of its lines is longer than any may be */
    /* How much of the text has been read, how many lines that is, and how many precede the
     * block. */
    size_t read;
    uint64_t lines, first_line;
    uint32_t kinds[OC_BLOCK_KINDS];
    /* Its events. Those before `handed` have been handed on. `number` is that of the first. */
    oc_raw_event *events;
    size_t count, event_capacity, handed;
    uint64_t number;
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
    size_t carried; /* bytes of text in the attributes */
    oc_kept_text *kept;
    /* For reading it ahead: */
    oc_job job;
    uint64_t meaning, generation; /* of names when it was read */
    bool is_reading;
} oc_block;

/* Empties the block and keeps its memory, unless that is too much. */
void oc_block_clear(oc_block *block);
void oc_block_free(oc_block *block);

/* Forgets its events, and that anything has been read. */
void oc_block_unread(oc_block *block);

/* Makes room for one event behind the last, not counted yet; and for `count` attributes. NULL if
 * memory runs out. */
oc_raw_event *oc_block_next_event(oc_block *block);
ocelotl_attribute_value *oc_block_next_attributes(oc_block *block, size_t count);

static inline const ocelotl_attribute_value *oc_block_attributes(const oc_block *block,
                                                                 const oc_raw_event *event)
{
    return event->attribute_count > 0 ? block->attributes + event->first_attribute : NULL;
}

/* Where an event happens. */
static inline uint32_t oc_raw_event_place(const oc_raw_event *event)
{
    return event->kind >= OC_RAW_START_LINK ? event->end : event->resource;
}

/* Inserts an event before the one at `place`. Its attributes are those given, and their texts are
 * copied. */
ocelotl_status oc_block_insert(oc_block *block, size_t place, const oc_raw_event *event,
                               const ocelotl_attribute_value *attributes);

/* Keeps the texts of its events and gives the block's back. */
ocelotl_status oc_block_keep(oc_block *block);

#endif
