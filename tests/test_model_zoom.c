/* Zooms: a part of the resources and a place show what the whole shows there. */
#include "test_query_trace.h"

#include "test_model_cells.h"

#include "store/trace/catalogue.h"

#include <math.h>

/* A trace that is made of known events, and a window of it whose slices are whole ticks. */
typedef struct zoomed {
    ocelotl_trace *trace;
    int64_t begin, slice; /* in ticks */
    uint32_t slices;
} zoomed;

static ocelotl_trace *write_trace(uint64_t seed)
{
    known_trace known;
    const char *path = temporary_path("zoom.db");
    unlink(path);
    known_write(&known, path, seed * 0x9E3779B97F4A7C15u, 1500);
    free(known.events);
    return must_open(path);
}

static bool is_below(const char *path, const char *top)
{
    const size_t length = strlen(top);
    return strncmp(path, top, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static void check_resources(const zoomed *z, const ocelotl_model_options *base, uint64_t *random)
{
    ocelotl_model_options all = *base;
    all.slices = z->slices;
    all.selection.from = z->begin;
    all.selection.to = z->begin + z->slices * z->slice;
    OWN_MODEL *whole = must_build(z->trace, &all);
    const uint32_t nodes = ocelotl_model_info_of(whole).node_count;
    for (int i = 0; i < 5; i++) {
        const char *paths[2] = {
            ocelotl_model_node_at(whole, 1 + check_below(random, nodes - 1)).path,
            ocelotl_model_node_at(whole, 1 + check_below(random, nodes - 1)).path};
        ocelotl_model_options options = all;
        options.selection.resources = (ocelotl_names){paths, 1 + check_below(random, 2)};
        OWN_MODEL *part = must_build(z->trace, &options);
        uint32_t expected = 0;
        for (uint32_t leaf = 0; leaf < ocelotl_model_info_of(whole).leaf_count; leaf++) {
            const char *path = cells_path(whole, leaf);
            const bool chosen =
                is_below(path, paths[0]) ||
                (options.selection.resources.count == 2 && is_below(path, paths[1]));
            expected += chosen;
            /* Alone, the own leaf of an inner resource is that resource. */
            if (chosen && strcmp(path + strlen(path) - 1, ".") != 0)
                CHECK(cells_leaf(part, path) != OCELOTL_NONE);
        }
        CHECK(ocelotl_model_info_of(part).leaf_count == expected);
        CHECK(ocelotl_model_info_of(part).resource_count == options.selection.resources.count);
        CHECK_TEXT(ocelotl_model_resource_at(part, 0), paths[0]);
        if (strcmp(paths[0] + strlen(paths[0]) - 1, ".") != 0 &&
            strcmp(paths[1] + strlen(paths[1]) - 1, ".") != 0)
            cells_check_part(part, whole, 0);
    }
}

/* The boundaries of the whole's slices around a window, counted tick by tick. */
static void check_snap(const zoomed *z, uint64_t *random)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(z->trace);
    const int64_t length = info.end - info.begin;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    options.slices = 1 + check_below(random, 20);
    options.selection.from = info.begin + check_below(random, (uint32_t)length);
    options.selection.to = options.selection.from + 1 +
                           check_below(random, (uint32_t)(info.end - options.selection.from));
    options.snap = true;
    int64_t first = 0, last = options.slices;
    while ((first + 1) * length <= (options.selection.from - info.begin) * options.slices)
        first++;
    while ((last - 1) * length >= (options.selection.to - info.begin) * options.slices)
        last--;
    OWN_MODEL *model = must_build(z->trace, &options);
    const ocelotl_model_info got = ocelotl_model_info_of(model);
    CHECK(got.from == info.begin + first * length / options.slices);
    CHECK(got.to == info.begin + (last * length + options.slices - 1) / options.slices);
    CHECK(got.zoomed == (got.from > info.begin || got.to < info.end));
    CHECK(got.trace_begin == ocelotl_trace_seconds(z->trace, info.begin));
    CHECK(got.trace_end == ocelotl_trace_seconds(z->trace, info.end));
}

/* Checks that a place covers the slices' ticks, rounded outwards, and that a model made of it is
 * that piece of the whole. */
static void check_places(const zoomed *z, const ocelotl_model_options *base, uint64_t *random)
{
    ocelotl_model_options all = *base;
    all.slices = z->slices;
    OWN_MODEL *whole = must_build(z->trace, &all);
    const ocelotl_model_info info = ocelotl_model_info_of(whole);
    const int64_t length = info.to - info.from;
    ocelotl_place place = {0};
    for (int i = 0; i < 20; i++) {
        const uint32_t node = check_below(random, info.node_count);
        const uint32_t first = check_below(random, z->slices);
        const uint32_t last = first + check_below(random, z->slices - first);
        CHECK_OK(ocelotl_model_place(&place, whole, node, first, last));
        CHECK_TEXT(place.path, ocelotl_model_node_at(whole, node).path);
        CHECK(place.resources.count == (place.path[0] != '\0'));
        CHECK(place.from == info.from + first * length / z->slices);
        CHECK(place.to == info.from + ((last + 1) * length + z->slices - 1) / z->slices);
        ocelotl_model_options options = *base;
        options.selection.from = place.from;
        options.selection.to = place.to;
        options.selection.resources = place.resources;
        options.slices = 1;
        OWN_MODEL *part = must_build(z->trace, &options);
        CHECK(ocelotl_model_info_of(part).leaf_count ==
              ocelotl_model_node_at(whole, node).leaf_count);
        CHECK(ocelotl_model_info_of(part).from == place.from &&
              ocelotl_model_info_of(part).to == place.to);
        /* The root of a zoomed model is what that was made of. */
        ocelotl_place inner = {0};
        CHECK_OK(ocelotl_model_place(&inner, part, 0, 0, 0));
        CHECK_TEXT(inner.path, "");
        CHECK(inner.resources.count == place.resources.count);
        if (inner.resources.count == 1)
            CHECK_TEXT(inner.resources.names[0], place.path);
        ocelotl_place_free(&inner);
        ocelotl_place_free(&place);
    }
    CHECK_REFUSED(ocelotl_model_place(&place, whole, info.node_count, 0, 0), "expected one");
    CHECK_REFUSED(ocelotl_model_place(&place, whole, 0, 0, z->slices), "expected a range");
    CHECK_REFUSED(ocelotl_model_place(&place, whole, 0, 1, 0), "expected a range");
}

/* --- Windows that leave time out */

/* Spans of the trace in order and apart. */
static size_t choose_spans(ocelotl_span *spans, size_t count, const ocelotl_trace_info *info,
                           uint64_t *random)
{
    const int64_t step = (info->end - info->begin) / (int64_t)(2 * count);
    for (size_t i = 0; i < count; i++) {
        const int64_t begin = info->begin + (int64_t)(2 * i) * step;
        const int64_t from = begin + check_below(random, (uint32_t)(step / 3));
        spans[i] = (ocelotl_span){from, from + 1 + check_below(random, (uint32_t)(step / 3))};
    }
    return count;
}

static const ocelotl_piece *piece_with(const ocelotl_model_info *info, uint32_t slice)
{
    uint32_t i = 0;
    while (i + 1 < info->piece_count && info->pieces[i + 1].first <= slice)
        i++;
    return &info->pieces[i];
}

/* Each piece has its span, slices of one length, and the cells of its window. */
static void check_piece(ocelotl_trace *trace, const ocelotl_model *joined, uint32_t number,
                        const ocelotl_model_options *base)
{
    const ocelotl_model_info info = ocelotl_model_info_of(joined);
    const ocelotl_piece *piece = &info.pieces[number];
    const ocelotl_span *span = &base->pieces[number];
    ocelotl_model_options options = *base;
    options.selection.from = piece->from;
    options.selection.to = piece->to;
    options.slices = piece->slices;
    OWN_MODEL *window = must_build(trace, &options);
    CHECK(piece->from <= span->from && piece->to >= span->to);
    CHECK((piece->to - piece->from) * info.pieces[0].slices ==
          (info.pieces[0].to - info.pieces[0].from) * piece->slices);
    CHECK(ocelotl_model_info_of(window).piece_count == 0);
    cells_check_part(window, joined, piece->first);
    for (uint32_t slice = 0; slice <= piece->slices; slice++) {
        const ocelotl_model_info own = ocelotl_model_info_of(window);
        const double begin = ocelotl_slice_begin(&own, slice);
        if (slice < piece->slices)
            CHECK(ocelotl_slice_begin(&info, piece->first + slice) == begin);
        if (slice > 0)
            CHECK(ocelotl_slice_end(&info, piece->first + slice) == begin);
        if (slice < piece->slices)
            CHECK(fabs(ocelotl_slice_at(&info, begin) - (piece->first + slice)) < 1e-6);
    }
}

/* What a part of several pieces is zoomed to is broken where it is asked for. */
static void check_piece_places(ocelotl_trace *trace, const ocelotl_model *joined,
                               const ocelotl_model_options *base, uint64_t *random)
{
    const ocelotl_model_info info = ocelotl_model_info_of(joined);
    ocelotl_place place = {0};
    const uint32_t first = check_below(random, info.slice_count);
    const uint32_t last = first + check_below(random, info.slice_count - first);
    const ocelotl_piece *begins = piece_with(&info, first), *ends = piece_with(&info, last);
    const int64_t slice = (begins->to - begins->from) / begins->slices;
    CHECK_OK(ocelotl_model_place(&place, joined, 0, first, last));
    CHECK(place.from == begins->from + (first - begins->first) * slice);
    CHECK(place.to == ends->from + (last + 1 - ends->first) * slice);
    ocelotl_model_options options = *base;
    options.selection.from = place.from;
    options.selection.to = place.to;
    options.slices = 1 + check_below(random, (uint32_t)slice);
    OWN_MODEL *whole = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(whole).piece_count == 0);
    options.broken = true;
    OWN_MODEL *part = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(part).piece_count <= (uint32_t)(ends - begins + 1));
    CHECK(ocelotl_model_info_of(part).from == place.from);
    CHECK(ocelotl_model_info_of(part).to == place.to);
    ocelotl_place_free(&place);
}

