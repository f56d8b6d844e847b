#include "request/options/request.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "base/text.h"

#include <ocelotl/import.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 4096 };

static void *member_of(ocelotl_request *request, const oc_parameter *row)
{
    return (char *)request + row->offset;
}

/* --- Numbers and words */

static ocelotl_status read_number(double *number, const char *text, const char *option)
{
    char *end;
    *number = oc_plain_number(text, &end);
    if (end != text && *end == '\0')
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected a number%s", option, text,
                   *end == ',' || *end == '%' ? ", as 0.5" : "");
}

static ocelotl_status read_count(uint32_t *count, const char *text, const char *option)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    *count = (uint32_t)number;
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && number < UINT32_MAX)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected a whole number", option, text);
}

static ocelotl_status take_number(ocelotl_request *request, const oc_parameter *row,
                                  const char *text)
{
    double *number = member_of(request, row);
    OC_TRY(read_number(number, text, row->name));
    if (*number >= row->least && *number <= row->most)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is %s, expected %g to %g", row->name, text,
                   row->least, row->most);
}

static ocelotl_status take_count(ocelotl_request *request, const oc_parameter *row,
                                 const char *text)
{
    uint32_t *count = member_of(request, row);
    OC_TRY(read_count(count, text, row->name));
    if (*count < row->least)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is %u, expected at least %.0f", row->name,
                       *count, row->least);
    if (*count > row->most)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is %u, expected at most %.0f", row->name,
                       *count, row->most);
    return OCELOTL_OK;
}

static ocelotl_status fail_word(const oc_parameter *row, const char *text)
{
    oc_text expected = {0};
    for (const char *word = row->value; *word != '\0';) {
        const size_t length = strcspn(word, "|");
        const bool last = word[length] == '\0';
        oc_text_add(&expected, word == row->value ? "" : last ? " or " : ", ");
        oc_text_append(&expected, word, length);
        word += length + !last;
    }
    const char *meant = oc_meant(OC_MEANT_ELSE, row->name, strlen(row->name), 0);
    const ocelotl_status status =
        expected.failed ? oc_fail_memory()
                        : oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected %s%s",
                                  row->name, text, expected.bytes, meant != NULL ? meant : "");
    oc_text_free(&expected);
    return status;
}

/* Which of the words that a row takes. */
static ocelotl_status find_word(size_t *index, const oc_parameter *row, const char *text)
{
    *index = oc_find_word(row->value, text, strlen(text));
    if (*index < SIZE_MAX)
        return OCELOTL_OK;
    *index = 0;
    return fail_word(row, text);
}

static ocelotl_status take_word(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    size_t index;
    OC_TRY(find_word(&index, row, text));
    *(int *)member_of(request, row) = (int)row->least + (int)index;
    return OCELOTL_OK;
}

static ocelotl_status take_drift(ocelotl_request *request, const oc_parameter *row,
                                 const char *text)
{
    static const char *const words[] = {"linear", "none", "pieces"};
    const size_t length = strcspn(text, "=");
    for (int i = 0; i < 3; i++) {
        if (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)
            continue;
        uint32_t pieces = 0;
        if (text[length] == '=' &&
            (i != OCELOTL_DRIFT_PIECES ||
             read_count(&pieces, text + length + 1, row->name) != OCELOTL_OK ||
             pieces < row->least || pieces > row->most))
            break;
        request->drift = (ocelotl_drift)i;
        request->pieces = pieces;
        return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s is \"%s\", expected linear, none, pieces or pieces=N of 1 to %.0f",
                   row->name, text, row->most);
}

static ocelotl_status take_set(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    uint32_t bits = 0;
    char word[32];
    for (const char *from = text; from != NULL;) {
        size_t index;
        const size_t length = strcspn(from, ",");
        if (length >= sizeof word)
            return fail_word(row, text);
        memcpy(word, from, length);
        word[length] = '\0';
        OC_TRY(find_word(&index, row, word));
        bits |= (uint32_t)1 << index;
        from = from[length] == ',' ? from + length + 1 : NULL;
    }
    *(uint32_t *)member_of(request, row) = bits;
    return OCELOTL_OK;
}

static ocelotl_status take_flag(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    size_t index;
    if (row->value != NULL)
        OC_TRY(find_word(&index, row, text));
    *(bool *)member_of(request, row) = true;
    return OCELOTL_OK;
}

/* The percentage of several moves adds up. */
static ocelotl_status take_move(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    char *end;
    const double percent = oc_plain_number(text, &end);
    if (end == text || strcmp(end, "%") != 0 || !(fabs(percent) > 0 && fabs(percent) <= 1e6))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is \"%s\", expected a share of the window, such as 50%% or -100%%",
                       row->name, text);
    *(double *)member_of(request, row) += percent / 100;
    return OCELOTL_OK;
}

