#include "importers/ctf/tokens.h"

#include <string.h>

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static int digit_of(char byte)
{
    if (is_digit(byte))
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

static ocelotl_status fail(const ctf_tokens *tokens, unsigned line, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: %s", tokens->path, line, what);
}

/* --- What is between tokens */

static ocelotl_status skip_comment(ctf_tokens *tokens)
{
    const unsigned line = tokens->next_line;
    for (tokens->next += 2; tokens->end - tokens->next >= 2; tokens->next++) {
        if (tokens->next[0] == '*' && tokens->next[1] == '/') {
            tokens->next += 2;
            return OCELOTL_OK;
        }
        tokens->next_line += *tokens->next == '\n';
    }
    return fail(tokens, line, "a comment has no end, expected \"*/\"");
}

static bool begins_with(const ctf_tokens *tokens, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(tokens->end - tokens->next) >= length &&
           memcmp(tokens->next, text, length) == 0;
}

static ocelotl_status skip_blanks(ctf_tokens *tokens)
{
    while (tokens->next < tokens->end) {
        const char byte = *tokens->next;
        if (begins_with(tokens, "/*")) {
            OC_TRY(skip_comment(tokens));
        } else if (begins_with(tokens, "//") || byte == '#') { /* #line of a preprocessor */
            while (tokens->next < tokens->end && *tokens->next != '\n')
                tokens->next++;
        } else if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
            tokens->next_line += byte == '\n';
            tokens->next++;
        } else {
            break;
        }
    }
    return OCELOTL_OK;
}

/* --- Tokens */

static ocelotl_status take_number(ctf_tokens *tokens)
{
    int base = 10;
    const char *at = tokens->next;
    bool fits = true;
    tokens->number = 0;
    if (at[0] == '0' && tokens->end - at > 2 && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    } else if (at[0] == '0') {
        base = 8;
    }
    for (; at < tokens->end && digit_of(*at) >= 0 && digit_of(*at) < base; at++)
        fits = !__builtin_mul_overflow(tokens->number, (uint64_t)base, &tokens->number) &&
               !__builtin_add_overflow(tokens->number, (uint64_t)digit_of(*at), &tokens->number) &&
               fits;
    while (at < tokens->end && (*at == 'u' || *at == 'U' || *at == 'l' || *at == 'L'))
        at++;
    tokens->kind = CTF_TOKEN_NUMBER;
    tokens->next = at;
    if (!fits || (at < tokens->end && (is_letter(*at) || is_digit(*at))))
        return fail(tokens, tokens->line, "this is no number, expected one of at most 64 bits");
    return OCELOTL_OK;
}

/* A character that is written by a backslash; those by numbers are taken by their digits. */
static void add_escaped(ctf_tokens *tokens)
{
    static const char letters[] = "abfnrtv";
    static const char meanings[] = "\a\b\f\n\r\t\v";
    const char byte = *tokens->next;
    const char *letter = byte != '\0' ? strchr(letters, byte) : NULL;
    unsigned number = 0;
    if (byte >= '0' && byte <= '7') {
        for (int i = 0;
             i < 3 && tokens->next < tokens->end && *tokens->next >= '0' && *tokens->next <= '7';
             i++)
            number = number * 8 + (unsigned)(*tokens->next++ - '0');
        oc_text_append(&tokens->string, &(char){(char)number}, 1);
        return;
    }
    if (byte == 'x') {
        for (tokens->next++; tokens->next < tokens->end && digit_of(*tokens->next) >= 0;)
            number = number * 16 + (unsigned)digit_of(*tokens->next++);
        oc_text_append(&tokens->string, &(char){(char)number}, 1);
        return;
    }
    oc_text_append(&tokens->string, letter != NULL ? &meanings[letter - letters] : tokens->next, 1);
    tokens->next++;
}

static ocelotl_status take_string(ctf_tokens *tokens, char quote)
{
    tokens->kind = CTF_TOKEN_STRING;
    oc_text_clear(&tokens->string);
    oc_text_append(&tokens->string, "", 0);
    for (tokens->next++; tokens->next < tokens->end && *tokens->next != quote;) {
        tokens->next_line += *tokens->next == '\n';
        if (*tokens->next == '\\' && tokens->end - tokens->next >= 2) {
            tokens->next++;
            add_escaped(tokens);
        } else {
            oc_text_append(&tokens->string, tokens->next++, 1);
        }
    }
    if (tokens->string.failed)
        return oc_fail_memory();
    if (tokens->next == tokens->end)
        return fail(tokens, tokens->line, "a text in quotes has no end, expected a quote");
    tokens->next++;
    return OCELOTL_OK;
}

ocelotl_status ctf_next(ctf_tokens *tokens)
{
    static const char *const signs[] = {":=", "...", "->"};
    OC_TRY(skip_blanks(tokens));
    ocelotl_status status = OCELOTL_OK;
    tokens->begin = tokens->next;
    tokens->line = tokens->next_line;
    if (tokens->next == tokens->end) {
        tokens->kind = CTF_TOKEN_END;
    } else if (is_letter(*tokens->next)) {
        tokens->kind = CTF_TOKEN_WORD;
        while (tokens->next < tokens->end && (is_letter(*tokens->next) || is_digit(*tokens->next)))
            tokens->next++;
    } else if (is_digit(*tokens->next)) {
        status = take_number(tokens);
    } else if (*tokens->next == '"' || *tokens->next == '\'') {
        status = take_string(tokens, *tokens->next);
    } else {
        tokens->kind = CTF_TOKEN_SIGN;
        size_t length = 1;
        for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
            if (begins_with(tokens, signs[i]))
                length = strlen(signs[i]);
        tokens->next += length;
    }
    tokens->length = (size_t)(tokens->next - tokens->begin);
    return status;
}

/* --- Questions */

static bool is_text(const ctf_tokens *tokens, const char *text)
{
    return tokens->length == strlen(text) && memcmp(tokens->begin, text, tokens->length) == 0;
}

bool ctf_is_word(const ctf_tokens *tokens, const char *word)
{
    return tokens->kind == CTF_TOKEN_WORD && is_text(tokens, word);
}

bool ctf_is_sign(const ctf_tokens *tokens, const char *sign)
{
    return tokens->kind == CTF_TOKEN_SIGN && is_text(tokens, sign);
}

ocelotl_status ctf_take_sign(bool *taken, ctf_tokens *tokens, const char *sign)
{
    *taken = ctf_is_sign(tokens, sign);
    return *taken ? ctf_next(tokens) : OCELOTL_OK;
}

ocelotl_status ctf_take_minus(bool *taken, ctf_tokens *tokens)
{
    bool is_plus;
    *taken = false;
    OC_TRY(ctf_take_sign(&is_plus, tokens, "+"));
    return is_plus ? OCELOTL_OK : ctf_take_sign(taken, tokens, "-");
}

ocelotl_status ctf_need_sign(ctf_tokens *tokens, const char *sign)
{
    if (ctf_is_sign(tokens, sign))
        return ctf_next(tokens);
    char expected[16] = "\"";
    strncat(expected, sign, 8);
    strncat(expected, "\"", 2);
    return ctf_fail_token(tokens, expected);
}

ocelotl_status ctf_fail_token(const ctf_tokens *tokens, const char *expected)
{
    enum { SHOWN = 40 };
    if (tokens->kind == CTF_TOKEN_END)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: ends here, expected %s", tokens->path,
                       tokens->line, expected);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: \"%.*s\", expected %s", tokens->path, tokens->line,
                   tokens->length < SHOWN ? (int)tokens->length : SHOWN, tokens->begin, expected);
}
