/* What an address asks: its query, and the request of the library that it means. */
#define _GNU_SOURCE
#include "answers.h"

#include <ocelotl/answer.h>

#include <stdlib.h>
#include <string.h>

/* --- A query */

static int digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

/* Decodes a text in its place. */
static bool decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '%') {
            *to++ = (char)(*from == '+' ? ' ' : *from);
            continue;
        }
        const int high = digit(from[1]);
        const int low = high >= 0 ? digit(from[2]) : -1;
        if (low < 0 || high * 16 + low == 0)
            return false;
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

ocelotl_status server_query_read(server_query *query, const char *text)
{
    char *rest = query->texts = strdup(text);
    if (rest == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    for (char *name; (name = strsep(&rest, "&")) != NULL;) {
        char *end = name + strlen(name);
        char *value = strchr(name, '=');
        if (name == end)
            continue;
        if (query->count == SERVER_MOST_PAIRS)
            return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                "the query has too many options, expected at most 256");
        if (value != NULL)
            *value++ = '\0';
        else
            value = end;
        query->pairs[query->count++] = (server_pair){name, value};
        if (!decode(name) || !decode(value))
            return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                "the query has a % that is no byte, expected two hexadecimal "
                                "digits behind it");
    }
    return OCELOTL_OK;
}

const char *server_query_get(const server_query *query, const char *name)
{
    for (size_t i = query->count; i-- > 0;)
        if (strcmp(query->pairs[i].name, name) == 0)
            return query->pairs[i].value;
    return NULL;
}

const char *server_query_take(server_query *query, const char *name)
{
    const char *value = server_query_get(query, name);
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->pairs[i].name, name) != 0)
            query->pairs[kept++] = query->pairs[i];
    query->count = kept;
    return value;
}

/* --- Which options an address may set: those of what is seen, not of how a trace is read and where
 * something is written */

static bool is_of_view(const ocelotl_parameter *row)
{
    return row->group[0] != '\0' && strcmp(row->group, "Reading") != 0 &&
           strcmp(row->name, "threads") != 0 && strcmp(row->name, "move") != 0;
}

/* Whether a value names a file that the command line of serve does not. */
static bool names_other_file(const server_options *options, const char *name, const char *value)
{
    const char *given = ocelotl_request_get(options->initial, name);
    const bool hierarchy = strcmp(name, "hierarchy") == 0;
    const bool tree = strcmp(name, "type-tree") == 0;
    if ((!hierarchy && !tree && strcmp(name, "palette") != 0) ||
        (given != NULL && strcmp(given, value) == 0))
        return false;
    if (hierarchy)
        return strcmp(value, "auto") != 0 && strcmp(value, "role") != 0 &&
               strcmp(value, "trace") != 0;
    for (size_t i = 0; tree && i < ocelotl_built_in_tree_count(); i++)
        if (strcmp(ocelotl_built_in_tree_at(i).name, value) == 0)
            return false;
    return true;
}

/* A page elsewhere must not make the program read a file. */
static ocelotl_status check_option(const server_options *options, const ocelotl_parameter *row,
                                   const server_pair *pair)
{
    const char *wrong = NULL;
    if (row->name[0] == '\0')
        wrong = "unknown option --%s";
    else if (!row->of_answer && !is_of_view(row))
        wrong = "option --%s is of the command line, not of an address";
    else if (row->repeatable && strcmp(row->name, "where") != 0 && pair->value[0] == '@' &&
             pair->value[1] != '@')
        wrong = "option --%s reads names from a file only on the command line, expected "
                "names (@@x for @x)";
    else if (names_other_file(options, pair->name, pair->value))
        wrong = "option --%s names a file that the command line does not, expected "
                "that of ocelotl-cli serve";
    return wrong == NULL ? OCELOTL_OK : server_fail(OCELOTL_ERROR_ARGUMENT, wrong, pair->name);
}

/* --- A request, and its command line */

/* Finds the row of a name in an address: of the command that answers, or else of the overview.
 * Where both have one, "stats.type" is that of stats. *ours: it is of this command, or of all. */
static ocelotl_parameter find_row(bool *ours, const char *command, const char *name)
{
    const char *dot = strchr(name, '.');
    const ocelotl_parameter shared = ocelotl_parameter_find("overview", name);
    char prefix[16];
    *ours = true;
    if (dot == NULL) {
        const ocelotl_parameter own = ocelotl_parameter_find(command, name);
        return own.of_answer && (shared.name[0] == '\0' || !is_of_view(&shared)) ? own : shared;
    }
    snprintf(prefix, sizeof prefix, "%.*s", (int)(dot - name), name);
    *ours = strcmp(prefix, command) == 0;
    const ocelotl_parameter row = ocelotl_parameter_find(prefix, dot + 1);
    return row.of_answer ? row : ocelotl_parameter_find(command, "");
}

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

/* Takes one pair of a query into a request, and into the one that is written as a line. */
static ocelotl_status take(ocelotl_request *request, ocelotl_request *written,
                           const server_options *options, const server_pair *given, bool of_part)
{
    static const char look[] = "look.";
    server_pair pair = *given;
    bool ours = false;
    const bool looks = strncmp(pair.name, look, strlen(look)) == 0;
    if (strcmp(pair.name, "client") == 0 || strcmp(pair.name, "turn") == 0)
        return OCELOTL_OK;
    if (looks)
        pair.name += strlen(look);
    const ocelotl_parameter row = find_row(&ours, request->command, pair.name);
    const char *value = row.value[0] != '\0' ? pair.value : NULL;
    ocelotl_status status = check_option(options, &row, &pair);
    if (status != OCELOTL_OK || !ours ||
        !(row.of_answer || is_taken(request->command, &row, of_part)))
        return status;
    status = ocelotl_request_set(request, row.name, value);
    return status == OCELOTL_OK && !looks ? ocelotl_request_set(written, row.name, value) : status;
}

