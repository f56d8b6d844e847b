/* Tables that are nearly a microscopic model as CSV. */
#ifndef OC_IMPORTERS_TABLE_HEADER_H
#define OC_IMPORTERS_TABLE_HEADER_H

#include "base/status.h"

/* Gives INPUT for a text that begins as a table of separated values, saying what of it is not as a
 * microscopic model's: its separator, its header, or that it has none. OK for any other text. */
ocelotl_status oc_check_header(const char *path, const char *text, size_t length);

#endif
