/* Rectangles as records: against the boxes of the SVG; levels that are known for an interval of p:
 * against a fresh solve. On traces of the examples. */
#include "temporary.h"

#include "viz/overview/overview.h"
#include "viz/scene/backend.h"

enum { RANDOM_P = 1000 };

/* A trace, and how it is looked at. */
typedef struct look {
    const char *path, *slices, *metric, *kind;
} look;

static const look looks[] = {
    {"examples/smpi-stencil-96.trace.zst", "60", NULL, NULL},
    {"tests/data/smpi-stencil-96-plain.trace.zst", "60", NULL, NULL},
    {"tests/data/smpi-stencil-700.trace.zst", "30", NULL, NULL},
    {"examples/gstreamer-burst.log.zst", "50", NULL, NULL},
    {"examples/gstreamer-calm.log.zst", "40", "event-count", NULL},
    {"examples/smpi-stencil-96.trace.zst", "300", NULL, "temporal"},
};

enum { LOOKS = sizeof looks / sizeof looks[0] };

typedef struct opened {
    ocelotl_session *session;
    ocelotl_request *request;
    const ocelotl_aggregation *aggregation;
} opened;

static void begin(opened *of, const look *at)
{
    char path[1200];
    const char *root = getenv("OCELOTL_ROOT");
    snprintf(path, sizeof path, "%s/%s", root != NULL ? root : "..", at->path);
    *of = (opened){NULL, NULL, NULL};
    CHECK_OK(ocelotl_request_new(&of->request, "overview"));
    CHECK_OK(ocelotl_request_set(of->request, "no-cache", NULL));
    CHECK_OK(ocelotl_request_set(of->request, "slices", at->slices));
    if (at->metric != NULL)
        CHECK_OK(ocelotl_request_set(of->request, "metric", at->metric));
    if (at->kind != NULL)
        CHECK_OK(ocelotl_request_set(of->request, "kind", at->kind));
    CHECK_OK(ocelotl_session_open(&of->session, path, of->request, NULL));
    CHECK_OK(ocelotl_session_aggregation(&of->aggregation, of->session, of->request));
}

static void end(opened *of)
{
    ocelotl_session_free(of->session);
    ocelotl_request_free(of->request);
}

/* --- Numbers of the bytes */

static uint32_t word(const char *bytes, size_t at, size_t size)
{
    uint32_t number = 0;
    for (size_t i = size; i-- > 0;)
        number = number << 8 | (unsigned char)bytes[at + i];
    return number;
}

