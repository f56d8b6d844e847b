/* The space-time diagram of many rows: rows too low to be seen are joined, none loses anything, and
 * the pixels bound the picture's size. */
#include "test_viz_trace.h"

enum { TICKS = 1000, VALUES = 3, TOOLTIPS_MOST = 4000 };

static const char *const names[VALUES] = {"busy", "idle", "inner"};

/* A trace of machines with ranks, and the innermost state of each rank at each tick. */
typedef struct many {
    uint32_t machines, ranks;
    unsigned char *innermost; /* by rank and tick; VALUES: none */
    uint64_t states, events;
    uint64_t most_events; /* of drawables; 0: the default */
    uint64_t seed;
    ocelotl_writer *writer;
    uint32_t type, marks, level, values[VALUES];
    ocelotl_trace *trace;
} many;

static uint32_t next(many *made, uint32_t below)
{
    return check_below(&made->seed, below);
}

static void fill(many *made, uint32_t rank, int64_t begin, int64_t end, unsigned char value)
{
    memset(made->innermost + (size_t)rank * TICKS + begin, value, (size_t)(end - begin));
}

static void push(many *made, uint32_t resource, int64_t time, uint32_t value)
{
    must_push(made->writer, resource, made->type, made->values[value], time);
    made->states++;
}

static void pop(many *made, uint32_t resource, int64_t time)
{
    must_pop(made->writer, resource, made->type, 0, time);
}

/* Three ranks of four are busy. The fourth is idle for the first half, with a state inside in the
 * second quarter, and does nothing after that. */
static void write_known(many *made, uint32_t resource, uint32_t rank)
{
    if (rank % 4 < 3) {
        push(made, resource, 0, 0);
        pop(made, resource, TICKS);
        fill(made, rank, 0, TICKS, 0);
        return;
    }
    push(made, resource, 0, 1);
    push(made, resource, 250, 2);
    pop(made, resource, 500);
    pop(made, resource, 500);
    fill(made, rank, 0, 250, 1);
    fill(made, rank, 250, 500, 2);
}

/* States of one tick and of many, with gaps, some with one inside. */
static void write_random(many *made, uint32_t resource, uint32_t rank)
{
    int64_t time = next(made, 20);
    while (time + 40 < TICKS) {
        const int64_t end = time + 1 + next(made, next(made, 4) == 0 ? 39 : 8);
        const uint32_t value = next(made, VALUES);
        push(made, resource, time, value);
        fill(made, rank, time, end, (unsigned char)value);
        if (end - time > 4 && next(made, 2) == 0) {
            const uint32_t inner = next(made, VALUES);
            push(made, resource, time + 1, inner);
            pop(made, resource, end - 2);
            fill(made, rank, time + 1, end - 2, (unsigned char)inner);
        }
        pop(made, resource, end);
        time = end + next(made, 6);
    }
}

/* Events and a variable as well. */
static void write_mixed(many *made, uint32_t resource, uint32_t rank)
{
    write_random(made, resource, rank);
    for (int64_t time = next(made, 20); time < TICKS; time += 1 + next(made, 30)) {
        must_event(made->writer, resource, made->marks, OCELOTL_NONE, time);
        made->events++;
    }
    for (int64_t time = next(made, 20); time < TICKS; time += 1 + next(made, 60))
        must_step(made->writer, resource, made->level, time, next(made, 50));
}

/* About ten thousand states, nested up to three deep; now and then one is wide enough to be seen.
 * Where chunks are read by their totals, merged objects reach over others. */
static void write_long(many *made, uint32_t resource, uint32_t rank)
{
    uint32_t open = 0;
    (void)rank;
    for (int64_t time = 0; time < 200 * TICKS;
         time += 1 + next(made, next(made, 200) == 0 ? 600 : 3)) {
        if (open > 0 && (open == 3 || next(made, 2) == 0)) {
            pop(made, resource, time);
            open--;
        } else {
            push(made, resource, time, next(made, VALUES));
            open++;
        }
    }
}

typedef void (*write_rank)(many *made, uint32_t resource, uint32_t rank);

