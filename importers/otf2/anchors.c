/* Anchors of archives: what they begin with, and where that of a source is. */
#include "importers/otf2/archive.h"

#include "base/memory.h"
#include "importers/importer.h"

#include <string.h>

bool otf2_has_end(const char *name, const char *end)
{
    const size_t length = strlen(name);
    const size_t wanted = strlen(end);
    return length > wanted && strcmp(name + length - wanted, end) == 0;
}

int otf2_archive_recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool is_anchor = head->length >= 6 && head->bytes[0] == 3 &&
                           (head->bytes[1] == 'B' || head->bytes[1] == '#') && /* bytes' order */
                           memcmp(head->bytes + 2, "OTF2", 4) == 0;
    return is_anchor ? OC_SURE : OC_NO;
}

ocelotl_status otf2_archive_find_anchor(char **anchor, const oc_source *source)
{
    if (source->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is the anchor of an OTF2 archive, whose other files cannot be found "
                       "from there; give the path of the anchor",
                       source->path);
    return oc_copy_text(anchor, source->anchor != NULL ? source->anchor : source->path);
}
