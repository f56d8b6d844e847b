/* The metadata of CTF 2: fragments of JSON, each behind a record separator (RFC 7464). What release
 * candidates of the specification called otherwise, and tracers wrote, is read as well. */
#include "importers/ctf/description.h"

#include "base/format/json_scan.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEPARATOR = 0x1E, SHOWN = 40, MOST_BITS = 64, UUID = 16 };

enum { MOST_MEMBERS = 32 };

typedef struct object {
    oc_json_item keys[MOST_MEMBERS], values[MOST_MEMBERS];
    size_t count;
} object;

typedef struct parser {
    ctf_description *into;
    unsigned fragment; /* from 1 */
    bool has_trace;
    ctf_root root;  /* what is parsed; CTF_ROOTS: an alias */
    uint32_t clock; /* of the stream that is parsed */
    size_t depth;
    oc_json_item *aliases; /* what is parsed again for each use */
    size_t alias_count, alias_capacity;
    oc_map alias_of;    /* by name */
    oc_text word, path; /* scratch */
} parser;

/* --- Values */

static ocelotl_status fail(const parser *of, const char *what, const oc_json_item *item,
                           const char *expected)
{
    if (item->bytes == NULL)
        return ctf_fail_at(of->into, of->fragment, "no \"%s\", expected %s", what, expected);
    const char *quote = item->kind == '"' ? "\"" : "";
    return ctf_fail_at(of->into, of->fragment, "\"%s\" is %s%.*s%s, expected %s", what, quote,
                       item->length < SHOWN ? (int)item->length : SHOWN, item->bytes, quote,
                       expected);
}

/* Reads an object of few members; names of integers and bits are walked through instead. */
static ocelotl_status read_object(object *into, const parser *of, const oc_json_item *item)
{
    oc_json_cursor at = oc_json_inside(item);
    for (into->count = 0; into->count < MOST_MEMBERS; into->count++)
        if (!oc_json_next(&into->keys[into->count], &into->values[into->count], &at))
            return OCELOTL_OK;
    return ctf_fail_at(of->into, of->fragment,
                       "an object of %d members and perhaps more, expected fewer", MOST_MEMBERS);
}

/* The value of a member; where it is absent its bytes are NULL. The last of a name counts. */
static const oc_json_item *get(const object *in, const char *name)
{
    static const oc_json_item absent = {0};
    for (size_t i = in->count; i > 0; i--)
        if (oc_json_is(&in->keys[i - 1], name))
            return &in->values[i - 1];
    return &absent;
}

