/* The space-time diagram of a trace that is written here: its scene as text, and that it loses
 * nothing. */
#include "test_viz_trace.h"

#include "viz/words/words.h"

static void check_inside(const oc_scene *scene)
{
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        if (item->kind != OC_ITEM_RECTANGLE)
            continue;
        const oc_rectangle *box = &item->as.rectangle;
        CHECK(box->width > 0 && box->height > 0 && box->x >= 0 && box->y >= 0);
        CHECK(box->x + box->width <= scene->width && box->y + box->height <= scene->height);
    }
}

static void test_golden(ocelotl_trace *trace)
{
    oc_scene scene = viz_trace_gantt(trace, 800, 400, 8, 0);
    viz_trace_golden(&scene, "gantt.txt");
    check_inside(&scene);
    oc_scene_free(&scene);
}

/* The name of the outer state ends before the inner one begins. */
static void check_names_before(const oc_scene *scene, const oc_rectangle *inner)
{
    bool found = false;
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        if (!scene_names(scene, i, OC_ITEM_LABEL, "outer", true) || item->as.label.x > inner->x ||
            item->as.label.y > inner->y + inner->height)
            continue;
        CHECK(item->as.label.x + oc_lettering_width("outer", item->as.label.size, false) <=
              inner->x);
        found = true;
    }
    CHECK(found);
}

/* The inner state is inside the outer one, wherever rows are high enough. */
static void test_nested(ocelotl_trace *trace)
{
    for (double height = 320; height < 900; height += 97) {
        oc_scene scene = viz_trace_gantt(trace, 800, height, 2, 0);
        const oc_rectangle *boxes[2] = {NULL, NULL};
        check_inside(&scene);
        for (size_t i = 0; i < scene.item_count; i++) {
            const char *tooltip = oc_scene_string(&scene, scene.items[i].tooltip);
            if (strncmp(tooltip, "outer\nfirst\n", 12) == 0)
                boxes[0] = &scene.items[i].as.rectangle;
            if (strncmp(tooltip, "inner\nfirst\n", 12) == 0)
                boxes[1] = &scene.items[i].as.rectangle;
        }
        CHECK(boxes[0] != NULL && boxes[1] != NULL);
        CHECK(boxes[1]->x > boxes[0]->x && boxes[1]->y > boxes[0]->y);
        CHECK(boxes[1]->y + boxes[1]->height < boxes[0]->y + boxes[0]->height);
        CHECK(boxes[1]->x + boxes[1]->width < boxes[0]->x + boxes[0]->width);
        check_names_before(&scene, boxes[1]);
        oc_scene_free(&scene);
    }
}

/* A hundred states of a millisecond are one object, whose tooltip counts 25 of one kind, 75 of the
 * other. */
static void test_merged(ocelotl_trace *trace)
{
    oc_scene scene = viz_trace_gantt(trace, 800, 400, 40, 0);
    oc_text text = viz_trace_describe(&scene);
    const char *merged = strstr(text.bytes, "100 states, too short to be drawn apart | second | ");
    CHECK(merged != NULL);
    CHECK(strstr(merged, "inner 75 ms in 75 | outer 25 ms in 25\"") != NULL);
    CHECK(strstr(text.bytes, "several, drawn as one") != NULL);
    oc_text_free(&text);
    oc_scene_free(&scene);
}

static void test_formats(ocelotl_trace *trace)
{
    oc_scene scene = viz_trace_gantt(trace, 800, 400, 4, 0);
    oc_text svg = write_and_read(&scene, "test_gantt.svg");
    check_xml(&svg);
    check_by_tool("xmllint --noout", "test_gantt.svg");
    oc_text_free(&svg);
    oc_scene_free(&scene);
}

/* Nothing is a message, not an empty picture. */
static void test_empty(ocelotl_trace *trace)
{
    ocelotl_drawables_options options = {0};
    const char *second = "second";
    options.selection.resources = (ocelotl_names){&second, 1};
    options.selection.to = 100;
    options.type = "load";
    ocelotl_drawables *drawables = must_find_drawables(trace, &options);
    CHECK(ocelotl_gantt_draw(&(ocelotl_sink){0}, OCELOTL_PICTURE_SVG, trace, drawables, NULL) ==
          OCELOTL_ERROR_EMPTY);
    CHECK(strstr(ocelotl_error_message(), "nothing to draw") != NULL);
    ocelotl_drawables_free(drawables);
}

int main(void)
{
    ocelotl_trace *trace = NULL;
    temporary_begin();
    viz_trace_write(temporary_path("trace.db"));
    trace = must_open(temporary_path("trace.db"));
    test_golden(trace);
    test_nested(trace);
    test_merged(trace);
    test_formats(trace);
    test_empty(trace);
    ocelotl_trace_free(trace);
    return 0;
}
