/* What notes look like. */
#ifndef SERVER_NOTES_H
#define SERVER_NOTES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes are {"notes":[{..}, ..]} in JSON (RFC 8259) whose notes hold only texts. The bytes
 * may be hostile, and NULL if empty. O(size). */
bool server_notes_are_sound(const char *bytes, size_t size);

#endif
