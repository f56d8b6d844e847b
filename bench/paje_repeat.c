/* Repeats a Paje trace in time, as SimGrid writes it: definitions and containers once, then all
 * that happens, again and again, each time later and with other keys of links; containers end at
 * the end.
 *
 *     zstdcat run.trace.zst | bench_repeat TIMES >long.trace */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CREATE_CONTAINER = 6,
    DESTROY_CONTAINER = 7,
    START_LINK = 15,
    END_LINK = 16,
    MICROSECONDS = 1000000
};

static char *read_all(size_t *length)
{
    size_t capacity = (size_t)1 << 26;
    char *text = malloc(capacity);
    size_t step;
    *length = 0;
    while (text != NULL && (step = fread(text + *length, 1, capacity - *length - 1, stdin)) > 0) {
        *length += step;
        if (*length + 1 == capacity)
            text = realloc(text, capacity *= 2);
    }
    return text;
}

/* The time in microseconds behind the event's number; *rest is what follows it. */
static uint64_t read_time(char *line, char **rest)
{
    char *time = strchr(line, ' ') + 1;
    const uint64_t seconds = strtoull(time, &time, 10);
    uint64_t fraction = 0;
    uint64_t unit = MICROSECONDS;
    if (*time == '.')
        for (time++; *time >= '0' && *time <= '9'; time++) {
            unit /= 10;
            fraction += (uint64_t)(*time - '0') * unit;
        }
    *rest = time;
    return seconds * MICROSECONDS + fraction;
}

/* Whether a line is written in this round. */
static bool belongs(long number, long round, long rounds)
{
    if (number <= CREATE_CONTAINER)
        return round == 0;
    return number != DESTROY_CONTAINER || round == rounds - 1;
}

static uint64_t write_round(char *text, long round, long rounds, uint64_t shift)
{
    uint64_t last = 0;
    for (char *line = text; *line != '\0';) {
        char *end = strchr(line, '\n');
        const bool is_event = *line >= '0' && *line <= '9';
        const long number = is_event ? strtol(line, NULL, 10) : 0;
        *end = '\0';
        if (belongs(number, round, rounds) && number < CREATE_CONTAINER) {
            puts(line);
        } else if (belongs(number, round, rounds)) {
            char *rest;
            const uint64_t time = read_time(line, &rest);
            last = time > last ? time : last;
            printf("%ld %lu.%06lu%s", number, (unsigned long)((time + shift) / MICROSECONDS),
                   (unsigned long)((time + shift) % MICROSECONDS), rest);
            if (round > 0 && (number == START_LINK || number == END_LINK))
                printf("_%ld", round);
            putchar('\n');
        }
        *end = '\n';
        line = end + 1;
    }
    return last;
}

int main(int count, char **arguments)
{
    size_t length;
    uint64_t shift = 0;
    const long rounds = count > 1 ? strtol(arguments[1], NULL, 10) : 1;
    char *text = read_all(&length);
    if (text == NULL)
        return 1;
    text[length] = '\0';
    for (long round = 0; round < rounds; round++)
        shift += write_round(text, round, rounds, shift);
    free(text);
    return ferror(stdout) ? 1 : 0;
}
