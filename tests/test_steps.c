/* Steps as a model has them: what is read of its lines, in words, and what is refused. */
#include "check.h"

#include "look/steps.h"

#include <stdlib.h>

static const struct {
    const char *lines;
    const char *words; /* NULL: they are damaged */
    double median;
} cases[] = {
    {"step #\n0 1 step 7", "1 steps step #; each takes 1 s", 1},
    {"it#\n0 1 it1\n1 2 it2\n2 4 it3", "3 steps it#; slowest: 3, 2 s (median 1 s)", 1},
    {"it#\n0 1 it1\n1 3.5 it2\n3.5 5.5 it10\n6 8 it11",
     "4 steps it#; slowest: 2, 2.5 s (median 2 s)", 2},
    {"it#\n0 2 it1\n2 4.125 it2", "2 steps it#; each takes 2 s to 2.13 s", 2.0625},
    {"a#b#c\n0 1 a1b2c\n1 5 a1b3c\n5 6 a1b4c", "3 steps a#b#c; slowest: 1b3, 4 s (median 1 s)", 1},
    {"#\n0 0 1\n0 0 2", "2 steps #; each takes 0 s", 0},
    {"step #", NULL, 0},
    {"step #\n", NULL, 0},
    {"step #\n0", NULL, 0},
    {"step #\n0 1", NULL, 0},
    {"step #\n0 x step 1", NULL, 0},
    {"step #\nx 1 step 1", NULL, 0},
    {"step #\n2 1 step 1", NULL, 0},
    {"step #\n0 nan step 1", NULL, 0},
    {"step #\n0 inf step 1", NULL, 0},
    {"step #\n-inf 1 step 1", NULL, 0},
    {"step #\n0 1 step 1\n\n", NULL, 0},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oc_steps steps = {.count = 0};
        oc_text words = {0};
        const ocelotl_status status = oc_steps_read(&steps, cases[i].lines);
        CHECK(status == (cases[i].words != NULL ? OCELOTL_OK : OCELOTL_ERROR_INPUT));
        if (cases[i].words == NULL)
            continue;
        oc_steps_describe(&words, &steps);
        oc_text_append(&words, "", 0);
        CHECK_TEXT(words.bytes, cases[i].words);
        CHECK(!(steps.median < cases[i].median) && !(steps.median > cases[i].median));
        oc_text_free(&words);
        free(steps.list);
    }
    return 0;
}
