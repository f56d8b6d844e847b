#include "request/options/request.h"

#include "base/options.h"

#include <string.h>

const oc_command oc_commands[] = {
    {"overview", OC_OVERVIEW, "draw the overview of a trace", "[OPTIONS] TRACE",
     "Draws the overview of a trace: the optimal partition of time and resources at a trade-off "
     "p. Each part has the colour of its dominant state, as opaque as that state's share.",
     "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
     "  ocelotl-cli --parts 100 --slices 60 trace.db -o overview.png\n",
     OC_OPERANDS_TRACE, true},
    {"import", OC_IMPORT, "turn a trace of any known format into a trace.db",
     "import TRACE... -o TRACE.db",
     "Reads a trace (a file, plain or compressed, or - for standard input) and writes it as a "
     "trace.db, which is whole or absent afterwards. Several files become one trace, merged by "
     "time. With --shards it is written as a run, a folder of several files.",
     "  ocelotl-cli import run.trace.zst -o run.db\n"
     "  program | ocelotl-cli import - --name run -o run.db\n"
     "  ocelotl-cli import rank*.trace --same-root -o run.db\n"
     "  ocelotl-cli import --shards 8 run.trace -o run.ocelotl\n",
     OC_OPERANDS_TRACES},
    {"merge", OC_MERGE, "make one trace.db of a run", "merge [OPTIONS] RUN -o TRACE.db",
     "Writes a run, which is a trace in the shards that import --shards writes, as one trace.db "
     "with the same uid. See docs/scale.md.",
     "  ocelotl-cli merge run.ocelotl -o run.db\n", OC_OPERANDS_TRACE},
    {"info", OC_INFO, "describe a trace, or what several share, or note something on it",
     "info [OPTIONS] TRACE...",
     "Describes a trace: format, time, types of resources with an example each, event types with "
     "counts and totals, oddities of its source, and what is noted on it. Of several it says what "
     "they share and where they differ. With --set and --unset it changes what is noted, beside "
     "the trace in TRACE.notes.json; the trace itself stays as it is.",
     "  ocelotl-cli info trace.db\n"
     "  ocelotl-cli info slow.db fast.db\n"
     "  ocelotl-cli info --set machine=hydra --set class=C trace.db\n",
     OC_OPERANDS_TRACES},
    {"list", OC_LIST, "list the traces in a folder", "list [OPTIONS] [DIR]",
     "Lists the traces in a folder (default: this one), recognised by their content: kind, "
     "format, duration, events, resources, size, date, notes, and metadata of your own (info "
     "--set). Nothing is imported: what only a trace.db says is - for other traces. One that is "
     "damaged is listed with what is wrong.",
     "  ocelotl-cli list runs\n"
     "  ocelotl-cli list --recursive --where 'duration > 60' --where machine=hydra --sort events "
     "runs\n",
     OC_OPERANDS_TRACES_IN},
    {"sweep", OC_SWEEP, "list the levels of detail that the overview can show",
     "sweep [OPTIONS] TRACE",
     "Lists the levels of detail of a trace, from the most detailed to the whole: each is the "
     "best partition between two p. Without --all it lists about thirty, those that matter most. "
     "A number behind a level is that of its plateau, a range of p over which no other level is "
     "much better, counted from the most aggregated. The level that is drawn without --p is "
     "marked as auto.",
     "  ocelotl-cli sweep --slices 60 trace.db\n"
     "  ocelotl-cli sweep --p 0.5 trace.db -o curves.svg\n",
     OC_OPERANDS_TRACE, true},
    {"parts", OC_PARTS, "list the parts of the overview with their numbers",
     "parts [OPTIONS] TRACE",
     "Lists the parts of the partition that the overview draws with the same options: the number "
     "for --part, its time and place, its leaves, its dominant state with that state's share, and "
     "the gain and loss of drawing it as one, as shares of the whole's. The kind is that of the "
     "picture (see ocelotl-cli overview --help views).",
     "  ocelotl-cli parts --sort loss trace.db\n"
     "  ocelotl-cli parts --why 17 trace.db\n"
     "  ocelotl-cli gantt --part 17 trace.db -o gantt.svg\n",
     OC_OPERANDS_TRACE},
    {"explain", OC_EXPLAIN, "say in sentences what a trace does, and what stands out",
     "explain [OPTIONS] TRACE",
     "Says in at most ten sentences what a trace does: its phases, and what stands out in them. "
     "That is what is unlike its like: machines that compute longer than others, a process that "
     "waits, an iteration that takes long. Each sentence has the place, the time, what differs, "
     "what is usual, what it costs, and a command that shows it. What costs most comes first; of "
     "a run in which nothing stands out it says its phases alone. -o FILE.md writes Markdown, "
     "with a picture for each sentence beside it. See docs/explain.md.",
     "  ocelotl-cli explain trace.db\n"
     "  ocelotl-cli explain trace.db -o report.md\n"
     "  ocelotl-cli explain --from 1s --to 2s --sentences 3 trace.db\n"
     "  ocelotl-cli explain --json trace.db\n",
     OC_OPERANDS_TRACE},
    {"brief", OC_BRIEF, "describe a trace in so many bytes, for a mail or a language model",
     "brief [OPTIONS] TRACE",
     "Describes a trace in at most so many bytes: what explain says in a few sentences, then the "
     "parts of the most detailed overview that fits, a line each, with the number for --part. The "
     "second line has the --p that these numbers belong to, and what the parts hide. See "
     "docs/brief.md.",
     "  ocelotl-cli brief --bytes 4000 trace.db\n"
     "  ocelotl-cli brief --p 0.35 --part 17 trace.db\n",
     OC_OPERANDS_TRACE},
    {"stats", OC_STATS, "sum up a trace, or a part of it, by event type and value",
     "stats [OPTIONS] TRACE",
     "Sums up a trace, or a window or part of it, by event type and value. States: their time as "
     "the innermost, its share of their resources' lives, and their time with nested ones; the "
     "mean, shortest and longest duration of those that end in the window. Variables: the mean "
     "over time. Links: the sums of their numeric attributes.",
     "  ocelotl-cli stats --from 1s --to 2s trace.db\n"
     "  ocelotl-cli stats --resource site/cluster trace.db -o stats.svg\n",
     OC_OPERANDS_TRACE, true},
    {"busiest", OC_PLAIN, "list the resources that are longest in states",
     "busiest [OPTIONS] TRACE",
     "Lists the resources that are longest in states, of those that --only and its like show: "
     "--only MPI_Recv for those that wait, say.",
     "  ocelotl-cli busiest --only MPI_Recv trace.db\n"
     "  ocelotl-cli busiest --at MACHINE --most 5 trace.db -o busiest.svg\n",
     OC_OPERANDS_TRACE, true},
    {"waiting", OC_PLAIN | OC_WAITING, "list who makes the others wait, and for how long",
     "waiting [OPTIONS] TRACE",
     "Lists the resources that make others wait longest: how long others wait because of them, how "
     "long they wait themselves, are on the critical path, and work; and the efficiencies of POP: "
     "parallel = balance x serialisation x transfer. See docs/waiting.md, and --metric "
     "wait-caused.",
     "  ocelotl-cli waiting trace.db\n"
     "  ocelotl-cli waiting --at MACHINE --from 1.6s --to 2.1s trace.db\n",
     OC_OPERANDS_TRACE, true},
    {"compare", OC_COMPARE, "list and draw what differs between two traces, or two windows of one",
     "compare [OPTIONS] FIRST SECOND",
     "Lists what differs between two traces, or with --from2 and --to2 between two windows of "
     "one, and draws both: how much longer the second takes, phase by phase and type by type, and "
     "the resources that deviate from that. Changes of time in states are in seconds. Resources "
     "match by path, types by name; both have the hierarchy of the first. All other options apply "
     "to both. All types are kept without --most-types.",
     "  ocelotl-cli compare slow.db fast.db -o both.svg\n"
     "  ocelotl-cli compare --to 50% --from2 50% trace.db trace.db --csv\n",
     OC_OPERANDS_TWO_TRACES, true},
    {"check", OC_CHECK, "tell whether a run is like earlier ones, for continuous integration",
     "check [OPTIONS] BASE... [--] NEW",
     "Tells whether a new run, the last TRACE, is like one or several before it. Phase by "
     "phase it looks for places, slices of a node, that spend their time otherwise than in BASE: "
     "there the structure changed. And it compares the durations of the run, of its phases, and "
     "of what its nodes do. Several BASE say by how much runs differ anyway. The exit code is 1 "
     "beyond a limit, 2 for wrong input or options. See docs/check.md.",
     "  ocelotl-cli check good.db new.db --max-loss 2% --max-time 5%\n"
     "  ocelotl-cli check monday.db tuesday.db -- new.db --junit check.xml -o both.svg\n",
     OC_OPERANDS_RUNS, true},
    {"matrix", OC_MATRIX, "list and draw who sends to whom", "matrix [OPTIONS] TRACE",
     "Sums up the links of a trace by the resources, or groups of them, where they begin and end: "
     "their number, bytes, durations, and how many end before they begin. Draws them as a matrix; "
     "rows send, columns receive. (A matrix as input, or from export, is another thing: a "
     "microscopic model.)",
     "  ocelotl-cli matrix trace.db -o matrix.svg\n"
     "  ocelotl-cli matrix --at MACHINE --receivers SWITCH --cell bytes --csv trace.db\n",
     OC_OPERANDS_TRACE, true},
    {"heap", OC_HEAP, "list who allocates memory, what stays, and what was alive at the peak",
     "heap [OPTIONS] TRACE",
     "Adds up blocks of memory: those that links called allocation are, or those of calls of "
     "malloc, free and their like that carry sizes and pointers (eztrace, LTTng). Lists them by "
     "who allocates them, by caller, by size, and by who frees whose; what is never freed is "
     "leaked. A window and resources choose what is allocated then and there. -o FILE.db writes "
     "the trace with the blocks as links, for any other command: "
     "overview --metric link-bytes-in-flight draws what is alive. See docs/heap.md.",
     "  ocelotl-cli heap run.db\n"
     "  ocelotl-cli heap --alive-at 1.5s --most 20 run.db\n"
     "  ocelotl-cli heap --from 1s --to 2s --resource run/2 run.db\n"
     "  ocelotl-cli heap run.otf2 -o heap.db\n",
     OC_OPERANDS_TRACE},
    {"hierarchies", OC_HIERARCHIES, "rank hierarchies of the resources by what they lose",
     "hierarchies [OPTIONS] TRACE",
     "Ranks hierarchies of the resources by what the best partitions lose at the same number of "
     "parts: the trace's own as it is drawn (default: with groups of like siblings), the trace's "
     "alone (trace), one by behaviour (auto), one by role or software (role: last names without "
     "the number at their end), and those that are given. --hierarchy of other commands takes "
     "each of these names.",
     "  ocelotl-cli hierarchies trace.db\n"
     "  ocelotl-cli hierarchies --candidates racks.csv --parts 50 trace.db -o hierarchies.svg\n",
     OC_OPERANDS_TRACE, true},
    {"causality", OC_CAUSALITY, "check whether the order of events can be trusted",
     "causality [OPTIONS] TRACE",
     "Finds links that end before they begin, because clocks disagree; that overtake others; or "
     "that have only one end. Lists the clocks that contradict each other, by how much, and how "
     "well clocks would have to agree for every cause to come before its effect.",
     "  ocelotl-cli causality --at MACHINE trace.db\n"
     "  ocelotl-cli causality trace.db -o wrong.db\n",
     OC_OPERANDS_TRACE},
    {"clocks", OC_CLOCKS, "set the clocks of a trace right by its messages",
     "clocks [OPTIONS] TRACE",
     "Says how the clocks of processes or machines differ. A message arrives after it was sent, "
     "and nobody leaves a barrier before the last one entered it, whatever clocks say. Each clock "
     "has a bound that it is off by at most. With -o FILE.db the trace is written once more, in "
     "the time of one clock; the trace itself is never changed.",
     "  ocelotl-cli clocks trace.db\n"
     "  ocelotl-cli clocks --at MACHINE trace.db -o aligned.db\n"
     "  ocelotl-cli clocks trace.db -o clocks.svg\n"
     "  ocelotl-cli clocks --between A,B trace.db -o pair.svg\n",
     OC_OPERANDS_TRACE, true},
    {"correct", OC_CORRECT, "take out of a trace what tracing cost, or predict another machine",
     "correct [OPTIONS] TRACE",
     "Says how long a run would have been without its tracer, or on another machine: threads "
     "compute as long as before, less what records cost, and what they waited for comes when its "
     "sender comes to it. Messages keep their order; where it may have been another one, the "
     "report says so. With -o FILE.db the trace is written with the new times; the trace itself "
     "is never changed.",
     "  ocelotl-cli correct --cost 250ns trace.db -o corrected.db\n"
     "  ocelotl-cli correct --what-if 'latency*0.5,bandwidth*2' trace.db\n"
     "  ocelotl-cli correct --what-if 'n18..21: compute*0.33' trace.db -o predicted.db\n",
     OC_OPERANDS_TRACE},
    {"treemap", OC_TREEMAP, "draw the resources as nested rectangles", "treemap [OPTIONS] TRACE",
     "Draws the resources of a trace as nested rectangles, summed over time: each as large as its "
     "number of leaves, with its states side by side. Siblings keep their order, in rows that "
     "read like text. Resources that are alike at the trade-off p are one part.",
     "  ocelotl-cli treemap trace.db -o treemap.svg\n"
     "  ocelotl-cli treemap --at MACHINE --area MPI_Wait trace.db -o machines.png\n",
     OC_OPERANDS_TRACE, true},
    {"snapshot", OC_SNAPSHOT, "write a picture, its levels, parts, totals and parameters at once",
     "snapshot [OPTIONS] TRACE DIR | -o X.zip",
     "Writes all that an overview says as files of a folder, or of a zip: the picture as SVG and "
     "PNG, the curves, the levels, parts and slices, the totals of the window, the parameters, "
     "and the command. A folder or zip that holds an earlier snapshot is replaced, one that holds "
     "something else is not. ocelotl-cli --again DIR, or X.zip, goes on from it.",
     "  ocelotl-cli snapshot --p 0.5 --width 1920 trace.db first\n"
     "  ocelotl-cli --again first --p 0.3 -o other.svg\n",
     OC_OPERANDS_FOLDER},
    {"series", OC_SERIES,
     "count the resources in each state over time, by group, or sum up variables",
     "series [OPTIONS] TRACE",
     "Counts the resources of each group that are in each state, at every instant; or gives the "
     "sum, mean, smallest or largest value of a variable over them; or, with --in-flight, counts "
     "links. Groups are the resources of a type; their members are the resources in and below "
     "them that have states. Nothing is sampled: every change is there. The default height of a "
     "picture makes all rows easy to read.",
     "  ocelotl-cli series --at CLUSTER trace.db -o series.svg\n"
     "  ocelotl-cli series --at MACHINE --only MPI_Wait trace.db -o waiting.db\n"
     "  ocelotl-cli --metric variable-mean waiting.db -o waiting.svg\n"
     "  ocelotl-cli series --variable power --reduce mean trace.db\n"
     "  ocelotl-cli series --in-flight bytes --at CLUSTER trace.db -o under-way.svg\n",
     OC_OPERANDS_TRACE, true},
    {"sql", OC_SQL, "ask a question in SQL", "sql [OPTIONS] TRACE QUERY",
     "Answers a query in SQL (SQLite's). The events of the trace are the table\n"
     "\n"
     "  events(resource, resource_type, category, type, value, begin, end, duration, depth,\n"
     "         source, target, key, attributes)\n"
     "\n"
     "with times in seconds; other tables are resources, event_types, event_values, warnings and "
     "source_kinds. Nothing is ever written to the trace.",
     "  ocelotl-cli sql trace.db \"SELECT value, sum(duration) FROM events GROUP BY value\"\n"
     "  ocelotl-cli sql --csv trace.db \"SELECT resource, begin, value FROM events\n"
     "      WHERE category = 'state' AND end > 0.1 AND begin < 0.2 ORDER BY begin\"\n",
     OC_OPERANDS_QUERY},
    {"gantt", OC_GANTT, "draw the events of a window over time", "gantt [OPTIONS] TRACE [SECOND]",
     "Draws the events of a trace over time, with a row for each resource: nested states inside "
     "one another, events as marks, variables as steps, links as arrows. Things too narrow, or in "
     "rows too low, to be seen are drawn together, with a diagonal if it fits; a tooltip lists "
     "them. Variables that never change are thin rows with their values. The default height makes "
     "all rows easy to read. Of two traces the rows that both have are drawn, one trace above the "
     "other, on one scale of time.",
     "  ocelotl-cli gantt --from 40% --to 45% trace.db -o gantt.svg\n"
     "  ocelotl-cli gantt --resource site/cluster --links 0 trace.db -o gantt.png\n"
     "  ocelotl-cli gantt raw.db corrected.db -o both.svg\n",
     OC_OPERANDS_TRACE_OR_TWO, true},
    {"export", OC_EXPORT, "write the events of a trace as CSV or for other tools, or its model",
     "export [OPTIONS] TRACE",
     "Writes the events of a trace as CSV, as lines of JSON, or in the format of another tool; or "
     "the model of the overview as a matrix. See docs/export.md.",
     "  ocelotl-cli export --type MPI_STATE trace.db -o states.csv\n"
     "  ocelotl-cli export --format pjdump trace.db\n"
     "  ocelotl-cli export --format chrome --with-parts --parts 100 trace.db -o "
     "for-perfetto.json\n",
     OC_OPERANDS_TRACE},
    {"verify", OC_VERIFY, "find damage in a trace.db", "verify [OPTIONS] TRACE.db",
     "Reads all of a trace.db and lists its damage, with the resources and times that it affects. "
     "Other commands check what they read, and stop at damage; with --lenient they read around "
     "it. The exit code is 1 if anything is damaged.",
     "  ocelotl-cli verify trace.db\n"
     "  ocelotl-cli --lenient trace.db -o what-is-left.svg\n",
     OC_OPERANDS_TRACE},
    {"cache", OC_CACHE, "list what is kept between runs, or empty it", "cache [OPTIONS]",
     "Lists what is kept between runs: the folder, its size, and for each file its source, size "
     "and last use. A trace is kept if a command imported it on the fly; an answer is that of "
     "sweep, or the level found for a picture.",
     "  ocelotl-cli cache\n"
     "  ocelotl-cli cache --clear\n",
     OC_OPERANDS_NONE},
    {"defaults", OC_DEFAULTS, "list the defaults of your own, and where they are set",
     "defaults [--json]",
     "Lists the options that $XDG_CONFIG_HOME/ocelotl/defaults sets (else "
     "~/.config/ocelotl/defaults): the line, the command whose section it is in, the option. A "
     "line is OPTION = VALUE; [COMMAND] begins a section. See docs/defaults.md.",
     "  ocelotl-cli defaults\n"
     "  ocelotl-cli stats --no-defaults trace.db\n",
     OC_OPERANDS_NONE},
    {"formats", OC_FORMATS, "list the formats that can be read", "formats [--csv | --json]",
     "Lists the formats that can be read.", "  ocelotl-cli formats\n", OC_OPERANDS_NONE},
    {"serve", OC_SERVE, "show a trace as an interactive page in a browser",
     "serve [OPTIONS] TRACE [SECOND]",
     "Prints the address of a page on this machine, and serves it until Ctrl-C: the overview with "
     "a slider for the level of detail, zoom, and details of a part. The options below choose "
     "what it shows first. Nobody gets in without the key in the address, and nothing leaves this "
     "machine. With a SECOND trace the page compares both.",
     "  ocelotl-cli serve --open trace.db\n"
     "  ocelotl-cli serve --socket ~/page.socket trace.db    (there; here: ssh -L "
     "8000:$HOME/page.socket there)\n",
     OC_OPERANDS_TRACE_OR_TWO},
    {"mcp", OC_MCP, "answer questions of a language model (Model Context Protocol)",
     "mcp [OPTIONS] TRACE...",
     "Is a server of the Model Context Protocol over standard input and output: a language model "
     "asks for descriptions, parts, totals and pictures of the traces, and of no other file. "
     "Nothing is written. See docs/mcp.md.",
     "  ocelotl-cli mcp slow.db fast.db\n"
     "  claude mcp add ocelotl -- ocelotl-cli mcp /runs/slow.db\n",
     OC_OPERANDS_TRACES},
};

const size_t oc_command_count = sizeof oc_commands / sizeof oc_commands[0];

const oc_command *oc_find_command(const char *name)
{
    for (size_t i = 0; i < oc_command_count; i++)
        if (strcmp(oc_commands[i].name, name) == 0)
            return &oc_commands[i];
    return NULL;
}

size_t ocelotl_command_count(void)
{
    return oc_command_count;
}

ocelotl_command ocelotl_command_at(size_t index)
{
    return index < oc_command_count
               ? (ocelotl_command){oc_commands[index].name, oc_commands[index].summary}
               : (ocelotl_command){"", ""};
}

const char *ocelotl_command_nearest(const char *word)
{
    oc_nearest_name nearest = oc_nearest_to(word, strlen(word));
    for (size_t i = 0; i < oc_command_count; i++)
        oc_nearest_try(&nearest, oc_commands[i].name);
    return nearest.name;
}
