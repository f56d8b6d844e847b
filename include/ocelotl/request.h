/* A request: what a command of ocelotl-cli is asked, as data.
 *
 * A parameter is a row: its name, what it takes, what it does, and which commands take it. A
 * request is filled by names and values, whether these are the words of a command line, the fields
 * of a URL or the keywords of a function. Nothing here writes a file or prints. The files that are
 * read are those of a value @FILE, of a parameter that takes names: one name a line, each as if it
 * had been given by itself (@@x is the name @x); and the tree of types.
 *
 * A request belongs to one thread at a time. */
#ifndef OCELOTL_REQUEST_H
#define OCELOTL_REQUEST_H

#include <ocelotl/folder.h>
#include <ocelotl/import.h>
#include <ocelotl/levels.h>
#include <ocelotl/model.h>
#include <ocelotl/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A command, by index below the count ("" beyond). The first is the overview. O(1). */
typedef struct ocelotl_command {
    const char *name;
    const char *summary; /* one line for a person */
} ocelotl_command;

OCELOTL_API size_t ocelotl_command_count(void);
OCELOTL_API ocelotl_command ocelotl_command_at(size_t index);

/* The command that a word may have been meant for; NULL: none is like it. */
OCELOTL_API const char *ocelotl_command_nearest(const char *word);

/* Fails for a word that is neither a command nor a file, and says what may be meant. Errors:
 * ARGUMENT, always. */
OCELOTL_API ocelotl_status ocelotl_command_refuse(const char *word);

/* A parameter of a command. */
typedef struct ocelotl_parameter {
    const char *name;  /* without dashes */
    const char *group; /* the heading it stands below in the help; "" for the first ones */
    const char *value; /* stands for its value: "N", or the words it takes, "s|ms"; "": no value */
    const char *help;  /* what it does, in lines; "": the next parameter's help is of both */
    bool repeatable;   /* given again it adds to what was given; else the last one counts */
    bool of_answer;    /* the command's own, and says what is answered, not how or where to */
} ocelotl_parameter;

/* The parameters of a command by index below the count, in the order of its help. "" beyond, and
 * for an unknown command. O(rows). */
OCELOTL_API size_t ocelotl_parameter_count(const char *command);
OCELOTL_API ocelotl_parameter ocelotl_parameter_at(const char *command, size_t index);

/* Gives the parameter of a command by its whole name; "" where it has none. O(rows). */
OCELOTL_API ocelotl_parameter ocelotl_parameter_find(const char *command, const char *name);

/* What --help prints of a command, in *text, freed by free. A NULL `topic` gives all of it where
 * that is short, else what one needs first and by what words more is found; "all" gives all; else
 * the sections whose headings begin with it. Errors: ARGUMENT (no such command, no such topic,
 * with the nearest one), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_help(char **text, const char *command, const char *topic);

/* Whether an option of this name, or one that begins so, takes a value in any command. O(rows). */
OCELOTL_API bool ocelotl_parameter_takes_value(const char *name);

/* --- What a request holds */

/* What an instant without a prefix counts from. `@` before it means the trace's own time, which
 * axes show; `+` means from the trace's beginning. */
typedef enum ocelotl_instant_base {
    OCELOTL_FROM_BEGINNING = 0,
    OCELOTL_OWN_TIME = 1
} ocelotl_instant_base;

/* Zero-initialised it was not given. */
typedef struct ocelotl_instant {
    const char *text;   /* as it was given, or NULL */
    const char *option; /* by this one, without its dashes */
    ocelotl_instant_base base;
    bool percent; /* of the trace's length, from its beginning */
    bool is_tick; /* it is this tick, whatever the text says */
    int64_t tick;
    double value; /* percent or seconds; may be infinite */
} ocelotl_instant;

/* Zero-initialised it is the whole trace. */
typedef struct ocelotl_interval {
    ocelotl_instant from, to;
    double shift; /* how many of its lengths it is moved to later time */
} ocelotl_interval;

/* Zero-initialised it was not given. */
typedef struct ocelotl_duration {
    const char *text; /* as it was given, or NULL */
    double seconds;   /* >= 0 */
} ocelotl_duration;

