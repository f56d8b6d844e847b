/* brief: the most detailed partition whose text fits a number of bytes (docs/brief.md). */
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 2000,
    LONG_NAME = 24,  /* bytes; a longer name of a type is written once */
    FINEST = 1000000 /* p is sought in steps of one of so many */
};

static const double second_least = 0.1; /* of a part's second type, as a share of its cells */

/* A partition as it is written. */
typedef struct brief {
    const ocelotl_partition *partition;
    const ocelotl_model *model;
    ocelotl_model_info info;
    double unit; /* of times, in seconds */
    const char *unit_name;
    int decimals;
    uint32_t *long_types; /* the numbers of types with long names; 0: not written yet */
    uint32_t long_count;
    const char *prefix; /* of the paths of nodes, with its length */
    size_t prefix_length;
    uint32_t node; /* of the line before */
} brief;

/* --- Lines */

/* Times have as many decimals as tell a tenth of a slice. */
static void choose_unit(brief *of)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    const double longest = fmax(fabs(of->info.begin), fabs(of->info.end));
    const double slice = (of->info.end - of->info.begin) / fmax(of->info.slice_count, 1);
    size_t i = 0;
    while (i + 1 < OC_COUNT_OF(units) && longest < units[i].unit)
        i++;
    of->unit = units[i].unit;
    of->unit_name = units[i].name;
    of->decimals = slice > 0 ? (int)fmin(fmax(ceil(1 - log10(slice / of->unit)), 0), 12) : 0;
}

/* The path of a line's parent is written where it changes, as a shell changes folders. */
static void add_parent(oc_output *out, brief *of, const char *path, size_t length)
{
    size_t shared = 0;
    size_t ups = 0;
    for (size_t i = 0; i < length && i < of->prefix_length && path[i] == of->prefix[i]; i++)
        shared = path[i] == '/' ? i + 1 : shared;
    for (size_t i = shared; i < of->prefix_length; i++)
        ups += of->prefix[i] == '/';
    if (length == of->prefix_length && shared == length)
        return;
    const bool anew = ups * strlen("../") > shared;
    if (anew)
        oc_output_add(out, "/");
    for (size_t i = 0; i < ups && !anew; i++)
        oc_output_add(out, "../");
    oc_output_append_visible(out, path + (anew ? 0 : shared), length - (anew ? 0 : shared));
    oc_output_add(out, "\n");
    of->prefix = path;
    of->prefix_length = length;
}

static void add_type(oc_output *out, brief *of, uint32_t type, double share)
{
    const char *name = ocelotl_model_type_at(of->model, type).name;
    const bool is_long = strlen(name) > LONG_NAME;
    const bool again = of->long_types[type] > 0;
    oc_output_add(out, "\t");
    if (is_long && !again)
        of->long_types[type] = ++of->long_count;
    if (is_long)
        oc_output_format(out, "*%u", of->long_types[type]);
    if (!again)
        oc_output_print(out, is_long ? "=%s" : "%s", name);
    if (of->info.has_time && strcmp(of->info.unit, "share") != 0)
        oc_output_print(out, " %s", oc_short_digits(share, 3).text);
    else
        oc_output_print(out,
                        share < 0.01   ? " <1%%"
                        : share >= 1   ? " 100%%"
                        : share > 0.99 ? " >99%%"
                                       : " %s%%",
                        oc_short_digits(share * 100, 1).text);
}

/* The type that a part has most of is that of `parts`; the next may be time in no state. */
static ocelotl_status add_types(oc_output *out, brief *of, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(of->partition, number);
    ocelotl_leading_type first;
    uint32_t second = OCELOTL_NONE;
    double value, sum = 0;
    OC_TRY(ocelotl_partition_leading_type(&first, of->partition, number));
    for (uint32_t type = 0; part.shares != NULL && type < of->info.type_count; type++) {
        sum += part.shares[type];
        if (type != first.type && part.shares[type] > 0 &&
            (second == OCELOTL_NONE || part.shares[type] > part.shares[second]))
            second = type;
    }
    if (first.type == OCELOTL_NONE)
        oc_output_add(out, "\t-");
    else
        add_type(out, of, first.type, first.share);
    const double whole = !of->info.has_time || strcmp(of->info.unit, "share") != 0 ? sum : 1;
    if (second == OCELOTL_NONE || !(part.shares[second] >= second_least * whole))
        return OCELOTL_OK;
    OC_TRY(ocelotl_partition_value(&value, of->partition, number, second));
    add_type(out, of, second, of->info.has_time ? value : value / sum);
    return OCELOTL_OK;
}

