/* A source of an import: a file, a folder or standard input; its first bytes, its folder, what is
 * beside it and in it. Its stream is opened on demand. */
#ifndef OC_IMPORTERS_COMMON_SOURCE_H
#define OC_IMPORTERS_COMMON_SOURCE_H

#include "base/file/input.h"

#include <ocelotl/import.h>
#include <ocelotl/writer.h>

/* How sure an importer is that a source is of its format. */
enum {
    OC_NO_MEMORY = -1, /* to find out */
    OC_NO = 0,
    OC_PERHAPS = 1, /* nothing is against it: the format is taken where no other is recognised */
    OC_ALMOST = 2,  /* it was meant to be one, and cannot be read as it is */
    OC_SURE = 100
};

/* Enough for the comments that precede the first line of meaning. */
enum { OC_HEAD_SIZE = 65536 };

/* The beginning of a file, decompressed. */
typedef struct oc_head {
    char *bytes;
    size_t length;
    /* why data is lost, as oc_input_loss; NULL: nothing is, or the file is short */
    const char *loss;
} oc_head;

/* Whether a text is in the beginning of a file. */
bool oc_head_holds(const oc_head *head, const char *text);

/* Zero-initialised it is closed. */
typedef struct oc_source {
    char *path;      /* as messages name it: "standard input" for "-" */
    char *folder;    /* where its siblings are, "" for this one; NULL: standard input has none */
    oc_head head;    /* of a file, while it is recognised */
    oc_input *input; /* of a file, NULL: it is closed */
    char *anchor;    /* of a folder that is one trace: the path of the file that begins it */
    const struct oc_importer *importer; /* that reads a folder, or a file of one; NULL: not known */
    bool is_folder, is_regular, is_standard, lenient;
    uint64_t device, number; /* what the system knows the file by */
} oc_source;

/* Opens the file at a path ("-" is standard input) and reads its beginning, or as much as possible.
 * The stream then begins behind it: see oc_source_rewind. Errors: IO; INPUT for a compression that
 * cannot be read. The caller closes it in any case. */
ocelotl_status oc_source_open(oc_source *source, const char *path,
                              const ocelotl_import_options *options);

/* Puts the beginning back before the stream, and forgets it. */
ocelotl_status oc_source_rewind(oc_source *source);

/* Names a source that is not opened: where it is, and whether it is a folder. Errors: MEMORY. */
ocelotl_status oc_source_name(oc_source *source, const char *path,
                              const ocelotl_import_options *options);

/* Opens a file without a look at its beginning. Errors: as oc_source_open. */
ocelotl_status oc_source_open_unseen(oc_source *source, const char *path,
                                     const ocelotl_import_options *options);

void oc_source_close(oc_source *source);

enum { OC_STAMP = 128 };

/* What changes when the file at a path does: where it is, its size and times. "" for what is no
 * regular file. */
void oc_source_stamp(char stamp[OC_STAMP], const char *path);

/* Lists the chosen names in a folder, sorted by name and by numbers in names. Both results are
 * freed by the caller, also after a failure. A folder that cannot be read has none. Errors:
 * MEMORY. */
ocelotl_status oc_source_list(char ***names, size_t *count, const char *folder,
                              bool (*chosen)(const char *name));

/* The same, but that a folder that cannot be read is an error: IO. */
ocelotl_status oc_source_list_all(char ***names, size_t *count, const char *folder,
                                  bool (*chosen)(const char *name));

/* What a recogniser says of a source that it failed to look at. */
int oc_no_or_no_memory(ocelotl_status status);

/* Whether a name ends in a suffix, or in that and one of a known compression. */
bool oc_source_has_suffix(const char *name, const char *suffix);

/* The length of a name without the suffix of a compression. */
size_t oc_source_bare_length(const char *name);

/* Finds what is beside a file: of "run.prv.gz", which is called ".prv", "run.pcf" or "run.pcf.gz"
 * for
 * ".pcf". *found is freed by free, and stays as it is where nothing is there. Errors: MEMORY. */
ocelotl_status oc_source_find_beside(char **found, const char *path, const char *own,
                                     const char *suffix);

/* Notes files that make one trace in it. */
ocelotl_status oc_source_note(const oc_source *source, ocelotl_writer *writer);

/* Whether two are one file, by whatever names. */
bool oc_source_is_same(const oc_source *one, const oc_source *other);

/* The path that a name in a source's content stands for: relative to the folder that the source is
 * in. NULL where memory is missing. */
char *oc_source_path(const oc_source *source, const char *name);

/* Notes what the system knows the file at a path by; false where nothing is there. */
bool oc_source_look(oc_source *source, const char *path);

/* Whether a name leads out of a source's folder: it is absolute, or has "..", or the source is
 * standard input, which has no folder. */
bool oc_source_leads_out(const oc_source *source, const char *name);

/* Whether a file lies in the source's folder or below it, after following links. False if it does
 * not exist. */
bool oc_source_holds(const oc_source *source, const char *name);

#endif
