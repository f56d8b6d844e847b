/* The metadata of CTF 1.8, in its language TSDL: types by a grammar like that of C, and blocks that
 * use them (trace, env, clock, stream, event). A failure stays in the description, and leaves the
 * parser at the end of the text. */
#include "importers/ctf/description.h"

#include "base/plain.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_BITS = 64, NANOSECONDS = 1000000000, SHOWN = 40 };

typedef enum token { END, WORD, NUMBER, STRING, SIGN } token;

/* A name that stands for a type, until its scope ends. */
typedef struct named {
    const char *name; /* words apart by a space: "unsigned long", "struct header" */
    ctf_layout *layout;
    uint32_t hidden; /* what the name stood for before, by index; OC_MAP_NONE: nothing */
} named;

typedef struct parser {
    ctf_description *into;
    const char *next, *end;
    unsigned next_line;
    /* The current token: */
    token kind;
    const char *begin;
    size_t length;
    uint64_t number;
    oc_text string; /* what it stands for */
    unsigned line;
    named *named; /* the innermost last */
    size_t named_count, named_capacity;
    oc_map named_of; /* by name, the innermost */
    size_t depth;
} parser;

/* --- Tokens */

static void fail(parser *of, unsigned line, const char *what)
{
    ctf_fail_at(of->into, line, "%s", what);
    of->kind = END;
    of->next = of->end;
    of->length = 0;
}

static bool is_fine(const parser *of)
{
    return of->into->status == OCELOTL_OK;
}

/* Fails at what stands here. */
static void fail_here(parser *of, const char *expected)
{
    char what[2 * SHOWN + 64] = "ends here";
    if (of->kind != END)
        oc_plain_print(what, sizeof what, "\"%.*s\"", of->length < SHOWN ? (int)of->length : SHOWN,
                       of->begin);
    ctf_fail_at(of->into, of->line, "%s, expected %s", what, expected);
    fail(of, of->line, "");
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static int digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    const char low = (char)(byte | 32);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

static bool begins_with(const parser *of, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(of->end - of->next) >= length && memcmp(of->next, text, length) == 0;
}

/* Skips blanks, comments, and lines of a preprocessor. */
static void skip(parser *of)
{
    while (of->next < of->end) {
        const char byte = *of->next;
        if (begins_with(of, "/*")) {
            const unsigned line = of->next_line;
            for (of->next += 2; of->next < of->end && !begins_with(of, "*/"); of->next++)
                of->next_line += *of->next == '\n';
            if (of->next == of->end)
                fail(of, line, "a comment has no end, expected \"*/\"");
            else
                of->next += 2;
        } else if (begins_with(of, "//") || byte == '#') {
            while (of->next < of->end && *of->next != '\n')
                of->next++;
        } else if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
            of->next_line += byte == '\n';
            of->next++;
        } else {
            return;
        }
    }
}

static void take_number(parser *of)
{
    int base = 10;
    const char *at = of->next;
    bool fits = true;
    of->number = 0;
    if (at[0] == '0' && of->end - at > 2 && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    } else if (at[0] == '0') {
        base = 8;
    }
    for (; at < of->end && digit_of(*at) >= 0 && digit_of(*at) < base; at++)
        fits = !__builtin_mul_overflow(of->number, (uint64_t)base, &of->number) &&
               !__builtin_add_overflow(of->number, (uint64_t)digit_of(*at), &of->number) && fits;
    while (at < of->end && (*at == 'u' || *at == 'U' || *at == 'l' || *at == 'L'))
        at++;
    of->kind = NUMBER;
    of->next = at;
    if (!fits || (at < of->end && (is_letter(*at) || oc_is_digit(*at))))
        fail(of, of->line, "this is no number, expected one of at most 64 bits");
}

