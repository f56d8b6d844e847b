/* Statistics as bars: the scene as text, lengths that follow the shares, room that runs out. */
#include "test_viz_trace.h"

#include "viz/statistics/statistics.h"

static oc_scene lay_out(const oc_statistics_input *input, double width, double height)
{
    const ocelotl_picture_options view = {.size = sizeof view, .width = width, .height = height};
    oc_picture picture = {0};
    oc_scene scene = {0};
    CHECK_OK(oc_picture_read(&picture, &(oc_target){0}, &view));
    CHECK_OK(oc_statistics_lay_out(&scene, &picture, input));
    CHECK(scene.open_groups == 0);
    oc_picture_free(&picture);
    return scene;
}

static const oc_rectangle *bar(const oc_scene *scene, const char *tooltip)
{
    for (size_t i = 0; i < scene->item_count; i++)
        if (scene->items[i].kind == OC_ITEM_RECTANGLE &&
            strncmp(oc_scene_string(scene, scene->items[i].tooltip), tooltip, strlen(tooltip)) == 0)
            return &scene->items[i].as.rectangle;
    return NULL;
}

/* By hand: the machines live 1 s and 0.8 s; outer is innermost for 0.5 + 0.025 + 0.4 s, inner for
 * 0.5 + 0.075 s. */
static void test_bars(const oc_statistics_input *input)
{
    oc_scene scene = lay_out(input, 640, oc_statistics_height(input));
    viz_trace_golden(&scene, "statistics.txt");
    const oc_rectangle *outer = bar(&scene, "outer\n51.39 %");
    const oc_rectangle *inner = bar(&scene, "inner\n31.94 %");
    const oc_rectangle *none = bar(&scene, "(no state)\n16.67 %");
    CHECK(outer != NULL && inner != NULL && none != NULL);
    CHECK(fabs(inner->width / outer->width - 575.0 / 925) < 0.01);
    CHECK(fabs((none->width + 1) / outer->width - 300.0 / 925) < 0.01);
    oc_scene_free(&scene);
}

/* The caption counts types without room. */
static void test_low(const oc_statistics_input *input)
{
    oc_scene scene = lay_out(input, 1280, 320);
    CHECK(!scene_says(&scene, "no room") && bar(&scene, "data\n100 %") != NULL);
    oc_scene_free(&scene);
    oc_picture low = {0};
    CHECK_OK(oc_picture_read(&low, &(oc_target){0}, NULL));
    low.height = 240;
    CHECK_OK(oc_statistics_lay_out(&scene, &low, input));
    CHECK(scene_says(&scene, "1 event type has no room") && bar(&scene, "data\n100 %") == NULL);
    oc_picture_free(&low);
    oc_scene_free(&scene);
}

static void test_inside(const oc_statistics_input *input)
{
    for (double width = 320; width < 3000; width *= 1.5) {
        oc_scene scene = lay_out(input, width, 320);
        for (size_t i = 0; i < scene.item_count; i++) {
            const oc_rectangle *box = &scene.items[i].as.rectangle;
            if (scene.items[i].kind == OC_ITEM_RECTANGLE)
                CHECK(box->width > 0 && box->x >= 0 && box->x + box->width <= width &&
                      box->y + box->height <= 320);
        }
        oc_scene_free(&scene);
    }
}

int main(void)
{
    ocelotl_trace *trace = NULL;
    temporary_begin();
    viz_trace_write(temporary_path("trace.db"));
    trace = must_open(temporary_path("trace.db"));
    ocelotl_statistics *statistics = must_sum(trace, NULL);
    const oc_statistics_input input = {trace, statistics};
    test_bars(&input);
    test_low(&input);
    test_inside(&input);
    MUST_DRAW(temporary_path("statistics.svg"), ocelotl_statistics_draw, trace, statistics, NULL);
    ocelotl_statistics_free(statistics);
    ocelotl_trace_free(trace);
    return 0;
}
