/* What was found, in words. */
#include "explain/explain.h"
#include "explain/explaining.h"

#include "base/plain.h"
#include "base/text.h"
#include "look/idle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double said_least = 0.05; /* waits of others, of what resources spend themselves */
static const double longer = 1.2;   /* of repeated phases one that takes so much longer is named */
static const double far_away = 100; /* windows, from the origin of time to the trace */
static const double ratio_least = 0.1;
static const double ratio_most = 1000;

enum { NAMES_MOST = 3, NAME_MOST = 60, WORD_LEAST = 3, WORD_MOST = 16, DIGITS = 3 };

/* --- Numbers */

/* Two digits; less than all is never all, and some is never none. */
static void add_percent(oc_text *text, double share)
{
    const double percent = 100 * share;
    if (percent > 0 && percent < 0.1)
        oc_text_add(text, "< 0.1 %");
    else if (percent > 99 && percent < 100)
        oc_text_format(text, "%s %%", oc_short_digits(floor(percent * 10) / 10, DIGITS).text);
    else
        oc_text_format(text, "%s %%", oc_short_digits(percent, percent > 99 ? DIGITS : 2).text);
}

/* A sum may be of many seconds. */
static void add_sum(oc_text *text, double seconds)
{
    const double unit = seconds >= 1000 ? pow(10, floor(log10(seconds)) - (DIGITS - 1)) : 1;
    oc_text_add(text, oc_short_time(unit > 1 ? round(seconds / unit) * unit : seconds).text);
}

/* As the axis of a picture has times, or, far from its origin, from the beginning of the trace. */
static void add_window(oc_text *text, const ocelotl_model *model, double begin, double end)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const bool is_far = fabs(info.trace_begin) > far_away * (info.end - info.begin);
    const double from = is_far ? info.trace_begin : 0;
    const char *sign = is_far ? "+" : "";
    oc_text_format(text, "%s%s to %s%s", sign, oc_short_end(begin - from, end - begin).text, sign,
                   oc_short_end(end - from, end - begin).text);
}

/* --- Names */

/* Without blanks at its end, and no longer than a sentence can bear. */
static void add_name(oc_text *text, const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == ' ')
        length--;
    const bool is_long = length > NAME_MOST;
    if (is_long)
        for (length = NAME_MOST; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;)
            length--;
    oc_text_append(text, name, length);
    oc_text_add(text, is_long ? ".." : "");
}

static bool is_untraced(const oc_explained *is, const char *type)
{
    bool untraced = false;
    for (uint32_t t = 0; t < ocelotl_model_info_of(is->model).type_count && !untraced; t++) {
        const ocelotl_type one = ocelotl_model_type_at(is->model, t);
        untraced = one.untraced && strcmp(one.name, type) == 0;
    }
    return untraced;
}

static void add_type(oc_text *text, const oc_explained *is, const char *type)
{
    add_name(text, !is_untraced(is, type) ? type
                   : is->is_untraced_work ? "work between states"
                                          : "no state");
}

static uint32_t parent_of(const ocelotl_model *model, uint32_t node)
{
    return ocelotl_model_node_at(model, node).parent;
}

/* The node that people know a node by: of a lane ("~1"), or of what happens in a resource itself
 * ("."), the resource. */
static uint32_t named_of(const ocelotl_model *model, uint32_t node)
{
    const char *name = ocelotl_model_node_at(model, node).name;
    return node > 0 && (oc_explains_lane(name) || strcmp(name, ".") == 0)
               ? named_of(model, parent_of(model, node))
               : node;
}

static const char *name_of(const ocelotl_model *model, uint32_t node)
{
    const char *name = ocelotl_model_node_at(model, named_of(model, node)).name;
    return name[0] != '\0' ? name : "all";
}

