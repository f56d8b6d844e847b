/* A space-time diagram can be read: names lie above arrows, arrows do not hide the rows, constants
 * take little room, and each kind of variable has a scale. */
#include "test_viz_trace.h"

#include "viz/words/words.h"

enum { TICKS = 100000 };

/* A trace that is being written. */
typedef struct made {
    ocelotl_writer *writer;
    uint32_t type, states, message, state, data;
} made;

static made begin(void)
{
    made at = {0};
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = "made";
    options.tick_denominator = 1000;
    at.writer = must_write(temporary_path("readable.db"), &options);
    at.type = must_kind(at.writer, OCELOTL_ROOT, "rank");
    at.states = must_type(at.writer, OCELOTL_STATE, at.type, "state");
    at.message = must_type(at.writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    at.state = must_value(at.writer, at.states, "waiting");
    at.data = must_value(at.writer, at.message, "data");
    return at;
}

static uint32_t add_rank(const made *at, uint32_t number)
{
    char name[32];
    snprintf(name, sizeof name, "r%u", number);
    return must_resource(at->writer, at->type, OCELOTL_ROOT, name, 0);
}

static uint32_t add_variable(const made *at, const char *name, const char *unit)
{
    const uint32_t variable = must_type(at->writer, OCELOTL_VARIABLE, at->type, name);
    CHECK_OK(ocelotl_writer_unit(at->writer, variable, unit));
    return variable;
}

static ocelotl_trace *finish(const made *at)
{
    return must_finish_and_open(at->writer, temporary_path("readable.db"));
}

static void end(ocelotl_trace *trace)
{
    ocelotl_trace_free(trace);
    CHECK(unlink(temporary_path("readable.db")) == 0);
}

static bool is_line(const oc_scene *scene, size_t item)
{
    return scene->items[item].kind == OC_ITEM_PATH && !scene->items[item].as.path.closed;
}

/* --- Arrows */

/* Each of 24 ranks quickly sends to the next one every 500 ticks. In the second half, one of them
 * is slow now and then. */
static ocelotl_trace *write_crowd(void)
{
    enum { RANKS = 24, STEP = 500 };
    made at = begin();
    uint32_t ranks[RANKS];
    for (uint32_t i = 0; i < RANKS; i++) {
        ranks[i] = add_rank(&at, i);
        must_push(at.writer, ranks[i], at.states, at.state, 0);
    }
    for (int64_t time = STEP; time < TICKS - 5 * STEP; time += STEP) {
        uint64_t links[RANKS];
        const bool slow = time > TICKS / 2 && time % (10 * STEP) == 0;
        for (uint32_t i = 0; i < RANKS; i++)
            links[i] = must_begin_link(at.writer, ranks[i], at.message, at.data, time);
        for (uint32_t i = 0; i < RANKS; i++)
            if (i != 7 || !slow)
                must_end_link(at.writer, links[i], ranks[(i + 1) % RANKS], time + 20);
        if (slow)
            must_end_link(at.writer, links[7], ranks[8], time + STEP - 10);
    }
    return finish(&at);
}

/* The picture has all slow messages, and only some quick ones at the edge, where they are fewer.
 * The caption counts them. */
static void test_crowd(void)
{
    ocelotl_trace *trace = write_crowd();
    oc_scene scene = viz_trace_gantt(trace, 1000, 500, 0, 0);
    char caption[128];
    size_t slow = 0, quick = 0;
    for (size_t i = 0; i < scene.item_count; i++) {
        if (!is_line(&scene, i))
            continue;
        const oc_path *path = &scene.items[i].as.path;
        if (path->stroke == scene.background)
            continue;
        const oc_point *ends = &scene.points[path->first];
        CHECK(path->opacity < 0.8 && path->width <= 1);
        slow += fabs(ends[1].x - ends[0].x) > 2;
        quick += fabs(ends[1].x - ends[0].x) <= 2;
    }
    CHECK(slow == 9 && quick < 24);
    snprintf(caption, sizeof caption,
             "arrows for %zu of 4,656 links, without the shortest where they would hide",
             slow + quick);
    CHECK(scene_label(&scene, caption, false) != NULL);
    oc_scene_free(&scene);
    end(trace);
}

/* If messages are few, all are drawn. They cross no name, as later items lie above. */
static void test_names(void)
{
    made at = begin();
    const uint32_t ranks[] = {add_rank(&at, 0), add_rank(&at, 1), add_rank(&at, 2)};
    uint64_t links[2];
    for (uint32_t i = 0; i < 3; i++)
        must_push(at.writer, ranks[i], at.states, at.state, 0);
    for (uint32_t i = 0; i < 2; i++)
        links[i] = must_begin_link(at.writer, ranks[i], at.message, at.data, 100);
    must_end_link(at.writer, links[0], ranks[2], 5000);
    must_end_link(at.writer, links[1], ranks[0], 90000);
    for (uint32_t i = 0; i < 3; i++)
        must_pop(at.writer, ranks[i], at.states, 0, TICKS);
    ocelotl_trace *trace = finish(&at);
    oc_scene scene = viz_trace_gantt(trace, 1000, 400, 0, 0);
    size_t last_arrow = 0, names = 0;
    for (size_t i = 0; i < scene.item_count; i++)
        last_arrow = is_line(&scene, i) ? i : last_arrow;
    CHECK(last_arrow > 0 && scene_label(&scene, "2 links", false) != NULL &&
          scene_label(&scene, "arrows for", false) == NULL);
    for (size_t i = 1; i < scene.item_count; i++) {
        const oc_scene_item *item = &scene.items[i];
        if (!scene_names(&scene, i, OC_ITEM_LABEL, "waiting", true) || item->as.label.y > 300)
            continue;
        const oc_rectangle *plate = &scene.items[i - 1].as.rectangle;
        CHECK(i > last_arrow && scene.items[i - 1].kind == OC_ITEM_RECTANGLE);
        CHECK(plate->x <= item->as.label.x && plate->opacity > 0.5 && plate->opacity < 1);
        CHECK(plate->x + plate->width >=
              item->as.label.x + oc_lettering_width("waiting", OC_SIZE_LABEL, false));
        names++;
    }
    CHECK(names == 3);
    oc_scene_free(&scene);
    end(trace);
}

/* --- Constants */

/* Eight ranks with two variables of one value each, and a third that differs; the first rank has a
 * fourth one that changes. */
static void test_constants(void)
{
    made at = begin();
    const uint32_t power = add_variable(&at, "power", "flop/s");
    const uint32_t cores = add_variable(&at, "cores", "");
    const uint32_t place = add_variable(&at, "place", "");
    const uint32_t load = add_variable(&at, "load", "");
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t rank = add_rank(&at, i);
        must_step(at.writer, rank, power, 0, 2.5e9);
        must_step(at.writer, rank, cores, 0, 4);
        must_step(at.writer, rank, place, 0, i);
        for (int64_t time = 0; time < TICKS && i == 0; time += 10000)
            must_step(at.writer, rank, load, time, (double)(time % 30000));
    }
    ocelotl_trace *trace = finish(&at);
    oc_scene scene = viz_trace_gantt(trace, 1000, 400, 0, 0);
    CHECK(scene_label(&scene, "25 rows", false) != NULL);
    CHECK(scene_label(&scene, "24 of them never change: values in 2 thin rows", false) != NULL);
    CHECK(scene_label(&scene, "cores 4 in 8 resources", false) != NULL);
    CHECK(scene_label(&scene, "power 2.5 Gflop/s in 8 resources", false) != NULL);
    CHECK(scene_label(&scene, "place 1 to 7 in 7 resources", false) != NULL);
    CHECK(scene_label(&scene, "place 0", false) != NULL); /* of the rank that has more to show */
    CHECK(scene_label(&scene, "rows from 0 to 20 k", false) != NULL);
    oc_scene_free(&scene);
    end(trace);
}

