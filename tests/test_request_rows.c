/* Each row of request/options/parameters.c is complete: it stands in the help and on the man page,
 * and can be set and read back. The command line that a request writes is the same request again.
 */
#include "temporary.h"

#include "base/memory.h"
#include "request/options/request.h"
#include "request/options/words.h"
#include "types/lookup.h"

/* How a row is named when a check of it fails. */
static const char *at = "";

#define CHECK_ROW(condition)                                                        \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, at, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

static void now_at(const char *command, const char *name)
{
    static char text[200];
    snprintf(text, sizeof text, "%s --%s", command, name);
    at = text;
}

/* --- The table */

static bool takes_value(const oc_parameter *row)
{
    return row->kind != OC_VALUE_FLAG && row->kind != OC_VALUE_LINES;
}

static bool takes_words(const oc_parameter *row)
{
    return row->value != NULL && (row->kind == OC_VALUE_WORD || row->kind == OC_VALUE_SET ||
                                  row->kind == OC_VALUE_NAMED || row->kind == OC_VALUE_FLAG ||
                                  row->kind == OC_VALUE_LINES);
}

/* The row whose help a row without one shares. */
static const oc_parameter *find_help(const oc_parameter *row, uint64_t command)
{
    const oc_parameter *end = oc_parameters + oc_parameter_count;
    while (row < end && row->help == NULL)
        do
            row++;
        while (row < end && (row->commands & command) == 0);
    return row < end ? row : NULL;
}

static void check_row(const oc_parameter *row, const oc_command *command)
{
    const oc_parameter *of_help = find_help(row, command->bit);
    now_at(command->name, row->name);
    CHECK_ROW(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(row->name));
    CHECK_ROW(row->name[0] != '\0' && row->name[0] != '-' && strcmp(row->name, "help") != 0);
    CHECK_ROW(row->offset < sizeof(ocelotl_request));
    CHECK_ROW(row->value == NULL || row->value[0] != '\0');
    CHECK_ROW(row->value != NULL || !takes_value(row));
    CHECK_ROW(!takes_words(row) || (row->value[0] != '|' && strstr(row->value, "||") == NULL &&
                                    row->value[strlen(row->value) - 1] != '|'));
    CHECK_ROW(of_help != NULL && of_help->group == row->group && of_help->help[0] != '\0');
    CHECK_ROW(of_help->help[strlen(of_help->help) - 1] != '\n');
    if (row->kind == OC_VALUE_COUNT || row->kind == OC_VALUE_NUMBER)
        CHECK_ROW(row->least < row->most);
    if ((row->flags & OC_HELP_ALONE) != 0)
        CHECK_ROW(row > oc_parameters && strcmp(row[-1].name, row->name) == 0);
}

/* A name is one row of a command, and a command takes no bits that are no commands. */
static void test_table(void)
{
    uint64_t known = 0;
    for (size_t c = 0; c < oc_command_count; c++)
        known |= oc_commands[c].bit;
    for (size_t i = 0; i < oc_parameter_count; i++) {
        const oc_parameter *row = &oc_parameters[i];
        now_at("any command", row->name);
        CHECK_ROW(row->commands != 0 && (row->commands & ~known) == 0);
        for (size_t c = 0; c < oc_command_count; c++)
            if ((row->commands & oc_commands[c].bit) != 0)
                check_row(row, &oc_commands[c]);
        for (size_t k = 0; k < i; k++)
            CHECK_ROW((row->flags & OC_HELP_ALONE) != 0 ||
                      (row->commands & oc_parameters[k].commands) == 0 ||
                      strcmp(row->name, oc_parameters[k].name) != 0);
    }
}

/* --- Texts for people */

/* Whether a text names an option, with its value where it is to, and not a longer one. */
static bool names(const char *text, const oc_parameter *row, bool with_value)
{
    char option[200];
    snprintf(option, sizeof option, "--%s%s%s", row->name,
             with_value && row->value != NULL ? " " : "",
             with_value && row->value != NULL ? row->value : "");
    const size_t length = strlen(option);
    for (const char *found = strstr(text, option); found != NULL; found = strstr(found + 1, option))
        if (strchr(" ,\n\"", found[length]) != NULL)
            return true;
    return false;
}