/* How long a name is without the number at its end. */
static size_t measure_stem(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

/* Whether the second name is the first with the next number. */
static bool is_next(const char *first, const char *second)
{
    const size_t stem = measure_stem(first);
    const size_t digits = strlen(first + stem);
    return digits > 0 && digits < 10 && stem == measure_stem(second) &&
           strlen(second + stem) < 10 && strncmp(first, second, stem) == 0 &&
           strtoul(second + stem, NULL, 10) == strtoul(first + stem, NULL, 10) + 1;
}

/* Names nodes, or what they are in: "node 1, node 4 to node 9 and 3 more". */
static void add_names(oc_text *text, const ocelotl_model *model, const oc_finding *is, bool parents)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < is->node_count && named < NAMES_MOST; named++) {
        const uint32_t node = named_of(model, is->nodes[i]);
        const char *first = name_of(model, parents ? parent_of(model, node) : node);
        const char *last = first;
        uint32_t same = 1; /* lanes of one resource */
        while (i + same < is->node_count && named_of(model, is->nodes[i + same]) == node)
            same++;
        uint32_t row = 1;
        for (; same == 1 && i + row < is->node_count; row++) {
            const uint32_t other = named_of(model, is->nodes[i + row]);
            const char *next = name_of(model, parents ? parent_of(model, other) : other);
            if (!is_next(last, next))
                break;
            last = next;
        }
        oc_text_add(text, named == 0 ? "" : ", ");
        add_name(text, first);
        if (row > 2) {
            oc_text_add(text, " to ");
            add_name(text, last);
        }
        i += row > 2 ? row : same;
        if (named + 1 == NAMES_MOST && i < is->node_count)
            oc_text_format(text, " and %u more", is->node_count - i);
    }
}

/* What leaves are called: by the word that all their names begin with, as "rank 3" and "rank-4" do,
 * else by their kind. */
static void add_kinds(oc_text *text, const ocelotl_model *model, uint32_t count)
{
    char word[WORD_MOST + 1] = "";
    const char *kind = NULL;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t n = 0; n < info.node_count; n++) {
        const ocelotl_node node = ocelotl_model_node_at(model, n);
        if (!oc_is_leaf_of(model, n))
            continue;
        size_t length = measure_stem(node.name);
        const bool numbered = node.name[length] != '\0';
        while (length > 0 && strchr("-_ #", node.name[length - 1]) != NULL)
            length--;
        if (!numbered || length < WORD_LEAST || length > WORD_MOST ||
            (kind != NULL && (strncmp(word, node.name, length) != 0 || word[length] != '\0')))
            length = 0;
        memcpy(word, node.name, length);
        word[length] = '\0';
        kind = kind == NULL || strcmp(kind, node.kind) == 0 ? node.kind : "";
    }
    size_t letters = 0;
    while ((word[letters] >= 'a' && word[letters] <= 'z') ||
           (word[letters] >= 'A' && word[letters] <= 'Z'))
        letters++;
    const bool is_word = letters > 0 && word[letters] == '\0';
    oc_text_add_kinds(text, is_word ? word : kind != NULL ? kind : "", count);
}

/* "32 of 700 ranks" */
static void add_leaves(oc_text *text, const ocelotl_model *model, uint32_t leaves)
{
    const uint32_t count = ocelotl_model_info_of(model).leaf_count;
    if (leaves < count)
        oc_text_format(text, "%u of ", leaves);
    oc_text_format(text, "%u ", count);
    add_kinds(text, model, count);
}

/* Nodes that are siblings are in their parent, cousins in what has all of them. */
static uint32_t find_above(const ocelotl_model *model, const oc_finding *is)
{
    uint32_t above = parent_of(model, named_of(model, is->nodes[0]));
    for (uint32_t i = 1; i < is->node_count && above != OCELOTL_ROOT; i++) {
        const uint32_t leaf = ocelotl_model_node_at(model, is->nodes[i]).leaf_first;
        for (; above != OCELOTL_ROOT; above = parent_of(model, above)) {
            const ocelotl_node node = ocelotl_model_node_at(model, above);
            if (leaf - node.leaf_first < node.leaf_count)
                break;
        }
    }
    return above;
}

static void add_place(oc_text *text, const oc_explained *explained, const oc_finding *is)
{
    const ocelotl_model *model = explained->model;
    const uint32_t above = find_above(model, is);
    bool same = true;
    bool is_one = true;
    for (uint32_t i = 1; i < is->node_count; i++) {
        same &= strcmp(name_of(model, is->nodes[0]), name_of(model, is->nodes[i])) == 0;
        is_one &= named_of(model, is->nodes[0]) == named_of(model, is->nodes[i]);
    }
    same &= !is_one;
    if (is->nodes[0] == 0) {
        add_leaves(text, model, UINT32_MAX);
        return;
    }
    if (same) {
        add_name(text, name_of(model, is->nodes[0]));
        oc_text_add(text, " of ");
    }
    add_names(text, model, is, same);
    if (!same && above != 0 && above != OCELOTL_ROOT) {
        oc_text_add(text, " of ");
        add_name(text, name_of(model, above));
    }
    if (explained->spans > 0)
        return;
    oc_text_add(text, " (");
    add_leaves(text, model, is->leaves);
    oc_text_add(text, ")");
}

/* --- Sentences */

