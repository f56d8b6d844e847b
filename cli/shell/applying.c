/* Which defaults go with a command line: those that it contradicts give way, and so does the later
 * of two that contradict each other. */
#define _GNU_SOURCE
#include "defaults.h"
#include "messages.h"

#include <ocelotl/ocelotl.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How a trace is read is nothing of a trace.db. */
static bool reads_other(const cli_default *item, const ocelotl_request *request)
{
    const char *trace = request->operand_count > 0 ? request->operands[0] : "";
    const size_t length = strlen(trace);
    const bool database = length > 3 && strcmp(trace + length - 3, ".db") == 0;
    return database &&
           strcmp(ocelotl_parameter_find(request->command, item->name).group, "Reading") == 0 &&
           strcmp(item->name, "lenient") != 0 && strcmp(item->name, "no-cache") != 0;
}

/* Whether it is of the command at all. --where of a list asks of traces, that of all other commands
 * of events. */
static bool is_of(const cli_default *item, const char *command)
{
    const bool of_other =
        item->command == NULL && strcmp(command, "list") == 0 && strcmp(item->name, "where") == 0;
    return (item->command == NULL || strcmp(item->command, command) == 0) && !of_other &&
           ocelotl_parameter_find(command, item->name).name[0] != '\0';
}

/* Why a line leaves no room for it, whatever it is; NULL: it may go with the line. */
static const char *find_reason(const cli_default *item, const ocelotl_request *asked)
{
    return ocelotl_request_get(asked, item->name) != NULL
               ? "the command line gives this option itself"
           : reads_other(item, asked) ? "the trace.db was imported before"
                                      : NULL;
}

/* --- Trying requests */

/* Of the defaults that are applied, or of one alone, then of what was asked. */
static ocelotl_status make(ocelotl_request **request, const cli_defaults *defaults,
                           const cli_default *alone, const ocelotl_request *asked)
{
    ocelotl_status status = ocelotl_request_new(request, asked->command);
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK; i++) {
        const cli_default *item = &defaults->items[i];
        if (alone != NULL ? item == alone : item->applied)
            status = ocelotl_request_set(*request, item->name, item->value);
    }
    return status == OCELOTL_OK ? ocelotl_request_repeat(*request, asked) : status;
}

ocelotl_status cli_defaults_make(ocelotl_request **request, const cli_defaults *defaults,
                                 const ocelotl_request *asked)
{
    ocelotl_request *made = NULL;
    const ocelotl_status status = make(&made, defaults, NULL, asked);
    ocelotl_request_free(status == OCELOTL_OK ? *request : made);
    if (status == OCELOTL_OK)
        *request = made;
    return status;
}

/* What is wrong with the defaults that are applied, or with one alone; "" for nothing. */
static ocelotl_status find_fault(char **fault, const cli_defaults *defaults,
                                 const cli_default *alone, const ocelotl_request *asked,
                                 const cli_trial *trial)
{
    ocelotl_request *tried = NULL;
    const char *said = "";
    int code = CLI_READY;
    *fault = NULL;
    const ocelotl_status status = make(&tried, defaults, alone, asked);
    if (status == OCELOTL_OK && trial->try != NULL) {
        cli_hold_messages(true);
        code = trial->try(trial->of, tried);
        cli_hold_messages(false);
        said = code == CLI_READY ? "" : cli_held_message();
    } else if (status != OCELOTL_OK || ocelotl_request_check(tried) != OCELOTL_OK) {
        said = ocelotl_error_message();
    }
    if (status != OCELOTL_ERROR_MEMORY && code != CLI_INTERNAL)
        *fault = strdup(said);
    ocelotl_request_free(tried);
    if (*fault != NULL)
        return OCELOTL_OK;
    (void)ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    return OCELOTL_ERROR_MEMORY;
}

/* --- Choosing */

/* Applies a default where that changes nothing for the worse. *fault is what is wrong so far, with
 * the line itself perhaps. */
static ocelotl_status try_item(char **fault, const cli_defaults *defaults, cli_default *item,
                               const ocelotl_request *asked, const cli_trial *trial)
{
    char *now = NULL;
    item->applied = true;
    ocelotl_status status = find_fault(&now, defaults, NULL, asked, trial);
    const bool fits =
        status == OCELOTL_OK && (now[0] == '\0' || (*fault != NULL && strcmp(now, *fault) == 0));
    const ocelotl_status kept = cli_default_set(item, fits, fits ? NULL : now);
    status = status == OCELOTL_OK ? kept : status;
    if (fits) {
        free(*fault);
        *fault = now;
    } else {
        free(now);
    }
    return status;
}