/* A row has a line of the help, or the line of --part names it. */
static void check_help(const oc_command *command, const char *help)
{
    for (size_t i = 0; i < oc_parameter_count; i++)
        if ((oc_parameters[i].commands & command->bit) != 0) {
            now_at(command->name, oc_parameters[i].name);
            CHECK_ROW(names(help, &oc_parameters[i],
                            (oc_parameters[i].flags & OC_OF_PARTITION) == 0 ||
                                (command->bit & OC_OF_EVENTS) == 0));
        }
}

/* The page of a command without what roff needs; NULL where the build has made none. */
static char *read_page(const char *command)
{
    size_t length;
    char path[2000];
    const char *folder = getenv("OCELOTL_BUILD");
    snprintf(path, sizeof path, "%s/man/ocelotl-cli-%s.1", folder != NULL ? folder : "", command);
    if (access(path, R_OK) != 0)
        return NULL;
    char *page = temporary_read(&length, path);
    char *to = page;
    for (const char *from = page; *from != '\0';)
        if (strncmp(from, "\\-", 2) == 0) {
            *to++ = '-';
            from += 2;
        } else if (strncmp(from, "\\(aq", 4) == 0) {
            *to++ = '\'';
            from += 4;
        } else {
            *to++ = *from++;
        }
    *to = '\0';
    return page;
}

static void test_texts(void)
{
    for (size_t c = 0; c < oc_command_count; c++) {
        char *help = NULL;
        CHECK_OK(ocelotl_help(&help, oc_commands[c].name, "all"));
        check_help(&oc_commands[c], help);
        free(help);
        char *page = read_page(oc_commands[c].name);
        if (page != NULL)
            check_help(&oc_commands[c], page);
        free(page);
    }
}

/* --- Values */

/* One of the words of a row. */
static void pick_word(char *value, size_t size, const char *words, uint64_t *random)
{
    size_t count = 1;
    for (const char *bar = strchr(words, '|'); bar != NULL; bar = strchr(bar + 1, '|'))
        count++;
    for (uint32_t skipped = check_below(random, (uint32_t)count); skipped > 0; skipped--)
        words = strchr(words, '|') + 1;
    snprintf(value, size, "%.*s", (int)strcspn(words, "|"), words);
}

static void pick_text(char *value, size_t size, uint64_t *random)
{
    static const char *const texts[] = {
        "rank*",   "a b",  "it's \"so\"", "--p",           "-o",       "-",
        "",        "x=y",  "\xC3\xA9",    "\x1b[31m\n\t",  "\xFF\xC3", "$HOME `x` \\",
        "*;| & ~", "!a^b", "'",           "\xE2\x80\xAEx", "\\",       "#{}()<>[]"};
    snprintf(value, size, "%s", texts[check_below(random, sizeof texts / sizeof texts[0])]);
}

static void pick_instant(char *value, size_t size, uint64_t *random)
{
    static const char *const signs[] = {"", "", "+", "@", "@-"};
    static const char *const units[] = {"s", "%", "ms", "", "us"};
    const uint32_t form = check_below(random, 5);
    snprintf(value, size, "%s%u.%u%s", signs[form], check_below(random, 90),
             check_below(random, 1000), units[form]);
}

static void pick_detail(char *value, size_t size, const oc_parameter *row, uint64_t *random)
{
    const bool is_p = row->least == OCELOTL_DETAIL_P || row->least == OCELOTL_DETAIL_P_RAW;
    if (row->least == OCELOTL_DETAIL_P && check_below(random, 4) == 0)
        snprintf(value, size, "auto");
    else if (is_p)
        snprintf(value, size, "0.%u", check_below(random, 100000));
    else
        snprintf(value, size, "%u", 1 + check_below(random, 99));
}

