/* The blocks of metadata: trace, env, clock, stream, event. */
#include "importers/ctf/parser.h"

#include "base/memory.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

/* What is being filled. */
typedef struct block {
    ctf_event_class *event;
    ctf_stream_class *stream;
    ctf_clock clock;
} block;

typedef ocelotl_status (*set_constant)(ctf_parser *parser, block *of, const char *name,
                                       const ctf_constant *value);
typedef ctf_layout **(*find_layout)(ctf_parser *parser, block *of, const char *name);

/* --- Items of blocks */

static ocelotl_status parse_item(ctf_parser *parser, block *of, set_constant set, find_layout find)
{
    char name[64];
    bool is_type;
    ctf_constant value;
    OC_TRY(ctf_parse_path(parser));
    if (parser->word.length >= sizeof name)
        return ctf_fail_token(&parser->tokens, "shorter names");
    memcpy(name, parser->word.bytes, parser->word.length + 1);
    OC_TRY(ctf_take_sign(&is_type, &parser->tokens, ":="));
    if (is_type) {
        ctf_layout *layout;
        OC_TRY(ctf_parse_type(&layout, parser));
        ctf_layout **place = find != NULL ? find(parser, of, name) : NULL;
        if (place != NULL && layout->kind != CTF_STRUCTURE)
            return ctf_fail_token(&parser->tokens, "a structure before");
        if (place != NULL)
            *place = layout;
        return ctf_need_sign(&parser->tokens, ";");
    }
    OC_TRY(ctf_need_sign(&parser->tokens, "="));
    OC_TRY(ctf_parse_constant(&value, parser));
    return set(parser, of, name, &value);
}

/* "{ item; item; };" */
static ocelotl_status parse_block(ctf_parser *parser, block *of, set_constant set, find_layout find)
{
    bool ended;
    bool taken;
    const size_t names = parser->named_count;
    OC_TRY(ctf_need_sign(&parser->tokens, "{"));
    OC_TRY(ctf_take_sign(&ended, &parser->tokens, "}"));
    while (!ended) {
        OC_TRY(ctf_parse_declaration(&taken, parser));
        if (!taken)
            OC_TRY(parse_item(parser, of, set, find));
        OC_TRY(ctf_take_sign(&ended, &parser->tokens, "}"));
    }
    ctf_forget_names(parser, names);
    return ctf_need_sign(&parser->tokens, ";");
}

static bool is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

static ocelotl_status need_number(const ctf_parser *parser, const char *name,
                                  const ctf_constant *value)
{
    return value->is_number && !value->is_negative
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: \"%s\" is no number from 0, expected one",
                         parser->tokens.path, value->line, name);
}

/* --- trace */

static ocelotl_status set_of_trace(ctf_parser *parser, block *of, const char *name,
                                   const ctf_constant *value)
{
    (void)of;
    ctf_description *into = parser->into;
    const char *text = value->is_number ? "" : value->text;
    if (is(name, "byte_order"))
        into->is_big = oc_same_letters(text, "be") || oc_same_letters(text, "network");
    if (is(name, "uuid") && into->uuid == NULL && text[0] != '\0')
        return oc_copy_text(&into->uuid, text);
    if (is(name, "major") && (!value->is_number || value->number != 1))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: of another version, expected CTF 1.8",
                       parser->tokens.path, value->line);
    return OCELOTL_OK;
}

static ctf_layout **find_of_trace(ctf_parser *parser, block *of, const char *name)
{
    (void)of;
    return is(name, "packet.header") ? &parser->into->packet_header : NULL;
}

/* --- env */

static ocelotl_status set_of_environment(ctf_parser *parser, block *of, const char *name,
                                         const ctf_constant *value)
{
    (void)of;
    ctf_description *into = parser->into;
    ctf_entry *added;
    OC_TRY(ctf_add_entry(&added, into, name));
    if (!value->is_number)
        return oc_copy_text(&added->text, value->text);
    added->number = (int64_t)(value->is_negative ? 0 - value->number : value->number);
    return OCELOTL_OK;
}

/* --- clock */

static ocelotl_status set_of_clock(ctf_parser *parser, block *of, const char *name,
                                   const ctf_constant *value)
{
    ctf_clock *clock = &of->clock;
    const int64_t number = (int64_t)(value->is_negative ? 0 - value->number : value->number);
    if (is(name, "name") && !value->is_number) {
        free(clock->name);
        clock->name = NULL;
        return oc_copy_text(&clock->name, value->text);
    }
    if (is(name, "freq")) {
        OC_TRY(need_number(parser, name, value));
        clock->frequency = value->number;
    } else if (is(name, "offset")) {
        clock->offset_cycles = number;
    } else if (is(name, "offset_s")) {
        clock->offset_seconds = number;
    } else if (is(name, "absolute")) {
        clock->is_absolute =
            value->is_number ? value->number != 0 : oc_same_letters(value->text, "true");
    }
    return OCELOTL_OK;
}

