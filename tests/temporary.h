/* A folder for a test's files, gone when the test ends. Include it first: it asks for POSIX. */
#ifndef OC_TESTS_TEMPORARY_H
#define OC_TESTS_TEMPORARY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "made.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char temporary_folder[1024];

/* The path of a file in the folder; it lives until the eighth call from now. */
static inline const char *temporary_path(const char *name)
{
    static char paths[8][1400];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", temporary_folder, name);
    return path;
}

/* How many files the folder holds; with `remove`, how many it held. */
static inline size_t temporary_files(bool clear)
{
    size_t count = 0;
    DIR *folder = opendir(temporary_folder);
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (clear && unlink(temporary_path(entry->d_name)) != 0)
            rmdir(temporary_path(entry->d_name));
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static inline void temporary_end(void)
{
    temporary_files(true);
    rmdir(temporary_folder);
}

static inline void temporary_begin(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(temporary_folder, sizeof temporary_folder, "%s/ocelotl-test-XXXXXX",
             where != NULL && where[0] != '\0' ? where : "/tmp");
    CHECK(mkdtemp(temporary_folder) != NULL);
    CHECK(atexit(temporary_end) == 0);
}

static inline void temporary_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length, file) == length);
    CHECK(fclose(file) == 0);
}

/* The whole of a file, ended by '\0'; to be freed. */
static inline char *temporary_read(size_t *length, const char *path)
{
    struct stat found;
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fstat(fileno(file), &found) == 0);
    char *bytes = malloc((size_t)found.st_size + 1);
    CHECK(bytes != NULL);
    *length = fread(bytes, 1, (size_t)found.st_size, file);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

#endif