/* Decodes a string into of->word; what is absent is "". */
static ocelotl_status read_text(parser *of, const oc_json_item *item)
{
    oc_text_clear(&of->word);
    oc_text_append(&of->word, "", 0);
    if (item->bytes != NULL)
        oc_json_decode_item(&of->word, item);
    return of->word.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Fails where a member is there and of another kind, or where it must be and is not. */
static ocelotl_status check_kind(const parser *of, const object *in, const char *what, char kind,
                                 bool is_needed, const char *expected)
{
    const oc_json_item *item = get(in, what);
    const bool is_wrong = item->bytes == NULL ? is_needed : item->kind != kind;
    return is_wrong ? fail(of, what, item, expected) : OCELOTL_OK;
}

typedef struct integer {
    bool is_negative;
    uint64_t amount;
} integer;

static bool read_integer(integer *number, const oc_json_item *item)
{
    *number = (integer){.is_negative = item->bytes != NULL && item->bytes[0] == '-'};
    if (item->bytes == NULL || item->kind != '0' || item->length == number->is_negative)
        return false;
    for (size_t i = number->is_negative; i < item->length; i++)
        if (item->bytes[i] < '0' || item->bytes[i] > '9' ||
            __builtin_mul_overflow(number->amount, (uint64_t)10, &number->amount) ||
            __builtin_add_overflow(number->amount, (uint64_t)(item->bytes[i] - '0'),
                                   &number->amount))
            return false;
    number->is_negative = number->is_negative && number->amount > 0;
    return !number->is_negative || number->amount <= (uint64_t)INT64_MAX + 1;
}

/* The bits of a number. */
static int64_t bits_of(integer number)
{
    return (int64_t)(number.is_negative ? 0 - number.amount : number.amount);
}

/* Takes a number from `least` on; where it is absent *number stays. */
static ocelotl_status take_count(uint64_t *number, const parser *of, const object *in,
                                 const char *what, uint64_t least, const char *expected)
{
    integer found;
    const oc_json_item *item = get(in, what);
    if (item->bytes == NULL)
        return OCELOTL_OK;
    if (!read_integer(&found, item) || found.is_negative || found.amount < least)
        return fail(of, what, item, expected);
    *number = found.amount;
    return OCELOTL_OK;
}

static ocelotl_status take_alignment(uint32_t *alignment, const parser *of, const object *in,
                                     const char *what)
{
    uint64_t number = 1;
    OC_TRY(take_count(&number, of, in, what, 1, "a power of two"));
    OC_TRY(ctf_check_alignment(of->into, number, of->fragment));
    *alignment = *alignment > number ? *alignment : (uint32_t)number;
    return OCELOTL_OK;
}

/* The index of a string among some; fails where it is none of them. */
static ocelotl_status take_word(size_t *index, const parser *of, const char *what,
                                const oc_json_item *item, const char *const *words, size_t count,
                                const char *expected)
{
    for (*index = 0; *index < count && item->kind == '"'; ++*index)
        if (oc_json_is(item, words[*index]))
            return OCELOTL_OK;
    return fail(of, what, item, expected);
}

/* --- Ranges of integers: [[0, 3], [7, 7]] */

typedef struct range {
    integer low, high;
} range;

static ocelotl_status next_range(bool *found, range *next, const parser *of, const char *what,
                                 oc_json_cursor *at)
{
    oc_json_item key;
    oc_json_item item;
    oc_json_item bounds[3];
    size_t count = 0;
    *found = oc_json_next(&key, &item, at);
    if (!*found)
        return OCELOTL_OK;
    oc_json_cursor inside = oc_json_inside(&item);
    while (item.kind == '[' && count < 3 && oc_json_next(&key, &bounds[count], &inside))
        count++;
    if (count != 2 || !read_integer(&next->low, &bounds[0]) ||
        !read_integer(&next->high, &bounds[1]) ||
        (next->high.is_negative && !next->low.is_negative) ||
        (next->high.is_negative == next->low.is_negative &&
         (next->high.is_negative ? next->high.amount > next->low.amount
                                 : next->high.amount < next->low.amount)))
        return fail(of, what, &item, "two integers, from the lower to the higher");
    return OCELOTL_OK;
}

/* What numbers of a type have of a range; false: nothing. */
static bool clip_range(int64_t *low, int64_t *high, const range *of, bool is_signed)
{
    const bool low_is_large = !of->low.is_negative && of->low.amount > INT64_MAX;
    const bool high_is_large = !of->high.is_negative && of->high.amount > INT64_MAX;
    *low = !is_signed && of->low.is_negative ? 0 : bits_of(of->low);
    *high = is_signed && high_is_large ? INT64_MAX : bits_of(of->high);
    return is_signed ? !low_is_large : !of->high.is_negative;
}

/* Names of numbers, or of bits: { "A": [[0, 3]], "B": [[4, 4]] }. */
static ocelotl_status take_labels(ctf_layout *to, parser *of, const object *in, const char *what)
{
    oc_json_item key;
    oc_json_item value;
    OC_TRY(check_kind(of, in, what, '{', to->has_flags, "an object of ranges"));
    if (get(in, what)->bytes == NULL)
        return OCELOTL_OK;
    oc_json_cursor at = oc_json_inside(get(in, what));
    while (oc_json_next(&key, &value, &at)) {
        bool found = value.kind == '[';
        if (!found)
            return fail(of, what, &value, "a list of ranges for each name");
        oc_json_cursor inside = oc_json_inside(&value);
        OC_TRY(read_text(of, &key));
        while (found) {
            range next;
            int64_t low;
            int64_t high;
            ctf_label *label;
            OC_TRY(next_range(&found, &next, of, what, &inside));
            if (!found || !clip_range(&low, &high, &next, to->is_signed))
                continue;
            OC_TRY(ctf_layout_add_label(&label, to, of->word.bytes, of->word.length));
            label->low = low;
            label->high = high;
        }
    }
    return OCELOTL_OK;
}

/* Ranges of a selector that choose an option. */
static ocelotl_status take_choices(ctf_layout *to, const parser *of, const object *in,
                                   size_t option)
{
    bool found = true;
    oc_json_cursor at = oc_json_inside(get(in, "selector-field-ranges"));
    while (found) {
        range next;
        OC_TRY(next_range(&found, &next, of, "selector-field-ranges", &at));
        if (!found)
            break;
        to->needs_signed |= next.low.is_negative;
        to->needs_unsigned |= !next.high.is_negative && next.high.amount > INT64_MAX;
        OC_TRY(oc_grow(&to->choices, &to->choice_capacity, to->choice_count + 1,
                       sizeof(*to->choices)));
        to->choices[to->choice_count++] =
            (ctf_choice){.low = bits_of(next.low), .high = bits_of(next.high), .option = option};
    }
    return OCELOTL_OK;
}

/* --- Where a number is that says a length or an option */

/* The path is kept without steps to a structure around: they take steps back, or go further out. */
static ocelotl_status take_location(ctf_layout *to, parser *of, const object *in, const char *what)
{
    static const char *const origins[CTF_ROOTS] = {
        [CTF_PACKET_HEADER] = "packet-header",
        [CTF_PACKET_CONTEXT] = "packet-context",
        [CTF_EVENT_HEADER] = "event-record-header",
        [CTF_EVENT_COMMON] = "event-record-common-context",
        [CTF_EVENT_SPECIFIC] = "event-record-specific-context",
        [CTF_EVENT_PAYLOAD] = "event-record-payload",
    };
    object location = {.count = 0};
    oc_json_item key;
    oc_json_item step;
    const oc_json_item *item = get(in, what);
    const oc_json_item *path = item; /* of release candidates: its first step is the origin */
    const char *expected = "the path to a field";
    to->origin = SIZE_MAX;
    if (item->kind == '{') {
        OC_TRY(read_object(&location, of, item));
        path = get(&location, "path");
    }
    if (path->kind != '[')
        return fail(of, what, item, expected);
    oc_json_cursor at = oc_json_inside(path);
    const oc_json_item *origin = get(&location, "origin");
    if (path == item && oc_json_next(&key, &step, &at))
        origin = &step;
    if (origin->bytes != NULL)
        OC_TRY(take_word(&to->origin, of, "origin", origin, origins, CTF_ROOTS,
                         "a structure of the packet or the event"));
    size_t steps = 0;
    oc_text_clear(&of->path);
    oc_text_append(&of->path, "", 0);
    while (oc_json_next(&key, &step, &at)) {
        if (step.kind == '"') {
            OC_TRY(read_text(of, &step));
            if (steps++ > 0)
                oc_text_add(&of->path, "/");
            oc_text_add_path_step(&of->path, of->word.bytes);
        } else if (!oc_json_is(&step, "null") || (steps == 0 && to->origin != SIZE_MAX)) {
            return fail(of, what, item, expected);
        } else if (steps == 0) {
            to->rise++;
        } else if (!of->path.failed) {
            const char *last = strrchr(of->path.bytes, '/');
            of->path.length = last != NULL ? (size_t)(last - of->path.bytes) : 0;
            of->path.bytes[of->path.length] = '\0';
            steps--;
        }
    }
    if (steps == 0)
        return fail(of, what, item, expected);
    return of->path.failed ? oc_fail_memory() : oc_copy_text(&to->reference, of->path.bytes);
}

/* --- Field classes */

static ocelotl_status parse_class(ctf_layout **layout, parser *of, const object *in,
                                  const char *what);

typedef struct field_kind field_kind;

/* What is special of a field class. */
typedef enum shape { PLAIN, BITS, BOOLEAN, BIT_MAP, STATIC, DYNAMIC, OPTIONAL, VARIANT } shape;

struct field_kind {
    const char *name;
    ocelotl_status (*parse)(ctf_layout **layout, parser *of, const object *in,
                            const field_kind *kind);
    bool is_signed;
    shape shape;
};

/* Roles say what a number is, in the structures where they hold. */
static ocelotl_status take_roles(ctf_layout *to, const parser *of, const object *in)
{
    enum { TIME = CTF_MEANINGS, NOTHING };
    static const struct {
        const char *name;
        int meaning;
        ctf_root root;
    } roles[] = {
        {"packet-magic-number", CTF_IS_MAGIC, CTF_PACKET_HEADER},
        {"metadata-stream-uuid", NOTHING, CTF_PACKET_HEADER},
        {"data-stream-class-id", CTF_IS_STREAM, CTF_PACKET_HEADER},
        {"data-stream-id", CTF_IS_INSTANCE, CTF_PACKET_HEADER},
        {"packet-total-length", CTF_IS_SIZE, CTF_PACKET_CONTEXT},
        {"packet-content-length", CTF_IS_CONTENT, CTF_PACKET_CONTEXT},
        {"default-clock-timestamp", TIME, CTF_PACKET_CONTEXT},
        {"default-clock-timestamp", TIME, CTF_EVENT_HEADER},
        {"packet-end-default-clock-timestamp", CTF_IS_END, CTF_PACKET_CONTEXT},
        {"discarded-event-record-counter-snapshot", CTF_IS_DISCARDED, CTF_PACKET_CONTEXT},
        {"packet-sequence-number", NOTHING, CTF_PACKET_CONTEXT},
        {"event-record-class-id", CTF_IS_EVENT, CTF_EVENT_HEADER},
    };
    oc_json_item key;
    oc_json_item role;
    OC_TRY(check_kind(of, in, "roles", '[', false, "a list"));
    oc_json_cursor at = oc_json_inside(get(in, "roles"));
    while (get(in, "roles")->bytes != NULL && oc_json_next(&key, &role, &at)) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
            if (!oc_json_is(&role, roles[i].name))
                continue;
            is_known = true;
            if (roles[i].root != of->root || to->kind != CTF_INTEGER || to->is_signed)
                continue;
            if (roles[i].meaning < CTF_MEANINGS)
                to->meanings |= 1u << roles[i].meaning;
            if (roles[i].meaning != TIME)
                continue;
            if (of->clock == 0)
                return fail(of, "roles", &role, "a stream with a clock");
            to->clock = of->clock;
            if (of->root == CTF_PACKET_CONTEXT)
                to->meanings |= 1u << CTF_IS_BEGIN;
        }
        if (!is_known)
            return fail(of, "roles", &role, "a role of CTF 2");
    }
    return OCELOTL_OK;
}

