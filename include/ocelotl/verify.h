/* Tests whether a trace.db is as it was written, and salvages a damaged one. */
#ifndef OCELOTL_VERIFY_H
#define OCELOTL_VERIFY_H

#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is damaged in a trace.db. */
typedef struct ocelotl_verification ocelotl_verification;

typedef struct ocelotl_verify_options {
    size_t size;       /* sizeof(ocelotl_verify_options), set by the initialiser */
    ocelotl_work work; /* progress in chunks; threads and memory are not used */
} ocelotl_verify_options;

#define OCELOTL_VERIFY_OPTIONS_INIT OCELOTL_INIT(ocelotl_verify_options)

typedef struct ocelotl_damage {
    const char *what; /* one line */
    /* the path of the resource that it concerns, "" where it is no single one */
    const char *resource;
    const char *event_type; /* as ocelotl_trace_event_type_spelling says it, "" likewise */
    int64_t from, to;       /* when, in ticks, both included; from > to where it concerns no time */
    /* records of the resource and type that cannot be read, about; a state has two */
    uint64_t records;
} ocelotl_damage;

typedef struct ocelotl_verification_info {
    size_t size; /* by OCELOTL_INIT */
    uint32_t damages;
    uint32_t streams;         /* (resource, event type), links twice */
    uint64_t chunks, records; /* as it should hold, 0 where its tables are damaged */
    /* names, resources and times can be read: what is left can be saved */
    bool tables_are_sound;
} ocelotl_verification_info;

/* Reads all of a trace.db: its tables, every chunk, and what SQLite says of its pages. What is
 * damaged is no failure; it is what is found. The verification is freed by
 * ocelotl_verification_free, which takes NULL. Errors: IO, MEMORY, CANCELLED; INPUT for what is no
 * trace.db of this version at all. O(size of the file). */
OCELOTL_API ocelotl_status ocelotl_verify(ocelotl_verification **verification, const char *path,
                                          const ocelotl_verify_options *options);
OCELOTL_API void ocelotl_verification_free(ocelotl_verification *verification);

OCELOTL_API void ocelotl_verification_get_info(ocelotl_verification_info *info,
                                               const ocelotl_verification *verification);

/* The same as a value. */
static inline ocelotl_verification_info ocelotl_verification_info_of(
    const ocelotl_verification *verification)
{
    ocelotl_verification_info info;
    info.size = sizeof info;
    ocelotl_verification_get_info(&info, verification);
    return info;
}

/* The trace, for its names and the length of a tick; NULL if its tables are damaged. It lives as
 * long as the verification. */
OCELOTL_API const ocelotl_trace *ocelotl_verification_trace(
    const ocelotl_verification *verification);

/* By index below info.damages: what concerns the whole file first, then by resource and type, in
 * the order of time. Strings live as long as the verification, the path of the resource until the
 * next call for the same verification, by one thread at a time. An index out of range gives zeros
 * and "". O(length of the path). */
OCELOTL_API ocelotl_damage ocelotl_verification_damage_at(const ocelotl_verification *verification,
                                                          uint32_t index);

/* Writes what is left of a verified trace.db as another one: all events of sound chunks. The old
 * one may still be read. What was open when a damaged chunk began, and is not any more when it
 * ends, ends where it begins. Each damage is a warning of the new trace. Errors: INPUT for damaged
 * tables, IO, MEMORY. O(size of the file). */
OCELOTL_API ocelotl_status ocelotl_salvage(const char *target, ocelotl_verification *verification);

#ifdef __cplusplus
}
#endif
#endif
