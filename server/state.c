#define _GNU_SOURCE
#include "state.h"

#include <ocelotl/answer.h>

#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_option(const char *format, const char *name)
{
    char message[300];
    snprintf(message, sizeof message, format, name);
    return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, message);
}

/* --- Which options an address may set: those of what is seen, not of how a trace is read and where
 * something is written */

static bool is_of_view(const ocelotl_parameter *row)
{
    return row->group[0] != '\0' && strcmp(row->group, "Reading") != 0 &&
           strcmp(row->name, "threads") != 0 && strcmp(row->name, "next") != 0 &&
           strcmp(row->name, "previous") != 0 && strcmp(row->name, "step") != 0;
}

static bool names_file(const char *name)
{
    return strcmp(name, "palette") == 0 || strcmp(name, "hierarchy") == 0 ||
           strcmp(name, "type-tree") == 0;
}

/* Whether a value of such an option is a word and no file. */
static bool is_word(const char *name, const char *value)
{
    if (strcmp(name, "hierarchy") == 0)
        return strcmp(value, "auto") == 0 || strcmp(value, "role") == 0 ||
               strcmp(value, "trace") == 0;
    for (size_t i = 0; i < ocelotl_built_in_tree_count(); i++)
        if (strcmp(name, "type-tree") == 0 && strcmp(ocelotl_built_in_tree_at(i).name, value) == 0)
            return true;
    return false;
}

/* A list of names behind @. */
static bool names_list(const ocelotl_parameter *row, const char *value)
{
    return row->repeatable && strcmp(row->name, "where") != 0 && value[0] == '@' && value[1] != '@';
}

static bool is_initial(const server_options *options, const char *name, const char *value)
{
    const char *given = ocelotl_request_get(options->initial, name);
    return given != NULL && strcmp(given, value) == 0;
}

/* --- Names in an address: those of the command that answers, or else of the overview. Where both
 * have one, "stats.type" is that of stats. */

typedef struct asked {
    ocelotl_parameter row;
    bool ours; /* of this command, or of all */
} asked;

static bool is_shared(const char *name)
{
    const ocelotl_parameter row = ocelotl_parameter_find("overview", name);
    return row.name[0] != '\0' && is_of_view(&row);
}

static asked find_asked(const char *command, const char *name)
{
    const char *dot = strchr(name, '.');
    char prefix[16];
    if (dot == NULL) {
        const ocelotl_parameter own = ocelotl_parameter_find(command, name);
        return (asked){own.of_answer && !is_shared(name) ? own
                                                         : ocelotl_parameter_find("overview", name),
                       true};
    }
    snprintf(prefix, sizeof prefix, "%.*s", (int)(dot - name), name);
    const ocelotl_parameter row = ocelotl_parameter_find(prefix, dot + 1);
    return (asked){row.of_answer ? row : ocelotl_parameter_find(command, ""),
                   strcmp(prefix, command) == 0};
}

/* A page elsewhere must not make the program read a file. */
static ocelotl_status check_option(const server_options *options, const ocelotl_parameter *row,
                                   const server_pair *pair)
{
    if (row->name[0] == '\0')
        return fail_option("unknown option --%s", pair->name);
    if (!row->of_answer && !is_of_view(row))
        return fail_option("option --%s is of the command line, not of an address", pair->name);
    if (names_list(row, pair->value))
        return fail_option("option --%s reads names from a file only on the command line, expected "
                           "names (@@x for @x)",
                           pair->name);
    if (names_file(pair->name) && !is_word(pair->name, pair->value) &&
        !is_initial(options, pair->name, pair->value))
        return fail_option("option --%s names a file that the command line does not, expected "
                           "that of ocelotl-cli serve",
                           pair->name);
    return OCELOTL_OK;
}

/* --- A request, and its words */

typedef struct words {
    const char **words;
    char **joined; /* that are freed */
    size_t count, joined_count;
} words;

