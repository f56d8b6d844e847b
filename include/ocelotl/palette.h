/* Colours that a user chose for types, read once for any number of pictures. */
#ifndef OCELOTL_PALETTE_H
#define OCELOTL_PALETTE_H

#include <ocelotl/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A list of names, each with its colour. Nothing changes it: any number of threads may use it. */
typedef struct ocelotl_palette ocelotl_palette;

/* Reads a CSV (RFC 4180) with the header `name,colour`, from a file or a pipe, or from standard
 * input for "-". A colour is #rrggbb, #rgb or a basic name of CSS. A name with a `*` is a glob; one
 * without is meant exactly, and goes before those with, of which the first goes. O(rows). Errors:
 * IO; INPUT "file:line: ..." for what is no colour or a name that is given twice; MEMORY. */
OCELOTL_API ocelotl_status ocelotl_palette_read(ocelotl_palette **palette, const char *path);
OCELOTL_API void ocelotl_palette_free(ocelotl_palette *palette);

/* A row; the name lives as long as the palette. */
typedef struct ocelotl_palette_row {
    const char *name;
    uint32_t colour; /* 0xRRGGBB */
    uint64_t line;   /* of the file, from 1 */
} ocelotl_palette_row;

/* The rows in the order of the file, by index below the count. O(1). */
OCELOTL_API size_t ocelotl_palette_row_count(const ocelotl_palette *palette);
OCELOTL_API ocelotl_palette_row ocelotl_palette_row_at(const ocelotl_palette *palette,
                                                       size_t index);

/* Whether the name of a row is that of a type, or a glob of it. O(length of the name). */
OCELOTL_API bool ocelotl_palette_row_matches(const ocelotl_palette *palette, size_t index,
                                             const char *type);

#ifdef __cplusplus
}
#endif
#endif
