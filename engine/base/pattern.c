#include "base/pattern.h"

#include "base/memory.h"

#include <sqlite3.h>
#include <string.h>

bool oc_pattern_matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || sqlite3_strglob(pattern, name) == 0;
}

bool oc_patterns_match(const ocelotl_names *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (oc_pattern_matches(patterns->names[i], name))
            return true;
    return false;
}

ocelotl_status oc_check_names(const ocelotl_names *names, const char *what)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->names == NULL || names->names[i] == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s %zu has no name", what, i);
    return OCELOTL_OK;
}

ocelotl_status oc_copy_names(const char ***copy, const ocelotl_names *names)
{
    size_t bytes = names->count * sizeof **copy;
    for (size_t i = 0; i < names->count; i++)
        bytes += strlen(names->names[i]) + 1;
    OC_TRY(oc_allocate(copy, bytes, 1));
    char *text = (char *)(*copy + names->count);
    for (size_t i = 0; i < names->count; i++) {
        const size_t length = strlen(names->names[i]) + 1;
        memcpy(text, names->names[i], length);
        (*copy)[i] = text;
        text += length;
    }
    return OCELOTL_OK;
}
