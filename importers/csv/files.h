/* Several tables of one trace: which have names of their own. */
#ifndef OC_IMPORTERS_CSV_FILES_H
#define OC_IMPORTERS_CSV_FILES_H

#include "importers/importer.h"

/* The first line of a text that is not empty, behind a byte order mark, without its line end. */
const char *csv_first_line(size_t *length, const char *text, size_t size);

/* Says of each source whether it is apart from the others, with a clock of its own and, unless they
 * are merged, a node. Several files are, but files of pj_dump of which one alone begins with
 * containers are the parts of one dump. Errors: those of the inputs. */
ocelotl_status csv_files_choose(bool *is_apart, const oc_import *import);

#endif
