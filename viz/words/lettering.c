#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Characters, and the components of names */

/* Which brackets of a name lose their content. */
typedef enum brackets_lost {
    ANGLE_BRACKETS, /* <...>, of templates */
    ALL_BRACKETS    /* and (...), of calls */
} brackets_lost;

static const char ellipsis[] = "\xE2\x80\xA6";

enum { NESTED_MOST = 128 };

/* Whether a character is drawn over or into the one before it. */
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

/* Whether the character at an offset begins a cluster: it does not combine with those before it. */
static bool begins_cluster(const char *bytes, size_t at, size_t length)
{
    static const char joiner[] = "\xE2\x80\x8D";
    const size_t step = oc_utf8_length(bytes + at, length - at);
    if (at == 0 || step == 0)
        return true;
    return !is_combining(oc_code_point(bytes + at, step)) &&
           (at < 3 || memcmp(bytes + at - 3, joiner, 3) != 0);
}

/* The bytes of the character at `bytes` with its combining marks; 0 at the end. The text must be
 * valid UTF-8. */
static size_t cluster_length(const char *bytes, size_t available)
{
    size_t length = oc_utf8_length(bytes, available);
    while (length > 0 && length < available && !begins_cluster(bytes, length, available))
        length += oc_utf8_length(bytes + length, available - length);
    return length;
}

static bool in_word(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || (unsigned char)letter >= 0x80;
}

/* The bytes of the symbol of an operator whose name begins here, as in "operator<<"; 0 if none
 * does. */
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
    bool broken;       /* a bracket has no partner, or brackets nest too deep */
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

/* Closes the innermost bracket. Returns whether that was the outermost. */
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

/* The walk either checks that all brackets have a partner, or writes. */
static bool walk(oc_text *text, const char *name, brackets_lost brackets, bool bare)
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
            const bool chosen = name[in.begin] == '<' || brackets == ALL_BRACKETS;
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

/* Appends a name with an ellipsis for the arguments of templates, and of calls; with `bare`,
 * without arguments and brackets. Other brackets stay: those of operator<, operator() and ->, those
 * after a blank or at the beginning as in "(anonymous namespace)", comparisons, and all if some
 * have no partner. */
static void add_without_arguments(oc_text *text, const char *name, brackets_lost brackets,
                                  bool bare)
{
    if (walk(NULL, name, brackets, bare))
        walk(text, name, brackets, bare);
    else
        oc_text_add(text, name);
}

/* Whether `/` separates the components of a name: it begins with one, or has two. */
static bool is_path(const char *name)
{
    const char *first = strchr(name, '/');
    return first == name || (first != NULL && strchr(first + 1, '/') != NULL);
}

/* Where the next component of a qualified name (a::b) or a path (a/b/c) begins: the offset of the
 * first separator after `from`, or the length of the name. */
static size_t next_component(const char *name, size_t from, bool path)
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

/* --- Widths, and what fits in a width */

/* The widths of the characters from space to tilde, in hundredths of the size: those of DejaVu
 * Sans, which is wider than Helvetica, Arial and their metric copies. */
static const uint8_t regular_widths[95] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};

static const uint8_t bold_widths[95] = {
    35, 46,  53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37, 70, 70,  70,
    70, 70,  70, 70, 70, 70,  70, 40,  40, 84, 84, 84, 59, 100, 78, 77, 74, 84,  69,
    69, 83,  84, 38, 38, 78,  64, 100, 84, 86, 74, 86, 78, 73,  69, 82, 78, 111, 78,
    73, 73,  46, 37, 46, 84,  50, 50,  68, 72, 60, 72, 68, 44,  72, 72, 35, 35,  67,
    35, 105, 72, 69, 72, 72,  50, 60,  48, 72, 66, 93, 65, 66,  59, 72, 37, 72,  84,
};

static const char replacement[] = "\xEF\xBF\xBD";

