/* What users type that is no word of the program, and what they mean by it. */
#include "base/options.h"
#include "base/plain.h"
#include "request/options/request.h"

#include <string.h>

#define COMMAND "the command meant may be "
#define OPTION  "the option meant may be "

/* Words between bars are meant alike. */
static const struct {
    oc_meant_kind kind;
    const char *typed, *meant;
} rows[] = {
    {OC_MEANT_WORD, "show", COMMAND "overview, or serve for a page in a browser"},
    {OC_MEANT_WORD, "draw|render|picture", COMMAND "overview, as ocelotl-cli TRACE -o FILE.svg"},
    {OC_MEANT_WORD, "plot|chart", COMMAND "overview, or stats, series, gantt or matrix"},
    {OC_MEANT_WORD, "view|open|browse", COMMAND "serve, as ocelotl-cli serve --open TRACE"},
    {OC_MEANT_WORD, "diff", COMMAND "compare, as ocelotl-cli compare FIRST SECOND"},
    {OC_MEANT_WORD, "report", COMMAND "overview, as ocelotl-cli TRACE -o report.html"},
    {OC_MEANT_WORD, "summary|summarize|profile|statistics", COMMAND "stats"},
    {OC_MEANT_WORD, "timeline", COMMAND "gantt"},
    {OC_MEANT_WORD, "messages", COMMAND "matrix"},
    {OC_MEANT_WORD, "query|select", COMMAND "sql, as ocelotl-cli sql TRACE QUERY"},
    {OC_MEANT_WORD, "load|read", COMMAND "import"},
    {OC_MEANT_WORD, "convert", COMMAND "import to a trace.db, or export to another format"},
    {OC_MEANT_WORD, "dump|print", COMMAND "export"},
    {OC_MEANT_WORD, "check|validate", COMMAND "verify for a trace.db, or causality for the order"},
    {OC_MEANT_WORD, "levels", COMMAND "sweep"},
    {OC_MEANT_WORD, "clear|clean|purge|empty", COMMAND "cache --clear"},
    {OC_MEANT_WORD, "version", OPTION "--version"},
    {OC_MEANT_UNIT, "s|ms|us|\xC2\xB5s|ns|min|h|d",
     "a unit stands behind its number without a blank, as in 100ms"},
    {OC_MEANT_OPTION, "host|bind|address|listen|interface",
     "the page is for this machine alone; for another one, as on a cluster, forward --port or "
     "--socket by ssh -L (see docs/serve.md)"},
    {OC_MEANT_OPTION, "format|input-format",
     "what a file is says `ocelotl-cli import --format NAME FILE -o trace.db`; what is written "
     "says "
     "the suffix of -o FILE"},
    {OC_MEANT_OPTION, "start|begin|since", OPTION "--from"},
    {OC_MEANT_OPTION, "end|stop|until", OPTION "--to"},
    {OC_MEANT_OPTION, "out|out-file|file", OPTION "-o FILE"},
    {OC_MEANT_OPTION, "type", "--only chooses types and values, --state-type a type of states"},
    {OC_MEANT_OPTION, "range|window|time|time-range|duration|interval", OPTION "--from and --to"},
    {OC_MEANT_OPTION, "size|resolution|geometry", OPTION "--width and --height"},
    {OC_MEANT_OPTION, "group-by|groupby", OPTION "--at"},
    {OC_MEANT_OPTION, "color|colour|colors|colours|colormap|color-map", OPTION "--palette"},
    {OC_MEANT_OPTION, "j|jobs|cores|nproc|parallel|workers", OPTION "--threads"},
    {OC_MEANT_OPTION, "rows|resources|rank|ranks|process|processes|thread|node|host",
     OPTION "--resource"},
    {OC_MEANT_OPTION, "arrows|no-arrows|no-links|messages", OPTION "--links N, 0 for none"},
    {OC_MEANT_OPTION, "browser|launch", OPTION "--open"},
    {OC_MEANT_OPTION, "no-browser|no-open", "--open is not the default"},
    {OC_MEANT_OPTION, "log|logarithmic|log-scale", "--linear is not the default"},
    {OC_MEANT_OPTION, "bytes", OPTION "--cell bytes"},
    {OC_MEANT_OPTION, "hierarchy", OPTION "--candidates"},
    {OC_MEANT_OPTION, "top|limit|head", "a table is cut by `head`"},
    {OC_MEANT_OPTION, "verbose|quiet|silent", "messages on standard error are few, and all alike"},
    {OC_MEANT_OPTION, "fix|repair|correct",
     "ocelotl-cli clocks TRACE -o NEW.db sets clocks right, --lenient reads around damage"},
    {OC_MEANT_OPTION, "step", OPTION "--move X%"},
    {OC_MEANT_OPTION, "split-children",
     "like siblings are grouped by default, --max-groups N makes more or fewer groups"},
    {OC_MEANT_OPTION, "fit|median", "--samples bound clocks, without a fit or a median of them"},
    {OC_MEANT_ELSE, "by", "; groups of resources are --at TYPE"},
    {OC_MEANT_ELSE, "state-type", "; events of a type are --type NAME"},
    {OC_MEANT_UNIT, "help", OPTION "--help"},
    {OC_MEANT_OPTION, "V|version", "ocelotl-cli --version stands alone"},
};