/* A character that is written by a backslash; those by numbers are taken by their digits. */
static char take_escaped(parser *of)
{
    static const char letters[] = "abfnrtv";
    static const char meanings[] = "\a\b\f\n\r\t\v";
    const char byte = *of->next++;
    const char *letter = byte != '\0' ? strchr(letters, byte) : NULL;
    unsigned number = 0;
    if (byte >= '0' && byte <= '7') {
        number = (unsigned)(byte - '0');
        for (int i = 1; i < 3 && of->next < of->end && *of->next >= '0' && *of->next <= '7'; i++)
            number = number * 8 + (unsigned)(*of->next++ - '0');
        return (char)number;
    }
    if (byte == 'x') {
        while (of->next < of->end && digit_of(*of->next) >= 0)
            number = number * 16 + (unsigned)digit_of(*of->next++);
        return (char)number;
    }
    return (char)(letter != NULL ? meanings[letter - letters] : byte);
}

static void take_string(parser *of, char quote)
{
    of->kind = STRING;
    oc_text_clear(&of->string);
    oc_text_append(&of->string, "", 0);
    for (of->next++; of->next < of->end && *of->next != quote;) {
        char byte = *of->next++;
        of->next_line += byte == '\n';
        if (byte == '\\' && of->next < of->end)
            byte = take_escaped(of);
        oc_text_append(&of->string, &byte, 1);
    }
    if (of->string.failed && is_fine(of))
        of->into->status = oc_fail_memory();
    if (of->next == of->end || of->string.failed)
        fail(of, of->line, "a text in quotes has no end, expected a quote");
    else
        of->next++;
}

/* Goes to the next token; from the begin of the text to its first. */
static void advance(parser *of)
{
    static const char *const signs[] = {":=", "...", "->"};
    skip(of);
    of->begin = of->next;
    of->line = of->next_line;
    if (of->next == of->end) {
        of->kind = END;
    } else if (is_letter(*of->next)) {
        of->kind = WORD;
        while (of->next < of->end && (is_letter(*of->next) || oc_is_digit(*of->next)))
            of->next++;
    } else if (oc_is_digit(*of->next)) {
        take_number(of);
    } else if (*of->next == '"' || *of->next == '\'') {
        take_string(of, *of->next);
    } else {
        size_t length = 1;
        of->kind = SIGN;
        for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
            if (begins_with(of, signs[i]))
                length = strlen(signs[i]);
        of->next += length;
    }
    of->length = of->kind != END ? (size_t)(of->next - of->begin) : 0;
}

static bool is_at(const parser *of, token kind, const char *text)
{
    return of->kind == kind && of->length == strlen(text) &&
           memcmp(of->begin, text, of->length) == 0;
}

/* Goes on where a sign stands here; says whether. */
static bool take(parser *of, const char *sign)
{
    const bool is_here = is_at(of, SIGN, sign);
    if (is_here)
        advance(of);
    return is_here;
}

static void need(parser *of, const char *sign)
{
    char expected[16];
    oc_plain_print(expected, sizeof expected, "\"%s\"", sign);
    if (!take(of, sign))
        fail_here(of, expected);
}

/* Goes on over the sign of a number, which may be a plus; says whether it is a minus. */
static bool take_minus(parser *of)
{
    return !take(of, "+") && take(of, "-");
}

/* Frees a text, of which a copy lives as long as the description. */
static const char *keep(parser *of, oc_text *text)
{
    if (text->failed && is_fine(of))
        of->into->status = oc_fail_memory();
    const char *kept = ctf_keep(of->into, text->bytes != NULL ? text->bytes : "", text->length);
    oc_text_free(text);
    return kept;
}

/* Takes words apart by points: "stream.event.header", "a->b"; "" where they are none. */
static const char *take_path(parser *of)
{
    oc_text path = {0};
    bool goes_on = true;
    while (goes_on && of->kind == WORD) {
        oc_text_append(&path, of->begin, of->length);
        advance(of);
        goes_on = take(of, ".") || take(of, "->");
        oc_text_add(&path, goes_on ? "." : "");
    }
    if (goes_on)
        fail_here(of, "a name");
    return keep(of, &path);
}

/* What stands behind "NAME =". */
typedef struct constant {
    bool is_number, is_negative;
    uint64_t number;  /* its amount */
    const char *text; /* of words and strings, else "" */
    unsigned line;
} constant;

static int64_t number_of(const constant *value)
{
    return (int64_t)(value->is_negative ? 0 - value->number : value->number);
}

