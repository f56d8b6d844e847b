/* Types of metadata. */
#include "importers/ctf/parser.h"

#include "base/memory.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ALIGNMENT = 4096, MOST_BITS = 64 };

/* --- Names of types */

static ocelotl_status name_type(ctf_parser *parser, const char *name, ctf_layout *layout)
{
    OC_TRY(oc_grow(&parser->named, &parser->named_capacity, parser->named_count + 1,
                   sizeof(*parser->named)));
    ctf_named *named = &parser->named[parser->named_count];
    *named = (ctf_named){.layout = layout};
    OC_TRY(oc_copy_text(&named->name, name));
    parser->named_count++;
    return OCELOTL_OK;
}

void ctf_forget_names(ctf_parser *parser, size_t count)
{
    while (parser->named_count > count)
        free(parser->named[--parser->named_count].name);
}

/* The type that a name stands for, for a use of its own. */
static ocelotl_status use_name(ctf_layout **layout, ctf_parser *parser, const char *name,
                               unsigned line)
{
    for (size_t i = parser->named_count; i > 0; i--)
        if (strcmp(parser->named[i - 1].name, name) == 0)
            return ctf_layout_copy(layout, parser->into, parser->named[i - 1].layout);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: the type \"%s\" is not known, expected one above",
                   parser->tokens.path, line, name);
}

static bool is_part_of_type(const ctf_tokens *tokens)
{
    static const char *const words[] = {"const", "void",     "char",      "short",  "int",
                                        "long",  "float",    "double",    "signed", "unsigned",
                                        "_Bool", "_Complex", "_Imaginary"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ctf_is_word(tokens, words[i]))
            return true;
    return false;
}

/* Puts the words of a type's name into parser->word: "unsigned long", "uint8_t *". */
static ocelotl_status parse_name(ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    bool has_own = false;
    oc_text_clear(&parser->word);
    while (tokens->kind == CTF_TOKEN_WORD) {
        const bool is_part = is_part_of_type(tokens);
        if (!is_part && (has_own || parser->word.length > 0))
            break;
        has_own |= !is_part;
        if (!ctf_is_word(tokens, "const")) {
            oc_text_add(&parser->word, parser->word.length > 0 ? " " : "");
            oc_text_append(&parser->word, tokens->begin, tokens->length);
        }
        OC_TRY(ctf_next(tokens));
    }
    while (ctf_is_sign(tokens, "*")) {
        oc_text_add(&parser->word, " *");
        OC_TRY(ctf_next(tokens));
    }
    if (parser->word.failed)
        return oc_fail_memory();
    return parser->word.length > 0 ? OCELOTL_OK : ctf_fail_token(tokens, "a type");
}

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

ocelotl_status ctf_check_count(const ctf_parser *parser, size_t count, const char *what)
{
    return count < CTF_MOST_STREAMS
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: more than %d %s, expected fewer",
                         parser->tokens.path, parser->tokens.line, CTF_MOST_STREAMS, what);
}

/* --- Constants */