/* How a number is written for a kind of rows: from `least` on, of so many. */
static const struct {
    oc_value_kind kind;
    const char *format;
    uint32_t least, count;
} numbers[] = {{OC_VALUE_DURATION, "%ums", 0, 50},  {OC_VALUE_MOVE, "%u%%", 1, 200},
               {OC_VALUE_PART, "%u", 0, 50},        {OC_VALUE_PAIRS, "a=b*=%u", 0, 9},
               {OC_VALUE_BYTES, "%uM", 1, 900},     {OC_VALUE_DRIFT, "pieces=%u", 1, 1024},
               {OC_VALUE_STATISTIC, "q%u", 1, 100}, {OC_VALUE_SHARE, "%u%%", 0, 200}};

/* A value that the row takes, or NULL where it takes none. */
static const char *pick(char *value, size_t size, const oc_parameter *row, uint64_t *random)
{
    if (row->value == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].kind == row->kind) {
            snprintf(value, size, numbers[i].format,
                     numbers[i].least + check_below(random, numbers[i].count));
            return value;
        }
    if (takes_words(row))
        pick_word(value, size, row->value, random);
    else if (row->kind == OC_VALUE_NUMBER)
        snprintf(value, size, "%.17g",
                 row->least + (row->most - row->least) * check_below(random, 1000) / 1000);
    else if (row->kind == OC_VALUE_COUNT)
        snprintf(value, size, "%u", (uint32_t)row->least + check_below(random, 7));
    else if (row->kind == OC_VALUE_INSTANT)
        pick_instant(value, size, random);
    else if (row->kind == OC_VALUE_DETAIL)
        pick_detail(value, size, row, random);
    else if (row->kind == OC_VALUE_METRIC)
        snprintf(value, size, "%s",
                 ocelotl_metric_at(check_below(random, ocelotl_metric_count())).name);
    else if (row->kind == OC_VALUE_TYPE_TREE)
        snprintf(
            value, size, "%s",
            ocelotl_built_in_tree_at(check_below(random, (uint32_t)ocelotl_built_in_tree_count()))
                .name);
    else if (row->kind == OC_VALUE_TYPE_LEVEL)
        snprintf(value, size, "%s", check_below(random, 2) == 0 ? "auto" : "2");
    else if (row->kind == OC_VALUE_IMPORTER)
        snprintf(value, size, "%s",
                 ocelotl_format_at(check_below(random, ocelotl_format_count())).name);
    else if (row->kind == OC_VALUE_EXPANSION)
        snprintf(value, size, check_below(random, 2) == 0 ? "a,b" : "a,b,1s,@%u",
                 check_below(random, 9));
    else
        pick_text(value, size, random);
    return value;
}

/* --- What a row fills */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_instant(const ocelotl_instant *a, const ocelotl_instant *b)
{
    return same_text(a->text, b->text) && same_text(a->option, b->option) && a->base == b->base &&
           a->percent == b->percent && a->value == b->value;
}

static bool same_detail(const ocelotl_detail *a, const ocelotl_detail *b)
{
    return a->kind == b->kind && same_text(a->option, b->option) && a->p == b->p &&
           a->count == b->count;
}

static bool same_names(const ocelotl_names *a, const ocelotl_names *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_text(a->names[i], b->names[i]);
    return same;
}

static bool same_zooms(const ocelotl_request *a, const ocelotl_request *b)
{
    bool same = a->zoom_count == b->zoom_count;
    for (size_t i = 0; same && i < a->zoom_count; i++)
        same = a->zooms[i].part == b->zooms[i].part && a->zooms[i].solved == b->zooms[i].solved &&
               same_detail(&a->zooms[i].detail, &b->zooms[i].detail);
    return same;
}