/* Takes a constant, and the ";" behind it. */
static constant take_constant(parser *of)
{
    constant value = {.text = "", .line = of->line, .is_negative = take_minus(of)};
    if (of->kind == NUMBER) {
        value.is_number = true;
        value.number = of->number;
        advance(of);
    } else if (of->kind == STRING) {
        oc_text all = {0};
        for (; of->kind == STRING; advance(of))
            oc_text_append(&all, of->string.bytes, of->string.length);
        value.text = keep(of, &all);
    } else {
        value.text = take_path(of);
    }
    need(of, ";");
    return value;
}

/* --- Names that stand for types, within their scopes */

static void name_type(parser *of, const char *name, ctf_layout *layout)
{
    const size_t length = strlen(name);
    const uint32_t hidden = oc_map_get(&of->named_of, name, length);
    const uint32_t index = (uint32_t)of->named_count;
    named *added =
        ctf_add_one(of->into, &of->named, &of->named_count, &of->named_capacity, sizeof *added);
    if (added == NULL)
        return;
    *added = (named){.name = name, .layout = layout, .hidden = hidden};
    of->into->status = oc_map_set(&of->named_of, name, length, index);
}

static void forget_names(parser *of, size_t count)
{
    while (of->named_count > count) {
        const named *last = &of->named[--of->named_count];
        /* A key that is known is set without memory. */
        (void)oc_map_set(&of->named_of, last->name, strlen(last->name), last->hidden);
    }
}

static ctf_layout *use_name(parser *of, const char *name, unsigned line)
{
    const uint32_t found = oc_map_get(&of->named_of, name, strlen(name));
    if (found != OC_MAP_NONE)
        return ctf_layout_copy(of->into, of->named[found].layout);
    ctf_fail_at(of->into, line, "the type \"%s\" is not known, expected one above", name);
    fail(of, line, "");
    return &of->into->spare.layout;
}

/* Takes the words of a type's name: "unsigned long", "uint8_t *". */
static const char *take_name(parser *of)
{
    static const char *const parts[] = {"const", "void",     "char",      "short",  "int",
                                        "long",  "float",    "double",    "signed", "unsigned",
                                        "_Bool", "_Complex", "_Imaginary"};
    oc_text name = {0};
    bool has_own = false;
    while (of->kind == WORD) {
        bool is_part = false;
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            is_part = is_part || is_at(of, WORD, parts[i]);
        if (!is_part && (has_own || name.length > 0))
            break;
        has_own |= !is_part;
        if (!is_at(of, WORD, "const")) {
            oc_text_add(&name, name.length > 0 ? " " : "");
            oc_text_append(&name, of->begin, of->length);
        }
        advance(of);
    }
    while (take(of, "*"))
        oc_text_add(&name, " *");
    if (name.length == 0)
        fail_here(of, "a type");
    return keep(of, &name);
}

/* --- Types without parts: "integer { size = 32; align = 8; }" */

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

static void set_attribute(attributes *all, parser *of, const char *name, const constant *value)
{
    static const char *const hexadecimal[] = {"hexadecimal", "hex", "x", "p", NULL};
    static const char *const big[] = {"be", "network", NULL};
    const char *text = value->text;
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
        all->is_signed = value->is_number ? value->number != 0 : oc_same_letters(text, "true");
    } else if (strcmp(name, "base") == 0) {
        all->is_hexadecimal = value->is_number ? value->number == 16 : is_one_of(text, hexadecimal);
    } else if (strcmp(name, "encoding") == 0) {
        all->is_text = text[0] != '\0' && !oc_same_letters(text, "none");
    } else if (strcmp(name, "byte_order") == 0) {
        all->order = oc_same_letters(text, "le") ? CTF_LITTLE
                     : is_one_of(text, big)      ? CTF_BIG
                                                 : CTF_NATIVE;
    } else if (strcmp(name, "map") == 0) { /* "clock.NAME.value", which may be declared later */
        text += strncmp(text, "clock.", 6) == 0 ? 6 : 0;
        const char *end = strstr(text, ".value");
        all->clock =
            ctf_find_clock(of->into, text, end != NULL ? (size_t)(end - text) : strlen(text));
        return;
    }
    if (value->is_negative)
        fail(of, value->line, "a number below 0, expected another");
}

