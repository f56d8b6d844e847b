/* Importing trace files into a trace.db. */
#ifndef OCELOTL_IMPORT_H
#define OCELOTL_IMPORT_H

#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the resources of a trace are, in formats that offer both (paraver). */
typedef enum ocelotl_import_by {
    OCELOTL_BY_THREAD = 0, /* applications, tasks and their threads */
    OCELOTL_BY_CPU = 1     /* nodes, CPUs and the threads that ran there */
} ocelotl_import_by;

/* What the states of a trace are, in formats that offer several. */
typedef enum ocelotl_import_value {
    OCELOTL_VALUE_USUAL = 0, /* the first that the format's page names */
    /* gstreamer: */
    OCELOTL_VALUE_LEVEL = 1,    /* the level of a message; resources are functions */
    OCELOTL_VALUE_FUNCTION = 2, /* the function; resources are threads */
    /* otf2: */
    OCELOTL_VALUE_REGION = 3,   /* a function, or another region of code */
    OCELOTL_VALUE_PARADIGM = 4, /* the programming model that a region belongs to: MPI, USER */
    OCELOTL_VALUE_ROLE = 5,     /* what a region does: FUNCTION, BARRIER, FILE_IO */
    OCELOTL_VALUE_CALLPATH = 6  /* a region, and those that it is called from */
} ocelotl_import_value;

/* How the clocks of several files are brought together. */
typedef enum ocelotl_align {
    OCELOTL_ALIGN_AUTO = 0,  /* by clock where each file says when it was recorded, else not */
    OCELOTL_ALIGN_NONE = 1,  /* times are taken as they stand */
    OCELOTL_ALIGN_BEGIN = 2, /* each file begins when the first one does */
    OCELOTL_ALIGN_CLOCK = 3  /* by what the files say; an error where one does not */
} ocelotl_align;

/* How files are imported. Zero is the default of each member. An option of formats that the files
 * do not have is OCELOTL_ERROR_ARGUMENT, which names them. */
typedef struct ocelotl_import_options {
    size_t size;        /* sizeof(ocelotl_import_options), set by the initialiser */
    const char *format; /* a format's name; NULL: recognised from the beginning of the files */
    const char *name;   /* the trace's name for captions; NULL: made of the names of the files */
    /* unit of times in formats that name none: "s", "ms", "us", "ns"; NULL: "s" */
    const char *time_unit;
    /* where the trace.db says it comes from; NULL: the files as they are given */
    const char *source_path;
    bool overwrite; /* replace an existing target */
    /* skip and count broken lines instead of failing at the first, and keep what is readable of cut
     * or damaged compressed data; both are warnings of the trace */
    bool lenient;
    /* of several files: resources of one path are one; else those of each file are below a resource
     * of its name */
    bool same_root;
    ocelotl_import_by by;
    ocelotl_import_value value;
    bool stacks; /* samples are nested states, a frame each, instead of events (perf) */
    /* of a table (csv): what its columns are, or "WORD=HEADER,.." for those whose header says
     * something else, see docs/formats/csv.md; NULL: as the header says. The format is then csv,
     * unless `format` is given */
    const char *columns;
    /* of several files of a format whose files may have clocks of their own (chrome) */
    ocelotl_align align;
    /* of several files, where slices say that they are one collective operation (chrome): links
     * from the last to arrive to each of the others */
    bool collectives;
    /* an extended regular expression of POSIX. What it matches in names of states and events
     * becomes "*", and the whole name an attribute, in formats whose names may differ for each
     * event (chrome, perf, ctf); NULL: nothing */
    const char *fold_names;
    /* names of events that begin and end states, as "A=B,C=D", in formats that do not mark them
     * (ctf); NULL: those whose names say so */
    const char *pairs;
    /* names of variables, or globs as `only` of a selection has them, that are counters: their
     * values accumulate, or (increments) say what was added since the one before */
    ocelotl_names counters, increments;
    /* progress counts bytes of the files as they are on disk, and never goes back; the trace.db is
     * the same for any number of threads; memory_limit is not used */
    ocelotl_work work;
} ocelotl_import_options;

#define OCELOTL_IMPORT_OPTIONS_INIT OCELOTL_INIT(ocelotl_import_options)