/* Whether two requests have the same in the member of a row. */
static bool same_member(const ocelotl_request *first, const ocelotl_request *second,
                        const oc_parameter *row)
{
    const void *a = (const char *)first + row->offset;
    const void *b = (const char *)second + row->offset;
    const ocelotl_expansion *x = a, *y = b;
    switch (row->kind) {
    case OC_VALUE_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case OC_VALUE_COUNT:
    case OC_VALUE_SET:
        return *(const uint32_t *)a == *(const uint32_t *)b;
    case OC_VALUE_NUMBER:
    case OC_VALUE_MOVE:
    case OC_VALUE_SHARE:
        return *(const double *)a == *(const double *)b;
    case OC_VALUE_WORD:
        return *(const int *)a == *(const int *)b;
    case OC_VALUE_NAMES:
    case OC_VALUE_PAIRS:
        return same_names(a, b);
    case OC_VALUE_INSTANT:
        return same_instant(a, b);
    case OC_VALUE_DURATION:
        return same_text(((const ocelotl_duration *)a)->text, ((const ocelotl_duration *)b)->text);
    case OC_VALUE_DETAIL:
        return same_detail(a, b);
    case OC_VALUE_PART:
        return same_zooms(first, second);
    case OC_VALUE_EXPANSION:
        return same_text(x->node, y->node) && x->range == y->range &&
               same_instant(&x->from, &y->from) && same_instant(&x->to, &y->to);
    case OC_VALUE_LINES:
        return same_text(first->format, second->format) &&
               same_text(first->format_option, second->format_option) &&
               first->csv == second->csv && first->json == second->json;
    case OC_VALUE_DRIFT:
        return first->drift == second->drift && first->pieces == second->pieces;
    case OC_VALUE_STATISTIC:
        return first->percentile == second->percentile;
    case OC_VALUE_BYTES:
        return *(const uint64_t *)a == *(const uint64_t *)b;
    case OC_VALUE_TYPE_TREE:
        return (first->type_tree == NULL) == (second->type_tree == NULL) &&
               first->model.type_tree == first->type_tree &&
               first->view.type_tree == first->type_tree &&
               (first->type_tree == NULL || ocelotl_type_tree_info_of(first->type_tree).hash ==
                                                ocelotl_type_tree_info_of(second->type_tree).hash);
    case OC_VALUE_TYPE_LEVEL:
        return first->model.type_level == second->model.type_level;
    case OC_VALUE_TEXT:
    case OC_VALUE_NAMED:
    case OC_VALUE_METRIC:
    case OC_VALUE_IMPORTER:
        break;
    }
    return same_text(*(const char *const *)a, *(const char *const *)b);
}

static void check_same(const ocelotl_request *a, const ocelotl_request *b)
{
    CHECK_ROW(a->given_count == b->given_count && a->operand_count == b->operand_count);
    for (size_t i = 0; i < a->given_count; i++)
        CHECK_ROW(same_text(a->given[i].name, b->given[i].name) &&
                  same_text(a->given[i].value, b->given[i].value));
    for (size_t i = 0; i < a->operand_count; i++)
        CHECK_TEXT(a->operands[i], b->operands[i]);
    for (size_t i = 0; i < oc_parameter_count; i++) {
        now_at(a->command, oc_parameters[i].name);
        CHECK_ROW(same_member(a, b, &oc_parameters[i]));
    }
}

/* --- One by one */

static ocelotl_request *make(const char *command)
{
    ocelotl_request *request = NULL;
    CHECK_OK(ocelotl_request_new(&request, command));
    return request;
}

/* Whether a request that has not got it yet changes: the default is a value, too. */
static bool changes(const ocelotl_request *request, const oc_parameter *row)
{
    ocelotl_request *none = make(request->command);
    const bool same = same_member(request, none, row);
    ocelotl_request_free(none);
    return !same;
}

static void check_refused(const oc_command *command, const oc_parameter *row)
{
    /* kinds that not every text is a value of */
    static const bool refuses[OC_VALUE_TYPE_LEVEL + 1] = {
        [OC_VALUE_COUNT] = true,      [OC_VALUE_NUMBER] = true, [OC_VALUE_METRIC] = true,
        [OC_VALUE_IMPORTER] = true,   [OC_VALUE_DRIFT] = true,  [OC_VALUE_STATISTIC] = true,
        [OC_VALUE_DETAIL] = true,     [OC_VALUE_BYTES] = true,  [OC_VALUE_PART] = true,
        [OC_VALUE_TYPE_LEVEL] = true, [OC_VALUE_PAIRS] = true,  [OC_VALUE_INSTANT] = true,
        [OC_VALUE_DURATION] = true};
    ocelotl_request *request = make(command->name);
    const char *name = row->name;
    if (row->value == NULL)
        CHECK_REFUSED(ocelotl_request_set(request, name, "x"), "takes no value");
    else
        CHECK_REFUSED(ocelotl_request_set(request, name, NULL), "needs a value");
    if (takes_words(row) || refuses[row->kind])
        CHECK_REFUSED(ocelotl_request_set(request, name, "no such"), "no such");
    CHECK_ROW(request->given_count == 0 && ocelotl_request_get(request, name) == NULL);
    ocelotl_request_free(request);
}

