/* Reads a trace.db that an importer made of hostile bytes. */
#ifndef OC_TESTS_FUZZ_MADE_H
#define OC_TESTS_FUZZ_MADE_H

#include "fuzz.h"

#include <ocelotl/ocelotl.h>

/* Checks what an import left: a sound trace, or a message and no file. */
void check_import(const char *path, ocelotl_status status);

#endif
