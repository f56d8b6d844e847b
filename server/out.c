#include "out.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <string.h>

bool server_hold(server_out *out, ocelotl_status status)
{
    if (out->status == OCELOTL_OK)
        out->status = status;
    return out->status == OCELOTL_OK;
}

void server_put_bytes(server_out *out, const char *bytes, size_t size)
{
    if (out->status == OCELOTL_OK)
        out->status = out->sink.write(out->sink.context, bytes, size);
}

void server_put(server_out *out, const char *text)
{
    server_put_bytes(out, text, strlen(text));
}

void server_put_text(server_out *out, const char *before, const char *text)
{
    server_put(out, before);
    if (out->status == OCELOTL_OK)
        out->status = ocelotl_json_write_text(&out->sink, text);
}

void server_put_number(server_out *out, const char *before, double number)
{
    server_put(out, before);
    if (out->status == OCELOTL_OK)
        out->status = ocelotl_json_write_number(&out->sink, number);
}

void server_put_words(server_out *out, const char *words)
{
    for (const char *before = ""; *words != '\0'; before = ",") {
        char word[64];
        const size_t length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        server_put_text(out, before, word);
        words += length + (words[length] != '\0');
    }
}
