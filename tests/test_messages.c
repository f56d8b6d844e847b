/* Sums of bytes are those of the streams in their order, to the last bit. */
#include "temporary.h"

#include <ocelotl/ocelotl.h>

enum { PROCESSES = 4 };

/* Each process but the last sends one message to the last. */
static void write_messages(const char *path, const char *const bytes[PROCESSES - 1])
{
    ocelotl_writer *writer;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t process, type, size, resources[PROCESSES];
    CHECK_OK(ocelotl_writer_open(&writer, path, &options));
    CHECK_OK(ocelotl_writer_resource_type(&process, writer, OCELOTL_ROOT, "process"));
    CHECK_OK(ocelotl_writer_event_type(&type, writer, OCELOTL_LINK, process, "message", -1));
    CHECK_OK(ocelotl_writer_attribute(&size, writer, type, "size"));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const char name[] = {(char)('a' + p), '\0'};
        CHECK_OK(ocelotl_writer_resource(&resources[p], writer, process, OCELOTL_ROOT, name, 0));
    }
    for (uint32_t p = 0; p + 1 < PROCESSES; p++) {
        const ocelotl_attribute_value value = {size, bytes[p], strlen(bytes[p])};
        uint64_t link;
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, resources[p], type, OCELOTL_NONE, p,
                                           &value, 1));
        CHECK_OK(ocelotl_writer_link_end(writer, link, resources[PROCESSES - 1], p, NULL, 0));
    }
    CHECK_OK(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
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
        ocelotl_trace *trace;
        ocelotl_messages *messages;
        ocelotl_messages_options options = OCELOTL_MESSAGES_OPTIONS_INIT;
        write_messages(temporary_path("messages.db"), cases[c].bytes);
        CHECK_OK(ocelotl_trace_open(&trace, temporary_path("messages.db")));
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
