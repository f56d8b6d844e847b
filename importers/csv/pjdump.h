/* What pj_dump writes, in one file or in one for each kind of lines. */
#ifndef OC_IMPORTERS_CSV_PJDUMP_H
#define OC_IMPORTERS_CSV_PJDUMP_H

#include "importers/csv/sheet.h"

/* Whether the row is one that pj_dump or StarVZ begins a file with. */
bool csv_pjdump_is_row(const csv_rows *rows);

/* Zero-initialised it is at the beginning of a file. */
typedef struct csv_pjdump {
    csv_sheet *sheet;
    bool is_tree; /* the rows are of the hierarchy: parent, name, type, nature */
    char **words; /* of the header, or NULL */
    size_t word_count;
} csv_pjdump;

/* Takes one row. Errors: INPUT, without the place. */
ocelotl_status csv_pjdump_take(csv_pjdump *dump, const csv_rows *rows);

void csv_pjdump_free(csv_pjdump *dump);

#endif
