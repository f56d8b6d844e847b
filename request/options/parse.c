/* Command lines, read as getopt_long reads them: options and operands in any order, long options
 * cut short, values behind a blank or "=". It keeps no state of its own. */
#include "base/options.h"
#include "base/text.h"
#include "request/options/request.h"

#include <string.h>

/* Words on their way. */
typedef struct word_list {
    const char *const *words;
    size_t count;
    size_t next;
} word_list;

/* --help is an option of every command, and the last of each. */
static const char help_name[] = "help";

/* The option of a name, or the only one that begins so; *row NULL: --help. */
static ocelotl_status find_option(const oc_parameter **row, const char *name, size_t length,
                                  uint64_t command)
{
    size_t found = 0;
    *row = NULL;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        if (!oc_is_option(&oc_parameters[i], command) ||
            strncmp(oc_parameters[i].name, name, length) != 0)
            continue;
        *row = &oc_parameters[i];
        if (oc_parameters[i].name[length] == '\0')
            return OCELOTL_OK;
        found++;
    }
    const bool help = strncmp(help_name, name, length) == 0;
    if (help && length == strlen(help_name))
        *row = NULL;
    else if (found + help != 1 || oc_is_other_option(name, length))
        return oc_fail_option(name, length, command);
    return OCELOTL_OK;
}

static ocelotl_status ask_for_help(ocelotl_request *request, const word_list *list)
{
    return oc_request_set_topic(request, list->next < list->count ? list->words[list->next] : NULL);
}

static ocelotl_status take_long(ocelotl_request *request, word_list *list, const char *given)
{
    const oc_parameter *row = NULL;
    const char *equals = strchr(given, '=');
    const size_t length = equals != NULL ? (size_t)(equals - given) : strlen(given);
    const char *stands_for = NULL;
    const oc_parameter *earlier =
        oc_find_earlier(&stands_for, given + 2, length - 2, oc_request_command(request));
    if (earlier != NULL && stands_for != NULL && equals == NULL)
        return oc_request_add(request, earlier, stands_for);
    if (earlier != NULL)
        row = earlier;
    else
        OC_TRY(find_option(&row, given + 2, length - 2, oc_request_command(request)));
    const bool takes_value = row != NULL && row->value != NULL;
    if (!takes_value && equals != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option %.*s takes no value", (int)length, given);
    if (row == NULL)
        return ask_for_help(request, list);
    if (!takes_value)
        return oc_request_add(request, row, NULL);
    if (equals == NULL && list->next == list->count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option %s needs a value: %s", given, row->value);
    return oc_request_add(request, row, equals != NULL ? equals + 1 : list->words[list->next++]);
}

/* Letters behind one dash: h, and o with the rest of the word, or the next one, for its value. */
static ocelotl_status take_letters(ocelotl_request *request, word_list *list, const char *given)
{
    const uint64_t command = oc_request_command(request);
    const oc_parameter *output = oc_find_parameter("output", command);
    if (given[1] == 'h')
        return ask_for_help(request, list);
    if (given[1] != 'o' || output == NULL) {
        const int letter = (unsigned char)given[1];
        const char name[] = {(char)letter, '\0'};
        const char *meant = oc_meant(OC_MEANT_OPTION, name, 1, 0);
        if (meant != NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option -%c; %s", letter, meant);
        if (oc_find_parameter(name, command) != NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option -%c; the nearest is --%c",
                           letter, letter);
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       letter > ' ' && letter < 0x7F ? "unknown option -%c"
                                                     : "unknown option -\\x%02x",
                       (unsigned char)letter);
    }
    if (given[2] != '\0')
        return oc_request_add(request, output, given + 2);
    if (list->next == list->count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option %s needs a value", given);
    return oc_request_add(request, output, list->words[list->next++]);
}

ocelotl_status ocelotl_request_parse(ocelotl_request *request, size_t count,
                                     const char *const *words)
{
    word_list list = {words, count, 0};
    /* between the runs that are compared it divides what is known from what is new */
    const bool divides = oc_find_command(request->command)->operands == OC_OPERANDS_RUNS;
    size_t known = 0;
    bool options = true;
    while (list.next < list.count && !request->help) {
        const char *word = list.words[list.next++];
        if (options && strcmp(word, "--") == 0)
            options = divides && (known = request->operand_count) > 0;
        else if (options && strncmp(word, "--", 2) == 0)
            OC_TRY(take_long(request, &list, word));
        else if (options && word[0] == '-' && word[1] != '\0')
            OC_TRY(take_letters(request, &list, word));
        else
            OC_TRY(oc_request_add_operand(request, word));
    }
    return known == 0 || request->help || request->operand_count == known + 1
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "%zu TRACE behind --, expected one, the new run",
                         request->operand_count - known);
}

bool ocelotl_parameter_takes_value(const char *name)
{
    bool begins_so = false;
    const char *stands_for = NULL;
    const oc_parameter *earlier = oc_find_earlier(&stands_for, name, strlen(name), OC_OVERVIEW);
    if (earlier != NULL)
        return earlier->value != NULL && stands_for == NULL;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        if (strcmp(oc_parameters[i].name, name) == 0)
            return oc_parameters[i].value != NULL;
        begins_so = begins_so || (oc_parameters[i].value != NULL &&
                                  strncmp(oc_parameters[i].name, name, strlen(name)) == 0);
    }
    return begins_so;
}