/* What options were called before. */
static const struct {
    const char *name, *now;
    const char *value; /* that it stands for; NULL: it has one */
    uint64_t command;  /* that had it; 0: all that have the one of now */
} earlier[] = {
    {"zoom", "part", NULL, 0},         {"plot", "output", NULL, OC_SWEEP},
    {"next", "move", "100%", 0},       {"previous", "move", "-100%", 0},
    {"all", "every-node", NULL, 0},    {"all", "others", NULL, 0},
    {"columns", "receivers", NULL, 0}, {"pair", "between", NULL, 0},
    {"align", "align-event", NULL, 0},
};

const oc_parameter *oc_find_earlier(const char **value, const char *name, size_t length,
                                    uint64_t command)
{
    for (size_t i = 0; i < sizeof earlier / sizeof earlier[0]; i++) {
        const oc_parameter *row = oc_find_parameter(earlier[i].now, command);
        if (row == NULL || (earlier[i].command != 0 && earlier[i].command != command) ||
            strlen(earlier[i].name) != length || strncmp(earlier[i].name, name, length) != 0 ||
            oc_find_parameter(earlier[i].name, command) != NULL)
            continue;
        *value = earlier[i].value;
        return row;
    }
    return NULL;
}

/* Whether words name an option first, or behind what says that it may be meant, that a command does
 * not have either. */
static bool names_missing(const char *meant, uint64_t command)
{
    char option[32];
    const size_t before = strncmp(meant, OPTION, strlen(OPTION)) == 0 ? strlen(OPTION) : 0;
    oc_plain_print(option, sizeof option, "%.*s", (int)strcspn(meant + before, " "),
                   meant + before);
    return strncmp(option, "--", 2) == 0 && oc_find_parameter(option + 2, command) == NULL;
}

const char *oc_meant(oc_meant_kind kind, const char *word, size_t length, uint64_t command)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((rows[i].kind == kind || (kind == OC_MEANT_WORD && rows[i].kind == OC_MEANT_UNIT)) &&
            oc_find_word(rows[i].typed, word, length) < SIZE_MAX &&
            (command == 0 || !names_missing(rows[i].meant, command)))
            return rows[i].meant;
    return NULL;
}

bool oc_is_other_option(const char *name, size_t length)
{
    for (size_t i = 0; i < oc_parameter_count; i++)
        if (strlen(oc_parameters[i].name) == length &&
            strncmp(oc_parameters[i].name, name, length) == 0)
            return true;
    return oc_meant(OC_MEANT_OPTION, name, length, 0) != NULL;
}

ocelotl_status ocelotl_command_refuse(const char *word)
{
    const char *meant = oc_meant(OC_MEANT_WORD, word, strlen(word), 0);
    const char *nearest = meant == NULL ? ocelotl_command_nearest(word) : NULL;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is neither a command nor a file%s%s", word,
                   meant != NULL     ? "; "
                   : nearest != NULL ? "; the nearest command is "
                                     : "",
                   meant != NULL     ? meant
                   : nearest != NULL ? nearest
                                     : "");
}

/* Adds which other commands have an option of this name: a few are named. */
static void add_owners(oc_text *text, const char *name, size_t length)
{
    enum { MOST = 3 };
    const char *owners[MOST];
    size_t count = 0;
    for (size_t c = 0; c < oc_command_count; c++)
        for (size_t i = 0; i < oc_parameter_count; i++)
            if (oc_is_option(&oc_parameters[i], oc_commands[c].bit) &&
                strlen(oc_parameters[i].name) == length &&
                strncmp(oc_parameters[i].name, name, length) == 0) {
                if (count++ < MOST)
                    owners[count - 1] = oc_commands[c].name;
                break;
            }
    for (size_t i = 0; i < count && i < MOST; i++)
        oc_text_format(text, "%s%s",
                       i == 0           ? ", which "
                       : i + 1 == count ? " and "
                                        : ", ",
                       owners[i]);
    if (count > 0)
        oc_text_add(text, count > MOST ? " and others have" : count > 1 ? " have" : " has");
}

ocelotl_status oc_fail_option(const char *name, size_t length, uint64_t command)
{
    const char *begin_so[2] = {NULL, NULL};
    const char *meant = oc_meant(OC_MEANT_OPTION, name, length, command);
    oc_nearest_name nearest = oc_nearest_to(name, length);
    oc_text owners = {0};
    add_owners(&owners, name, length);
    for (size_t i = 0; i <= oc_parameter_count; i++) {
        if (i < oc_parameter_count && !oc_is_option(&oc_parameters[i], command))
            continue;
        const char *known = i < oc_parameter_count ? oc_parameters[i].name : "help";
        oc_nearest_try(&nearest, known);
        if (strncmp(known, name, nearest.length) == 0)
            begin_so[begin_so[0] != NULL] = known;
    }
    const bool cut = begin_so[1] != NULL && meant == NULL && owners.length == 0;
    if (owners.failed)
        oc_fail_memory();
    else if (cut)
        oc_fail(OCELOTL_ERROR_ARGUMENT, "option --%.*s is cut too short: it may be --%s or --%s",
                (int)length, name, begin_so[0], begin_so[1]);
    else if (meant != NULL || owners.length > 0)
        oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option --%.*s%s%s", (int)length, name,
                meant != NULL ? "; " : "", meant != NULL ? meant : owners.bytes);
    else
        oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option --%.*s%s%s", (int)length, name,
                nearest.name != NULL ? "; the nearest is --" : "",
                nearest.name != NULL ? nearest.name : "");
    const ocelotl_status status = owners.failed ? OCELOTL_ERROR_MEMORY : OCELOTL_ERROR_ARGUMENT;
    oc_text_free(&owners);
    return status;
}
