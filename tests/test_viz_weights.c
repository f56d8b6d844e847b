/* A leaf may stand for several resources: pictures have a row for each, and areas, columns and
 * lifetimes count them. */
#include "compare/compare.h"
#include "made.h"
#include "test_viz_golden.h"

#include "viz/overview/views.h"
#include "viz/treemap/treemap.h"

enum { LEAVES = 4, ROWS = 8 };

/* Rows before each leaf of two machines of two cores. */
static const uint32_t before[LEAVES + 1] = {0, 1, 3, 6, ROWS};
static const uint32_t core_nodes[LEAVES] = {2, 3, 5, 6};

static void begin_with(fixture *made, const uint32_t *rows_before)
{
    static const char *const types[3] = {"Compute", "MPI_Wait", "MPI_Send"};
    fixture_begin(made, 2, 2, "machine", types);
    oc_tree *tree = &made->model->matrix.tree;
    CHECK_OK(oc_allocate(&tree->weight_before, LEAVES + 1, sizeof *tree->weight_before));
    memcpy(tree->weight_before, rows_before, sizeof before);
    for (int core = 0; core < LEAVES; core++) {
        fixture_part(made, core_nodes[core], 0, 19);
        made->parts[core].leaves = rows_before[core + 1] - rows_before[core];
    }
}

static void begin(fixture *made)
{
    begin_with(made, before);
}

/* Lays out a view of the model, as large as most are. */
static oc_scene lay_out(const fixture *made, ocelotl_kind kind, const char *view, oc_shown *shown)
{
    oc_overview_input input = fixture_input(made);
    const oc_picture picture = fixture_picture(800, 600);
    input.partition.kind = kind;
    input.shown = shown;
    CHECK_OK(oc_view_find(&input.view, kind, view));
    return lay_out_picture(&input, &picture);
}

static void check_box(const oc_rectangle *found, const oc_frame *frame, double first, double after,
                      double rows)
{
    CHECK_NEAR(found->y, frame->top + frame->height * first / rows, 2);
    CHECK_NEAR(found->y + found->height, frame->top + frame->height * after / rows, 2);
}

/* The rectangle of a part, by its number in the picture. */
static const oc_rectangle *rectangle_of(const oc_scene *scene, size_t part)
{
    for (size_t i = 0; i < scene->item_count; i++)
        if (scene->items[i].kind == OC_ITEM_RECTANGLE && scene->items[i].subject == part + 1)
            return &scene->items[i].as.rectangle;
    CHECK(false);
    return NULL;
}

static void test_rows(void)
{
    fixture made;
    begin(&made);
    oc_shown shown = {0};
    oc_scene scene = lay_out(&made, OCELOTL_SPATIOTEMPORAL, "mode", &shown);
    CHECK(shown.visible.row_count == ROWS && shown.part_count == LEAVES);
    for (size_t i = 0; i < LEAVES; i++)
        check_box(rectangle_of(&scene, i), &shown.frame, before[i], before[i + 1], ROWS);
    oc_scene_free(&scene);
    oc_shown_free(&shown);
    fixture_end(&made);
}

/* The names at the left are as high as what they name. */
static void test_nodes(void)
{
    fixture made;
    begin(&made);
    const oc_overview_input input = fixture_input(&made);
    const oc_picture picture = fixture_picture(800, 600);
    oc_overview overview = {.input = &input,
                            .picture = &picture,
                            .model = ocelotl_model_info_of(made.model),
                            .visible = {0, ROWS, 0, FIXTURE_SLICES, 0}};
    CHECK_OK(oc_overview_find_rows(&overview));
    CHECK(overview.rows.row_count == ROWS && overview.rows.node_count == 7);
    for (size_t i = 0; i < LEAVES; i++) {
        const oc_row_node *row = &overview.rows.nodes[core_nodes[i]];
        CHECK(row->first == before[i] && row->count == before[i + 1] - before[i]);
    }
    CHECK(overview.rows.nodes[4].first == 3 && overview.rows.nodes[4].count == 5);
    overview.frame = (oc_frame){0, 0, 200, 80};
    const oc_box box = oc_overview_box(&overview, 4, 0, 9);
    CHECK(box.x == 0 && box.width == 100 && box.y == 30 && box.height == 50);
    oc_overview_free(&overview);
    fixture_end(&made);
}

