/* Sorting what comes in any order, against a sort of all in memory that is written anew here: with
 * so little memory that the disk is needed, with a disk that is full, and with programs that are
 * killed. */
#include "temporary.h"

#include "importers/ingest/sorting.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { MOST = 20000, LONGEST = 60 };

typedef struct item {
    oc_sorted record;
    ocelotl_attribute_value attributes[3];
    char text[LONGEST];
    size_t number;
} item;

static item items[MOST];
static bool grouped;

static int order_of_numbers(int64_t left, int64_t right)
{
    return left < right ? -1 : left > right;
}

/* Compares as the header defines the order, each rule on a line of its own. */
static int compare(const void *left, const void *right)
{
    const item *one = left, *other = right;
    const oc_sorted *a = &one->record, *b = &other->record;
    const bool spans = a->kind == OC_SORTED_SPAN && b->kind == OC_SORTED_SPAN;
    int order = order_of_numbers(a->stream, b->stream);
    order = order == 0 && grouped ? order_of_numbers((int64_t)a->group, (int64_t)b->group) : order;
    order = order == 0 ? order_of_numbers(a->time, b->time) : order;
    order = order == 0 ? (a->kind == OC_SORTED_SPAN) - (b->kind == OC_SORTED_SPAN) : order;
    order = order == 0 && spans ? order_of_numbers(b->end, a->end) : order;
    order = order == 0 && spans ? order_of_numbers(a->order, b->order) : order;
    return order == 0 ? order_of_numbers((int64_t)one->number, (int64_t)other->number) : order;
}

static void make_item(item *made, uint64_t *state, size_t number, uint32_t disorder)
{
    const size_t length = check_below(state, LONGEST);
    const int64_t time = (int64_t)(number * (disorder == 0) + check_below(state, 1 + disorder));
    *made = (item){.number = number};
    for (size_t i = 0; i < length; i++)
        made->text[i] = (char)check_below(state, 256);
    made->record = (oc_sorted){.stream = check_below(state, 5) * 7,
                               .kind = (oc_sorted_kind)check_below(state, OC_SORTED_SPAN + 1),
                               .group = check_below(state, 3),
                               .time = time,
                               .end = time + check_below(state, 4),
                               .order = check_below(state, 3),
                               .type = check_below(state, 9),
                               .value = (uint32_t)number,
                               .attribute_count = check_below(state, 4),
                               .attributes = made->attributes};
    for (size_t i = 0; i < made->record.attribute_count; i++)
        made->attributes[i] = (ocelotl_attribute_value){check_below(state, 100), made->text,
                                                        check_below(state, (uint32_t)length + 1)};
}

static void check_item(const oc_sorted *given, const item *wanted, int64_t factor)
{
    const oc_sorted *record = &wanted->record;
    CHECK(given != NULL);
    CHECK(given->stream == record->stream && given->kind == record->kind);
    CHECK(given->time == record->time * factor && given->value == record->value);
    CHECK(given->end == record->end * (given->kind == OC_SORTED_SPAN ? factor : 1));
    CHECK(given->group == record->group && given->order == record->order);
    CHECK(given->type == record->type && given->attribute_count == record->attribute_count);
    for (size_t i = 0; i < given->attribute_count; i++) {
        CHECK(given->attributes[i].attribute == record->attributes[i].attribute);
        CHECK(given->attributes[i].length == record->attributes[i].length);
        CHECK(memcmp(given->attributes[i].text, wanted->text, given->attributes[i].length) == 0);
    }
}

/* Times become three times finer in the middle. */
static void check_world(uint64_t *state, size_t count, size_t memory, uint32_t disorder)
{
    oc_sorting *sorting;
    const oc_sorted *given;
    grouped = check_below(state, 2) == 1;
    CHECK_OK(oc_sorting_open(&sorting, temporary_path("target.db"), memory, grouped));
    for (size_t i = 0; i < count; i++) {
        oc_sorted record;
        make_item(&items[i], state, i, disorder);
        record = items[i].record;
        if (i == count / 2)
            CHECK_OK(oc_sorting_refine(sorting, 3));
        record.time *= i >= count / 2 ? 3 : 1;
        record.end *= i >= count / 2 && record.kind == OC_SORTED_SPAN ? 3 : 1;
        CHECK_OK(oc_sorting_add(sorting, &record));
    }
    CHECK(temporary_files(false) == 0);
    CHECK_OK(oc_sorting_finish(sorting));
    CHECK(oc_sorting_count(sorting) == count);
    CHECK((oc_sorting_runs(sorting) > 1) == (memory < 1 << 20 && count > 5000));
    qsort(items, count, sizeof items[0], compare);
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(oc_sorting_next(&given, sorting));
        items[i].record.attributes = items[i].attributes;
        check_item(given, &items[i], 3);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_OK(oc_sorting_next(&given, sorting));
        CHECK(given == NULL);
    }
    oc_sorting_free(sorting);
    CHECK(temporary_files(false) == 0);
}