/* Adds an option; a value that begins with a dash needs a "=". */
static bool add_option(words *line, const server_pair *pair, bool takes_value)
{
    const char *parts[] = {"--", pair->name, "=", pair->value, NULL};
    const bool one = takes_value && pair->value[0] == '-';
    size_t length = 1;
    for (size_t i = 0; parts[i] != NULL; i++)
        length += strlen(parts[i]);
    char *text = calloc(length, 1);
    if (text == NULL)
        return false;
    for (size_t i = 0; i < (one ? 4 : 2); i++)
        strcat(text, parts[i]);
    line->joined[line->joined_count++] = text;
    line->words[line->count++] = text;
    if (takes_value && !one)
        line->words[line->count++] = pair->value;
    return true;
}

static const char look[] = "look.";

/* Whether a command takes an option: one that shows events takes those of the partition only where
 * it looks into a part. The type of a histogram is none of events; that of states may choose what
 * is looked into. A matrix has a hierarchy of its own. */
static bool is_taken(const char *command, const ocelotl_parameter *row, bool of_part)
{
    static const char *const groups[] = {"Zoom", "Filter", "Picture"};
    const ocelotl_parameter own = ocelotl_parameter_find(command, row->name);
    const bool draws = strcmp(command, "overview") == 0 || strcmp(command, "parts") == 0 ||
                       strcmp(command, "treemap") == 0 || strcmp(command, "compare") == 0;
    if (own.name[0] == '\0' || (strcmp(row->name, "type") == 0 && !draws))
        return false;
    if (of_part || draws)
        return true;
    if (strcmp(row->name, "type-tree") == 0)
        return strcmp(own.group, "Picture") == 0;
    if (strcmp(row->group, "Hierarchy") == 0)
        return own.of_answer;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(row->group, groups[i]) == 0)
            return strcmp(row->name, "snap") != 0;
    return false;
}

/* Takes one pair of the query. */
static ocelotl_status take(server_state *state, words *line, const server_options *options,
                           const char *command, const server_pair *given, bool of_part)
{
    server_pair pair = *given;
    const bool looks = strncmp(pair.name, look, strlen(look)) == 0;
    if (strcmp(pair.name, "client") == 0 || strcmp(pair.name, "turn") == 0)
        return OCELOTL_OK;
    if (looks)
        pair.name += strlen(look);
    const asked found = find_asked(command, pair.name);
    const bool takes_value = found.row.value[0] != '\0';
    ocelotl_status status = check_option(options, &found.row, &pair);
    if (status != OCELOTL_OK || !found.ours ||
        !(found.row.of_answer || is_taken(command, &found.row, of_part)))
        return status;
    pair.name = found.row.name;
    status = ocelotl_request_set(state->request, pair.name, takes_value ? pair.value : NULL);
    if (status == OCELOTL_OK && !looks && !add_option(line, &pair, takes_value))
        status = ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    return status;
}

/* The trace of a comparison's second side. */
static const char *second_of(const server_options *options)
{
    return options->second != NULL ? options->second : options->trace;
}

static ocelotl_status take_all(server_state *state, words *line, const server_options *options,
                               const char *command, const server_query *query)
{
    line->words[line->count++] = "ocelotl-cli";
    if (strcmp(command, "overview") != 0)
        line->words[line->count++] = command;
    const bool of_part =
        server_query_get(query, "zoom") != NULL || server_query_get(query, "part") != NULL;
    for (size_t i = 0; i < query->count; i++) {
        const ocelotl_status status =
            take(state, line, options, command, &query->pairs[i], of_part);
        if (status != OCELOTL_OK)
            return status;
    }
    state->request->threads = options->initial->threads;
    const char *const operands[] = {"--", options->trace, second_of(options)};
    return ocelotl_request_parse(state->request, strcmp(command, "compare") == 0 ? 3 : 2, operands);
}

static ocelotl_status end_line(server_state *state, words *line, const server_options *options,
                               const char *file)
{
    if (options->trace[0] == '-' && options->trace[1] != '\0')
        line->words[line->count++] = "--";
    line->words[line->count++] = options->trace;
    if (strcmp(state->request->command, "compare") == 0)
        line->words[line->count++] = second_of(options);
    if (file != NULL) {
        line->words[line->count++] = "-o";
        line->words[line->count++] = file;
    }
    return ocelotl_words_write(&state->line, line->count, line->words);
}

static ocelotl_status fill(server_state *state, words *line, const server_options *options,
                           const char *command, const server_query *query, const char *file)
{
    ocelotl_status status = ocelotl_request_new(&state->request, command);
    if (status == OCELOTL_OK)
        status = take_all(state, line, options, command, query);
    return status == OCELOTL_OK ? end_line(state, line, options, file) : status;
}

