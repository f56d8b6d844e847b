/* The vtable of a format, and the table of them. A new format is one folder, and one word in
 * cmake/formats.cmake. */
#ifndef OC_IMPORTERS_IMPORTER_H
#define OC_IMPORTERS_IMPORTER_H

#include "importers/common/opening.h"

/* What a trace in a folder is. */
typedef enum oc_unit {
    OC_UNIT_FILE = 0,   /* a file, which is a source */
    OC_UNIT_ANCHOR = 1, /* a file with others that belong to it; a folder of one is the source */
    OC_UNIT_FOLDER = 2  /* all below the folder, which is the source, are one trace */
} oc_unit;

typedef struct oc_importer {
    ocelotl_format format;
    oc_unit unit;       /* of a folder */
    bool takes_several; /* files make one trace */
    bool has_clock;     /* a file may say when it was recorded: --align clock */
    bool shares;        /* ranks share the work and have one status; else it is of rank 0 */
    uint32_t takes;     /* a bit for each oc_taken_option that says something of the format */
    uint32_t values;    /* a bit for each ocelotl_import_value that its states can have */

    /* How sure it is that a file has the format, by its beginning (decompressed) and name:
     * OC_NO_MEMORY to OC_SURE. */
    int (*recognises)(const oc_source *source);

    /* Reads all of the sources and writes the target through the public writer; NULL: `decoder`
     * does, by oc_ingest_import. */
    ocelotl_status (*import)(const oc_import *import);
    const struct oc_ingest_decoder *decoder;
} oc_importer;

/* The formats, by index below ocelotl_format_count(). */
const oc_importer *oc_importer_get(uint32_t index);

/* The importer of a format by its name; NULL: none of this build. */
const oc_importer *oc_importer_by_name(const char *name);

/* ocelotl_import_files, for tests: with blocks of a size, and lines read the long way. */
ocelotl_status oc_import_files(const char *target, const char *const *sources, size_t source_count,
                               const ocelotl_import_options *options, size_t block_size,
                               bool long_way);

/* Refuses the first option given that the format of a file does not take. Errors: ARGUMENT. */
ocelotl_status oc_check_taken(const oc_importer *importer, const char *path,
                              const ocelotl_import_options *options);

/* Finds the importer that is surest of a file, if it is as sure as `least`; else NULL. Errors:
 * MEMORY. */
ocelotl_status oc_recognise(const oc_importer **surest, const oc_source *source, int least);

/* Finds out what a file is, and which importer reads it where it is a trace. Errors: INPUT. */
ocelotl_status oc_identify_file(ocelotl_file_kind *kind, const oc_importer **importer,
                                const oc_source *source);

/* Recognises what is at a path, a folder by its files; lenient, one with broken ones, too. Errors:
 * as ocelotl_identify_format. */
ocelotl_status oc_identify(ocelotl_identity *identity, const char *path, bool lenient);

/* Whether a file needs no import: it is a trace.db, or a matrix. */
bool oc_is_imported(ocelotl_file_kind *kind, const oc_source *source);

/* The importer with a suffix that a name ends in; NULL: none. */
const oc_importer *oc_importer_by_suffix(const char *name);
bool oc_has_suffix_of(const char *name, const oc_importer *importer);

/* Whether traces alone have a suffix: tables, texts and logs have not. */
bool oc_is_suffix_of_traces(const char *suffix);

/* Whether bytes begin a stream of CTF, or a part of an OTF2 archive that is not its anchor. */
bool oc_is_ctf_stream(const oc_head *head);
bool oc_is_otf2_part(const oc_head *head);

/* What a build needs to read what bytes begin; NULL: this one does, or none would. */
const char *oc_unread_needs(const oc_head *head);

/* What a build needs to read a format; NULL: this one does, or none would. */
const char *oc_missing_needs(const char *format);

/* Gives INPUT for a file of a known format that cannot be read, naming it; else OK. */
ocelotl_status oc_check_known(const oc_source *source);

/* Gives INPUT for a file that nothing recognises, saying why where that can be known. */
ocelotl_status oc_fail_unknown_format(const oc_source *source);

/* Each is there in a build that reads the format; tables are read by every one. */
extern const oc_importer oc_paje_importer;
extern const oc_importer oc_csv_importer;
extern const oc_importer oc_paraver_importer;
extern const oc_importer oc_otf2_importer;
extern const oc_importer oc_chrome_importer;
extern const oc_importer oc_gstreamer_importer;
extern const oc_importer oc_perf_importer;
extern const oc_importer oc_ftrace_importer;    /* in the folder of perf, */
extern const oc_importer oc_trace_dat_importer; /* this one, too */
extern const oc_importer oc_ctf_importer;
extern const oc_importer oc_picl_importer;
extern const oc_importer oc_swf_importer;
extern const oc_importer oc_numa_maps_importer;
extern const oc_importer oc_perf_stat_importer;
extern const oc_importer oc_spark_importer;
extern const oc_importer oc_jfr_importer;
extern const oc_importer oc_firefox_importer;
extern const oc_importer oc_speedscope_importer;
extern const oc_importer oc_heaptrack_importer;
extern const oc_importer oc_perfetto_importer;
extern const oc_importer oc_xplane_importer;
extern const oc_importer oc_spans_importer;
extern const oc_importer oc_nsys_importer;
extern const oc_importer oc_rocpd_importer; /* in the folder of nsys */

#endif
