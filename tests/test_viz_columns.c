/* Names of rows beside a plot: from two rows on, if no column names them, as wide as the widest
 * name drawn, cut to the room. */
#include "check.h"

#include "viz/frame/frame.h"

enum {
    ROWS_MOST = 40,
    HEIGHT = 600,
    ROOM = 400,
    COUNT_WIDTH = 24, /* the number of rows, upright, with a space */
    TICK_WIDTH = 7    /* between a name and the plot */
};

/* A root without a name above leaves of one row each, or leaves alone. */
typedef struct tree {
    oc_row_node nodes[ROWS_MOST + 1];
    char names[ROWS_MOST][40];
    oc_row_nodes rows;
} tree;

static void make(tree *made, uint32_t count, uint32_t widest)
{
    *made = (tree){.rows = {made->nodes, count + 1, count}};
    made->nodes[0] = (oc_row_node){"", "", 0, 0, count, false};
    for (uint32_t i = 0; i < count; i++) {
        snprintf(made->names[i], sizeof made->names[i], i == widest ? "the widest name %u" : "n%u",
                 i);
        made->nodes[i + 1] = (oc_row_node){made->names[i], made->names[i], 1, i, 1, true};
    }
}

static int wanted_of(const char *name)
{
    return (int)ceil(oc_lettering_width(name, OC_SIZE_LABEL, false)) + TICK_WIDTH;
}

/* Any number of rows but one has names, and the number of them. */
static void test_counts(void)
{
    const oc_level_columns none = {0};
    for (uint32_t count = 1; count <= ROWS_MOST; count++) {
        tree made;
        make(&made, count, count - 1);
        const oc_row_names names = oc_row_names_choose(&made.rows, &none, HEIGHT, ROOM);
        const int wanted = count < 2 ? 0 : wanted_of(made.names[count - 1]);
        CHECK(names.name_width == wanted);
        CHECK(names.width == (count < 2 ? 0 : wanted + COUNT_WIDTH));
    }
}

/* Too many for the height: a name that is not drawn takes no room. */
static void test_low_rows(void)
{
    const oc_level_columns none = {0};
    tree made;
    make(&made, ROWS_MOST, 1);
    const oc_row_names names = oc_row_names_choose(&made.rows, &none, ROWS_MOST * 2, ROOM);
    CHECK(names.name_width > TICK_WIDTH && names.name_width < wanted_of(made.names[1]));
}

/* Names are cut to the room, and go before the number does. */
static void test_room(void)
{
    const oc_level_columns none = {0};
    tree made;
    make(&made, 3, 0);
    const int wanted = wanted_of(made.names[0]);
    for (int room = 0; room < ROOM; room++) {
        const oc_row_names names = oc_row_names_choose(&made.rows, &none, HEIGHT, room);
        const int left = room - COUNT_WIDTH;
        CHECK(names.name_width == (left >= wanted ? wanted : left >= TICK_WIDTH + 17 ? left : 0));
        CHECK(names.width == (left < 0 ? 0 : COUNT_WIDTH + names.name_width));
    }
}

/* A column of several nodes says which rows are which; one of a single node does not. */
static void test_told_apart(void)
{
    oc_level_column several = {.depth = 1, .width = 50}, one = {.depth = 0, .width = 50};
    tree made;
    make(&made, 5, 0);
    oc_level_columns columns = {&several, 1, 50};
    CHECK(oc_row_names_choose(&made.rows, &columns, HEIGHT, ROOM).width == 0);
    columns.columns = &one;
    CHECK(oc_row_names_choose(&made.rows, &columns, HEIGHT, ROOM).width > COUNT_WIDTH);
}

/* Folds take at most a fortieth each, a quarter together, and what their rows would take; the
 * others share the rest. No row is out of its place, and the edges are those of the frame. */
static void test_folds(void)
{
    enum { SIZE = 4000, ROWS = 100, FOLDS_MOST = 20 };
    static const struct {
        uint32_t count, first, rows, apart;
        double height; /* of the first */
    } cases[] = {
        {1, 10, 50, 0, SIZE / 40.0},    /* many rows */
        {1, 99, 1, 0, SIZE / 100.0},    /* one, as high as it was */
        {2, 0, 3, 90, SIZE / 40.0},     /* at an edge */
        {20, 0, 4, 5, SIZE / 4.0 / 20}, /* so many that they share a quarter */
    };
    const oc_frame frame = {.top = 7, .height = SIZE};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        oc_row_fold folds[FOLDS_MOST];
        oc_row_nodes rows = {.row_count = ROWS, .folds = folds, .fold_count = cases[c].count};
        double left = SIZE;
        uint32_t kept = ROWS;
        for (uint32_t i = 0; i < cases[c].count; i++) {
            folds[i] =
                (oc_row_fold){.first = cases[c].first + i * cases[c].apart, .count = cases[c].rows};
            left -= cases[c].height;
            kept -= cases[c].rows;
        }
        oc_row_nodes_place_folds(&rows);
        CHECK(oc_row_y(&frame, &rows, 0) == 7 && oc_row_y(&frame, &rows, ROWS) == 7 + SIZE);
        for (uint32_t row = 0; row < ROWS; row++) {
            const bool folded = oc_rows_are_folded(&rows, row, 1);
            const double wanted = folded ? cases[c].height / cases[c].rows : left / kept;
            CHECK_NEAR(oc_rows_height(&rows, row, 1, SIZE), wanted, 1e-6);
            CHECK(oc_row_y(&frame, &rows, row) <= oc_row_y(&frame, &rows, row + 1));
        }
        CHECK(oc_rows_are_folded(&rows, folds[0].first, folds[0].count));
        CHECK(!oc_rows_are_folded(&rows, folds[0].first, folds[0].count + 1));
    }
}

int main(void)
{
    test_counts();
    test_low_rows();
    test_room();
    test_told_apart();
    test_folds();
    return 0;
}