typedef enum ocelotl_detail_kind {
    OCELOTL_DETAIL_AUTO = 0,  /* the level that a rule chooses, mostly that to show first */
    OCELOTL_DETAIL_P = 1,     /* a normalised p */
    OCELOTL_DETAIL_P_RAW = 2, /* a p that is not normalised */
    OCELOTL_DETAIL_LEVEL = 3, /* a level by its number */
    OCELOTL_DETAIL_PARTS = 4  /* at most this many parts */
} ocelotl_detail_kind;

/* The level of detail: which partition. Zero-initialised it is the one to show first. */
typedef struct ocelotl_detail {
    ocelotl_detail_kind kind;
    const char *option; /* the option that chose, NULL: none */
    double p;
    uint32_t count; /* level, parts, or the plateau of a rule */
    ocelotl_rule rule;
} ocelotl_detail;

/* A part to look into, and the partition that it belongs to. */
typedef struct ocelotl_zoom {
    uint32_t part;
    bool solved; /* `detail` says which partition; else the request's does */
    ocelotl_detail detail;
} ocelotl_zoom;

/* A node, and a range of time, of a picture that is drawn alone. Zero-initialised: none. */
typedef struct ocelotl_expansion {
    const char *node;
    bool range;
    ocelotl_instant from, to;
} ocelotl_expansion;

/* An option as it was given. */
typedef struct ocelotl_given {
    const char *name;
    const char *value; /* NULL: it takes none */
    bool listed;       /* a file has the value, which was given as @FILE */
} ocelotl_given;

#define OCELOTL_MAX_ZOOMS 32

/* Made by ocelotl_request_new, filled by ocelotl_request_set or ocelotl_request_parse, to be read;
 * its texts live as long as it does. Members of options that its command does not take keep their
 * defaults. */