/* Rows with only links are left out if the links take no time. */
static void test_wiring(void)
{
    made at = begin();
    uint32_t ranks[12];
    uint64_t link;
    for (uint32_t i = 0; i < 12; i++)
        ranks[i] = add_rank(&at, i);
    must_push(at.writer, ranks[0], at.states, at.state, 0);
    for (uint32_t i = 1; i < 12; i++) {
        link = must_begin_link(at.writer, ranks[i - 1], at.message, at.data, 0);
        must_end_link(at.writer, link, ranks[i], 0);
    }
    link = must_begin_link(at.writer, ranks[0], at.message, at.data, 10);
    must_end_link(at.writer, link, ranks[5], 70000);
    must_pop(at.writer, ranks[0], at.states, 0, TICKS);
    ocelotl_trace *trace = finish(&at);
    oc_scene scene = viz_trace_gantt(trace, 1000, 400, 0, 0);
    CHECK(scene_label(&scene, "2 rows", false) != NULL && scene_label(&scene, "r5", false) != NULL);
    CHECK(scene_label(&scene, "10 rows left out that have nothing to draw here", false) != NULL);
    CHECK(scene_label(&scene, "arrows for 1 of 12 links", false) != NULL);
    oc_scene_free(&scene);
    end(trace);
}

/* --- Scales */