/* How many times as much something is, where that says anything, and what it is. */
static void add_times(oc_text *text, const oc_finding *is, const char *verb, const char *as)
{
    const double ratio = is->usual > 0 ? is->here / is->usual : 0;
    const bool says = ratio >= ratio_least && ratio < ratio_most;
    oc_text_format(text, " %s ", verb);
    if (says)
        oc_text_format(text, "%s times as %s (", oc_short_digits(ratio, 2).text, as);
    oc_text_add(text, is->here > 0 ? oc_short_time(is->here).text : "no time");
    oc_text_format(text, " where %s is usual%s",
                   is->usual > 0 ? oc_short_time(is->usual).text : "none", says ? ")" : "");
}

static void add_part(oc_text *text, double share, const char *of)
{
    if (share > 0)
        add_percent(text, share);
    else
        oc_text_add(text, "none");
    oc_text_add(text, of);
}

/* So many events a second, or a value. */
static void add_amount(oc_text *text, const oc_explained *explained, const oc_finding *is)
{
    const ocelotl_model_info info = ocelotl_model_info_of(explained->model);
    const double length = explained->counts ? ocelotl_slice_length(&info) : 1;
    const double ratio = is->usual > 0 ? is->here / is->usual : 0;
    const bool says = explained->counts && ratio >= ratio_least && ratio < ratio_most;
    add_type(text, explained, is->type);
    oc_text_add(text, explained->counts ? " comes " : " is ");
    if (says)
        oc_text_format(text, "%s times as often (", oc_short_digits(ratio, 2).text);
    oc_text_add(text, oc_short_digits(is->here / length, DIGITS).text);
    oc_text_format(text, "%s where %s is usual%s", explained->counts ? " times a second" : "",
                   oc_short_digits(is->usual / length, DIGITS).text, says ? ")" : "");
}

/* Less time in no state is time in some. */
static void add_share(oc_text *text, const oc_explained *explained, const oc_finding *is)
{
    const bool turned =
        !is->more && !explained->is_untraced_work && is_untraced(explained, is->type);
    if (turned)
        oc_text_add(text, "some state");
    else
        add_type(text, explained, is->type);
    oc_text_add(text, " fills ");
    add_part(text, turned ? 1 - is->here : is->here, " of the time where ");
    add_part(text, turned ? 1 - is->usual : is->usual, " is usual");
}

static void add_presence(oc_text *text, const oc_finding *is, const ocelotl_model_info *info)
{
    const bool one = is->node_count == 1;
    const bool from_begin = is->begin <= info->begin;
    const bool to_end = is->end >= info->end;
    if (from_begin && !to_end)
        oc_text_add(text, one ? "begins late" : "begin late");
    else if (to_end && !from_begin)
        oc_text_add(text, one ? "ends early" : "end early");
    else
        oc_text_add(text, one ? "is not there" : "are not there");
}

void oc_say_finding(oc_text *text, const oc_explained *explained, const oc_finding *is)
{
    const ocelotl_model_info info = ocelotl_model_info_of(explained->model);
    add_place(text, explained, is);
    oc_text_add(text, ": ");
    if (is->type != NULL && is->kind != OC_FINDING_SHARE && is->kind != OC_FINDING_FAILURE)
        add_type(text, explained, is->type);
    switch (is->kind) {
    case OC_FINDING_SHARE:
        if (explained->counts || explained->variables)
            add_amount(text, explained, is);
        else
            add_share(text, explained, is);
        break;
    case OC_FINDING_DURATION:
        add_times(text, is, "takes", "long");
        break;
    case OC_FINDING_NOISE:
        add_times(text, is, "varies", "much");
        break;
    case OC_FINDING_PRESENCE:
        add_presence(text, is, &info);
        break;
    case OC_FINDING_FAILURE:
        add_part(text, is->here, " of the spans fail where ");
        add_part(text, is->usual, " is usual");
        break;
    case OC_FINDING_STEP:
        oc_text_format(text, " comes %s after the one before where ", oc_short_time(is->here).text);
        oc_text_format(text, "%s is usual", oc_short_time(is->usual).text);
        break;
    }
    oc_text_add(text, ", ");
    if (is->times > 1)
        oc_text_format(text, "%u times%s ", is->times,
                       is->begin > is->from || is->end < is->to ? ", above all" : " from");
    add_window(text, explained->model, is->begin, is->end);
    if (is->caused > said_least * is->own) {
        oc_text_add(text, "; others wait ");
        add_sum(text, is->caused);
        oc_text_add(text, " because of it");
    }
}

