#include "viz/words/words.h"

#include <string.h>

static const char ellipsis[] = "\xE2\x80\xA6";

enum { NESTED_MOST = 128 };

/* What is drawn over or into the character before it. */
static bool is_combining(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x0300, 0x036F}, {0x0483, 0x0489},   {0x0591, 0x05BD},   {0x0610, 0x061A},
        {0x064B, 0x065F}, {0x0670, 0x0670},   {0x0900, 0x0903},   {0x093A, 0x094F},
        {0x0981, 0x0983}, {0x09BC, 0x09CD},   {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},
        {0x0E47, 0x0E4E}, {0x1160, 0x11FF},   {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},
        {0x200C, 0x200D}, {0x20D0, 0x20FF},   {0x3099, 0x309A},   {0xFE00, 0xFE0F},
        {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE007F}, {0xE0100, 0xE01EF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

bool oc_begins_cluster(const char *bytes, size_t at, size_t length)
{
    static const char joiner[] = "\xE2\x80\x8D";
    const size_t step = oc_utf8_length(bytes + at, length - at);
    if (at == 0 || step == 0)
        return true;
    return !is_combining(oc_code_point(bytes + at, step)) &&
           (at < 3 || memcmp(bytes + at - 3, joiner, 3) != 0);
}

size_t oc_cluster_length(const char *bytes, size_t available)
{
    size_t length = oc_utf8_length(bytes, available);
    while (length > 0 && length < available && !oc_begins_cluster(bytes, length, available))
        length += oc_utf8_length(bytes + length, available - length);
    return length;
}

static bool in_word(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || (unsigned char)letter >= 0x80;
}

/* Bytes of the symbol of an operator whose name begins here, "operator<<"; 0 where none does. */
static size_t operator_length(const char *name, size_t at)
{
    static const char word[] = "operator";
    static const char *const symbols[] = {"<=>", "<<=", ">>=", "->*", "()", "<<",
                                          ">>",  "<=",  ">=",  "->",  "<",  ">"};
    if (strncmp(name + at, word, sizeof word - 1) != 0 || (at > 0 && in_word(name[at - 1])))
        return 0;
    size_t end = at + sizeof word - 1;
    while (name[end] == ' ')
        end++;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (strncmp(name + end, symbols[i], strlen(symbols[i])) == 0)
            return end + strlen(symbols[i]) - at;
    return 0;
}

/* A walk over the brackets of a name. */
typedef struct nesting {
    char open[NESTED_MOST];
    size_t count;
    size_t begin;      /* of the outermost bracket that is open */
    bool arguments;    /* it holds arguments */
    size_t symbol_end; /* of the last symbol of an operator; 0 before any */
    bool broken;       /* a bracket has no partner, or there are too many */
} nesting;

/* Whether a bracket that opens here holds arguments. */
static bool holds_arguments(const nesting *in, const char *name, size_t at)
{
    if (at == 0)
        return false;
    const char before = name[at - 1];
    const bool follows =
        in_word(before) || before == '>' || before == ')' || before == ']' || at == in->symbol_end;
    return follows && (name[at] == '(' || (name[at + 1] != ' ' && name[at + 1] != '='));
}

static void open_bracket(nesting *in, const char *name, size_t at)
{
    const bool arguments = holds_arguments(in, name, at);
    if (name[at] == '<' && !arguments)
        return; /* a comparison */
    if (in->count == NESTED_MOST) {
        in->broken = true;
        return;
    }
    if (in->count == 0) {
        in->begin = at;
        in->arguments = arguments;
    }
    in->open[in->count++] = name[at];
}

/* Closes the innermost bracket; says whether that was the outermost. */
static bool close_bracket(nesting *in, const char *name, size_t at)
{
    const bool round = name[at] == ')';
    if (!round && (at == 0 || name[at - 1] == '-' || name[at - 1] == '=' || in->count == 0))
        return false; /* an arrow, or a comparison */
    if (!round && in->open[in->count - 1] != '<')
        return false;
    while (round && in->count > 0 && in->open[in->count - 1] == '<')
        in->count--; /* those were comparisons */
    if (in->count == 0) {
        in->broken = true;
        return false;
    }
    return --in->count == 0;
}

/* Appends a bracketed piece of a name. */
static void add_bracketed(oc_text *text, const char *piece, size_t length, bool shortened,
                          bool bare)
{
    /* nothing, or one letter, which is no longer than an ellipsis */
    const bool empty = length <= 3;
    if (!shortened || (empty && !bare)) {
        oc_text_append(text, piece, length);
    } else if (!bare) {
        oc_text_append(text, piece, 1);
        oc_text_add(text, ellipsis);
        oc_text_append(text, piece + length - 1, 1);
    }
}

/* One walk that either looks whether all brackets have a partner, or writes. */
static bool walk(oc_text *text, const char *name, oc_brackets brackets, bool bare)
{
    nesting in = {.count = 0};
    size_t written = 0;
    for (size_t at = 0; name[at] != '\0' && !in.broken;) {
        const size_t symbol = operator_length(name, at);
        if (symbol > 0) {
            in.symbol_end = at + symbol;
        } else if (name[at] == '(' || name[at] == '<') {
            open_bracket(&in, name, at);
        } else if ((name[at] == ')' || name[at] == '>') && close_bracket(&in, name, at)) {
            const bool chosen = name[in.begin] == '<' || brackets == OC_BRACKETS_ALL;
            if (text != NULL) {
                oc_text_append(text, name + written, in.begin - written);
                add_bracketed(text, name + in.begin, at + 1 - in.begin, in.arguments && chosen,
                              bare);
            }
            written = at + 1;
        }
        at += symbol > 0 ? symbol : 1;
    }
    if (text != NULL)
        oc_text_add(text, name + written);
    return !in.broken && in.count == 0;
}

void oc_without_arguments(oc_text *text, const char *name, oc_brackets brackets, bool bare)
{
    if (walk(NULL, name, brackets, bare))
        walk(text, name, brackets, bare);
    else
        oc_text_add(text, name);
}

bool oc_is_path(const char *name)
{
    const char *first = strchr(name, '/');
    return first == name || (first != NULL && strchr(first + 1, '/') != NULL);
}

size_t oc_next_component(const char *name, size_t from, bool path)
{
    size_t at = from;
    for (; name[at] != '\0'; at++) {
        const size_t separator = name[at] == ':' && name[at + 1] == ':' ? 2
                                 : path && name[at] == '/'              ? 1
                                                                        : 0;
        if (separator > 0 && name[at + separator] != '\0')
            break;
    }
    return at;
}