/* Types may have named the clock before. */
static ocelotl_status keep_clock(ctf_parser *parser, ctf_clock *clock, unsigned line)
{
    enum { NANOSECONDS = 1000000000 };
    ctf_description *into = parser->into;
    size_t place = 0;
    if (clock->name == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: a clock without a name, expected one",
                       parser->tokens.path, line);
    while (place < into->clock_count && strcmp(into->clocks[place].name, clock->name) != 0)
        place++;
    if (place == into->clock_count) {
        OC_TRY(ctf_check_count(into, into->clock_count, "clocks"));
        OC_TRY(oc_grow(&into->clocks, &into->clock_capacity, place + 1, sizeof(*into->clocks)));
        into->clock_count++;
        OC_TRY(oc_map_set(&into->clock_of, clock->name, strlen(clock->name), (uint32_t)place));
    } else {
        free(into->clocks[place].name);
    }
    if (clock->frequency == 0)
        clock->frequency = NANOSECONDS;
    into->clocks[place] = *clock;
    *clock = (ctf_clock){0};
    return OCELOTL_OK;
}

static ocelotl_status parse_clock(ctf_parser *parser)
{
    block of = {0};
    const unsigned line = parser->tokens.line;
    ocelotl_status status = parse_block(parser, &of, set_of_clock, NULL);
    if (status == OCELOTL_OK)
        status = keep_clock(parser, &of.clock, line);
    free(of.clock.name);
    return status;
}

/* --- stream */

static ocelotl_status set_of_stream(ctf_parser *parser, block *of, const char *name,
                                    const ctf_constant *value)
{
    if (is(name, "id")) {
        OC_TRY(need_number(parser, name, value));
        of->stream->id = value->number;
    }
    return OCELOTL_OK;
}

static ctf_layout **find_of_stream(ctf_parser *parser, block *of, const char *name)
{
    (void)parser;
    if (is(name, "event.header"))
        return &of->stream->event_header;
    if (is(name, "event.context"))
        return &of->stream->event_context;
    return is(name, "packet.context") ? &of->stream->packet_context : NULL;
}

static ocelotl_status parse_stream(ctf_parser *parser)
{
    block of = {0};
    OC_TRY(ctf_add_stream(&of.stream, parser->into));
    return parse_block(parser, &of, set_of_stream, find_of_stream);
}

/* --- event */

static ocelotl_status set_of_event(ctf_parser *parser, block *of, const char *name,
                                   const ctf_constant *value)
{
    if (is(name, "name") && !value->is_number) {
        free(of->event->name);
        of->event->name = NULL;
        return oc_copy_text(&of->event->name, value->text);
    }
    if (is(name, "id") || is(name, "stream_id")) {
        OC_TRY(need_number(parser, name, value));
        *(is(name, "id") ? &of->event->id : &of->event->stream_id) = value->number;
    }
    return OCELOTL_OK;
}

static ctf_layout **find_of_event(ctf_parser *parser, block *of, const char *name)
{
    (void)parser;
    if (is(name, "fields"))
        return &of->event->payload;
    return is(name, "context") ? &of->event->context : NULL;
}

static ocelotl_status parse_event(ctf_parser *parser)
{
    block of = {0};
    OC_TRY(ctf_add_event_class(&of.event, parser->into));
    return parse_block(parser, &of, set_of_event, find_of_event);
}

/* --- callsite: says where in a program events are */

static ocelotl_status set_nothing(ctf_parser *parser, block *of, const char *name,
                                  const ctf_constant *value)
{
    (void)parser, (void)of, (void)name, (void)value;
    return OCELOTL_OK;
}

/* --- All of it */

/* Blocks that fill something of their own have a parser; all others are their items. */
static const struct {
    const char *word;
    ocelotl_status (*parse)(ctf_parser *parser);
    set_constant set;
    find_layout find;
} blocks[] = {
    {.word = "trace", .set = set_of_trace, .find = find_of_trace},
    {.word = "env", .set = set_of_environment},
    {.word = "clock", .parse = parse_clock},
    {.word = "stream", .parse = parse_stream},
    {.word = "event", .parse = parse_event},
    {.word = "callsite", .set = set_nothing},
};

static ocelotl_status parse_one(ctf_parser *parser)
{
    bool taken;
    ctf_layout *layout;
    ctf_tokens *tokens = &parser->tokens;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (ctf_is_word(tokens, blocks[i].word)) {
            OC_TRY(ctf_next(tokens));
            return blocks[i].parse != NULL
                       ? blocks[i].parse(parser)
                       : parse_block(parser, NULL, blocks[i].set, blocks[i].find);
        }
    OC_TRY(ctf_parse_declaration(&taken, parser));
    if (taken)
        return OCELOTL_OK;
    OC_TRY(ctf_take_sign(&taken, tokens, ";"));
    if (taken)
        return OCELOTL_OK;
    if (!ctf_is_word(tokens, "struct") && !ctf_is_word(tokens, "enum") &&
        !ctf_is_word(tokens, "variant"))
        return ctf_fail_token(tokens, "a block of metadata (trace, env, clock, stream, event)");
    OC_TRY(ctf_parse_type(&layout, parser));
    return ctf_need_sign(tokens, ";");
}

ocelotl_status ctf_parse_blocks(ctf_description *into, const oc_text *text)
{
    ctf_parser parser = {
        .tokens = {.path = into->path,
                   .next = text->bytes,
                   .end = text->bytes + text->length,
                   .next_line = 1},
        .into = into,
    };
    into->place = &parser.tokens.line;
    ocelotl_status status = ctf_next(&parser.tokens);
    while (status == OCELOTL_OK && parser.tokens.kind != CTF_TOKEN_END)
        status = parse_one(&parser);
    into->place = NULL;
    ctf_forget_names(&parser, 0);
    oc_map_free(&parser.named_of);
    free(parser.named);
    oc_text_free(&parser.word);
    oc_text_free(&parser.tokens.string);
    return status;
}
