/* A model goes to bytes and back: the same hash, the same answers; and what is damaged is refused.
 */
#include "test_query_trace.h"

#include "base/file/digest.h"
#include "model/core/model.h"

enum { HEAD = 20 };

static ocelotl_buffer bytes_of(const ocelotl_model *model)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(ocelotl_model_to_bytes(&sink, model));
    return buffer;
}

static void check_texts(const char *one, const char *other)
{
    CHECK(one != NULL && other != NULL && strcmp(one, other) == 0);
}

static void check_nodes(const ocelotl_model *one, const ocelotl_model *other)
{
    for (uint32_t k = 0; k < ocelotl_model_info_of(one).node_count; k++) {
        const ocelotl_node a = ocelotl_model_node_at(one, k);
        const ocelotl_node b = ocelotl_model_node_at(other, k);
        check_texts(a.name, b.name);
        check_texts(a.path, b.path);
        check_texts(a.kind, b.kind);
        CHECK(a.source == b.source && a.parent == b.parent && a.depth == b.depth);
        CHECK(a.leaf_first == b.leaf_first && a.leaf_count == b.leaf_count);
        CHECK(a.begin == b.begin && a.end == b.end && a.alike == b.alike);
        CHECK(a.row_first == b.row_first && a.row_count == b.row_count);
    }
}

static void check_values(const ocelotl_model *one, const ocelotl_model *other)
{
    const ocelotl_model_info info = ocelotl_model_info_of(one);
    double *values[2] = {calloc(info.type_count + 1, sizeof(double)),
                         calloc(info.type_count + 1, sizeof(double))};
    for (uint32_t k = 0; k < info.node_count; k++)
        for (uint32_t t = 0; t < info.slice_count; t += 3) {
            CHECK_OK(ocelotl_model_values(values[0], one, k, t, info.slice_count - 1));
            CHECK_OK(ocelotl_model_values(values[1], other, k, t, info.slice_count - 1));
            CHECK(memcmp(values[0], values[1], info.type_count * sizeof(double)) == 0);
        }
    free(values[0]);
    free(values[1]);
}

static void check_places(const ocelotl_model *one, const ocelotl_model *other)
{
    const ocelotl_model_info info = ocelotl_model_info_of(one);
    for (uint32_t k = 0; k < info.node_count; k++) {
        ocelotl_place a, b;
        CHECK_OK(ocelotl_model_place(&a, one, k, 0, info.slice_count - 1));
        CHECK_OK(ocelotl_model_place(&b, other, k, 0, info.slice_count - 1));
        check_texts(a.path, b.path);
        CHECK(a.from == b.from && a.to == b.to && a.resources.count == b.resources.count);
        for (size_t i = 0; i < a.resources.count; i++)
            check_texts(a.resources.names[i], b.resources.names[i]);
        ocelotl_place_free(&a);
        ocelotl_place_free(&b);
    }
}

