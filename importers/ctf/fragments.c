/* The metadata of CTF 2: fragments of JSON, each behind a record separator (RFC 7464). What release
 * candidates of the specification called otherwise, and tracers wrote, is read as well. A failure
 * stays in the description. */
#include "importers/ctf/description.h"

#include "base/format/json_scan.h"

#include <inttypes.h>
#include <string.h>

enum { SEPARATOR = 0x1E, SHOWN = 40, MOST_BITS = 64, UUID = 16, MOST_MEMBERS = 32 };

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

static bool is_fine(const parser *of)
{
    return of->into->status == OCELOTL_OK;
}

static void fail(parser *of, const char *what, const oc_json_item *item, const char *expected)
{
    const char *quote = item->kind == '"' ? "\"" : "";
    if (item->bytes == NULL)
        ctf_fail_at(of->into, of->fragment, "no \"%s\", expected %s", what, expected);
    else
        ctf_fail_at(of->into, of->fragment, "\"%s\" is %s%.*s%s, expected %s", what, quote,
                    item->length < SHOWN ? (int)item->length : SHOWN, item->bytes, quote, expected);
}

/* Reads an object of few members; names of integers and bits are walked through instead. */
static object read_object(parser *of, const oc_json_item *item)
{
    object into = {.count = 0};
    oc_json_cursor at = oc_json_inside(item);
    while (oc_json_next(&into.keys[into.count], &into.values[into.count], &at))
        if (++into.count == MOST_MEMBERS) {
            ctf_fail_at(of->into, of->fragment,
                        "an object of %d members and perhaps more, expected fewer", MOST_MEMBERS);
            break;
        }
    return into;
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

static bool has(const object *in, const char *name)
{
    return get(in, name)->bytes != NULL;
}

/* Decodes a string into of->word; what is absent is "". */
static const char *read_text(parser *of, const oc_json_item *item)
{
    oc_text_clear(&of->word);
    oc_text_append(&of->word, "", 0);
    if (item->bytes != NULL)
        oc_json_decode_item(&of->word, item);
    if (of->word.failed && is_fine(of))
        of->into->status = oc_fail_memory();
    return of->word.failed ? "" : of->word.bytes;
}

/* A copy that lives as long as the description. */
static const char *keep_text(parser *of, const oc_json_item *item)
{
    const char *text = read_text(of, item);
    return ctf_keep(of->into, text, of->word.failed ? 0 : of->word.length);
}

/* A cursor in a member that is a list or an object. Where it is absent, or fails as another kind,
 * it is at its end. */
static oc_json_cursor enter(parser *of, const object *in, const char *what, char kind,
                            const char *expected)
{
    static const oc_json_item empty = {"[]", 2, '[', false};
    const oc_json_item *item = get(in, what);
    if (item->bytes != NULL && item->kind != kind)
        fail(of, what, item, expected);
    return oc_json_inside(item->kind == kind ? item : &empty);
}

/* Fails where a member is no string; *needed*, where it is absent. */
static void check_string(parser *of, const object *in, const char *what, bool is_needed,
                         const char *expected)
{
    const oc_json_item *item = get(in, what);
    if (item->bytes == NULL ? is_needed : item->kind != '"')
        fail(of, what, item, expected);
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

/* A number from `least` to `most`; where it is absent `otherwise`, which fails out of these. */
static uint64_t count_of(parser *of, const object *in, const char *what, uint64_t least,
                         uint64_t most, uint64_t otherwise, const char *expected)
{
    integer found = {.amount = otherwise};
    const oc_json_item *item = get(in, what);
    if ((item->bytes != NULL && !read_integer(&found, item)) || found.is_negative ||
        found.amount < least || found.amount > most)
        fail(of, what, item, expected);
    return found.amount;
}

static uint32_t alignment_of(parser *of, const object *in, const char *what)
{
    const uint64_t number = count_of(of, in, what, 1, UINT64_MAX, 1, "a power of two");
    ctf_check_alignment(of->into, number, of->fragment);
    return (uint32_t)number;
}

/* The index of a string among some; fails where it is none of them. */
static size_t word_of(parser *of, const char *what, const oc_json_item *item,
                      const char *const *words, size_t count, const char *expected)
{
    for (size_t i = 0; i < count && item->kind == '"'; i++)
        if (oc_json_is(item, words[i]))
            return i;
    fail(of, what, item, expected);
    return 0;
}

/* --- Ranges of integers: [[0, 3], [7, 7]] */

typedef struct range {
    integer low, high;
} range;

static bool next_range(range *next, parser *of, const char *what, oc_json_cursor *at)
{
    oc_json_item key;
    oc_json_item item;
    oc_json_item bounds[3];
    size_t count = 0;
    if (!is_fine(of) || !oc_json_next(&key, &item, at))
        return false;
    oc_json_cursor inside = oc_json_inside(&item);
    while (item.kind == '[' && count < 3 && oc_json_next(&key, &bounds[count], &inside))
        count++;
    const bool are_integers =
        count == 2 && read_integer(&next->low, &bounds[0]) && read_integer(&next->high, &bounds[1]);
    if (are_integers && next->high.is_negative == next->low.is_negative
            ? (next->high.is_negative ? next->high.amount <= next->low.amount
                                      : next->high.amount >= next->low.amount)
            : are_integers && next->low.is_negative)
        return true;
    fail(of, what, &item, "two integers, from the lower to the higher");
    return false;
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
static void take_labels(ctf_layout *to, parser *of, const object *in, const char *what)
{
    oc_json_item key;
    oc_json_item value;
    oc_json_cursor at = enter(of, in, what, '{', "an object of ranges");
    while (oc_json_next(&key, &value, &at)) {
        range next;
        oc_json_cursor inside = oc_json_inside(&value);
        if (value.kind != '[')
            fail(of, what, &value, "a list of ranges for each name");
        const char *name = read_text(of, &key);
        while (next_range(&next, of, what, &inside)) {
            int64_t low;
            int64_t high;
            if (!clip_range(&low, &high, &next, to->is_signed))
                continue;
            ctf_label *label = ctf_layout_add_label(of->into, to, name, of->word.length);
            label->low = low;
            label->high = high;
        }
    }
}

/* Ranges of a selector that choose an option. */
static void take_choices(ctf_layout *to, parser *of, const object *in, size_t option)
{
    range next;
    oc_json_cursor at = enter(of, in, "selector-field-ranges", '[', "a list of ranges");
    while (next_range(&next, of, "selector-field-ranges", &at)) {
        ctf_choice *choice = ctf_add_one(of->into, &to->choices, &to->choice_count,
                                         &to->choice_capacity, sizeof *choice);
        to->needs_signed |= next.low.is_negative;
        to->needs_unsigned |= !next.high.is_negative && next.high.amount > INT64_MAX;
        if (choice != NULL)
            *choice = (ctf_choice){
                .low = bits_of(next.low), .high = bits_of(next.high), .option = option};
    }
}

/* --- Where a number is that says a length or an option */

/* The path is kept without steps to a structure around: they take steps back, or go further out. */
static void take_location(ctf_layout *to, parser *of, const object *in, const char *what)
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
    size_t steps = 0;
    const oc_json_item *item = get(in, what);
    const oc_json_item *path = item; /* of release candidates: its first step is the origin */
    to->origin = SIZE_MAX;
    if (item->kind == '{') {
        location = read_object(of, item);
        path = get(&location, "path");
    }
    bool is_wrong = path->kind != '[';
    oc_json_cursor at = oc_json_inside(is_wrong ? &(oc_json_item){"[]", 2, '[', false} : path);
    const oc_json_item *origin = get(&location, "origin");
    if (path == item && oc_json_next(&key, &step, &at))
        origin = &step;
    if (origin->bytes != NULL)
        to->origin = word_of(of, "origin", origin, origins, CTF_ROOTS,
                             "a structure of the packet or the event");
    oc_text_clear(&of->path);
    oc_text_append(&of->path, "", 0);
    while (!is_wrong && !of->path.failed && oc_json_next(&key, &step, &at)) {
        if (step.kind == '"') {
            oc_text_add(&of->path, steps++ > 0 ? "/" : "");
            oc_text_add_path_step(&of->path, read_text(of, &step));
        } else if (!oc_json_is(&step, "null") || (steps == 0 && to->origin != SIZE_MAX)) {
            is_wrong = true;
        } else if (steps == 0) {
            to->rise++;
        } else {
            const char *last = strrchr(of->path.bytes, '/');
            of->path.length = last != NULL ? (size_t)(last - of->path.bytes) : 0;
            of->path.bytes[of->path.length] = '\0';
            steps--;
        }
    }
    if ((of->path.failed || of->word.failed) && is_fine(of))
        of->into->status = oc_fail_memory();
    if (is_wrong || steps == 0)
        fail(of, what, item, "the path to a field");
    if (is_fine(of))
        to->reference = ctf_keep(of->into, of->path.bytes, of->path.length);
}

/* --- Field classes */

static ctf_layout *parse_class(parser *of, const object *in, const char *what);

/* What is special of a field class. */
typedef enum shape { PLAIN, BITS, BOOLEAN, BIT_MAP, STATIC, DYNAMIC, OPTIONAL, VARIANT } shape;

typedef struct field_kind {
    const char *name;
    ctf_layout *(*parse)(parser *of, const object *in, const struct field_kind *kind);
    bool is_signed;
    shape shape;
} field_kind;

/* Roles say what a number is, in the structures where they hold. */
static void take_roles(ctf_layout *to, parser *of, const object *in)
{
    enum { TIME = CTF_MEANINGS, NOTHING };
    static const struct {
        const char *name;
        int meaning;
        ctf_root root;
    } roles[] = {
        {"packet-magic-number", CTF_IS_MAGIC, CTF_PACKET_HEADER},
        {"metadata-stream-uuid", CTF_IS_UUID, CTF_PACKET_HEADER},
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
    oc_json_cursor at = enter(of, in, "roles", '[', "a list");
    while (oc_json_next(&key, &role, &at)) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
            if (!oc_json_is(&role, roles[i].name))
                continue;
            is_known = true;
            const int meaning = roles[i].meaning;
            const ctf_kind kind = meaning == (int)CTF_IS_UUID ? CTF_ARRAY : CTF_INTEGER;
            if (roles[i].root != of->root || to->kind != kind || to->is_signed)
                continue;
            const bool begins = meaning == TIME && of->root == CTF_PACKET_CONTEXT;
            if (begins || meaning < CTF_MEANINGS)
                to->meanings |= 1u << (begins ? (int)CTF_IS_BEGIN : meaning);
            if (meaning == TIME && of->clock == 0)
                fail(of, "roles", &role, "a stream with a clock");
            if (meaning == TIME)
                to->clock = of->clock;
        }
        if (!is_known)
            fail(of, "roles", &role, "a role of CTF 2");
    }
}

/* What integers of a fixed and of a variable length share. */
static void parse_number(ctf_layout *to, parser *of, const object *in, const field_kind *kind)
{
    to->is_signed = kind->is_signed;
    to->is_hexadecimal =
        kind->shape != PLAIN || oc_json_is(get(in, "preferred-display-base"), "16");
    if (kind->shape != PLAIN)
        return;
    take_labels(to, of, in, "mappings");
    to->is_enumeration = to->label_count > 0;
    take_roles(to, of, in);
}

static ctf_layout *parse_variable(parser *of, const object *in, const field_kind *kind)
{
    ctf_layout *made = ctf_layout_add(of->into, CTF_INTEGER, 8);
    made->coding = CTF_LEB128;
    parse_number(made, of, in, kind);
    return made;
}

/* Bits that are taken together: most are integers. */
static ctf_layout *parse_bits(parser *of, const object *in, ctf_kind kind, uint64_t size)
{
    static const char *const orders[] = {"little-endian", "big-endian"};
    static const char *const bits[] = {"first-to-last", "last-to-first"};
    ctf_layout *made = ctf_layout_add(of->into, kind, alignment_of(of, in, "alignment"));
    const size_t order = word_of(of, "byte-order", get(in, "byte-order"), orders, 2,
                                 "\"little-endian\" or \"big-endian\"");
    made->size = (uint32_t)size;
    made->order = order == 0 ? CTF_LITTLE : CTF_BIG;
    if (has(in, "bit-order"))
        made->coding = word_of(of, "bit-order", get(in, "bit-order"), bits, 2,
                               "\"first-to-last\" or \"last-to-first\"") == order
                           ? CTF_PLAIN
                           : CTF_REVERSED;
    return made;
}

static ctf_layout *parse_real(parser *of, const object *in, const field_kind *kind)
{
    (void)kind;
    const char *expected = "16, 32 or 64 bits of a floating point number";
    const uint64_t size = count_of(of, in, "length", 1, MOST_BITS, 0, expected);
    if (size != 16 && size != 32 && size != 64)
        fail(of, "length", get(in, "length"), expected);
    return parse_bits(of, in, CTF_REAL, size);
}

static ctf_layout *parse_fixed(parser *of, const object *in, const field_kind *kind)
{
    const uint64_t size = count_of(of, in, "length", 1, MOST_BITS, 0, "1 to 64 bits");
    ctf_layout *made = parse_bits(of, in, CTF_INTEGER, size);
    parse_number(made, of, in, kind);
    made->has_flags = kind->shape == BIT_MAP;
    if (made->has_flags && !has(in, "flags"))
        fail(of, "flags", get(in, "flags"), "an object of ranges");
    if (made->has_flags)
        take_labels(made, of, in, "flags");
    if (kind->shape != BOOLEAN)
        return made;
    made->is_boolean = made->is_enumeration = true;
    (void)ctf_layout_add_label(of->into, made, "false", 5);
    ctf_label *label = ctf_layout_add_label(of->into, made, "true", 4);
    label->low = 1;
    label->high = -1;
    return made;
}

/* What has a length is an array or a sequence here. */
static ctf_layout *parse_length(parser *of, const object *in, const field_kind *kind,
                                uint32_t alignment)
{
    const bool is_static = kind->shape == STATIC;
    ctf_layout *made = ctf_layout_add(of->into, is_static ? CTF_ARRAY : CTF_SEQUENCE, alignment);
    if (!is_static)
        take_location(made, of, in, "length-field-location");
    else if (!has(in, "length"))
        fail(of, "length", get(in, "length"), "a number from 0");
    else
        made->length = count_of(of, in, "length", 0, UINT64_MAX, 0, "a number from 0");
    return made;
}

static ctf_layout *parse_text(parser *of, const object *in, const field_kind *kind)
{
    static const char *const encodings[] = {"utf-8", "utf-16le", "utf-16be", "utf-32le",
                                            "utf-32be"};
    size_t encoding = 0;
    ctf_layout *made = kind->shape == PLAIN ? ctf_layout_add(of->into, CTF_STRING, 8)
                                            : parse_length(of, in, kind, 8);
    if (has(in, "encoding"))
        encoding = word_of(of, "encoding", get(in, "encoding"), encodings, 5,
                           "\"utf-8\", \"utf-16le\", \"utf-16be\", \"utf-32le\" or \"utf-32be\"");
    made->text = (ctf_text)(CTF_UTF8 + encoding);
    return made;
}

static ctf_layout *parse_blob(parser *of, const object *in, const field_kind *kind)
{
    ctf_layout *made = parse_length(of, in, kind, 8);
    made->text = CTF_BYTES;
    take_roles(made, of, in);
    return made;
}

static ctf_layout *parse_array(parser *of, const object *in, const field_kind *kind)
{
    const uint32_t alignment = alignment_of(of, in, "minimum-alignment");
    ctf_layout *made = parse_length(of, in, kind, alignment);
    ctf_layout *element = parse_class(of, in, "element-field-class");
    if (is_fine(of))
        ctf_layout_set_element(of->into, made, element);
    return made;
}

static ctf_layout *parse_structure(parser *of, const object *in, const field_kind *kind)
{
    (void)kind;
    oc_json_item key;
    oc_json_item item;
    const uint32_t alignment = alignment_of(of, in, "minimum-alignment");
    ctf_layout *made = ctf_layout_add(of->into, CTF_STRUCTURE, alignment);
    oc_json_cursor at = enter(of, in, "member-classes", '[', "a list");
    while (is_fine(of) && oc_json_next(&key, &item, &at)) {
        if (item.kind != '{') {
            fail(of, "member-classes", &item, "objects");
            break;
        }
        const object member = read_object(of, &item);
        check_string(of, &member, "name", true, "the name of a member");
        ctf_layout *layout = parse_class(of, &member, "field-class");
        const char *name = read_text(of, get(&member, "name"));
        if (ctf_layout_look_up(of->into, made, SIZE_MAX, name, of->word.length) != SIZE_MAX)
            fail(of, "name", get(&member, "name"), "a name that no other member has");
        ctf_layout_add_field(of->into, made, name, of->word.length, layout);
    }
    return made;
}

/* An option, of what has one or of a variant. */
static void add_option(ctf_layout *to, parser *of, const object *in)
{
    if (!to->is_optional && !has(in, "selector-field-ranges"))
        fail(of, "selector-field-ranges", get(in, "selector-field-ranges"), "a list of ranges");
    take_choices(to, of, in, to->field_count);
    ctf_layout_add_field(of->into, to, "", 0, parse_class(of, in, "field-class"));
}

static ctf_layout *parse_choice(parser *of, const object *in, const field_kind *kind)
{
    oc_json_item key;
    oc_json_item item;
    ctf_layout *made = ctf_layout_add(of->into, CTF_VARIANT, 1);
    take_location(made, of, in, "selector-field-location");
    made->is_optional = kind->shape == OPTIONAL;
    if (made->is_optional) {
        add_option(made, of, in);
        return made;
    }
    oc_json_cursor at = enter(of, in, "options", '[', "a list");
    while (is_fine(of) && oc_json_next(&key, &item, &at)) {
        if (item.kind != '{') {
            fail(of, "options", &item, "objects");
            break;
        }
        const object option = read_object(of, &item);
        add_option(made, of, &option);
    }
    if (made->field_count == 0)
        fail(of, "options", get(in, "options"), "some");
    return made;
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

/* The item of a field class, by itself or by an alias. */
static const oc_json_item *find_class(parser *of, const object *in, const char *what)
{
    const oc_json_item *item = get(in, what);
    if (item->kind == '"') {
        const char *name = read_text(of, item);
        const uint32_t alias = oc_map_get(&of->alias_of, name, of->word.length);
        item = alias != OC_MAP_NONE ? &of->aliases[alias] : item;
    }
    if (item->kind != '{')
        fail(of, what, item, "a field class, or the name of an alias above");
    return item;
}

static ctf_layout *parse_class(parser *of, const object *in, const char *what)
{
    size_t i = 0;
    ctf_layout *made = &of->into->spare.layout;
    const oc_json_item *item = find_class(of, in, what);
    if (of->depth >= CTF_DEEPEST)
        ctf_fail_at(of->into, of->fragment, "field classes of more than %d levels, expected fewer",
                    CTF_DEEPEST);
    if (!is_fine(of))
        return made;
    const object inside = read_object(of, item);
    const oc_json_item *type = get(&inside, "type");
    while (i < sizeof kinds / sizeof kinds[0] && !oc_json_is(type, kinds[i].name))
        i++;
    of->depth++;
    if (i < sizeof kinds / sizeof kinds[0])
        made = kinds[i].parse(of, &inside, &kinds[i]);
    else
        fail(of, "type", type, "a type of field classes");
    of->depth--;
    return made;
}

/* Parses a structure of packets or events; NULL where it is absent. */
static ctf_layout *parse_root(parser *of, const object *in, const char *what, ctf_root root)
{
    of->root = root;
    if (!has(in, what))
        return NULL;
    ctf_layout *made = parse_class(of, in, what);
    if (made->kind != CTF_STRUCTURE)
        fail(of, what, get(in, what), "a structure");
    return made;
}

/* --- Fragments */

/* An extension that is declared may change what anything means. */
static void refuse_extensions(parser *of, const object *in)
{
    oc_json_item space;
    oc_json_item list;
    oc_json_cursor at = enter(of, in, "extensions", '{', "an object");
    while (oc_json_next(&space, &list, &at)) {
        oc_json_item name;
        oc_json_item value;
        oc_json_cursor inside = oc_json_inside(&list);
        if (list.kind == '{' && oc_json_next(&name, &value, &inside))
            ctf_fail_at(of->into, of->fragment,
                        "declares the extension \"%.*s\" of \"%.*s\", expected none: it may "
                        "change how the trace is read",
                        name.length < SHOWN ? (int)name.length : SHOWN, name.bytes,
                        space.length < SHOWN ? (int)space.length : SHOWN, space.bytes);
    }
}

static void take_preamble(parser *of, const object *in)
{
    oc_json_item key;
    oc_json_item byte;
    size_t count = 0;
    if (!oc_json_is(get(in, "version"), "2"))
        fail(of, "version", get(in, "version"), "2");
    refuse_extensions(of, in);
    if (!has(in, "uuid"))
        return;
    oc_text_clear(&of->word);
    oc_json_cursor at = enter(of, in, "uuid", '[', "a list of 16 bytes");
    for (; is_fine(of) && oc_json_next(&key, &byte, &at); count++) {
        integer number;
        if (!read_integer(&number, &byte) || number.is_negative || number.amount > UINT8_MAX)
            fail(of, "uuid", &byte, "bytes");
        oc_text_format(&of->word, "%02x", (unsigned)number.amount);
    }
    if (count != UUID)
        fail(of, "uuid", get(in, "uuid"), "16 bytes");
    if (of->word.failed && is_fine(of))
        of->into->status = oc_fail_memory();
    if (is_fine(of))
        of->into->uuid = ctf_keep(of->into, of->word.bytes, of->word.length);
}

static void take_alias(parser *of, const object *in)
{
    of->root = CTF_ROOTS;
    check_string(of, in, "name", true, "the name of an alias");
    (void)parse_class(of, in, "field-class");
    const oc_json_item item = *find_class(of, in, "field-class");
    const char *name = read_text(of, get(in, "name"));
    if (oc_map_get(&of->alias_of, name, of->word.length) != OC_MAP_NONE)
        fail(of, "name", get(in, "name"), "a name that no other alias has");
    oc_json_item *added =
        ctf_add_one(of->into, &of->aliases, &of->alias_count, &of->alias_capacity, sizeof *added);
    if (added == NULL)
        return;
    *added = item;
    of->into->status =
        oc_map_set(&of->alias_of, name, of->word.length, (uint32_t)of->alias_count - 1);
}

/* A trace is known by the UUID of its metadata, else by the name that it has itself. */
static void take_trace(parser *of, const object *in)
{
    oc_json_item key;
    oc_json_item value;
    ctf_description *into = of->into;
    if (of->has_trace || into->stream_count > 0)
        fail(of, "type", get(in, "type"), "one of these, before all streams");
    of->has_trace = true;
    oc_json_cursor at = enter(of, in, "environment", '{', "an object");
    while (is_fine(of) && oc_json_next(&key, &value, &at)) {
        integer number = {0};
        if (value.kind != '"' && !read_integer(&number, &value))
            fail(of, "environment", &value, "integers and strings");
        ctf_entry *entry = ctf_add_entry(into, read_text(of, &key));
        entry->number = bits_of(number);
        entry->text = value.kind == '"' ? keep_text(of, &value) : NULL;
    }
    check_string(of, in, "uid", false, "a string");
    if (has(in, "uid") && into->uuid == NULL) {
        static const char *const parts[] = {"namespace", "name", "uid"};
        oc_text_clear(&of->word);
        for (size_t i = 0; i < 3; i++) {
            if (has(in, parts[i]))
                oc_json_decode_item(&of->word, get(in, parts[i]));
            oc_text_append(&of->word, "\n", 1);
        }
        if (of->word.failed && is_fine(of))
            into->status = oc_fail_memory();
        else
            into->uuid = ctf_keep(into, of->word.bytes, of->word.length);
    }
    into->packet_header = parse_root(of, in, "packet-header-field-class", CTF_PACKET_HEADER);
}

static void take_clock(parser *of, const object *in)
{
    object offset = {.count = 0};
    integer seconds = {0};
    const char *id = has(in, "id") ? "id" : "name"; /* of release candidates */
    check_string(of, in, id, true, "the name of a clock");
    const char *name = read_text(of, get(in, id));
    if (oc_map_get(&of->into->clock_of, name, of->word.length) != OC_MAP_NONE)
        fail(of, id, get(in, id), "a name that no other clock has");
    const uint32_t number = ctf_find_clock(of->into, name, of->word.length);
    const uint64_t frequency =
        count_of(of, in, "frequency", 1, UINT64_MAX, 0, "a number of Hz from 1");
    if (get(in, "offset-from-origin")->kind == '{')
        offset = read_object(of, get(in, "offset-from-origin"));
    else if (has(in, "offset-from-origin"))
        fail(of, "offset-from-origin", get(in, "offset-from-origin"), "an object");
    if (has(&offset, "seconds") && !read_integer(&seconds, get(&offset, "seconds")))
        fail(of, "seconds", get(&offset, "seconds"), "an integer");
    if (!seconds.is_negative && seconds.amount > INT64_MAX)
        fail(of, "seconds", get(&offset, "seconds"), "less");
    const uint64_t cycles = count_of(of, &offset, "cycles", 0, INT64_MAX, 0, "a number from 0");
    if (!is_fine(of))
        return;
    ctf_clock *clock = &of->into->clocks[number - 1];
    clock->frequency = frequency;
    clock->offset_seconds = bits_of(seconds);
    clock->offset_cycles = (int64_t)cycles;
    clock->is_absolute = oc_json_is(get(in, "origin"), "unix-epoch");
    clock->is_apart = get(in, "origin")->kind == '{';
}

static void take_stream(parser *of, const object *in)
{
    const char *what = has(in, "default-clock-class-id")
                           ? "default-clock-class-id"
                           : "default-clock-class-name"; /* of release candidates */
    ctf_stream_class *stream = ctf_add_stream(of->into);
    stream->id = count_of(of, in, "id", 0, UINT64_MAX, 0, "a number from 0");
    if (has(in, what)) {
        const char *name = read_text(of, get(in, what));
        const uint32_t clock = oc_map_get(&of->into->clock_of, name, of->word.length);
        if (clock == OC_MAP_NONE || get(in, what)->kind != '"')
            fail(of, what, get(in, what), "the clock of a fragment above");
        of->clock = stream->clock = clock + 1;
    }
    stream->packet_context = parse_root(of, in, "packet-context-field-class", CTF_PACKET_CONTEXT);
    stream->event_header = parse_root(of, in, "event-record-header-field-class", CTF_EVENT_HEADER);
    stream->event_context =
        parse_root(of, in, "event-record-common-context-field-class", CTF_EVENT_COMMON);
}

static void take_event(parser *of, const object *in)
{
    ctf_event_class *event = ctf_add_event_class(of->into);
    event->id = count_of(of, in, "id", 0, UINT64_MAX, 0, "a number from 0");
    event->stream_id =
        count_of(of, in, "data-stream-class-id", 0, UINT64_MAX, 0, "a number from 0");
    check_string(of, in, "name", false, "a string");
    event->name = has(in, "name") ? keep_text(of, get(in, "name")) : NULL;
    event->context = parse_root(of, in, "specific-context-field-class", CTF_EVENT_SPECIFIC);
    event->payload = parse_root(of, in, "payload-field-class", CTF_EVENT_PAYLOAD);
}

static void take_fragment(parser *of, const oc_json_item *item)
{
    static const struct {
        const char *name;
        void (*take)(parser *of, const object *in);
    } types[] = {
        {"preamble", take_preamble},        {"field-class-alias", take_alias},
        {"trace-class", take_trace},        {"clock-class", take_clock},
        {"data-stream-class", take_stream}, {"event-record-class", take_event},
    };
    size_t i = 0;
    if (item->kind != '{') {
        ctf_fail_at(of->into, of->fragment, "is no object, expected one");
        return;
    }
    const object in = read_object(of, item);
    while (i < sizeof types / sizeof types[0] && !oc_json_is(get(&in, "type"), types[i].name))
        i++;
    if (i == sizeof types / sizeof types[0])
        fail(of, "type", get(&in, "type"), "a type of fragments");
    else if ((i == 0) != (of->fragment == 1))
        fail(of, "type", get(&in, "type"), "a preamble first, and nowhere else");
    of->clock = 0;
    if (is_fine(of))
        types[i].take(of, &in);
}

/* What stands before the first separator is a fragment as well. */
void ctf_parse_fragments(ctf_description *into, oc_text *text)
{
    static const char margin[OC_JSON_MARGIN];
    parser of = {.into = into};
    const size_t length = text->length;
    oc_text_append(text, margin, sizeof margin);
    if (text->failed)
        into->status = oc_fail_memory();
    into->place = &of.fragment;
    const char *end = text->failed ? NULL : text->bytes + length;
    for (const char *next = text->failed ? NULL : text->bytes; next < end && is_fine(&of);) {
        oc_json_item item;
        next += *next == SEPARATOR;
        const char *behind = memchr(next, SEPARATOR, (size_t)(end - next));
        behind = behind != NULL ? behind : end;
        oc_json_cursor at = {next, behind, NULL};
        oc_json_skip_blanks(&at);
        next = behind;
        if (at.next >= behind)
            continue;
        of.fragment++;
        const oc_json_scan scan = oc_json_scan_value(&item, &at);
        if (scan == OC_JSON_FOUND)
            oc_json_skip_blanks(&at);
        if (scan == OC_JSON_CUT || at.next > behind)
            ctf_fail_at(into, of.fragment, "ends before it is whole, expected all of it");
        else if (at.next < behind)
            ctf_fail_at(into, of.fragment, "\"%.*s\", expected %s",
                        behind - at.next < SHOWN ? (int)(behind - at.next) : SHOWN, at.next,
                        scan == OC_JSON_BROKEN ? at.expected : "its end");
        else
            take_fragment(&of, &item);
    }
    into->place = NULL;
    oc_map_free(&of.alias_of);
    oc_text_free(&of.word);
    oc_text_free(&of.path);
}
