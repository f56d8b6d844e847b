/* Every format that can be imported; of those that are as sure of a file the first reads it. */
#include "importers/importer.h"

static const oc_importer *const importers[] = {
    &oc_paje_importer,
    &oc_paraver_importer,
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

uint32_t ocelotl_format_count(void)
{
    return importer_count;
}

ocelotl_format ocelotl_format_at(uint32_t index)
{
    return index < importer_count ? importers[index]->format
                                  : (ocelotl_format){"", "", no_suffixes};
}