/* What integers of a fixed and of a variable length share. */
static ocelotl_status parse_number(ctf_layout *to, parser *of, const object *in,
                                   const field_kind *kind)
{
    to->is_signed = kind->is_signed;
    to->is_hexadecimal =
        kind->shape != PLAIN || oc_json_is(get(in, "preferred-display-base"), "16");
    if (kind->shape != PLAIN)
        return OCELOTL_OK;
    OC_TRY(take_labels(to, of, in, "mappings"));
    to->is_enumeration = to->label_count > 0;
    return take_roles(to, of, in);
}

static ocelotl_status parse_variable(ctf_layout **layout, parser *of, const object *in,
                                     const field_kind *kind)
{
    OC_TRY(ctf_layout_add(layout, of->into, CTF_INTEGER, 8));
    (*layout)->coding = CTF_LEB128;
    return parse_number(*layout, of, in, kind);
}

/* Bits that are taken together: most are integers. */
static ocelotl_status parse_bits(ctf_layout *to, parser *of, const object *in)
{
    static const char *const orders[] = {"little-endian", "big-endian"};
    static const char *const bits[] = {"first-to-last", "last-to-first"};
    size_t order;
    size_t bit_order;
    OC_TRY(take_word(&order, of, "byte-order", get(in, "byte-order"), orders, 2,
                     "\"little-endian\" or \"big-endian\""));
    to->order = order == 0 ? CTF_LITTLE : CTF_BIG;
    OC_TRY(take_alignment(&to->alignment, of, in, "alignment"));
    if (get(in, "bit-order")->bytes == NULL)
        return OCELOTL_OK;
    OC_TRY(take_word(&bit_order, of, "bit-order", get(in, "bit-order"), bits, 2,
                     "\"first-to-last\" or \"last-to-first\""));
    to->coding = bit_order == order ? CTF_PLAIN : CTF_REVERSED;
    return OCELOTL_OK;
}