/* Variables of one unit and a like magnitude share one scale; others have their own, at the right
 * of their rows. */
static void test_scales(void)
{
    enum { RANKS = 20 };
    made at = begin();
    const uint32_t variables[] = {
        add_variable(&at, "sent", "B"), add_variable(&at, "received", "B"),
        add_variable(&at, "lost", "B"), add_variable(&at, "degrees", "K")};
    const double values[] = {8e6, 2e6, 40, 350};
    uint32_t ranks[RANKS];
    for (uint32_t i = 0; i < RANKS; i++)
        ranks[i] = add_rank(&at, i);
    for (int64_t time = 0; time < TICKS; time += TICKS / 4)
        for (int i = 0; i < 4 * RANKS; i++)
            must_step(at.writer, ranks[i / 4], variables[i % 4], time,
                      time == TICKS / 4 ? values[i % 4] : 0);
    ocelotl_trace *trace = finish(&at);
    oc_scene scene = viz_trace_gantt(trace, 1000, 2400, 0, 0);
    CHECK(scene_label(&scene, "scales differ: they stand at the right of the rows", false) != NULL);
    CHECK(scene_label(&scene, "sent, 0 B to 8 MB", false) != NULL &&
          scene_label(&scene, "received, 0 B to 8 MB", false) != NULL);
    CHECK(scene_label(&scene, "lost, 0 B to 40 B", false) != NULL &&
          scene_label(&scene, "degrees, 0 to 350 K", false) != NULL);
    size_t ends = 0;
    for (size_t i = 0; i < scene.item_count; i++) {
        const char *text = scene.items[i].kind == OC_ITEM_LABEL
                               ? oc_scene_string(&scene, scene.items[i].text)
                               : "";
        ends += scene.items[i].as.label.x > 900 &&
                (strcmp(text, "8 MB") == 0 || strcmp(text, "40 B") == 0 ||
                 strcmp(text, "350 K") == 0 || strcmp(text, "0") == 0 || strcmp(text, "0 B") == 0);
    }
    CHECK(ends == (size_t)8 * RANKS);
    oc_scene_free(&scene);
    scene = viz_trace_gantt(trace, 1000, 320, 0, 0); /* no room beside the rows */
    CHECK(scene_label(&scene, "scales differ: they stand in the legend", false) != NULL);
    oc_scene_free(&scene);
    end(trace);
}

int main(void)
{
    temporary_begin();
    test_crowd();
    test_names();
    test_constants();
    test_wiring();
    test_scales();
    return 0;
}