ocelotl_status server_state_read(server_state *state, const server_options *options,
                                 const char *command, const server_query *query, const char *file)
{
    words line = {.words = calloc(2 * query->count + 9, sizeof(const char *)),
                  .joined = calloc(query->count + 1, sizeof(char *))};
    *state = (server_state){NULL, NULL};
    ocelotl_status status = OCELOTL_OK;
    if (line.words == NULL || line.joined == NULL)
        status = ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    else
        status = fill(state, &line, options, command, query, file);
    for (size_t i = 0; i < line.joined_count; i++)
        free(line.joined[i]);
    free(line.joined);
    free(line.words);
    if (status != OCELOTL_OK)
        server_state_free(state);
    return status;
}

void server_state_free(server_state *state)
{
    ocelotl_request_free(state->request);
    free(state->line);
    *state = (server_state){NULL, NULL};
}

/* --- The options, for the page */

/* The names that the library has for an option; NULL behind the last. */
static const char *name_at(const char *option, size_t index)
{
    if (strcmp(option, "metric") == 0 && index < ocelotl_metric_count())
        return ocelotl_metric_at((uint32_t)index).name;
    if (strcmp(option, "view") == 0 && index < ocelotl_view_count())
        return ocelotl_view_at(index).name;
    if (strcmp(option, "type-tree") == 0 && index < ocelotl_built_in_tree_count())
        return ocelotl_built_in_tree_at(index).name;
    return NULL;
}

/* Writes the words that an option takes. */
static void put_values(server_out *out, const ocelotl_parameter *row)
{
    const bool named = name_at(row->name, 0) != NULL;
    for (size_t i = 0; name_at(row->name, i) != NULL; i++)
        server_put_text(out, i == 0 ? "" : ",", name_at(row->name, i));
    if (strcmp(row->name, "hierarchy") == 0)
        server_put_words(out, "auto|role|trace");
    else if (strcmp(row->name, "type-level") == 0)
        server_put_words(out, "auto|1|2|3|4");
    else if (!named && (strchr(row->value, '|') != NULL || strcmp(row->name, "scale") == 0))
        server_put_words(out, row->value);
}

static void put_row(server_out *out, const ocelotl_parameter *row, bool first)
{
    server_put_text(out, first ? "\n{\"name\":" : ",\n{\"name\":", row->name);
    server_put_text(out, ",\"group\":", row->group);
    server_put_text(out, ",\"value\":", row->value);
    server_put_text(out, ",\"help\":", row->help);
    server_put(out, row->repeatable ? ",\"repeatable\":true" : ",\"repeatable\":false");
    server_put(out, ",\"words\":[");
    put_values(out, row);
    server_put(out, "]}");
}

/* The place and the level are chosen otherwise; several rows of one name are one option. */
static bool has_field(const ocelotl_parameter *row, size_t index)
{
    return is_of_view(row) && strcmp(row->group, "Level of detail") != 0 &&
           strcmp(row->group, "Zoom into a part") != 0 && strcmp(row->name, "palette") != 0 &&
           (index == 0 || strcmp(ocelotl_parameter_at("overview", index - 1).name, row->name) != 0);
}

void server_state_put_options(server_out *out, const server_options *options)
{
    const ocelotl_request *initial = options->initial;
    bool first = true;
    server_put(out, "\"initial\":[");
    for (size_t i = 0; i < initial->given_count; i++) {
        const ocelotl_given *given = &initial->given[i];
        const ocelotl_parameter row = ocelotl_parameter_find("overview", given->name);
        if (row.name[0] == '\0' || !is_of_view(&row))
            continue;
        server_put_text(out, first ? "[" : ",[", given->name);
        server_put_text(out, ",", given->value != NULL ? given->value : "");
        server_put(out, "]");
        first = false;
    }
    server_put(out, "],\n\"parameters\":[");
    first = true;
    for (size_t i = 0; i < ocelotl_parameter_count("overview"); i++) {
        const ocelotl_parameter row = ocelotl_parameter_at("overview", i);
        if (!has_field(&row, i))
            continue;
        put_row(out, &row, first);
        first = false;
    }
    server_put(out, "]");
}
