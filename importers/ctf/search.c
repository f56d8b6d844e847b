#define _GNU_SOURCE
#include "importers/ctf/search.h"

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(const char *folder, const char *name)
{
    oc_text path = {0};
    const size_t length = strlen(folder);
    oc_text_add(&path, folder);
    oc_text_add(&path, length > 0 && folder[length - 1] == '/' ? "" : "/");
    oc_text_add(&path, name);
    if (!path.failed)
        return path.bytes;
    oc_text_free(&path);
    return NULL;
}

static bool is_kind(const char *path, mode_t kind)
{
    struct stat found;
    return (kind == S_IFDIR ? lstat(path, &found) : stat(path, &found)) == 0 &&
           (found.st_mode & S_IFMT) == kind;
}

/* Takes the folder itself where it holds the file. */
static ocelotl_status take(oc_search *search, const char *folder, const char *name)
{
    char *path = join(folder, name);
    if (path == NULL)
        return oc_fail_memory();
    const bool holds = is_kind(path, S_IFREG);
    free(path);
    if (!holds)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&search->folders, &search->capacity, search->count + 1, sizeof(*search->folders)));
    search->folders[search->count] = NULL;
    OC_TRY(oc_copy_text(&search->folders[search->count], folder));
    search->count++;
    return OCELOTL_OK;
}

static ocelotl_status look_into(oc_search *search, const char *folder, const char *name,
                                size_t most, size_t depth);

static ocelotl_status look_below(oc_search *search, struct dirent *const *entries, int count,
                                 const char *folder, const char *name, size_t most, size_t depth)
{
    ocelotl_status status = OCELOTL_OK;
    for (int i = 0; i < count && status == OCELOTL_OK && search->count < most; i++) {
        const struct dirent *entry = entries[i];
        search->seen++;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
            continue;
        char *path = join(folder, entry->d_name);
        if (path == NULL)
            return oc_fail_memory();
        if (is_kind(path, S_IFDIR))
            status = look_into(search, path, name, most, depth + 1);
        free(path);
    }
    return status;
}

static ocelotl_status look_into(oc_search *search, const char *folder, const char *name,
                                size_t most, size_t depth)
{
    struct dirent **entries = NULL;
    OC_TRY(take(search, folder, name));
    if (search->count >= most || depth >= OC_SEARCH_DEPTH || search->seen >= OC_SEARCH_ENTRIES)
        return OCELOTL_OK;
    const int count = scandir(folder, &entries, NULL, alphasort);
    const ocelotl_status status = look_below(search, entries, count, folder, name, most, depth);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return status;
}

ocelotl_status oc_search_folders(oc_search *search, const char *folder, const char *name,
                                 size_t most)
{
    return look_into(search, folder, name, most, 0);
}

void oc_search_free(oc_search *search)
{
    for (size_t i = 0; i < search->count; i++)
        free(search->folders[i]);
    free(search->folders);
    *search = (oc_search){0};
}
