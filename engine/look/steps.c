#include "look/steps.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps are as slow as the slowest if they take this share of its time; and so many are named. */
static const double as_slow = 0.95;
enum { NAMED = 3 };

/* The slowest stands out if it takes so many times the median. */
static const double outstanding = 1.2;

/* Reads lines BEGIN END NAME behind the first; `lengths` has room for all. */
static bool read_all(oc_steps *steps, double *lengths, const char *line)
{
    const size_t count = steps->count;
    for (size_t i = 0; i < count; i++) {
        oc_step_span *step = &steps->list[i];
        char *behind;
        char *end;
        line += strlen(line) + 1;
        step->begin = oc_plain_number(line, &behind);
        step->end = oc_plain_number(behind, &end);
        step->name = end + 1;
        if (end == behind || *end != ' ' || !isfinite(step->begin) || !(step->begin <= step->end))
            return false;
        lengths[i] = step->end - step->begin;
        steps->slowest = lengths[i] > lengths[steps->slowest] ? i : steps->slowest;
    }
    qsort(lengths, count, sizeof *lengths, oc_compare_numbers);
    steps->least = lengths[0];
    steps->median = (lengths[(count - 1) / 2] + lengths[count / 2]) / 2;
    steps->most = lengths[count - 1];
    if (!(steps->most > 0 && steps->most >= outstanding * steps->median))
        steps->slowest = count;
    return isfinite(steps->most);
}

ocelotl_status oc_steps_read(oc_steps *steps, const char *lines)
{
    const size_t size = strlen(lines) + 1;
    oc_steps made = {.count = 0};
    for (const char *at = lines; (at = strchr(at, '\n')) != NULL; at++)
        made.count++;
    OC_TRY(oc_allocate(&made.list, made.count * (sizeof *made.list + sizeof(double)) + size, 1));
    double *lengths = (double *)(made.list + made.count);
    char *texts = memcpy(lengths + made.count, lines, size);
    for (char *at = texts; (at = strchr(at, '\n')) != NULL;)
        *at++ = '\0';
    made.name = texts;
    if (made.count == 0 || !read_all(&made, lengths, texts)) {
        free(made.list);
        return oc_fail(OCELOTL_ERROR_INPUT, "the steps of a model are damaged");
    }
    *steps = made;
    return OCELOTL_OK;
}

bool oc_step_is_slow(const oc_steps *steps, size_t step)
{
    return steps->slowest < steps->count &&
           steps->list[step].end - steps->list[step].begin >= as_slow * steps->most;
}

void oc_step_add_number(oc_text *text, const oc_step_span *step)
{
    static const char digits[] = "0123456789";
    const char *from = step->name + strcspn(step->name, digits);
    size_t length = strlen(from);
    while (length > 1 && strchr(digits, from[length - 1]) == NULL)
        length--;
    oc_text_append(text, from, length);
}

void oc_steps_describe(oc_text *text, const oc_steps *steps)
{
    oc_text_format(text, "%zu steps %s; ", steps->count, steps->name);
    if (steps->slowest < steps->count) {
        size_t slow = 0;
        oc_text_add(text, "slowest: ");
        for (size_t i = 0; i < steps->count; i++)
            if (oc_step_is_slow(steps, i) && slow++ < NAMED) {
                oc_text_add(text, slow > 1 ? ", " : "");
                oc_step_add_number(text, &steps->list[i]);
            }
        if (slow > NAMED)
            oc_text_format(text, " and %zu more", slow - NAMED);
        oc_text_format(text, ", %s (median %s)", oc_short_time(steps->most).text,
                       oc_short_time(steps->median).text);
        return;
    }
    oc_text_format(text, "each takes %s", oc_short_time(steps->least).text);
    if (strcmp(oc_short_time(steps->least).text, oc_short_time(steps->most).text) != 0)
        oc_text_format(text, " to %s", oc_short_time(steps->most).text);
}