static void test_expansion(void)
{
    fixture made;
    begin(&made);
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const char *path = NULL;
    oc_visible visible = {0};
    options.expand = "machine-2";
    CHECK_OK(oc_expansion_find(&visible, &path, made.model, &options));
    CHECK(visible.row_first == 3 && visible.row_count == 5 && visible.node == 4);
    options.expand = NULL;
    options.expand_from = 0.25;
    options.expand_to = 0.5;
    CHECK_OK(oc_expansion_find(&visible, &path, made.model, &options));
    CHECK(visible.row_first == 0 && visible.row_count == ROWS && visible.slice_count == 5);
    fixture_end(&made);
}

/* The third leaf lives from the tenth slice on: its rows are hatched before. */
static void test_lifetimes(void)
{
    fixture made;
    begin(&made);
    made.model->nodes[core_nodes[2]].begin = 10;
    oc_shown shown = {0};
    size_t hatched = 0;
    oc_scene scene = lay_out(&made, OCELOTL_SPATIOTEMPORAL, "mode", &shown);
    for (size_t i = 0; i < scene.item_count; i++) {
        const oc_rectangle *is = &scene.items[i].as.rectangle;
        if (scene.items[i].kind != OC_ITEM_RECTANGLE || is->hatch == OC_COLOUR_NONE ||
            is->y >= shown.frame.top + shown.frame.height)
            continue;
        check_box(is, &shown.frame, before[2], before[3], ROWS);
        CHECK_NEAR(is->width, shown.frame.width / 2.0, 1);
        hatched++;
    }
    CHECK(hatched == 1);
    oc_scene_free(&scene);
    oc_shown_free(&shown);
    fixture_end(&made);
}

static void test_histogram(void)
{
    fixture made;
    begin(&made);
    made.model->nodes[core_nodes[3]].end = 10;
    made.part_count = 0;
    fixture_part(&made, 0, 0, 9);
    fixture_part(&made, 0, 10, 19);
    oc_scene scene = lay_out(&made, OCELOTL_TEMPORAL, "stacked", NULL);
    CHECK(scene_says(&scene, "outside lifetime 25 %"));
    CHECK(scene_says(&scene, "2 of 8 resources"));
    oc_scene_free(&scene);
    fixture_end(&made);
}

static void test_treemap(void)
{
    fixture made;
    begin(&made);
    oc_overview_input input = fixture_input(&made);
    oc_picture picture = fixture_picture(800, 600);
    input.partition.kind = OCELOTL_SPATIAL;
    input.view = &oc_view_treemap;
    for (int area = 0; area < 2; area++) {
        picture.area = area == 0 ? "leaves" : "traced";
        oc_scene scene = lay_out_picture(&input, &picture);
        CHECK(scene_says(&scene, "machine-2 | 5 leaves"));
        oc_scene_free(&scene);
    }
    oc_overview overview = {.input = &input,
                            .picture = &picture,
                            .model = ocelotl_model_info_of(made.model),
                            .visible = {0, ROWS, 0, FIXTURE_SLICES, 0}};
    oc_treemap_area area = {0};
    CHECK_OK(oc_overview_find_modes(&overview));
    CHECK_OK(oc_treemap_area_find(&area, &overview));
    const double one = oc_treemap_weight(&overview, &area, &made.parts[2]);
    made.parts[2].leaves *= 2;
    CHECK_NEAR(oc_treemap_weight(&overview, &area, &made.parts[2]), 2 * one, 1e-9);
    oc_overview_free(&overview);
    fixture_end(&made);
}

