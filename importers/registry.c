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

/* --- What the name of a file says of its format */

bool oc_is_suffix_of_traces(const char *suffix)
{
    static const char *const general[] = {".csv", ".json", ".txt", ".log", ".dat"};
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

/* --- What a file is, by how it begins */

static bool is_trace_db(const char *head, size_t length)
{
    static const char magic[] = "SQLite format 3";
    enum { PLACE = 68 }; /* of the program that wrote a database */
    return length >= sizeof magic && memcmp(head, magic, sizeof magic) == 0 &&
           (length < PLACE + 4 || memcmp(head + PLACE, "OCEL", 4) == 0);
}

static bool is_matrix(const char *head, size_t length)
{
    static const char header[] = "path,type,slice,value";
    static const char quoted[] = "\"path\",\"type\",\"slice\",\"value\"";
    const size_t mark = oc_text_mark(head, length);
    head += mark;
    length -= mark;
    return (length >= sizeof header - 1 && memcmp(head, header, sizeof header - 1) == 0) ||
           (length >= sizeof quoted - 1 && memcmp(head, quoted, sizeof quoted - 1) == 0);
}

ocelotl_status oc_recognise(const oc_importer **surest, const oc_source *source, int least)
{
    *surest = NULL;
    for (uint32_t i = 0; i < ocelotl_format_count(); i++) {
        const oc_importer *importer = oc_importer_get(i);
        const int sure = importer->recognises(source);
        if (sure == OC_NO_MEMORY)
            return oc_fail_memory();
        if (sure >= least) {
            *surest = importer;
            least = sure + 1;
        }
    }
    return OCELOTL_OK;
}

bool oc_is_imported(ocelotl_file_kind *kind, const oc_source *source)
{
    const oc_head *head = &source->head;
    if (is_trace_db(head->bytes, head->length))
        *kind = OCELOTL_FILE_TRACE_DB;
    else if (is_matrix(head->bytes, head->length))
        *kind = OCELOTL_FILE_MATRIX;
    else
        return false;
    return true;
}