static attributes take_attributes(parser *of)
{
    attributes all = {.line = of->line};
    need(of, "{");
    while (is_fine(of) && !take(of, "}")) {
        const char *name = take_path(of);
        if (strlen(name) >= 32)
            fail_here(of, "an attribute of a type");
        need(of, "=");
        const constant value = take_constant(of);
        if (is_fine(of))
            set_attribute(&all, of, name, &value);
    }
    return all;
}

static ctf_layout *parse_integer(parser *of)
{
    attributes all = take_attributes(of);
    if (is_fine(of) && (!all.has_size || all.size == 0 || all.size > MOST_BITS))
        ctf_fail_at(of->into, all.line,
                    "an integer of %" PRIu64 " bits, expected a size of 1 to %d", all.size,
                    MOST_BITS);
    if (!all.has_alignment)
        all.alignment = all.size % 8 == 0 ? 8 : 1;
    ctf_check_alignment(of->into, all.alignment, all.line);
    ctf_layout *made = ctf_layout_add(of->into, CTF_INTEGER, (uint32_t)all.alignment);
    made->size = (uint32_t)all.size;
    made->order = all.order;
    made->is_signed = all.is_signed;
    made->is_hexadecimal = all.is_hexadecimal;
    made->is_text = all.is_text;
    made->clock = all.clock;
    return made;
}

static ctf_layout *parse_real(parser *of)
{
    attributes all = take_attributes(of);
    const bool is_single = all.exponent == 8 && all.mantissa == 24;
    if (!is_single && (all.exponent != 11 || all.mantissa != 53))
        ctf_fail_at(of->into, all.line,
                    "a floating point number of another kind, expected exp_dig = 8; mant_dig = "
                    "24; or exp_dig = 11; mant_dig = 53;");
    ctf_check_alignment(of->into, all.has_alignment ? all.alignment : 8, all.line);
    ctf_layout *made =
        ctf_layout_add(of->into, CTF_REAL, all.has_alignment ? (uint32_t)all.alignment : 8);
    made->size = is_single ? 32 : 64;
    made->order = all.order;
    return made;
}

static ctf_layout *parse_string(parser *of)
{
    if (is_at(of, SIGN, "{"))
        (void)take_attributes(of);
    return ctf_layout_add(of->into, CTF_STRING, 8);
}

/* --- Types with parts */

static ctf_layout *parse_type(parser *of);
static bool parse_declaration(parser *of);

/* Takes the name that a type of a kind has: "struct NAME"; NULL where it has none. */
static const char *take_tag(parser *of, const char *kind)
{
    oc_text name = {0};
    if (of->kind != WORD)
        return NULL;
    oc_text_format(&name, "%s %.*s", kind, (int)of->length, of->begin);
    advance(of);
    return keep(of, &name);
}

static int64_t take_bound(parser *of)
{
    const bool is_negative = take_minus(of);
    int64_t bound = (int64_t)(is_negative ? 0 - of->number : of->number);
    if (of->kind == STRING && of->string.length == 1) /* 'a' */
        bound = (unsigned char)of->string.bytes[0];
    else if (of->kind != NUMBER)
        fail_here(of, "a number");
    advance(of);
    return bound;
}

/* "enum NAME : TYPE { A, B = 3, C = 5 ... 9 }" */
static ctf_layout *parse_enumeration(parser *of)
{
    const unsigned line = of->line;
    const char *name = take_tag(of, "enum");
    const bool has_container = take(of, ":");
    if (name != NULL && !has_container && !is_at(of, SIGN, "{"))
        return use_name(of, name, line);
    const ctf_layout *container = has_container ? parse_type(of) : use_name(of, "int", line);
    if (container->kind != CTF_INTEGER)
        fail(of, of->line, "an enumeration of what is no integer, expected one");
    ctf_layout *made = ctf_layout_add(of->into, CTF_INTEGER, container->alignment);
    made->size = container->size;
    made->order = container->order;
    made->is_signed = container->is_signed;
    made->is_hexadecimal = container->is_hexadecimal;
    made->clock = container->clock;
    made->is_enumeration = true;
    bool goes_on = true;
    int64_t next = 0;
    need(of, "{");
    while (is_fine(of) && goes_on && !is_at(of, SIGN, "}")) {
        if (of->kind != STRING && of->kind != WORD)
            fail_here(of, "the name of a number");
        ctf_label *label =
            of->kind == STRING
                ? ctf_layout_add_label(of->into, made, of->string.bytes, of->string.length)
                : ctf_layout_add_label(of->into, made, of->begin, of->length);
        advance(of);
        label->low = take(of, "=") ? take_bound(of) : next;
        label->high = take(of, "...") ? take_bound(of) : label->low;
        next = (int64_t)((uint64_t)label->high + 1);
        goes_on = take(of, ",");
    }
    need(of, "}");
    if (name != NULL)
        name_type(of, name, made);
    return made;
}

