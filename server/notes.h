/* What notes look like. */
#ifndef SERVER_NOTES_H
#define SERVER_NOTES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes are {"notes":[{..}, ..]} in JSON (RFC 8259) whose notes have texts alone. The bytes
 * may be hostile, and NULL where there are none. O(size). */
bool server_notes_are_sound(const char *bytes, size_t size);

#endif
