#include "importers/common/notices.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_notices_add(oc_notices *notices, const char *kind, const char *first)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->items[i].kind, kind) == 0) {
            notices->items[i].count++;
            return OCELOTL_OK;
        }
    OC_TRY(oc_grow(&notices->items, &notices->capacity, notices->count + 1, sizeof(oc_notice)));
    oc_notice *added = &notices->items[notices->count];
    *added = (oc_notice){.kind = kind, .count = 1};
    OC_TRY(oc_copy_utf8(&added->first, first));
    notices->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_notices_write(const oc_notices *notices, ocelotl_writer *writer)
{
    for (size_t i = 0; notices != NULL && i < notices->count; i++) {
        const oc_notice *notice = &notices->items[i];
        OC_TRY(ocelotl_writer_warning(writer, notice->kind, notice->count, notice->first));
    }
    return OCELOTL_OK;
}

void oc_notices_free(oc_notices *notices)
{
    for (size_t i = 0; i < notices->count; i++)
        free(notices->items[i].first);
    free(notices->items);
    *notices = (oc_notices){0};
}
