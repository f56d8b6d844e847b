/* Types of metadata: names, enumerations, arrays, structures and variants. */
#include "importers/ctf/parser.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Names that stand for types, within their scopes */

ocelotl_status ctf_name_type(ctf_parser *parser, const char *name, ctf_layout *layout)
{
    const size_t length = strlen(name);
    OC_TRY(oc_grow(&parser->named, &parser->named_capacity, parser->named_count + 1,
                   sizeof(*parser->named)));
    ctf_named *named = &parser->named[parser->named_count];
    *named = (ctf_named){.layout = layout, .hidden = oc_map_get(&parser->named_of, name, length)};
    OC_TRY(oc_map_set(&parser->named_of, name, length, (uint32_t)parser->named_count));
    OC_TRY(oc_copy_text(&named->name, name));
    parser->named_count++;
    return OCELOTL_OK;
}

void ctf_forget_names(ctf_parser *parser, size_t count)
{
    while (parser->named_count > count) {
        const ctf_named *named = &parser->named[--parser->named_count];
        /* A key that is known is set without memory. */
        (void)oc_map_set(&parser->named_of, named->name, strlen(named->name), named->hidden);
        free(named->name);
    }
}

ocelotl_status ctf_use_name(ctf_layout **layout, ctf_parser *parser, const char *name,
                            unsigned line)
{
    const uint32_t found = oc_map_get(&parser->named_of, name, strlen(name));
    if (found != OC_MAP_NONE)
        return ctf_layout_copy(layout, parser->into, parser->named[found].layout);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: the type \"%s\" is not known, expected one above",
                   parser->tokens.path, line, name);
}

/* --- Names of types */

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

/* --- Enumerations */

static ocelotl_status parse_bound(int64_t *bound, ctf_parser *parser)
{
    bool is_negative;
    ctf_tokens *tokens = &parser->tokens;
    OC_TRY(ctf_take_minus(&is_negative, tokens));
    if (tokens->kind == CTF_TOKEN_STRING && tokens->string.length == 1) /* 'a' */
        *bound = (unsigned char)tokens->string.bytes[0];
    else if (tokens->kind != CTF_TOKEN_NUMBER)
        return ctf_fail_token(tokens, "a number");
    else
        *bound = (int64_t)(is_negative ? 0 - tokens->number : tokens->number);
    return ctf_next(tokens);
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
        ctf_label *label = NULL;
        if (tokens->kind == CTF_TOKEN_STRING)
            OC_TRY(ctf_layout_add_label(&label, to,
                                        tokens->string.bytes != NULL ? tokens->string.bytes : "",
                                        tokens->string.length));
        else if (tokens->kind == CTF_TOKEN_WORD)
            OC_TRY(ctf_layout_add_label(&label, to, tokens->begin, tokens->length));
        else
            return ctf_fail_token(tokens, "the name of a number");
        OC_TRY(ctf_next(tokens));
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
        return ctf_fail_at(parser->into, parser->tokens.line,
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
        return ctf_use_name(layout, parser, parser->word.bytes, line);
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = has_container ? ctf_parse_type(&container, parser)
                                          : ctf_use_name(&container, parser, "int", line);
    if (status == OCELOTL_OK)
        status = make_enumeration(layout, parser, container);
    if (status == OCELOTL_OK && name != NULL)
        status = ctf_name_type(parser, name, *layout);
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
    OC_TRY(parse_brackets(&element, parser, element));
    OC_TRY(ctf_layout_set_element(parser->into, made, element));
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
    OC_TRY(ctf_check_alignment(parser->into, tokens->number, tokens->line));
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
        return ctf_use_name(layout, parser, parser->word.bytes, line);
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = ctf_layout_add(layout, parser->into, CTF_STRUCTURE, 1);
    if (status == OCELOTL_OK)
        status = parse_members(*layout, parser);
    if (status == OCELOTL_OK)
        status = parse_least_alignment(*layout, parser);
    if (status == OCELOTL_OK && name != NULL)
        status = ctf_name_type(parser, name, *layout);
    free(name);
    return status;
}

/* "variant NAME <tag> { .. }": where the number is that chooses an option, and the options. */
static ocelotl_status parse_variant(ctf_layout **layout, ctf_parser *parser)
{
    bool has_name;
    bool has_reference;
    char *name = NULL;
    char *reference = NULL;
    const unsigned line = parser->tokens.line;
    OC_TRY(parse_tag(&has_name, parser, "variant"));
    if (has_name)
        OC_TRY(oc_copy_text(&name, parser->word.bytes));
    ocelotl_status status = ctf_take_sign(&has_reference, &parser->tokens, "<");
    if (status == OCELOTL_OK && has_reference)
        status = ctf_parse_path(parser);
    if (status == OCELOTL_OK && has_reference)
        status = oc_copy_text(&reference, parser->word.bytes);
    if (status == OCELOTL_OK && has_reference)
        status = ctf_need_sign(&parser->tokens, ">");
    const bool is_used = name != NULL && !ctf_is_sign(&parser->tokens, "{");
    if (status == OCELOTL_OK)
        status = is_used ? ctf_use_name(layout, parser, name, line)
                         : ctf_layout_add(layout, parser->into, CTF_VARIANT, 1);
    if (status == OCELOTL_OK && !is_used)
        status = parse_members(*layout, parser);
    if (status == OCELOTL_OK && !is_used && name != NULL)
        status = ctf_name_type(parser, name, *layout);
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
    {"integer", ctf_parse_integer}, {"floating_point", ctf_parse_real},
    {"string", ctf_parse_string},   {"enum", parse_enumeration},
    {"struct", parse_structure},    {"variant", parse_variant},
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
            status = ctf_use_name(layout, parser, parser->word.bytes, line);
    }
    parser->depth--;
    return status;
}

/* --- Declarations */

/* "typealias TYPE := NAME;", "typedef TYPE NAME, NAME[4];" */
ocelotl_status ctf_parse_declaration(bool *taken, ctf_parser *parser)
{
    oc_text name = {0};
    const bool is_alias = ctf_is_word(&parser->tokens, "typealias");
    *taken = is_alias || ctf_is_word(&parser->tokens, "typedef");
    if (!*taken)
        return OCELOTL_OK;
    OC_TRY(ctf_next(&parser->tokens));
    ctf_layout *type = NULL;
    ctf_layout *layout = NULL;
    bool goes_on = !is_alias;
    ocelotl_status status = ctf_parse_type(&type, parser);
    if (status == OCELOTL_OK && is_alias)
        status = ctf_need_sign(&parser->tokens, ":=");
    if (status == OCELOTL_OK && is_alias)
        status = parse_name(parser);
    if (status == OCELOTL_OK && is_alias)
        status = ctf_name_type(parser, parser->word.bytes, type);
    while (status == OCELOTL_OK && goes_on) {
        status = parse_declarator(&name, &layout, parser, type);
        if (status == OCELOTL_OK && name.bytes != NULL) /* there is a name where it succeeds */
            status = ctf_name_type(parser, name.bytes, layout);
        if (status == OCELOTL_OK)
            status = ctf_take_sign(&goes_on, &parser->tokens, ",");
    }
    if (status == OCELOTL_OK)
        status = ctf_need_sign(&parser->tokens, ";");
    oc_text_free(&name);
    return status;
}