static bool is_unwanted(uint32_t code)
{
    return oc_is_hidden(code) || (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

static void add_clean(oc_text *text, const char *string, size_t length, bool lines)
{
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(string + i, length - i);
        const uint32_t code = step > 0 ? oc_code_point(string + i, step) : 0;
        if (code == '\n' && lines)
            oc_text_add(text, "\n");
        else if (code == '\t' || code == '\n' || code == '\r')
            oc_text_add(text, " ");
        else if (is_unwanted(code))
            oc_text_add(text, replacement);
        else
            oc_text_append(text, string + i, step);
        i += step > 0 ? step : 1;
    }
    oc_text_append(text, "", 0);
}

void oc_clean_add_whole(oc_text *text, const char *string, bool lines)
{
    add_clean(text, string, strlen(string), lines);
}

/* Finds the begin of a character, at an offset or up to three bytes before it. */
static size_t character_at(const char *string, size_t offset)
{
    for (size_t back = 0; back < 4 && back < offset; back++)
        if (((unsigned char)string[offset - back] & 0xC0) != 0x80)
            return offset - back;
    return offset;
}

static void add_line(oc_text *text, const char *line, size_t length, bool lines)
{
    if (length <= OC_LONGEST_SHOWN) {
        add_clean(text, line, length, lines);
        return;
    }
    const size_t tail = character_at(line, length - OC_LONGEST_SHOWN / 2);
    add_clean(text, line, character_at(line, OC_LONGEST_SHOWN / 2), lines);
    oc_text_add(text, ellipsis);
    add_clean(text, line + tail, length - tail, lines);
}

void oc_clean_add(oc_text *text, const char *string, bool lines)
{
    const char *end = lines ? strchr(string, '\n') : NULL;
    for (; end != NULL; end = strchr(string, '\n')) {
        add_line(text, string, (size_t)(end - string) + 1, true);
        string = end + 1;
    }
    add_line(text, string, strlen(string), lines);
}

static double character_width(uint32_t code, bool bold)
{
    if (code >= ' ' && code <= '~')
        return (bold ? bold_widths : regular_widths)[code - ' '] / 100.0;
    const bool latin = code >= 0xA0 && code < 0x180 && code != 0xA9 && code != 0xAE &&
                       code != 0xC6 && code != 0x152;
    double width = code == 0xB7     ? 0.32
                   : code == 0x2013 ? 0.5
                   : code == 0x2026 ? 1.0
                   : latin          ? 0.84
                                    : 1.1;
    if (code >= 0x1F000)
        width = 1.4;
    return bold ? width * 1.22 : width;
}

/* The string must be clean. */
static double clean_width(const char *string, size_t length, bool bold)
{
    double width = 0;
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(string + i, length - i);
        width += step > 0 ? character_width(oc_code_point(string + i, step), bold) : 1.1;
        i += step > 0 ? step : 1;
    }
    return width;
}

double oc_lettering_width(const char *string, double size, bool bold)
{
    return clean_width(string, strlen(string), bold) * size;
}

/* What a name is to fit into. */
typedef struct room {
    double width, size;
    bool bold;
} room;

static double width_in(const room *in, const char *string, size_t length)
{
    return clean_width(string, length, in->bold) * in->size;
}

/* Appends the piece where it fits whole, with an ellipsis after it where `marked`. */
static bool try_whole(oc_text *text, const oc_text *piece, const room *in, bool marked)
{
    const double width = (clean_width(piece->bytes, piece->length, in->bold) +
                          (marked ? character_width(0x2026, in->bold) : 0)) *
                         in->size;
    if (piece->length == 0 || !(width <= in->width))
        return false;
    oc_text_append(text, piece->bytes, piece->length);
    oc_text_add(text, marked ? ellipsis : "");
    return true;
}

