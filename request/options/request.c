#include "request/options/request.h"

#include "base/file/input.h"
#include "base/memory.h"
#include "types/lookup.h"

#include <inttypes.h>
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

/* Sets the defaults of a command that are not zero. */
static void set_defaults(ocelotl_request *request, uint64_t command)
{
    request->model = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    request->view = (ocelotl_picture_options)OCELOTL_PICTURE_OPTIONS_INIT;
    request->view.theme = OCELOTL_THEME_READER;
    request->max_links = 20000;
    request->max_drift = 100;
    request->digits = UINT32_MAX;
    request->max_loss = 0.02;
    request->max_time = 0.05;
    if (command == OC_CHECK) { /* coarse enough for chance to move little */
        request->model.most_slices = 100;
        request->detail = (ocelotl_detail){.kind = OCELOTL_DETAIL_P, .p = 0.5};
    }
    if ((command & OC_OF_PAIRS) != 0)
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
    ocelotl_type_tree_free(request->type_tree);
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

/* --- Names that are read from a file: --only @names.txt */

/* The names of a file, one a line. Zero-initialised it is empty. */
typedef struct name_list {
    oc_text bytes;
    char **names; /* in them */
    size_t count, capacity;
} name_list;

/* Bytes that a list may have: names that are worth a choice. */
enum { LIST_MOST = 1 << 20 };

static bool is_list_of_names(const oc_parameter *row, const char *value)
{
    return row->kind == OC_VALUE_NAMES && (row->flags & OC_LITERAL) == 0 && value[0] == '@' &&
           value[1] != '@';
}

const char *oc_name_of_value(const oc_parameter *row, const char *value)
{
    const bool escaped = row->kind == OC_VALUE_NAMES && (row->flags & OC_LITERAL) == 0 &&
                         value[0] == '@' && value[1] == '@';
    return value + escaped;
}

/* Cuts the text into lines, in place; empty ones are no names. Some editors write a byte order mark
 * before the first one. */
static ocelotl_status cut_lines(name_list *list, const char *path)
{
    char *line = list->bytes.bytes;
    const char *end = line + list->bytes.length;
    line += oc_text_mark(line, list->bytes.length);
    for (size_t number = 1; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline != NULL ? newline : end) - line);
        char *next = line + length + (newline != NULL);
        length -= length > 0 && line[length - 1] == '\r';
        if (memchr(line, '\0', length) != NULL)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s:%zu: has a byte 0, expected a name", path,
                           number);
        line[length] = '\0'; /* over the end of the line, or behind the text */
        if (length > 0) {
            OC_TRY(oc_grow(&list->names, &list->capacity, list->count + 1, sizeof *list->names));
            list->names[list->count++] = line;
        }
        line = next;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_list(name_list *list, const oc_parameter *row, const char *value)
{
    oc_input *input = NULL;
    const char *path = value + 1;
    if (path[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is \"@\", expected @FILE, or @@NAME for a name", row->name);
    OC_TRY(oc_input_open(&input, path));
    const ocelotl_status status =
        oc_input_read_all(&list->bytes, input, LIST_MOST, "names, one a line");
    oc_input_free(input);
    OC_TRY(status);
    if (list->bytes.length > 0)
        OC_TRY(cut_lines(list, path));
    return list->count > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected names, one a line", path);
}

/* A name is given as the user would give it: what begins with @ is no list again. */
static ocelotl_status add_name(ocelotl_request *request, const oc_parameter *row, const char *name)
{
    oc_text value = {0};
    oc_text_format(&value, "%s%s", name[0] == '@' ? "@" : "", name);
    const ocelotl_status status =
        value.failed ? oc_fail_memory() : oc_request_add(request, row, value.bytes);
    oc_text_free(&value);
    return status;
}

/* Takes each name of a file as if it had been given by itself. */
static ocelotl_status add_list(ocelotl_request *request, const oc_parameter *row, const char *value)
{
    name_list list = {0};
    const owned *all = (const owned *)request;
    const size_t first = request->given_count;
    ocelotl_status status = read_list(&list, row, value);
    for (size_t i = 0; i < list.count && status == OCELOTL_OK; i++)
        status = add_name(request, row, list.names[i]);
    oc_text_free(&list.bytes);
    free(list.names);
    for (size_t i = first; i < request->given_count; i++)
        all->given[i].listed = true;
    request->expanded = true;
    return status;
}

/* Notes an option as given. */
static ocelotl_status note(ocelotl_request *request, const oc_parameter *row, const char *value)
{
    owned *all = (owned *)request;
    char *given = NULL;
    if (value != NULL)
        OC_TRY(keep(&given, all, value));
    OC_TRY(
        oc_grow(&all->given, &all->given_capacity, request->given_count + 1, sizeof *all->given));
    request->given = all->given;
    all->given[request->given_count++] = (ocelotl_given){row->name, given};
    return OCELOTL_OK;
}

ocelotl_status oc_request_add(ocelotl_request *request, const oc_parameter *row, const char *value)
{
    char *taken = NULL;
    if (value != NULL && is_list_of_names(row, value))
        return add_list(request, row, value);
    /* A value may be taken apart. */
    if (value != NULL)
        OC_TRY(keep(&taken, (owned *)request, oc_name_of_value(row, value)));
    OC_TRY(oc_take_value(request, row, taken));
    return note(request, row, value);
}

void oc_request_drop_name(ocelotl_request *request, size_t index)
{
    const owned *all = (const owned *)request;
    const ocelotl_given given = all->given[index];
    const oc_parameter *row = oc_find_parameter(given.name, oc_request_command(request));
    ocelotl_names *names = (void *)((char *)request + row->offset);
    const char **list = (const char **)names->names;
    size_t place = 0;
    while (place < names->count && strcmp(list[place], oc_name_of_value(row, given.value)) != 0)
        place++;
    if (place < names->count) {
        names->count--;
        memmove(list + place, list + place + 1, (names->count - place) * sizeof *list);
    }
    request->given_count--;
    memmove(all->given + index, all->given + index + 1,
            (request->given_count - index) * sizeof *all->given);
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

uint64_t oc_request_command(const ocelotl_request *request)
{
    return oc_find_command(request->command)->bit;
}

ocelotl_status ocelotl_request_set(ocelotl_request *request, const char *name, const char *value)
{
    const oc_parameter *row = oc_find_parameter(name, oc_request_command(request));
    const char *stands_for = NULL;
    if (row == NULL)
        row = oc_find_earlier(&stands_for, name, strlen(name), oc_request_command(request));
    value = stands_for != NULL && value == NULL ? stands_for : value;
    if (row == NULL)
        return oc_fail_option(name, strlen(name), oc_request_command(request));
    if (row->value == NULL && value != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option --%s takes no value", name);
    if (row->value != NULL && value == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "option --%s needs a value", name);
    return oc_request_add(request, row, value);
}

/* Of several trees the last one counts, and only that is there. */
static ocelotl_status repeat_one(ocelotl_request *request, const ocelotl_given *given,
                                 const ocelotl_request *other)
{
    const oc_parameter *row = oc_find_parameter(given->name, oc_request_command(request));
    if (row == NULL || row->kind != OC_VALUE_TYPE_TREE)
        return ocelotl_request_set(request, given->name, given->value);
    OC_TRY(note(request, row, given->value));
    oc_request_take_tree(request, ocelotl_type_tree_share(other->type_tree));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_request_repeat(ocelotl_request *request, const ocelotl_request *other)
{
    for (size_t i = 0; i < other->given_count; i++) {
        OC_TRY(repeat_one(request, &other->given[i], other));
        ((owned *)request)->given[request->given_count - 1].listed = other->given[i].listed;
    }
    for (size_t i = 0; i < other->operand_count; i++)
        OC_TRY(oc_request_add_operand(request, other->operands[i]));
    request->expanded = request->expanded || other->expanded;
    return OCELOTL_OK;
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
    const uint64_t command = oc_request_command(request);
    for (size_t i = 0; i < request->given_count; i++)
        if ((oc_find_parameter(request->given[i].name, command)->flags & flag) != 0)
            return request->given[i].name;
    return NULL;
}

void ocelotl_request_import_options(ocelotl_import_options *options, const ocelotl_request *request)
{
    options->lenient = request->lenient;
    options->time_unit = request->time_unit;
    options->same_root = request->same_root;
    options->by = request->by;
    options->value = request->value;
    options->stacks = request->stacks;
    options->align = request->align;
    options->collectives = request->collectives;
    options->columns = request->columns;
    options->fold_names = request->fold_names;
    options->pairs = request->pairs;
    options->counters = request->counters;
    options->increments = request->increments;
    options->work.threads = request->threads;
}

void ocelotl_request_folder_options(ocelotl_folder_options *options, const ocelotl_request *request)
{
    options->recursive = request->recursive;
    options->all = request->all;
    options->sort = request->listed_by;
    options->where = request->model.selection.where;
}

/* --- What a model depends on */

const ocelotl_detail *oc_detail_of_zoom(const ocelotl_request *request, size_t zoom)
{
    return request->zooms[zoom].solved ? &request->zooms[zoom].detail : &request->detail;
}

/* Whether a model depends on an option, or an answer of the command itself. */
static bool is_of_model(const oc_parameter *row, bool own)
{
    return row->group <= OC_GROUP_MODEL &&
           (row->group != OC_GROUP_OWN || (own && (row->flags & OC_OF_OUTPUT) == 0));
}

ocelotl_status oc_request_key(char **key, const ocelotl_request *request, size_t zooms, bool own)
{
    const uint64_t command = oc_request_command(request);
    oc_text text = {0};
    const ocelotl_hierarchy_options *hierarchy = &request->model.hierarchy;
    oc_text_format(&text, "%s %d %u %p %d%d%d %s", request->command, (int)request->model.kind,
                   request->model.types.max_types, (const void *)hierarchy->like,
                   hierarchy->cluster, hierarchy->by_role, hierarchy->bare,
                   hierarchy->file != NULL ? hierarchy->file : "");
    if (request->type_tree != NULL)
        oc_text_format(&text, "\ntree %" PRIx64 " %u",
                       ocelotl_type_tree_info_of(request->type_tree).hash,
                       request->model.type_level);
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        if (is_of_model(oc_find_parameter(given->name, command), own))
            oc_text_format(&text, "\n%s=%s", given->name, given->value != NULL ? given->value : "");
    }
    oc_text_format(&text, "\n%.17g", request->window.shift);
    oc_text_format(&text, "\n%s..%s",
                   request->window.from.text != NULL ? request->window.from.text : "",
                   request->window.to.text != NULL ? request->window.to.text : "");
    for (size_t i = 0; i < zooms; i++) {
        const ocelotl_detail *detail = oc_detail_of_zoom(request, i);
        oc_text_format(&text, "\nzoom %u %d %.17g %u %d", request->zooms[i].part, (int)detail->kind,
                       detail->p, detail->count, (int)detail->rule);
    }
    return oc_text_give(key, &text);
}