static ocelotl_status parse_real(ctf_layout **layout, parser *of, const object *in,
                                 const field_kind *kind)
{
    (void)kind;
    uint64_t size = 0;
    const char *expected = "16, 32 or 64 bits of a floating point number";
    OC_TRY(take_count(&size, of, in, "length", 1, expected));
    if (size != 16 && size != 32 && size != 64)
        return fail(of, "length", get(in, "length"), expected);
    OC_TRY(ctf_layout_add(layout, of->into, CTF_REAL, 1));
    (*layout)->size = (uint32_t)size;
    return parse_bits(*layout, of, in);
}

static ocelotl_status parse_fixed(ctf_layout **layout, parser *of, const object *in,
                                  const field_kind *kind)
{
    uint64_t size = 0;
    const char *expected = "1 to 64 bits";
    OC_TRY(take_count(&size, of, in, "length", 1, expected));
    if (size == 0 || size > MOST_BITS)
        return fail(of, "length", get(in, "length"), expected);
    OC_TRY(ctf_layout_add(layout, of->into, CTF_INTEGER, 1));
    ctf_layout *made = *layout;
    made->size = (uint32_t)size;
    OC_TRY(parse_bits(made, of, in));
    OC_TRY(parse_number(made, of, in, kind));
    made->is_boolean = kind->shape == BOOLEAN;
    made->is_enumeration = made->is_enumeration || made->is_boolean;
    made->has_flags = kind->shape == BIT_MAP;
    if (made->has_flags)
        return take_labels(made, of, in, "flags");
    ctf_label *label;
    if (!made->is_boolean)
        return OCELOTL_OK;
    OC_TRY(ctf_layout_add_label(&label, made, "false", 5));
    OC_TRY(ctf_layout_add_label(&label, made, "true", 4));
    label->low = 1;
    label->high = -1;
    return OCELOTL_OK;
}

/* How long something is that is an array or a sequence here. */
static ocelotl_status parse_length(ctf_layout **layout, parser *of, const object *in,
                                   const field_kind *kind, uint32_t alignment)
{
    const bool is_static = kind->shape == STATIC;
    OC_TRY(ctf_layout_add(layout, of->into, is_static ? CTF_ARRAY : CTF_SEQUENCE, alignment));
    if (!is_static)
        return take_location(*layout, of, in, "length-field-location");
    OC_TRY(check_kind(of, in, "length", '0', true, "a number from 0"));
    return take_count(&(*layout)->length, of, in, "length", 0, "a number from 0");
}

static ocelotl_status parse_text(ctf_layout **layout, parser *of, const object *in,
                                 const field_kind *kind)
{
    static const char *const encodings[] = {"utf-8", "utf-16le", "utf-16be", "utf-32le",
                                            "utf-32be"};
    size_t encoding = 0;
    if (kind->shape == PLAIN)
        OC_TRY(ctf_layout_add(layout, of->into, CTF_STRING, 8));
    else
        OC_TRY(parse_length(layout, of, in, kind, 8));
    if (get(in, "encoding")->bytes != NULL)
        OC_TRY(take_word(&encoding, of, "encoding", get(in, "encoding"), encodings, 5,
                         "\"utf-8\", \"utf-16le\", \"utf-16be\", \"utf-32le\" or \"utf-32be\""));
    (*layout)->text = (ctf_text)(CTF_UTF8 + encoding);
    return OCELOTL_OK;
}

