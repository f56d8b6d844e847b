/* The vtable of a format, and the table of them. A new format is one folder, and one line in
 * importers/registry.c. */
#ifndef OC_IMPORTERS_IMPORTER_H
#define OC_IMPORTERS_IMPORTER_H

#include "importers/common/source.h"

/* What an importer is asked to do. */
typedef struct oc_import {
    oc_source *sources; /* as they were given, of one format */
    size_t source_count;
    const char *const *nodes; /* the names of their resources, if several files are given */
    bool
        notes_files; /* what they are is noted, so that a change is seen: several, or of a folder */
    const char *folder; /* that was given, and whose files the sources are; NULL: others were */
    const char *target;
    const char *name;        /* of the trace */
    const char *source_path; /* where the trace comes from */
    const ocelotl_import_options *options;
    size_t block_size; /* of texts, for tests; 0: the usual */
    bool long_way;     /* no line is read the short way, for tests */
} oc_import;

typedef struct oc_importer {
    ocelotl_format format;
    bool takes_folder; /* a folder is a trace; else only files are */
    /* Whether a file of a folder, by its name, counts as a source of its own; NULL: the folder is
     * the source. */
    bool (*is_part)(const char *name);
    /* Lists the sources of their own in a folder, by their paths from there, as oc_source_list;
     * where they are fewer than two, the folder is the source. NULL: there is none. */
    ocelotl_status (*list_parts)(char ***names, size_t *count, const char *folder);
    bool takes_several;   /* files make one trace */
    bool takes_time_unit; /* the format names no unit of time */
    bool has_clock;       /* a file may say when it was recorded: --align clock */
    uint32_t values;      /* a bit for each ocelotl_import_value that its states can have */

    /* How sure it is that a source has the format: OC_NO_MEMORY to OC_SURE. It looks at the
     * source's beginning (decompressed), and at what is beside it or in it. */
    int (*recognises)(const oc_source *source);

    /* Reads all of the sources and writes the target through the public writer. */
    ocelotl_status (*import)(const oc_import *import);
} oc_importer;

/* The formats, by index below the count. */
uint32_t oc_importer_count(void);
const oc_importer *oc_importer_get(uint32_t index);

/* ocelotl_import_files, for tests: with texts in blocks of a size, and each line read the long way.
 */
ocelotl_status oc_import_files(const char *target, const char *const *sources, size_t source_count,
                               const ocelotl_import_options *options, size_t block_size,
                               bool long_way);
/* The package that lets a build read a format; NULL: this one does, or none would. */
const char *oc_missing_package(const char *format);

/* Gives INPUT for a file of a known format that cannot be read, naming it; else OK. */
ocelotl_status oc_check_known(const oc_source *source);

/* The same for a folder, by what is in it. */
ocelotl_status oc_check_known_folder(const oc_source *source);

/* Gives INPUT for a file that nothing recognises, saying why where that can be known. */
ocelotl_status oc_fail_unknown_format(const oc_source *source);

extern const oc_importer oc_paje_importer;
extern const oc_importer oc_csv_importer;
extern const oc_importer oc_paraver_importer;
extern const oc_importer oc_otf2_importer; /* where the OTF2 library was found */
extern const oc_importer oc_chrome_importer;
extern const oc_importer oc_gstreamer_importer;
extern const oc_importer oc_perf_importer;
extern const oc_importer oc_ctf_importer;

#endif