/* "[4][n]" behind a name: arrays of what stands in the later brackets. */
static ctf_layout *parse_brackets(parser *of, ctf_layout *element)
{
    if (!take(of, "["))
        return element;
    if (++of->depth > CTF_DEEPEST)
        fail_here(of, "types that are not nested as deeply");
    const bool is_fixed = of->kind == NUMBER;
    ctf_layout *made = ctf_layout_add(of->into, is_fixed ? CTF_ARRAY : CTF_SEQUENCE, 1);
    if (is_fixed) {
        made->length = of->number;
        advance(of);
    } else {
        made->reference = take_path(of);
    }
    need(of, "]");
    if (is_fine(of))
        ctf_layout_set_element(of->into, made, parse_brackets(of, element));
    of->depth--;
    return made;
}

/* A name and what is behind it, of a type. */
static ctf_layout *parse_declarator(const char **name, parser *of, ctf_layout *type)
{
    while (take(of, "*"))
        continue;
    if (of->kind != WORD)
        fail_here(of, "a name");
    *name = ctf_keep(of->into, of->begin, of->length);
    advance(of);
    return parse_brackets(of, type);
}

/* "{ TYPE NAME, NAME[4]; .. }" */
static void parse_members(ctf_layout *to, parser *of)
{
    const size_t names = of->named_count;
    need(of, "{");
    while (is_fine(of) && !take(of, "}")) {
        if (parse_declaration(of))
            continue;
        ctf_layout *type = parse_type(of);
        if (take(of, ";")) /* a type alone, for its name */
            continue;
        bool goes_on = is_fine(of);
        while (goes_on) {
            const char *name;
            ctf_layout *layout = parse_declarator(&name, of, type);
            ctf_layout_add_field(of->into, to, name, strlen(name), layout);
            goes_on = take(of, ",");
            if (goes_on)
                type = ctf_layout_copy(of->into, type);
        }
        need(of, ";");
    }
    forget_names(of, names);
}

/* "struct NAME { .. } align(8)" */
static ctf_layout *parse_structure(parser *of)
{
    const unsigned line = of->line;
    const char *name = take_tag(of, "struct");
    if (name != NULL && !is_at(of, SIGN, "{"))
        return use_name(of, name, line);
    ctf_layout *made = ctf_layout_add(of->into, CTF_STRUCTURE, 1);
    parse_members(made, of);
    if (is_at(of, WORD, "align")) {
        advance(of);
        need(of, "(");
        if (of->kind != NUMBER)
            fail_here(of, "a number of bits");
        ctf_check_alignment(of->into, of->number, of->line);
        if (of->number > made->alignment)
            made->alignment = (uint32_t)of->number;
        advance(of);
        need(of, ")");
    }
    if (name != NULL)
        name_type(of, name, made);
    return made;
}

/* "variant NAME <tag> { .. }": where the number is that chooses an option, and the options. */
static ctf_layout *parse_variant(parser *of)
{
    const unsigned line = of->line;
    const char *name = take_tag(of, "variant");
    const char *reference = NULL;
    if (take(of, "<")) {
        reference = take_path(of);
        need(of, ">");
    }
    const bool is_used = name != NULL && !is_at(of, SIGN, "{");
    ctf_layout *made =
        is_used ? use_name(of, name, line) : ctf_layout_add(of->into, CTF_VARIANT, 1);
    if (!is_used)
        parse_members(made, of);
    if (!is_used && name != NULL)
        name_type(of, name, made);
    if (reference != NULL)
        made->reference = reference;
    return made;
}