/* What is next to the bounds is refused, and the bounds are not. */
static void check_bounds(const oc_command *command, const oc_parameter *row)
{
    char value[100];
    const double step = row->kind == OC_VALUE_COUNT ? 1 : 0.5;
    for (int i = 0; i < 4; i++) {
        const double bound = i < 2 ? row->least : row->most;
        const bool outside = i % 2 != 0;
        const double number = bound + (!outside ? 0 : i < 2 ? -step : step);
        ocelotl_request *request = make(command->name);
        snprintf(value, sizeof value, "%.15g", number);
        const ocelotl_status status = ocelotl_request_set(request, row->name, value);
        /* The number that no whole number reaches is none itself. */
        const bool refused = outside || (row->kind == OC_VALUE_COUNT && bound >= UINT32_MAX);
        CHECK_ROW(status == (refused ? OCELOTL_ERROR_ARGUMENT : OCELOTL_OK));
        ocelotl_request_free(request);
    }
}

static void check_one(const oc_command *command, const oc_parameter *row, uint64_t *random)
{
    char value[200];
    bool changed = false;
    for (int round = 0; round < 20; round++) {
        ocelotl_request *request = make(command->name);
        const char *given = pick(value, sizeof value, row, random);
        CHECK_ROW(ocelotl_request_get(request, row->name) == NULL);
        CHECK_OK(ocelotl_request_set(request, row->name, given));
        CHECK_TEXT(ocelotl_request_get(request, row->name), given != NULL ? given : "");
        changed = changed || changes(request, row);
        ocelotl_request_free(request);
    }
    CHECK_ROW(changed);
}

/* A command takes its rows and no others. */
static void test_each(void)
{
    uint64_t random = 11;
    const char *value;
    for (size_t c = 0; c < oc_command_count; c++) {
        size_t count = 0;
        for (size_t i = 0; i < oc_parameter_count; i++) {
            const oc_parameter *row = &oc_parameters[i];
            now_at(oc_commands[c].name, row->name);
            if (oc_find_parameter(row->name, oc_commands[c].bit) == row) {
                check_one(&oc_commands[c], row, &random);
                check_refused(&oc_commands[c], row);
                if (row->kind == OC_VALUE_COUNT || row->kind == OC_VALUE_NUMBER)
                    check_bounds(&oc_commands[c], row);
                count++;
            } else if (oc_find_parameter(row->name, oc_commands[c].bit) == NULL &&
                       oc_find_earlier(&value, row->name, strlen(row->name), oc_commands[c].bit) ==
                           NULL) {
                ocelotl_request *request = make(oc_commands[c].name);
                CHECK_REFUSED(ocelotl_request_set(request, row->name, NULL), "option --");
                ocelotl_request_free(request);
            }
        }
        CHECK_ROW(count == ocelotl_parameter_count(oc_commands[c].name));
    }
}

/* --- Command lines */

/* The shortest beginning that is of one option alone. */
static size_t shortest(const char *command, const char *name)
{
    size_t length = 1;
    for (size_t i = 0; i <= ocelotl_parameter_count(command); i++) {
        const bool help = i == ocelotl_parameter_count(command);
        const char *other = help ? "help" : ocelotl_parameter_at(command, i).name;
        size_t common = 0;
        while (name[common] != '\0' && name[common] == other[common])
            common++;
        if (strcmp(name, other) != 0 && common + 1 > length)
            length = common + 1;
    }
    return length < strlen(name) ? length : strlen(name);
}

