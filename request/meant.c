/* What users type that is no word of the program, and what they mean by it. */
#include "base/options.h"
#include "request/request.h"

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
    {OC_MEANT_WORD, "load|read|merge", COMMAND "import"},
    {OC_MEANT_WORD, "convert", COMMAND "import to a trace.db, or export to another format"},
    {OC_MEANT_WORD, "dump|print", COMMAND "export"},
    {OC_MEANT_WORD, "check|validate", COMMAND "verify for a trace.db, or causality for the order"},
    {OC_MEANT_WORD, "levels", COMMAND "sweep"},
    {OC_MEANT_WORD, "clear", COMMAND "cache --clear"},
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
};

const char *oc_meant(oc_meant_kind kind, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((rows[i].kind == kind || (kind == OC_MEANT_WORD && rows[i].kind == OC_MEANT_UNIT)) &&
            oc_find_word(rows[i].typed, word, length) < SIZE_MAX)
            return rows[i].meant;
    return NULL;
}

ocelotl_status oc_fail_option(const char *name, size_t length, unsigned command)
{
    const char *begin_so[2] = {NULL, NULL};
    const char *meant = oc_meant(OC_MEANT_OPTION, name, length);
    oc_nearest_name nearest = oc_nearest_to(name, length);
    for (size_t i = 0; i <= oc_parameter_count; i++) {
        if (i < oc_parameter_count && !oc_is_option(&oc_parameters[i], command))
            continue;
        const char *known = i < oc_parameter_count ? oc_parameters[i].name : "help";
        oc_nearest_try(&nearest, known);
        if (strncmp(known, name, nearest.length) == 0)
            begin_so[begin_so[0] != NULL] = known;
    }
    if (begin_so[1] != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "option --%.*s is cut too short: it may be --%s or --%s", (int)length, name,
                       begin_so[0], begin_so[1]);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option --%.*s%s%s", (int)length, name,
                   meant != NULL          ? "; "
                   : nearest.name != NULL ? "; the nearest is --"
                                          : "",
                   meant != NULL          ? meant
                   : nearest.name != NULL ? nearest.name
                                          : "");
}