/* Appends an ellipsis and as many of the last components as fit, at least one. */
static bool try_components(oc_text *text, const oc_text *name, const room *in)
{
    const bool path = is_path(name->bytes);
    const double available = in->width - character_width(0x2026, in->bold) * in->size;
    double left = width_in(in, name->bytes, name->length);
    size_t passed = 0;
    for (size_t at = next_component(name->bytes, 1, path); at < name->length;
         at = next_component(name->bytes, at + 2, path)) {
        left -= width_in(in, name->bytes + passed, at - passed);
        passed = at;
        if (left <= available + 1 &&
            width_in(in, name->bytes + at, name->length - at) <= available) {
            oc_text_add(text, ellipsis);
            oc_text_append(text, name->bytes + at, name->length - at);
            return true;
        }
    }
    return false;
}

/* Finds the begin of the last cluster before `end`. */
static size_t cluster_before(const char *bytes, size_t end)
{
    size_t begin = end;
    do {
        do
            begin--;
        while (begin > 0 && ((unsigned char)bytes[begin] & 0xC0) == 0x80);
    } while (begin > 0 && !begins_cluster(bytes, begin, end));
    return begin;
}

/* Appends the beginning and the end with an ellipsis between them; the end has more room. */
static bool try_ends(oc_text *text, const oc_text *name, const room *in)
{
    const char *bytes = name->bytes;
    const double end_share = 1.5;
    double left = in->width - character_width(0x2026, in->bold) * in->size;
    double head_width = 0;
    double tail_width = 0;
    size_t head = 0;
    size_t tail = name->length;
    for (bool head_open = true, tail_open = true; head < tail && (head_open || tail_open);) {
        const bool first =
            head_open && (!tail_open || head == 0 || head_width * end_share <= tail_width);
        const size_t step =
            first ? cluster_length(bytes + head, tail - head) : tail - cluster_before(bytes, tail);
        const double width = width_in(in, first ? bytes + head : bytes + tail - step, step);
        if (!(width <= left)) {
            *(first ? &head_open : &tail_open) = false;
            if (head == 0)
                return false;
            continue;
        }
        left -= width;
        *(first ? &head_width : &tail_width) += width;
        *(first ? &head : &tail) = first ? head + step : tail - step;
    }
    while (head > 1 && bytes[head - 1] == ' ')
        head--;
    while (tail < name->length && bytes[tail] == ' ')
        tail++;
    oc_text_append(text, bytes, head);
    oc_text_add(text, ellipsis);
    oc_text_append(text, bytes + tail, name->length - tail);
    return true;
}

/* The ways to shorten a clean name, the most telling first. */
static bool shorten(oc_text *text, const oc_text *clean, const room *in)
{
    enum { FORMS = 3 };
    oc_text forms[FORMS] = {{0}};
    add_without_arguments(&forms[0], clean->bytes, ANGLE_BRACKETS, false);
    add_without_arguments(&forms[1], clean->bytes, ALL_BRACKETS, false);
    add_without_arguments(&forms[2], clean->bytes, ALL_BRACKETS, true);
    bool done = false;
    if (!forms[0].failed && !forms[1].failed && !forms[2].failed)
        done = try_whole(text, &forms[0], in, false) || try_whole(text, &forms[1], in, false) ||
               try_whole(text, &forms[2], in, forms[2].length < clean->length) ||
               try_components(text, &forms[1], in) || try_components(text, &forms[2], in) ||
               try_ends(text, &forms[2], in);
    else
        text->failed = true;
    for (int i = 0; i < FORMS; i++)
        oc_text_free(&forms[i]);
    return done;
}

bool oc_lettering_fit(oc_text *text, const char *string, double size, bool bold, double width)
{
    const room in = {width, size, bold};
    oc_text clean = {0};
    oc_clean_add(&clean, string, false);
    if (clean.failed)
        text->failed = true;
    const bool some =
        clean.length > 0 && (try_whole(text, &clean, &in, false) || shorten(text, &clean, &in));
    oc_text_free(&clean);
    return some && !text->failed;
}

size_t oc_path_prefix(const char *path, uint32_t depth)
{
    size_t length = 0;
    for (uint32_t step = 0; path[length] != '\0'; length++)
        if (path[length] == '/' && step++ == depth)
            break;
    return length;
}