static ocelotl_status take_share(ocelotl_request *request, const oc_parameter *row,
                                 const char *text)
{
    char *end;
    const double percent = oc_plain_number(text, &end);
    if (end == text || !(percent >= 0 && percent <= 1e6) ||
        (strcmp(end, "%") != 0 && (percent > 0 || *end != '\0')))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is \"%s\", expected a share from 0 on, such as 2%%", row->name, text);
    *(double *)member_of(request, row) = percent / 100;
    return OCELOTL_OK;
}

/* --- Texts */

static ocelotl_status take_text(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    size_t index;
    if (row->kind == OC_VALUE_NAMED)
        OC_TRY(find_word(&index, row, text));
    if (row->kind == OC_VALUE_IMPORTER)
        OC_TRY(ocelotl_format_check(text));
    *(const char **)member_of(request, row) = text;
    return OCELOTL_OK;
}

/* Lists have room for a power of two. */
static ocelotl_status take_name(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    ocelotl_names *names = member_of(request, row);
    const size_t count = names->count;
    const char **list = (const char **)names->names;
    if (count == MAX_NAMES)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is given more than %d times", row->name,
                       MAX_NAMES);
    if ((count & (count - 1)) == 0) {
        list = realloc(list, (count == 0 ? 1 : count * 2) * sizeof *list);
        if (list == NULL)
            return oc_fail_memory();
    }
    list[count] = text;
    *names = (ocelotl_names){list, count + 1};
    return OCELOTL_OK;
}

/* PATTERN=NAME, neither of them empty. */
static ocelotl_status take_pair(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected %s", row->name, text,
                       row->value);
    return take_name(request, row, text);
}

static ocelotl_status take_metric(ocelotl_request *request, const oc_parameter *row,
                                  const char *text)
{
    oc_text all = {0};
    oc_nearest_name nearest = oc_nearest_to(text, strlen(text));
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        const char *name = ocelotl_metric_at(i).name;
        if (strcmp(name, text) == 0 || strchr(text, '/') != NULL) { /* a formula: see model.h */
            oc_text_free(&all);
            return take_text(request, row, text);
        }
        oc_nearest_try(&nearest, name);
        oc_text_format(&all, "%s%s", i > 0 ? ", " : "", name);
    }
    const ocelotl_status status =
        all.failed ? oc_fail_memory()
                   : oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown metric \"%s\"%s%s, expected %s", text,
                             nearest.name != NULL ? "; the nearest is " : "",
                             nearest.name != NULL ? nearest.name : "", all.bytes);
    oc_text_free(&all);
    return status;
}

