/* The table of parameters, a row for each option, and functions on requests. */
#ifndef OC_REQUEST_REQUEST_H
#define OC_REQUEST_REQUEST_H

#include "base/status.h"
#include "base/text.h"

#include <ocelotl/request.h>

/* Commands, a bit each. */
#define OC_OVERVIEW    ((uint64_t)1 << 0)
#define OC_IMPORT      ((uint64_t)1 << 1)
#define OC_INFO        ((uint64_t)1 << 2)
#define OC_SWEEP       ((uint64_t)1 << 3)
#define OC_PARTS       ((uint64_t)1 << 4)
#define OC_STATS       ((uint64_t)1 << 5)
#define OC_COMPARE     ((uint64_t)1 << 6)
#define OC_TREEMAP     ((uint64_t)1 << 7)
#define OC_SERIES      ((uint64_t)1 << 8)
#define OC_SQL         ((uint64_t)1 << 9)
#define OC_GANTT       ((uint64_t)1 << 10)
#define OC_EXPORT      ((uint64_t)1 << 11)
#define OC_VERIFY      ((uint64_t)1 << 12)
#define OC_CACHE       ((uint64_t)1 << 13)
#define OC_FORMATS     ((uint64_t)1 << 14)
#define OC_SERVE       ((uint64_t)1 << 15)
#define OC_MATRIX      ((uint64_t)1 << 16)
#define OC_CAUSALITY   ((uint64_t)1 << 17)
#define OC_CLOCKS      ((uint64_t)1 << 18)
#define OC_CORRECT     ((uint64_t)1 << 19)
#define OC_HIERARCHIES ((uint64_t)1 << 20)
#define OC_SNAPSHOT    ((uint64_t)1 << 21)
#define OC_DEFAULTS    ((uint64_t)1 << 22)
#define OC_LIST        ((uint64_t)1 << 23)
/* one without a bit of its own: it takes what commands that look at a trace take, and no more */
#define OC_PLAIN   ((uint64_t)1 << 24)
#define OC_WAITING ((uint64_t)1 << 25) /* plain, with an option of its own */
#define OC_EXPLAIN ((uint64_t)1 << 26)
#define OC_CHECK   ((uint64_t)1 << 27)
#define OC_BRIEF   ((uint64_t)1 << 28)
#define OC_MCP     ((uint64_t)1 << 29)
#define OC_HEAP    ((uint64_t)1 << 30)
#define OC_MERGE   ((uint64_t)1 << 31)

/* Those of a trace and others like it. */
#define OC_OF_PAIRS (OC_COMPARE | OC_CHECK)

/* Those that show events, of a part of an overview perhaps. */
#define OC_OF_EVENTS \
    (OC_STATS | OC_GANTT | OC_EXPORT | OC_MATRIX | OC_CAUSALITY | OC_PLAIN | OC_EXPLAIN)

/* Where a row stands in the help. */
typedef enum oc_group {
    OC_GROUP_OWN, /* of the command itself */
    OC_GROUP_PLACE,
    OC_GROUP_FILTER,
    OC_GROUP_METRIC,
    OC_GROUP_TYPES,
    OC_GROUP_HIERARCHY,
    OC_GROUP_MODEL,
    OC_GROUP_READING,
    OC_GROUP_DETAIL,
    OC_GROUP_ZOOM,
    OC_GROUP_PICTURE,
    OC_GROUP_DIAGRAM,
    /* of the help alone */
    OC_GROUP_VIEWS,
    OC_GROUP_METRICS,
    OC_GROUP_EXAMPLES
} oc_group;

/* What a row takes, and so how its member is filled. */
typedef enum oc_value_kind {
    OC_VALUE_FLAG,     /* bool */
    OC_VALUE_COUNT,    /* uint32_t from `least` to `most` */
    OC_VALUE_NUMBER,   /* double from `least` to `most` */
    OC_VALUE_WORD,     /* an enumeration: `least` and the place of the word in `value` */
    OC_VALUE_DRIFT,    /* how clocks run: a word, and of pieces their number up to `most` */
    OC_VALUE_SET,      /* uint32_t: of words between commas, a bit for each of `value` */
    OC_VALUE_BYTES,    /* uint64_t, "500M" */
    OC_VALUE_NAMED,    /* a text that is one of the words in `value` */
    OC_VALUE_TEXT,     /* a text */
    OC_VALUE_NAMES,    /* ocelotl_names, one each time */
    OC_VALUE_PAIRS,    /* the same of PATTERN=NAME */
    OC_VALUE_INSTANT,  /* ocelotl_instant; `least` is its base */
    OC_VALUE_DURATION, /* ocelotl_duration */
    OC_VALUE_DETAIL,   /* ocelotl_detail; `least` is its kind */
    OC_VALUE_PART,     /* another ocelotl_zoom */
    OC_VALUE_METRIC,   /* a text that is the name of a metric */
    OC_VALUE_MOVE,     /* adds a percentage to a double, each time */
    OC_VALUE_SHARE,    /* double: a percentage */
    OC_VALUE_EXPANSION,
    OC_VALUE_IMPORTER,  /* the name of a format that can be imported */
    OC_VALUE_LINES,     /* how export writes: `value`, or the option itself */
    OC_VALUE_STATISTIC, /* uint32_t: mean, median or qN */
    OC_VALUE_TYPE_TREE, /* a tree of types, which the request has then */
    OC_VALUE_TYPE_LEVEL /* uint32_t from 1: a number, or auto */
} oc_value_kind;

