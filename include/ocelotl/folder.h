/* The traces in a folder: what each is, and what can be said of it without an import. */
#ifndef OCELOTL_FOLDER_H
#define OCELOTL_FOLDER_H

#include <ocelotl/types.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_folder ocelotl_folder;

/* What traces are sorted by: texts in their order, numbers the largest first, dates the latest;
 * what is not known comes last. */
typedef enum ocelotl_folder_column {
    OCELOTL_FOLDER_NAME = 0, /* numbers in names by their values */
    OCELOTL_FOLDER_FORMAT = 1,
    OCELOTL_FOLDER_DURATION = 2,
    OCELOTL_FOLDER_EVENTS = 3,
    OCELOTL_FOLDER_RESOURCES = 4,
    OCELOTL_FOLDER_SIZE = 5,
    OCELOTL_FOLDER_DATE = 6, /* when it was recorded, else when its file was changed last */
    OCELOTL_FOLDER_NOTES = 7
} ocelotl_folder_column;

/* Zero is the default of each member. */
typedef struct ocelotl_folder_options {
    size_t size;    /* sizeof(ocelotl_folder_options), set by the initialiser */
    bool recursive; /* traces in folders below, too, but for links to folders */
    bool all;       /* files that are no traces, too */
    ocelotl_folder_column sort;
    /* conditions "NAME OP VALUE" that all have to hold, with one of = != < <= > >=; a NAME is
     * name, kind, format, title, uid, duration (in seconds), events, resources, size (in bytes),
     * date, notes or problem, else a key of the metadata; texts by = and != are globs */
    ocelotl_names where;
    ocelotl_work work; /* progress counts files; threads and memory_limit are not used */
} ocelotl_folder_options;

#define OCELOTL_FOLDER_OPTIONS_INIT OCELOTL_INIT(ocelotl_folder_options)

/* Reads a folder: recognises files by their first bytes, and imports nothing. A trace that is
 * damaged, or cannot be read, is one with a problem. Left out are hidden files, those that are
 * being written, and (without `all`) those that nothing recognises, unless they are named as traces
 * alone are; and what comes behind the first OCELOTL_FOLDER_MOST files and folders, as there are
 * trees without an end. Pipes, devices and the kernel's files (/proc, /sys) are never opened.
 * O(files). Errors: IO (the folder cannot be read); ARGUMENT (a condition; a name in one that no
 * trace has, with the nearest); CANCELLED, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_folder_read(ocelotl_folder **folder, const char *path,
                                               const ocelotl_folder_options *options);
OCELOTL_API void ocelotl_folder_free(ocelotl_folder *folder);

/* The path as it was given. */
OCELOTL_API const char *ocelotl_folder_path(const ocelotl_folder *folder);

/* Whether there were more files and folders than are looked at; the others are left out. */
#define OCELOTL_FOLDER_MOST 100000
OCELOTL_API bool ocelotl_folder_is_cut(const ocelotl_folder *folder);

#ifdef __cplusplus
}
#endif
#endif
