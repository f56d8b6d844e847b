/* Colours of types: stable, told apart, never lost on white. */
#include "check.h"

#include "viz/palette.h"

static void test_stable(void)
{
    oc_palette_type alone[] = {{"MPI_Send", -1, 0}};
    oc_palette_type two[] = {{"MPI_Send", -1, 0}, {"Compute", -1, 0}};
    oc_palette_assign(alone, 1);
    oc_palette_assign(two, 2);
    CHECK(alone[0].colour == two[0].colour);
    CHECK(two[0].colour != two[1].colour);
    oc_palette_type again[] = {{"MPI_Send", -1, 7}, {"Compute", -1, 9}};
    oc_palette_assign(again, 2);
    CHECK(again[0].colour == two[0].colour && again[1].colour == two[1].colour);
}

/* As many names as there are plain colours: hashes collide, colours do not. */
static void test_collisions(void)
{
    char names[24][24];
    oc_palette_type types[24];
    for (int i = 0; i < 24; i++) {
        snprintf(names[i], sizeof names[i], "state %d", i);
        types[i] = (oc_palette_type){names[i], -1, 0};
    }
    oc_palette_assign(types, 24);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < i; j++)
            CHECK(oc_colour_distance(types[i].colour, types[j].colour) >= (i < 8 ? 100 : 25));
}

static void test_wanted(void)
{
    oc_palette_type types[] = {
        {"first", -1, 0},       {"kept", 0x12A0F0, 0}, {"twin", 0x12A0F2, 0},
        {"white", 0xFFFFFF, 0}, {"snow", 0xFAFAFA, 0},
    };
    oc_palette_assign(types, 5);
    CHECK(types[1].colour == 0x12A0F0);
    for (int i = 0; i < 5; i++) {
        CHECK(oc_colour_contrast(types[i].colour) >= 1.6);
        for (int j = 0; j < i; j++)
            CHECK(oc_colour_distance(types[i].colour, types[j].colour) >= 30);
    }
    CHECK(types[2].colour != 0x12A0F2);
}

/* More types than can be told apart still get colours, and quickly. */
static void test_many(void)
{
    enum { MANY = 20000 };
    char(*names)[16] = calloc(MANY, sizeof *names);
    oc_palette_type *types = calloc(MANY, sizeof *types);
    CHECK(names != NULL && types != NULL);
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        types[i] = (oc_palette_type){names[i], i % 3 == 0 ? 0xFFFF00 : -1, 0xFFFFFF};
    }
    oc_palette_assign(types, MANY);
    for (int i = 0; i < MANY; i++)
        CHECK(oc_colour_contrast(types[i].colour) >= 1.2);
    free(names);
    free(types);
}

int main(void)
{
    test_stable();
    test_collisions();
    test_wanted();
    test_many();
    oc_palette_assign(NULL, 0);
    return 0;
}