enum {
    OC_NEEDS_TRACE = 1 << 0, /* says nothing of a microscopic model */
    /* chooses the partition of a part: for commands of events only with --part, and in no line of
     * their help */
    OC_OF_PARTITION = 1 << 1,
    OC_HELP_ALONE = 1 << 2, /* one more value of the option before it, for the help */
    OC_OF_DETAIL = 1 << 3,  /* says which level of detail: one replaces another */
    OC_OF_TYPE = 1 << 4,    /* says which type: one replaces another */
    OC_OF_OUTPUT = 1 << 5,  /* says where a picture goes: not repeated with it */
    OC_OF_IMPORT = 1 << 7,  /* says how a trace is imported: nothing of a trace.db */
    OC_LITERAL = 1 << 8,    /* a value with @ before it is no file of names */
    OC_OF_ANSWER = 1 << 9,  /* says what is answered, and not how or where to */
    OC_OF_ROWS = 1 << 10    /* says where rows of resources are, in a diagram of events, too */
};

/* Where an option has an effect: what is drawn, and more (unused.c). 0: anywhere. */
typedef enum oc_used {
    OC_USED_PICTURE = 1,
    OC_USED_SIZE, /* and what a Gantt chart merges, in whatever is written */
    OC_USED_PNG,
    OC_USED_CURVES,
    OC_USED_VIEW,
    OC_USED_CONTEXT,
    OC_USED_TYPE,
    OC_USED_TREE,
    OC_USED_DETAIL,
    OC_USED_STATES
} oc_used;

typedef struct oc_parameter {
    const char *name;
    oc_group group;
    oc_value_kind kind;
    const char *value; /* stands for the value; NULL: it takes none */
    /* NULL: what the next row has is of both */
    const char *help;
    uint64_t commands;
    unsigned flags;
    size_t offset; /* in ocelotl_request */
    double least, most;
    oc_used used;
} oc_parameter;

/* The rows, by index below the count. */
extern const oc_parameter oc_parameters[];
extern const size_t oc_parameter_count;

/* The row of a command's option by its whole name; NULL: it has none. */
const oc_parameter *oc_find_parameter(const char *name, uint64_t command);

/* The index of a word in a list with bars between words; SIZE_MAX: it is none of them. */
size_t oc_find_word(const char *words, const char *word, size_t length);

/* --- What is typed, and meant for something else */

typedef enum oc_meant_kind {
    OC_MEANT_WORD,   /* where a command or a trace is expected */
    OC_MEANT_UNIT,   /* such a word that is a unit */
    OC_MEANT_OPTION, /* the name of one that a command does not have */
    OC_MEANT_ELSE    /* of one that it has, for what another one says */
} oc_meant_kind;

/* The option that was called so before, if the command has it under its name now. *value: the value
 * that the earlier name stands for; NULL: it is given. */
const oc_parameter *oc_find_earlier(const char **value, const char *name, size_t length,
                                    uint64_t command);

/* What is said of a word that is known to be meant for something else; NULL: nothing. Of options
 * only those of a command are named, where that is not 0. */
const char *oc_meant(oc_meant_kind kind, const char *word, size_t length, uint64_t command);

/* Whether a name means something else than what it could be short for: an option of any command, or
 * of another program. */
bool oc_is_other_option(const char *name, size_t length);

/* Whether a row is an option of a command; --help is one of every command and has no such row. */
static inline bool oc_is_option(const oc_parameter *row, uint64_t command)
{
    return (row->commands & command) != 0 && (row->flags & OC_HELP_ALONE) == 0;
}

/* Fails for an option that a command does not have, and says which one may be meant. */
ocelotl_status oc_fail_option(const char *name, size_t length, uint64_t command);