ocelotl_status ctf_parse_constant(ctf_constant *constant, ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    *constant = (ctf_constant){.line = tokens->line};
    OC_TRY(ctf_take_sign(&constant->is_negative, tokens, "-"));
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

static ocelotl_status fail_at(const ctf_parser *parser, unsigned line, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: %s", parser->tokens.path, line, what);
}

static bool is_one_of(const char *text, const char *const *texts)
{
    while (*texts != NULL && !oc_same_letters(text, *texts))
        texts++;
    return *texts != NULL;
}

/* The clock that "clock.NAME.value" names, which may be declared later. */
static ocelotl_status find_clock(uint32_t *clock, ctf_parser *parser, const char *path)
{
    ctf_description *into = parser->into;
    const char *name = strncmp(path, "clock.", 6) == 0 ? path + 6 : path;
    const char *end = strstr(name, ".value");
    const size_t length = end != NULL ? (size_t)(end - name) : strlen(name);
    for (size_t i = 0; i < into->clock_count; i++)
        if (strlen(into->clocks[i].name) == length &&
            memcmp(into->clocks[i].name, name, length) == 0) {
            *clock = (uint32_t)i + 1;
            return OCELOTL_OK;
        }
    OC_TRY(ctf_check_count(parser, into->clock_count, "clocks"));
    OC_TRY(oc_grow(&into->clocks, &into->clock_capacity, into->clock_count + 1,
                   sizeof(*into->clocks)));
    ctf_clock *added = &into->clocks[into->clock_count];
    *added = (ctf_clock){0};
    OC_TRY(oc_allocate(&added->name, length + 1, 1));
    memcpy(added->name, name, length);
    *clock = (uint32_t)++into->clock_count;
    return OCELOTL_OK;
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
    return value->is_negative ? fail_at(parser, value->line, "a number below 0, expected another")
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

static ocelotl_status check_alignment(const ctf_parser *parser, uint64_t alignment, unsigned line)
{
    return alignment > 0 && alignment <= MOST_ALIGNMENT && (alignment & (alignment - 1)) == 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT,
                         "%s:%u: an alignment of %llu bits, expected a power of two up to %d",
                         parser->tokens.path, line, (unsigned long long)alignment, MOST_ALIGNMENT);
}

static ocelotl_status parse_integer(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    OC_TRY(parse_attributes(&all, parser));
    if (!all.has_size || all.size == 0 || all.size > MOST_BITS)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%u: an integer of %llu bits, expected a size of 1 to %d",
                       parser->tokens.path, all.line, (unsigned long long)all.size, MOST_BITS);
    if (!all.has_alignment)
        all.alignment = all.size % 8 == 0 ? 8 : 1;
    OC_TRY(check_alignment(parser, all.alignment, all.line));
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_INTEGER, (uint32_t)all.alignment));
    (*layout)->size = (uint32_t)all.size;
    (*layout)->order = all.order;
    (*layout)->is_signed = all.is_signed;
    (*layout)->is_hexadecimal = all.is_hexadecimal;
    (*layout)->is_text = all.is_text;
    (*layout)->clock = all.clock;
    return OCELOTL_OK;
}

static ocelotl_status parse_real(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    OC_TRY(parse_attributes(&all, parser));
    const bool is_single = all.exponent == 8 && all.mantissa == 24;
    if (!is_single && (all.exponent != 11 || all.mantissa != 53))
        return fail_at(parser, all.line,
                       "a floating point number of another kind, expected exp_dig = 8; mant_dig = "
                       "24; or exp_dig = 11; mant_dig = 53;");
    if (!all.has_alignment)
        all.alignment = 8;
    OC_TRY(check_alignment(parser, all.alignment, all.line));
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_REAL, (uint32_t)all.alignment));
    (*layout)->size = is_single ? 32 : 64;
    (*layout)->order = all.order;
    return OCELOTL_OK;
}

static ocelotl_status parse_string(ctf_layout **layout, ctf_parser *parser)
{
    attributes all = {0};
    if (ctf_is_sign(&parser->tokens, "{"))
        OC_TRY(parse_attributes(&all, parser));
    return ctf_layout_add(layout, parser->into, CTF_STRING, 8);
}

/* --- Enumerations */

static ocelotl_status parse_bound(int64_t *bound, ctf_parser *parser)
{
    bool is_negative;
    ctf_tokens *tokens = &parser->tokens;
    OC_TRY(ctf_take_sign(&is_negative, tokens, "-"));
    if (tokens->kind == CTF_TOKEN_STRING && tokens->string.length == 1) /* 'a' */
        *bound = (unsigned char)tokens->string.bytes[0];
    else if (tokens->kind != CTF_TOKEN_NUMBER)
        return ctf_fail_token(tokens, "a number");
    else
        *bound = (int64_t)(is_negative ? 0 - tokens->number : tokens->number);
    return ctf_next(tokens);
}

static ocelotl_status add_label(ctf_layout *to, const char *name, size_t length)
{
    OC_TRY(oc_grow(&to->labels, &to->label_capacity, to->label_count + 1, sizeof(*to->labels)));
    ctf_label *label = &to->labels[to->label_count];
    *label = (ctf_label){0};
    OC_TRY(oc_allocate(&label->name, length + 1, 1));
    memcpy(label->name, name, length);
    to->label_count++;
    return OCELOTL_OK;
}