/* Takes the format; a second option must agree. */
static ocelotl_status take_lines(ocelotl_request *request, const oc_parameter *row,
                                 const char *text)
{
    static const char *const formats[] = {"csv",    "json", "pjdump", "chrome",  "paje",
                                          "matrix", "picl", "picl1",  "perfetto"};
    static const char *const options[] = {"--format csv",    "--format json",  "--format pjdump",
                                          "--format chrome", "--format paje",  "--format matrix",
                                          "--format picl",   "--format picl1", "--format perfetto",
                                          "--csv",           "--json"};
    const size_t count = sizeof formats / sizeof formats[0];
    size_t index = strcmp(row->name, "json") == 0;
    if (row->value != NULL && strcmp(text, "parquet") == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--format parquet is written in Python, as `pyarrow.parquet.write_table("
                       "pyarrow.table(ocelotl.open(TRACE).events()), FILE)`, see docs/export.md");
    if (row->value != NULL)
        OC_TRY(find_word(&index, row, text));
    const char *option = options[row->value != NULL ? index : count + index];
    if (request->format != NULL && strcmp(request->format, formats[index]) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s and %s exclude each other",
                       request->format_option, option);
    request->format = formats[index];
    request->format_option = option;
    request->csv = index == 0;
    request->json = index == 1;
    return OCELOTL_OK;
}

/* --- Places in time */

static ocelotl_status take_instant(ocelotl_request *request, const oc_parameter *row,
                                   const char *text)
{
    const bool second = row->offset >= offsetof(ocelotl_request, second_window);
    OC_TRY(oc_read_instant(member_of(request, row), text, (ocelotl_instant_base)row->least,
                           row->name));
    /* What an export's window is depends on whether it is of a part. */
    if (row->least == OCELOTL_OWN_TIME)
        return OCELOTL_OK;
    return oc_check_interval(second ? &request->second_window : &request->window);
}

static ocelotl_status take_duration(ocelotl_request *request, const oc_parameter *row,
                                    const char *text)
{
    ocelotl_duration *duration = member_of(request, row);
    duration->text = text;
    return oc_read_duration(&duration->seconds, text, row->name);
}

/* A node may have commas in its name: a range are two fields that begin as instants do. */
static bool begins_as_instant(const char *text)
{
    return text[0] != '\0' && strchr("0123456789.+-@", text[0]) != NULL;
}

static char *last_comma(char *text, const char *end)
{
    while (end > text)
        if (*--end == ',')
            return text + (end - text);
    return NULL;
}

static ocelotl_status take_expansion(ocelotl_request *request, const oc_parameter *row, char *node)
{
    ocelotl_expansion *expansion = member_of(request, row);
    *expansion = (ocelotl_expansion){.node = node};
    request->view.expand = node;
    char *second = last_comma(node, node + strlen(node));
    char *first = second != NULL ? last_comma(node, second) : NULL;
    if (first == NULL || !begins_as_instant(first + 1) || !begins_as_instant(second + 1))
        return OCELOTL_OK;
    *first = *second = '\0';
    expansion->range = true;
    OC_TRY(oc_read_instant(&expansion->from, first + 1, OCELOTL_OWN_TIME, row->name));
    return oc_read_instant(&expansion->to, second + 1, OCELOTL_OWN_TIME, row->name);
}

/* --- Levels of detail and parts */

/* Takes the rule behind "auto:". */
static ocelotl_status take_rule(ocelotl_detail *detail, const char *option, const char *text)
{
    static const char *const rules[] = {
        [OCELOTL_RULE_FIRST] = "",
        [OCELOTL_RULE_KNEE] = ":knee",
        [OCELOTL_RULE_COARSEST] = ":coarsest",
        [OCELOTL_RULE_FINEST] = ":finest",
        [OCELOTL_RULE_PLATEAU] = ":plateau",
        [OCELOTL_RULE_GAP] = ":gap",
        [OCELOTL_RULE_GAP_BETWEEN_BEFORE] = ":gap-between-before",
        [OCELOTL_RULE_GAP_BETWEEN_AFTER] = ":gap-between-after",
    };
    static const char plateau_rule[] = ":plateau:";
    detail->kind = OCELOTL_DETAIL_AUTO;
    if (strncmp(text, plateau_rule, strlen(plateau_rule)) == 0) {
        detail->rule = OCELOTL_RULE_PLATEAU;
        OC_TRY(read_count(&detail->count, text + strlen(plateau_rule), option));
        if (detail->count > 0)
            return OCELOTL_OK;
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is auto%s, expected a plateau from 1", option,
                       text);
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (i != OCELOTL_RULE_PLATEAU && strcmp(text, rules[i]) == 0) {
            detail->rule = (ocelotl_rule)i;
            return OCELOTL_OK;
        }
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s is auto%s, expected auto:knee, coarsest, finest, plateau:N, gap, "
                   "gap-between-before or gap-between-after",
                   option, text);
}

static ocelotl_status take_p(ocelotl_detail *detail, const char *option, const char *text)
{
    const size_t automatic = strlen("auto");
    if (detail->kind == OCELOTL_DETAIL_P && strncmp(text, "auto", automatic) == 0 &&
        (text[automatic] == '\0' || text[automatic] == ':'))
        return take_rule(detail, option, text + automatic);
    OC_TRY(read_number(&detail->p, text, option));
    if (detail->p >= 0 && detail->p <= 1)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is %s, expected a number in [0, 1]", option, text);
}

static ocelotl_status take_detail(ocelotl_request *request, const oc_parameter *row,
                                  const char *text)
{
    ocelotl_detail *detail = member_of(request, row);
    if (detail->option != NULL && strcmp(detail->option, row->name) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s and --%s exclude each other", detail->option,
                       row->name);
    detail->kind = (ocelotl_detail_kind)(int)row->least;
    detail->rule = OCELOTL_RULE_FIRST;
    detail->option = row->name;
    if (detail->kind == OCELOTL_DETAIL_P || detail->kind == OCELOTL_DETAIL_P_RAW)
        return take_p(detail, row->name, text);
    OC_TRY(read_count(&detail->count, text, row->name));
    return detail->count > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is 0, expected at least 1", row->name);
}

/* Takes a part. A p given before it chooses the partition that has it, a p behind it that of its
 * content. */