/* Imports `source` into a trace.db at `target`, which is whole or absent afterwards. `source` is a
 * file, plain or compressed by gzip, zstd, xz, bzip2 or zip, or "-" for standard input. A trace may
 * name other files that belong to it, in or below its own folder. Options may be NULL. Linear in
 * the size of the files. Errors: INPUT "file:line: what is wrong, what was expected"; ARGUMENT
 * (target exists, unknown format); IO. Ranks (options->work.exchange) each have a target, see
 * ocelotl_run_whole, and where one fails all do. */
OCELOTL_API ocelotl_status ocelotl_import(const char *target, const char *source,
                                          const ocelotl_import_options *options);

/* Imports several files of one format as one trace, merged by time: at equal times the events of an
 * earlier file come first. A file that an earlier one names belongs to the trace of that one,
 * wherever it is. O(n log f) for n lines in f files. Errors: as ocelotl_import; ARGUMENT for no
 * file, a file given twice, or a format that reads only one. */
OCELOTL_API ocelotl_status ocelotl_import_files(const char *target, const char *const *sources,
                                                size_t source_count,
                                                const ocelotl_import_options *options);

/* Fits options to a file that is read beside others, each by itself: those that its format does not
 * take become the default if the format of another takes them. A file that needs no import changes
 * nothing. Linear in the number of files. Errors: ARGUMENT for an option that none of them takes;
 * as ocelotl_identify. */
OCELOTL_API ocelotl_status ocelotl_import_fit(ocelotl_import_options *options, const char *path,
                                              const char *const *others, size_t other_count);

/* Whether the several files that a trace was imported from are as they were then. True for a trace
 * of one file: nothing of the kind is known about it. */
OCELOTL_API bool ocelotl_import_is_current(const ocelotl_trace *trace);

typedef struct ocelotl_format {
    const char *name;        /* as --format takes it */
    const char *description; /* one line for people */
    const char *const
        *suffixes; /* of its files (".trace"), without a compression's; NULL at the end */
} ocelotl_format;

/* The formats that can be imported, by index below ocelotl_format_count(). */
OCELOTL_API uint32_t ocelotl_format_count(void);
OCELOTL_API ocelotl_format ocelotl_format_at(uint32_t index);

/* A format that this build does not read. */
typedef struct ocelotl_missing_format {
    ocelotl_format format; /* its description says why */
    const char *needs;     /* of a build that reads it: "the package libX-dev" */
} ocelotl_missing_format;

/* By index below the count; an index out of range gives "". O(1). Thread-safe. */
OCELOTL_API uint32_t ocelotl_missing_format_count(void);
OCELOTL_API ocelotl_missing_format ocelotl_missing_format_at(uint32_t index);

/* Checks that this build reads a format. Errors: ARGUMENT, MEMORY. O(formats). Thread-safe. */
OCELOTL_API ocelotl_status ocelotl_format_check(const char *name);

/* What a file is. */
typedef enum ocelotl_file_kind {
    OCELOTL_FILE_TRACE_DB = 0, /* a trace.db; ocelotl_trace_open says whether it is sound */
    OCELOTL_FILE_MATRIX = 1,   /* a microscopic model as CSV, see ocelotl_model_from_csv */
    OCELOTL_FILE_TRACE = 2     /* a trace that an importer knows */
} ocelotl_file_kind;

/* Recognises a file, or standard input for "-", by its first bytes, and a folder by the files in
 * it. Errors: IO (not there, a directory without a trace), INPUT (empty, not recognised; formats
 * that are known and cannot be read are named).
 */
OCELOTL_API ocelotl_status ocelotl_identify(ocelotl_file_kind *kind, const char *path);

/* What a path is, without an import. */
typedef struct ocelotl_identity {
    ocelotl_file_kind kind;
    const char *format; /* of a trace that an importer knows, else "" */
    bool is_folder;
    bool is_whole; /* the folder is one trace; else each of several files in it would be one */
} ocelotl_identity;

/* The same, with the format. A folder that holds more that looks like a trace than an import takes
 * is INPUT, which names it. Errors: as ocelotl_identify; LIMIT for a folder of too many files. */
OCELOTL_API ocelotl_status ocelotl_identify_format(ocelotl_identity *identity, const char *path);

/* Whether a file is named as only traces are (.trace, .prv, .db), and not as tables, texts and logs
 * are, too. */
OCELOTL_API bool ocelotl_is_named_as_trace(const char *name);

#ifdef __cplusplus
}
#endif
#endif