static ocelotl_status parse_blob(ctf_layout **layout, parser *of, const object *in,
                                 const field_kind *kind)
{
    OC_TRY(parse_length(layout, of, in, kind, 8));
    (*layout)->text = CTF_BYTES;
    return take_roles(*layout, of, in);
}

static ocelotl_status parse_array(ctf_layout **layout, parser *of, const object *in,
                                  const field_kind *kind)
{
    ctf_layout *element;
    OC_TRY(parse_length(layout, of, in, kind, 1));
    OC_TRY(take_alignment(&(*layout)->alignment, of, in, "minimum-alignment"));
    OC_TRY(parse_class(&element, of, in, "element-field-class"));
    return ctf_layout_set_element(of->into, *layout, element);
}

static ocelotl_status parse_structure(ctf_layout **layout, parser *of, const object *in,
                                      const field_kind *kind)
{
    (void)kind;
    oc_json_item key;
    oc_json_item item;
    OC_TRY(ctf_layout_add(layout, of->into, CTF_STRUCTURE, 1));
    OC_TRY(take_alignment(&(*layout)->alignment, of, in, "minimum-alignment"));
    OC_TRY(check_kind(of, in, "member-classes", '[', false, "a list"));
    oc_json_cursor at = oc_json_inside(get(in, "member-classes"));
    while (get(in, "member-classes")->bytes != NULL && oc_json_next(&key, &item, &at)) {
        object member;
        size_t same;
        ctf_layout *made;
        if (item.kind != '{')
            return fail(of, "member-classes", &item, "objects");
        OC_TRY(read_object(&member, of, &item));
        OC_TRY(check_kind(of, &member, "name", '"', true, "the name of a member"));
        OC_TRY(parse_class(&made, of, &member, "field-class"));
        OC_TRY(read_text(of, get(&member, "name")));
        OC_TRY(ctf_layout_look_up(&same, *layout, SIZE_MAX, of->word.bytes, of->word.length));
        if (same != SIZE_MAX)
            return fail(of, "name", get(&member, "name"), "a name that no other member has");
        OC_TRY(ctf_layout_add_field(of->into, *layout, of->word.bytes, of->word.length, made));
    }
    return OCELOTL_OK;
}

/* An option, of what has one or of a variant. */
static ocelotl_status add_option(ctf_layout *to, parser *of, const object *in)
{
    ctf_layout *made;
    const size_t option = to->field_count;
    OC_TRY(check_kind(of, in, "selector-field-ranges", '[', !to->is_optional, "a list of ranges"));
    if (get(in, "selector-field-ranges")->bytes != NULL)
        OC_TRY(take_choices(to, of, in, option));
    OC_TRY(parse_class(&made, of, in, "field-class"));
    return ctf_layout_add_field(of->into, to, "", 0, made);
}

static ocelotl_status parse_choice(ctf_layout **layout, parser *of, const object *in,
                                   const field_kind *kind)
{
    oc_json_item key;
    oc_json_item item;
    OC_TRY(ctf_layout_add(layout, of->into, CTF_VARIANT, 1));
    OC_TRY(take_location(*layout, of, in, "selector-field-location"));
    (*layout)->is_optional = kind->shape == OPTIONAL;
    if (kind->shape == OPTIONAL)
        return add_option(*layout, of, in);
    OC_TRY(check_kind(of, in, "options", '[', true, "a list"));
    oc_json_cursor at = oc_json_inside(get(in, "options"));
    while (oc_json_next(&key, &item, &at)) {
        object option;
        if (item.kind != '{')
            return fail(of, "options", &item, "objects");
        OC_TRY(read_object(&option, of, &item));
        OC_TRY(add_option(*layout, of, &option));
    }
    return (*layout)->field_count > 0 ? OCELOTL_OK
                                      : fail(of, "options", get(in, "options"), "some");
}