/* Parts drawn together have the shares of all their resources: one of three has 5 % of a type. */
static void test_joint_parts(void)
{
    static const uint32_t few[LEAVES + 1] = {0, 1, 3, 50, 100};
    fixture made;
    begin_with(&made, few);
    oc_overview_input input = fixture_input(&made);
    oc_picture picture = fixture_picture(800, 600);
    picture.smallest = 100;
    input.partition.kind = OCELOTL_SPATIAL;
    input.view = &oc_view_treemap;
    oc_scene scene = lay_out_picture(&input, &picture);
    CHECK(scene_says(&scene, "MPI_Send 1.67 %"));
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* Whether low parts show the number that their names end in; each leaf stands for `weight`. A
 * number names a single resource, not a leaf that stands for several. */
static bool shows_numbers(uint32_t weight)
{
    enum { CORES = 60 };
    static const char *const types[3] = {"Compute", "MPI_Wait", "MPI_Send"};
    fixture made;
    fixture_begin(&made, 1, CORES, "machine", types);
    oc_tree *tree = &made.model->matrix.tree;
    CHECK_OK(oc_allocate(&tree->weight_before, CORES + 1, sizeof *tree->weight_before));
    for (uint32_t core = 0; core <= CORES; core++)
        tree->weight_before[core] = core * weight;
    for (uint32_t core = 0; core < CORES; core++) {
        fixture_part(&made, 2 + core, 0, 19);
        made.parts[core].leaves = weight;
    }
    oc_overview_input input = fixture_input(&made);
    const oc_picture picture = fixture_picture(320, 320);
    input.partition.kind = OCELOTL_SPATIAL;
    input.view = &oc_view_treemap;
    oc_scene scene = lay_out_picture(&input, &picture);
    const bool found = scene_says(&scene, "\"\xE2\x80\xA6\x37\"");
    oc_scene_free(&scene);
    fixture_end(&made);
    return found;
}

/* A leaf that stands for one resource lives half of the time. The lifetimes of all eight make 150
 * slices, 131 of them in a state. */
static void test_amplitude(void)
{
    fixture made;
    begin(&made);
    made.model->nodes[core_nodes[0]].begin = 10;
    fixture_set_text(&made.model->metric, "state-duration");
    oc_scene scene = lay_out(&made, OCELOTL_SPATIOTEMPORAL, "amplitude", NULL);
    CHECK(scene_says(&scene, "share of lifetimes in any state, 87.33 %"));
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* The last leaf of the first ends early: the legend of both says so. */
static void test_compare(void)
{
    fixture first, second;
    begin(&first);
    begin(&second);
    first.model->nodes[core_nodes[3]].end = 10;
    ocelotl_model *const models[] = {first.model, second.model};
    ocelotl_partition *partitions[2];
    for (int i = 0; i < 2; i++) {
        ocelotl_aggregation *aggregation = must_aggregate(models[i], NULL);
        partitions[i] = must_solve(aggregation, 0);
        ocelotl_aggregation_free(aggregation);
    }
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(ocelotl_compare_draw(&sink, OCELOTL_PICTURE_SVG, partitions[0], partitions[1], false,
                                  NULL));
    CHECK(strstr(buffer.bytes, ">outside lifetime<") != NULL);
    ocelotl_buffer_free(&buffer);
    ocelotl_partition_free(partitions[0]);
    ocelotl_partition_free(partitions[1]);
    fixture_end(&first);
    fixture_end(&second);
}

/* A page says how many resources its nodes have, and all that is visible. */
static void test_report(void)
{
    fixture made;
    begin(&made);
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_aggregation *aggregation = must_aggregate(made.model, NULL);
    ocelotl_levels *levels = must_find_levels(aggregation, NULL);
    CHECK_OK(ocelotl_report_draw(&sink, aggregation, levels, (double)NAN, NULL));
    CHECK(strstr(buffer.bytes, "\"leaves\":8,") != NULL);
    CHECK(strstr(buffer.bytes, "[\"machine-2\",5,") != NULL);
    ocelotl_buffer_free(&buffer);
    ocelotl_levels_free(levels);
    ocelotl_aggregation_free(aggregation);
    fixture_end(&made);
}

int main(void)
{
    test_rows();
    test_nodes();
    test_expansion();
    test_lifetimes();
    test_histogram();
    test_treemap();
    test_joint_parts();
    CHECK(shows_numbers(1) && !shows_numbers(3));
    test_amplitude();
    test_compare();
    test_report();
    cairo_debug_reset_static_data();
    return 0;
}
