/* A command has its rows in the order of this table; the help's sections have an order of their
 * own (commands.c). */
#include "request/request.h"

#include <string.h>

#define AT(member) offsetof(ocelotl_request, member)

#define MODELS \
    (OC_OVERVIEW | OC_SERVE | OC_SWEEP | OC_PARTS | OC_COMPARE | OC_TREEMAP | OC_OF_EVENTS)
#define ARRANGES  (MODELS & ~OC_MATRIX)
#define READERS   (MODELS | OC_INFO | OC_SQL | OC_SERIES)
#define PLACES    ((MODELS & ~OC_EXPORT) | OC_SERIES)
#define ZOOMS     (OC_OVERVIEW | OC_SERVE | OC_SWEEP | OC_PARTS)
#define PLOTTED   (OC_SWEEP | OC_STATS | OC_COMPARE | OC_SERIES | OC_MATRIX)
#define DRAWN     (OC_OVERVIEW | OC_SERVE | OC_TREEMAP | OC_GANTT | PLOTTED)
#define DETAILED  (OC_OVERVIEW | OC_SERVE | OC_PARTS | OC_COMPARE | OC_TREEMAP | OC_OF_EVENTS)
#define PRINTED   (OC_SWEEP | OC_INFO | OC_CACHE | OC_SQL)
#define WRITTEN   ((MODELS & ~OC_SERVE) | OC_INFO | OC_SQL | OC_VERIFY | OC_CACHE)
#define SELECTS   OC_NEEDS_TRACE
#define PARTITION (OC_NEEDS_TRACE | OC_OF_PARTITION)
#define READS     (OC_NEEDS_TRACE | OC_OF_IMPORT)
#define LEVEL     (OC_OF_PARTITION | OC_OF_DETAIL)

/* Whole numbers are below this. */
#define ANY ((double)UINT32_MAX)