static const field_kind kinds[] = {
    {"fixed-length-bit-array", parse_fixed, false, BITS},
    {"fixed-length-bit-map", parse_fixed, false, BIT_MAP},
    {"fixed-length-boolean", parse_fixed, false, BOOLEAN},
    {"fixed-length-unsigned-integer", parse_fixed, false, PLAIN},
    {"fixed-length-signed-integer", parse_fixed, true, PLAIN},
    {"fixed-length-unsigned-enumeration", parse_fixed, false, PLAIN}, /* of release candidates */
    {"fixed-length-signed-enumeration", parse_fixed, true, PLAIN},
    {"fixed-length-floating-point-number", parse_real, false, PLAIN},
    {"variable-length-unsigned-integer", parse_variable, false, PLAIN},
    {"variable-length-signed-integer", parse_variable, true, PLAIN},
    {"variable-length-unsigned-enumeration", parse_variable, false, PLAIN},
    {"variable-length-signed-enumeration", parse_variable, true, PLAIN},
    {"null-terminated-string", parse_text, false, PLAIN},
    {"static-length-string", parse_text, false, STATIC},
    {"dynamic-length-string", parse_text, false, DYNAMIC},
    {"static-length-blob", parse_blob, false, STATIC},
    {"dynamic-length-blob", parse_blob, false, DYNAMIC},
    {"structure", parse_structure, false, PLAIN},
    {"static-length-array", parse_array, false, STATIC},
    {"dynamic-length-array", parse_array, false, DYNAMIC},
    {"optional", parse_choice, false, OPTIONAL},
    {"variant", parse_choice, false, VARIANT},
};

/* Parses the field class that a member of an object is, by itself or by an alias. */
static ocelotl_status parse_class(ctf_layout **layout, parser *of, const object *in,
                                  const char *what)
{
    object inside;
    const oc_json_item *item = get(in, what);
    if (item->kind == '"') {
        OC_TRY(read_text(of, item));
        const uint32_t alias = oc_map_get(&of->alias_of, of->word.bytes, of->word.length);
        item = alias != OC_MAP_NONE ? &of->aliases[alias] : item;
    }
    if (item->kind != '{')
        return fail(of, what, item, "a field class, or the name of an alias above");
    OC_TRY(read_object(&inside, of, item));
    if (of->depth++ >= CTF_DEEPEST)
        return ctf_fail_at(of->into, of->fragment,
                           "field classes of more than %d levels, expected fewer", CTF_DEEPEST);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (get(&inside, "type")->kind == '"' && oc_json_is(get(&inside, "type"), kinds[i].name)) {
            OC_TRY(kinds[i].parse(layout, of, &inside, &kinds[i]));
            of->depth--;
            return OCELOTL_OK;
        }
    return fail(of, "type", get(&inside, "type"), "a type of field classes");
}

/* Parses a structure of packets or events, where it is there. */
static ocelotl_status parse_root(ctf_layout **layout, parser *of, const object *in,
                                 const char *what, ctf_root root)
{
    ctf_layout *made;
    of->root = root;
    if (get(in, what)->bytes == NULL)
        return OCELOTL_OK;
    OC_TRY(parse_class(&made, of, in, what));
    if (made->kind != CTF_STRUCTURE)
        return fail(of, what, get(in, what), "a structure");
    *layout = made;
    return OCELOTL_OK;
}

/* --- Fragments */

/* An extension that is declared may change what anything means. */
static ocelotl_status refuse_extensions(const parser *of, const object *in)
{
    oc_json_item space;
    oc_json_item list;
    OC_TRY(check_kind(of, in, "extensions", '{', false, "an object"));
    oc_json_cursor at = oc_json_inside(get(in, "extensions"));
    while (get(in, "extensions")->bytes != NULL && oc_json_next(&space, &list, &at)) {
        oc_json_item name;
        oc_json_item value;
        oc_json_cursor inside = oc_json_inside(&list);
        if (list.kind == '{' && oc_json_next(&name, &value, &inside))
            return ctf_fail_at(of->into, of->fragment,
                               "declares the extension \"%.*s\" of \"%.*s\", expected none: it may "
                               "change how the trace is read",
                               name.length < SHOWN ? (int)name.length : SHOWN, name.bytes,
                               space.length < SHOWN ? (int)space.length : SHOWN, space.bytes);
    }
    return OCELOTL_OK;
}

static ocelotl_status take_preamble(parser *of, const object *in)
{
    oc_json_item key;
    oc_json_item byte;
    size_t count = 0;
    if (!oc_json_is(get(in, "version"), "2"))
        return fail(of, "version", get(in, "version"), "2");
    OC_TRY(refuse_extensions(of, in));
    OC_TRY(check_kind(of, in, "uuid", '[', false, "a list of 16 bytes"));
    if (get(in, "uuid")->bytes == NULL)
        return OCELOTL_OK;
    oc_json_cursor at = oc_json_inside(get(in, "uuid"));
    oc_text_clear(&of->word);
    for (; oc_json_next(&key, &byte, &at); count++) {
        integer number;
        if (!read_integer(&number, &byte) || number.is_negative || number.amount > UINT8_MAX)
            return fail(of, "uuid", &byte, "bytes");
        oc_text_format(&of->word, "%02x", (unsigned)number.amount);
    }
    if (count != UUID)
        return fail(of, "uuid", get(in, "uuid"), "16 bytes");
    return of->word.failed ? oc_fail_memory() : oc_copy_text(&of->into->uuid, of->word.bytes);
}

