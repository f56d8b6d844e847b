/* Formats that are recognised and cannot be read: whoever has such a file is told what it is. */
#ifndef OC_IMPORTERS_UNREAD_H
#define OC_IMPORTERS_UNREAD_H

#include "base/input.h"

/* The beginning of a file, decompressed. */
typedef struct oc_head {
    char *bytes;
    size_t length;
    /* why there is no more of it, as oc_input_loss; NULL: there is, or the file is short */
    const char *loss;
} oc_head;

/* Gives INPUT for a file that nothing recognises, saying what it is where that can be known. */
ocelotl_status oc_fail_unread(const char *path, const oc_head *head);

#endif