/* "{ A, B = 3, C = 5 ... 9 }" */
static ocelotl_status parse_labels(ctf_layout *to, ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    bool goes_on = true;
    int64_t next = 0;
    OC_TRY(ctf_need_sign(tokens, "{"));
    while (goes_on && !ctf_is_sign(tokens, "}")) {
        bool has_value;
        bool is_range;
        if (tokens->kind == CTF_TOKEN_STRING)
            OC_TRY(add_label(to, tokens->string.bytes != NULL ? tokens->string.bytes : "",
                             tokens->string.length));
        else if (tokens->kind == CTF_TOKEN_WORD)
            OC_TRY(add_label(to, tokens->begin, tokens->length));
        else
            return ctf_fail_token(tokens, "the name of a number");
        OC_TRY(ctf_next(tokens));
        ctf_label *label = &to->labels[to->label_count - 1];
        label->low = next;
        OC_TRY(ctf_take_sign(&has_value, tokens, "="));
        if (has_value)
            OC_TRY(parse_bound(&label->low, parser));
        label->high = label->low;
        OC_TRY(ctf_take_sign(&is_range, tokens, "..."));
        if (is_range)
            OC_TRY(parse_bound(&label->high, parser));
        next = (int64_t)((uint64_t)label->high + 1);
        OC_TRY(ctf_take_sign(&goes_on, tokens, ","));
    }
    return ctf_need_sign(tokens, "}");
}

static ocelotl_status make_enumeration(ctf_layout **layout, ctf_parser *parser,
                                       const ctf_layout *container)
{
    if (container->kind != CTF_INTEGER)
        return fail_at(parser, parser->tokens.line,
                       "an enumeration of what is no integer, expected one");
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_INTEGER, container->alignment));
    ctf_layout *made = *layout;
    made->size = container->size;
    made->order = container->order;
    made->is_signed = container->is_signed;
    made->is_hexadecimal = container->is_hexadecimal;
    made->clock = container->clock;
    made->is_enumeration = true;
    return parse_labels(made, parser);
}

/* Puts "struct NAME" into parser->word, where a name follows. */
static ocelotl_status parse_tag(bool *has_name, ctf_parser *parser, const char *kind)
{
    oc_text_clear(&parser->word);
    *has_name = parser->tokens.kind == CTF_TOKEN_WORD;
    if (!*has_name)
        return OCELOTL_OK;
    oc_text_format(&parser->word, "%s %.*s", kind, (int)parser->tokens.length,
                   parser->tokens.begin);
    return parser->word.failed ? oc_fail_memory() : ctf_next(&parser->tokens);
}

static ocelotl_status parse_enumeration(ctf_layout **layout, ctf_parser *parser)
{
    bool has_name;
    bool has_container;
    char *name = NULL;
    ctf_layout *container = NULL;
    const unsigned line = parser->tokens.line;
    OC_TRY(parse_tag(&has_name, parser, "enum"));
    OC_TRY(ctf_take_sign(&has_container, &parser->tokens, ":"));
    if (has_name && !has_container && !ctf_is_sign(&parser->tokens, "{"))
        return use_name(layout, parser, parser->word.bytes, line);
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = has_container ? ctf_parse_type(&container, parser)
                                          : use_name(&container, parser, "int", line);
    if (status == OCELOTL_OK)
        status = make_enumeration(layout, parser, container);
    if (status == OCELOTL_OK && has_name)
        status = name_type(parser, name, *layout);
    free(name);
    return status;
}

/* --- Arrays */

/* "[4][n]" behind a name: arrays of what stands in the later brackets. */
static ocelotl_status parse_brackets(ctf_layout **layout, ctf_parser *parser, ctf_layout *element)
{
    bool is_array;
    ctf_layout *made = NULL;
    ctf_tokens *tokens = &parser->tokens;
    *layout = element;
    OC_TRY(ctf_take_sign(&is_array, tokens, "["));
    if (!is_array)
        return OCELOTL_OK;
    if (++parser->depth > CTF_DEEPEST)
        return ctf_fail_token(tokens, "types that are not nested as deeply");
    const bool is_fixed = tokens->kind == CTF_TOKEN_NUMBER;
    OC_TRY(ctf_layout_add(&made, parser->into, is_fixed ? CTF_ARRAY : CTF_SEQUENCE, 1));
    if (is_fixed) {
        made->length = tokens->number;
        OC_TRY(ctf_next(tokens));
    } else {
        OC_TRY(ctf_parse_path(parser));
        OC_TRY(oc_copy_text(&made->reference, parser->word.bytes));
    }
    OC_TRY(ctf_need_sign(tokens, "]"));
    OC_TRY(parse_brackets(&made->element, parser, element));
    made->alignment = made->element->alignment;
    made->depth = made->element->depth + 1;
    if (made->depth > CTF_DEEPEST)
        return ctf_fail_token(tokens, "types that are not nested as deeply");
    *layout = made;
    parser->depth--;
    return OCELOTL_OK;
}