static many begin(uint32_t machines, uint32_t ranks, write_rank write)
{
    many made = {.machines = machines, .ranks = ranks, .seed = (uint64_t)machines * 7919 + ranks};
    const size_t cells = (size_t)machines * ranks * TICKS;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    made.innermost = malloc(cells);
    CHECK(made.innermost != NULL);
    memset(made.innermost, VALUES, cells);
    options.name = "many rows";
    options.tick_denominator = TICKS;
    made.writer = must_write(temporary_path("many.db"), &options);
    const uint32_t machine_type = must_kind(made.writer, OCELOTL_ROOT, "machine");
    const uint32_t rank_type = must_kind(made.writer, machine_type, "rank");
    made.type = must_type(made.writer, OCELOTL_STATE, rank_type, "state");
    made.marks = must_type(made.writer, OCELOTL_EVENT, rank_type, "mark");
    made.level = must_type(made.writer, OCELOTL_VARIABLE, rank_type, "level");
    for (uint32_t i = 0; i < VALUES; i++)
        CHECK_OK(ocelotl_writer_value(&made.values[i], made.writer, made.type, names[i],
                                      0x2040C0 + 0x500030 * (int32_t)i));
    for (uint32_t machine = 0; machine < machines; machine++) {
        uint32_t resource;
        char name[32];
        snprintf(name, sizeof name, "m%u", machine);
        const uint32_t above = must_resource(made.writer, machine_type, OCELOTL_ROOT, name, 0);
        for (uint32_t rank = 0; rank < ranks; rank++) {
            snprintf(name, sizeof name, "r%u", rank);
            resource = must_resource(made.writer, rank_type, above, name, 0);
            write(&made, resource, machine * ranks + rank);
        }
    }
    must_finish(made.writer);
    made.trace = must_open(temporary_path("many.db"));
    return made;
}

static void end(many *made)
{
    ocelotl_trace_free(made->trace);
    CHECK(unlink(temporary_path("many.db")) == 0);
    free(made->innermost);
}

static const char *tooltip_of(const oc_scene *scene, size_t item)
{
    return oc_scene_string(scene, scene->items[item].tooltip);
}

static bool says(const oc_scene *scene, const char *piece)
{
    return scene_label(scene, piece, false) != NULL;
}

static bool begins_group(const oc_scene *scene, size_t item, const char *name)
{
    return scene_names(scene, item, OC_ITEM_GROUP, name, true);
}

/* As in the legend. */
static uint32_t colour_of(const oc_scene *scene, const char *value)
{
    const oc_scene_item *name = scene_label(scene, value, true);
    return name != NULL ? name[-1].as.rectangle.fill : OC_COLOUR_NONE;
}

/* --- By hand */

/* The tooltip of an area: 100 machines of four ranks, an area 40 pixels wide. */
static void check_known_area(const oc_scene *scene, size_t item, double left, double width)
{
    const oc_rectangle *at = &scene->items[item].as.rectangle;
    const char *tooltip = tooltip_of(scene, item);
    const double from = (at->x - left) / width;
    const double to = (at->x + at->width - left) / width;
    CHECK(strstr(tooltip, "r0 \xE2\x80\x93 ") != NULL && strstr(tooltip, "r3\n") != NULL);
    CHECK(strstr(tooltip, "\nbusy 75 %") != NULL);
    CHECK((strstr(tooltip, "\nidle 25 %") != NULL) == (to < 0.25));
    CHECK((strstr(tooltip, "\ninner 25 %") != NULL) == (from > 0.25 && to < 0.5));
    CHECK((strchr(strstr(tooltip, "\nbusy") + 1, '\n') == NULL) == (from > 0.5));
}

/* Rows are three quarters of a pixel high: each machine is one row, in the colour of its leading
 * state. */
static void test_known(void)
{
    many made = begin(100, 4, write_known);
    oc_scene scene = viz_trace_gantt(made.trace, 850, 400, 0, made.most_events);
    size_t shapes = 0, areas = 0;
    double left = 0, width = 0;
    CHECK(says(&scene, "400 rows, too low to be drawn apart, in 100 bands"));
    for (size_t i = 0; i < scene.item_count; i++)
        for (bool states = begins_group(&scene, i, "states");
             states && scene.items[i + 1].kind == OC_ITEM_RECTANGLE; i++, shapes++) {
            const oc_rectangle *at = &scene.items[i + 1].as.rectangle;
            CHECK(at->fill == colour_of(&scene, "busy") && fabs(at->opacity - 0.75) < 1e-9 &&
                  at->height >= 2);
            CHECK(scene.items[i + 1].tooltip == 0);
            CHECK(shapes == 0 || (fabs(left - at->x) < 1e-9 && fabs(width - at->width) < 1e-9));
            left = at->x;
            width = at->width;
        }
    CHECK(shapes == 100);
    for (size_t i = 0; i < scene.item_count; i++)
        for (bool in_areas = begins_group(&scene, i, "areas");
             in_areas && scene.items[i + 1].kind == OC_ITEM_RECTANGLE; i++, areas++)
            check_known_area(&scene, i + 1, left, width);
    CHECK(areas > 100 && areas <= (size_t)(width / 40) * 13);
    oc_scene_free(&scene);
    end(&made);
}

/* --- Sums, against a count of every tick */

