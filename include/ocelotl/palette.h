/* A user's colours for types, read once for any number of pictures. */
#ifndef OCELOTL_PALETTE_H
#define OCELOTL_PALETTE_H

#include <ocelotl/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A list of names with their colours. It never changes: any number of threads may use it. */
typedef struct ocelotl_palette ocelotl_palette;

/* Reads a CSV (RFC 4180) with the header `name,colour`, from a file, a pipe, or standard input
 * ("-").
 *
 * A colour is #rrggbb, #rgb or a basic name of CSS. A name with a `*` is a glob. A type takes the
 * colour of its exact name, else that of the first glob that matches. Errors: IO; INPUT
 * ("file:line: ..", no colour, or a name given twice); MEMORY. O(rows). */
OCELOTL_API ocelotl_status ocelotl_palette_read(ocelotl_palette **palette, const char *path);
OCELOTL_API void ocelotl_palette_free(ocelotl_palette *palette);

/* A row of the file. The name lives as long as the palette. */
typedef struct ocelotl_palette_row {
    const char *name;
    uint32_t colour; /* 0xRRGGBB */
    uint64_t line;   /* of the file, from 1 */
} ocelotl_palette_row;

/* Gives the rows in the order of the file, by index below the count. O(1). */
OCELOTL_API size_t ocelotl_palette_row_count(const ocelotl_palette *palette);
OCELOTL_API ocelotl_palette_row ocelotl_palette_row_at(const ocelotl_palette *palette,
                                                       size_t index);

/* Tests whether the name of a row is that of a type, or matches it. O(length). */
OCELOTL_API bool ocelotl_palette_row_matches(const ocelotl_palette *palette, size_t index,
                                             const char *type);

#ifdef __cplusplus
}
#endif
#endif
