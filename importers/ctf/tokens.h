/* Words, numbers and signs of metadata, one after the other. */
#ifndef OC_IMPORTERS_CTF_TOKENS_H
#define OC_IMPORTERS_CTF_TOKENS_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ctf_token_kind {
    CTF_TOKEN_END,
    CTF_TOKEN_WORD,
    CTF_TOKEN_NUMBER,
    CTF_TOKEN_STRING,
    CTF_TOKEN_SIGN
} ctf_token_kind;

typedef struct ctf_tokens {
    const char *path; /* of the file, for messages */
    const char *next, *end;
    unsigned next_line;
    /* The current token: */
    ctf_token_kind kind;
    const char *begin;
    size_t length;
    uint64_t number;
    oc_text string; /* what it stands for */
    unsigned line;
} ctf_tokens;

/* Goes to the next token; from the begin of the text to its first. Errors: INPUT. */
ocelotl_status ctf_next(ctf_tokens *tokens);

/* Whether the current token is a word, or a sign. */
bool ctf_is_word(const ctf_tokens *tokens, const char *word);
bool ctf_is_sign(const ctf_tokens *tokens, const char *sign);

/* Goes on where the current token is a sign; *taken says whether. */
ocelotl_status ctf_take_sign(bool *taken, ctf_tokens *tokens, const char *sign);

/* Goes on over the sign of a number, which may be a plus; *taken says whether it is a minus. */
ocelotl_status ctf_take_minus(bool *taken, ctf_tokens *tokens);

/* The same where it must be. */
ocelotl_status ctf_need_sign(ctf_tokens *tokens, const char *sign);

/* Fails, with the place and what stands there. */
ocelotl_status ctf_fail_token(const ctf_tokens *tokens, const char *expected);

#endif