static void check_sums(const many *made, const oc_gantt_sums *sums, const oc_gantt_group *group,
                       uint32_t columns)
{
    uint64_t count = 0;
    size_t at = 0;
    for (uint32_t column = 0; column < columns; column++) {
        double wanted[VALUES + 1] = {0};
        for (uint32_t row = group->first; row < group->end; row++)
            for (int64_t tick = TICKS * column / columns; tick < TICKS * (column + 1) / columns;
                 tick++)
                wanted[made->innermost[(size_t)row * TICKS + (size_t)tick]]++;
        for (size_t last = at; at < sums->count && sums->sums[at].column == column; at++) {
            const oc_gantt_sum *sum = &sums->sums[at];
            CHECK(sum->ticks <= sums->sums[last].ticks);
            last = at;
            count += sum->count;
            CHECK(sum->value < VALUES && fabs(sum->ticks - wanted[sum->value]) < 1e-6);
            wanted[sum->value] = 0;
        }
        for (uint32_t value = 0; value < VALUES; value++)
            CHECK(!(wanted[value] > 0));
    }
    CHECK(at == sums->count);
    CHECK(group->end - group->first < made->machines * made->ranks || count == made->states);
}

static void test_sums(void)
{
    static const uint32_t columns[] = {1, 4, 20, 250, 1000};
    many made = begin(3, 5, write_random);
    ocelotl_drawables_options options = {0};
    oc_gantt_sums sums = {0};
    options.width = TICKS;
    options.narrowest = 1;
    options.selection.to = TICKS;
    ocelotl_drawables *drawables = must_find_drawables(made.trace, &options);
    const oc_gantt_input input = {made.trace, drawables};
    oc_gantt gantt = {.input = &input,
                      .trace = input.trace,
                      .drawables = drawables,
                      .info = ocelotl_drawables_info_of(drawables)};
    gantt.info.to = TICKS; /* the trace may end before that */
    CHECK_OK(oc_gantt_find_rows(&gantt));
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const oc_gantt_group groups[] = {
            {0, 15, OCELOTL_STATE}, {4, 7, OCELOTL_STATE}, {14, 15, OCELOTL_STATE}};
        for (int g = 0; g < 3; g++) {
            CHECK_OK(oc_gantt_sum_group(&sums, &gantt, &groups[g], columns[i], false));
            CHECK(fabs(sums.ticks -
                       TICKS / (double)columns[i] * (groups[g].end - groups[g].first)) < 1e-6);
            check_sums(&made, &sums, &groups[g], columns[i]);
        }
    }
    oc_gantt_sums_free(&sums);
    oc_gantt_free(&gantt);
    ocelotl_drawables_free(drawables);
    end(&made);
}

/* --- Pictures of any height */

/* Rectangles of tiles never overlap: an SVG may draw them in any order. */
static void check_tiles(const oc_scene *scene)
{
    const size_t width = (size_t)scene->width;
    const size_t height = (size_t)scene->height;
    uint32_t *taken = calloc(width * height, sizeof *taken);
    uint32_t group = 0;
    CHECK(taken != NULL);
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        if (item->kind != OC_ITEM_GROUP || !item->as.group.tiles)
            continue;
        group++;
        for (item++; item->kind != OC_ITEM_GROUP_END; item++) {
            const oc_rectangle *at = &item->as.rectangle;
            CHECK(item->kind == OC_ITEM_RECTANGLE && at->width >= 1 && at->height >= 1);
            CHECK(at->x >= 0 && at->y >= 0 && at->x + at->width <= scene->width &&
                  at->y + at->height <= scene->height);
            for (double y = at->y; y < at->y + at->height; y++)
                for (double x = at->x; x < at->x + at->width; x++) {
                    CHECK(taken[(size_t)y * width + (size_t)x] != group);
                    taken[(size_t)y * width + (size_t)x] = group;
                }
        }
    }
    free(taken);
}

/* The number before a word in a tooltip; 0 without it. */
static uint64_t number_before(const char *tooltip, const char *word)
{
    const char *at = strstr(tooltip, word);
    uint64_t number = 0;
    if (at == NULL)
        return 0;
    while (at > tooltip && at[-1] != '\n')
        at--;
    for (; *at != ' '; at++)
        number = *at == ',' ? number : number * 10 + (uint64_t)(*at - '0');
    return number;
}

/* Every state and every event is in one area. */
static void check_areas(const many *made, const oc_scene *scene)
{
    uint64_t states = 0, events = 0;
    bool some = false, means = made->events == 0;
    for (size_t i = 0; i < scene->item_count; i++)
        for (bool in_areas = begins_group(scene, i, "areas");
             in_areas && scene->items[i + 1].kind == OC_ITEM_RECTANGLE; i++) {
            const char *tooltip = tooltip_of(scene, i + 1);
            states +=
                number_before(tooltip, " state begins") + number_before(tooltip, " states begin");
            events += number_before(tooltip, " event");
            means = means || strstr(tooltip, "\nlevel ") != NULL;
            some = true;
        }
    CHECK(!some || (states == made->states && events == made->events && means));
}

