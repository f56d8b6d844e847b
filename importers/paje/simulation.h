/* What the data events of a Paje trace do: stacks of states, variables, links. Events come in order
 * of time. */
#ifndef OC_IMPORTERS_PAJE_SIMULATION_H
#define OC_IMPORTERS_PAJE_SIMULATION_H

#include "importers/common/oddities.h"
#include "importers/paje/links.h"

/* Things that are odd but have a meaning; see docs/formats/paje.md. */
typedef enum paje_oddity {
    PAJE_POP_OF_NOTHING,
    PAJE_CHANGE_OF_NOTHING,
    PAJE_LINK_REVERSED,
    PAJE_LINK_WITHOUT_END,
    PAJE_LINK_WITHOUT_START,
    PAJE_STATE_OPEN,
    PAJE_VALUE_TWICE,
    PAJE_TIME_ROUNDED,
    PAJE_EVENT_UNKNOWN,
    PAJE_FIELD_IGNORED,
    PAJE_COLOUR_UNREADABLE,
    PAJE_ODDITY_COUNT
} paje_oddity;

/* Zero-initialised, but for names.writer, links.free_half (OC_MAP_NONE) and links.hash_key. */
typedef struct paje_simulation {
    paje_names names;
    char apart[PAJE_LINE]; /* what changes when an event happens lies away from what is looked at
                              when one is read */
    paje_links links;
    oc_map variable_of; /* (type, container) -> index in values */
    double *values;     /* of variables now */
    size_t value_count, value_capacity;
    const char *source; /* as messages name it */
    oc_oddities oddities;
} paje_simulation;

/* Lets one event happen; it is freed by the caller. Errors: INPUT, without the place. */
ocelotl_status paje_simulate(paje_simulation *simulation, const paje_event *event);

/* Asks for the memory that events will need when they happen: a paje_expect. */
void paje_simulation_expect(const paje_simulation *simulation, const paje_event *farthest,
                            paje_event *farther, const paje_event *next);

/* Ends the trace: unmatched links, and the oddities as warnings of the writer. */
ocelotl_status paje_simulation_finish(paje_simulation *simulation);

/* The names of the oddities, by number. */
extern const char *const paje_oddity_names[];

void paje_simulation_note(paje_simulation *simulation, paje_oddity oddity, uint64_t line);
void paje_simulation_free(paje_simulation *simulation);

#endif