static void check_info(const ocelotl_model *one, const ocelotl_model *other)
{
    const ocelotl_model_info a = ocelotl_model_info_of(one);
    const ocelotl_model_info b = ocelotl_model_info_of(other);
    const char *const texts[][2] = {{a.name, b.name},
                                    {a.uid, b.uid},
                                    {a.metric, b.metric},
                                    {a.unit, b.unit},
                                    {a.caption, b.caption},
                                    {a.filters, b.filters},
                                    {a.state_type, b.state_type},
                                    {a.slices_reason, b.slices_reason},
                                    {a.grouping, b.grouping},
                                    {a.hierarchy, b.hierarchy},
                                    {a.values_reason, b.values_reason},
                                    {a.types_reason, b.types_reason}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_texts(texts[i][0], texts[i][1]);
    CHECK(a.has_time == b.has_time && a.zoomed == b.zoomed && a.additive == b.additive);
    CHECK(a.begin == b.begin && a.end == b.end && a.from == b.from && a.to == b.to);
    CHECK(a.trace_begin == b.trace_begin && a.trace_end == b.trace_end && a.empty == b.empty);
    CHECK(a.resource_count == b.resource_count && a.leaves_left_out == b.leaves_left_out);
    CHECK(a.nesting == b.nesting && a.untraced == b.untraced && a.slices_wanted == b.slices_wanted);
    CHECK(a.nesting_depth == b.nesting_depth && a.row_count == b.row_count);
    for (uint32_t i = 0; i < a.resource_count; i++)
        check_texts(ocelotl_model_resource_at(one, i), ocelotl_model_resource_at(other, i));
    for (uint32_t x = 0; x < a.type_count; x++) {
        const ocelotl_type first = ocelotl_model_type_at(one, x);
        const ocelotl_type second = ocelotl_model_type_at(other, x);
        check_texts(first.name, second.name);
        CHECK(first.colour == second.colour && first.untraced == second.untraced);
        CHECK(first.low == second.low && first.high == second.high);
    }
    const ocelotl_type_names *names = ocelotl_model_type_names(one);
    const ocelotl_type_names *same = ocelotl_model_type_names(other);
    CHECK(ocelotl_type_names_count(names) == ocelotl_type_names_count(same));
    for (uint32_t i = 0; i < ocelotl_type_names_count(names); i++) {
        check_texts(ocelotl_type_names_at(names, i).name, ocelotl_type_names_at(same, i).name);
        CHECK(ocelotl_type_names_at(names, i).types == ocelotl_type_names_at(same, i).types);
    }
}

static void check_round(const ocelotl_model *model)
{
    ocelotl_buffer buffer = bytes_of(model);
    ocelotl_model *back;
    CHECK_OK(ocelotl_model_from_bytes(&back, buffer.bytes, buffer.size));
    CHECK(ocelotl_model_hash(back) == ocelotl_model_hash(model));
    check_nodes(model, back);
    check_values(model, back);
    check_places(model, back);
    check_info(model, back);
    ocelotl_buffer again = bytes_of(back);
    CHECK(again.size == buffer.size && memcmp(again.bytes, buffer.bytes, buffer.size) == 0);
    ocelotl_buffer_free(&again);
    ocelotl_buffer_free(&buffer);
    ocelotl_model_free(back);
}

/* What is read back solves to the same partition. */
static void check_solved(const ocelotl_model *model)
{
    ocelotl_buffer buffer = bytes_of(model);
    const ocelotl_model *models[] = {model, NULL};
    ocelotl_model *back;
    ocelotl_partition_info found[2];
    CHECK_OK(ocelotl_model_from_bytes(&back, buffer.bytes, buffer.size));
    models[1] = back;
    for (int i = 0; i < 2; i++) {
        ocelotl_aggregation *aggregation = must_aggregate(models[i], NULL);
        ocelotl_partition *partition = must_solve(aggregation, 0.4);
        found[i] = ocelotl_partition_info_of(partition);
        ocelotl_partition_free(partition);
        ocelotl_aggregation_free(aggregation);
    }
    CHECK(found[0].part_count == found[1].part_count && found[0].gain == found[1].gain &&
          found[0].loss == found[1].loss);
    ocelotl_buffer_free(&buffer);
    ocelotl_model_free(back);
}

static ocelotl_model_options options_of(int way, uint32_t metric)
{
    static const char *const resources[] = {"a%2Fb/t"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 10;
    options.cells.metric = ocelotl_metric_at(metric).name;
    options.cells.shift = options.cells.scale =
        strcmp(ocelotl_metric_at(metric).category, "variable") == 0;
    if (way == 1)
        options.hierarchy.max_leaves = 2;
    if (way == 2)
        options.hierarchy.reuse_rows = true;
    if (way == 3)
        options.hierarchy.bare = true;
    if (way == 4)
        options.hierarchy.cluster = true;
    if (way == 5)
        options.selection.except_resources = (ocelotl_names){resources, 1};
    return options;
}

static void check_trace(uint64_t seed)
{
    known_trace known = {0};
    known_write(&known, temporary_path("bytes.db"), seed, 400);
    OWN_TRACE *trace = must_open(temporary_path("bytes.db"));
    uint32_t made = 0;
    for (uint32_t metric = 0; metric < ocelotl_metric_count(); metric++)
        for (int way = 0; way < 6; way++) {
            const ocelotl_model_options options = options_of(way, metric);
            ocelotl_model *model;
            if (ocelotl_model_from_trace(&model, trace, &options) != OCELOTL_OK)
                continue;
            made++;
            check_round(model);
            check_solved(model);
            ocelotl_model_free(model);
        }
    CHECK(made > 20);
    free(known.events);
    temporary_files(true);
}

static ocelotl_model *small_model(void)
{
    static const uint32_t parents[] = {OCELOTL_ROOT, 0, 0, 1, 1};
    static const char *const names[] = {"", "a", "b", "c/%", "d"};
    static const ocelotl_cell cells[] = {{3, 0, 0, 0.5}, {3, 1, 1, 0x1p-1060}, {4, 1, 2, 3}};
    return must_take_cells(NULL, 5, parents, names, 2, NULL, 3, cells, 3);
}

static void set_checksum(unsigned char *bytes, size_t size)
{
    const uint64_t sum = oc_checksum(bytes + HEAD, size - HEAD, 1);
    for (int i = 0; i < 8; i++)
        bytes[HEAD - 8 + i] = (unsigned char)(sum >> 8 * i);
}

/* Every byte that changes is found by the checksum; and with a good checksum nothing crashes. */
static void check_damage(void)
{
    OWN_MODEL *model = small_model();
    ocelotl_model *back;
    check_round(model);
    ocelotl_buffer buffer = bytes_of(model);
    unsigned char *bytes = malloc(buffer.size);
    CHECK(bytes != NULL);
    uint32_t taken = 0;
    for (size_t i = 0; i < buffer.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(bytes, buffer.bytes, buffer.size);
            bytes[i] ^= (unsigned char)(1 << bit);
            CHECK(ocelotl_model_from_bytes(&back, bytes, buffer.size) == OCELOTL_ERROR_INPUT);
            if (i < HEAD)
                continue;
            set_checksum(bytes, buffer.size);
            if (ocelotl_model_from_bytes(&back, bytes, buffer.size) != OCELOTL_OK)
                continue;
            taken++;
            ocelotl_model_free(back);
        }
    for (size_t size = 0; size < buffer.size; size++) {
        memcpy(bytes, buffer.bytes, size);
        if (size >= HEAD)
            set_checksum(bytes, size);
        CHECK(ocelotl_model_from_bytes(&back, bytes, size) == OCELOTL_ERROR_INPUT);
    }
    fprintf(stderr, "%u of %zu changes are other models\n", taken, 8 * (buffer.size - HEAD));
    free(bytes);
    ocelotl_buffer_free(&buffer);
}

static void check_heads(void)
{
    OWN_MODEL *model = small_model();
    ocelotl_model *back;
    ocelotl_buffer buffer = bytes_of(model);
    CHECK_FAILS(ocelotl_model_from_bytes(&back, "path,type,slice,value", 21), OCELOTL_ERROR_INPUT,
                "no bytes of a model");
    buffer.bytes[8] = 9;
    CHECK_FAILS(ocelotl_model_from_bytes(&back, buffer.bytes, buffer.size), OCELOTL_ERROR_INPUT,
                "version 9, expected 3");
    buffer.bytes[8] = 3;
    buffer.bytes[HEAD + 2] ^= 1;
    CHECK_FAILS(ocelotl_model_from_bytes(&back, buffer.bytes, buffer.size), OCELOTL_ERROR_INPUT,
                "their checksum is another");
    ocelotl_buffer_free(&buffer);
}

int main(void)
{
    temporary_begin();
    check_damage();
    check_heads();
    for (uint64_t seed = 1; seed <= 3; seed++)
        check_trace(seed);
    return 0;
}