static size_t count_tooltips(const oc_scene *scene)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->item_count; i++)
        count += scene->items[i].tooltip != 0;
    return count;
}

/* Pixels bound the size of an SVG, for any number of states. */
static void check_svg(const oc_scene *scene, size_t most)
{
    oc_text svg = write_and_read(scene, "test_gantt_rows.svg");
    size_t elements = 0;
    for (size_t i = 0; i < svg.length; i++)
        elements += svg.bytes[i] == '<' && svg.bytes[i + 1] != '/';
    CHECK(elements < most);
    oc_text_free(&svg);
}

/* Returns what the areas cover. */
static oc_rectangle find_plot(const oc_scene *scene)
{
    double left = scene->width, right = 0, top = scene->height, bottom = 0;
    for (size_t i = 0; i < scene->item_count; i++)
        for (bool in_areas = begins_group(scene, i, "areas");
             in_areas && scene->items[i + 1].kind == OC_ITEM_RECTANGLE; i++) {
            const oc_rectangle *at = &scene->items[i + 1].as.rectangle;
            left = fmin(left, at->x);
            right = fmax(right, at->x + at->width);
            top = fmin(top, at->y);
            bottom = fmax(bottom, at->y + at->height);
        }
    CHECK(right > left && bottom > top);
    return (oc_rectangle){.x = left, .y = top, .width = right - left, .height = bottom - top};
}

/* Both ways to draw items without a tooltip give the same pixels. */
static void check_drawn(const oc_scene *scene)
{
    size_t different = 0;
    pixels ours, other;
    const oc_rectangle plot = find_plot(scene);
    const bool both = draw_both(&ours, &other, scene, "test_gantt_rows");
    for (int y = (int)plot.y; y < (int)(plot.y + plot.height) && both; y++)
        for (int x = (int)plot.x; x < (int)(plot.x + plot.width); x++)
            for (int shift = 0; shift <= 16; shift += 8)
                if (abs((int)(pixel(&ours, x, y) >> shift & 255) -
                        (int)(pixel(&other, x, y) >> shift & 255)) > 8) {
                    different++;
                    break;
                }
    CHECK((double)different <= plot.width * plot.height / 500);
    free_pixels(&ours);
    if (both)
        free_pixels(&other);
}

static void test_heights(uint32_t machines, write_rank write)
{
    many made = begin(machines, 12, write);
    CHECK(made.states > 15000);
    for (double height = 320; height < 2600; height *= 2.5) {
        height = floor(height);
        oc_scene scene = viz_trace_gantt(made.trace, 640, height, 0, made.most_events);
        const size_t told = TOOLTIPS_MOST * (made.events > 0 ? 2 : 1);
        const size_t areas = (size_t)(height / 24) * 16;
        /* names of the hierarchy, the legend, and all looks */
        const size_t around = 1200;
        check_tiles(&scene);
        check_areas(&made, &scene);
        CHECK(count_tooltips(&scene) < told + areas + around);
        check_svg(&scene, 3 * (told + areas + around)); /* with titles, and lines of means */
        check_drawn(&scene);
        oc_scene_free(&scene);
    }
    end(&made);
}

/* Rows of several types are drawn apart as long as each is as high as a pixel. */
static void test_types(void)
{
    many made = begin(12, 12, write_mixed);
    oc_scene scene = viz_trace_gantt(made.trace, 640, 820, 0, made.most_events);
    CHECK(!says(&scene, "too low to be drawn apart") && !says(&scene, "no room"));
    oc_scene_free(&scene);
    scene = viz_trace_gantt(made.trace, 640, 400, 0, made.most_events);
    CHECK(says(&scene, "rows have no room"));
    oc_scene_free(&scene);
    end(&made);
}

static void test_coarse(void)
{
    many made = begin(3, 2, write_long);
    for (made.most_events = 1; made.most_events < 10000000; made.most_events *= 100000) {
        oc_scene scene = viz_trace_gantt(made.trace, 1000, 320, 0, made.most_events);
        check_tiles(&scene);
        CHECK(count_tooltips(&scene) > 100);
        oc_scene_free(&scene);
    }
    end(&made);
}

int main(void)
{
    temporary_begin();
    test_known();
    test_sums();
    test_types();
    test_coarse();
    test_heights(30, write_random);
    test_heights(30, write_mixed);
    test_heights(12, write_mixed); /* in the highest picture all rows are apart */
    cairo_debug_reset_static_data();
    return 0;
}
