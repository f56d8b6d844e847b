#include "importers/paje/line.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { STEP = 64 };

/* Finds special bytes, a bit for each: blank, control character, '!', '"' or '#'. */
static uint64_t find_special(const char *bytes)
{
    uint64_t mask = 0;
#ifdef __SSE2__
    const __m128i largest = _mm_set1_epi8('#');
    for (int i = 0; i < STEP; i += 16) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        const __m128i is_special = _mm_cmpeq_epi8(_mm_min_epu8(block, largest), block);
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_special) << i;
    }
#else
    for (int i = 0; i < STEP; i++)
        mask |= (uint64_t)((unsigned char)bytes[i] <= '#') << i;
#endif
    return mask;
}

static void seek(paje_lines *lines, size_t place)
{
    lines->next = place;
    lines->base = place;
    lines->mask = find_special(lines->bytes + place);
}

void paje_lines_begin(paje_lines *lines, char *bytes, size_t next, size_t end, uint64_t number)
{
    *lines = (paje_lines){.bytes = bytes, .end = end, .number = number};
    seek(lines, next);
}

void paje_lines_pass_empty(paje_lines *lines)
{
    static const char empty[8] = {'\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n'};
    size_t place = lines->next;
    while (place + sizeof empty <= lines->end &&
           memcmp(lines->bytes + place, empty, sizeof empty) == 0)
        place += sizeof empty;
    while (place < lines->end && lines->bytes[place] == '\n')
        place++;
    lines->number += place - lines->next;
    seek(lines, place);
}

char *paje_lines_next(bool *has_nul, paje_lines *lines)
{
    char *begin = lines->bytes + lines->next;
    char *end = memchr(begin, '\n', lines->end - lines->next);
    lines->number++;
    seek(lines, (size_t)(end - lines->bytes) + 1);
    *has_nul = memchr(begin, '\0', (size_t)(end - begin)) != NULL;
    *end = '\0';
    if (end > begin && end[-1] == '\r')
        end[-1] = '\0';
    return begin;
}

/* -1 where it is not of one or two digits. */
static int read_number(const char *text, size_t length)
{
    const unsigned first = (unsigned)((unsigned char)text[0] - '0');
    if (length == 1)
        return first <= 9 ? (int)first : -1;
    const unsigned second = (unsigned)((unsigned char)text[1] - '0');
    return length == 2 && first <= 9 && second <= 9 ? (int)(10 * first + second) : -1;
}

int paje_lines_next_quickly(paje_lines *lines, paje_field *fields,
                            const uint8_t counts[PAJE_QUICK_NUMBERS])
{
    const char *bytes = lines->bytes;
    size_t begin = lines->next;
    size_t base = lines->base;
    uint64_t mask = lines->mask;
    size_t count = 0;
    for (;;) {
        while (mask == 0) {
            base += STEP;
            mask = find_special(bytes + base);
        }
        const size_t place = base + (size_t)__builtin_ctzll(mask);
        mask &= mask - 1;
        if (place == begin || count > PAJE_QUICK_FIELDS)
            return -1;
        fields[count++] = (paje_field){bytes + begin, place - begin};
        begin = place + 1;
        if (bytes[place] != ' ') {
            if (bytes[place] != '\n')
                return -1;
            break;
        }
    }
    const int number = read_number(fields[0].text, fields[0].length);
    if (number < 0 || count != counts[number])
        return -1;
    lines->begun = lines->next;
    lines->next = begin;
    lines->base = base;
    lines->mask = mask;
    lines->number++;
    return number;
}

void paje_lines_back(paje_lines *lines)
{
    lines->number--;
    seek(lines, lines->begun);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

bool paje_split(paje_field *fields, size_t most, size_t *count, char *line)
{
    *count = 0;
    for (;;) {
        while (is_blank(*line))
            line++;
        if (*line == '\0' || *line == '#')
            return true;
        if (*count == most) {
            *count = most + 1;
            return true;
        }
        const bool quoted = *line == '"';
        char *begin = line + quoted;
        char *end = begin;
        while (*end != '\0' && (quoted ? *end != '"' : !is_blank(*end)))
            end++;
        if (quoted && *end == '\0')
            return false;
        fields[*count] = (paje_field){begin, (size_t)(end - begin)};
        ++*count;
        line = *end == '\0' ? end : end + 1;
        *end = '\0';
    }
}