const oc_parameter oc_parameters[] = {
    /* Zoom */
    {"from", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T", NULL, PLACES, SELECTS, AT(window.from),
     OCELOTL_FROM_BEGINNING, 0},
    {"to", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T",
     "a window, from the trace's beginning (1.5s, 200ms, 3us, 10ns, 2min, 1h, 40%);\n"
     "@T is the trace's own time, as on the axis",
     PLACES, SELECTS, AT(window.to), OCELOTL_FROM_BEGINNING, 0},
    {"from", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T", NULL, OC_EXPORT, 0, AT(window.from),
     OCELOTL_OWN_TIME, 0},
    {"to", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T",
     "events that touch this window, in the trace's own time, as the columns\n"
     "are (1.5s, 200ms, 3us, 10ns, 2min, 1h, 40%); +T counts from the trace's beginning;\n"
     "with --part as for the overview",
     OC_EXPORT, 0, AT(window.to), OCELOTL_OWN_TIME, 0},
    {"resource", OC_GROUP_PLACE, OC_VALUE_NAMES, "PATH",
     "this resource and those below it (again: these, too; @FILE: those of a file)", PLACES,
     SELECTS, AT(model.selection.resources), 0, 0},
    {"resource", OC_GROUP_PLACE, OC_VALUE_NAMES, "PATH",
     "events of this resource and of those below it (again: of these, too; all\n"
     "are then in the order in which they end; @FILE: those of a file, one a line)",
     OC_EXPORT, SELECTS, AT(model.selection.resources), 0, 0},
    {"snap", OC_GROUP_PLACE, OC_VALUE_FLAG, NULL,
     "widen the window to whole slices of the picture without a window", MODELS, PARTITION,
     AT(model.snap), 0, 0},

    /* Filter */
    {"only", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN", NULL, MODELS, SELECTS | OC_CHOOSES,
     AT(model.selection.only), 0, 0},
    {"except", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN",
     "types or values by name or glob (again: more; @FILE: those\n"
     "of a file; @@x: the name @x); all other time becomes untraced. TYPE:VALUE or\n"
     "RESOURCE-TYPE:TYPE says which of one name, here and wherever types are named",
     MODELS, SELECTS | OC_CHOOSES, AT(model.selection.except), 0, 0},
    {"only", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN", NULL, OC_SERIES, SELECTS | OC_CHOOSES,
     AT(model.selection.only), 0, 0},
    {"except", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN",
     "states or variables by name or glob (again: more; @FILE: those of a file)", OC_SERIES,
     SELECTS | OC_CHOOSES, AT(model.selection.except), 0, 0},
    {"only-resources", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN", NULL, MODELS | OC_SERIES,
     SELECTS | OC_CHOOSES, AT(model.selection.only_resources), 0, 0},
    {"except-resources", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN",
     "by path or glob, with all below them", MODELS | OC_SERIES, SELECTS | OC_CHOOSES,
     AT(model.selection.except_resources), 0, 0},
    {"min-duration", OC_GROUP_FILTER, OC_VALUE_DURATION, "T", NULL, MODELS, SELECTS | OC_CHOOSES,
     AT(min_duration), 0, 0},
    {"max-duration", OC_GROUP_FILTER, OC_VALUE_DURATION, "T", "states that last so long", MODELS,
     SELECTS | OC_CHOOSES, AT(max_duration), 0, 0},
    {"where", OC_GROUP_FILTER, OC_VALUE_NAMES, "'NAME OP VALUE'",
     "what carries an attribute, as 'size >= 1000' (OP: = != < <= > >=; texts\n"
     "by = and glob; again: all must hold); what cannot carry it stays",
     MODELS, SELECTS | OC_CHOOSES | OC_LITERAL, AT(model.selection.where), 0, 0},

    /* Metric */
    {"metric", OC_GROUP_METRIC, OC_VALUE_METRIC, "NAME",
     "what is drawn (default: state-duration; without states, what the trace has\n"
     "most of): state-mean-duration, event-count, variable-mean, link-bytes, ...;\n"
     "ocelotl-cli --help metrics has all",
     MODELS, PARTITION, AT(model.cells.metric), 0, 0},
    {"shift", OC_GROUP_METRIC, OC_VALUE_FLAG, NULL,
     "count variables from their least value, so that none is negative", MODELS, PARTITION,
     AT(model.cells.shift), 0, 0},
    {"scale", OC_GROUP_METRIC, OC_VALUE_FLAG, "max",
     "variables as shares of their largest value, so that several compare", MODELS, PARTITION,
     AT(model.cells.scale), 0, 0},
    {"attribute", OC_GROUP_METRIC, OC_VALUE_TEXT, "NAME",
     "of links, that tells their bytes (default: size, bytes or length)", MODELS & ~OC_MATRIX,
     PARTITION, AT(model.cells.attribute), 0, 0},

    /* Types */
    {"group-types", OC_GROUP_TYPES, OC_VALUE_PAIRS, "PATTERN=NAME",
     "types (by name, glob or event type) as one type NAME (again: more\n"
     "groups; of several that match the first)",
     MODELS, PARTITION, AT(model.types.groups), 0, 0},
    {"most-types", OC_GROUP_TYPES, OC_VALUE_COUNT, "N",
     "keep the N largest types, all else is \"others\" (default: 30; 0: all)", MODELS, PARTITION,
     AT(model.types.max_types), 0, ANY},
    {"nesting-depth", OC_GROUP_TYPES, OC_VALUE_COUNT, "N",
     "time of nested states belongs to the outermost N; what is deeper counts as\n"
     "the state around it (reads every event)",
     MODELS, PARTITION, AT(model.cells.nesting_depth), 1, ANY},

    /* Hierarchy */
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "FILE",
     "a CSV with the header resource,path: the new path of every leaf; *,other/*\n"
     "says where those go that are not listed",
     ARRANGES, PARTITION, AT(hierarchy), 0, 0},
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "auto", "one of how alike the leaves behave",
     ARRANGES, PARTITION | OC_HELP_ALONE, AT(hierarchy), 0, 0},
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "trace",
     "that of the trace alone, without groups of like siblings", ARRANGES,
     PARTITION | OC_HELP_ALONE, AT(hierarchy), 0, 0},
    {"max-groups", OC_GROUP_HIERARCHY, OC_VALUE_COUNT, "N",
     "at most N groups of like siblings in each node (default: 16)", MODELS, PARTITION,
     AT(model.hierarchy.max_groups), 0, ANY},
    {"regroup", OC_GROUP_HIERARCHY, OC_VALUE_FLAG, NULL,
     "find them in what is shown; else a window or filter keeps the whole's", MODELS, PARTITION,
     AT(model.hierarchy.regroup), 0, 0},
    {"drop-level", OC_GROUP_HIERARCHY, OC_VALUE_NAMES, "TYPE",
     "without the resources of this type; their children go up (again: these, too)", ARRANGES,
     PARTITION, AT(model.hierarchy.drop_levels), 0, 0},
    {"group", OC_GROUP_HIERARCHY, OC_VALUE_PAIRS, "PATTERN=NAME",
     "resources by path or glob, with all below them, in a node of their own", ARRANGES, PARTITION,
     AT(model.hierarchy.groups), 0, 0},
    {"reuse-rows", OC_GROUP_HIERARCHY, OC_VALUE_FLAG, NULL,
     "siblings that live one after the other share a row", MODELS, PARTITION,
     AT(model.hierarchy.reuse_rows), 0, 0},
    {"split-children", OC_GROUP_HIERARCHY, OC_VALUE_COUNT, "N",
     "nodes of more than N children get levels of how alike these behave,\n"
     "all of them and no other groups",
     MODELS, PARTITION, AT(model.hierarchy.split_children), 1, ANY},
    {"max-leaves", OC_GROUP_HIERARCHY, OC_VALUE_COUNT, "N",
     "merge the deepest levels until there are at most N leaves, each weighing what\n"
     "it stands for",
     MODELS, PARTITION, AT(model.hierarchy.max_leaves), 1, ANY},
    {"fold", OC_GROUP_HIERARCHY, OC_VALUE_NAMES, "PATH",
     "draw a node, or those that match a glob, as a leaf that weighs what is below\n"
     "it (again: these, too)",
     MODELS, PARTITION, AT(model.folded), 0, 0},
    {"order", OC_GROUP_HIERARCHY, OC_VALUE_WORD, "trace|name|begin|activity",
     "how siblings follow each other (default: as in the trace)", ARRANGES, PARTITION,
     AT(model.hierarchy.order), OCELOTL_ORDER_TRACE, 0},

    /* Model */
    {"slices", OC_GROUP_MODEL, OC_VALUE_COUNT, "N",
     "cut time into N slices (default: 200, or fewer, then it says so)", MODELS, PARTITION,
     AT(model.slices), 1, ANY},
    {"kind", OC_GROUP_MODEL, OC_VALUE_WORD, "spatiotemporal|temporal|spatial",
     "what parts cut (default: spatiotemporal)", MODELS, OC_OF_PARTITION, AT(model.kind),
     OCELOTL_SPATIOTEMPORAL, 0},
    {"state-type", OC_GROUP_MODEL, OC_VALUE_TEXT, "NAME",
     "states to show (default: the type with most time)", MODELS & ~OC_STATS,
     PARTITION | OC_OF_TYPE, AT(model.cells.state_type), 0, 0},
    {"nesting", OC_GROUP_MODEL, OC_VALUE_WORD, "innermost|inclusive",
     "whom time in nested states belongs to (default: innermost)", MODELS, PARTITION,
     AT(model.cells.nesting), OCELOTL_INNERMOST, 0},
    {"untraced", OC_GROUP_MODEL, OC_VALUE_WORD, "type|ignore",
     "whether time in no state counts as \"(no state)\" (default: type)", MODELS, PARTITION,
     AT(model.cells.untraced), OCELOTL_UNTRACED_TYPE, 0},
    {"threads", OC_GROUP_MODEL, OC_VALUE_COUNT, "N", "use N threads (default: all)",
     MODELS & ~OC_MATRIX, OC_OF_PARTITION, AT(threads), 1, ANY},

    /* Level of detail */
    {"p", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "X",
     "trade-off from 0 (nothing is lost) to 1 (one block), or auto (default): a\n"
     "picture that is simple and loses little; sweep marks it. auto:RULE chooses by\n"
     "knee (auto itself), coarsest, finest, plateau:N, gap, gap-between-before or\n"
     "gap-between-after",
     DETAILED, LEVEL, AT(detail), OCELOTL_DETAIL_P, 0},
    {"p-raw", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "X", "the same, not normalised", DETAILED, LEVEL,
     AT(detail), OCELOTL_DETAIL_P_RAW, 0},
    {"level", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "N",
     "the N-th level that sweep lists (without --all)", DETAILED, LEVEL, AT(detail),
     OCELOTL_DETAIL_LEVEL, 0},
    {"parts", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "N", "the most detailed level with at most N parts",
     DETAILED, LEVEL, AT(detail), OCELOTL_DETAIL_PARTS, 0},

    /* Zoom into a part */
    {"zoom", OC_GROUP_ZOOM, OC_VALUE_PART, "PART", NULL, ZOOMS, SELECTS, AT(zooms), 0, 0},
    {"part", OC_GROUP_ZOOM, OC_VALUE_PART, "PART",
     "the node and the time of one part of what is shown without\n"
     "this, by its number, as in tooltips, ocelotl-cli parts and JSON;\n"
     "again: a part of that. It is of the p given before it, if one is",
     ZOOMS, SELECTS, AT(zooms), 0, 0},
    {"part", OC_GROUP_ZOOM, OC_VALUE_PART, "PART", NULL, OC_OF_EVENTS, SELECTS, AT(zooms), 0, 0},
    {"zoom", OC_GROUP_ZOOM, OC_VALUE_PART, "PART",
     "the node and the time of one part of the overview, by its number, as\n"
     "in tooltips and ocelotl-cli parts (again: a part of that). Which overview\n"
     "that is, is said as for the overview, by --from, --to, --resource, the\n"
     "filters below, which are those of the events, too, and\n"
     "  --p, --p-raw, --level, --parts, --slices, --kind, --state-type, --nesting, "
     "--nesting-depth,\n"
     "  --untraced, --snap, --group-types, --most-types, --metric, --shift, --scale, --attribute, "
     "--threads,\n"
     "  --hierarchy, --drop-level, --group, --reuse-rows, --split-children, --max-leaves, --fold,\n"
     "  --max-groups, --regroup, --order",
     OC_OF_EVENTS, SELECTS, AT(zooms), 0, 0},
    {"p-raw", OC_GROUP_ZOOM, OC_VALUE_DETAIL, "X", NULL, OC_SWEEP, OC_OF_DETAIL, AT(detail),
     OCELOTL_DETAIL_P_RAW, 0},
    {"level", OC_GROUP_ZOOM, OC_VALUE_DETAIL, "N", NULL, OC_SWEEP, OC_OF_DETAIL, AT(detail),
     OCELOTL_DETAIL_LEVEL, 0},
    {"parts", OC_GROUP_ZOOM, OC_VALUE_DETAIL, "N",
     "with --zoom, as --p: of which partition the part is", OC_SWEEP, OC_OF_DETAIL, AT(detail),
     OCELOTL_DETAIL_PARTS, 0},

    /* Of a command itself: what it answers */
    {"sort", OC_GROUP_OWN, OC_VALUE_WORD, "id|gain|loss",
     "by number (default), or the largest gain or loss first", OC_PARTS, 0, AT(sort), 0, 0},
    {"all", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "every level, however many there are", OC_SWEEP, 0,
     AT(all), 0, 0},
    {"clear", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "empty it", OC_CACHE, 0, AT(clear), 0, 0},
    {"type", OC_GROUP_OWN, OC_VALUE_ONE_TYPE, "NAME", "events of this type", OC_STATS, OC_OF_TYPE,
     AT(type), 0, 0},
    {"state-type", OC_GROUP_OWN, OC_VALUE_ONE_TYPE, "NAME", "states of this type", OC_STATS,
     OC_OF_TYPE, AT(type), 1, 0},
    {"extremes", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "the smallest and largest duration of each value too: reads every event", OC_STATS, 0,
     AT(extremes), 0, 0},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME", "events of this type", OC_EXPORT, OC_OF_TYPE,
     AT(type), 0, 0},
    {"format", OC_GROUP_OWN, OC_VALUE_LINES, "csv|json|pjdump|chrome|paje|matrix",
     "columns of docs/programs.md (default),\n"
     "an object a line with the same keys, or lines as pj_dump prints them; chrome:\n"
     "trace events in JSON, which Perfetto's viewer opens; paje: a trace as text;\n"
     "matrix: the model of the overview as CSV, which any command reads",
     OC_EXPORT, 0, AT(format), 0, 0},
    {"with-parts", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "chrome: the parts of the overview, too, as slices on tracks of their nodes;\n"
     "which overview, --p, --level, --parts and all options of --part below say",
     OC_EXPORT, SELECTS, AT(with_parts), 0, 0},

    /* of causality */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "each resource of this type, with all below it, has a clock (default: each\n"
     "resource that sends or receives)",
     OC_CAUSALITY, 0, AT(at), 0, 0},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME", "links of this type", OC_CAUSALITY, OC_OF_TYPE,
     AT(type), 0, 0},
    {"latency", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "links that take less are too fast (2us; default: not looked at)", OC_CAUSALITY, 0,
     AT(latency), 0, 0},
    {"clock-error", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "the most that two clocks differ at any time (10us; default: not known)", OC_CAUSALITY, 0,
     AT(clock_error), 0, 0},
    {"max-drift", OC_GROUP_OWN, OC_VALUE_NUMBER, "PPM",
     "the most that two clocks may differ in speed (default: 100)", OC_CAUSALITY, 0, AT(max_drift),
     0, 500000},
    {"strict", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "exit code 1 where some link ends before it begins", OC_CAUSALITY, 0, AT(strict), 0, 0},

    /* of matrix */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "a row for each resource of this type, with all below it (see ocelotl-cli info);\n"
     "all: one row (default: each resource that sends or receives)",
     OC_MATRIX, 0, AT(at), 0, 0},
    {"columns", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "the same of the columns (default: as the rows)", OC_MATRIX, 0, AT(message_columns), 0, 0},
    {"hierarchy", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "a CSV with the header resource,path: the new path of every end of links; *,other/*\n"
     "says where those go that are not listed",
     OC_MATRIX, 0, AT(hierarchy), 0, 0},
    {"hierarchy", OC_GROUP_OWN, OC_VALUE_TEXT, "auto", "one of how alike the ends of links behave",
     OC_MATRIX, OC_HELP_ALONE, AT(hierarchy), 0, 0},
    {"drop-level", OC_GROUP_OWN, OC_VALUE_NAMES, "TYPE",
     "without the resources of this type; their children go up (again: these, too)", OC_MATRIX, 0,
     AT(model.hierarchy.drop_levels), 0, 0},
    {"group", OC_GROUP_OWN, OC_VALUE_PAIRS, "PATTERN=NAME",
     "resources by path or glob, with all below them, in a node of their own; --at\n"
     "group is a row for each of these, or of those that a file makes",
     OC_MATRIX, 0, AT(model.hierarchy.groups), 0, 0},
    {"order", OC_GROUP_OWN, OC_VALUE_WORD, "trace|name|begin|activity",
     "how siblings follow each other (default: as in the\n"
     "trace); activity: those with most ends of links first",
     OC_MATRIX, 0, AT(model.hierarchy.order), OCELOTL_ORDER_TRACE, 0},
    {"cell", OC_GROUP_OWN, OC_VALUE_WORD, "count|bytes|mean|least|bandwidth|in-flight|violations",
     "what the picture\n"
     "shows, and a table has the largest of: the number of links (default), their\n"
     "bytes, mean or least duration, bytes by durations, how many are under way,\n"
     "how many end before they begin",
     OC_MATRIX, 0, AT(measure), OCELOTL_MESSAGES_COUNT, 0},
    {"linear", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "colours follow the values (default: their logarithms)", OC_MATRIX, 0, AT(linear), 0, 0},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME", "links of this type", OC_MATRIX, OC_OF_TYPE,
     AT(type), 0, 0},
    {"attribute", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "that tells the bytes of a link (default: size, bytes or length)", OC_MATRIX, 0,
     AT(model.cells.attribute), 0, 0},
    {"threads", OC_GROUP_OWN, OC_VALUE_COUNT, "N", "use N threads (default: all)", OC_MATRIX, 0,
     AT(threads), 1, ANY},

    /* as text */
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, NULL, OC_SWEEP | OC_CACHE | OC_FORMATS, 0, AT(csv),
     0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print CSV or JSON instead of a table",
     OC_SWEEP | OC_CACHE | OC_FORMATS, 0, AT(json), 0, 0},
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, NULL, OC_INFO, 0, AT(csv), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print CSV or JSON instead of text", OC_INFO, 0,
     AT(json), 0, 0},
    {"csv", OC_GROUP_OWN, OC_VALUE_LINES, NULL, NULL, OC_EXPORT, 0, AT(format), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_LINES, NULL, "the same as --format csv and --format json",
     OC_EXPORT, 0, AT(format), 0, 0},
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print CSV instead of a table",
     OC_PARTS | OC_STATS | OC_SQL | OC_MATRIX, 0, AT(csv), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print JSON instead of a table",
     OC_PARTS | OC_STATS | OC_MATRIX | OC_CAUSALITY, 0, AT(json), 0, 0},
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print every violation as CSV instead", OC_CAUSALITY,
     0, AT(csv), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print JSON: an array of objects", OC_SQL, 0,
     AT(json), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print JSON instead of text", OC_VERIFY, 0,
     AT(json), 0, 0},
    {"digits", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "pjdump: N digits behind the point (default: 6, as pj_dump; its -l)", OC_EXPORT, 0, AT(digits),
     0, 18},

    /* where it goes */
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     ".svg, .png or .pdf, .html for a page of all levels, or .json; - writes the\n"
     "SVG to standard output (default: NAME.svg in this folder)",
     OC_OVERVIEW, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     ".svg, .png or .pdf, or .json; - writes the SVG to standard output (default:\n"
     "NAME-treemap.svg in this folder)",
     OC_TREEMAP, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     ".svg, .png or .pdf, or .json; - writes the SVG to standard output (default:\n"
     "NAME-gantt.svg in this folder)",
     OC_GANTT, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.csv, .json; .txt: the table) instead of standard output", PRINTED,
     OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.csv, .json, .txt: the table) instead of standard output", OC_PARTS,
     OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file instead of standard output: .csv, .json, or bars as\n"
     ".svg, .png or .pdf; .txt is the table",
     OC_STATS, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "draw the matrix to .svg, .png or .pdf, or write it to .csv, .json or .txt (the\n"
     "largest cells), instead of printing those",
     OC_MATRIX, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     ".db: a trace of the violations, for any other command; .csv, .json or .txt\n"
     "instead of standard output",
     OC_CAUSALITY, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "draw both, one below the other, to .svg, .png or .pdf, in the same colours\n"
     "and at one raw p: that of the first, as the options below choose it; or write\n"
     "the table to .csv, .json or .txt",
     OC_COMPARE, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.csv, .json; .txt of pjdump; .json of chrome; .trace or .paje\n"
     "of paje; .csv of matrix) instead of standard output",
     OC_EXPORT, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (JSON where it ends so) instead of standard output", OC_VERIFY, OC_OF_OUTPUT,
     AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     ".db: a trace of its own, of which these are the variables, for any other command;\n"
     ".svg, .png or .pdf: the curves; .csv or .json (default: CSV, to standard output)",
     OC_SERIES, OC_OF_OUTPUT, AT(output), 0, 0},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "the trace.db to write, not named like a trace as text, a picture or a table", OC_IMPORT,
     OC_OF_OUTPUT, AT(output), 0, 0},
    {"force", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "replace a file of another kind, or of somebody else, too", WRITTEN, OC_OF_OUTPUT, AT(force),
     0, 0},
    {"force", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "replace a trace.db, or a file that holds something else", OC_SERIES, OC_OF_OUTPUT, AT(force),
     0, 0},
    {"force", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "replace an existing file", OC_IMPORT,
     OC_OF_OUTPUT, AT(force), 0, 0},

    /* of sweep */
    {"plot", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "draw gain, loss and parts over p too, as .svg, .png or .pdf", OC_SWEEP, OC_OF_OUTPUT,
     AT(plot), 0, 0},
    {"p", OC_GROUP_OWN, OC_VALUE_DETAIL, "X", "mark this p in the plot", OC_SWEEP, OC_OF_DETAIL,
     AT(detail), OCELOTL_DETAIL_P, 0},

    /* of pictures */
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print the partition as JSON instead",
     OC_OVERVIEW | OC_TREEMAP, 0, AT(json), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print what is drawn as JSON instead", OC_GANTT, 0,
     AT(json), 0, 0},
    {"type", OC_GROUP_DIAGRAM, OC_VALUE_TEXT, "NAME", "events of this type alone", OC_GANTT,
     OC_OF_TYPE, AT(type), 0, 0},
    {"links", OC_GROUP_DIAGRAM, OC_VALUE_COUNT, "N",
     "at most N arrows, those that stand for most (default: 20000); where arrows would\n"
     "hide the rows, the shortest are left out",
     OC_GANTT, 0, AT(max_links), 0, ANY},

    /* of compare */
    {"stretch", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "draw both equally wide, instead of to one scale of time", OC_COMPARE, 0, AT(stretch), 0, 0},
    {"view", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "how they are drawn, as in the overview; difference: what the second has\n"
     "more, or less, than the first, in one picture and two colours",
     OC_COMPARE, 0, AT(view.view), 0, 0},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the type that is drawn where it is one (default: of a difference, the one\n"
     "that differs most)",
     OC_COMPARE, OC_OF_TYPE, AT(view.type), 0, 0},
    {"from2", OC_GROUP_OWN, OC_VALUE_INSTANT, "T", NULL, OC_COMPARE, SELECTS,
     AT(second_window.from), OCELOTL_FROM_BEGINNING, 0},
    {"to2", OC_GROUP_OWN, OC_VALUE_INSTANT, "T",
     "the window of SECOND (default: that of FIRST, from its own beginning)", OC_COMPARE, SELECTS,
     AT(second_window.to), OCELOTL_FROM_BEGINNING, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, NULL, OC_COMPARE, 0, AT(json), 0, 0},
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print JSON or CSV instead of a table", OC_COMPARE,
     0, AT(csv), 0, 0},
    {"all", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "the changes of every node, instead of those that are not small, each at the\n"
     "one node that says it best",
     OC_COMPARE, 0, AT(all), 0, 0},

    /* of series */
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, NULL, OC_SERIES, 0, AT(csv), 0, 0},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print CSV (default) or JSON", OC_SERIES, 0,
     AT(json), 0, 0},
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "a group for each resource of this type (see ocelotl-cli info); all: one group of\n"
     "all (default: the type of the fewest resources that hold all, but of several)",
     OC_SERIES, 0, AT(at), 0, 0},
    {"reduce", OC_GROUP_OWN, OC_VALUE_WORD, "count|sum|mean|min|max",
     "count is of states, the others are of variables (default: count, or\n"
     "sum where there are no states)",
     OC_SERIES, 0, AT(reduction), OCELOTL_REDUCE_COUNT, 0},
    {"in-flight", OC_GROUP_OWN, OC_VALUE_WORD, "count|bytes|rate",
     "links under way instead of states: how many, their bytes, or these by the\n"
     "durations, a second",
     OC_SERIES, 0, AT(in_flight), OCELOTL_IN_FLIGHT_COUNT, 0},
    {"side", OC_GROUP_OWN, OC_VALUE_WORD, "sender|receiver|pair|through",
     "which group a link is in: where it begins (default), where it\n"
     "ends, a series for each pair, or what crosses the border of a group",
     OC_SERIES, 0, AT(side), OCELOTL_SIDE_SENDER, 0},
    {"attribute", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "that tells the bytes of a link (default: size, bytes or length)", OC_SERIES, 0,
     AT(model.cells.attribute), 0, 0},
    {"variable", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN",
     "variables by name or glob instead of states (again: these, too)", OC_SERIES, OC_CHOOSES,
     AT(model.selection.only), 0, 0},
    {"state-type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "states to count (default: the type with most time)", OC_SERIES, SELECTS | OC_OF_TYPE,
     AT(model.cells.state_type), 0, 0},
    {"nesting", OC_GROUP_OWN, OC_VALUE_WORD, "innermost|inclusive",
     "which of nested states a resource is in (default: innermost)", OC_SERIES, SELECTS,
     AT(model.cells.nesting), OCELOTL_INNERMOST, 0},

    /* of import */
    {"lenient", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "skip and count broken lines instead of failing at the first; import what can be read of\n"
     "a compressed trace that ends too early, or is damaged",
     OC_IMPORT, SELECTS, AT(lenient), 0, 0},
    {"format", OC_GROUP_OWN, OC_VALUE_IMPORTER, "NAME",
     "the trace's format (default: recognised); see ocelotl-cli formats", OC_IMPORT, 0, AT(format),
     0, 0},
    {"name", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the trace's name in captions (default: the file's)", OC_IMPORT, 0, AT(name), 0, 0},
    {"same-root", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "of several files: resources of one path are one (default: those of each file are\n"
     "below a resource of its name)",
     OC_IMPORT, 0, AT(same_root), 0, 0},
    {"by", OC_GROUP_OWN, OC_VALUE_WORD, "thread|cpu",
     "the hierarchy, in formats that tell both (paraver): application, task and thread\n"
     "(default), or node, CPU and the threads that ran there",
     OC_IMPORT, SELECTS, AT(by), OCELOTL_BY_THREAD, 0},
    {"value", OC_GROUP_OWN, OC_VALUE_WORD, "level|function|region|paradigm|role|callpath",
     "what states are, in formats that tell\n"
     "several things of each: in gstreamer, the level of a message in each function\n"
     "(default), or the function in each thread; in otf2, the region (default), its\n"
     "paradigm, its role, or its path of calls",
     OC_IMPORT, SELECTS, AT(value), OCELOTL_VALUE_LEVEL, 0},
    {"stacks", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "make samples nested states, a frame each, instead of events with the innermost frame\n"
     "(perf)",
     OC_IMPORT, SELECTS, AT(stacks), 0, 0},
    {"columns", OC_GROUP_OWN, OC_VALUE_TEXT, "WORDS",
     "what the columns of a table are (resource,type,value,begin,end), or those that its\n"
     "header calls otherwise (begin=t0,rank=proc); see docs/formats/csv.md",
     OC_IMPORT, SELECTS, AT(columns), 0, 0},
    {"align", OC_GROUP_OWN, OC_VALUE_WORD, "auto|none|begin|clock",
     "of several files: take times as they stand (none), let each begin with the first\n"
     "(begin), or put them on one clock by when they were recorded (default: by that\n"
     "where each file says it, else none)",
     OC_IMPORT, 0, AT(align), OCELOTL_ALIGN_AUTO, 0},
    {"collectives", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "of several files, where they say what is one collective operation (chrome): add\n"
     "links from the last to arrive to each of the others",
     OC_IMPORT, SELECTS, AT(collectives), 0, 0},
    {"fold-names", OC_GROUP_OWN, OC_VALUE_TEXT, "REGEX",
     "what this matches in names of states and events becomes \"*\", in formats whose\n"
     "names may be one for each event (chrome, perf, ctf)",
     OC_IMPORT, SELECTS, AT(fold_names), 0, 0},
    {"pair", OC_GROUP_OWN, OC_VALUE_TEXT, "A=B[,C=D..]",
     "events A and B begin and end a state, in formats whose events do not say so\n"
     "themselves (ctf)",
     OC_IMPORT, SELECTS, AT(pairs), 0, 0},
    {"time-unit", OC_GROUP_OWN, OC_VALUE_NAMED, "s|ms|us|ns",
     "unit of times in traces that name none (default: s)", OC_IMPORT, SELECTS, AT(time_unit), 0,
     0},
    {"threads", OC_GROUP_OWN, OC_VALUE_COUNT, "N", "use N threads (default: all)", OC_IMPORT, 0,
     AT(threads), 1, ANY},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "say what was imported as JSON", OC_IMPORT, 0,
     AT(json), 0, 0},

    /* of serve */
    {"port", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "serve at this port of this machine (default: one that is free)", OC_SERVE, 0, AT(port), 1,
     65535},
    {"socket", OC_GROUP_OWN, OC_VALUE_TEXT, "PATH",
     "serve at a socket that only you may use, for ssh -L 8000:PATH HOST", OC_SERVE, 0, AT(socket),
     0, 0},
    {"open", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "open the page in your browser", OC_SERVE, 0,
     AT(open), 0, 0},
    {"idle", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "end when nothing was asked for so long (30min; default: never)", OC_SERVE, 0, AT(idle), 0, 0},
    {"sql", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "answer questions in SQL, for 5 s each", OC_SERVE, 0,
     AT(sql), 0, 0},
    {"read-only", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "keep no notes", OC_SERVE, 0, AT(read_only), 0,
     0},

    /* of treemap */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "a part for each resource of this type (see ocelotl-cli info), instead of p", OC_TREEMAP,
     OC_OF_DETAIL, AT(at), 0, 0},
    {"depth", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "a part for each resource so deep in the hierarchy, 0 for the whole, instead of p", OC_TREEMAP,
     OC_OF_DETAIL, AT(depth), 0, ANY},
    {"area", OC_GROUP_OWN, OC_VALUE_TEXT, "WHAT",
     "areas are proportional to leaves (default), their number; to traced, the time in\n"
     "any state; or to the time in a state, by its name",
     OC_TREEMAP, 0, AT(view.area), 0, 0},

    /* Picture */
    {"width", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X", NULL, DRAWN, 0, AT(view.width), 320, 20000},
    {"height", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "size of the picture in pixels (default: 1280 x 720)", DRAWN, 0, AT(view.height), 320, 20000},
    {"dpi", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "sharpness of a PNG: 192 takes twice the pixels (default: 96)", DRAWN, 0, AT(view.dpi), 24,
     1200},
    {"theme", OC_GROUP_PICTURE, OC_VALUE_WORD, "light|dark",
     "colours of what is not data (default: light; a report: its reader's)", DRAWN, 0,
     AT(view.theme), OCELOTL_THEME_LIGHT, 0},
    {"palette", OC_GROUP_PICTURE, OC_VALUE_TEXT, "FILE",
     "colours of types, a CSV with the header name,colour (name: a glob)", DRAWN, 0,
     AT(view.palette), 0, 0},
    {"smallest", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "pixels below which things are drawn together (default: 2)", DRAWN, 0, AT(view.smallest), 1,
     100},
    {"show", OC_GROUP_PICTURE, OC_VALUE_NAMES, "PATTERN",
     "these types in colour, all others grey; what is aggregated stays as it is",
     DRAWN & ~(OC_SWEEP | OC_SERIES | OC_MATRIX), 0, AT(view.show), 0, 0},
    {"curves", OC_GROUP_PICTURE, OC_VALUE_WORD, "rising|falling",
     "gain and loss over p (default), or what is left of complexity and information",
     OC_OVERVIEW | OC_SERVE | OC_SWEEP, 0, AT(view.curves), OCELOTL_CURVES_RISING, 0},
    {"title", OC_GROUP_PICTURE, OC_VALUE_TEXT, "TEXT", "instead of the trace's name", DRAWN, 0,
     AT(view.title), 0, 0},
    {"view", OC_GROUP_PICTURE, OC_VALUE_TEXT, "NAME", "how it is drawn (see Views)",
     OC_OVERVIEW | OC_SERVE, 0, AT(view.view), 0, 0},
    {"type", OC_GROUP_PICTURE, OC_VALUE_TEXT, "NAME",
     "the type that a histogram shows (default: the one with most time)", OC_OVERVIEW | OC_SERVE,
     OC_OF_TYPE, AT(view.type), 0, 0},
    {"expand", OC_GROUP_PICTURE, OC_VALUE_EXPANSION, "NODE[,T1,T2]",
     "draw what is below one node, and between two times (as on the\n"
     "axis; slices of a matrix), of the same partition at full size",
     OC_OVERVIEW | OC_SERVE, 0, AT(expansion), 0, 0},

    /* Reading */
    {"lenient", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "skip broken lines of a trace that is read on the fly, and what is lost of one that\n"
     "is compressed and ends too early; read around what is damaged of a trace.db",
     READERS, SELECTS, AT(lenient), 0, 0},
    {"time-unit", OC_GROUP_READING, OC_VALUE_NAMED, "s|ms|us|ns",
     "unit of times in traces that name none (default: s)", READERS, READS, AT(time_unit), 0, 0},
    {"by", OC_GROUP_READING, OC_VALUE_WORD, "thread|cpu",
     "the hierarchy of a trace that tells both (paraver)", READERS, READS, AT(by),
     OCELOTL_BY_THREAD, 0},
    {"value", OC_GROUP_READING, OC_VALUE_WORD, "level|function|region|paradigm|role|callpath",
     "what states are (gstreamer, otf2);\nsee ocelotl-cli import --help", READERS, READS, AT(value),
     OCELOTL_VALUE_LEVEL, 0},
    {"stacks", OC_GROUP_READING, OC_VALUE_FLAG, NULL, "make samples nested states (perf)", READERS,
     READS, AT(stacks), 0, 0},
    {"collectives", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "add links between the members of collective operations (chrome, a folder of ranks)", READERS,
     READS, AT(collectives), 0, 0},
    {"columns", OC_GROUP_READING, OC_VALUE_TEXT, "WORDS", "what the columns of a table are",
     READERS & ~OC_MATRIX, READS, AT(columns), 0, 0},
    {"fold-names", OC_GROUP_READING, OC_VALUE_TEXT, "REGEX",
     "what this matches in names becomes \"*\" (chrome, perf, ctf); see ocelotl-cli\n"
     "import --help",
     READERS, READS, AT(fold_names), 0, 0},
    {"pair", OC_GROUP_READING, OC_VALUE_TEXT, "A=B[,C=D..]",
     "events A and B begin and end a state (ctf)", READERS, READS, AT(pairs), 0, 0},
    {"no-cache", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "neither use nor fill the cache in ~/.cache/ocelotl, which keeps to 4 GiB\n"
     "or OCELOTL_CACHE_LIMIT (500M, 20G)",
     READERS, 0, AT(no_cache), 0, 0},
};

const size_t oc_parameter_count = sizeof oc_parameters / sizeof oc_parameters[0];

const oc_parameter *oc_find_parameter(const char *name, unsigned command)
{
    for (size_t i = 0; i < oc_parameter_count; i++)
        if ((oc_parameters[i].commands & command) != 0 &&
            (oc_parameters[i].flags & OC_HELP_ALONE) == 0 &&
            strcmp(oc_parameters[i].name, name) == 0)
            return &oc_parameters[i];
    return NULL;
}

bool oc_parameter_is_shown(const oc_parameter *row, unsigned command)
{
    const bool named_elsewhere =
        (row->flags & OC_OF_PARTITION) != 0 && (command & OC_OF_EVENTS) != 0;
    return (row->commands & command) != 0 && !named_elsewhere;
}

size_t oc_find_word(const char *words, const char *word, size_t length)
{
    size_t index = 0;
    for (;;) {
        const size_t size = strcspn(words, "|");
        if (size == length && strncmp(words, word, length) == 0)
            return index;
        index++;
        if (words[size] == '\0')
            return index;
        words += size + 1;
    }
}