typedef enum oc_operands {
    OC_OPERANDS_NONE = 0,
    OC_OPERANDS_TRACE,
    OC_OPERANDS_TRACES, /* one or several */
    OC_OPERANDS_TWO_TRACES,
    OC_OPERANDS_QUERY,        /* a trace and a query */
    OC_OPERANDS_FOLDER,       /* a trace, and a folder to write perhaps */
    OC_OPERANDS_TRACES_IN,    /* a folder of traces, this one if none is given */
    OC_OPERANDS_TRACE_OR_TWO, /* the second to be compared with */
    OC_OPERANDS_RUNS,         /* two or more, the last to be compared with those before */
} oc_operands;

typedef struct oc_command {
    const char *name;
    uint64_t bit;
    const char *summary;
    const char *usage; /* what follows "ocelotl-cli " */
    const char *text;  /* what it does, filled into lines; one behind a line end may begin with a
                        * blank, and is as it is */
    const char *examples;
    oc_operands operands;
    bool draws; /* pictures, which can be drawn again */
} oc_command;

extern const oc_command oc_commands[];
extern const size_t oc_command_count;

/* The command of a name, or NULL. */
const oc_command *oc_find_command(const char *name);

/* --- What the rest of this room does with a request */

/* Adds an option as given; the value is copied. */
ocelotl_status oc_request_add(ocelotl_request *request, const oc_parameter *row, const char *value);
ocelotl_status oc_request_add_operand(ocelotl_request *request, const char *operand);

/* The name that a value of a row is: @@x is @x. */
const char *oc_name_of_value(const oc_parameter *row, const char *value);

/* Takes back one of the names that were given, by its index in `given`. */
void oc_request_drop_name(ocelotl_request *request, size_t index);

/* Makes it one for help, on a topic where that is not NULL. */
ocelotl_status oc_request_set_topic(ocelotl_request *request, const char *topic);

/* The bit of its command. */
uint64_t oc_request_command(const ocelotl_request *request);

/* Writes all options that the model after `zooms` zooms depends on, with `own` those of the
 * command, too, on which its answer does. The caller frees *key. */
ocelotl_status oc_request_key(char **key, const ocelotl_request *request, size_t zooms, bool own);

/* The level of detail of a zoom's part. */
const ocelotl_detail *oc_detail_of_zoom(const ocelotl_request *request, size_t zoom);

/* The first option given whose row has a flag; NULL: none has. */
const char *oc_first_given(const ocelotl_request *request, unsigned flag);

/* Takes the value of a row, which lives as long as the request; NULL for a row that takes none.
 * Errors: ARGUMENT, MEMORY. */
ocelotl_status oc_take_value(ocelotl_request *request, const oc_parameter *row, char *value);

/* Takes a tree of types, which the request frees, in place of the one it has. */
void oc_request_take_tree(ocelotl_request *request, ocelotl_type_tree *tree);

/* Reads "1.5s", "200ms", "3us", "2min", "1h", "40%" or plain seconds, with a prefix or not; the
 * instant keeps both texts. */
ocelotl_status oc_read_instant(ocelotl_instant *instant, const char *text,
                               ocelotl_instant_base base, const char *option);

/* Reads a length of time >= 0 in seconds, as above without percentages and prefixes. */
ocelotl_status oc_read_duration(double *seconds, const char *text, const char *option);

/* Reads bytes, or 1024, 1024^2, ... of them: "500M". False: not understood. */
bool oc_read_bytes(uint64_t *bytes, const char *text);

/* Adds what may be meant by a plain number of seconds beyond the length of a trace, behind what is
 * there: "5 is in seconds, and the trace lasts 0.3: 5ms is within"; nothing if it has a unit. */
void oc_suggest_unit(oc_text *text, const char *given, double length);

/* Refuses an interval that surely ends before it begins. */
ocelotl_status oc_check_interval(const ocelotl_interval *interval);

/* How the ends of a window become ticks; the last one is excluded. */
typedef enum oc_interval_ends {
    OC_ENDS_HALF_OPEN = 0, /* as given; the window is within the trace */
    OC_ENDS_AROUND = 1,    /* as given; one of them may be beyond the trace */
    /* events at the end belong to it, too, and it may be narrower than a tick */
    OC_ENDS_TOUCHING = 2
} oc_interval_ends;

/* An interval in ticks of a trace. Errors: ARGUMENT where the trace has nothing in it. */
ocelotl_status oc_interval_ticks(int64_t *from, int64_t *to, const ocelotl_interval *interval,
                                 const ocelotl_trace *trace, oc_interval_ends ends);

#endif
