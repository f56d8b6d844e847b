/* Sums of bytes are those of the streams in their order, to the last bit. */
#include "temporary.h"

enum { PROCESSES = 4 };

/* Each process but the last sends one message to the last. */
static void write_messages(const char *path, const char *const bytes[PROCESSES - 1])
{
    uint32_t resources[PROCESSES];
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t process = must_kind(writer, OCELOTL_ROOT, "process");
    const uint32_t type = must_type(writer, OCELOTL_LINK, process, "message");
    const uint32_t size = must_attribute(writer, type, "size");
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const char name[] = {(char)('a' + p), '\0'};
        resources[p] = must_resource(writer, process, OCELOTL_ROOT, name, 0);
    }
    for (uint32_t p = 0; p + 1 < PROCESSES; p++) {
        const ocelotl_attribute_value value = {size, bytes[p], strlen(bytes[p])};
        uint64_t link;
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, resources[p], type, OCELOTL_NONE, p,
                                           &value, 1));
        CHECK_OK(ocelotl_writer_link_end(writer, link, resources[PROCESSES - 1], p, NULL, 0));
    }
    must_finish(writer);
}

int main(void)
{
    /* 2^53 swallows each 1 that comes after it, and not two that come before. */
    static const struct {
        const char *bytes[PROCESSES - 1];
        double sum;
    } cases[] = {{{"9007199254740992", "1", "1"}, 9007199254740992.0},
                 {{"1", "1", "9007199254740992"}, 9007199254740994.0}};
    temporary_begin();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        ocelotl_messages *messages;
        ocelotl_messages_options options = {0};
        write_messages(temporary_path("messages.db"), cases[c].bytes);
        ocelotl_trace *trace = must_open(temporary_path("messages.db"));
        options.rows = options.columns = "all";
        CHECK_OK(ocelotl_messages_compute(&messages, trace, &options));
        const ocelotl_message_cell total = ocelotl_messages_total(messages);
        CHECK(total.count == PROCESSES - 1 && total.ended == PROCESSES - 1);
        CHECK(total.bytes >= cases[c].sum && total.bytes <= cases[c].sum);
        ocelotl_messages_free(messages);
        ocelotl_trace_free(trace);
        temporary_files(true);
    }
    return 0;
}
