/* A command has its rows in the order of this table; the help's sections have an order of their
 * own (help.c). */
#include "request/options/request.h"

#include <string.h>

#define AT(member) offsetof(ocelotl_request, member)

#define OVERVIEWS (OC_OVERVIEW | OC_SERVE | OC_SNAPSHOT)
#define MODELS                                                                                  \
    (OC_OVERVIEW | OC_SERVE | OC_SWEEP | OC_PARTS | OC_OF_PAIRS | OC_TREEMAP | OC_HIERARCHIES | \
     OC_SNAPSHOT | OC_BRIEF | OC_OF_EVENTS)
#define ARRANGES (MODELS & ~OC_MATRIX)
#define READERS \
    (MODELS | OC_INFO | OC_SQL | OC_SERIES | OC_CLOCKS | OC_CORRECT | OC_HEAP | OC_MCP | OC_MERGE)
#define IMPORTS (READERS | OC_IMPORT)
#define PLACES  ((MODELS & ~OC_EXPORT) | OC_SERIES)
#define STEPPED (PLACES & ~(OC_OF_PAIRS | OC_SERVE))
#define ZOOMS   (OVERVIEWS | OC_SWEEP | OC_PARTS | OC_BRIEF)
#define PLOTTED \
    (OC_SWEEP | OC_STATS | OC_OF_PAIRS | OC_SERIES | OC_MATRIX | OC_HIERARCHIES | OC_PLAIN)
#define DRAWN    (OVERVIEWS | OC_TREEMAP | OC_GANTT | OC_CLOCKS | PLOTTED)
#define DETAILED (ZOOMS | OC_OF_PAIRS | OC_TREEMAP | OC_OF_EVENTS)
#define PRINTED  (OC_INFO | OC_LIST | OC_CACHE | OC_SQL | OC_PARTS)
#define TABLES                                                                             \
    (PRINTED | OC_SWEEP | OC_SERIES | OC_FORMATS | OC_MATRIX | OC_STATS | OC_HIERARCHIES | \
     OC_CLOCKS | OC_CORRECT | OC_CAUSALITY | OC_HEAP | OC_PLAIN | OC_OF_PAIRS | OC_EXPLAIN)
#define WRITTEN                                                                              \
    ((MODELS & ~(OC_SERVE | OC_BRIEF)) | OC_INFO | OC_LIST | OC_SQL | OC_VERIFY | OC_CACHE | \
     OC_CLOCKS | OC_CORRECT | OC_HEAP | OC_SERIES | OC_IMPORT | OC_MERGE)
#define SELECTS   OC_NEEDS_TRACE
#define PARTITION (OC_NEEDS_TRACE | OC_OF_PARTITION)
#define READS     (OC_NEEDS_TRACE | OC_OF_IMPORT)
#define LEVEL     (OC_OF_PARTITION | OC_OF_DETAIL)

/* Whole numbers are below this. */
#define ANY ((double)UINT32_MAX)

