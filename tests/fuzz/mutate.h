/* Random changes of texts by their lines and words, for long replays. */
#ifndef OC_TESTS_FUZZ_MUTATE_H
#define OC_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { MUTATED_LONGEST = 20000 };

typedef struct mutated {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
    uint64_t state; /* of the random numbers */
} mutated;

/* A random number below `bound`. */
size_t mutated_draw(mutated *text, size_t bound);

/* Takes one of some inputs, and changes it a few times with parts of another. */
void mutated_make(mutated *text, const uint8_t *base, size_t base_length, const uint8_t *other,
                  size_t other_length);

#endif