static ocelotl_status take_alias(parser *of, const object *in)
{
    ctf_layout *unused;
    of->root = CTF_ROOTS;
    OC_TRY(check_kind(of, in, "name", '"', true, "the name of an alias"));
    OC_TRY(parse_class(&unused, of, in, "field-class"));
    OC_TRY(read_text(of, get(in, "field-class")));
    oc_json_item item = *get(in, "field-class");
    if (item.kind == '"')
        item = of->aliases[oc_map_get(&of->alias_of, of->word.bytes, of->word.length)];
    OC_TRY(read_text(of, get(in, "name")));
    if (oc_map_get(&of->alias_of, of->word.bytes, of->word.length) != OC_MAP_NONE)
        return fail(of, "name", get(in, "name"), "a name that no other alias has");
    OC_TRY(oc_grow(&of->aliases, &of->alias_capacity, of->alias_count + 1, sizeof(*of->aliases)));
    of->aliases[of->alias_count] = item;
    return oc_map_set(&of->alias_of, of->word.bytes, of->word.length, (uint32_t)of->alias_count++);
}

static ocelotl_status take_environment(parser *of, const oc_json_item *from)
{
    oc_json_item key;
    oc_json_item value;
    oc_json_cursor at = oc_json_inside(from);
    while (oc_json_next(&key, &value, &at)) {
        integer number = {0};
        ctf_entry *added;
        if (value.kind != '"' && !read_integer(&number, &value))
            return fail(of, "environment", &value, "integers and strings");
        OC_TRY(read_text(of, &key));
        OC_TRY(ctf_add_entry(&added, of->into, of->word.bytes));
        added->number = bits_of(number);
        if (value.kind != '"')
            continue;
        OC_TRY(read_text(of, &value));
        OC_TRY(oc_copy_text(&added->text, of->word.bytes));
    }
    return OCELOTL_OK;
}

/* A trace that has a name of its own is known by that, else by the metadata's UUID. */
static ocelotl_status take_trace(parser *of, const object *in)
{
    if (of->has_trace || of->into->stream_count > 0)
        return fail(of, "type", get(in, "type"), "one of these, before all streams");
    of->has_trace = true;
    OC_TRY(check_kind(of, in, "uid", '"', false, "a string"));
    OC_TRY(check_kind(of, in, "environment", '{', false, "an object"));
    if (get(in, "environment")->bytes != NULL)
        OC_TRY(take_environment(of, get(in, "environment")));
    if (get(in, "uid")->bytes != NULL && of->into->uuid == NULL) {
        static const char *const parts[] = {"namespace", "name", "uid"};
        oc_text_clear(&of->word);
        for (size_t i = 0; i < 3; i++) {
            if (get(in, parts[i])->bytes != NULL)
                oc_json_decode_item(&of->word, get(in, parts[i]));
            oc_text_append(&of->word, "\n", 1);
        }
        OC_TRY(of->word.failed ? oc_fail_memory() : oc_copy_text(&of->into->uuid, of->word.bytes));
    }
    return parse_root(&of->into->packet_header, of, in, "packet-header-field-class",
                      CTF_PACKET_HEADER);
}

static ocelotl_status take_clock(parser *of, const object *in)
{
    uint32_t number;
    object offset = {0};
    integer seconds = {0};
    uint64_t cycles = 0;
    const char *name = get(in, "id")->bytes != NULL ? "id" : "name"; /* of release candidates */
    OC_TRY(check_kind(of, in, name, '"', true, "the name of a clock"));
    OC_TRY(read_text(of, get(in, name)));
    OC_TRY(ctf_find_clock(&number, of->into, of->word.bytes, of->word.length));
    ctf_clock *clock = &of->into->clocks[number - 1];
    if (clock->frequency != 0)
        return fail(of, name, get(in, name), "a name that no other clock has");
    OC_TRY(check_kind(of, in, "frequency", '0', true, "a number of Hz from 1"));
    OC_TRY(take_count(&clock->frequency, of, in, "frequency", 1, "a number of Hz from 1"));
    OC_TRY(check_kind(of, in, "offset-from-origin", '{', false, "an object"));
    if (get(in, "offset-from-origin")->bytes != NULL)
        OC_TRY(read_object(&offset, of, get(in, "offset-from-origin")));
    if (get(&offset, "seconds")->bytes != NULL && !read_integer(&seconds, get(&offset, "seconds")))
        return fail(of, "seconds", get(&offset, "seconds"), "an integer");
    OC_TRY(take_count(&cycles, of, &offset, "cycles", 0, "a number from 0"));
    if (cycles > INT64_MAX || (!seconds.is_negative && seconds.amount > INT64_MAX))
        return fail(of, "offset-from-origin", get(in, "offset-from-origin"), "less");
    clock->offset_seconds = bits_of(seconds);
    clock->offset_cycles = (int64_t)cycles;
    clock->is_absolute = oc_json_is(get(in, "origin"), "unix-epoch");
    clock->is_apart = get(in, "origin")->kind == '{';
    return OCELOTL_OK;
}