/* A name and what is behind it, of a type. */
static ocelotl_status parse_declarator(oc_text *name, ctf_layout **layout, ctf_parser *parser,
                                       ctf_layout *type)
{
    ctf_tokens *tokens = &parser->tokens;
    while (ctf_is_sign(tokens, "*"))
        OC_TRY(ctf_next(tokens));
    if (tokens->kind != CTF_TOKEN_WORD)
        return ctf_fail_token(tokens, "a name");
    oc_text_clear(name);
    oc_text_append(name, tokens->begin, tokens->length);
    if (name->failed)
        return oc_fail_memory();
    OC_TRY(ctf_next(tokens));
    return parse_brackets(layout, parser, type);
}

/* --- Structures and variants */

static ocelotl_status parse_fields(ctf_layout *to, ctf_parser *parser, oc_text *name)
{
    bool goes_on = true;
    ctf_layout *type = NULL;
    ctf_layout *layout = NULL;
    OC_TRY(ctf_parse_type(&type, parser));
    if (ctf_is_sign(&parser->tokens, ";")) /* a type alone, for its name */
        return ctf_next(&parser->tokens);
    while (goes_on) {
        OC_TRY(parse_declarator(name, &layout, parser, type));
        OC_TRY(ctf_layout_add_field(parser->into, to, name->bytes, name->length, layout));
        OC_TRY(ctf_take_sign(&goes_on, &parser->tokens, ","));
        if (goes_on)
            OC_TRY(ctf_layout_copy(&type, parser->into, type));
    }
    return ctf_need_sign(&parser->tokens, ";");
}

static ocelotl_status parse_members(ctf_layout *to, ctf_parser *parser)
{
    oc_text name = {0};
    bool ended = false;
    const size_t names = parser->named_count;
    ocelotl_status status = ctf_need_sign(&parser->tokens, "{");
    if (status == OCELOTL_OK)
        status = ctf_take_sign(&ended, &parser->tokens, "}");
    while (status == OCELOTL_OK && !ended) {
        bool taken;
        status = ctf_parse_declaration(&taken, parser);
        if (status == OCELOTL_OK && !taken)
            status = parse_fields(to, parser, &name);
        if (status == OCELOTL_OK)
            status = ctf_take_sign(&ended, &parser->tokens, "}");
    }
    ctf_forget_names(parser, names);
    oc_text_free(&name);
    return status;
}

/* "align(8)" behind a structure. */
static ocelotl_status parse_least_alignment(ctf_layout *of, ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    if (!ctf_is_word(tokens, "align"))
        return OCELOTL_OK;
    OC_TRY(ctf_next(tokens));
    OC_TRY(ctf_need_sign(tokens, "("));
    if (tokens->kind != CTF_TOKEN_NUMBER)
        return ctf_fail_token(tokens, "a number of bits");
    OC_TRY(check_alignment(parser, tokens->number, tokens->line));
    if (tokens->number > of->alignment)
        of->alignment = (uint32_t)tokens->number;
    OC_TRY(ctf_next(tokens));
    return ctf_need_sign(tokens, ")");
}

static ocelotl_status parse_structure(ctf_layout **layout, ctf_parser *parser)
{
    bool has_name;
    char *name = NULL;
    const unsigned line = parser->tokens.line;
    OC_TRY(parse_tag(&has_name, parser, "struct"));
    if (has_name && !ctf_is_sign(&parser->tokens, "{"))
        return use_name(layout, parser, parser->word.bytes, line);
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = ctf_layout_add(layout, parser->into, CTF_STRUCTURE, 1);
    if (status == OCELOTL_OK)
        status = parse_members(*layout, parser);
    if (status == OCELOTL_OK)
        status = parse_least_alignment(*layout, parser);
    if (status == OCELOTL_OK && has_name)
        status = name_type(parser, name, *layout);
    free(name);
    return status;
}