static ctf_layout *parse_type(parser *of)
{
    static const struct {
        const char *word;
        ctf_layout *(*parse)(parser *of);
    } kinds[] = {
        {"integer", parse_integer},  {"floating_point", parse_real}, {"string", parse_string},
        {"enum", parse_enumeration}, {"struct", parse_structure},    {"variant", parse_variant},
    };
    size_t kind = 0;
    ctf_layout *made = &of->into->spare.layout;
    const unsigned line = of->line;
    if (++of->depth > CTF_DEEPEST)
        fail_here(of, "types that are not nested as deeply");
    while (kind < sizeof kinds / sizeof kinds[0] && !is_at(of, WORD, kinds[kind].word))
        kind++;
    if (kind < sizeof kinds / sizeof kinds[0]) {
        advance(of);
        made = kinds[kind].parse(of);
    } else {
        const char *name = take_name(of);
        if (is_fine(of))
            made = use_name(of, name, line);
    }
    of->depth--;
    return made;
}

/* "typealias TYPE := NAME;", "typedef TYPE NAME, NAME[4];", if one of them stands here. */
static bool parse_declaration(parser *of)
{
    const bool is_alias = is_at(of, WORD, "typealias");
    if (!is_alias && !is_at(of, WORD, "typedef"))
        return false;
    advance(of);
    ctf_layout *type = parse_type(of);
    bool goes_on = is_fine(of);
    if (is_alias) {
        need(of, ":=");
        const char *name = take_name(of);
        name_type(of, name, type);
        goes_on = false;
    }
    while (goes_on) {
        const char *name;
        ctf_layout *layout = parse_declarator(&name, of, type);
        name_type(of, name, layout);
        goes_on = take(of, ",");
    }
    need(of, ";");
    return true;
}

/* --- Blocks */

/* What is being filled: one of these. */
typedef struct block {
    ctf_event_class *event;
    ctf_stream_class *stream;
    ctf_clock *clock;
    bool is_trace, is_environment;
} block;

static bool is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

/* A number from 0. */
static uint64_t count_of(parser *of, const char *name, const constant *value)
{
    if (!value->is_number || value->is_negative)
        ctf_fail_at(of->into, value->line, "\"%s\" is no number from 0, expected one", name);
    return value->number;
}

static void set(const block *in, parser *of, const char *name, const constant *value)
{
    ctf_description *into = of->into;
    const bool is_true = oc_same_letters(value->text, "true");
    if (in->is_environment) {
        ctf_entry *entry = ctf_add_entry(into, name);
        entry->text = value->is_number ? NULL : value->text;
        entry->number = number_of(value);
    } else if (in->is_trace && is(name, "byte_order")) {
        into->is_big =
            oc_same_letters(value->text, "be") || oc_same_letters(value->text, "network");
    } else if (in->is_trace && is(name, "uuid") && into->uuid == NULL && value->text[0] != '\0') {
        into->uuid = value->text;
    } else if (in->is_trace && is(name, "major") && (!value->is_number || value->number != 1)) {
        ctf_fail_at(into, value->line, "of another version, expected CTF 1.8");
    } else if (in->clock != NULL && is(name, "name") && !value->is_number) {
        in->clock->name = value->text;
    } else if (in->clock != NULL && is(name, "freq")) {
        in->clock->frequency = count_of(of, name, value);
    } else if (in->clock != NULL && is(name, "offset")) {
        in->clock->offset_cycles = number_of(value);
    } else if (in->clock != NULL && is(name, "offset_s")) {
        in->clock->offset_seconds = number_of(value);
    } else if (in->clock != NULL && is(name, "absolute")) {
        in->clock->is_absolute = value->is_number ? value->number != 0 : is_true;
    } else if (in->stream != NULL && is(name, "id")) {
        in->stream->id = count_of(of, name, value);
    } else if (in->event != NULL && is(name, "name") && !value->is_number) {
        in->event->name = value->text;
    } else if (in->event != NULL && is(name, "id")) {
        in->event->id = count_of(of, name, value);
    } else if (in->event != NULL && is(name, "stream_id")) {
        in->event->stream_id = count_of(of, name, value);
    }
}