static void check_pieces(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = write_trace(seed);
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    ocelotl_span spans[4];
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.piece_count = choose_spans(spans, 2 + check_below(&random, 3), &info, &random);
    options.pieces = spans;
    options.hierarchy.bare = seed % 2 == 0;
    options.cells.shift = options.cells.scale = true;
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        const ocelotl_metric metric = ocelotl_metric_at(i);
        ocelotl_model *joined;
        options.cells.metric = metric.name;
        options.cells.shift = options.cells.scale = strcmp(metric.category, "variable") == 0;
        options.slices = (uint32_t)options.piece_count * 2 + check_below(&random, 12);
        if (ocelotl_model_from_trace(&joined, trace, &options) != OCELOTL_OK)
            continue;
        const ocelotl_model_info got = ocelotl_model_info_of(joined);
        CHECK(got.slice_count == options.slices && !got.zoomed);
        CHECK(got.piece_count == options.piece_count || got.piece_count == 0);
        for (uint32_t k = 0; k < got.piece_count; k++)
            check_piece(trace, joined, k, &options);
        if (got.piece_count > 0)
            check_piece_places(trace, joined, &options, &random);
        ocelotl_buffer bytes = {0};
        const ocelotl_sink sink = ocelotl_buffer_sink(&bytes);
        ocelotl_model *back;
        CHECK_OK(ocelotl_model_to_bytes(&sink, joined));
        CHECK_OK(ocelotl_model_from_bytes(&back, bytes.bytes, bytes.size));
        cells_check_same(back, joined);
        ocelotl_buffer_free(&bytes);
        ocelotl_model_free(back);
        ocelotl_model_free(joined);
    }
    options.cells = (ocelotl_cell_options){.metric = NULL};
    options.slices = 1;
    OWN_MODEL *one = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(one).piece_count == 0);
    CHECK(ocelotl_model_info_of(one).to == spans[options.piece_count - 1].to);
    spans[1].from = spans[0].to - 1;
    MUST_REFUSE(trace, &options, "a piece from tick");
}