static double number(const char *bytes, size_t at)
{
    const uint64_t bits = (uint64_t)word(bytes, at + 4, 4) << 32 | word(bytes, at, 4);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* --- Against the SVG */

typedef struct drawn {
    oc_text svg;
    oc_shown shown;
} drawn;

static void draw(drawn *to, const ocelotl_partition *partition,
                 const ocelotl_picture_options *options)
{
    oc_overview_input input = {.shown = &to->shown};
    oc_scene scene = {.fragment = 1};
    oc_picture picture;
    ocelotl_part *parts = NULL;
    CHECK_OK(oc_picture_read(&picture, &(oc_target){0}, options));
    CHECK_OK(oc_overview_gather(&input, &parts, partition));
    CHECK_OK(oc_view_find(&input.view, input.partition.kind, "mode"));
    CHECK_OK(oc_expansion_find(&input.visible, &input.expanded, input.model, options));
    CHECK_OK(oc_overview_lay_out(&scene, &picture, &input));
    CHECK_OK(oc_backend_svg.encode(&to->svg, &scene));
    oc_scene_free(&scene);
    oc_picture_free(&picture);
    free(parts);
}

typedef struct box {
    int x, y, width, height;
} box;

/* Reads the boxes by their number in the picture; returns their count. */
static size_t read_boxes(box *boxes, const drawn *from)
{
    size_t count = 0;
    for (const char *at = from->svg.bytes; (at = strstr(at, " data-part=\"")) != NULL; at++) {
        const char *open = at;
        box is;
        int back;
        unsigned which;
        while (*open != '<')
            open--;
        CHECK(sscanf(open, "<path d=\"M%d %dh%dv%dh%dz", &is.x, &is.y, &is.width, &is.height,
                     &back) == 5 ||
              sscanf(open, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", &is.x, &is.y,
                     &is.width, &is.height) == 4);
        CHECK(sscanf(at, " data-part=\"%u", &which) == 1);
        CHECK(which >= 1 && which <= OCELOTL_RECORDS_MOST);
        boxes[which - 1] = is;
        count++;
    }
    return count;
}

static int place(uint32_t from, uint32_t first, uint32_t count, int size)
{
    return (int)lround(((double)from - first) / count * size);
}

/* Lines between parts take a pixel, and what is thinner than one has one. */
static void check_box(const char *bytes, size_t index, const ocelotl_model *model,
                      const oc_shown *shown, const box *is)
{
    const oc_frame *frame = &shown->frame;
    const size_t at = OCELOTL_RECORDS_HEADER + index * OCELOTL_RECORD_SIZE;
    const uint32_t first = word(bytes, 0, 2), slices = word(bytes, 2, 2);
    const uint32_t top = word(bytes, 56, 4);
    const oc_row_nodes rows = {
        .row_count = word(bytes, 60, 4), .folds = shown->folds, .fold_count = shown->fold_count};
    const ocelotl_node node = ocelotl_model_node_at(model, word(bytes, at, 4));
    const uint32_t row = node.row_first > top ? node.row_first : top;
    const int x = frame->left + place(word(bytes, at + 4, 2), first, slices, frame->width);
    const int right = frame->left + place(word(bytes, at + 6, 2) + 1, first, slices, frame->width);
    const int y = oc_row_y(frame, &rows, row - top);
    const int bottom = oc_row_y(frame, &rows, row + word(bytes, at + 8, 4) - top);
    CHECK(abs(x - is->x) <= 1 && abs(y - is->y) <= 1);
    CHECK(abs(right - is->x - is->width) <= 1 && abs(bottom - is->y - is->height) <= 1);
}

/* What a record says of its parts is what the picture shows of them. */
static void check_words(const char *bytes, size_t index, size_t count, const oc_shown_part *shown,
                        const drawn *from, bool of_shares)
{
    const size_t at = OCELOTL_RECORDS_HEADER + index * OCELOTL_RECORD_SIZE;
    const uint32_t flags = word(bytes, at + 14, 2);
    const size_t parts = flags >> OCELOTL_RECORD_PARTS_SHIFT;
    const uint32_t type = word(bytes, at + 12, 1);
    double largest = 0;
    uint32_t leading = 255;
    const uint32_t begin = word(bytes, 0, 2), after = begin + word(bytes, 2, 2);
    CHECK(word(bytes, at + 4, 2) == (shown->first > begin ? shown->first : begin));
    CHECK(word(bytes, at + 6, 2) == (shown->last < after ? shown->last : after - 1));
    CHECK(parts ==
          (shown->parts < OCELOTL_RECORD_PARTS_MOST ? shown->parts : OCELOTL_RECORD_PARTS_MOST));
    CHECK(((flags & OCELOTL_RECORD_MERGED) != 0) == (shown->parts > 1));
    CHECK(word(bytes, OCELOTL_RECORDS_HEADER + count * OCELOTL_RECORD_SIZE + index * 4, 4) ==
          shown->number);
    if ((flags & OCELOTL_RECORD_SIBLINGS) == 0)
        CHECK(word(bytes, at, 4) == shown->node);
    for (size_t i = 0; i < shown->share_count; i++) {
        const oc_shown_share *share = &from->shown.shares[shown->share_first + i];
        if (!from->shown.types[share->type].type.untraced && share->share > largest) {
            largest = share->share;
            leading = share->type;
        }
    }
    CHECK(type == leading);
    const size_t rest = OCELOTL_RECORDS_HEADER + count * (OCELOTL_RECORD_SIZE + 4) + index;
    const double share = fmin(1, largest);
    char said[32], wanted[32];
    snprintf(said, sizeof said, "%.2f", word(bytes, at + 13, 1) + word(bytes, rest, 1) / 100.0);
    snprintf(wanted, sizeof wanted, "%.2f", 100 * share);
    if (of_shares)
        CHECK_TEXT(said, wanted);
}

/* With a texture a byte for each follows, and nothing else changes. */
static void check_texture(const ocelotl_partition *partition, const ocelotl_picture_options *plot,
                          const ocelotl_buffer *plain, size_t count)
{
    ocelotl_buffer dotted = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&dotted);
    ocelotl_picture_options options = *plot;
    const double p = ocelotl_partition_info_of(partition).p;
    options.texture = OCELOTL_TEXTURE_LOSS;
    CHECK_OK(ocelotl_records_write(&sink, partition, p, p, &options));
    CHECK(dotted.size == plain->size + count);
    CHECK(memcmp(dotted.bytes, plain->bytes, plain->size) == 0);
    if (count == 1 && ocelotl_partition_info_of(partition).whole_loss > 0)
        CHECK((unsigned char)dotted.bytes[plain->size] == 255);
    ocelotl_buffer_free(&dotted);
}

