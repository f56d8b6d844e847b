#define _GNU_SOURCE
/* Parts of OTF2 archives by their names. They are not opened: there may be one for each of many
 * thousands of threads. */
#include "importers/contents.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The length of a name before the suffix of such a file, 0: it has none. */
static size_t find_suffix(const char *name)
{
    static const char *const suffixes[] = {".def", ".evt", ".snap", ".thumb", ".marker"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t end = strlen(suffixes[i]);
        if (length > end && strcmp(name + length - end, suffixes[i]) == 0)
            return length - end;
    }
    return 0;
}

/* Whether a file is in a folder, by its name without the suffix; "" is beside the folder. */
static bool has_file(const char *folder, const char *name, size_t length, const char *suffix)
{
    struct stat found;
    char path[PATH_MAX];
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    const int used = snprintf(path, sizeof path, "%.*s%s%.*s%s", (int)end, folder,
                              length > 0 ? "/" : "", (int)length, name, suffix);
    const bool fits = used > 0 && (size_t)used < sizeof path;
    const bool has = fits && stat(path, &found) == 0 && S_ISREG(found.st_mode);
    return has;
}

bool oc_is_beside_anchor(const char *folder)
{
    return has_file(folder, "", 0, ".otf2");
}

bool oc_is_beside_definitions(const char *folder)
{
    return has_file(folder, "", 0, ".def");
}

/* run.def belongs to run.otf2, and run/7.evt as well. */
oc_part oc_part_of_archive(const char *folder, const char *name)
{
    const size_t length = find_suffix(name);
    const bool is_number = length > 0 && strspn(name, "0123456789") == length;
    if (length == 0)
        return OC_PART_NONE;
    if (has_file(folder, name, length, ".otf2") || (is_number && oc_is_beside_anchor(folder)))
        return OC_PART_OF_ANCHOR;
    return is_number ? OC_PART_ALONE : OC_PART_NONE; /* others may be named so, too */
}
