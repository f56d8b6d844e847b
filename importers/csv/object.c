#include "importers/csv/object.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    const char *next, *end;
    csv_object *object;
} reading;

static ocelotl_status fail(const char *expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "is no flat object of JSON, expected %s", expected);
}

static void pass_blanks(reading *of)
{
    while (of->next < of->end && strchr(" \t\r\n", *of->next) != NULL && *of->next != '\0')
        of->next++;
}

static bool take(reading *of, char byte)
{
    pass_blanks(of);
    const bool is_there = of->next < of->end && *of->next == byte;
    of->next += is_there;
    return is_there;
}

static bool read_hex(uint32_t *code, reading *of)
{
    *code = 0;
    if (of->end - of->next < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = memchr(digits, *of->next++, sizeof digits - 1);
        if (digit == NULL)
            return false;
        *code = *code * 16 + (uint32_t)((digit - digits) % 16);
    }
    return true;
}

static ocelotl_status read_escape(reading *of)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    uint32_t code;
    uint32_t low;
    if (of->next == of->end)
        return fail("an escaped character");
    const char letter = *of->next++;
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    if (known != NULL) {
        oc_text_append(&of->object->scratch, &meant[known - letters], 1);
        return OCELOTL_OK;
    }
    if (letter != 'u' || !read_hex(&code, of))
        return fail("a known escape");
    if (code >= 0xD800 && code < 0xDC00 && of->end - of->next >= 6 && of->next[0] == '\\' &&
        of->next[1] == 'u') {
        of->next += 2;
        if (!read_hex(&low, of) || low < 0xDC00 || low > 0xDFFF)
            return fail("the second half of a character");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    oc_text_add_code_point(&of->object->scratch, code);
    return OCELOTL_OK;
}

/* Reads what is behind an opening quote. */
static ocelotl_status read_string(size_t *length, reading *of)
{
    oc_text *scratch = &of->object->scratch;
    const size_t first = scratch->length;
    for (;;) {
        const char *from = of->next;
        while (of->next < of->end && *of->next != '"' && *of->next != '\\')
            of->next++;
        oc_text_append(scratch, from, (size_t)(of->next - from));
        if (of->next == of->end)
            return fail("a closing quote");
        if (*of->next++ == '"')
            break;
        OC_TRY(read_escape(of));
    }
    *length = scratch->length - first;
    return scratch->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* A number or a word. */
static ocelotl_status read_word(size_t *length, reading *of)
{
    const char *from = of->next;
    while (of->next < of->end && strchr(",} \t\r\n[]{\":", *of->next) == NULL)
        of->next++;
    *length = (size_t)(of->next - from);
    oc_text_append(&of->object->scratch, from, *length);
    if (of->object->scratch.failed)
        return oc_fail_memory();
    return *length > 0 ? OCELOTL_OK : fail("a text or a number behind each name");
}

/* An object in the object stays as it is. */
static ocelotl_status read_inner(size_t *length, reading *of)
{
    const char *from = of->next;
    size_t depth = 0;
    bool quoted = false;
    do {
        if (of->next == of->end)
            return fail("}");
        const char byte = *of->next++;
        of->next += quoted && byte == '\\' && of->next < of->end;
        quoted ^= byte == '"';
        depth += !quoted && byte == '{';
        depth -= !quoted && byte == '}';
    } while (depth > 0);
    *length = (size_t)(of->next - from);
    oc_text_append(&of->object->scratch, from, *length);
    return of->object->scratch.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status read_content(csv_member *member, reading *of)
{
    if (take(of, '"'))
        return read_string(&member->length, of);
    pass_blanks(of);
    if (of->next < of->end && *of->next == '{')
        return read_inner(&member->length, of);
    return read_word(&member->length, of);
}

static ocelotl_status read_member(reading *of)
{
    csv_object *object = of->object;
    csv_member member = {.name = object->scratch.length};
    if (!take(of, '"'))
        return fail("a name in quotes");
    OC_TRY(read_string(&member.name_length, of));
    if (!take(of, ':'))
        return fail("a colon behind a name");
    pass_blanks(of);
    const bool quoted = of->next < of->end && *of->next == '"';
    member.text = object->scratch.length;
    OC_TRY(read_content(&member, of));
    const char *text = object->scratch.bytes + member.text;
    if (!quoted && member.length == 4 && memcmp(text, "null", 4) == 0)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&object->members, &object->capacity, object->count + 1, sizeof *object->members));
    object->members[object->count++] = member;
    return OCELOTL_OK;
}

ocelotl_status csv_object_read(csv_object *object, csv_field text)
{
    reading of = {text.text, text.text + text.length, object};
    object->count = 0;
    oc_text_clear(&object->scratch);
    if (text.length == 0)
        return OCELOTL_OK;
    if (!take(&of, '{'))
        return fail("{");
    if (!take(&of, '}')) {
        do
            OC_TRY(read_member(&of));
        while (take(&of, ','));
        if (!take(&of, '}'))
            return fail("}");
    }
    pass_blanks(&of);
    return of.next == of.end ? OCELOTL_OK : fail("nothing behind }");
}

void csv_object_free(csv_object *object)
{
    oc_text_free(&object->scratch);
    free(object->members);
}
