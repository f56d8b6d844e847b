/* Every format that can be imported; of those that are as sure of a file the first reads it. */
#include "importers/importer.h"

#include <string.h>

static const oc_importer *const importers[] = {
    &oc_paje_importer,      &oc_csv_importer,  &oc_paraver_importer, &oc_chrome_importer,
    &oc_gstreamer_importer, &oc_perf_importer, &oc_ctf_importer,     &oc_picl_importer,
#ifdef OC_HAVE_OTF2
    &oc_otf2_importer,
#endif
};

/* Formats whose library was not found, and its package. */
static const ocelotl_missing_format missing[] = {
#ifndef OC_HAVE_OTF2
    {{.name = "otf2", .description = "OTF2 archives, as Score-P, eztrace and TAU write them"},
     "libopen-trace-format2-dev"},
#endif
    {{.name = ""}, ""},
};

static const char *const no_suffixes[] = {NULL};
static const uint32_t importer_count = sizeof importers / sizeof importers[0];

uint32_t oc_importer_count(void)
{
    return importer_count;
}

const oc_importer *oc_importer_get(uint32_t index)
{
    return importers[index];
}

const oc_importer *oc_importer_by_name(const char *name)
{
    for (uint32_t i = 0; i < importer_count; i++)
        if (strcmp(importers[i]->format.name, name) == 0)
            return importers[i];
    return NULL;
}

uint32_t ocelotl_format_count(void)
{
    return importer_count;
}

ocelotl_format ocelotl_format_at(uint32_t index)
{
    return index < importer_count ? importers[index]->format
                                  : (ocelotl_format){"", "", no_suffixes};
}

uint32_t ocelotl_missing_format_count(void)
{
    return (uint32_t)(sizeof missing / sizeof missing[0]) - 1;
}

ocelotl_missing_format ocelotl_missing_format_at(uint32_t index)
{
    const uint32_t count = ocelotl_missing_format_count();
    ocelotl_missing_format found = missing[index < count ? index : count];
    if (found.format.description == NULL)
        found.format.description = "";
    found.format.suffixes = no_suffixes;
    return found;
}

const char *oc_missing_package(const char *format)
{
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++)
        if (strcmp(missing[i].format.name, format) == 0)
            return missing[i].package;
    return NULL;
}
