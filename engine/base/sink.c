#include "base/sink.h"

#include "base/memory.h"
#include "base/replacement.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What an output gathers before it goes out. */
enum { PIECE = 1 << 16 };

struct ocelotl_file {
    oc_replacement replacement;
    ocelotl_status status; /* of the first write that failed */
};

static ocelotl_status write_to_buffer(void *context, const void *bytes, size_t size)
{
    ocelotl_buffer *buffer = context;
    if (size > SIZE_MAX - 1 - buffer->size)
        return oc_fail_memory();
    OC_TRY(oc_grow(&buffer->bytes, &buffer->capacity, buffer->size + size + 1, 1));
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    buffer->bytes[buffer->size] = '\0';
    return OCELOTL_OK;
}

ocelotl_sink ocelotl_buffer_sink(ocelotl_buffer *buffer)
{
    return (ocelotl_sink){write_to_buffer, buffer};
}

void ocelotl_buffer_free(ocelotl_buffer *buffer)
{
    if (buffer == NULL)
        return;
    free(buffer->bytes);
    *buffer = (ocelotl_buffer){0};
}

static ocelotl_status write_to_stream(void *context, const void *bytes, size_t size)
{
    errno = 0;
    if (fwrite(bytes, 1, size, context) == size)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_IO, "cannot write: %s", strerror(errno != 0 ? errno : EIO));
}

ocelotl_sink ocelotl_stream_sink(FILE *stream)
{
    return (ocelotl_sink){write_to_stream, stream};
}

/* --- A file */

ocelotl_status ocelotl_file_open(ocelotl_file **file, const char *path, bool overwrite)
{
    ocelotl_file *opened;
    OC_TRY(oc_allocate(&opened, 1, sizeof *opened));
    const ocelotl_status status = oc_replacement_begin(&opened->replacement, path, overwrite);
    if (status == OCELOTL_OK)
        *file = opened;
    else
        ocelotl_file_free(opened);
    return status;
}

static ocelotl_status write_to_file(void *context, const void *bytes, size_t size)
{
    ocelotl_file *file = context;
    if (file->status == OCELOTL_OK)
        file->status = oc_replacement_write(&file->replacement, bytes, size);
    return file->status;
}

ocelotl_sink ocelotl_file_sink(ocelotl_file *file)
{
    return (ocelotl_sink){write_to_file, file};
}

ocelotl_status ocelotl_file_commit(ocelotl_file *file)
{
    if (file->status != OCELOTL_OK)
        return oc_fail(file->status, "%s: was not written whole", file->replacement.target);
    return oc_replacement_commit(&file->replacement);
}

void ocelotl_file_free(ocelotl_file *file)
{
    if (file == NULL)
        return;
    oc_replacement_end(&file->replacement);
    free(file);
}

/* --- Writing */

/* A function of the caller has no way to leave a message. */
ocelotl_status oc_sink_write(const ocelotl_sink *sink, const void *bytes, size_t size)
{
    if (sink->write == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a sink without a function that takes bytes");
    const ocelotl_status status = sink->write(sink->context, bytes, size);
    if (status == OCELOTL_OK || sink->write == write_to_buffer || sink->write == write_to_stream ||
        sink->write == write_to_file)
        return status;
    return oc_fail(status, "the sink took no more bytes");
}

static void send(oc_output *output)
{
    if (output->text.failed)
        output->status = oc_fail_memory();
    else if (output->sink != NULL && output->text.length > 0)
        output->status = oc_sink_write(output->sink, output->text.bytes, output->text.length);
    if (output->sink != NULL)
        oc_text_clear(&output->text);
}

void oc_output_flow(oc_output *output)
{
    if (output->status != OCELOTL_OK)
        oc_text_clear(&output->text);
    else if (output->text.failed || (output->sink != NULL && output->text.length >= PIECE))
        send(output);
}

void oc_output_append(oc_output *output, const char *bytes, size_t length)
{
    if (output->status != OCELOTL_OK)
        return;
    oc_text_append(&output->text, bytes, length);
    oc_output_flow(output);
}

void oc_output_add(oc_output *output, const char *string)
{
    oc_output_append(output, string, strlen(string));
}

void oc_output_format(oc_output *output, const char *format, ...)
{
    va_list arguments;
    if (output->status != OCELOTL_OK)
        return;
    va_start(arguments, format);
    oc_text_vformat(&output->text, format, arguments);
    va_end(arguments);
    oc_output_flow(output);
}

ocelotl_status oc_output_send(oc_output *output, ocelotl_status status)
{
    if (output->status == OCELOTL_OK)
        send(output);
    return status;
}

ocelotl_status oc_output_end(oc_output *output, ocelotl_status status)
{
    if (status == OCELOTL_OK && output->status == OCELOTL_OK)
        send(output);
    oc_text_free(&output->text);
    return status != OCELOTL_OK ? status : output->status;
}
