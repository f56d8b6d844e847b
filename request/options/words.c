#define _POSIX_C_SOURCE 200809L
#include "request/options/words.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_words_add(oc_words *words, const char *word)
{
    OC_TRY(oc_grow(&words->words, &words->capacity, words->count + 2, sizeof *words->words));
    words->words[words->count] = words->words[words->count + 1] = NULL;
    OC_TRY(oc_copy_text(&words->words[words->count], word));
    words->count++;
    return OCELOTL_OK;
}

void oc_words_free(oc_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
    *words = (oc_words){0};
}

/* --- Writing */

/* Returns whether metadata would replace a character, so that it would not come back, or a terminal
 * would obey or hide it. */
static bool is_replaced(uint32_t code)
{
    return oc_is_hidden(code) || (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

static bool is_kept(const char *word)
{
    while (*word != '\0') {
        const size_t length = oc_utf8_length(word, SIZE_MAX);
        if (length == 0 || is_replaced(oc_code_point(word, length)))
            return false;
        word += length;
    }
    return true;
}

static void add_escaped(oc_text *text, const char *word)
{
    oc_text_add(text, " $'");
    for (const unsigned char *byte = (const unsigned char *)word; *byte != '\0'; byte++)
        if (*byte < 0x20 || *byte >= 0x7F)
            oc_text_format(text, "\\%03o", *byte);
        else
            oc_text_format(text, *byte == '\'' || *byte == '\\' ? "\\%c" : "%c", *byte);
    oc_text_add(text, "'");
}

void oc_write_word(oc_text *text, const char *word)
{
    if (!is_kept(word)) {
        add_escaped(text, word);
        return;
    }
    const bool plain = word[0] != '\0' && strpbrk(word, " '\"\\$`*?[]{}()<>|&;#~!^") == NULL;
    oc_text_add(text, plain ? " " : " '");
    for (const char *byte = word; *byte != '\0'; byte++)
        if (*byte == '\'')
            oc_text_add(text, "'\\''");
        else
            oc_text_append(text, byte, 1);
    oc_text_add(text, plain ? "" : "'");
}

/* --- Reading */

/* A word on its way. */
typedef struct word_reader {
    const char *at;
    char *word; /* as long as the text */
    size_t length;
} word_reader;

static bool read_octal(word_reader *reader)
{
    int code = 0;
    for (int i = 0; i < 3; i++, reader->at++) {
        if (*reader->at < '0' || *reader->at > '7')
            return false;
        code = code * 8 + (*reader->at - '0');
    }
    reader->word[reader->length++] = (char)code;
    return code > 0 && code < 256;
}

static bool read_escaped(word_reader *reader)
{
    while (*reader->at != '\0' && *reader->at != '\'') {
        const bool escape = *reader->at == '\\';
        reader->at += escape;
        if (escape && *reader->at >= '0' && *reader->at <= '7') {
            if (!read_octal(reader))
                return false;
        } else if (*reader->at == '\0') {
            return false;
        } else {
            reader->word[reader->length++] = *reader->at++;
        }
    }
    return *reader->at++ == '\'';
}

static bool read_word(word_reader *reader)
{
    reader->length = 0;
    while (*reader->at != '\0' && *reader->at != ' ' && *reader->at != ';') {
        if (*reader->at == '\'') {
            const size_t length = strcspn(++reader->at, "'");
            memcpy(reader->word + reader->length, reader->at, length);
            reader->length += length;
            reader->at += length;
            if (*reader->at++ != '\'')
                return false;
        } else if (strncmp(reader->at, "$'", 2) == 0) {
            reader->at += 2;
            if (!read_escaped(reader))
                return false;
        } else if (*reader->at == '\\' && reader->at[1] != '\0') {
            reader->word[reader->length++] = reader->at[1];
            reader->at += 2;
        } else if (strchr("\"\\$`*?[]{}()<>|&#~!", *reader->at) != NULL) {
            return false;
        } else {
            reader->word[reader->length++] = *reader->at++;
        }
    }
    reader->word[reader->length] = '\0';
    return true;
}

ocelotl_status oc_words_read(oc_words *words, const char *text)
{
    word_reader reader = {.at = text};
    ocelotl_status status = oc_allocate(&reader.word, strlen(text) + 1, 1);
    while (status == OCELOTL_OK && *reader.at != '\0' && *reader.at != ';') {
        if (*reader.at == ' ')
            reader.at++;
        else if (read_word(&reader))
            status = oc_words_add(words, reader.word);
        else
            status = oc_fail(OCELOTL_ERROR_INPUT, "is no command line that was written here");
    }
    free(reader.word);
    return status;
}

ocelotl_status ocelotl_words_write(char **text, size_t count, const char *const *words)
{
    oc_text line = {0};
    for (size_t i = 0; i < count; i++)
        oc_write_word(&line, words[i]);
    oc_text_append(&line, "", 0);
    if (line.failed || line.bytes == NULL) {
        oc_text_free(&line);
        return oc_fail_memory();
    }
    *text = line.bytes;
    memmove(line.bytes, line.bytes + 1, line.length); /* each begins with a blank */
    return OCELOTL_OK;
}

/* --- A request as the command line it was */

ocelotl_status oc_line_read(ocelotl_request *line, size_t count, const char *const *words,
                            size_t traces)
{
    OC_TRY(ocelotl_request_parse(line, count, words));
    return line->operand_count <= traces
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is one TRACE too many",
                         line->operands[traces]);
}

size_t oc_line_end_of_zooms(const ocelotl_request *line)
{
    const uint64_t command = oc_request_command(line);
    size_t end = 0;
    for (size_t i = 0; i < line->given_count; i++)
        if (oc_find_parameter(line->given[i].name, command)->kind == OC_VALUE_PART)
            end = i + 1;
    return end;
}

ocelotl_status oc_line_add_option(oc_words *words, const ocelotl_given *option)
{
    oc_text name = {0};
    const bool output = strcmp(option->name, "output") == 0;
    oc_text_add(&name, output ? "-o" : "--");
    oc_text_add(&name, output ? "" : option->name);
    const ocelotl_status status = name.failed ? oc_fail_memory() : oc_words_add(words, name.bytes);
    oc_text_free(&name);
    if (status != OCELOTL_OK || option->value == NULL)
        return status;
    return oc_words_add(words, option->value);
}

ocelotl_status oc_line_add_operands(oc_words *words, const ocelotl_request *line)
{
    bool dashed = false;
    for (size_t i = 0; i < line->operand_count; i++)
        dashed = dashed || (line->operands[i][0] == '-' && line->operands[i][1] != '\0');
    if (dashed)
        OC_TRY(oc_words_add(words, "--"));
    for (size_t i = 0; i < line->operand_count; i++)
        OC_TRY(oc_words_add(words, line->operands[i]));
    return OCELOTL_OK;
}

static ocelotl_status add_line(oc_words *words, const ocelotl_request *request)
{
    OC_TRY(oc_words_add(words, "ocelotl-cli"));
    if (oc_request_command(request) != OC_OVERVIEW)
        OC_TRY(oc_words_add(words, request->command));
    for (size_t i = 0; i < request->given_count; i++)
        if (strcmp(request->given[i].name, "no-defaults") != 0)
            OC_TRY(oc_line_add_option(words, &request->given[i]));
    return oc_line_add_operands(words, request);
}

ocelotl_status ocelotl_request_write_line(char **text, const ocelotl_request *request)
{
    oc_words words = {0};
    ocelotl_status status = add_line(&words, request);
    if (status == OCELOTL_OK)
        status = ocelotl_words_write(text, words.count, (const char *const *)words.words);
    oc_words_free(&words);
    return status;
}
