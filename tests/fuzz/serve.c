/* What a server is asked, and what is sent to it, without a socket. The first byte chooses the
 * address, the next ones are its query, up to a zero byte, and what is behind that is its body. */
#define _GNU_SOURCE
#include "fuzz.h"
#include "traces.h"

#include "server/answers.h"

#include <ocelotl/ocelotl.h>

static const struct {
    const char *path, *method;
} addresses[] = {
    {"search", NULL},  {"part", NULL},      {"events", NULL},    {"parts", NULL},
    {"view", NULL},    {"notes", NULL},     {"notes", "PUT"},    {"sql", "POST"},
    {"trace", NULL},   {"levels", NULL},    {"stats", NULL},     {"events.csv", NULL},
    {"compare", NULL}, {"series", NULL},    {"histogram", NULL}, {"treemap", NULL},
    {"totals", NULL},  {"parts.csv", NULL}, {"records", NULL},   {"frame", NULL},
    {"nodes", NULL},   {"box", NULL},       {"found", NULL},     {"gantt", NULL},
};

enum { ADDRESSES = sizeof addresses / sizeof addresses[0] };

static server_room room = SERVER_ROOM_INIT;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    static char path[1400];
    snprintf(path, sizeof path, "%s", temporary_path("trace.db"));
    write_small_trace(path);
    ocelotl_request *request = NULL;
    ocelotl_session *session = NULL;
    CHECK(ocelotl_request_new(&request, "serve") == OCELOTL_OK);
    CHECK(ocelotl_request_set(request, "sql", NULL) == OCELOTL_OK);
    CHECK(ocelotl_session_open(&session, path, request, NULL) == OCELOTL_OK);
    const server_options options = {.session = session, .trace = path, .initial = request};
    CHECK(server_room_begin(&room, &options) == OCELOTL_OK);
    return 0;
}

/* A text of its own, so that the sanitizers see whoever reads beyond it. */
static char *copy_text(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    CHECK(text != NULL);
    memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

/* Problems are said in JSON; nothing that is asked is a failure of ours. */
static void check_answer(const server_answer *answer)
{
    FUZZ_CHECK(answer->status == 200 || answer->status == 204 || answer->status == 202 ||
               answer->status == 400 || answer->status == 409);
    if (answer->status >= 400)
        FUZZ_CHECK(strncmp(answer->body.bytes, "{\"error\":", 9) == 0);
}

static void ask(unsigned address, const char *query, const char *body, size_t size)
{
    server_answer answer = {.sent = {addresses[address].method, body, size, NULL}};
    server_answer_path(&answer, &room, addresses[address].path, query);
    check_answer(&answer);
    free(answer.command);
    ocelotl_buffer_free(&answer.body);
}

/* What is written takes no less than the texts that it means. */
static void check_texts(const ocelotl_notes *notes, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i <= ocelotl_notes_count(notes); i++) {
        const ocelotl_note note = ocelotl_notes_at(notes, i);
        length += strlen(note.text) + strlen(note.from) + strlen(note.to) + strlen(note.node);
    }
    FUZZ_CHECK(length <= size);
}

/* What is taken is written as something that is taken again. */
static void take_notes(const char *body, size_t size)
{
    ocelotl_notes *notes = NULL;
    ocelotl_buffer bytes = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&bytes);
    FUZZ_CHECK(ocelotl_notes_read(&notes, "-") == OCELOTL_OK);
    if (ocelotl_notes_take(notes, body, size) == OCELOTL_OK) {
        FUZZ_CHECK(ocelotl_notes_write_json(&sink, notes) == OCELOTL_OK);
        FUZZ_CHECK(ocelotl_notes_take(notes, bytes.bytes, bytes.size) == OCELOTL_OK);
        check_texts(notes, bytes.size);
    }
    ocelotl_buffer_free(&bytes);
    ocelotl_notes_free(notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    const uint8_t *end = memchr(bytes + 1, '\0', length - 1);
    const size_t first = end != NULL ? (size_t)(end - bytes) - 1 : length - 1;
    char *query = copy_text(bytes + 1, first);
    const size_t rest = end != NULL ? length - first - 2 : 0;
    char *body = copy_text(bytes + length - rest, rest);
    ask(bytes[0] % ADDRESSES, query, body, rest);
    take_notes(body, rest);
    free(query);
    free(body);
    return 0;
}
