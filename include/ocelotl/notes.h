/* What people note on a trace: notes at a place, and metadata of their own, a value for each key.
 *
 * They are kept in a file beside the trace, TRACE.notes.json; the trace itself, and its uid, never
 * change. The file is whole or absent, and who changes it locks it: of two at once nothing is
 * lost. It holds {"notes":[{..}, ..],"metadata":{..}} in JSON (RFC 8259), where notes are texts by
 * names of their own, and the metadata texts by key. */
#ifndef OCELOTL_NOTES_H
#define OCELOTL_NOTES_H

#include <ocelotl/sink.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The notes of a trace, in memory. They belong to one thread at a time. */
typedef struct ocelotl_notes ocelotl_notes;

/* A value of one's own; both texts are valid UTF-8. */
typedef struct ocelotl_metadata {
    const char *key;
    const char *value;
} ocelotl_metadata;

/* Reads the notes beside a trace, by the path that people call it by: a file or a folder. Without
 * their file, and for standard input, "-", there are none. O(size). Errors: IO (it cannot be read,
 * holds something else, or more than 1 MiB), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_notes_read(ocelotl_notes **notes, const char *trace);

/* The same, and keeps all others that would change them waiting until they are freed. Errors: the
 * same; IO where others keep them locked for longer than ten seconds; ARGUMENT for standard
 * input. */
OCELOTL_API ocelotl_status ocelotl_notes_begin(ocelotl_notes **notes, const char *trace);

/* Writes the notes that were begun. Errors: IO, LIMIT (more than 1 MiB); ARGUMENT for notes that
 * were only read. */
OCELOTL_API ocelotl_status ocelotl_notes_commit(ocelotl_notes *notes);

/* Frees them, and lets others change them. NULL is allowed. */
OCELOTL_API void ocelotl_notes_free(ocelotl_notes *notes);

/* The path of their file, "" for standard input. Lives as long as the notes. */
OCELOTL_API const char *ocelotl_notes_path(const ocelotl_notes *notes);

/* How many notes are at a place. O(1). NULL has none. */
OCELOTL_API size_t ocelotl_notes_count(const ocelotl_notes *notes);

/* A note. What it does not say is "". */
typedef struct ocelotl_note {
    const char *text;
    const char *from, *to; /* instants, as options of the program take them */
    const char *node;      /* a path; "": all resources */
} ocelotl_note;

/* The note by index below the count, with the members that the page of `serve` gives it; beyond,
 * all are "". Strings live until the notes change. O(1). */
OCELOTL_API ocelotl_note ocelotl_notes_at(const ocelotl_notes *notes, size_t index);

/* The metadata by index below the count, in the order of their keys; "" beyond. NULL has none.
 * Strings live until the notes change. O(1). */
OCELOTL_API size_t ocelotl_notes_metadata_count(const ocelotl_notes *notes);
OCELOTL_API ocelotl_metadata ocelotl_notes_metadata_at(const ocelotl_notes *notes, size_t index);

/* The value of a key, NULL without one. O(count). */
OCELOTL_API const char *ocelotl_notes_value(const ocelotl_notes *notes, const char *key);

/* Sets the value of a key, new or not; a NULL value removes it. Errors: ARGUMENT (a key that is
 * empty, has more than 256 bytes, a `=` or what a terminal would obey, or blanks at its ends; texts
 * that are no UTF-8), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_notes_set(ocelotl_notes *notes, const char *key,
                                             const char *value);

/* Takes notes over from JSON as the file has it, and its metadata where it has some. Nothing has
 * changed after a failure. O(size). The bytes may be hostile, and NULL if empty. Errors: ARGUMENT,
 * MEMORY. */
OCELOTL_API ocelotl_status ocelotl_notes_take(ocelotl_notes *notes, const char *bytes, size_t size);

/* Writes them in JSON, as the file has them. O(size). Errors: those of the sink, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_notes_write_json(const ocelotl_sink *sink,
                                                    const ocelotl_notes *notes);

#ifdef __cplusplus
}
#endif
#endif