/* A beginning of several options is none of them; it may be an option of another command. */
static void test_short(void)
{
    char word[200];
    for (size_t c = 0; c < ocelotl_command_count(); c++) {
        const char *command = ocelotl_command_at(c).name;
        for (size_t i = 0; i < ocelotl_parameter_count(command); i++) {
            const char *name = ocelotl_parameter_at(command, i).name;
            const size_t length = shortest(command, name) - 1;
            const char *const words[] = {word};
            ocelotl_request *request = make(command);
            snprintf(word, sizeof word, "--%.*s", (int)length, name);
            now_at(command, name);
            if (length > 0 && oc_find_parameter(word + 2, oc_request_command(request)) == NULL)
                CHECK_REFUSED(ocelotl_request_parse(request, 1, words), "option --");
            ocelotl_request_free(request);
        }
    }
}

/* Adds an option as somebody may write it. */
static void add_option(oc_words *words, const ocelotl_request *request, const ocelotl_given *option,
                       uint64_t *random)
{
    char text[500];
    const size_t least = shortest(request->command, option->name);
    size_t cut = least + check_below(random, (uint32_t)(strlen(option->name) - least + 1));
    const uint32_t way = check_below(random, 3);
    while (cut < strlen(option->name) && oc_is_other_option(option->name, cut))
        cut++;
    if (way == 0) {
        CHECK_OK(oc_line_add_option(words, option));
        return;
    }
    const bool joined = way == 1 && option->value != NULL;
    snprintf(text, sizeof text, "--%.*s%s%s", (int)cut, option->name, joined ? "=" : "",
             joined ? option->value : "");
    CHECK_OK(oc_words_add(words, text));
    if (option->value != NULL && !joined)
        CHECK_OK(oc_words_add(words, option->value));
}

/* Writes it as a line of a shell, and reads that. */
static ocelotl_status again(ocelotl_request *request, const oc_words *words)
{
    char *line = NULL;
    oc_words read = {0};
    CHECK_OK(ocelotl_words_write(&line, words->count, (const char *const *)words->words));
    CHECK_OK(oc_words_read(&read, line));
    CHECK_ROW(read.count == words->count);
    for (size_t i = 0; i < read.count; i++)
        CHECK_TEXT(read.words[i], words->words[i]);
    const ocelotl_status status =
        ocelotl_request_parse(request, read.count, (const char *const *)read.words);
    oc_words_free(&read);
    free(line);
    return status;
}

static const oc_parameter *random_row(uint64_t command, uint64_t *random)
{
    const oc_parameter *row;
    do
        row = &oc_parameters[check_below(random, (uint32_t)oc_parameter_count)];
    while (oc_find_parameter(row->name, command) != row);
    return row;
}

/* An option that the request refuses is refused by its command line, too, in the same words. */
static void check_line(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u + 1;
    const oc_command *command = &oc_commands[check_below(&random, (uint32_t)oc_command_count)];
    ocelotl_request *request = make(command->name);
    ocelotl_request *parsed = make(command->name);
    oc_words words = {0};
    char value[200];
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t left = check_below(&random, 9); left > 0 && status == OCELOTL_OK; left--) {
        const oc_parameter *row = random_row(command->bit, &random);
        const char *given = pick(value, sizeof value, row, &random);
        status = ocelotl_request_set(request, row->name, given);
        add_option(&words, request, &(ocelotl_given){row->name, given}, &random);
    }
    for (uint32_t left = check_below(&random, 4); left > 0; left--) {
        pick_text(value, sizeof value, &random);
        CHECK_OK(oc_request_add_operand(request, value));
    }
    CHECK_OK(oc_line_add_operands(&words, request));
    char *message = strdup(ocelotl_error_message());
    now_at(command->name, "..");
    CHECK_ROW(again(parsed, &words) == status);
    if (status == OCELOTL_OK)
        check_same(request, parsed);
    else
        CHECK_TEXT(ocelotl_error_message(), message);
    free(message);
    oc_words_free(&words);
    ocelotl_request_free(parsed);
    ocelotl_request_free(request);
}

int main(void)
{
    test_table();
    test_texts();
    test_each();
    test_short();
    for (uint64_t seed = 1; seed <= check_rounds(4000); seed++)
        check_line(seed);
    return 0;
}
