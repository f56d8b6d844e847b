#include "base/pattern.h"

#include <sqlite3.h>
#include <string.h>

bool oc_pattern_matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || sqlite3_strglob(pattern, name) == 0;
}