static ocelotl_status take_stream(parser *of, const object *in)
{
    ctf_stream_class *stream;
    const char *name = get(in, "default-clock-class-id")->bytes != NULL
                           ? "default-clock-class-id"
                           : "default-clock-class-name";
    OC_TRY(ctf_add_stream(&stream, of->into));
    OC_TRY(take_count(&stream->id, of, in, "id", 0, "a number from 0"));
    OC_TRY(check_kind(of, in, name, '"', false, "the clock of a fragment above"));
    if (get(in, name)->bytes != NULL) {
        OC_TRY(read_text(of, get(in, name)));
        const uint32_t clock = oc_map_get(&of->into->clock_of, of->word.bytes, of->word.length);
        if (clock == OC_MAP_NONE)
            return fail(of, name, get(in, name), "the clock of a fragment above");
        stream->clock = clock + 1;
    }
    of->clock = stream->clock;
    OC_TRY(parse_root(&stream->packet_context, of, in, "packet-context-field-class",
                      CTF_PACKET_CONTEXT));
    OC_TRY(parse_root(&stream->event_header, of, in, "event-record-header-field-class",
                      CTF_EVENT_HEADER));
    return parse_root(&stream->event_context, of, in, "event-record-common-context-field-class",
                      CTF_EVENT_COMMON);
}

static ocelotl_status take_event(parser *of, const object *in)
{
    ctf_event_class *event;
    OC_TRY(ctf_add_event_class(&event, of->into));
    OC_TRY(take_count(&event->id, of, in, "id", 0, "a number from 0"));
    OC_TRY(take_count(&event->stream_id, of, in, "data-stream-class-id", 0, "a number from 0"));
    OC_TRY(check_kind(of, in, "name", '"', false, "a string"));
    OC_TRY(read_text(of, get(in, "name")));
    if (get(in, "name")->bytes != NULL)
        OC_TRY(oc_copy_text(&event->name, of->word.bytes));
    OC_TRY(parse_root(&event->context, of, in, "specific-context-field-class", CTF_EVENT_SPECIFIC));
    return parse_root(&event->payload, of, in, "payload-field-class", CTF_EVENT_PAYLOAD);
}

static ocelotl_status take_fragment(parser *of, const oc_json_item *item)
{
    static const struct {
        const char *name;
        ocelotl_status (*take)(parser *of, const object *in);
    } types[] = {
        {"preamble", take_preamble},        {"field-class-alias", take_alias},
        {"trace-class", take_trace},        {"clock-class", take_clock},
        {"data-stream-class", take_stream}, {"event-record-class", take_event},
    };
    object in;
    if (item->kind != '{')
        return ctf_fail_at(of->into, of->fragment, "is no object, expected one");
    OC_TRY(read_object(&in, of, item));
    size_t i = 0;
    while (i < sizeof types / sizeof types[0] && !oc_json_is(get(&in, "type"), types[i].name))
        i++;
    if (i == sizeof types / sizeof types[0])
        return fail(of, "type", get(&in, "type"), "a type of fragments");
    if ((i == 0) != (of->fragment == 1))
        return fail(of, "type", get(&in, "type"), "a preamble first, and nowhere else");
    of->depth = 0;
    of->clock = 0;
    return types[i].take(of, &in);
}

/* Takes the fragments one after the other; what stands before the first separator is one as well.
 */
static ocelotl_status take_fragments(parser *of, const char *next, const char *end)
{
    while (next < end) {
        oc_json_item item;
        next += *next == SEPARATOR;
        const char *behind = memchr(next, SEPARATOR, (size_t)(end - next));
        behind = behind != NULL ? behind : end;
        oc_json_cursor at = {next, behind, NULL};
        oc_json_skip_blanks(&at);
        next = behind;
        if (at.next >= behind)
            continue;
        of->fragment++;
        const oc_json_scan scan = oc_json_scan_value(&item, &at);
        if (scan == OC_JSON_CUT || at.next > behind)
            return ctf_fail_at(of->into, of->fragment,
                               "ends before it is whole, expected all of it");
        if (scan == OC_JSON_FOUND)
            oc_json_skip_blanks(&at);
        if (scan == OC_JSON_FOUND && at.next < behind)
            at.expected = "its end";
        if (scan == OC_JSON_BROKEN || at.next < behind)
            return ctf_fail_at(of->into, of->fragment, "\"%.*s\", expected %s",
                               behind - at.next < SHOWN ? (int)(behind - at.next) : SHOWN, at.next,
                               at.expected);
        OC_TRY(take_fragment(of, &item));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_parse_fragments(ctf_description *into, oc_text *text)
{
    static const char margin[OC_JSON_MARGIN];
    parser of = {.into = into};
    const size_t length = text->length;
    oc_text_append(text, margin, sizeof margin);
    if (text->failed)
        return oc_fail_memory();
    into->place = &of.fragment;
    const ocelotl_status status = take_fragments(&of, text->bytes, text->bytes + length);
    into->place = NULL;
    free(of.aliases);
    oc_map_free(&of.alias_of);
    oc_text_free(&of.word);
    oc_text_free(&of.path);
    return status;
}