/* "<tag>": where the number is that chooses an option. */
static ocelotl_status parse_reference(char **reference, ctf_parser *parser)
{
    bool has_reference;
    OC_TRY(ctf_take_sign(&has_reference, &parser->tokens, "<"));
    if (!has_reference)
        return OCELOTL_OK;
    OC_TRY(ctf_parse_path(parser));
    OC_TRY(oc_copy_text(reference, parser->word.bytes));
    return ctf_need_sign(&parser->tokens, ">");
}

static ocelotl_status parse_options(ctf_layout **layout, ctf_parser *parser, const char *name,
                                    unsigned line)
{
    if (name != NULL && !ctf_is_sign(&parser->tokens, "{"))
        return use_name(layout, parser, name, line);
    OC_TRY(ctf_layout_add(layout, parser->into, CTF_VARIANT, 1));
    OC_TRY(parse_members(*layout, parser));
    return name != NULL ? name_type(parser, name, *layout) : OCELOTL_OK;
}

static ocelotl_status parse_variant(ctf_layout **layout, ctf_parser *parser)
{
    bool has_name;
    char *name = NULL;
    char *reference = NULL;
    const unsigned line = parser->tokens.line;
    OC_TRY(parse_tag(&has_name, parser, "variant"));
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = parse_reference(&reference, parser);
    if (status == OCELOTL_OK)
        status = parse_options(layout, parser, name, line);
    if (status == OCELOTL_OK && reference != NULL) {
        free((*layout)->reference);
        (*layout)->reference = reference;
        reference = NULL;
    }
    free(reference);
    free(name);
    return status;
}

/* --- Types */

typedef ocelotl_status (*parse_kind)(ctf_layout **layout, ctf_parser *parser);

static const struct {
    const char *word;
    parse_kind parse;
} kinds[] = {
    {"integer", parse_integer},  {"floating_point", parse_real}, {"string", parse_string},
    {"enum", parse_enumeration}, {"struct", parse_structure},    {"variant", parse_variant},
};

ocelotl_status ctf_parse_type(ctf_layout **layout, ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    if (++parser->depth > CTF_DEEPEST)
        return ctf_fail_token(tokens, "types that are not nested as deeply");
    ocelotl_status status = OCELOTL_OK;
    const unsigned line = tokens->line;
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof kinds[0] && !ctf_is_word(tokens, kinds[kind].word))
        kind++;
    if (kind < sizeof kinds / sizeof kinds[0]) {
        status = ctf_next(tokens);
        if (status == OCELOTL_OK)
            status = kinds[kind].parse(layout, parser);
    } else {
        status = parse_name(parser);
        if (status == OCELOTL_OK)
            status = use_name(layout, parser, parser->word.bytes, line);
    }
    parser->depth--;
    return status;
}

/* --- Declarations */

/* "typealias TYPE := NAME;" */
static ocelotl_status parse_alias(ctf_parser *parser)
{
    ctf_layout *layout;
    OC_TRY(ctf_parse_type(&layout, parser));
    OC_TRY(ctf_need_sign(&parser->tokens, ":="));
    OC_TRY(parse_name(parser));
    OC_TRY(name_type(parser, parser->word.bytes, layout));
    return ctf_need_sign(&parser->tokens, ";");
}

/* "typedef TYPE NAME, NAME[4];" */
static ocelotl_status parse_definition(ctf_parser *parser, oc_text *name)
{
    bool goes_on = true;
    ctf_layout *type = NULL;
    ctf_layout *layout = NULL;
    OC_TRY(ctf_parse_type(&type, parser));
    while (goes_on) {
        OC_TRY(parse_declarator(name, &layout, parser, type));
        OC_TRY(name_type(parser, name->bytes, layout));
        OC_TRY(ctf_take_sign(&goes_on, &parser->tokens, ","));
    }
    return ctf_need_sign(&parser->tokens, ";");
}

ocelotl_status ctf_parse_declaration(bool *taken, ctf_parser *parser)
{
    oc_text name = {0};
    const bool is_alias = ctf_is_word(&parser->tokens, "typealias");
    *taken = is_alias || ctf_is_word(&parser->tokens, "typedef");
    if (!*taken)
        return OCELOTL_OK;
    OC_TRY(ctf_next(&parser->tokens));
    const ocelotl_status status = is_alias ? parse_alias(parser) : parse_definition(parser, &name);
    oc_text_free(&name);
    return status;
}