const oc_parameter oc_parameters[] = {
    /* Zoom */
    {"from", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T", NULL, PLACES | OC_HEAP, SELECTS,
     AT(window.from)},
    {"to", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T",
     "show a window of time; T counts from the beginning of the trace (1.5s, 200ms, 3us, 10ns, "
     "2min, 1h, 40%), @T is the trace's own time, as on the axis",
     PLACES | OC_HEAP, SELECTS, AT(window.to)},
    {"from", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T", NULL, OC_EXPORT, 0, AT(window.from),
     OCELOTL_OWN_TIME},
    {"to", OC_GROUP_PLACE, OC_VALUE_INSTANT, "T",
     "write events that touch a window; T is the trace's own time, as in the columns (1.5s, 200ms, "
     "3us, 10ns, 2min, 1h, 40%), +T counts from the beginning of the trace; with --part T is as "
     "for the overview",
     OC_EXPORT, 0, AT(window.to), OCELOTL_OWN_TIME},
    {"resource", OC_GROUP_PLACE, OC_VALUE_NAMES, "PATH",
     "take this resource and all below it (repeat it for more; @FILE: a list of them)",
     PLACES | OC_EXPORT | OC_HEAP, SELECTS, AT(model.selection.resources)},
    {"move", OC_GROUP_PLACE, OC_VALUE_MOVE, "X%",
     "move the window by X% of its length, to earlier time where X is negative (repeat it)",
     STEPPED, SELECTS, AT(window.shift)},
    {"snap", OC_GROUP_PLACE, OC_VALUE_FLAG, NULL,
     "widen the window to whole slices of the picture of the whole trace", MODELS, PARTITION,
     AT(model.snap)},

    /* Filter */
    {"only", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN", NULL, MODELS | OC_SERIES | OC_HEAP,
     SELECTS, AT(model.selection.only)},
    {"except", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN",
     "show types or values by name or glob (repeat it for more; @FILE: a list of them; @@x: the "
     "name @x); time of hidden ones becomes untraced. Of types with one name, TYPE:VALUE or "
     "RESOURCE-TYPE:TYPE chooses one",
     MODELS | OC_SERIES | OC_HEAP, SELECTS, AT(model.selection.except)},
    {"only-resources", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN", NULL,
     MODELS | OC_SERIES | OC_HEAP, SELECTS, AT(model.selection.only_resources)},
    {"except-resources", OC_GROUP_FILTER, OC_VALUE_NAMES, "PATTERN",
     "show resources by path or glob, with all below them", MODELS | OC_SERIES | OC_HEAP, SELECTS,
     AT(model.selection.except_resources)},
    {"min-duration", OC_GROUP_FILTER, OC_VALUE_DURATION, "T", NULL, MODELS, SELECTS,
     AT(min_duration)},
    {"max-duration", OC_GROUP_FILTER, OC_VALUE_DURATION, "T",
     "show states at least, or at most, this long", MODELS, SELECTS, AT(max_duration)},
    {"where", OC_GROUP_FILTER, OC_VALUE_NAMES, "'NAME OP VALUE'",
     "show events by an attribute, as 'size >= 1000' (OP: = != < <= > >=; texts by = and glob; "
     "repeated: all must hold); types without it stay",
     MODELS | OC_HEAP, SELECTS | OC_LITERAL, AT(model.selection.where)},

    /* Metric */
    {"metric", OC_GROUP_METRIC, OC_VALUE_METRIC, "NAME",
     "what to draw: state-duration, state-mean-duration, event-count, variable-mean, link-bytes, "
     "... (default: what tells most, mostly state-duration), or one variable by another one: "
     "'1000 * MISSES / INSTRUCTIONS'; ocelotl-cli --help metrics lists all",
     MODELS, PARTITION, AT(model.cells.metric)},
    {"shift", OC_GROUP_METRIC, OC_VALUE_FLAG, NULL,
     "count variables from their smallest value, so that none is negative", MODELS, PARTITION,
     AT(model.cells.shift)},
    {"scale", OC_GROUP_METRIC, OC_VALUE_FLAG, "max",
     "show variables as shares of their largest value, to compare several", MODELS, PARTITION,
     AT(model.cells.scale)},
    {"rate", OC_GROUP_METRIC, OC_VALUE_FLAG, NULL,
     "show counts, bytes and growth per second: each number divided by the length of its slice",
     OVERVIEWS | OC_PARTS | OC_TREEMAP, PARTITION, AT(model.cells.rate)},
    {"counter-step", OC_GROUP_METRIC, OC_VALUE_FLAG, NULL,
     "let counters grow where they are read, not evenly since the reading before", MODELS,
     PARTITION, AT(model.cells.counter_step)},
    {"attribute", OC_GROUP_METRIC, OC_VALUE_TEXT, "NAME",
     "the attribute of links that holds their bytes (default: size, bytes or length)",
     MODELS & ~(OC_MATRIX | OC_CAUSALITY), PARTITION, AT(model.cells.attribute)},

    /* Types */
    {"group-types", OC_GROUP_TYPES, OC_VALUE_PAIRS, "PATTERN=NAME",
     "show types, by name, glob or event type, as one type NAME (repeat it for more groups; the "
     "first that matches counts)",
     MODELS, PARTITION, AT(model.types.groups)},
    {"type-tree", OC_GROUP_TYPES, OC_VALUE_TYPE_TREE, "FILE",
     "take colours from a tree of types: groups, and below them patterns of types, as "
     "GROUP/PATTERN or indented; or mpi, openmp, cuda or kernel",
     MODELS & ~(OC_GANTT | OC_STATS), OC_OF_PARTITION, AT(type_tree), .used = OC_USED_TREE},
    {"type-level", OC_GROUP_TYPES, OC_VALUE_TYPE_LEVEL, "LEVEL",
     "show types as the groups of the tree at this level, 1 for the outermost; or auto", MODELS,
     PARTITION, AT(model.type_level)},
    {"most-types", OC_GROUP_TYPES, OC_VALUE_COUNT, "N",
     "keep the N largest types, and sum up the rest as \"others\" (default: 30; 0: keep all)",
     MODELS, PARTITION, AT(model.types.max_types), 0, ANY},
    {"nesting-depth", OC_GROUP_TYPES, OC_VALUE_COUNT, "N",
     "count time for the outermost N of nested states; deeper ones count as the state around them "
     "(reads every event)",
     MODELS, PARTITION, AT(model.cells.nesting_depth), 1, ANY},

    /* Hierarchy */
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "FILE",
     "take the paths of leaves from a CSV with the header resource,path; the row *,other/* places "
     "all leaves that are not listed",
     ARRANGES & ~OC_HIERARCHIES, PARTITION, AT(hierarchy)},
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "auto", "cluster the leaves by behaviour",
     ARRANGES & ~OC_HIERARCHIES, PARTITION | OC_HELP_ALONE, AT(hierarchy)},
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "role",
     "bring leaves of the same last name together: by role, or by software",
     ARRANGES & ~OC_HIERARCHIES, PARTITION | OC_HELP_ALONE, AT(hierarchy)},
    {"hierarchy", OC_GROUP_HIERARCHY, OC_VALUE_TEXT, "trace",
     "the hierarchy of the trace, without groups of like siblings", ARRANGES & ~OC_HIERARCHIES,
     PARTITION | OC_HELP_ALONE, AT(hierarchy)},
    {"max-groups", OC_GROUP_HIERARCHY, OC_VALUE_COUNT, "N",
     "make at most N groups of like siblings in each node (default: 16)", MODELS, PARTITION,
     AT(model.hierarchy.max_groups), 0, ANY},
    {"regroup", OC_GROUP_HIERARCHY, OC_VALUE_FLAG, NULL,
     "find groups in what is shown, instead of those of the whole trace", MODELS, PARTITION,
     AT(model.hierarchy.regroup)},
    {"drop-level", OC_GROUP_HIERARCHY, OC_VALUE_NAMES, "TYPE",
     "leave out resources of this type; their children move up (repeat it for more)", ARRANGES,
     PARTITION, AT(model.hierarchy.drop_levels)},
    {"group", OC_GROUP_HIERARCHY, OC_VALUE_PAIRS, "PATTERN=NAME",
     "put resources, by path or glob, with all below them, into a node NAME", ARRANGES, PARTITION,
     AT(model.hierarchy.groups)},
    {"map", OC_GROUP_HIERARCHY, OC_VALUE_PAIRS, "REGEX=NAME",
     "match resources of the traces that are called alike if NAME takes the place of what the "
     "regular expression matches in their names, \\1 being its first group (repeat it for more)",
     OC_OF_PAIRS, SELECTS | OC_LITERAL, AT(model.hierarchy.map)},
    {"reuse-rows", OC_GROUP_HIERARCHY, OC_VALUE_FLAG, NULL,
     "let siblings that live one after the other share a row", MODELS, PARTITION | OC_OF_ROWS,
     AT(model.hierarchy.reuse_rows)},
    {"max-leaves", OC_GROUP_HIERARCHY, OC_VALUE_COUNT, "N",
     "merge the deepest nodes until at most N leaves are left; each weighs what it stands for",
     MODELS, PARTITION, AT(model.hierarchy.max_leaves), 1, ANY},
    {"fold", OC_GROUP_HIERARCHY, OC_VALUE_NAMES, "PATH",
     "draw a node, or those that match a glob, as a leaf that weighs what is below it (repeat it "
     "for more). none: idle rows are as high as the others",
     MODELS, PARTITION, AT(model.folded)},
    {"order", OC_GROUP_HIERARCHY, OC_VALUE_WORD, "trace|name|begin|activity|traffic",
     "sort siblings (default: as in the trace)", ARRANGES, PARTITION | OC_OF_ROWS,
     AT(model.hierarchy.order), OCELOTL_ORDER_TRACE},

    /* Model */
    {"slices", OC_GROUP_MODEL, OC_VALUE_COUNT, "N",
     "cut time into N slices (default: 200, or fewer, with a message)", MODELS, PARTITION,
     AT(model.slices), 1, ANY},
    {"kind", OC_GROUP_MODEL, OC_VALUE_WORD, "spatiotemporal|temporal|spatial",
     "what parts divide (default: spatiotemporal, time and resources)", MODELS, OC_OF_PARTITION,
     AT(model.kind), OCELOTL_SPATIOTEMPORAL},
    {"statistic", OC_GROUP_MODEL, OC_VALUE_STATISTIC, "NAME",
     "what is shown of the cells of a part: mean (default), median, or q90: what 90 of a hundred "
     "do not exceed; the parts stay as they are",
     OVERVIEWS | OC_PARTS | OC_TREEMAP, 0, AT(percentile)},
    {"state-type", OC_GROUP_MODEL, OC_VALUE_NAMES, "NAME",
     "show states of this type (repeat it for more: each resource shows the first that it has; "
     "default: what covers resources and time best)",
     MODELS, PARTITION | OC_OF_TYPE, AT(model.state_types), .used = OC_USED_STATES},
    {"nesting", OC_GROUP_MODEL, OC_VALUE_WORD, "innermost|inclusive",
     "count time in nested states for the innermost (default), or for each", MODELS, PARTITION,
     AT(model.cells.nesting), OCELOTL_INNERMOST, .used = OC_USED_STATES},
    {"untraced", OC_GROUP_MODEL, OC_VALUE_WORD, "type|ignore",
     "count time in no state as the type \"(no state)\" (default), or not at all", MODELS,
     PARTITION, AT(model.cells.untraced), OCELOTL_UNTRACED_TYPE, .used = OC_USED_STATES},

    {"plain", OC_GROUP_MODEL, OC_VALUE_FLAG, NULL,
     "draw the trace as it is: leave nothing out, fold nothing, and choose neither tree nor shades "
     "for it",
     MODELS & ~(OC_HIERARCHIES | OC_OF_PAIRS), OC_OF_PARTITION, AT(view.plain)},
    {"background", OC_GROUP_PICTURE, OC_VALUE_NAMES, "STATE",
     "draw states, by name or glob, as pale background, so that colours show what is not them "
     "(default: idle ones, and one of over 85 % of the time); none: draw all in colour",
     OVERVIEWS | OC_TREEMAP, 0, AT(view.background), .used = OC_USED_PICTURE},
    {"whole", OC_GROUP_MODEL, OC_VALUE_FLAG, NULL,
     "draw all of the time, with silences and what is far from the rest",
     MODELS & ~(OC_HIERARCHIES | OC_OF_PAIRS), PARTITION, AT(whole_time)},

    /* Level of detail */
    {"p", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "X",
     "the trade-off, from 0 (lose nothing) to 1 (one block), or auto (default): a simple picture "
     "that loses little, which sweep marks. auto:RULE chooses by knee (of any loss and size), "
     "coarsest, finest, plateau:N, gap, gap-between-before or gap-between-after",
     DETAILED, LEVEL, AT(detail), OCELOTL_DETAIL_P, .used = OC_USED_DETAIL},
    {"p-raw", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "X", "the trade-off, not normalised", DETAILED,
     LEVEL, AT(detail), OCELOTL_DETAIL_P_RAW, .used = OC_USED_DETAIL},
    {"level", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "N", "level N of the list of sweep (without --all)",
     DETAILED, LEVEL, AT(detail), OCELOTL_DETAIL_LEVEL, .used = OC_USED_DETAIL},
    {"parts", OC_GROUP_DETAIL, OC_VALUE_DETAIL, "N", "the most detailed level with at most N parts",
     DETAILED, LEVEL, AT(detail), OCELOTL_DETAIL_PARTS, .used = OC_USED_DETAIL},

    /* Zoom into a part */
    {"part", OC_GROUP_ZOOM, OC_VALUE_PART, "PART",
     "zoom into the node and the time of one part, by the number that tooltips, ocelotl-cli parts "
     "and JSON give it; repeat it for a part of that part. A --p before it chooses the partition "
     "that has the part",
     ZOOMS, SELECTS, AT(zooms)},
    {"part", OC_GROUP_ZOOM, OC_VALUE_PART, "PART",
     "take the node and the time of one part of the overview, by the number that tooltips and "
     "ocelotl-cli parts give it (repeat it for a part of that part). These options choose the "
     "overview, as in ocelotl-cli overview: --from, --to, --resource, the filters below (which "
     "apply to the events, too), and\n"
     "  --p, --p-raw, --level, --parts, --slices, --kind, --state-type, --nesting, "
     "--nesting-depth,\n"
     "  --untraced, --snap, --group-types, --type-tree, --type-level, --most-types, --metric, "
     "--shift,\n"
     "  --scale, --counter-step, --attribute, --hierarchy, --drop-level, --group,\n"
     "  --reuse-rows, --max-leaves, --fold, --max-groups, --regroup, --order, --plain, --whole",
     OC_OF_EVENTS, SELECTS, AT(zooms)},

    /* Of a command itself: what it answers */
    {"sort", OC_GROUP_OWN, OC_VALUE_WORD, "id|gain|loss",
     "sort by number (default), or the largest gain or loss first", OC_PARTS, OC_OF_ANSWER,
     AT(sort)},
    {"why", OC_GROUP_OWN, OC_VALUE_COUNT, "PART",
     "say why one part, by its number, is cut from what is around it and not cut further: which "
     "types make the cut, and what each of them and each part adds to it",
     OC_PARTS, OC_OF_ANSWER, AT(why), 0, ANY},
    {"quantiles", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "say of the cells of each part the least, the quartiles and the most, of each type", OC_PARTS,
     OC_OF_ANSWER, AT(quantiles)},
    {"set", OC_GROUP_OWN, OC_VALUE_NAMES, "KEY=VALUE", NULL, OC_INFO, OC_LITERAL, AT(set)},
    {"unset", OC_GROUP_OWN, OC_VALUE_NAMES, "KEY",
     "note a value of your own on each trace, or drop it (repeat it for more)", OC_INFO, OC_LITERAL,
     AT(unset)},
    {"recursive", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "list the traces in folders below, too: of the first 100,000 files and folders, and none of "
     "the kernel's (/proc, /sys)",
     OC_LIST, 0, AT(recursive)},
    {"where", OC_GROUP_OWN, OC_VALUE_NAMES, "'NAME OP VALUE'",
     "list traces by a column or a key of your own, as 'duration > 60' (OP: = != < <= > >=; texts "
     "by = and glob; repeated: all must hold); duration is in seconds, size in bytes, date like "
     "2026-11-23; title, uid and problem are names, too",
     OC_LIST, OC_LITERAL, AT(model.selection.where)},
    {"sort", OC_GROUP_OWN, OC_VALUE_WORD, "name|format|duration|events|resources|size|date|notes",
     "sort by a column: numbers the largest first, dates the latest (default: name)", OC_LIST, 0,
     AT(listed_by), OCELOTL_FOLDER_NAME},
    {"others", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "list files that are no traces, too, and why",
     OC_LIST, 0, AT(all)},
    {"clear", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "empty the cache", OC_CACHE, 0, AT(clear)},
    {"most", OC_GROUP_OWN, OC_VALUE_COUNT, "N", "list the first N (default: 10)", OC_PLAIN,
     OC_OF_ANSWER, AT(most), 1, ANY},
    {"most", OC_GROUP_OWN, OC_VALUE_COUNT, "N", "list the first N of each kind (default: 10)",
     OC_HEAP, 0, AT(most), 1, ANY},
    {"alive-at", OC_GROUP_OWN, OC_VALUE_TEXT, "peak|T",
     "what was alive when most bytes were (default), or at an instant, as those of --from", OC_HEAP,
     0, AT(alive_at)},
    {"alloc", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN", NULL, OC_HEAP, 0, AT(allocate)},
    {"free", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN",
     "other calls that allocate or free, by name or glob, beside those of the C library (repeat it "
     "for more)",
     OC_HEAP, 0, AT(release)},
    {"sentences", OC_GROUP_OWN, OC_VALUE_COUNT, "N", "say at most N sentences (default: 10)",
     OC_EXPLAIN, OC_OF_ANSWER, AT(most), 1, ANY},
    {"bytes", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "write at most N bytes (default: 2000); with --p and its like no more detailed than that",
     OC_BRIEF, OC_OF_ANSWER, AT(bytes), 1, ANY},
    {"bytes", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "write at most N bytes of text for an answer, unless it asks for more (default: 8000)", OC_MCP,
     0, AT(bytes), 500, 1000000},
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "say the same for each resource of this type (see ocelotl-cli info), with all below it; "
     "resource: for each resource that has events, as busiest does",
     OC_STATS | OC_PLAIN, OC_OF_ANSWER, AT(at)},
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "draw what is below each resource of this type (see ocelotl-cli info) as one row: states as "
     "high as their shares, or one state alone as strong as its share; all: one row",
     OC_GANTT, OC_OF_ANSWER, AT(at)},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME", "only events of this type, such as links",
     OC_STATS | OC_EXPORT | OC_CAUSALITY | OC_CLOCKS | OC_CORRECT | OC_MATRIX | OC_GANTT,
     OC_OF_TYPE | OC_OF_ANSWER, AT(type)},
    {"of", OC_GROUP_OWN, OC_VALUE_WORD, "lives|leaves|active",
     "what shares of time are of: the lives of the resources (default), the window for each of "
     "them, or the time in any state",
     OC_STATS, OC_OF_ANSWER, AT(of), OCELOTL_SHARES_OF_LIVES},
    {"sort", OC_GROUP_OWN, OC_VALUE_WORD,
     "time|share|inclusive|begun|ended|mean|min|median|p90|p99|max|name",
     "the column to sort by, the largest first (default: time, or count)", OC_STATS, OC_OF_ANSWER,
     AT(column), OCELOTL_COLUMN_TIME},
    {"quantiles", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "the durations that 50, 90 and 99 of a hundred do not exceed, exactly; known without asking "
     "in traces of at most a million events",
     OC_STATS, OC_OF_ANSWER, AT(quantiles)},
    {"extremes", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "the shortest and longest duration of each value of a larger trace, too (reads all)", OC_STATS,
     OC_OF_ANSWER, AT(extremes)},
    {"durations", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN",
     "how long states and links last, by name or glob of type or value (repeat it for more), as a "
     "histogram of each window and, with --at, of each resource",
     OC_STATS, SELECTS | OC_OF_ANSWER, AT(durations)},
    {"efficiency", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "how well the time is used: what ocelotl-cli waiting lists, of all rows", OC_STATS,
     SELECTS | OC_OF_ANSWER, AT(efficiency)},
    {"counter", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "what this counter grew by in each state, a call and a second (docs/counters.md)", OC_STATS,
     SELECTS | OC_OF_ANSWER, AT(counter)},
    {"placement", OC_GROUP_OWN, OC_VALUE_TEXT, "T",
     "list what is on each node of memory at an instant (of variables in bytes)", OC_STATS,
     SELECTS | OC_OF_ANSWER, AT(placement)},
    {"over-time", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "say the same of N slices of the window, one after the other; in stats with --durations or "
     "--efficiency",
     OC_STATS | OC_WAITING, SELECTS | OC_OF_ANSWER, AT(duration_slices), 1, 10000},
    {"format", OC_GROUP_OWN, OC_VALUE_LINES,
     "csv|json|pjdump|chrome|paje|matrix|picl|picl1|perfetto",
     "csv (default) and json: the columns of docs/programs.md, as rows or an object a line; "
     "pjdump: lines like those of pj_dump; chrome: trace events in JSON, for Perfetto's viewer; "
     "paje: a trace as text; matrix: the model of the overview as CSV, which every command reads; "
     "picl, picl1: PICL traces, new and old; perfetto: a trace of Perfetto, with all that nests",
     OC_EXPORT, 0, AT(format)},
    {"with-parts", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "chrome, perfetto: add the parts of the overview, as slices on tracks of their nodes; --p, "
     "--level, "
     "--parts and the options of --part choose the overview",
     OC_EXPORT, SELECTS, AT(with_parts)},

    /* of causality */
    {"latency", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "report links between clocks that take less as too fast (2us; default: none)", OC_CAUSALITY, 0,
     AT(latency)},
    {"latency-per-byte", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "a link takes that much more for each byte of its size (0.8ns; default: none)", OC_CAUSALITY,
     0, AT(latency_per_byte)},
    {"attribute", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the attribute of links that holds their bytes (default: size, bytes or length)",
     OC_CAUSALITY | OC_CORRECT | OC_MATRIX | OC_SERIES, OC_OF_ANSWER, AT(model.cells.attribute)},
    {"clock-error", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "the most that two clocks differ at any time (10us; default: unknown)", OC_CAUSALITY, 0,
     AT(clock_error)},
    {"strict", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "exit with code 1 if a link ends before it begins", OC_CAUSALITY, 0, AT(strict)},

    {"collective", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN=KIND",
     "take states as collective operations, beside those of OTF2: KIND is barrier, all-to-all, "
     "one-to-all:ROOT or all-to-one:ROOT (the path of a resource; again: more)",
     OC_CAUSALITY | OC_CLOCKS | OC_CORRECT, 0, AT(collective_patterns)},

    /* of clocks */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "each resource of this type has a clock, for all below it (default: each resource, or the "
     "type of those, that send and receive); fewer clocks are found better",
     OC_CAUSALITY | OC_CLOCKS, 0, AT(at)},
    {"drift", OC_GROUP_OWN, OC_VALUE_DRIFT, "linear|none|pieces[=N]",
     "let each clock run at a speed of its own (default), all alike, or each at speeds that "
     "change: in N pieces, or as far as messages tell",
     OC_CLOCKS, 0, AT(drift), 1, 1024},
    {"max-drift", OC_GROUP_OWN, OC_VALUE_NUMBER, "PPM",
     "the most that two clocks may differ in speed (default: 100)", OC_CAUSALITY | OC_CLOCKS, 0,
     AT(max_drift), 0, 499999},
    {"reference", OC_GROUP_OWN, OC_VALUE_TEXT, "PATH",
     "tell the time by this clock (default: the one with most messages)", OC_CLOCKS, 0,
     AT(reference)},
    {"between", OC_GROUP_OWN, OC_VALUE_TEXT, "A,B",
     "draw what messages say of two clocks alone, with -o FILE.svg, .png or .pdf", OC_CLOCKS,
     OC_OF_ANSWER, AT(pair)},
    {"samples", OC_GROUP_OWN, OC_VALUE_NAMES, "FILE",
     "use exchanges or offsets that were measured, too: CSV with the header "
     "clock,sent,received,returned,back or clock,time,offset,deviation (again: more)",
     OC_CLOCKS, 0, AT(samples)},
    {"evidence", OC_GROUP_OWN, OC_VALUE_SET, "messages|samples|collectives",
     "use only this (several between commas; default: all that is sure; operations without a "
     "communicator are tried by their names if asked for)",
     OC_CLOCKS, 0, AT(evidence)},
    {"amortise", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "move what messages still contradict, and a little of what is around it, so that none ends "
     "before it begins (controlled logical clock)",
     OC_CLOCKS, 0, AT(amortise)},
    {"latency", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "let each message take at least T then (2us; default: half of what the quickest takes)",
     OC_CLOCKS, 0, AT(latency)},
    {"tick-factor", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "divide the tick of the new trace by N: times are rounded to it", OC_CLOCKS, 0,
     AT(tick_factor), 1, 1000000000},
    {"groups", OC_GROUP_OWN, OC_VALUE_WORD, "joined|apart",
     "let clocks that nothing joins have a reference each, moved only as far as messages between "
     "them need (apart), or end with exit code 1 (default)",
     OC_CLOCKS, 0, AT(groups)},

    /* of correct */
    {"cost", OC_GROUP_OWN, OC_VALUE_NAMES, "COST",
     "how long the tracer took for each record (250ns), or for those of a state or an event by "
     "name "
     "or glob (MPI_*=1.2us; again: more, the last that matches counts)",
     OC_CORRECT, OC_LITERAL, AT(costs)},
    {"cost-attribute", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the attribute of states and events that holds the same in seconds; --cost is of those "
     "without it",
     OC_CORRECT, 0, AT(cost_attribute)},
    {"cost-at", OC_GROUP_OWN, OC_VALUE_WORD, "both|end",
     "a state has two records, where it begins and ends (default), or one at its end", OC_CORRECT,
     0, AT(cost_at)},
    {"model", OC_GROUP_OWN, OC_VALUE_NAMES, "MODEL",
     "a sender goes on at once (asynchronous, default), or waits in its state until its receiver "
     "takes the message (rendezvous); PATTERN=MODEL is of links by name or glob (again: more, the "
     "last that matches counts)",
     OC_CORRECT, OC_LITERAL, AT(link_models)},
    {"rendezvous-above", OC_GROUP_OWN, OC_VALUE_BYTES, "SIZE",
     "senders of messages of more than SIZE wait so (64K), where no PATTERN says how", OC_CORRECT,
     0, AT(rendezvous_above)},
    {"arrived", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the attribute of links that says whether a message was there when its receiver came (true or "
     "1, false or 0; default, and without it: as receives that take hardly any time tell)",
     OC_CORRECT, 0, AT(arrived)},
    {"transit", OC_GROUP_OWN, OC_VALUE_TEXT, "MODEL",
     "how long a message takes that nobody waited for: as others of its size, or by a line of "
     "sizes, among those within a resource of the same type (fit, default) or of the same pair "
     "(pairs); or a line that you know (230us+48.4ns*KB)",
     OC_CORRECT, 0, AT(transit)},
    {"simulate", OC_GROUP_OWN, OC_VALUE_WORD, "few|all",
     "take transits by the model only where they cannot be measured (default), or all", OC_CORRECT,
     0, AT(simulate)},
    {"check", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "test the model of transits alone: by class and size, whether a line of sizes explains them",
     OC_CORRECT, 0, AT(check)},
    {"bounds", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "say how short and how long the run could be, with the least and the largest transits of each "
     "class and size where they are modelled",
     OC_CORRECT, 0, AT(bounds)},
    {"reference-time", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "how long the run took without a tracer, to say what is left", OC_CORRECT, 0,
     AT(reference_time)},
    {"predict", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "say how long the run would be with the options below; with --transit all messages take what "
     "that says",
     OC_CORRECT, 0, AT(predict)},
    {"copy", OC_GROUP_OWN, OC_VALUE_TEXT, "LINE",
     "let a receiver take so long for a message that is there (63us+24.4ns*KB)", OC_CORRECT, 0,
     AT(copy)},
    {"speed", OC_GROUP_OWN, OC_VALUE_PAIRS, "PATTERN=X",
     "let states, by name or glob, be X times as fast, with all in them (again: more)", OC_CORRECT,
     OC_LITERAL, AT(speeds)},
    {"without", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN",
     "take the time of states out, with all in them (again: more)", OC_CORRECT, OC_LITERAL,
     AT(without)},
    {"what-if", OC_GROUP_OWN, OC_VALUE_NAMES, "CHANGE",
     "predict with other machines: latency*0.5,bandwidth*2,compute*0.8 are factors; "
     "'HOSTS: compute*0.33' is of resources by name, path, glob or range (n18..21) and all below "
     "them (again: more)",
     OC_CORRECT, OC_LITERAL, AT(changes)},

    /* of matrix */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "each resource of this type is a thread, with all below it (default: each that has events)",
     OC_CORRECT, 0, AT(at)},
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "make a row of each resource of this type, with all below it (see ocelotl-cli info); all: one "
     "row (default: each resource that sends or receives)",
     OC_MATRIX, OC_OF_ANSWER, AT(at)},
    {"receivers", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "the same for columns, which receive (default: as rows)", OC_MATRIX, OC_OF_ANSWER,
     AT(message_columns)},
    {"hierarchy", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "take the paths of ends of links from a CSV with the header resource,path; the row *,other/* "
     "places all ends that are not listed",
     OC_MATRIX, OC_OF_ANSWER, AT(hierarchy)},
    {"hierarchy", OC_GROUP_OWN, OC_VALUE_TEXT, "auto", "cluster the ends of links by behaviour",
     OC_MATRIX, OC_HELP_ALONE | OC_OF_ANSWER, AT(hierarchy)},
    {"drop-level", OC_GROUP_OWN, OC_VALUE_NAMES, "TYPE",
     "leave out resources of this type; their children move up (repeat it for more)", OC_MATRIX,
     OC_OF_ANSWER, AT(model.hierarchy.drop_levels)},
    {"group", OC_GROUP_OWN, OC_VALUE_PAIRS, "PATTERN=NAME",
     "put resources, by path or glob, with all below them, into a node NAME; --at group makes a "
     "row of each such node, or of each that a file makes",
     OC_MATRIX, OC_OF_ANSWER, AT(model.hierarchy.groups)},
    {"order", OC_GROUP_OWN, OC_VALUE_WORD, "trace|name|begin|activity|traffic",
     "sort siblings: most ends of links first (activity), or side by side what sends most to each "
     "other (traffic)",
     OC_MATRIX, OC_OF_ANSWER, AT(model.hierarchy.order), OCELOTL_ORDER_TRACE},
    {"cell", OC_GROUP_OWN, OC_VALUE_WORD, "count|bytes|mean|least|bandwidth|in-flight|violations",
     "what the picture shows, and the table sorts by: the number of links (default), their bytes, "
     "mean or shortest duration, bytes a second, the number in flight, the number that end before "
     "they begin",
     OC_MATRIX, OC_OF_ANSWER, AT(measure), OCELOTL_MESSAGES_COUNT},
    {"linear", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "let colours follow values (default: their logarithms)", OC_MATRIX, OC_OF_ANSWER, AT(linear),
     .used = OC_USED_PICTURE},

    /* of hierarchies */
    {"candidates", OC_GROUP_OWN, OC_VALUE_NAMES, "FILE",
     "rank this hierarchy, too: a CSV as --hierarchy of the overview (repeat it for more)",
     OC_HIERARCHIES, 0, AT(candidates)},
    {"parts", OC_GROUP_OWN, OC_VALUE_DETAIL, "N",
     "rank them at N parts (default: as many as the overview has without options)", OC_HIERARCHIES,
     OC_OF_DETAIL, AT(detail), OCELOTL_DETAIL_PARTS},
    {"all", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "find every level, however many: exact also where fewer parts come at a lower p; slow",
     OC_SWEEP | OC_HIERARCHIES, 0, AT(all)},

    /* as text */
    {"csv", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, NULL, TABLES | OC_GANTT, 0, AT(csv)},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print CSV or JSON", TABLES | OC_GANTT, 0,
     AT(json)},
    {"json", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "print JSON instead",
     OC_OVERVIEW | OC_TREEMAP | OC_IMPORT | OC_DEFAULTS | OC_VERIFY, 0, AT(json)},
    {"csv", OC_GROUP_OWN, OC_VALUE_LINES, NULL, NULL, OC_EXPORT, 0, AT(format)},
    {"json", OC_GROUP_OWN, OC_VALUE_LINES, NULL, "the same as --format csv and --format json",
     OC_EXPORT, 0, AT(format)},
    {"digits", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "pjdump: N digits after the point (default: those of the dump that was read, else 6)",
     OC_EXPORT, 0, AT(digits), 0, 18},

    /* where it goes */
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE", "write a .zip instead of a folder", OC_SNAPSHOT,
     OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write .svg, .png, .pdf or .json, of an overview also .html, a page of all levels; - writes "
     "SVG to standard output (default: an SVG in this folder, named after the trace and the "
     "command)",
     OC_OVERVIEW | OC_TREEMAP, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write .svg, .png, .pdf, .csv or .json; - writes SVG to standard output (default: an SVG in "
     "this folder, named after the trace and the command)",
     OC_GANTT, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.csv, .json; .txt: the table) instead of standard output", PRINTED,
     OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file instead of standard output: .csv, .json, .txt (the table), or a picture of "
     "it as .svg, .png or .pdf (of levels: beside the table)",
     OC_STATS | OC_PLAIN | OC_HIERARCHIES | OC_MATRIX | OC_SWEEP, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write .csv, .json or .txt instead of standard output; .md is Markdown, with a picture for "
     "each finding beside it",
     OC_EXPLAIN, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write .csv, .json or .txt instead of standard output; .db is a trace of the violations, for "
     "other commands",
     OC_CAUSALITY, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write the trace in the time of the reference (.db), for any other command, or the clocks "
     "(.csv, .json or .txt), instead of a table; or draw them over time, or those --between two "
     "(.svg, .png or .pdf)",
     OC_CLOCKS, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write the trace with the blocks as links (.db), for any other command, or the table (.csv, "
     ".json or .txt)",
     OC_HEAP, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write the trace with the new times (.db), for any other command, or the report (.csv, .json "
     "or .txt)",
     OC_CORRECT, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "draw both, one below the other, as .svg, .png or .pdf, in the same colours and at one raw p: "
     "the one that the options below choose for the first; or write the table as .csv, .json or "
     ".txt",
     OC_COMPARE, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "draw the first and the new run as compare does, as .svg, .png or .pdf; or write .csv, .json, "
     ".txt, or .xml for JUnit",
     OC_CHECK, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.csv, .json; .txt for pjdump; .json for chrome; .trace or .paje for paje; "
     ".picl for picl; .csv for matrix; .pftrace for perfetto) instead of standard output",
     OC_EXPORT, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write to a file (.json: JSON) instead of standard output", OC_VERIFY, OC_OF_OUTPUT,
     AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write .csv or .json (default: CSV to standard output); .svg, .png or .pdf: the curves; .db: "
     "a trace with the series as variables, for other commands",
     OC_SERIES, OC_OF_OUTPUT, AT(output)},
    {"output", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "the trace.db to write; its name must not be that of a text trace, a picture or a table",
     OC_IMPORT | OC_MERGE, OC_OF_OUTPUT, AT(output)},
    {"force", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "replace a trace.db, or a file of another kind or from another program", WRITTEN, OC_OF_OUTPUT,
     AT(force)},

    /* of pictures */
    {"links", OC_GROUP_DIAGRAM, OC_VALUE_COUNT, "N",
     "draw at most N arrows, those that stand for most links (default: 20000); the shortest are "
     "left out if they would hide the rows",
     OC_GANTT, OC_OF_ANSWER, AT(max_links), 0, ANY},
    {"violations", OC_GROUP_DIAGRAM, OC_VALUE_FLAG, NULL,
     "draw of links only those that end before they begin", OC_GANTT, OC_OF_ANSWER, AT(violations)},

    {"colour-by", OC_GROUP_DIAGRAM, OC_VALUE_TEXT, "NAME",
     "colour states, events and arrows by a number that they carry, such as size, instead of by "
     "type",
     OC_GANTT, OC_OF_ANSWER, AT(view.colour_by)},
    {"source", OC_GROUP_DIAGRAM, OC_VALUE_TEXT, "FOLDER",
     "show in tooltips the lines of the program that events name by File and Line, from a folder "
     "of its sources",
     OC_GANTT, 0, AT(view.source)},
    {"critical-path", OC_GROUP_DIAGRAM, OC_VALUE_FLAG, NULL,
     "draw a line along what the end of the run waits for (see docs/waiting.md)", OC_GANTT,
     OC_OF_ANSWER, AT(critical_path)},

    /* of compare */
    {"stretch", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "draw both equally wide, instead of on one scale of time", OC_OF_PAIRS | OC_GANTT,
     OC_OF_ANSWER, AT(stretch)},
    {"align-event", OC_GROUP_OWN, OC_VALUE_TEXT, "EVENT",
     "of two traces, put this event of both below one another: where the last resource begins its "
     "first one; NAME#K: its K-th one",
     OC_GANTT, OC_OF_ANSWER, AT(align_event)},
    {"view", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "draw them in a view of the overview; difference: one picture with two colours, for more and "
     "for less time in the second than in the first",
     OC_COMPARE, 0, AT(view.view), .used = OC_USED_VIEW},
    {"type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the type that a difference or a histogram shows (default for a difference: the one that "
     "differs most)",
     OC_COMPARE, OC_OF_TYPE, AT(view.type), .used = OC_USED_TYPE},
    {"from2", OC_GROUP_OWN, OC_VALUE_INSTANT, "T", NULL, OC_COMPARE | OC_GANTT | OC_STATS,
     SELECTS | OC_OF_ANSWER, AT(second_window.from)},
    {"to2", OC_GROUP_OWN, OC_VALUE_INSTANT, "T",
     "the window of SECOND (default: that of FIRST, counted from SECOND's beginning); of stats, "
     "with --durations: a second window beside the first",
     OC_COMPARE | OC_GANTT | OC_STATS, SELECTS | OC_OF_ANSWER, AT(second_window.to)},
    {"every-node", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "list the changes of every node, instead of each larger change once, at the node that "
     "explains it best",
     OC_COMPARE, OC_OF_ANSWER, AT(all)},

    /* of check */
    {"max-loss", OC_GROUP_OWN, OC_VALUE_SHARE, "X%",
     "let resources spend so much of their time, at any place, otherwise than in BASE, beyond "
     "chance and what bases differ by (default: 2%; 0: nothing)",
     OC_CHECK, OC_OF_ANSWER, AT(max_loss)},
    {"max-time", OC_GROUP_OWN, OC_VALUE_SHARE, "X%",
     "let the run, a phase of it, and what a node spends of the run in a type, change by so much, "
     "beyond what bases differ by (default: 5%)",
     OC_CHECK, OC_OF_ANSWER, AT(max_time)},
    {"junit", OC_GROUP_OWN, OC_VALUE_TEXT, "FILE",
     "write JUnit XML beside the answer: a test case for the structure, and for each time",
     OC_CHECK, OC_OF_OUTPUT, AT(junit)},

    /* of series */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "make a group of each resource of this type (see ocelotl-cli info); all: one group (default: "
     "the type with the fewest resources, but several, that hold all)",
     OC_SERIES, OC_OF_ANSWER, AT(at)},
    {"reduce", OC_GROUP_OWN, OC_VALUE_WORD, "count|sum|mean|min|max",
     "count the resources in each state, or reduce variables (default: count; sum without states)",
     OC_SERIES, OC_OF_ANSWER, AT(reduction), OCELOTL_REDUCE_COUNT},
    {"in-flight", OC_GROUP_OWN, OC_VALUE_WORD, "count|bytes|rate|slowdown",
     "show links in flight instead of states: their number, their bytes, their bytes a second, or "
     "how many times as long they take as the quickest of their size, on average",
     OC_SERIES, OC_OF_ANSWER, AT(in_flight), OCELOTL_IN_FLIGHT_COUNT},
    {"owner", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "show who owns locks instead of states: NAME is a type of links from release to acquire, or "
     "the attribute that names the lock (a picture or -o FILE.db)",
     OC_SERIES, OC_OF_ANSWER, AT(owner)},
    {"side", OC_GROUP_OWN, OC_VALUE_WORD, "sender|receiver|pair|through",
     "count a link in the group where it begins (default) or ends; pair: a series for each pair of "
     "groups; through: links that cross the border of a group",
     OC_SERIES, OC_OF_ANSWER, AT(side), OCELOTL_SIDE_SENDER},
    {"only-above", OC_GROUP_OWN, OC_VALUE_NUMBER, "X",
     "with --in-flight: only tell where that exceeds X, as 1, elsewhere 0; a trace has states "
     "called congested there",
     OC_SERIES, OC_OF_ANSWER, AT(only_above), 1e-6, 1e13},
    {"variable", OC_GROUP_OWN, OC_VALUE_NAMES, "PATTERN",
     "show variables, by name or glob, instead of states (repeat it for more)", OC_SERIES,
     OC_OF_ANSWER, AT(model.selection.only)},
    {"state-type", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "count states of this type (default: the type with most time)", OC_SERIES,
     SELECTS | OC_OF_TYPE | OC_OF_ANSWER, AT(model.cells.state_type), .used = OC_USED_STATES},
    {"nesting", OC_GROUP_OWN, OC_VALUE_WORD, "innermost|inclusive",
     "count a resource in its innermost state (default), or in all its nested states", OC_SERIES,
     SELECTS | OC_OF_ANSWER, AT(model.cells.nesting), OCELOTL_INNERMOST, .used = OC_USED_STATES},

    /* of import */
    {"format", OC_GROUP_OWN, OC_VALUE_IMPORTER, "NAME",
     "the format of the trace (default: recognised); see ocelotl-cli formats", OC_IMPORT, 0,
     AT(format)},
    {"name", OC_GROUP_OWN, OC_VALUE_TEXT, "NAME",
     "the name of the trace in captions (default: that of the file)", OC_IMPORT, 0, AT(name)},
    {"same-root", OC_GROUP_OWN, OC_VALUE_FLAG, NULL,
     "several files: merge resources of one path (default: put those of each file below a resource "
     "named after it)",
     OC_IMPORT, 0, AT(same_root)},
    {"align", OC_GROUP_OWN, OC_VALUE_WORD, "auto|none|begin|clock",
     "several files: take times as they are (none), let all begin together (begin), or align them "
     "by the time of recording (clock); auto (default): clock if each file has that time, else "
     "none",
     OC_IMPORT, 0, AT(align), OCELOTL_ALIGN_AUTO},

    {"shards", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "write a run instead: a folder of N shards, each with some of the resources, and run.db; see "
     "docs/scale.md",
     OC_IMPORT, 0, AT(shards), 1, 65536},

    /* of serve */
    {"port", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "serve at this port of this machine (default: a free one)", OC_SERVE, 0, AT(port), 1, 65535},
    {"socket", OC_GROUP_OWN, OC_VALUE_TEXT, "PATH",
     "serve at a socket that only you can use, for ssh -L 8000:PATH HOST", OC_SERVE, 0, AT(socket)},
    {"open", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "open the page in your browser", OC_SERVE, 0,
     AT(open)},
    {"idle", OC_GROUP_OWN, OC_VALUE_DURATION, "T",
     "end after this long without a request (30min; default: never)", OC_SERVE, 0, AT(idle)},
    {"memory", OC_GROUP_OWN, OC_VALUE_BYTES, "SIZE",
     "keep models of at most SIZE (500M, 2G; default: a quarter of what is free)", OC_SERVE, 0,
     AT(memory)},
    {"sql", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "answer queries in SQL, of at most 5 s each",
     OC_SERVE, 0, AT(sql)},
    {"read-only", OC_GROUP_OWN, OC_VALUE_FLAG, NULL, "keep no notes", OC_SERVE, 0, AT(read_only)},

    /* of treemap */
    {"at", OC_GROUP_OWN, OC_VALUE_TEXT, "TYPE",
     "make a part of each resource of this type (see ocelotl-cli info), instead of p", OC_TREEMAP,
     OC_OF_DETAIL | OC_OF_ANSWER, AT(at)},
    {"depth", OC_GROUP_OWN, OC_VALUE_COUNT, "N",
     "make a part of each resource at this depth, 0 for the whole, instead of p", OC_TREEMAP,
     OC_OF_DETAIL | OC_OF_ANSWER, AT(depth), 0, ANY},
    {"area", OC_GROUP_OWN, OC_VALUE_TEXT, "WHAT",
     "make areas proportional to leaves (default), their number; to traced, the time in any state; "
     "or to the time in a state, by its name",
     OC_TREEMAP, OC_OF_ANSWER, AT(view.area)},

    /* Picture */
    {"width", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X", NULL, DRAWN, 0, AT(view.width), 320, 20000,
     OC_USED_SIZE},
    {"height", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "size of the picture in pixels (default: 1280 x 720)", DRAWN, 0, AT(view.height), 320, 20000,
     OC_USED_PICTURE},
    {"dpi", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "resolution of a PNG: 192 doubles the pixels (default: 96)", DRAWN, 0, AT(view.dpi), 24, 1200,
     OC_USED_PNG},
    {"theme", OC_GROUP_PICTURE, OC_VALUE_WORD, "light|dark",
     "colours of paper and text (default: light; a report: its reader's)", DRAWN, 0, AT(view.theme),
     OCELOTL_THEME_LIGHT, .used = OC_USED_PICTURE},
    {"palette", OC_GROUP_PICTURE, OC_VALUE_TEXT, "FILE",
     "take colours of types from a CSV with the header name,colour (name: a glob)", DRAWN, 0,
     AT(view.palette), .used = OC_USED_PICTURE},
    {"type-tree", OC_GROUP_PICTURE, OC_VALUE_TYPE_TREE, "FILE",
     "take colours from a tree of types; see ocelotl-cli --help types",
     OC_GANTT | OC_STATS | OC_SERIES, 0, AT(type_tree), .used = OC_USED_TREE},
    {"smallest", OC_GROUP_PICTURE, OC_VALUE_NUMBER, "X",
     "draw things below this many pixels together (default: 2)", DRAWN, 0, AT(view.smallest), 1,
     100, OC_USED_SIZE},
    {"show", OC_GROUP_PICTURE, OC_VALUE_NAMES, "PATTERN",
     "draw only these types in colour, all others grey; the partition stays as it is",
     DRAWN & ~(OC_SWEEP | OC_SERIES | OC_MATRIX | OC_CLOCKS), 0, AT(view.show),
     .used = OC_USED_PICTURE},
    {"curves", OC_GROUP_PICTURE, OC_VALUE_WORD, "rising|falling",
     "draw gain and loss over p (default), or the complexity and information left",
     OVERVIEWS | OC_SWEEP, 0, AT(view.curves), OCELOTL_CURVES_RISING, .used = OC_USED_CURVES},
    {"texture", OC_GROUP_PICTURE, OC_VALUE_WORD, "none|loss",
     "loss: strew dots over each part, as dense as what is lost inside (default: none)", OVERVIEWS,
     0, AT(view.texture), OCELOTL_TEXTURE_NONE, .used = OC_USED_PICTURE},
    {"notes", OC_GROUP_PICTURE, OC_VALUE_FLAG, NULL,
     "number and list the notes that serve keeps beside the trace", OC_OVERVIEW | OC_SERVE, 0,
     AT(notes), .used = OC_USED_PICTURE},
    {"title", OC_GROUP_PICTURE, OC_VALUE_TEXT, "TEXT", "the title, instead of the trace's name",
     DRAWN, 0, AT(view.title), .used = OC_USED_PICTURE},
    {"view", OC_GROUP_PICTURE, OC_VALUE_TEXT, "NAME", "how to draw it (see Views)", OVERVIEWS, 0,
     AT(view.view), .used = OC_USED_VIEW},
    {"context-level", OC_GROUP_PICTURE, OC_VALUE_COUNT, "N",
     "the strip above a window shows the N-th level of the whole, as sweep --kind temporal lists "
     "them (default: the level to show first)",
     OVERVIEWS, 0, AT(context_level), 1, ANY, OC_USED_CONTEXT},
    {"type", OC_GROUP_PICTURE, OC_VALUE_TEXT, "NAME",
     "the type that a histogram shows (default: the one with most time)", OVERVIEWS, OC_OF_TYPE,
     AT(view.type), .used = OC_USED_TYPE},
    {"expand", OC_GROUP_PICTURE, OC_VALUE_EXPANSION, "NODE[,T1,T2]",
     "draw only one node, or also only between two times (as on the axis; slices of a matrix), at "
     "full size in the same partition",
     OVERVIEWS, 0, AT(expansion), .used = OC_USED_PICTURE},

    /* Reading */
    {"lenient", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "skip and count broken lines, and import what is readable of compressed data that is cut off "
     "or damaged; read around damage in a trace.db",
     IMPORTS, SELECTS, AT(lenient)},
    {"time-unit", OC_GROUP_READING, OC_VALUE_NAMED, "s|ms|us|ns",
     "the unit of times in traces that name none (default: s)", IMPORTS, READS, AT(time_unit)},
    {"by", OC_GROUP_READING, OC_VALUE_WORD, "thread|cpu",
     "the hierarchy, in formats with both (paraver): application, task and thread (default), or "
     "node, CPU and the threads that ran there",
     IMPORTS, READS, AT(by), OCELOTL_BY_THREAD},
    {"value", OC_GROUP_READING, OC_VALUE_WORD, "level|function|region|paradigm|role|callpath",
     "what states are, in formats with a choice: in gstreamer, the level of a message in each "
     "function (default), or the function in each thread; in otf2, the region (default), its "
     "paradigm, its role, or its path of calls",
     IMPORTS, READS, AT(value), OCELOTL_VALUE_LEVEL},
    {"stacks", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "make samples nested states, one for each frame, instead of events with the innermost frame "
     "(perf)",
     IMPORTS, READS, AT(stacks)},
    {"collectives", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "several files that identify collective operations (chrome): add links from the last rank to "
     "arrive to each of the others",
     IMPORTS, READS, AT(collectives)},
    {"columns", OC_GROUP_READING, OC_VALUE_TEXT, "WORDS",
     "name the columns of a table (resource,type,value,begin,end), or those that its header names "
     "otherwise (begin=t0,rank=proc); see docs/formats/csv.md",
     IMPORTS & ~OC_MATRIX, READS, AT(columns)},
    {"fold-names", OC_GROUP_READING, OC_VALUE_TEXT, "REGEX",
     "replace what this matches in names of states and events by \"*\", in formats whose names may "
     "differ for each event (chrome, perf, ctf)",
     IMPORTS, READS, AT(fold_names)},
    {"pair", OC_GROUP_READING, OC_VALUE_TEXT, "A=B[,C=D..]",
     "let events A and B begin and end a state, in formats that do not mark them (ctf)",
     IMPORTS & ~OC_CLOCKS, READS, AT(pairs)},
    {"counter", OC_GROUP_READING, OC_VALUE_NAMES, "PATTERN", NULL, IMPORTS & ~OC_STATS, READS,
     AT(counters)},
    {"increment", OC_GROUP_READING, OC_VALUE_NAMES, "PATTERN",
     "variables, by name or glob, whose values accumulate, or say what was added since the one "
     "before (repeat it for more): the metric counter shows their growth",
     IMPORTS & ~OC_STATS, READS, AT(increments)},
    {"threads", OC_GROUP_READING, OC_VALUE_COUNT, "N", "use N threads (default: all)", IMPORTS, 0,
     AT(threads), 1, ANY},
    {"no-defaults", OC_GROUP_READING, OC_VALUE_FLAG, NULL, "leave the defaults of your own alone",
     IMPORTS | OC_LIST, 0, AT(no_defaults)},
    {"no-cache", OC_GROUP_READING, OC_VALUE_FLAG, NULL,
     "neither use nor fill the cache in ~/.cache/ocelotl; it keeps to 4 GiB, or "
     "OCELOTL_CACHE_LIMIT (500M, 20G)",
     READERS, 0, AT(no_cache)},
};

const size_t oc_parameter_count = sizeof oc_parameters / sizeof oc_parameters[0];

const oc_parameter *oc_find_parameter(const char *name, uint64_t command)
{
    for (size_t i = 0; i < oc_parameter_count; i++)
        if (oc_is_option(&oc_parameters[i], command) && strcmp(oc_parameters[i].name, name) == 0)
            return &oc_parameters[i];
    return NULL;
}

size_t oc_find_word(const char *words, const char *word, size_t length)
{
    for (size_t index = 0;; index++) {
        const size_t size = strcspn(words, "|");
        if (size == length && strncmp(words, word, length) == 0)
            return index;
        if (words[size] == '\0')
            return SIZE_MAX;
        words += size + 1;
    }
}
