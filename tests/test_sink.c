/* Bytes to memory, to a stream, to a file that is whole or absent, and to a function that refuses.
 */
#include "temporary.h"

#include "base/file/sink.h"

typedef struct taker {
    size_t taken;
    size_t most; /* bytes that it takes */
} taker;

static ocelotl_status take(void *context, const void *bytes, size_t size)
{
    taker *to = context;
    (void)bytes;
    if (to->taken + size > to->most)
        return OCELOTL_ERROR_CANCELLED;
    to->taken += size;
    return OCELOTL_OK;
}

static ocelotl_status write_lines(const ocelotl_sink *sink, size_t count)
{
    oc_output output = {.sink = sink};
    for (size_t i = 0; i < count; i++)
        oc_output_format(&output, "line %zu\n", i);
    oc_output_add(&output, "end");
    return oc_output_end(&output, OCELOTL_OK);
}

static void test_memory(void)
{
    ocelotl_buffer buffer = {0};
    ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(write_lines(&sink, 2));
    CHECK_TEXT(buffer.bytes, "line 0\nline 1\nend");
    CHECK(buffer.size == strlen(buffer.bytes));
    CHECK_OK(write_lines(&sink, 100000));
    CHECK(buffer.size > 1000000);
    CHECK_TEXT(buffer.bytes + buffer.size - 14, "line 99999\nend");
    ocelotl_buffer_free(&buffer);
    CHECK(buffer.bytes == NULL && buffer.size == 0);
    CHECK_OK(oc_sink_write(&sink, "", 0));
    CHECK_TEXT(buffer.bytes, "");
    ocelotl_buffer_free(&buffer);
    ocelotl_buffer_free(NULL);
}

static void test_refusing(void)
{
    taker to = {.most = 100000};
    ocelotl_sink sink = {take, &to};
    CHECK_FAILS(write_lines(&sink, 100000), OCELOTL_ERROR_CANCELLED, "the sink took no more");
    CHECK(to.taken <= to.most);
    sink.write = NULL;
    CHECK_REFUSED(write_lines(&sink, 1), "sink without a function");
}

/* What the caller's own work failed with is what is given, and nothing more goes out. */
static void test_failed_work(void)
{
    ocelotl_buffer buffer = {0};
    ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    oc_output output = {.sink = &sink};
    oc_output_add(&output, "a part");
    CHECK(oc_output_end(&output, OCELOTL_ERROR_INPUT) == OCELOTL_ERROR_INPUT);
    CHECK(buffer.size == 0);
    ocelotl_buffer_free(&buffer);
}

static void test_stream(void)
{
    FILE *stream = tmpfile();
    CHECK(stream != NULL);
    ocelotl_sink sink = ocelotl_stream_sink(stream);
    CHECK_OK(write_lines(&sink, 1));
    CHECK(ftell(stream) == 10);
    fclose(stream);
    stream = fopen("/dev/full", "w");
    if (stream == NULL)
        return;
    sink = ocelotl_stream_sink(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    CHECK_FAILS(write_lines(&sink, 1), OCELOTL_ERROR_IO, "cannot write: No space left");
    fclose(stream);
}

static void test_file(void)
{
    const char *path = temporary_path("sink.txt");
    ocelotl_file *file = NULL;
    CHECK_OK(ocelotl_file_open(&file, path, false));
    ocelotl_sink sink = ocelotl_file_sink(file);
    CHECK_OK(write_lines(&sink, 100000));
    CHECK(access(path, F_OK) != 0);
    CHECK_OK(ocelotl_file_commit(file));
    ocelotl_file_free(file);
    CHECK(access(path, F_OK) == 0);
    CHECK_REFUSED(ocelotl_file_open(&file, path, false), "exists already");
    CHECK_FAILS(ocelotl_file_open(&file, "no-such-folder/a.svg", true), OCELOTL_ERROR_IO,
                "no-such-folder/a.svg: ");
    CHECK_OK(ocelotl_file_open(&file, path, true));
    sink = ocelotl_file_sink(file);
    CHECK_OK(write_lines(&sink, 1));
    ocelotl_file_free(file); /* not committed */
    size_t length;
    free(temporary_read(&length, path));
    CHECK(length > 1000000 && temporary_files(false) == 1);
    ocelotl_file_free(NULL);
}

int main(void)
{
    temporary_begin();
    test_memory();
    test_refusing();
    test_failed_work();
    test_stream();
    test_file();
    return 0;
}
