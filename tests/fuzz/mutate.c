#include "mutate.h"

#include "../check.h"

#include <stdbool.h>

/* Part of a text, from `first` to before `end`. */
typedef struct range {
    size_t first;
    size_t end;
} range;

size_t mutated_draw(mutated *text, size_t bound)
{
    text->state += 0x9E3779B97F4A7C15;
    uint64_t mixed = text->state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    mixed ^= mixed >> 31;
    return bound > 0 ? (size_t)(mixed % bound) : 0;
}

static bool is_end(uint8_t byte, bool of_line)
{
    return byte == '\n' || (!of_line && byte == ' ');
}

/* The line, with its end, or the word about a random place. */
static range draw_range(mutated *random, const uint8_t *bytes, size_t length, bool of_line)
{
    range found = {mutated_draw(random, length), 0};
    found.end = found.first;
    while (found.first > 0 && !is_end(bytes[found.first - 1], of_line))
        found.first--;
    while (found.end < length && !is_end(bytes[found.end], of_line))
        found.end++;
    found.end += of_line && found.end < length;
    return found;
}

/* Puts bytes in the place of a part. */
static void put(mutated *text, range place, const uint8_t *bytes, size_t length)
{
    const size_t made = text->length - (place.end - place.first) + length;
    if (made > MUTATED_LONGEST)
        return;
    memmove(text->bytes + place.first + length, text->bytes + place.end, text->length - place.end);
    memcpy(text->bytes + place.first, bytes, length);
    text->length = made;
}

/* Some lines of either text, or a word. */
static size_t draw_bytes(uint8_t *taken, mutated *text, const uint8_t *other, size_t other_length,
                         bool of_line)
{
    const bool own = mutated_draw(text, 2) == 0;
    const uint8_t *from = own ? text->bytes : other;
    const size_t length = own ? text->length : other_length;
    range found = draw_range(text, from, length, of_line);
    for (size_t more = mutated_draw(text, 3) == 0 ? mutated_draw(text, 9) : 0; of_line && more > 0;
         more--) {
        const range next = draw_range(text, from, length, true);
        found.first =
            next.first < found.first && found.end - next.first < 1000 ? next.first : found.first;
    }
    memcpy(taken, from + found.first, found.end - found.first);
    return found.end - found.first;
}

static void change_byte(mutated *text)
{
    static const uint8_t odd[] = "\"%\\\n\r\t\0 #-+.eE0123456789xABCDEFnan\xFF\xC3";
    if (text->length == 0)
        return;
    const size_t first = mutated_draw(text, text->length);
    const range place = {first, first + mutated_draw(text, 2)};
    put(text, place, &odd[mutated_draw(text, sizeof odd)], mutated_draw(text, 4) > 0);
}

static void change(mutated *text, const uint8_t *other, size_t other_length)
{
    uint8_t *taken = malloc(MUTATED_LONGEST);
    CHECK(taken != NULL);
    const bool of_line = mutated_draw(text, 2) == 0;
    const range place = draw_range(text, text->bytes, text->length, of_line);
    const range before = {place.first, place.first};
    switch (mutated_draw(text, 8)) {
    case 0:
        put(text, before, taken, draw_bytes(taken, text, other, other_length, true));
        break;
    case 1:
    case 2:
        put(text, place, taken, draw_bytes(taken, text, other, other_length, of_line));
        break;
    case 3:
        put(text, place, taken, 0);
        break;
    case 4:
        for (size_t more = mutated_draw(text, 20); more > 0; more--)
            put(text, before, taken, draw_bytes(taken, text, other, other_length, true));
        break;
    case 5:
        if (mutated_draw(text, 8) == 0)
            text->length = mutated_draw(text, text->length + 1);
        break;
    default:
        change_byte(text);
        break;
    }
    free(taken);
}

void mutated_make(mutated *text, const uint8_t *base, size_t base_length, const uint8_t *other,
                  size_t other_length)
{
    if (text->bytes == NULL) {
        text->bytes = malloc(MUTATED_LONGEST);
        CHECK(text->bytes != NULL);
    }
    text->length = base_length < MUTATED_LONGEST ? base_length : MUTATED_LONGEST;
    memcpy(text->bytes, base, text->length);
    for (size_t changes = 1 + mutated_draw(text, 6); changes > 0; changes--)
        change(text, other, other_length < MUTATED_LONGEST ? other_length : MUTATED_LONGEST);
    /* The options before the text, and the size of blocks. */
    for (size_t i = 0; i < 2 && i < text->length; i++)
        if (mutated_draw(text, 2) == 0)
            text->bytes[i] = (uint8_t)mutated_draw(text, i == 0 ? 256 : 96);
}