/* One pass over those that are left; *more says whether any was applied. */
static ocelotl_status choose_more(bool *more, char **fault, const cli_defaults *defaults,
                                  const ocelotl_request *asked, const cli_trial *trial)
{
    *more = false;
    for (size_t i = 0; i < defaults->count; i++) {
        cli_default *item = &defaults->items[i];
        if (item->applied || item->refused || !is_of(item, asked->command))
            continue;
        const char *reason = find_reason(item, asked);
        const ocelotl_status status = reason == NULL ? try_item(fault, defaults, item, asked, trial)
                                                     : cli_default_set(item, false, reason);
        if (status != OCELOTL_OK)
            return status;
        *more = *more || item->applied;
    }
    return OCELOTL_OK;
}

/* Whether a message is about a file. */
static bool names_file(const char *message, const char *file)
{
    const size_t length = file != NULL ? strlen(file) : 0;
    return length > 0 && strncmp(message, file, length) == 0 && message[length] == ':';
}

ocelotl_status cli_default_contradicts(bool *contradicts, const cli_defaults *defaults,
                                       const cli_default *item, const ocelotl_request *asked,
                                       const cli_trial *trial)
{
    char *fault = NULL;
    *contradicts = false;
    if (item->why == NULL || find_reason(item, asked) != NULL)
        return OCELOTL_OK;
    const ocelotl_status status = find_fault(&fault, defaults, item, asked, trial);
    /* A file that is not there is missed whatever was asked. */
    *contradicts = status == OCELOTL_OK &&
                   (strcmp(fault, item->why) != 0 || names_file(item->why, item->value));
    free(fault);
    return status;
}

/* One may need another that stands below it: all are tried until no more fits. What is left out
 * because of other defaults is said: nobody sees that in the line. */
ocelotl_status cli_defaults_choose(cli_defaults *defaults, const ocelotl_request *asked,
                                   const cli_trial *trial, bool quietly)
{
    char *fault = NULL;
    bool more = defaults->count > 0;
    for (size_t i = 0; i < defaults->count; i++)
        if (!defaults->items[i].refused)
            (void)cli_default_set(&defaults->items[i], false, NULL);
    ocelotl_status status =
        more ? find_fault(&fault, &(cli_defaults){.path = NULL}, NULL, asked, trial) : OCELOTL_OK;
    while (status == OCELOTL_OK && more)
        status = choose_more(&more, &fault, defaults, asked, trial);
    free(fault);
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK && !quietly; i++) {
        bool contradicts = false;
        status = cli_default_contradicts(&contradicts, defaults, &defaults->items[i], asked, trial);
        if (contradicts)
            cli_default_say(defaults, &defaults->items[i]);
    }
    return status;
}

/* --- What a message is about */

void cli_default_say(const cli_defaults *defaults, const cli_default *item)
{
    cli_say("%s:%zu: --%s%s%s is left out: %s", defaults->path, item->line, item->name,
            item->value != NULL ? " " : "", item->value != NULL ? item->value : "", item->why);
}

/* Whether a message has a word behind some mark, before it says what is expected. */
static bool has_word(const char *message, const char *mark, const char *word)
{
    const char *end = strstr(message, ", expected ");
    const size_t length = strlen(word);
    for (const char *at = strstr(message, mark); at != NULL && (end == NULL || at < end);
         at = strstr(at + 1, mark)) {
        const char *begin = at + strlen(mark);
        if (strncmp(begin, word, length) == 0 && !isalnum((unsigned char)begin[length]) &&
            begin[length] != '-')
            return true;
    }
    return false;
}

/* An option by its name; its value as messages quote it, or as a file that they are about. */
static bool names(const char *message, const char *option, const char *value)
{
    return has_word(message, "--", option) || names_file(message, value) ||
           (value != NULL && value[0] != '\0' && has_word(message, "\"", value));
}

bool cli_defaults_are_named(const cli_defaults *defaults, const char *message)
{
    for (size_t i = 0; i < defaults->count; i++)
        if (defaults->items[i].applied &&
            names(message, defaults->items[i].name, defaults->items[i].value))
            return true;
    return false;
}

bool cli_default_is_suspect(const cli_defaults *defaults, const cli_default *item,
                            const char *message, const ocelotl_request *asked)
{
    const bool any = cli_defaults_are_named(defaults, message);
    for (size_t i = 0; i < asked->given_count && !any; i++)
        if (names(message, asked->given[i].name, asked->given[i].value))
            return false;
    return item->applied && (!any || names(message, item->name, item->value));
}
