/* Flips bits of a trace.db: none may change an answer in silence. With one bit changed, each
 * question gets its old answer or an error of one line.
 *
 * OCELOTL_TEST_ROUNDS=5000 flips this many bits, half of them in each of two traces; see
 * scripts/test.sh --slow. */
#include "test_query_trace.h"

#include "fuzz/ask.h"

/* Each question opens the file anew, as each command does; 0 where it has no answer. A metric is
 * asked for in one of three ways by turns. */
static void ask_all(uint64_t *answers, const char *path, const uint32_t *turn)
{
    for (uint32_t q = 0; q < ask_count(); q++) {
        if (turn != NULL && q > 0 && q <= 3 * ocelotl_metric_count() && (q + *turn) % 3 > 0)
            continue;
        ocelotl_trace *trace = NULL;
        ocelotl_status status = ocelotl_trace_open(&trace, path);
        if (status == OCELOTL_OK)
            status = ask_one(&answers[q], trace, q);
        ocelotl_trace_free(trace);
        if (status == OCELOTL_OK)
            continue;
        answers[q] = 0;
        CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO);
        CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
    }
}

/* Flips bits of a file, one at a time; gives how many were found. */
static uint32_t flip(const char *path, uint32_t rounds, uint64_t random)
{
    uint32_t found = 0;
    size_t length;
    char *bytes = temporary_read(&length, path);
    const char *flipped = temporary_path("flipped.db");
    uint64_t *whole = calloc(2 * ask_count(), sizeof *whole);
    CHECK(whole != NULL);
    uint64_t *answers = whole + ask_count();
    ask_all(whole, path, NULL);
    for (uint32_t q = 0; q < ask_count(); q++)
        CHECK(whole[q] != 0);
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t place = check_below(&random, (uint32_t)length);
        const unsigned bit = check_below(&random, 8);
        const char before = bytes[place];
        bytes[place] = (char)(before ^ (1 << bit));
        temporary_write(flipped, bytes, length);
        bytes[place] = before;
        memcpy(answers, whole, ask_count() * sizeof *whole);
        ask_all(answers, flipped, &i);
        bool refused = false;
        for (uint32_t q = 0; q < ask_count(); q++) {
            refused = refused || answers[q] == 0;
            if (answers[q] != 0 && answers[q] != whole[q])
                fprintf(stderr, "byte %u, bit %u: question %u has another answer\n", place, bit, q);
            CHECK(answers[q] == 0 || answers[q] == whole[q]);
        }
        found += refused;
    }
    free(whole);
    free(bytes);
    return found;
}

int main(void)
{
    const char *wanted = getenv("OCELOTL_TEST_ROUNDS");
    const uint32_t asked = wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10) : 0;
    const uint32_t rounds = asked > 0 ? asked / 2 : check_rounds(120);
    known_trace known;
    temporary_begin();
    const char *path = temporary_path("trace.db");
    known_write(&known, path, 31, 700);
    free(known.events);
    CHECK(flip(path, rounds, 5) > rounds / 20);
    path = temporary_path("longer.db");
    known_write(&known, path, 32, 9000);
    free(known.events);
    CHECK(flip(path, rounds, 6) > rounds / 4);
    return 0;
}
