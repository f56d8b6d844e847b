#define _GNU_SOURCE
#include "importers/paje/line.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { STEP = 64 };
static const size_t large_block = (size_t)1 << 19;
static const size_t small_block = (size_t)1 << 16;
static const size_t longest_line = (size_t)1 << 24;

static inline size_t block_size(const paje_lines *lines)
{
    return lines->is_small ? small_block : large_block;
}

void paje_lines_free(paje_lines *lines)
{
    for (size_t i = 0; i < lines->block_count; i++)
        free(lines->blocks[(lines->first_block + i) % lines->block_capacity].bytes);
    free(lines->blocks);
    lines->blocks = NULL;
    lines->block_count = 0;
}

static paje_block *youngest(const paje_lines *lines)
{
    return &lines->blocks[(lines->first_block + lines->block_count - 1) % lines->block_capacity];
}

static ocelotl_status enlarge_ring(paje_lines *lines)
{
    paje_block *blocks = NULL;
    const size_t capacity = 2 * lines->block_capacity + 4;
    OC_TRY(oc_allocate(&blocks, capacity, sizeof *blocks));
    for (size_t i = 0; i < lines->block_count; i++)
        blocks[i] = lines->blocks[(lines->first_block + i) % lines->block_capacity];
    free(lines->blocks);
    lines->blocks = blocks;
    lines->block_capacity = capacity;
    lines->first_block = 0;
    return OCELOTL_OK;
}

/* Looking for blanks reads whole steps, beyond what is there. */
static ocelotl_status enlarge_block(paje_lines *lines, paje_block *block, size_t capacity)
{
    char *bytes = realloc(block->bytes, capacity + 2 * STEP);
    if (bytes == NULL)
        return oc_fail_memory();
    memset(bytes + capacity, 0, 2 * STEP);
    lines->allocated += capacity - block->capacity;
    block->bytes = bytes;
    block->capacity = capacity;
    return OCELOTL_OK;
}

/* Goes on where the youngest block begins, which no event refers to; takes the line that is
 * incomplete along. */
static ocelotl_status begin_again(paje_lines *lines)
{
    const size_t left = lines->read - lines->next;
    paje_block *block = youngest(lines);
    if (left > 0)
        memmove(block->bytes, block->bytes + lines->next, left);
    lines->next = 0;
    lines->read = left;
    return block->capacity < left + block_size(lines) / 2
               ? enlarge_block(lines, block, 2 * left + block_size(lines))
               : OCELOTL_OK;
}

/* Goes on in the oldest block where nothing refers to it any more, or in a new one; takes the line
 * that is incomplete along. */
static ocelotl_status turn(paje_lines *lines, uint64_t made, uint64_t happened)
{
    const size_t left = lines->read - lines->next;
    paje_block from = {0};
    paje_block block = {0};
    if (lines->block_count > 0) {
        youngest(lines)->last_event = made;
        from = *youngest(lines);
        if (from.first_event == made)
            return begin_again(lines);
    }
    if (lines->block_count == lines->block_capacity)
        OC_TRY(enlarge_ring(lines));
    if (lines->block_count > 1 && lines->blocks[lines->first_block].last_event <= happened) {
        block = lines->blocks[lines->first_block];
        lines->first_block = (lines->first_block + 1) % lines->block_capacity;
        lines->block_count--;
    }
    lines->block_count++;
    block.first_event = made;
    *youngest(lines) = block;
    if (block.bytes == NULL || block.capacity < left + block_size(lines) / 2)
        OC_TRY(enlarge_block(lines, youngest(lines), 2 * left + block_size(lines)));
    if (left > 0 && from.bytes != NULL)
        memcpy(youngest(lines)->bytes, from.bytes + lines->next, left);
    lines->next = 0;
    lines->read = left;
    return OCELOTL_OK;
}

void paje_lines_release(paje_lines *lines, uint64_t made)
{
    while (lines->block_count > 1) {
        paje_block *block = &lines->blocks[lines->first_block];
        lines->allocated -= block->capacity;
        free(block->bytes);
        lines->first_block = (lines->first_block + 1) % lines->block_capacity;
        lines->block_count--;
    }
    if (lines->block_count > 0)
        youngest(lines)->first_event = made;
}

static void replace_nul(char *bytes, size_t length)
{
    char *end = bytes + length;
    while ((bytes = memchr(bytes, '\0', (size_t)(end - bytes))) != NULL)
        *bytes = ' ';
}

/* One bit for each byte that is a blank, a control character, '!', '"' or '#'. */
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

