/* What the name of a file says of its format. */
#include "importers/importer.h"

#include <string.h>

bool oc_is_suffix_of_traces(const char *suffix)
{
    static const char *const general[] = {".csv", ".json", ".txt", ".log"};
    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        if (strcmp(suffix, general[i]) == 0)
            return false;
    return true;
}

bool oc_has_suffix_of(const char *name, const oc_importer *importer)
{
    for (const char *const *suffix = importer->format.suffixes; *suffix != NULL; suffix++)
        if (oc_source_has_suffix(name, *suffix))
            return true;
    return false;
}

const oc_importer *oc_importer_by_suffix(const char *name)
{
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        if (oc_has_suffix_of(name, oc_importer_get(i)))
            return oc_importer_get(i);
    return NULL;
}

bool ocelotl_is_named_as_trace(const char *name)
{
    if (oc_source_has_suffix(name, ".db"))
        return true;
    for (uint32_t i = 0; i < ocelotl_format_count(); i++) {
        const char *const *suffix = oc_importer_get(i)->format.suffixes;
        for (; *suffix != NULL; suffix++)
            if (oc_is_suffix_of_traces(*suffix) && oc_source_has_suffix(name, *suffix))
                return true;
    }
    return false;
}