static void add_types(oc_text *text, const oc_explained *is, const oc_phase *phase)
{
    oc_text_add(text, phase->types[0] == OCELOTL_NONE ? "nothing" : "");
    for (int k = 0; k < 2 && phase->types[k] != OCELOTL_NONE; k++) {
        oc_text_add(text, k == 0 ? "" : " and ");
        add_type(text, is, ocelotl_model_type_at(is->model, phase->types[k]).name);
        if (is->variables)
            continue;
        oc_text_add(text, " ");
        add_percent(text, phase->shares[k]);
    }
}

/* Each of a few GPUs, else the one that works longest, for which others wait, and the one that does
 * least. */
static void add_devices(oc_text *text, const oc_explained *is)
{
    const ocelotl_model_info info = ocelotl_model_info_of(is->model);
    const double length = info.end - info.begin;
    const oc_explained_device *of = is->devices;
    size_t said[NAMES_MOST] = {0, 1, 2};
    size_t count = is->device_count;
    bool is_explained = false;
    if (count > NAMES_MOST) {
        said[1] = 0;
        for (size_t i = 1; i < count; i++) {
            const double works = of[i].busy - of[i].collective;
            said[0] = works > of[said[0]].busy - of[said[0]].collective ? i : said[0];
            said[1] = works < of[said[1]].busy - of[said[1]].collective ? i : said[1];
        }
        oc_text_format(text, "; of %zu GPUs", count);
        count = 2;
    } else
        oc_text_add(text, count > 0 ? ";" : "");
    for (size_t i = 0; i < count; i++) {
        oc_text_add(text, i > 0 ? ", " : " ");
        /* "GPU 3 of rank 3" */
        const uint32_t node = is->devices[said[i]].node;
        const uint32_t parent = parent_of(is->model, node);
        add_name(text, name_of(is->model, node));
        if (is->device_count > 1 && parent != OCELOTL_ROOT && parent != 0) {
            oc_text_add(text, " of ");
            add_name(text, name_of(is->model, parent));
        }
        if (is->device_count > NAMES_MOST)
            oc_text_add(text, i > 0 ? " least," : " works most,");
        oc_text_add(text, i > 0 && is->device_count <= NAMES_MOST ? " " : " busy ");
        add_percent(text, of[said[i]].busy / length);
        if (of[said[i]].collective > 0) {
            oc_text_add(text, " (");
            add_percent(text, of[said[i]].collective / length);
            oc_text_add(text, is_explained ? ")" : " with collectives alone)");
            is_explained = true;
        }
    }
}

void oc_say_whole(oc_text *text, const oc_explained *is)
{
    const ocelotl_model_info info = ocelotl_model_info_of(is->model);
    if (is->spans > 0) {
        oc_text_format(text, "%u %s for %s: %.0f spans, ", is->services,
                       is->services == 1 ? "service" : "services",
                       oc_short_time(info.end - info.begin).text, is->spans);
        add_part(text, is->failed / is->spans, " of which failed");
        return;
    }
    add_leaves(text, is->model, UINT32_MAX);
    oc_text_format(text, " for %s: %s", oc_short_time(info.end - info.begin).text,
                   is->counts      ? "of the events "
                   : is->variables ? "variables, as "
                                   : "");
    add_types(text, is, &is->whole);
    add_devices(text, is);
    if (is->waited > 0) {
        oc_text_add(text, "; of ");
        add_sum(text, (info.end - info.begin) * info.leaf_count);
        oc_text_add(text, " they wait ");
        add_sum(text, is->waited);
        oc_text_add(text, " for each other");
    }
}

double oc_section_end(const oc_explained *is, const oc_section *section)
{
    return is->phases[section->first + (size_t)section->unit * section->repeats - 1].end;
}

void oc_say_section(oc_text *text, const oc_explained *is, const oc_section *section)
{
    const oc_phase *phase = &is->phases[section->first];
    add_window(text, is->model, phase->begin, oc_section_end(is, section));
    oc_text_add(text, ": ");
    if (section->repeats > 1)
        oc_text_format(text, "%u times (", section->repeats);
    for (uint32_t k = 0; k < section->unit; k++) {
        oc_text_add(text, k == 0 ? "" : ", then ");
        add_types(text, is, &phase[k]);
    }
    if (section->repeats > 1)
        oc_text_format(text, "), %s each", oc_short_time(section->median).text);
    if (section->repeats > 1 && section->most > longer * section->median)
        oc_text_format(text, "; number %u takes %s", section->longest + 1,
                       oc_short_time(section->most).text);
}