static ocelotl_status add_part(oc_output *out, brief *of, size_t number)
{
    char times[100];
    const ocelotl_part part = ocelotl_partition_part_at(of->partition, number);
    const char *path = ocelotl_model_node_at(of->model, part.node).path;
    const bool again = number > 0 && part.node == of->node;
    const char *last = strrchr(path, '/');
    if (path[0] != '\0' && !again)
        add_parent(out, of, path, last != NULL ? (size_t)(last + 1 - path) : 0);
    of->node = part.node;
    oc_output_print(out, "%zu\t%s", number,
                    again             ? "\""
                    : path[0] == '\0' ? "(whole)"
                                      : path + of->prefix_length);
    if (part.first == 0 && part.last + 1 == of->info.slice_count)
        oc_output_add(out, "\tall");
    else if (!of->info.has_time)
        oc_output_format(out, "\t%u..%u", part.first, part.last);
    else {
        (void)oc_plain_print(times, sizeof times, "\t%.*f..%.*f", of->decimals,
                             ocelotl_slice_begin(&of->info, part.first) / of->unit, of->decimals,
                             ocelotl_slice_end(&of->info, part.last + 1.0) / of->unit);
        oc_output_add(out, times);
    }
    OC_TRY(add_types(out, of, number));
    oc_output_add(out, "\n");
    return OCELOTL_OK;
}

/* Writes a partition, or its beginning where it is longer than `most`. */
static ocelotl_status write_partition(oc_text *text, const ocelotl_partition *partition,
                                      size_t most)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    brief of = {partition, model, ocelotl_model_info_of(model), .prefix = ""};
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    oc_output out = {.text = *text};
    OC_TRY(oc_allocate(&of.long_types, of.info.type_count, sizeof *of.long_types));
    oc_text_clear(&out.text);
    choose_unit(&of);
    const ocelotl_partition_info info = ocelotl_partition_info_of(of.partition);
    const double length = of.info.end - of.info.begin;
    oc_output_print(&out, "%s: ", of.info.name);
    if (of.info.has_time)
        oc_output_print(&out, "%s to %s, ", oc_short_end(of.info.begin, length).text,
                        oc_short_end(of.info.end, length).text);
    oc_output_format(&out, of.info.leaf_count == 1 ? "1 leaf\n" : "%u leaves\n",
                     of.info.leaf_count);
    oc_output_print(&out, "--p %s: %zu %s, %s of the variation is inside them\n",
                    oc_digits(info.p).text, info.part_count,
                    info.part_count == 1 ? "part" : "parts",
                    oc_short_percent(info.whole_loss > 0 ? info.loss / info.whole_loss : 0).text);
    oc_output_print(&out, "part\tplace\t%s\ttypes\n", of.info.has_time ? of.unit_name : "slices");
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0;
         i < count && out.text.length <= most && !out.text.failed && status == OCELOTL_OK; i++)
        status = add_part(&out, &of, i);
    *text = out.text;
    free(of.long_types);
    return text->failed ? oc_fail_memory() : status != OCELOTL_OK ? status : out.status;
}

/* --- The partition that fits */

/* Texts of partitions by p, in millionths: that at `high` fits, that at `low` is too long. */
typedef struct search {
    const ocelotl_aggregation *aggregation;
    size_t most;
    long low, high;
    size_t low_parts, high_parts;
    double high_loss;
    oc_text fits, tried;
} search;

