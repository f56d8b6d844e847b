/* Every format that can be imported; of those that are as sure of a file the first reads it. */
#include "importers/importer.h"

#include "base/text.h"

#include <string.h>

/* The build defines OC_BUILT, READ(name) for each format that it reads, and OC_MISSING, for each
 * other LEFT_OUT(name) or UNFOUND(name, package). */
#define READ(name)     &oc_##name##_importer,
#define LEFT_OUT(name) {{#name, "left out", no_suffixes}, #name " in OCELOTL_FORMATS"},
#define UNFOUND(name, package) \
    {{#name, "its library is missing", no_suffixes}, "the package " package},

static const char *const no_suffixes[] = {NULL};
static const oc_importer *const importers[] = {OC_BUILT};
static const ocelotl_missing_format missing[] = {OC_MISSING{{"", "", no_suffixes}, ""}};

static const uint32_t importer_count = sizeof importers / sizeof importers[0];

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
    return missing[index < count ? index : count];
}

const char *oc_missing_needs(const char *format)
{
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++)
        if (strcmp(missing[i].format.name, format) == 0)
            return missing[i].needs;
    return NULL;
}

ocelotl_status ocelotl_format_check(const char *name)
{
    const char *needs = oc_missing_needs(name);
    if (oc_importer_by_name(name) != NULL)
        return OCELOTL_OK;
    if (needs != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "this build does not read the format \"%s\", expected a build with %s", name,
                       needs);
    oc_text known = {0};
    for (uint32_t i = 0; i < importer_count; i++)
        oc_text_format(&known, "%s%s", i > 0 ? ", " : "", importers[i]->format.name);
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown format \"%s\", expected one of: %s",
                               name, known.bytes);
    oc_text_free(&known);
    return status;
}