typedef struct ocelotl_request {
    size_t size; /* of the structure, as the library has it */
    const char *command;

    /* what it was filled with */
    const ocelotl_given *given;
    size_t given_count;
    const char *const *operands; /* traces, a query */
    size_t operand_count;
    bool help;         /* --help: all else was not looked at */
    bool no_defaults;  /* the user's own defaults are left alone */
    bool expanded;     /* `given` spells out what it was filled with: the names of a file */
    bool losses_only;  /* of hierarchies, at some numbers of parts; see hierarchies.h */
    const char *topic; /* the word behind it, or NULL */

    /* what a model is of; window and durations are not in its options, which know ticks alone */
    ocelotl_model_options model;
    ocelotl_interval window;
    ocelotl_interval second_window; /* of the second trace that is compared */
    ocelotl_duration min_duration, max_duration;
    const char *hierarchy;        /* a file, "auto", "role", "trace" or NULL: see `model` */
    ocelotl_type_tree *type_tree; /* of the model and of pictures; the request's, or NULL */
    ocelotl_names candidates;     /* more hierarchies to rank */
    ocelotl_detail detail;
    ocelotl_zoom zooms[OCELOTL_MAX_ZOOMS];
    size_t zoom_count;

    bool whole_time; /* silences are drawn, and what is far from the rest */

    /* how a trace is read */
    bool lenient, no_cache, stacks;
    uint32_t threads; /* 0: all */
    const char *time_unit;
    ocelotl_import_by by;
    ocelotl_import_value value;
    const char *columns, *fold_names, *pairs; /* NULL: not given */
    ocelotl_names counters, increments;
    const char *counter; /* what stats adds up by state, or NULL */

    /* what is shown */
    ocelotl_picture_options view;
    ocelotl_expansion expansion;
    const char *type; /* of events */
    const char *at;   /* a type of resources */
    bool all, extremes, stretch, quantiles, violations, critical_path, efficiency;
    const char *align_event; /* of two traces: NAME or NAME#K, NULL: not given */
    uint32_t depth, max_links;
    uint32_t context_level; /* of the whole, above a window; 0: the one to show first */
    uint32_t percentile;    /* of the cells of a part, that are shown; 0: their mean */
    int sort;               /* of parts: 0 by number, 1 by gain, 2 by loss, the largest first */
    uint32_t why;           /* the number of a part, if ocelotl_request_get has it */
    ocelotl_shares_of of;   /* of statistics */
    ocelotl_folder_column listed_by; /* of traces of a folder */
    ocelotl_statistic_column column; /* they are sorted by */
    uint32_t bytes;                  /* of a text; 0: not given */
    ocelotl_names durations;         /* names of events whose histograms are wanted */
    uint32_t duration_slices;        /* of the window, a histogram or efficiencies each; 0: none */
    ocelotl_reduction reduction;
    ocelotl_in_flight in_flight; /* of series */
    ocelotl_link_side side;
    const char *owner; /* of locks, links or an attribute; NULL: not given */
    double only_above; /* marks where series of links exceed it; 0: shows them */

    /* where it goes, and how */
    const char *output; /* NULL: not given */
    bool force, json, csv, clear;
    bool recursive;   /* folders below the one that is listed, too */
    bool with_parts;  /* of an overview, beside the events that are exported */
    bool same_root;   /* resources of one path in several files are one */
    uint32_t shards;  /* of a run; 0: a trace.db */
    bool notes;       /* are drawn */
    bool collectives; /* links between the members of collective operations */
    ocelotl_align align;
    uint32_t digits;
    uint32_t most;             /* rows of a list; 0: 10 */
    const char *format;        /* of an import or an export, NULL: not given */
    const char *format_option; /* the option that said so, with its value */
    const char *name;          /* of a trace that is imported */

    /* what is noted on a trace */
    ocelotl_names set, unset; /* KEY=VALUE, and keys */

    /* blocks of memory */
    ocelotl_names allocate, release; /* patterns of calls */
    const char *alive_at;            /* an instant or "peak"; NULL: not given */
    const char *placement;           /* the instant of a table of regions; NULL: none */

    /* the matrix of messages */
    const char *message_columns; /* a type of resources, NULL: as `at` */
    ocelotl_message_measure measure;
    bool linear;

    /* whether the order can be trusted */
    bool strict;
    bool amortise;                     /* what messages still contradict */
    ocelotl_names samples;             /* tables of them */
    ocelotl_names collective_patterns; /* PATTERN=KIND */
    uint32_t evidence;                 /* kinds of ocelotl_evidence, 0: all */
    ocelotl_drift drift;               /* of clocks */
    uint32_t pieces;                   /* of them, 0: as messages tell */
    int groups;                        /* of clocks that nothing joins: 0 wrong, 1 apart */
    uint32_t tick_factor;              /* of a trace that is written; 0: 1 */
    const char *reference;             /* the path of a clock, NULL: not given */
    const char *pair;                  /* the paths of two, with a comma between them; the same */
    ocelotl_duration latency, latency_per_byte, clock_error;
    double max_drift; /* in ppm, 100 by default; 0: none */

    /* what tracing cost, and what another machine would give */
    ocelotl_names costs;                    /* T or PATTERN=T */
    ocelotl_names speeds, without, changes; /* PATTERN=X, PATTERN, FACTORS of resources */
    const char *cost_attribute, *arrived;   /* of events, of links; NULL: not given */
    const char *transit, *copy;             /* times by sizes, NULL: not given */
    int cost_at;                            /* of states: 0 both ends, 1 the end */
    int simulate;                           /* transits: 0 few, 1 all */
    ocelotl_names link_models;              /* MODEL or PATTERN=MODEL */
    uint64_t rendezvous_above;              /* bytes; 0: none */
    bool check, predict, bounds;
    ocelotl_duration reference_time;

    /* whether a run is like others */
    double max_loss, max_time; /* shares */
    const char *junit;         /* a file, NULL: none */

    /* how it is served */
    const char *socket;    /* a path instead of a port, NULL: not given */
    ocelotl_duration idle; /* it ends after */
    uint64_t memory;       /* bytes of models that are kept; 0: a quarter of what is free */
    uint32_t port;         /* 0: one that is free */
    bool open;             /* in a browser */
    bool sql;              /* questions in SQL are answered */
    bool read_only;        /* notes are not kept */
} ocelotl_request;

