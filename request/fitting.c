/* Lists of names that were made for another trace: what this one has none of is left out. */
#include "base/memory.h"
#include "base/text.h"
#include "request/options/request.h"
#include "request/session.h"

#include <ocelotl/trace.h>

#include <stdlib.h>
#include <string.h>

/* The names of an option that lists have, and where they are among what was given. */
typedef struct listed {
    const char **names;
    size_t *places;
    bool *unknown;
    size_t count;
} listed;

static ocelotl_status find_listed(listed *found, const ocelotl_request *request,
                                  const oc_parameter *row)
{
    OC_TRY(oc_allocate(&found->names, request->given_count, sizeof *found->names));
    OC_TRY(oc_allocate(&found->places, request->given_count, sizeof *found->places));
    OC_TRY(oc_allocate(&found->unknown, request->given_count, sizeof *found->unknown));
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        if (!given->listed || strcmp(given->name, row->name) != 0)
            continue;
        found->places[found->count] = i;
        found->names[found->count++] = oc_name_of_value(row, given->value);
    }
    return OCELOTL_OK;
}

static size_t count_unknown(const listed *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += found->unknown[i];
    return count;
}

/* Says how many are unknown, and the first ones; where all are, that is an error. */
static ocelotl_status say(const ocelotl_session *session, const listed *found, const char *option)
{
    enum { NAMED_MOST = 3 };
    const size_t count = count_unknown(found);
    const char *more = count > NAMED_MOST ? ", .." : "";
    ocelotl_status status = OCELOTL_OK;
    oc_text names = {0};
    size_t named = 0;
    for (size_t i = 0; i < found->count && named < NAMED_MOST; i++)
        if (found->unknown[i])
            oc_text_format(&names, "%s\"%s\"", named++ > 0 ? ", " : "", found->names[i]);
    if (names.failed)
        status = oc_fail_memory();
    else if (count == found->count)
        status =
            oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has none of the names in the list of --%s: %s%s",
                    session->label, option, names.bytes, more);
    else
        oc_session_say(session, "%s: has none of %zu of the %zu names in the list of --%s: %s%s",
                       session->label, count, found->count, option, names.bytes, more);
    oc_text_free(&names);
    return status;
}

/* Where nothing is left of a list, that is refused. */
static ocelotl_status drop(bool *changed, listed *found, const ocelotl_session *session,
                           ocelotl_request *request, const oc_parameter *row,
                           ocelotl_name_kind kind)
{
    OC_TRY(find_listed(found, request, row));
    const ocelotl_names names = {found->names, found->count};
    if (found->count > 0)
        OC_TRY(ocelotl_trace_find_unknown(found->unknown, session->trace, &names, kind));
    const size_t count = count_unknown(found);
    if (count == 0)
        return OCELOTL_OK;
    OC_TRY(say(session, found, row->name));
    for (size_t i = found->count; i-- > 0;)
        if (found->unknown[i])
            oc_request_drop_name(request, found->places[i]);
    *changed = true;
    return OCELOTL_OK;
}

/* A name that one of two traces lacks may be of the other. */
static bool is_of_two(const ocelotl_request *request)
{
    const oc_operands operands = oc_find_command(request->command)->operands;
    return request->operand_count > 1 &&
           (operands == OC_OPERANDS_TWO_TRACES || operands == OC_OPERANDS_TRACE_OR_TWO ||
            operands == OC_OPERANDS_RUNS);
}

ocelotl_status ocelotl_session_fit_lists(bool *changed, const ocelotl_session *session,
                                         ocelotl_request *request)
{
    static const struct {
        const char *option;
        ocelotl_name_kind kind;
    } options[] = {{"only", OCELOTL_NAME_TYPE},
                   {"except", OCELOTL_NAME_TYPE},
                   {"variable", OCELOTL_NAME_TYPE},
                   {"show", OCELOTL_NAME_TYPE},
                   {"resource", OCELOTL_NAME_RESOURCE},
                   {"only-resources", OCELOTL_NAME_PATTERN},
                   {"except-resources", OCELOTL_NAME_PATTERN}};
    *changed = false;
    if (!request->expanded || session->trace == NULL || is_of_two(request))
        return OCELOTL_OK;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const oc_parameter *row = oc_find_parameter(options[i].option, oc_request_command(request));
        listed found = {.count = 0};
        const ocelotl_status status =
            row != NULL ? drop(changed, &found, session, request, row, options[i].kind)
                        : OCELOTL_OK;
        free(found.names);
        free(found.places);
        free(found.unknown);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}