static ocelotl_status fill(server_state *state, ocelotl_request **written,
                           const server_options *options, const char *command,
                           const server_query *query, const char *file)
{
    const char *const operands[] = {"--", options->trace,
                                    options->second != NULL ? options->second : options->trace};
    const bool pairs = strcmp(command, "compare") == 0 || strcmp(command, "check") == 0;
    const size_t words = pairs ? 3 : 2;
    const bool of_part = server_query_get(query, "part") != NULL;
    char *line = NULL;
    ocelotl_status status = ocelotl_request_new(&state->request, command);
    if (status == OCELOTL_OK)
        status = ocelotl_request_new(written, command);
    for (size_t i = 0; i < query->count && status == OCELOTL_OK; i++)
        status = take(state->request, *written, options, &query->pairs[i], of_part);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(state->request, words, operands);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(*written, words, operands);
    if (status == OCELOTL_OK)
        status = ocelotl_request_write_line(&line, *written);
    if (status != OCELOTL_OK)
        return status;
    state->request->threads = options->initial->threads;
    if (file == NULL) {
        state->line = line;
        return OCELOTL_OK;
    }
    if (asprintf(&state->line, "%s -o %s", line, file) < 0) {
        state->line = NULL;
        status = ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    }
    free(line);
    return status;
}

ocelotl_status server_state_read(server_state *state, const server_options *options,
                                 const char *command, const server_query *query, const char *file)
{
    ocelotl_request *written = NULL;
    const ocelotl_status status = fill(state, &written, options, command, query, file);
    ocelotl_request_free(written);
    return status;
}

void server_state_free(server_state *state)
{
    ocelotl_request_free(state->request);
    free(state->line);
    *state = (server_state){NULL, NULL};
}

/* --- The options, for the page */

/* Writes the words between bars as a list. */
static void put_words(server_out *out, const char *words)
{
    for (bool first = true; *words != '\0'; first = false) {
        char word[64];
        const size_t length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        server_put(out, first ? "%s" : ",%s", word);
        words += length + (words[length] != '\0');
    }
}

/* Writes the words that an option takes: names of the library, or those of its row. */
static void put_values(server_out *out, const ocelotl_parameter *row)
{
    const bool metric = strcmp(row->name, "metric") == 0;
    const bool view = strcmp(row->name, "view") == 0;
    const bool tree = strcmp(row->name, "type-tree") == 0;
    const size_t count = metric ? ocelotl_metric_count()
                         : view ? ocelotl_view_count()
                         : tree ? ocelotl_built_in_tree_count()
                                : 0;
    for (size_t i = 0; i < count; i++)
        server_put(out, i == 0 ? "%s" : ",%s",
                   metric ? ocelotl_metric_at((uint32_t)i).name
                   : view ? ocelotl_view_at(i).name
                          : ocelotl_built_in_tree_at(i).name);
    if (strcmp(row->name, "hierarchy") == 0)
        put_words(out, "auto|role|trace");
    else if (strcmp(row->name, "type-level") == 0)
        put_words(out, "auto|1|2|3|4");
    else if (count == 0 && (strchr(row->value, '|') != NULL || strcmp(row->name, "scale") == 0))
        put_words(out, row->value);
}

void server_state_put_options(server_out *out, const server_options *options)
{
    const ocelotl_request *initial = options->initial;
    const char *last = "";
    bool first = true;
    server_put(out, "\"initial\":[");
    for (size_t i = 0; i < initial->given_count; i++) {
        const ocelotl_given *given = &initial->given[i];
        const ocelotl_parameter row = ocelotl_parameter_find("overview", given->name);
        if (row.name[0] == '\0' || !is_of_view(&row))
            continue;
        server_put(out, first ? "[%s,%s]" : ",[%s,%s]", given->name,
                   given->value != NULL ? given->value : "");
        first = false;
    }
    server_put(out, "],\n\"parameters\":[");
    first = true;
    /* The place and the level are chosen otherwise; several rows of one name are one option. */
    for (size_t i = 0; i < ocelotl_parameter_count("overview"); i++) {
        const ocelotl_parameter row = ocelotl_parameter_at("overview", i);
        const bool again = strcmp(row.name, last) == 0;
        last = row.name;
        if (again || !is_of_view(&row) || strcmp(row.group, "Level of detail") == 0 ||
            strcmp(row.group, "Zoom into a part") == 0 || strcmp(row.name, "palette") == 0)
            continue;
        server_put(out, first ? "\n{\"name\":%s" : ",\n{\"name\":%s", row.name);
        server_put(out, ",\"group\":%s,\"value\":%s,\"help\":%s", row.group, row.value, row.help);
        server_put(out, row.repeatable ? ",\"repeatable\":true" : ",\"repeatable\":false");
        server_put(out, ",\"words\":[");
        put_values(out, &row);
        server_put(out, "]}");
        first = false;
    }
    server_put(out, "]");
}