static void check_drawn(const ocelotl_partition *partition, const ocelotl_picture_options *options)
{
    static box boxes[OCELOTL_RECORDS_MOST];
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_picture_options plot = *options;
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    drawn to = {0};
    draw(&to, partition, options);
    plot.width = to.shown.frame.width;
    plot.height = to.shown.frame.height;
    CHECK_OK(ocelotl_records_write(&sink, partition, info.p, info.p, &plot));
    const size_t count = word(buffer.bytes, 8, 4);
    const size_t said = OCELOTL_RECORDS_HEADER + count * (OCELOTL_RECORD_SIZE + 6);
    const size_t words = word(buffer.bytes, said, 2);
    CHECK(buffer.size == said + 2 + words);
    CHECK(words == 0 || strncmp(buffer.bytes + said + 2, "shades: ", 8) == 0 ||
          strncmp(buffer.bytes + said + 2, "full colour: ", 13) == 0);
    CHECK(word(buffer.bytes, 4, 4) == info.part_count);
    CHECK(number(buffer.bytes, 40) == info.gain && number(buffer.bytes, 48) == info.loss);
    CHECK(read_boxes(boxes, &to) == count && to.shown.part_count == count);
    for (size_t i = 0; i < count; i++) {
        check_box(buffer.bytes, i, model, &to.shown, &boxes[i]);
        check_words(buffer.bytes, i, count, &to.shown.parts[i], &to,
                    strcmp(ocelotl_model_info_of(model).unit, "share") == 0);
    }
    check_texture(partition, &plot, &buffer, count);
    oc_text_free(&to.svg);
    oc_shown_free(&to.shown);
    ocelotl_buffer_free(&buffer);
}

static void test_boxes(const opened *of)
{
    static const double all[] = {0, 0.1, 0.3, 0.5, 0.7, 1};
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const bool temporal = ocelotl_aggregation_kind(of->aggregation) == OCELOTL_TEMPORAL;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ocelotl_partition *partition = must_solve(of->aggregation, all[i]);
        options.width = i % 2 == 0 ? 1040 : 700;
        options.height = i % 2 == 0 ? 720 : 400;
        options.smallest = i == 1 ? 9 : 0;
        options.expand_from = options.expand_to = 0;
        options.view = "mode";
        check_drawn(partition, &options);
        if (!temporal) {
            const ocelotl_model_info model =
                ocelotl_model_info_of(ocelotl_partition_model(partition));
            options.expand_from = model.begin + (model.end - model.begin) * 0.3;
            options.expand_to = model.begin + (model.end - model.begin) * 0.8;
            options.expand = ocelotl_model_node_at(ocelotl_partition_model(partition), 1).path;
            check_drawn(partition, &options);
            options.expand = NULL;
        }
        ocelotl_partition_free(partition);
    }
}

/* --- Levels that are known */

/* Draws a p at which a level is known to be best: anywhere, or close to an end. */
static double draw_p(const ocelotl_level *level, uint64_t *state)
{
    const double share = check_below(state, 1000000) / 1e6;
    const double range = level->known_to - level->known_from;
    switch (check_below(state, 3)) {
    case 0:
        return level->known_from + range * share * 1e-9;
    case 1:
        return fmax(level->known_from, level->known_to - range * share * 1e-9);
    default:
        return fmin(level->known_to, level->known_from + range * share);
    }
}

static ocelotl_buffer records_of(const ocelotl_aggregation *aggregation, double p)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_picture_options plot = OCELOTL_PICTURE_OPTIONS_INIT;
    plot.width = 900;
    plot.height = 600;
    ocelotl_partition *partition = must_solve(aggregation, p);
    CHECK_OK(ocelotl_records_write(&sink, partition, 0, 1, &plot));
    memset(buffer.bytes + 16, 0, 8); /* p itself */
    ocelotl_partition_free(partition);
    return buffer;
}

static void test_known(const opened *of, uint64_t seed)
{
    size_t wide = 0;
    ocelotl_levels *levels = must_find_levels(of->aggregation, NULL);
    const size_t count = ocelotl_levels_info_of(levels).count;
    ocelotl_buffer *known = calloc(count, sizeof *known);
    size_t *ranges =
        calloc(count, sizeof *ranges); /* the levels that are known for more than a p */
    CHECK(known != NULL && ranges != NULL);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        CHECK(level.known_from <= level.p && level.p <= level.known_to);
        CHECK(level.known_from >= level.p_from && level.known_to <= level.p_to);
        if (level.known_to > level.known_from)
            ranges[wide++] = i;
        known[i] = records_of(of->aggregation, level.p);
    }
    CHECK(wide > 0);
    for (int i = 0; i < (int)check_rounds(RANDOM_P); i++) {
        const size_t which = ranges[check_below(&seed, (uint32_t)wide)];
        const ocelotl_level level = ocelotl_levels_at(levels, which);
        ocelotl_buffer fresh = records_of(of->aggregation, draw_p(&level, &seed));
        CHECK(fresh.size == known[which].size);
        CHECK(memcmp(fresh.bytes, known[which].bytes, fresh.size) == 0);
        ocelotl_buffer_free(&fresh);
    }
    for (size_t i = 0; i < count; i++)
        ocelotl_buffer_free(&known[i]);
    free(known);
    free(ranges);
    ocelotl_levels_free(levels);
}