static void check_worlds(void)
{
    uint64_t state = 7;
    static const uint32_t disorders[] = {0, 1, 10, 100000};
    for (int round = 0; round < 12; round++)
        for (size_t d = 0; d < 4; d++) {
            check_world(&state, check_below(&state, 40), OC_SORTING_MEMORY, disorders[d]);
            check_world(&state, check_below(&state, 4000), OC_SORTING_MEMORY, disorders[d]);
            check_world(&state, 5001 + check_below(&state, MOST - 5001), 1, disorders[d]);
        }
}

/* Attributes larger than any buffer. */
static void check_large(void)
{
    enum { LENGTH = 3000000, COUNT = 6 };
    oc_sorting *sorting;
    const oc_sorted *given;
    char *text = malloc(LENGTH);
    CHECK(text != NULL);
    CHECK_OK(oc_sorting_open(&sorting, "/tmp/target.db", 1, false));
    for (int i = COUNT - 1; i >= 0; i--) {
        memset(text, 'a' + i, LENGTH);
        const ocelotl_attribute_value attributes[] = {{1, NULL, 0}, {2, text, LENGTH}, {3, "x", 1}};
        CHECK_OK(oc_sorting_add(sorting, &(oc_sorted){.kind = OC_SORTED_VARIABLE,
                                                      .time = i,
                                                      .number = i / 4.0,
                                                      .attribute_count = 3,
                                                      .attributes = attributes}));
    }
    CHECK_OK(oc_sorting_finish(sorting));
    CHECK(oc_sorting_runs(sorting) > 1);
    for (int i = 0; i < COUNT; i++) {
        CHECK_OK(oc_sorting_next(&given, sorting));
        CHECK(given != NULL && given->time == i && given->number == i / 4.0);
        CHECK(given->attribute_count == 2 && given->attributes[0].length == LENGTH);
        CHECK(given->attributes[0].attribute == 2 && given->attributes[0].text[0] == 'a' + i);
        CHECK(given->attributes[0].text[LENGTH - 1] == 'a' + i);
        CHECK(given->attributes[1].attribute == 3 && given->attributes[1].text[0] == 'x');
    }
    oc_sorting_free(sorting);
    free(text);
}

static ocelotl_status fill(oc_sorting *sorting, uint64_t count)
{
    ocelotl_status status = OCELOTL_OK;
    for (uint64_t i = 0; status == OCELOTL_OK && i < count; i++)
        status = oc_sorting_add(sorting, &(oc_sorted){.time = (int64_t)(i * 7919 % 10007)});
    return status;
}

static void check_limits(void)
{
    oc_sorting *sorting;
    CHECK_OK(oc_sorting_open(&sorting, temporary_path("target.db"), 1, false));
    CHECK_OK(oc_sorting_add(sorting, &(oc_sorted){.time = INT64_MAX / 4}));
    CHECK_FAILS(oc_sorting_refine(sorting, 5), OCELOTL_ERROR_LIMIT, "too large");
    oc_sorting_free(sorting);
    /* The same in a run. */
    const oc_sorted *given;
    ocelotl_status status = OCELOTL_OK;
    CHECK_OK(oc_sorting_open(&sorting, temporary_path("target.db"), 1, false));
    CHECK_OK(oc_sorting_add(sorting, &(oc_sorted){.time = INT64_MAX / 4}));
    CHECK_OK(fill(sorting, 5000));
    CHECK_OK(oc_sorting_refine(sorting, 5));
    CHECK_OK(oc_sorting_finish(sorting));
    for (given = NULL; status == OCELOTL_OK;)
        status = oc_sorting_next(&given, sorting);
    CHECK(status == OCELOTL_ERROR_LIMIT);
    oc_sorting_free(sorting);
}

/* A file may not grow, which is how a full disk looks. */
static void check_full_disk(void)
{
    struct rlimit before;
    oc_sorting *sorting;
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit small = {3000000, before.rlim_max};
    CHECK_OK(oc_sorting_open(&sorting, temporary_path("target.db"), 1, false));
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    CHECK_FAILS(fill(sorting, 1000000), OCELOTL_ERROR_IO, "target.db: cannot write");
    oc_sorting_free(sorting);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(temporary_files(false) == 0);
    CHECK_OK(oc_sorting_open(&sorting, "/nonexistent/target.db", 1, false));
    CHECK_FAILS(fill(sorting, 100000), OCELOTL_ERROR_IO, "/nonexistent/target.db: cannot write");
    oc_sorting_free(sorting);
}

/* Nothing is left where the program has no time to clean up. */
static void check_killed(void)
{
    const pid_t child = fork();
    int how;
    if (child == 0) {
        oc_sorting *sorting;
        CHECK_OK(oc_sorting_open(&sorting, temporary_path("target.db"), 1, false));
        CHECK_OK(fill(sorting, 100000));
        CHECK(oc_sorting_runs(sorting) > 10);
        raise(SIGKILL);
    }
    CHECK(child > 0 && waitpid(child, &how, 0) == child);
    CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    CHECK(temporary_files(false) == 0);
}

int main(void)
{
    temporary_begin();
    check_worlds();
    check_large();
    check_limits();
    check_full_disk();
    check_killed();
    return 0;
}
