/* Several tables of one trace: which have names of their own. */
#ifndef OC_IMPORTERS_CSV_FILES_H
#define OC_IMPORTERS_CSV_FILES_H

#include "importers/importer.h"

/* The first line of a text, without a byte order mark or a line end; empty lines are skipped. */
const char *csv_first_line(size_t *length, const char *text, size_t size);

/* Decides for each source whether it is apart from the others, with a clock of its own and, unless
 * they are merged, a node. Several files are apart; but if only one file of pj_dump begins with
 * containers, all are parts of one dump. Errors: those of the inputs. */
ocelotl_status csv_files_choose(bool *is_apart, const oc_import *import);

#endif