/* A p between both that is not near either, of few digits. */
static long choose_p(const search *in)
{
    const long margin = (in->high - in->low) / 4;
    for (long step = FINEST / 10; step > 1; step /= 10) {
        const long p = (in->high - margin) / step * step;
        if (p >= in->low + margin && p > in->low && p < in->high)
            return p;
    }
    return in->low + (in->high - in->low) / 2;
}

/* Of one partition at several p the first is kept, which has the fewest digits. */
static void take(search *in, const ocelotl_partition *partition, long p)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const oc_text spare = in->fits;
    if (in->tried.length > in->most) {
        in->low = p;
        in->low_parts = info.part_count;
        return;
    }
    in->high = p;
    if (info.part_count == in->high_parts && info.loss == in->high_loss)
        return;
    in->high_parts = info.part_count;
    in->high_loss = info.loss;
    in->fits = in->tried;
    in->tried = spare;
}

static ocelotl_status try_p(search *in, long p, size_t most)
{
    ocelotl_partition *partition = NULL;
    OC_TRY(ocelotl_solve(&partition, in->aggregation, (double)p / FINEST));
    const ocelotl_status status = write_partition(&in->tried, partition, most);
    if (status == OCELOTL_OK)
        take(in, partition, p);
    ocelotl_partition_free(partition);
    return status;
}

/* Seeks between one part, and the level that is asked for: the most detailed without it. */
static ocelotl_status find_partition(search *in, const ocelotl_partition *finest)
{
    OC_TRY(try_p(in, FINEST, SIZE_MAX));
    if (in->high != FINEST)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--bytes is %zu, expected at least %zu, which the trace as one part takes",
                       in->most, in->tried.length);
    in->low = -1;
    in->low_parts = SIZE_MAX;
    if (finest != NULL) {
        const long p = (long)(ocelotl_partition_info_of(finest).p * FINEST);
        OC_TRY(write_partition(&in->tried, finest, in->most));
        take(in, finest, p);
        if (in->high == p)
            return OCELOTL_OK;
    }
    while (in->high - in->low > 1 && in->high_parts + 1 < in->low_parts)
        OC_TRY(try_p(in, choose_p(in), in->most));
    return OCELOTL_OK;
}

static ocelotl_status find_text(search *in, ocelotl_answer *answer)
{
    ocelotl_partition *finest = NULL;
    if (answer->request->detail.option != NULL)
        OC_TRY(ocelotl_session_partition(&finest, answer->session, answer->request));
    ocelotl_status status =
        ocelotl_session_aggregation(&in->aggregation, answer->session, answer->request);
    if (status == OCELOTL_OK)
        status = find_partition(in, finest);
    ocelotl_partition_free(finest);
    return status;
}

/* Sentences take what the level leaves: none costs a part. They stand behind the second line. */
static ocelotl_status add_sentences(search *in, ocelotl_answer *answer)
{
    if (answer->trace == NULL)
        return OCELOTL_OK;
    const char *parts = strchr(strchr(in->fits.bytes, '\n') + 1, '\n') + 1;
    oc_text_clear(&in->tried);
    oc_text_append(&in->tried, in->fits.bytes, (size_t)(parts - in->fits.bytes));
    OC_TRY(oc_explain_briefly(&in->tried, answer, in->most - in->fits.length));
    oc_text_add(&in->tried, parts);
    const oc_text spare = in->fits;
    in->fits = in->tried;
    in->tried = spare;
    return in->fits.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    search in = {.most = answer->request->bytes > 0 ? answer->request->bytes : BYTES};
    ocelotl_status status = find_text(&in, answer);
    if (status == OCELOTL_OK)
        status = add_sentences(&in, answer);
    oc_text_free(&in.tried);
    if (status == OCELOTL_OK)
        answer->found = in.fits.bytes;
    else
        oc_text_free(&in.fits);
    return status;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    (void)form;
    return oc_sink_write(sink, answer->found, strlen(answer->found));
}

static void free_found(ocelotl_answer *answer)
{
    free(answer->found);
}

const oc_question oc_brief_question = {
    .command = "brief",
    .answering = {.forms = OC_FORM(TEXT)},
    .of_matrix = true,
    .find = find,
    .write = write,
    .free = free_found,
};
