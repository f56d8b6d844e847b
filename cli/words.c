#define _GNU_SOURCE
#include "words.h"

#include "visible.h"

#include <stdlib.h>
#include <string.h>

bool cli_words_add(cli_words *words, const char *word)
{
    if (words->count + 2 > words->capacity) {
        const size_t capacity = words->capacity * 2 + 16;
        char **grown = realloc(words->words, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        words->words = grown;
        words->capacity = capacity;
    }
    char *copy = strdup(word);
    if (copy == NULL)
        return false;
    words->words[words->count++] = copy;
    words->words[words->count] = NULL;
    return true;
}

void cli_words_free(cli_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
    *words = (cli_words){0};
}

/* --- Writing */

/* What a picture's metadata replaces, so that it would not come back, and what a terminal would
 * obey or hide. */
static bool is_replaced(uint32_t code)
{
    return cli_is_hidden(code) || (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

static bool is_kept(const char *word)
{
    while (*word != '\0') {
        const size_t length = cli_utf8_length(word, SIZE_MAX);
        if (length == 0 || is_replaced(cli_code_point(word, length)))
            return false;
        word += length;
    }
    return true;
}

static void write_escaped(FILE *stream, const char *word)
{
    fprintf(stream, " $'");
    for (const unsigned char *byte = (const unsigned char *)word; *byte != '\0'; byte++)
        if (*byte < 0x20 || *byte >= 0x7F)
            fprintf(stream, "\\%03o", *byte);
        else
            fprintf(stream, *byte == '\'' || *byte == '\\' ? "\\%c" : "%c", *byte);
    fprintf(stream, "'");
}

void cli_write_word(FILE *stream, const char *word)
{
    if (!is_kept(word)) {
        write_escaped(stream, word);
        return;
    }
    const bool plain = word[0] != '\0' && strpbrk(word, " '\"\\$`*?[]{}()<>|&;#~!^") == NULL;
    fprintf(stream, plain ? " " : " '");
    for (const char *byte = word; *byte != '\0'; byte++)
        if (*byte == '\'')
            fprintf(stream, "'\\''");
        else
            fputc(*byte, stream);
    fprintf(stream, plain ? "" : "'");
}

/* --- Reading */

/* A word on its way. */
typedef struct word_reader {
    const char *at;
    char *word; /* as long as the text */
    size_t length;
} word_reader;

static bool read_quoted(word_reader *reader)
{
    while (*reader->at != '\0' && *reader->at != '\'')
        reader->word[reader->length++] = *reader->at++;
    return *reader->at++ == '\'';
}

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
            reader->at++;
            if (!read_quoted(reader))
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

static int read_words(cli_words *words, word_reader *reader)
{
    while (*reader->at != '\0' && *reader->at != ';') {
        if (*reader->at == ' ') {
            reader->at++;
            continue;
        }
        if (!read_word(reader))
            return CLI_WRONG;
        if (!cli_words_add(words, reader->word))
            return cli_memory();
    }
    return CLI_DONE;
}

int cli_words_read(cli_words *words, const char *text)
{
    word_reader reader = {.at = text, .word = malloc(strlen(text) + 1)};
    const int code = reader.word != NULL ? read_words(words, &reader) : cli_memory();
    free(reader.word);
    return code;
}