/* --- Nodes */

/* Reads pages from the root on, and compares each node with the model. */
static void test_nodes(const opened *of)
{
    const ocelotl_model *model = ocelotl_aggregation_model(of->aggregation);
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(ocelotl_nodes_write(&sink, model, 0, 0));
    const char *bytes = buffer.bytes;
    CHECK(word(bytes, 0, 4) == 0 && word(bytes, 4, 4) == count && word(bytes, 8, 4) == 0);
    CHECK(word(bytes, 12, 4) == count);
    const char *kinds = bytes + OCELOTL_NODES_HEADER + (size_t)count * 14, *at = kinds;
    for (uint32_t i = 0; i < word(bytes, 16, 4); i++)
        at += strlen(at) + 1;
    CHECK(bytes + buffer.size - at == word(bytes, 20, 4));
    char path[4096] = "";
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(model, i);
        const char *kind = kinds;
        const uint32_t of_kind = word(bytes, OCELOTL_NODES_HEADER + count * 12 + i * 2, 2);
        CHECK(word(bytes, OCELOTL_NODES_HEADER + i * 4, 4) == node.parent);
        CHECK(word(bytes, OCELOTL_NODES_HEADER + count * 4 + i * 4, 4) == node.row_first);
        CHECK(word(bytes, OCELOTL_NODES_HEADER + count * 8 + i * 4, 4) == node.row_count);
        for (uint32_t k = 0; k < (of_kind & 0x7FFF); k++)
            kind += strlen(kind) + 1;
        CHECK_TEXT(kind, node.kind);
        CHECK(of_kind >> 15 == node.alike);
        const uint32_t same = word(at, 0, 2), rest = word(at, 2, 2);
        memcpy(path + same, at + 4, rest);
        path[same + rest] = '\0';
        at += 4 + rest;
        CHECK_TEXT(path, node.path);
    }
    CHECK(at == bytes + buffer.size);
    ocelotl_buffer_free(&buffer);
    CHECK_REFUSED(ocelotl_nodes_write(&sink, model, count, 0), "no node");
    CHECK_REFUSED(ocelotl_nodes_write(&sink, model, count - 1, 0), "not below");
    ocelotl_buffer_free(&buffer);
}

/* A tree that takes several pages: they follow one another, and each is small enough. */
static void test_pages(void)
{
    enum { NODES = 30001 };
    static uint32_t parents[NODES];
    ocelotl_cell cell = {NODES - 1, 0, 0, 1};
    parents[0] = OCELOTL_ROOT;
    for (uint32_t i = 1; i < NODES; i++)
        parents[i] = (i - 1) / 300 * 300;
    ocelotl_model *model = must_take_cells(NULL, NODES, parents, NULL, 1, NULL, 1, &cell, 1);
    uint32_t next = 0, seen = 0, pages = 0;
    do {
        ocelotl_buffer buffer = {0};
        const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
        CHECK_OK(ocelotl_nodes_write(&sink, model, 0, next));
        CHECK(word(buffer.bytes, 0, 4) == next && buffer.size <= OCELOTL_NODES_SIZE_MOST);
        seen += word(buffer.bytes, 4, 4);
        next = word(buffer.bytes, 8, 4);
        CHECK(next == 0 || next == seen);
        pages++;
        ocelotl_buffer_free(&buffer);
    } while (next != 0);
    CHECK(seen == ocelotl_model_info_of(model).node_count && pages > 1);
    ocelotl_model_free(model);
}

static void test_refused(const opened *of)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_picture_options plot = OCELOTL_PICTURE_OPTIONS_INIT;
    ocelotl_partition *partition = must_solve(of->aggregation, 0.5);
    plot.width = 10;
    plot.height = 300;
    CHECK_REFUSED(ocelotl_records_write(&sink, partition, 0, 1, &plot), "expected 16 to 20000");
    CHECK_REFUSED(ocelotl_records_write(&sink, partition, 0, 1, NULL), "expected 16 to 20000");
    ocelotl_partition_free(partition);
    ocelotl_buffer_free(&buffer);
}

int main(void)
{
    temporary_begin();
    CHECK(setenv("XDG_CACHE_HOME", temporary_folder, 1) == 0);
    for (size_t i = 0; i < LOOKS; i++) {
        opened of;
        begin(&of, &looks[i]);
        test_boxes(&of);
        test_nodes(&of);
        test_refused(&of);
        test_known(&of, i + 1);
        end(&of);
    }
    test_pages();
    return 0;
}
