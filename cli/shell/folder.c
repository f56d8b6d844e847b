#define _GNU_SOURCE
#include "folder.h"

#include <dirent.h>

void cli_each_name(int folder, void (*use)(int folder, const char *name))
{
    union {
        struct dirent64 first; /* for the alignment */
        char bytes[8192];
    } entries;
    long length;
    while ((length = getdents64(folder, entries.bytes, sizeof entries.bytes)) > 0)
        for (long at = 0; at < length;) {
            const struct dirent64 *entry =
                (const struct dirent64 *)(const void *)(entries.bytes + at);
            use(folder, entry->d_name);
            at += entry->d_reclen;
        }
}