static ocelotl_status take_part(ocelotl_request *request, const oc_parameter *row, const char *text)
{
    ocelotl_detail *detail = &request->detail;
    ocelotl_zoom *zooms = request->zooms;
    const size_t count = request->zoom_count;
    ocelotl_zoom zoom = {.detail = *detail};
    if (count == OCELOTL_MAX_ZOOMS)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is given more than %d times", row->name,
                       OCELOTL_MAX_ZOOMS);
    OC_TRY(read_count(&zoom.part, text, row->name));
    for (size_t i = 0; detail->option != NULL && i < count; i++)
        if (!zooms[i].solved) {
            zooms[i].detail = *detail;
            zooms[i].solved = true;
        }
    zoom.solved = detail->option != NULL || (count > 0 && zooms[count - 1].solved);
    detail->option = NULL;
    /* A level or plateau is one of the partition that the part is of: what is in it has others. */
    if (detail->kind == OCELOTL_DETAIL_LEVEL || detail->rule == OCELOTL_RULE_PLATEAU)
        detail->kind = OCELOTL_DETAIL_AUTO;
    if (detail->rule == OCELOTL_RULE_PLATEAU)
        detail->rule = OCELOTL_RULE_FIRST;
    zooms[request->zoom_count++] = zoom;
    return OCELOTL_OK;
}

/* 0 is the mean. */
static ocelotl_status take_statistic(ocelotl_request *request, const oc_parameter *row,
                                     const char *text)
{
    uint32_t *percentile = member_of(request, row);
    *percentile = strcmp(text, "median") == 0 ? 50 : 0;
    if (*percentile == 50 || strcmp(text, "mean") == 0)
        return OCELOTL_OK;
    if (text[0] == 'q' && read_count(percentile, text + 1, row->name) == OCELOTL_OK &&
        *percentile >= 1 && *percentile <= 100)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected mean, median or q1 to q100",
                   row->name, text);
}

void oc_request_take_tree(ocelotl_request *request, ocelotl_type_tree *tree)
{
    ocelotl_type_tree_free(request->type_tree);
    request->type_tree = tree;
    request->model.type_tree = tree;
    request->view.type_tree = tree;
}

/* A tree is read at once, as its file may be a pipe. */
static ocelotl_status take_type_tree(ocelotl_request *request, const oc_parameter *row,
                                     const char *text)
{
    ocelotl_type_tree *read = NULL;
    (void)row;
    OC_TRY(ocelotl_type_tree_read(&read, text));
    oc_request_take_tree(request, read);
    return OCELOTL_OK;
}

static ocelotl_status take_type_level(ocelotl_request *request, const oc_parameter *row,
                                      const char *text)
{
    uint32_t *level = member_of(request, row);
    if (strcmp(text, "auto") == 0)
        *level = OCELOTL_TYPE_LEVEL_AUTO;
    else if (read_count(level, text, row->name) != OCELOTL_OK || *level == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s is \"%s\", expected a level from 1, or auto",
                       row->name, text);
    return OCELOTL_OK;
}

bool oc_read_bytes(uint64_t *bytes, const char *text)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0)
        return false;
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned bits = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if ((*end != '\0' && (unit == NULL || end[1] != '\0')) || number > UINT64_MAX >> bits)
        return false;
    *bytes = (uint64_t)number << bits;
    return true;
}

static ocelotl_status take_bytes(ocelotl_request *request, const oc_parameter *row,
                                 const char *text)
{
    uint64_t *bytes = member_of(request, row);
    if (oc_read_bytes(bytes, text) && *bytes > 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s is \"%s\", expected bytes above 0, as 500M or 2G (K, M, G, T: of 1024)",
                   row->name, text);
}

ocelotl_status oc_take_value(ocelotl_request *request, const oc_parameter *row, char *value)
{
    static ocelotl_status (*const takers[])(ocelotl_request *, const oc_parameter *,
                                            const char *) = {
        [OC_VALUE_FLAG] = take_flag,           [OC_VALUE_COUNT] = take_count,
        [OC_VALUE_NUMBER] = take_number,       [OC_VALUE_WORD] = take_word,
        [OC_VALUE_DRIFT] = take_drift,         [OC_VALUE_SET] = take_set,
        [OC_VALUE_BYTES] = take_bytes,         [OC_VALUE_NAMED] = take_text,
        [OC_VALUE_TEXT] = take_text,           [OC_VALUE_NAMES] = take_name,
        [OC_VALUE_PAIRS] = take_pair,          [OC_VALUE_INSTANT] = take_instant,
        [OC_VALUE_DURATION] = take_duration,   [OC_VALUE_DETAIL] = take_detail,
        [OC_VALUE_PART] = take_part,           [OC_VALUE_METRIC] = take_metric,
        [OC_VALUE_IMPORTER] = take_text,       [OC_VALUE_LINES] = take_lines,
        [OC_VALUE_MOVE] = take_move,           [OC_VALUE_STATISTIC] = take_statistic,
        [OC_VALUE_TYPE_TREE] = take_type_tree, [OC_VALUE_TYPE_LEVEL] = take_type_level,
        [OC_VALUE_SHARE] = take_share,
    };
    return row->kind == OC_VALUE_EXPANSION ? take_expansion(request, row, value)
                                           : takers[row->kind](request, row, value);
}