static ocelotl_status read_step(paje_lines *lines, uint64_t made, uint64_t happened)
{
    size_t step;
    if (lines->block_count == 0 || youngest(lines)->capacity - lines->read < block_size(lines) / 4)
        OC_TRY(turn(lines, made, happened));
    paje_block *block = youngest(lines);
    const size_t room = block->capacity - lines->read;
    lines->bytes = block->bytes;
    OC_TRY(oc_input_read(lines->input, block->bytes + lines->read,
                         room < block_size(lines) ? room : block_size(lines), &step));
    replace_nul(block->bytes + lines->read, step);
    lines->at_end = step == 0;
    if (lines->at_end && oc_input_loss(lines->input) != NULL)
        lines->read = lines->next; /* the last line was cut, whatever is left of it may mean */
    if (lines->at_end && lines->read > lines->next)
        block->bytes[lines->read++] = '\n'; /* there is room behind the block's capacity */
    const char *last = step == 0 ? NULL : memrchr(block->bytes + lines->read, '\n', step);
    lines->read += step;
    lines->complete = lines->at_end  ? lines->read
                      : last != NULL ? (size_t)(last - block->bytes) + 1
                                     : lines->next;
    return OCELOTL_OK;
}

/* Forgets what has been read of a line that is too long, up to its end. */
static void skip(paje_lines *lines)
{
    char *begin = lines->bytes + lines->next;
    const char *end = memchr(begin, '\n', lines->read - lines->next);
    lines->next = end != NULL ? (size_t)(end - lines->bytes) + 1 : lines->read;
    lines->complete = lines->complete > lines->next ? lines->complete : lines->next;
    lines->skips = end == NULL && !lines->at_end;
}

ocelotl_status paje_lines_read(paje_lines *lines, uint64_t made, uint64_t happened, bool *too_long)
{
    *too_long = false;
    while ((!paje_lines_are_read(lines) || lines->skips) && !lines->at_end) {
        if (!lines->skips && lines->read - lines->next > longest_line) {
            lines->number++;
            *too_long = true;
            skip(lines);
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "a line of more than %zu MiB, expected lines of text",
                           longest_line >> 20);
        }
        OC_TRY(read_step(lines, made, happened));
        if (lines->skips)
            skip(lines);
    }
    if (paje_lines_are_read(lines))
        seek(lines, lines->next);
    return OCELOTL_OK;
}

void paje_lines_pass_empty(paje_lines *lines)
{
    static const char empty[STEP] = {
        '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n',
        '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n',
        '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n',
        '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n',
        '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n', '\n'};
    size_t place = lines->next;
    if (place == lines->complete || lines->bytes[place] != '\n')
        return;
    while (place + STEP <= lines->complete && memcmp(lines->bytes + place, empty, STEP) == 0)
        place += STEP;
    while (place < lines->complete && lines->bytes[place] == '\n')
        place++;
    lines->number += place - lines->next;
    seek(lines, place);
}

/* The line as it was, for who can read it whatever is in it. */
static void whole_line(paje_line *line, paje_lines *lines, const paje_field *fields, size_t count)
{
    char *begin = lines->bytes + lines->next;
    for (size_t i = 0; i < count; i++)
        begin[(size_t)(fields[i].text - begin) + fields[i].length] = ' ';
    char *end = memchr(begin, '\n', lines->complete - lines->next);
    seek(lines, (size_t)(end - lines->bytes) + 1);
    *end = '\0';
    if (end > begin && end[-1] == '\r')
        end[-1] = '\0';
    line->text = begin;
}

void paje_lines_next(paje_line *line, paje_lines *lines, paje_field *fields, size_t most)
{
    line->text = NULL;
    line->is_split = false;
    line->count = 0;
    if (!paje_lines_are_read(lines))
        return;
    char *bytes = lines->bytes;
    size_t begin = lines->next;
    size_t base = lines->base;
    uint64_t mask = lines->mask;
    size_t count = 0;
    lines->number++;
    if (bytes[begin] == '%') {
        whole_line(line, lines, fields, 0);
        return;
    }
    for (;;) {
        while (mask == 0) {
            base += STEP;
            mask = find_special(bytes + base);
        }
        const size_t place = base + (size_t)__builtin_ctzll(mask);
        const char special = bytes[place];
        mask &= mask - 1;
        if (place == begin || (special != ' ' && special != '\n') || count == most) {
            whole_line(line, lines, fields, count);
            return;
        }
        fields[count++] = (paje_field){bytes + begin, place - begin};
        bytes[place] = '\0';
        begin = place + 1;
        if (special == '\n')
            break;
    }
    line->text = bytes + lines->next;
    line->is_split = true;
    line->count = count;
    lines->next = begin;
    lines->base = base;
    lines->mask = mask;
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
