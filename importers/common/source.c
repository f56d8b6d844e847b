#define _GNU_SOURCE
#include "importers/common/source.h"

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ocelotl_status read_head(oc_source *source)
{
    oc_head *head = &source->head;
    size_t step = 1;
    OC_TRY(oc_allocate(&head->bytes, OC_HEAD_SIZE, 1));
    oc_input_salvage(source->input, true);
    while (head->length < OC_HEAD_SIZE && step > 0) {
        OC_TRY(oc_input_read(source->input, head->bytes + head->length, OC_HEAD_SIZE - head->length,
                             &step));
        head->length += step;
    }
    oc_input_salvage(source->input, source->lenient);
    head->loss = oc_input_loss(source->input);
    return OCELOTL_OK;
}

static ocelotl_status name_folder(oc_source *source, const char *path)
{
    const char *slash = strrchr(path, '/');
    OC_TRY(oc_copy_text(&source->path, source->is_standard ? "standard input" : path));
    if (source->is_standard)
        return OCELOTL_OK;
    OC_TRY(oc_copy_text(&source->folder, path));
    if (!source->is_folder)
        source->folder[slash != NULL ? slash - path + 1 : 0] = '\0';
    return OCELOTL_OK;
}

bool oc_source_look(oc_source *source, const char *path)
{
    struct stat found;
    const int missing = source->is_standard ? fstat(0, &found) : stat(path, &found);
    if (missing != 0)
        return false;
    source->is_folder = S_ISDIR(found.st_mode);
    source->is_regular = S_ISREG(found.st_mode);
    source->device = (uint64_t)found.st_dev;
    source->number = (uint64_t)found.st_ino;
    return true;
}

ocelotl_status oc_source_open(oc_source *source, const char *path,
                              const ocelotl_import_options *options)
{
    source->is_standard = strcmp(path, "-") == 0;
    source->lenient = options->lenient;
    (void)oc_source_look(source, path); /* where it is not there, opening it says why */
    OC_TRY(name_folder(source, path));
    if (source->is_folder)
        return OCELOTL_OK;
    OC_TRY(oc_input_open_cancellable(&source->input, path, options->work.progress,
                                     options->work.context));
    return read_head(source);
}

ocelotl_status oc_source_rewind(oc_source *source)
{
    if (source->input != NULL)
        OC_TRY(oc_input_unread(source->input, source->head.bytes, source->head.length));
    free(source->head.bytes);
    source->head = (oc_head){0};
    return OCELOTL_OK;
}

ocelotl_status oc_source_name(oc_source *source, const char *path,
                              const ocelotl_import_options *options)
{
    source->lenient = options->lenient;
    (void)oc_source_look(source, path);
    return name_folder(source, path);
}

ocelotl_status oc_source_open_unseen(oc_source *source, const char *path,
                                     const ocelotl_import_options *options)
{
    OC_TRY(oc_source_name(source, path, options));
    OC_TRY(oc_input_open_cancellable(&source->input, path, options->work.progress,
                                     options->work.context));
    oc_input_salvage(source->input, options->lenient);
    return OCELOTL_OK;
}

void oc_source_close(oc_source *source)
{
    oc_input_free(source->input);
    free(source->head.bytes);
    free(source->folder);
    free(source->anchor);
    free(source->path);
    *source = (oc_source){0};
}

void oc_source_stamp(char stamp[OC_STAMP], const char *path)
{
    struct stat found;
    stamp[0] = '\0';
    if (stat(path, &found) == 0 && S_ISREG(found.st_mode))
        snprintf(stamp, OC_STAMP, "%llu %lld %lld.%09ld %lld.%09ld",
                 (unsigned long long)found.st_ino, (long long)found.st_size,
                 (long long)found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                 (long long)found.st_ctim.tv_sec, found.st_ctim.tv_nsec);
}

/* --- Folders */

static int compare_names(const void *left, const void *right)
{
    return strverscmp(*(const char *const *)left, *(const char *const *)right);
}

static ocelotl_status list(char ***names, size_t *count, DIR *opened,
                           bool (*chosen)(const char *name))
{
    size_t capacity = 0;
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        if (!chosen(entry->d_name))
            continue;
        OC_TRY(oc_grow(names, &capacity, *count + 1, sizeof(char *)));
        OC_TRY(oc_copy_text(&(*names)[*count], entry->d_name));
        ++*count;
    }
    if (*count > 0)
        qsort(*names, *count, sizeof(char *), compare_names);
    return OCELOTL_OK;
}

