/* The engine against a plain textbook dynamic program (D. Dosimont's thesis, Algorithm 6.2), on
 * models of many shapes and sizes: no partition is better than the engine's, and every part of it
 * is what the definitions say. */
#include "test_aggregate_textbook.h"

/* Solves at raw p, or at normalised p; returns the partition's information. */
static ocelotl_partition_info check_at(const struct textbook *book, const ocelotl_model *built,
                                       const ocelotl_aggregation *aggregation, double p, bool raw)
{
    ocelotl_partition *partition;
    if (raw)
        partition = must_solve_raw(aggregation, p);
    else
        partition = must_solve(aggregation, p);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const double wanted = solve_book(book, info.p_raw);
    CHECK((raw ? info.p_raw : info.p) == p);
    CHECK_NEAR(info.pic, wanted,
               1e-9 * fabs(wanted) + 0x1p-49 * (info.whole_gain + info.whole_loss));
    CHECK(info.cuts_tried <= info.cut_count);
    reference_check(book->model, built, partition);
    ocelotl_partition_free(partition);
    return info;
}

/* p rises, and so do gain and loss. */
static void check_all(const large_model *model)
{
    static const double raw_p[] = {1e-6, 0.001, 0.05, 0.3, 0.7, 0.999};
    static const double normalised_p[] = {0.02, 0.25, 0.5, 0.85};
    struct textbook book = open_book(model);
    OWN_MODEL *built = large_build(model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, model->kind, 2);
    for (int raw = 0; raw < 2; raw++) {
        double gain = 0, loss = 0;
        for (size_t i = 0; i < (raw ? sizeof raw_p : sizeof normalised_p) / sizeof *raw_p; i++) {
            const ocelotl_partition_info info =
                check_at(&book, built, aggregation, raw ? raw_p[i] : normalised_p[i], raw != 0);
            CHECK(info.gain >= gain * (1 - 1e-12) && info.loss >= loss * (1 - 1e-12));
            gain = info.gain;
            loss = info.loss;
        }
    }
    close_book(&book);
}

static void check_model(ocelotl_kind kind, large_shape shape, large_texture texture,
                        uint32_t leaves, uint32_t types, uint32_t slices)
{
    fprintf(stderr, "kind %d, shape %d, texture %d, %u leaves, %u types, %u slices\n", (int)kind,
            (int)shape, (int)texture, leaves, types, slices);
    large_model model =
        large_make(kind, shape, texture, leaves, types, slices, 1 + slices + leaves);
    check_all(&model);
    large_free(&model);
}

/* Every shape with every texture, at sizes that leave every remainder of a vector. */
static void test_small(void)
{
    for (uint32_t shape = 0; shape < LARGE_SHAPES; shape++)
        for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
            const uint32_t slices = 1 + (shape * LARGE_TEXTURES + texture) % 20;
            check_model(OCELOTL_SPATIOTEMPORAL, (large_shape)shape, (large_texture)texture,
                        6 + 2 * shape, 1 + texture % 3, slices);
        }
    for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
        check_model(OCELOTL_TEMPORAL, LARGE_BINARY, (large_texture)texture, 5, 2, 9 + 4 * texture);
        check_model(OCELOTL_SPATIAL, LARGE_RANDOM, (large_texture)texture, 40 + texture, 2, 3);
    }
}

/* More slices than a strip of vectors holds. */
static void test_many_slices(void)
{
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_DENSE, 6, 2, 33);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_RANDOM, LARGE_STATES, 12, 3, 47);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_COMB, LARGE_SPARSE, 9, 2, 63);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_FLAT, LARGE_STATES, 20, 2, 64);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_ONLY_CHILD, LARGE_DENSE, 4, 1, 65);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_LOPSIDED, LARGE_FEW_VALUES, 8, 1, 71);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_STATES, 12, 3, 100);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_DENSE, 4, 2, 97);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_FLAT, LARGE_SPARSE, 6, 2, 99);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_PHASES, 12, 2, 100);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_PHASES, 3, 1, 133);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_PHASES, 4, 2, 134);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_DENSE, 7, 3, 100);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_STATES, 7, 3, 129);
    check_model(OCELOTL_SPATIAL, LARGE_TENFOLD, LARGE_DENSE, 300, 3, 5);
    check_model(OCELOTL_SPATIAL, LARGE_COMB, LARGE_STATES, 100, 3, 8);
    check_model(OCELOTL_SPATIAL, LARGE_RANDOM, LARGE_SPARSE, 250, 2, 2);
}

int main(void)
{
    test_small();
    test_many_slices();
    return 0;
}