/* Makes the request of a command, with its defaults. Errors: ARGUMENT (no such command), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_request_new(ocelotl_request **request, const char *command);
OCELOTL_API void ocelotl_request_free(ocelotl_request *request);

/* Sets a parameter by its whole name, like the next option of a command line. The value is copied;
 * NULL for a parameter that takes none. Errors: ARGUMENT (the command does not take it; the value
 * is wrong, and what was expected), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_request_set(ocelotl_request *request, const char *name,
                                               const char *value);

/* Fills the request from the words of a command line without its command; they are copied. Words
 * are options (--name VALUE, --name=VALUE, unambiguous beginnings of names, -o FILE, -h) and
 * operands in any order, only operands behind "--". Ends at --help. Errors: ARGUMENT, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_request_parse(ocelotl_request *request, size_t count,
                                                 const char *const *words);

/* Gives a request all that another one was given, as if by the same words. Files that were read for
 * the other one, lists of names and trees of types, are not read again: they may be pipes. Errors:
 * ARGUMENT (an option that the command does not take), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_request_repeat(ocelotl_request *request,
                                                  const ocelotl_request *other);

/* Checks what no single option can say: the number of operands, options that exclude each other or
 * need another. Errors: ARGUMENT. */
OCELOTL_API ocelotl_status ocelotl_request_check(ocelotl_request *request);

/* Writes the command line that says the same, options before traces, in *text, freed by free.
 * Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_request_write_line(char **text, const ocelotl_request *request);

/* The value an option was given last, "" for one that takes none; NULL: it was not given. */
OCELOTL_API const char *ocelotl_request_get(const ocelotl_request *request, const char *name);

/* What an answer is written as. */
typedef enum ocelotl_writing {
    OCELOTL_WRITING_TEXT = 0, /* tables, CSV, JSON, traces */
    OCELOTL_WRITING_PICTURE = 1,
    OCELOTL_WRITING_PNG = 2,
    OCELOTL_WRITING_PAGE = 3
} ocelotl_writing;

/* Says why an option that was given changes nothing in what is written, in words behind "--NAME
 * changes nothing here: "; NULL: it may change it. O(rows). */
OCELOTL_API const char *ocelotl_request_unused(const ocelotl_request *request, const char *option,
                                               ocelotl_writing writing);

/* Sets the options of an import by the request, for any command; the texts are the request's.
 * Format, name and overwriting are for `import` alone. */
OCELOTL_API void ocelotl_request_import_options(ocelotl_import_options *options,
                                                const ocelotl_request *request);

/* Sets the options of reading a folder by the request of `list`; the texts are the request's. */
OCELOTL_API void ocelotl_request_folder_options(ocelotl_folder_options *options,
                                                const ocelotl_request *request);

/* --- Command lines as text */

/* Writes words as one line of a shell, in *text, freed by free. Characters that a terminal would
 * obey or hide, and bytes that are no UTF-8, are in bash's $'..'. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_words_write(char **text, size_t count, const char *const *words);

/* A command line that draws a picture again. Zero-initialised it is empty. */
typedef struct ocelotl_redrawing {
    char **words; /* with NULL behind the last; the first is "ocelotl-cli" */
    size_t count;
    const char *command; /* the one that draws it; set where options are wrong, too; "": none yet */
    size_t kept;         /* how many traces, at the end, are the picture's and not given now */
    size_t added;        /* how many options, the last of all, are given now */
} ocelotl_redrawing;

/* Makes the command line that draws a picture again: the file of one (SVG, PNG, PDF, a page), a
 * snapshot as a folder or a zip. `words` are options and operands that replace those of the command
 * that it keeps. Free it in any case. Errors: ARGUMENT (the new options), IO, INPUT (it keeps no
 * command that draws), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_redraw(ocelotl_redrawing *redrawing, const char *picture,
                                          size_t count, const char *const *words);
OCELOTL_API void ocelotl_redrawing_free(ocelotl_redrawing *redrawing);

/* Makes the commands that look into a part of what a report shows: with its trace and those of its
 * options that they take. Standard input has none, as it cannot be read again. Freed by
 * ocelotl_part_commands_free. Errors: INPUT, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_part_commands_make(ocelotl_part_command **commands,
                                                      size_t *count, const char *report);
OCELOTL_API void ocelotl_part_commands_free(ocelotl_part_command *commands, size_t count);

#ifdef __cplusplus
}
#endif
#endif