static void check_random_trace(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    zoomed z = {.trace = write_trace(seed)};
    const ocelotl_trace_info info = ocelotl_trace_info_of(z.trace);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    options.cells.nesting = (ocelotl_nesting)check_below(&random, 2);
    options.cells.untraced = (ocelotl_untraced)check_below(&random, 2);
    z.slices = 2 + check_below(&random, 15);
    z.slice = (info.end - info.begin) / z.slices;
    z.begin = info.begin + (info.end - info.begin) % z.slices;
    check_resources(&z, &options, &random);
    check_places(&z, &options, &random);
    for (int i = 0; i < 20; i++)
        check_snap(&z, &random);
    ocelotl_trace_free(z.trace);
}

static void check_refusals(void)
{
    OWN_TRACE *trace = write_trace(7);
    ocelotl_model *model;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    const char *unknown[] = {"a%2Fb/T"};
    options.selection.resources = (ocelotl_names){unknown, 1};
    MUST_REFUSE(trace, &options, "the nearest is \"a%2Fb/t\"");
    const char *step[] = {"t"};
    options.selection.resources = (ocelotl_names){step, 1};
    MUST_REFUSE(trace, &options, "the nearest is \"a%2Fb/t\"");
    const char *root[] = {""};
    options.selection.resources = (ocelotl_names){root, 1};
    model = must_build(trace, &options);
    CHECK(!ocelotl_model_info_of(model).zoomed);
    ocelotl_model_free(model);
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= 25; seed++)
        check_random_trace(seed);
    for (uint64_t seed = 1; seed <= 12; seed++)
        check_pieces(seed);
    check_refusals();
    return 0;
}
