#include "request/request.h"

#include "base/memory.h"
#include "request/parameters.h"

#include <stdlib.h>
#include <string.h>

/* A request and what it owns. */
typedef struct owned {
    ocelotl_request request; /* first: the one is the other */
    ocelotl_given *given;
    size_t given_capacity;
    const char **operands;
    size_t operand_capacity;
    char **texts; /* copies of what was given */
    size_t text_count, text_capacity;
} owned;

/* What a command has that is not zero. */
static void set_defaults(ocelotl_request *request, unsigned command)
{
    request->model = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    request->view = (ocelotl_picture_options)OCELOTL_PICTURE_OPTIONS_INIT;
    request->view.theme = OCELOTL_THEME_READER;
    request->max_links = 20000;
    request->digits = 6;
    if (command == OC_COMPARE)
        request->model.types.max_types = UINT32_MAX;
    if (command == OC_TREEMAP) {
        request->model.kind = OCELOTL_SPATIAL;
        request->view.view = "treemap";
    }
}

ocelotl_status ocelotl_request_new(ocelotl_request **request, const char *command)
{
    const oc_command *found = oc_find_command(command);
    owned *made = NULL;
    if (found == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is no command", command);
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->request.size = sizeof made->request;
    made->request.command = found->name;
    set_defaults(&made->request, found->bit);
    *request = &made->request;
    return OCELOTL_OK;
}

static void free_lists(ocelotl_request *request)
{
    for (size_t i = 0; i < oc_parameter_count; i++) {
        if (oc_parameters[i].kind != OC_VALUE_NAMES && oc_parameters[i].kind != OC_VALUE_PAIRS)
            continue;
        ocelotl_names *names = (void *)((char *)request + oc_parameters[i].offset);
        free((void *)names->names);
        *names = (ocelotl_names){NULL, 0}; /* several rows may have it */
    }
}

void ocelotl_request_free(ocelotl_request *request)
{
    owned *all = (owned *)request;
    if (all == NULL)
        return;
    free_lists(request);
    for (size_t i = 0; i < all->text_count; i++)
        free(all->texts[i]);
    free(all->texts);
    free(all->given);
    free(all->operands);
    free(all);
}

/* A copy that lives as long as the request. */
static ocelotl_status keep(char **copy, owned *all, const char *text)
{
    OC_TRY(oc_grow(&all->texts, &all->text_capacity, all->text_count + 1, sizeof *all->texts));
    OC_TRY(oc_copy_text(&all->texts[all->text_count], text));
    *copy = all->texts[all->text_count++];
    return OCELOTL_OK;
}

ocelotl_status oc_request_add(ocelotl_request *request, const oc_parameter *row, const char *value)
{
    owned *all = (owned *)request;
    char *given = NULL;
    char *taken = NULL;
    if (value != NULL)
        OC_TRY(keep(&given, all, value));
    /* A value may be taken apart. */
    if (value != NULL)
        OC_TRY(keep(&taken, all, value));
    OC_TRY(
        oc_grow(&all->given, &all->given_capacity, request->given_count + 1, sizeof *all->given));
    OC_TRY(oc_take_value(request, row, taken));
    request->given = all->given;
    all->given[request->given_count++] = (ocelotl_given){row->name, given};
    return OCELOTL_OK;
}

ocelotl_status oc_request_add_operand(ocelotl_request *request, const char *operand)
{
    owned *all = (owned *)request;
    char *copy = NULL;
    OC_TRY(keep(&copy, all, operand));
    OC_TRY(oc_grow(&all->operands, &all->operand_capacity, request->operand_count + 2,
                   sizeof *all->operands));
    request->operands = all->operands;
    all->operands[request->operand_count++] = copy;
    all->operands[request->operand_count] = NULL;
    return OCELOTL_OK;
}

ocelotl_status oc_request_set_topic(ocelotl_request *request, const char *topic)
{
    char *copy = NULL;
    request->help = true;
    if (topic != NULL)
        OC_TRY(keep(&copy, (owned *)request, topic));
    request->topic = copy;
    return OCELOTL_OK;
}

unsigned oc_request_command(const ocelotl_request *request)
{
    return oc_find_command(request->command)->bit;
}

ocelotl_status ocelotl_request_set(ocelotl_request *request, const char *name, const char *value)
{
    const oc_parameter *row = oc_find_parameter(name, oc_request_command(request));
    if (row == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown option --%s", name);
    if (row->value == NULL && value != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option --%s takes no value", name);
    if (row->value != NULL && value == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option --%s needs a value", name);
    return oc_request_add(request, row, value);
}

/* --- What was given */

const char *ocelotl_request_get(const ocelotl_request *request, const char *name)
{
    for (size_t i = request->given_count; i-- > 0;)
        if (strcmp(request->given[i].name, name) == 0)
            return request->given[i].value != NULL ? request->given[i].value : "";
    return NULL;
}

const char *oc_first_given(const ocelotl_request *request, unsigned flag)
{
    const unsigned command = oc_request_command(request);
    for (size_t i = 0; i < request->given_count; i++)
        if ((oc_find_parameter(request->given[i].name, command)->flags & flag) != 0)
            return request->given[i].name;
    return NULL;
}

/* --- What no single option can say */

static ocelotl_status check_one_trace(size_t count, const char *const *operands)
{
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no TRACE given");
    if (operands[0][0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the TRACE is empty");
    if (count > 1)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is one TRACE too many", operands[1]);
    return OCELOTL_OK;
}

static ocelotl_status check_traces(size_t count, const char *const *operands)
{
    OC_TRY(check_one_trace(count > 0 ? 1 : 0, operands));
    for (size_t i = 1; i < count; i++)
        if (operands[i][0] == '\0')
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of a TRACE is empty");
    return OCELOTL_OK;
}

static ocelotl_status check_two_traces(size_t count, const char *const *operands)
{
    if (count != 2)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%zu TRACE%s given, expected two (the same twice, for two windows of one)",
                       count, count == 1 ? "" : "s");
    if (operands[0][0] == '\0' || operands[1][0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of a TRACE is empty");
    return OCELOTL_OK;
}

/* The trace and the query, in this order. */
static ocelotl_status check_query(size_t count, const char *const *operands)
{
    if (count < 2)
        OC_TRY(check_one_trace(count, operands));
    if (operands[0][0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the TRACE is empty");
    if (count == 1)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no QUERY given");
    if (count > 2)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is one argument too many, expected the QUERY as one", operands[2]);
    return OCELOTL_OK;
}

static ocelotl_status check_operands(const ocelotl_request *request)
{
    const size_t count = request->operand_count;
    const char *const *operands = request->operands;
    switch (oc_find_command(request->command)->operands) {
    case OC_OPERANDS_TRACE:
        return check_one_trace(count, operands);
    case OC_OPERANDS_TRACES:
        return check_traces(count, operands);
    case OC_OPERANDS_TWO_TRACES:
        return check_two_traces(count, operands);
    case OC_OPERANDS_QUERY:
        return check_query(count, operands);
    default:
        return count == 0 ? OCELOTL_OK
                          : oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is not expected", operands[0]);
    }
}

/* Refuses options about groups where a hierarchy has none or others, and says what it is. */
static ocelotl_status finish_hierarchy(ocelotl_request *request)
{
    ocelotl_model_options *model = &request->model;
    const char *file = request->hierarchy;
    const bool automatic = file != NULL && strcmp(file, "auto") == 0;
    const bool bare = file != NULL && strcmp(file, "trace") == 0;
    const char *groups = ocelotl_request_get(request, "max-groups") != NULL ? "max-groups"
                         : model->hierarchy.regroup                         ? "regroup"
                                                                            : NULL;
    if (groups != NULL && (automatic || bare))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s and --hierarchy %s exclude each other: that has no groups", groups,
                       file);
    if (groups != NULL && model->hierarchy.split_children > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s and --split-children exclude each other: each groups siblings",
                       groups);
    const bool none =
        groups != NULL && strcmp(groups, "max-groups") == 0 && model->hierarchy.max_groups == 0;
    model->hierarchy.cluster = automatic;
    model->hierarchy.file = automatic || bare ? NULL : file;
    model->hierarchy.bare = bare || none;
    /* For the library 0 is the default; given it means all. */
    if (ocelotl_request_get(request, "most-types") != NULL && model->types.max_types == 0)
        model->types.max_types = UINT32_MAX;
    return OCELOTL_OK;
}

/* Options that say of which partition a part is say nothing where there is none. */
static ocelotl_status check_partition(const ocelotl_request *request)
{
    const unsigned command = oc_request_command(request);
    if ((command & OC_OF_EVENTS) == 0 || request->zoom_count > 0)
        return OCELOTL_OK;
    for (size_t i = 0; i < oc_parameter_count; i++)
        if ((oc_parameters[i].commands & command) != 0 &&
            (oc_parameters[i].flags & OC_OF_PARTITION) != 0 &&
            ocelotl_request_get(request, oc_parameters[i].name) != NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--%s says of which partition a part is, but there is no --part",
                           oc_parameters[i].name);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_request_check(ocelotl_request *request)
{
    if (request->json && request->csv)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--json and --csv exclude each other");
    OC_TRY(check_operands(request));
    OC_TRY(finish_hierarchy(request));
    OC_TRY(check_partition(request));
    if (request->model.snap && request->window.from.text == NULL && request->window.to.text == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--snap needs a window, expected --from or --to with it");
    return oc_check_interval(&request->window);
}
