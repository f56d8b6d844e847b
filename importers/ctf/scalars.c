/* Types of metadata that have no parts: integers, reals, texts; and constants. */
#include "importers/ctf/parser.h"

#include "base/memory.h"
#include "base/plain.h"

#include <string.h>

enum { MOST_BITS = 64 };

/* --- Paths of names: "stream.event.header", "a->b" */

ocelotl_status ctf_parse_path(ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    bool goes_on = true;
    oc_text_clear(&parser->word);
    while (goes_on) {
        if (tokens->kind != CTF_TOKEN_WORD)
            return ctf_fail_token(tokens, "a name");
        oc_text_append(&parser->word, tokens->begin, tokens->length);
        OC_TRY(ctf_next(tokens));
        goes_on = ctf_is_sign(tokens, ".") || ctf_is_sign(tokens, "->");
        if (goes_on) {
            oc_text_add(&parser->word, ".");
            OC_TRY(ctf_next(tokens));
        }
    }
    return parser->word.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* --- Constants */

ocelotl_status ctf_parse_constant(ctf_constant *constant, ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    *constant = (ctf_constant){.line = tokens->line};
    OC_TRY(ctf_take_minus(&constant->is_negative, tokens));
    if (tokens->kind == CTF_TOKEN_NUMBER) {
        constant->is_number = true;
        constant->number = tokens->number;
        OC_TRY(ctf_next(tokens));
        return ctf_need_sign(tokens, ";");
    }
    if (tokens->kind == CTF_TOKEN_STRING) {
        oc_text_clear(&parser->word);
        oc_text_append(&parser->word, "", 0);
        while (tokens->kind == CTF_TOKEN_STRING) {
            oc_text_append(&parser->word, tokens->string.bytes, tokens->string.length);
            OC_TRY(ctf_next(tokens));
        }
    } else {
        OC_TRY(ctf_parse_path(parser));
    }
    if (parser->word.failed)
        return oc_fail_memory();
    constant->text = parser->word.bytes != NULL ? parser->word.bytes : "";
    return ctf_need_sign(tokens, ";");
}

/* --- Attributes of numbers and texts */

typedef struct attributes {
    uint64_t size, alignment, exponent, mantissa;
    bool has_size, has_alignment, is_signed, is_hexadecimal, is_text;
    ctf_order order;
    uint32_t clock;
    unsigned line;
} attributes;

static bool is_one_of(const char *text, const char *const *texts)
{
    while (*texts != NULL && !oc_same_letters(text, *texts))
        texts++;
    return *texts != NULL;
}

/* The clock that "clock.NAME.value" names, which may be declared later. */
static ocelotl_status find_clock(uint32_t *clock, ctf_parser *parser, const char *path)
{
    const char *name = strncmp(path, "clock.", 6) == 0 ? path + 6 : path;
    const char *end = strstr(name, ".value");
    return ctf_find_clock(clock, parser->into, name,
                          end != NULL ? (size_t)(end - name) : strlen(name));
}

static ocelotl_status set_attribute(attributes *all, ctf_parser *parser, const char *name,
                                    const ctf_constant *value)
{
    static const char *const hexadecimal[] = {"hexadecimal", "hex", "x", "p", NULL};
    static const char *const little[] = {"le", NULL};
    static const char *const big[] = {"be", "network", NULL};
    static const char *const none[] = {"none", NULL};
    static const char *const yes[] = {"true", NULL};
    const char *text = value->is_number ? "" : value->text;
    if (strcmp(name, "size") == 0) {
        all->size = value->number;
        all->has_size = value->is_number;
    } else if (strcmp(name, "align") == 0) {
        all->alignment = value->number;
        all->has_alignment = value->is_number;
    } else if (strcmp(name, "exp_dig") == 0) {
        all->exponent = value->number;
    } else if (strcmp(name, "mant_dig") == 0) {
        all->mantissa = value->number;
    } else if (strcmp(name, "signed") == 0) {
        all->is_signed = value->is_number ? value->number != 0 : is_one_of(text, yes);
    } else if (strcmp(name, "base") == 0) {
        all->is_hexadecimal = value->is_number ? value->number == 16 : is_one_of(text, hexadecimal);
    } else if (strcmp(name, "encoding") == 0) {
        all->is_text = text[0] != '\0' && !is_one_of(text, none);
    } else if (strcmp(name, "byte_order") == 0) {
        all->order = is_one_of(text, little) ? CTF_LITTLE
                     : is_one_of(text, big)  ? CTF_BIG
                                             : CTF_NATIVE;
    } else if (strcmp(name, "map") == 0) {
        return find_clock(&all->clock, parser, text);
    }
    return value->is_negative
               ? ctf_fail_at(parser->into, value->line, "a number below 0, expected another")
               : OCELOTL_OK;
}

/* "{ size = 32; align = 8; }" */
static ocelotl_status parse_attributes(attributes *all, ctf_parser *parser)
{
    char name[32];
    bool ended = false;
    all->line = parser->tokens.line;
    OC_TRY(ctf_need_sign(&parser->tokens, "{"));
    OC_TRY(ctf_take_sign(&ended, &parser->tokens, "}"));
    while (!ended) {
        ctf_constant value;
        OC_TRY(ctf_parse_path(parser));
        if (parser->word.length >= sizeof name)
            return ctf_fail_token(&parser->tokens, "an attribute of a type");
        memcpy(name, parser->word.bytes, parser->word.length + 1);
        OC_TRY(ctf_need_sign(&parser->tokens, "="));
        OC_TRY(ctf_parse_constant(&value, parser));
        OC_TRY(set_attribute(all, parser, name, &value));
        OC_TRY(ctf_take_sign(&ended, &parser->tokens, "}"));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_parse_integer(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    OC_TRY(parse_attributes(&all, parser));
    if (!all.has_size || all.size == 0 || all.size > MOST_BITS)
        return ctf_fail_at(parser->into, all.line,
                           "an integer of %llu bits, expected a size of 1 to %d",
                           (unsigned long long)all.size, MOST_BITS);
    if (!all.has_alignment)
        all.alignment = all.size % 8 == 0 ? 8 : 1;
    OC_TRY(ctf_check_alignment(parser->into, all.alignment, all.line));
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_INTEGER, (uint32_t)all.alignment));
    (*layout)->size = (uint32_t)all.size;
    (*layout)->order = all.order;
    (*layout)->is_signed = all.is_signed;
    (*layout)->is_hexadecimal = all.is_hexadecimal;
    (*layout)->is_text = all.is_text;
    (*layout)->clock = all.clock;
    return OCELOTL_OK;
}

ocelotl_status ctf_parse_real(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    OC_TRY(parse_attributes(&all, parser));
    const bool is_single = all.exponent == 8 && all.mantissa == 24;
    if (!is_single && (all.exponent != 11 || all.mantissa != 53))
        return ctf_fail_at(
            parser->into, all.line,
            "a floating point number of another kind, expected exp_dig = 8; mant_dig = "
            "24; or exp_dig = 11; mant_dig = 53;");
    if (!all.has_alignment)
        all.alignment = 8;
    OC_TRY(ctf_check_alignment(parser->into, all.alignment, all.line));
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_REAL, (uint32_t)all.alignment));
    (*layout)->size = is_single ? 32 : 64;
    (*layout)->order = all.order;
    return OCELOTL_OK;
}

ocelotl_status ctf_parse_string(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    if (ctf_is_sign(&parser->tokens, "{"))
        OC_TRY(parse_attributes(&all, parser));
    return ctf_layout_add(layout, parser->into, CTF_STRING, 8);
}