/* Where a structure of a name goes; NULL: nowhere. */
static ctf_layout **find_layout(const block *in, parser *of, const char *name)
{
    if (in->is_trace && is(name, "packet.header"))
        return &of->into->packet_header;
    if (in->stream != NULL && is(name, "event.header"))
        return &in->stream->event_header;
    if (in->stream != NULL && is(name, "event.context"))
        return &in->stream->event_context;
    if (in->stream != NULL && is(name, "packet.context"))
        return &in->stream->packet_context;
    if (in->event != NULL && is(name, "fields"))
        return &in->event->payload;
    return in->event != NULL && is(name, "context") ? &in->event->context : NULL;
}

/* "{ name = value; name := type; };" */
static void parse_block(parser *of, const block *in)
{
    const size_t names = of->named_count;
    need(of, "{");
    while (is_fine(of) && !take(of, "}")) {
        if (parse_declaration(of))
            continue;
        const char *name = take_path(of);
        if (strlen(name) >= 64)
            fail_here(of, "shorter names");
        if (take(of, ":=")) {
            ctf_layout *layout = parse_type(of);
            ctf_layout **place = find_layout(in, of, name);
            if (place != NULL && layout->kind != CTF_STRUCTURE)
                fail_here(of, "a structure before");
            if (place != NULL)
                *place = layout;
            need(of, ";");
        } else {
            need(of, "=");
            const constant value = take_constant(of);
            if (is_fine(of))
                set(in, of, name, &value);
        }
    }
    forget_names(of, names);
    need(of, ";");
}

/* Types may have named the clock before. */
static void parse_clock(parser *of)
{
    ctf_clock clock = {0};
    const unsigned line = of->line;
    parse_block(of, &(block){.clock = &clock});
    if (clock.name == NULL)
        fail(of, line, "a clock without a name, expected one");
    if (clock.name == NULL || !is_fine(of))
        return;
    if (clock.frequency == 0)
        clock.frequency = NANOSECONDS;
    const uint32_t number = ctf_find_clock(of->into, clock.name, strlen(clock.name));
    if (number != 0)
        of->into->clocks[number - 1] = clock;
}

static void parse_one(parser *of)
{
    static const char *const blocks[] = {"trace", "env", "clock", "stream", "event", "callsite"};
    enum { TRACE, ENV, CLOCK, STREAM, EVENT, CALLSITE, BLOCKS };
    size_t i = 0;
    while (i < BLOCKS && !is_at(of, WORD, blocks[i]))
        i++;
    if (i < BLOCKS)
        advance(of);
    switch (i) {
    case TRACE:
        parse_block(of, &(block){.is_trace = true});
        break;
    case ENV:
        parse_block(of, &(block){.is_environment = true});
        break;
    case CLOCK:
        parse_clock(of);
        break;
    case STREAM:
        parse_block(of, &(block){.stream = ctf_add_stream(of->into)});
        break;
    case EVENT:
        parse_block(of, &(block){.event = ctf_add_event_class(of->into)});
        break;
    case CALLSITE: /* says where in a program events are */
        parse_block(of, &(block){.event = NULL});
        break;
    default:
        if (parse_declaration(of) || take(of, ";"))
            break;
        if (!is_at(of, WORD, "struct") && !is_at(of, WORD, "enum") && !is_at(of, WORD, "variant"))
            fail_here(of, "a block of metadata (trace, env, clock, stream, event)");
        (void)parse_type(of);
        need(of, ";");
    }
}

void ctf_parse_tsdl(ctf_description *into, const oc_text *text)
{
    parser of = {
        .into = into, .next = text->bytes, .end = text->bytes + text->length, .next_line = 1};
    into->place = &of.line;
    advance(&of);
    while (is_fine(&of) && of.kind != END)
        parse_one(&of);
    into->place = NULL;
    oc_map_free(&of.named_of);
    oc_text_free(&of.string);
}