ocelotl_status oc_source_list_all(char ***names, size_t *count, const char *folder,
                                  bool (*chosen)(const char *name))
{
    DIR *opened = opendir(folder);
    *names = NULL;
    *count = 0;
    if (opened == NULL)
        return errno == ENOMEM
                   ? oc_fail_memory()
                   : oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read: %s", folder, strerror(errno));
    const ocelotl_status status = list(names, count, opened, chosen);
    closedir(opened);
    return status;
}

ocelotl_status oc_source_list(char ***names, size_t *count, const char *folder,
                              bool (*chosen)(const char *name))
{
    const ocelotl_status status = oc_source_list_all(names, count, folder, chosen);
    return status == OCELOTL_ERROR_IO ? OCELOTL_OK : status;
}

int oc_no_or_no_memory(ocelotl_status status)
{
    return status == OCELOTL_ERROR_MEMORY ? OC_NO_MEMORY : OC_NO;
}

/* What a compressed file is called; the first is not compressed. */
static const char *const compressions[] = {"", ".gz", ".zst", ".xz", ".bz2", ".zip"};
enum { COMPRESSIONS = sizeof compressions / sizeof compressions[0] };

/* The length of a name before a suffix and that of a compression; 0: it does not end so. */
static size_t length_before(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t bare = strlen(suffix);
    size_t before = 0;
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        const size_t whole = bare + strlen(compressions[i]);
        if (length > whole && strncmp(name + length - whole, suffix, bare) == 0 &&
            strcmp(name + length - whole + bare, compressions[i]) == 0)
            before = length - whole;
    }
    return before;
}

size_t oc_source_bare_length(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 1; i < COMPRESSIONS; i++) {
        const size_t packed = strlen(compressions[i]);
        if (length > packed && strcmp(name + length - packed, compressions[i]) == 0)
            return length - packed;
    }
    return length;
}

bool oc_source_has_suffix(const char *name, const char *suffix)
{
    return length_before(name, suffix) > 0;
}

ocelotl_status oc_source_find_beside(char **found, const char *path, const char *own,
                                     const char *suffix)
{
    oc_text text = {0};
    ocelotl_status status = OCELOTL_OK;
    const size_t length = length_before(path, own);
    for (size_t i = 0; length > 0 && *found == NULL && i < COMPRESSIONS; i++) {
        oc_source looked = {0};
        oc_text_clear(&text);
        oc_text_append(&text, path, length);
        oc_text_format(&text, "%s%s", suffix, compressions[i]);
        if (text.failed)
            status = oc_fail_memory();
        else if (oc_source_look(&looked, text.bytes) && looked.is_regular)
            status = oc_copy_text(found, text.bytes);
        if (status != OCELOTL_OK)
            break;
    }
    oc_text_free(&text);
    return status;
}

ocelotl_status oc_source_note(const oc_source *source, ocelotl_writer *writer)
{
    char stamp[OC_STAMP] = "";
    char *real = source->is_standard ? NULL : realpath(source->path, NULL);
    if (!source->is_standard && real == NULL && errno == ENOMEM)
        return oc_fail_memory();
    if (!source->is_standard)
        oc_source_stamp(stamp, source->path);
    const ocelotl_status status =
        ocelotl_writer_file(writer, real != NULL ? real : source->path, stamp);
    free(real);
    return status;
}

bool oc_source_is_same(const oc_source *one, const oc_source *other)
{
    return one->device == other->device && one->number == other->number;
}

char *oc_source_path(const oc_source *source, const char *name)
{
    char *path = NULL;
    const char *folder = source->folder != NULL && name[0] != '/' ? source->folder : "";
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    return asprintf(&path, "%s%s%s", folder, slash, name) < 0 ? NULL : path;
}

static bool leads_up(const char *name)
{
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

/* Whether a real path is below a real folder. */
static bool is_below(const char *path, const char *folder)
{
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool oc_source_leads_out(const oc_source *source, const char *name)
{
    return source->folder == NULL || name[0] == '/' || leads_up(name);
}

bool oc_source_holds(const oc_source *source, const char *name)
{
    if (oc_source_leads_out(source, name))
        return false;
    char *path = oc_source_path(source, name);
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    char *folder = realpath(source->folder[0] != '\0' ? source->folder : ".", NULL);
    const bool holds = real != NULL && folder != NULL && is_below(real, folder);
    free(folder);
    free(real);
    free(path);
    return holds;
}

bool oc_head_holds(const oc_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}
