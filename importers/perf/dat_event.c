/* Events of the kernel as a trace.dat has them: what their fields are, and what a record says. */
#define _GNU_SOURCE
#include "importers/perf/dat.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Fields of an event, names of a field, bytes of what a record says: more are not kept. */
enum { MOST_FIELDS = 128, MOST_NAMES = 512, LONGEST = 4096 };

uint64_t dat_number(dat_bytes *bytes, size_t size)
{
    uint64_t number = 0;
    if (bytes->failed || (size_t)(bytes->end - bytes->at) < size) {
        bytes->failed = true;
        return 0;
    }
    if (bytes->is_big)
        for (size_t i = 0; i < size; i++)
            number = number << 8 | bytes->at[i];
    else if (size == 4)
        number = bytes->at[0] | (uint32_t)bytes->at[1] << 8 | (uint32_t)bytes->at[2] << 16 |
                 (uint32_t)bytes->at[3] << 24;
    else
        for (size_t i = size; i > 0; i--)
            number = number << 8 | bytes->at[i - 1];
    bytes->at += size;
    return number;
}

dat_bytes dat_cut(dat_bytes *bytes, uint64_t size)
{
    dat_bytes cut = *bytes;
    if (bytes->failed || (uint64_t)(bytes->end - bytes->at) < size) {
        bytes->failed = cut.failed = true;
        cut.end = cut.at;
        return cut;
    }
    bytes->at += size;
    cut.end = bytes->at;
    return cut;
}

perf_text dat_string(dat_bytes *bytes)
{
    const unsigned char *end =
        bytes->at < bytes->end ? memchr(bytes->at, '\0', (size_t)(bytes->end - bytes->at)) : NULL;
    const perf_text text = {(const char *)bytes->at, end != NULL ? (size_t)(end - bytes->at) : 0};
    bytes->failed = bytes->failed || end == NULL;
    bytes->at = end != NULL ? end + 1 : bytes->end;
    return text;
}

/* --- Names */

static int compare_names(const void *left, const void *right)
{
    const uint64_t one = ((const dat_name *)left)->number;
    const uint64_t other = ((const dat_name *)right)->number;
    return (one > other) - (one < other);
}

static void sort_names(dat_names *names)
{
    size_t sorted = 1;
    while (sorted < names->count && names->names[sorted - 1].number <= names->names[sorted].number)
        sorted++;
    if (sorted < names->count)
        qsort(names->names, names->count, sizeof *names->names, compare_names);
}

static ocelotl_status add_name(dat_names *names, dat_format *format, uint64_t number,
                               perf_text name)
{
    OC_TRY(oc_arena_grow(&names->names, &names->capacity, &format->arena, names->count + 1,
                         sizeof *names->names));
    names->names[names->count++] = (dat_name){number, name};
    return OCELOTL_OK;
}

perf_text dat_find(const dat_names *names, uint64_t number, bool or_below)
{
    size_t low = 0, high = names->count; /* the first one above it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (names->names[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && (or_below || names->names[low - 1].number == number)
               ? names->names[low - 1].name
               : (perf_text){"", 0};
}

static perf_text next_line(dat_bytes *text)
{
    const unsigned char *begin = text->at;
    const unsigned char *end =
        begin < text->end ? memchr(begin, '\n', (size_t)(text->end - begin)) : NULL;
    text->at = end != NULL ? end + 1 : text->end;
    return (perf_text){(const char *)begin, (size_t)((end != NULL ? end : text->end) - begin)};
}

/* Reads a number of base 10 or 16 from the begin of a text, and gives how long it is. */
static size_t read_digits(uint64_t *number, perf_text text, unsigned base)
{
    size_t length = 0;
    *number = 0;
    for (; length < text.length && length < 20; length++) {
        const char byte = text.bytes[length];
        const unsigned digit = byte >= '0' && byte <= '9'   ? (unsigned)(byte - '0')
                               : byte >= 'a' && byte <= 'f' ? (unsigned)(byte - 'a' + 10)
                               : byte >= 'A' && byte <= 'F' ? (unsigned)(byte - 'A' + 10)
                                                            : 16;
        if (digit >= base)
            break;
        *number = *number * base + digit;
    }
    return length;
}

static perf_text behind(perf_text text, size_t length)
{
    length = length < text.length ? length : text.length;
    return (perf_text){text.bytes + length, text.length - length};
}

/* "0x12", "12" */
static size_t read_number(uint64_t *number, perf_text text)
{
    const bool is_hex = text.length > 2 && memcmp(text.bytes, "0x", 2) == 0;
    return is_hex ? 2 + read_digits(number, behind(text, 2), 16) : read_digits(number, text, 10);
}

static perf_text word_of(perf_text *rest)
{
    const char *end = rest->bytes + rest->length;
    const perf_text word = perf_word_read(rest->bytes, end);
    *rest = (perf_text){word.bytes + word.length, (size_t)(end - word.bytes) - word.length};
    return word;
}

/* "ffffffff81000000 T schedule\t[module]" */
ocelotl_status dat_add_functions(dat_format *format, dat_bytes text)
{
    while (text.at < text.end) {
        uint64_t address;
        perf_text line = next_line(&text);
        const size_t digits = read_digits(&address, line, 16);
        line = behind(line, digits);
        (void)word_of(&line);
        const perf_text name = word_of(&line);
        if (digits > 0 && name.length > 0)
            OC_TRY(add_name(&format->functions, format, address, name));
    }
    sort_names(&format->functions);
    return OCELOTL_OK;
}

/* "0xffffffff81a00000 : \"text\\n\"" */
ocelotl_status dat_add_texts(dat_format *format, dat_bytes text)
{
    static const char escapes[] = "n\nt\tr\r";
    while (text.at < text.end) {
        uint64_t place;
        const perf_text line = next_line(&text);
        const size_t digits = read_number(&place, line);
        const char *end = memrchr(line.bytes, '"', line.length);
        const char *begin = memchr(line.bytes, '"', line.length);
        if (digits == 0 || begin == end)
            continue;
        char *copy;
        size_t length = 0;
        OC_TRY(oc_arena_allocate(&copy, &format->arena, (size_t)(end - begin), 1));
        for (const char *at = begin + 1; at < end; at++) {
            const bool is_escaped = *at == '\\' && at + 1 < end;
            at += is_escaped;
            copy[length] = *at;
            for (const char *escape = escapes; is_escaped && *escape != '\0'; escape += 2)
                if (*escape == *at)
                    copy[length] = escape[1];
            length++;
        }
        OC_TRY(add_name(&format->texts, format, place, (perf_text){copy, length}));
    }
    sort_names(&format->texts);
    return OCELOTL_OK;
}

/* "1977 bash" */
ocelotl_status dat_add_commands(dat_format *format, dat_bytes text)
{
    while (text.at < text.end) {
        uint64_t thread;
        const perf_text line = next_line(&text);
        const size_t digits = read_digits(&thread, line, 10);
        const perf_text name = behind(line, digits + 1);
        if (digits > 0 && name.length > 0)
            OC_TRY(add_name(&format->commands, format, thread, name));
    }
    sort_names(&format->commands);
    return OCELOTL_OK;
}

/* --- Formats of events */

static bool has(perf_text text, const char *part)
{
    return memmem(text.bytes, text.length, part, strlen(part)) != NULL;
}

/* The value of "offset:8;" in a line. */
static uint64_t read_part(perf_text line, const char *key)
{
    uint64_t number = 0;
    const char *at = memmem(line.bytes, line.length, key, strlen(key));
    if (at != NULL) {
        at += strlen(key);
        (void)read_digits(&number, (perf_text){at, (size_t)(line.bytes + line.length - at)}, 10);
    }
    return number;
}

/* What one number of a type takes. */
static uint32_t size_of(perf_text type, uint32_t word)
{
    static const struct {
        const char *name;
        uint32_t size;
    } sizes[] = {{"64", 8}, {"long long", 8}, {"long", 0},  {"*", 0},    {"32", 4},
                 {"16", 2}, {"short", 2},     {"char", 1},  {"bool", 1}, {"u8", 1},
                 {"s8", 1}, {"int8", 1},      {"size_t", 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (has(type, sizes[i].name))
            return sizes[i].size > 0 ? sizes[i].size : word;
    return 4;
}

/* "field:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;" */
static bool read_field(dat_field *field, const dat_format *format, perf_text line)
{
    const char *begin = memmem(line.bytes, line.length, "field:", 6);
    const char *end = memchr(line.bytes, ';', line.length);
    const uint64_t offset = read_part(line, "offset:"), size = read_part(line, "size:");
    if (begin == NULL || end == NULL || end < begin + 6 || offset > UINT16_MAX || size > UINT16_MAX)
        return false;
    perf_text type = perf_text_between(begin + 6, end);
    *field = (dat_field){.offset = (uint32_t)offset,
                         .size = (uint32_t)size,
                         .is_signed = read_part(line, "signed:") == 1,
                         .is_far = has(type, "__data_loc") || has(type, "__rel_loc"),
                         .is_relative = has(type, "__rel_loc")};
    const char *bracket = memchr(type.bytes, '[', type.length);
    field->is_array = bracket != NULL || size == 0;
    size_t length = type.length;
    if (bracket != NULL && !field->is_far)
        length = (size_t)(bracket - type.bytes);
    size_t before = length;
    while (before > 0 && strchr(" *]", type.bytes[before - 1]) == NULL)
        before--;
    field->name = (perf_text){type.bytes + before, length - before};
    type.length = before;
    field->element = size_of(type, format->word);
    if (field->is_array && has(type, "char") && !has(type, "unsigned"))
        field->form = DAT_TEXT;
    else if (!field->is_array && has(type, "*"))
        field->form = DAT_ADDRESS;
    if (!field->is_array && !field->is_far) {
        field->is_array = size != 1 && size != 2 && size != 4 && size != 8;
        field->element = field->is_array ? 1 : field->size;
    }
    return field->name.length > 0;
}

void dat_read_page(uint32_t *data, uint32_t *commit, dat_bytes text)
{
    const dat_format format = {.word = 8};
    dat_field field;
    while (text.at < text.end) {
        if (!read_field(&field, &format, next_line(&text)))
            continue;
        if (perf_text_is(field.name, "commit"))
            *commit = field.size == 4 ? 4 : 8;
        else if (perf_text_is(field.name, "data"))
            *data = field.offset;
    }
}

/* Names that a way of printing gives to numbers of a field: "__print_flags(REC->prev_state & 255,
 * "|", { 1, "S" }, { 2, "D" })", "__print_symbolic(REC->vec, { 0, "HI" })". */
static ocelotl_status read_names(dat_event *event, dat_format *format, perf_text print)
{
    static const char call[] = "__print_", record[] = "REC->";
    const char *end = print.bytes + print.length;
    const char *next = memmem(print.bytes, print.length, call, sizeof call - 1);
    while (next != NULL) {
        const char *at = next + sizeof call - 1;
        next = memmem(at, (size_t)(end - at), call, sizeof call - 1);
        const char *limit = next != NULL ? next : end;
        const bool has_flags = limit - at > 6 && memcmp(at, "flags(", 6) == 0;
        const char *name = memmem(at, (size_t)(limit - at), record, sizeof record - 1);
        if (name == NULL || (!has_flags && (limit - at < 9 || memcmp(at, "symbolic(", 9) != 0)))
            continue;
        name += sizeof record - 1;
        dat_field *field = NULL;
        for (size_t i = 0; i < event->count; i++) {
            const perf_text known = event->fields[i].name;
            const size_t length = known.length;
            if ((size_t)(limit - name) > length && memcmp(name, known.bytes, length) == 0 &&
                strchr(" &|,)]", name[length]) != NULL && event->fields[i].names.count == 0)
                field = &event->fields[i];
        }
        while (field != NULL && field->names.count < MOST_NAMES &&
               (at = memchr(at, '{', (size_t)(limit - at))) != NULL) {
            uint64_t number;
            perf_text pair = perf_text_between(++at, limit);
            const size_t digits = read_number(&number, pair);
            const char *quote = memchr(pair.bytes, '"', pair.length);
            const char *close =
                quote != NULL ? memchr(quote + 1, '"', (size_t)(limit - quote - 1)) : NULL;
            size_t past = digits; /* an expression is no number */
            while (past < pair.length && strchr("uUlL ", pair.bytes[past]) != NULL)
                past++;
            if (digits == 0 || close == NULL || past == pair.length || pair.bytes[past] != ',')
                break;
            OC_TRY(add_name(&field->names, format, number,
                            (perf_text){quote + 1, (size_t)(close - quote - 1)}));
            at = close;
        }
        if (field != NULL) {
            field->has_flags = has_flags;
            sort_names(&field->names);
        }
    }
    return OCELOTL_OK;
}

static dat_role role_of(perf_text name)
{
    static const char *const names[] = {"", "function", "print", "bprint", "bputs"};
    for (int i = DAT_FUNCTION; i <= DAT_BPUTS; i++)
        if (perf_text_is(name, names[i]))
            return (dat_role)i;
    return DAT_EVENT;
}

ocelotl_status dat_add_event(dat_format *format, dat_bytes text)
{
    dat_event event = {.name = {"", 0}};
    uint64_t number = UINT64_MAX;
    dat_field field;
    while (text.at < text.end) {
        const perf_text line = next_line(&text);
        if (line.length > 6 && memcmp(line.bytes, "name: ", 6) == 0)
            event.name = behind(line, 6);
        else if (line.length > 4 && memcmp(line.bytes, "ID: ", 4) == 0)
            (void)read_digits(&number, behind(line, 4), 10);
        else if (line.length > 11 && memcmp(line.bytes, "print fmt: ", 11) == 0)
            OC_TRY(read_names(&event, format, line));
        else if (event.count < MOST_FIELDS && read_field(&field, format, line)) {
            if (perf_text_is(field.name, "common_type"))
                format->type = field;
            else if (perf_text_is(field.name, "common_flags"))
                format->flags = field;
            else if (perf_text_is(field.name, "common_pid"))
                format->thread = field;
            if (field.name.length > 7 && memcmp(field.name.bytes, "common_", 7) == 0)
                continue;
            OC_TRY(oc_arena_grow(&event.fields, &event.capacity, &format->arena, event.count + 1,
                                 sizeof *event.fields));
            event.fields[event.count++] = field;
        }
    }
    event.role = role_of(event.name);
    if (number > UINT16_MAX)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&format->events, &format->event_capacity, &format->arena, number + 1,
                         sizeof event));
    while (format->event_count <= number)
        format->events[format->event_count++] = (dat_event){.count = 0};
    format->events[number] = event;
    return OCELOTL_OK;
}

/* --- What a record says */

static void add_text(oc_text *text, perf_text added)
{
    oc_text_append(text, added.bytes, added.length);
}

/* Appends a number, at least `width` wide. */
static void add_number(oc_text *text, uint64_t number, bool is_negative, unsigned base, int width,
                       char fill)
{
    char digits[96];
    char *at = digits + sizeof digits;
    const char *end = at;
    width = width < 64 ? width : 64;
    number = is_negative ? -number : number;
    do
        *--at = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    while (fill == '0' && end - at + is_negative < width)
        *--at = '0';
    if (is_negative)
        *--at = '-';
    while (fill == ' ' && end - at < width)
        *--at = ' ';
    oc_text_append(text, at, (size_t)(end - at));
}

static uint64_t extend(uint64_t number, size_t size)
{
    const unsigned unused = size > 0 && size < 8 ? (unsigned)(64 - 8 * size) : 0;
    return (uint64_t)((int64_t)(number << unused) >> unused);
}

/* The bytes of a field; fewer where the record is too short. */
static dat_bytes bytes_of(const dat_field *field, dat_bytes record)
{
    const size_t length = (size_t)(record.end - record.at);
    uint64_t offset = field->offset, size = field->size > 0 ? field->size : length;
    if (field->is_far) {
        dat_bytes place = record;
        (void)dat_cut(&place, offset);
        const uint64_t said = dat_number(&place, 4);
        offset = (said & 0xFFFF) + (field->is_relative ? offset + 4 : 0);
        size = place.failed ? 0 : said >> 16;
    }
    offset = offset < length ? offset : length;
    size = size < length - offset ? size : length - offset;
    record.at += offset;
    record.end = record.at + size;
    return record;
}

uint64_t dat_field_number(const dat_field *field, dat_bytes record)
{
    dat_bytes bytes = bytes_of(field, record);
    const size_t size = field->size <= 8 ? field->size : 8;
    const uint64_t number = dat_number(&bytes, size);
    return field->is_signed && size > 0 ? extend(number, size) : number;
}

static perf_text text_of(dat_bytes bytes)
{
    const size_t length = (size_t)(bytes.end - bytes.at);
    return (perf_text){(const char *)bytes.at, strnlen((const char *)bytes.at, length)};
}

static void add_function(oc_text *text, const dat_format *format, uint64_t address)
{
    const perf_text name = dat_find(&format->functions, address, true);
    if (name.length > 0)
        add_text(text, name);
    else
        add_number(text, address, false, 16, 0, ' ');
}

/* A number by its name, or by those of its bits; what the scheduler left a thread in is "R" where
 * no bit is known. */
static bool add_named(oc_text *text, const dat_field *field, uint64_t number)
{
    const dat_names *names = &field->names;
    const size_t before = text->length;
    const perf_text name = dat_find(names, number, false);
    if (!field->has_flags || name.length > 0)
        add_text(text, name);
    for (size_t i = 0; field->has_flags && name.length == 0 && i < names->count; i++)
        if (names->names[i].number != 0 &&
            (number & names->names[i].number) == names->names[i].number) {
            oc_text_append(text, "|", text->length > before);
            add_text(text, names->names[i].name);
        }
    if (text->length == before && field->has_flags && perf_text_is(field->name, "prev_state"))
        oc_text_add(text, number == 0 ? "R" : "R+");
    return text->length > before;
}

static void add_value(oc_text *text, const dat_field *field, dat_bytes record)
{
    dat_bytes bytes = bytes_of(field, record);
    if (field->form == DAT_TEXT) {
        add_text(text, text_of(bytes));
        return;
    }
    oc_text_append(text, "{", field->is_array);
    for (bool is_first = true; (size_t)(bytes.end - bytes.at) >= field->element; is_first = false) {
        uint64_t number = dat_number(&bytes, field->element);
        number = field->is_signed ? extend(number, field->element) : number;
        oc_text_append(text, ",", !is_first);
        if (field->names.count > 0 && add_named(text, field, number))
            continue;
        oc_text_append(text, "0x", field->form == DAT_ADDRESS ? 2 : 0);
        add_number(text, number, field->is_signed && (int64_t)number < 0,
                   field->form == DAT_ADDRESS ? 16 : 10, 0, ' ');
        if (text->length > LONGEST || !field->is_array)
            break;
    }
    oc_text_append(text, "}", field->is_array);
}

/* An argument of a text that the kernel printed, as it packs them. */
static uint64_t next_argument(dat_bytes *arguments, const unsigned char *base, size_t size)
{
    const size_t step = size >= 4 ? 4 : size == 2 ? 2 : 1;
    const size_t behind_last = (size_t)(arguments->at - base) % step;
    if (behind_last > 0)
        (void)dat_cut(arguments, step - behind_last);
    return dat_number(arguments, size);
}

/* Appends a text with its arguments, as the kernel's printf does. */
static void add_printed(oc_text *text, const dat_format *format, perf_text print,
                        dat_bytes arguments)
{
    const unsigned char *base = arguments.at;
    const char *at = print.bytes, *end = at + print.length;
    while (at < end && text->length < LONGEST) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        const size_t plain = (size_t)((percent != NULL ? percent : end) - at);
        oc_text_append(text, at, plain < LONGEST ? plain : LONGEST);
        if (percent == NULL)
            return;
        bool is_left = false;
        size_t size = 4, longs = 0;
        uint64_t width = 0, precision = UINT64_MAX;
        char fill = ' ';
        for (at = percent + 1; at < end && strchr("-+ #0", *at) != NULL; at++) {
            if (*at == '0')
                fill = '0';
            is_left = is_left || *at == '-';
        }
        for (int part = 0; part < 2 && at < end; part++) {
            uint64_t *number = part == 0 ? &width : &precision;
            if (part == 1 && *at++ != '.') {
                at--;
                break;
            }
            if (at < end && *at == '*') {
                *number = next_argument(&arguments, base, 4);
                at++;
            } else
                at += read_digits(number, (perf_text){at, (size_t)(end - at)}, 10);
        }
        for (; at < end && strchr("hlLqjzt", *at) != NULL; at++) {
            longs += *at == 'l';
            size = *at == 'h'                              ? size / 2
                   : longs == 1                            ? format->word
                   : longs > 1 || *at == 'L' || *at == 'q' ? 8
                                                           : format->word;
        }
        size = size > 0 ? size : 1;
        char kind = '%';
        if (at < end)
            kind = *at++;
        const int wide = is_left ? 0 : width < 64 ? (int)width : 64;
        if (kind == '%') {
            oc_text_add(text, "%");
            continue;
        }
        const bool is_function = at < end && strchr("SsFfB", *at) != NULL;
        if (kind == 's' || (kind == 'p' && at < end && !is_function && strchr("xKe", *at) == NULL &&
                            ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')))) {
            perf_text string = dat_string(&arguments);
            string.length = string.length < precision ? string.length : (size_t)precision;
            for (size_t i = string.length; i < (size_t)wide; i++)
                oc_text_add(text, " ");
            add_text(text, string);
        } else if (kind == 'p') {
            const uint64_t address = next_argument(&arguments, base, format->word);
            if (is_function)
                add_function(text, format, address);
            else
                add_number(text, address, false, 16, (int)(2 * format->word), '0');
        } else {
            const bool is_signed = kind == 'd' || kind == 'i';
            uint64_t number = next_argument(&arguments, base, kind == 'c' ? 1 : size);
            number = is_signed ? extend(number, size) : number;
            if (kind == 'c')
                oc_text_append(text, (const char[]){(char)number}, number != 0);
            else
                add_number(text, number, is_signed && (int64_t)number < 0,
                           kind == 'x' || kind == 'X' ? 16
                           : kind == 'o'              ? 8
                                                      : 10,
                           wide, fill);
        }
        while (kind == 'p' && at < end &&
               ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')))
            at++;
        if (arguments.failed)
            return;
    }
}

/* The functions and the texts of the kernel's own events: ip, and a caller, a text or its place. */
static void describe_own(oc_text *text, const dat_format *format, const dat_event *event,
                         dat_bytes record)
{
    const uint64_t first = dat_field_number(&event->fields[0], record);
    const uint64_t second = dat_field_number(&event->fields[1], record);
    add_function(text, format, first);
    oc_text_add(text, event->role == DAT_FUNCTION ? " <-" : ": ");
    if (event->role == DAT_FUNCTION)
        add_function(text, format, second);
    else if (event->role == DAT_PRINT)
        add_text(text, text_of(bytes_of(&event->fields[1], record)));
    else if (event->role == DAT_BPUTS)
        add_text(text, dat_find(&format->texts, second, false));
    else if (event->count > 2)
        add_printed(text, format, dat_find(&format->texts, second, false),
                    bytes_of(&event->fields[2], record));
    while (text->length > 0 && text->bytes[text->length - 1] == '\n')
        text->bytes[--text->length] = '\0';
}

void dat_describe(oc_text *text, const dat_format *format, const dat_event *event, dat_bytes record)
{
    if (event->role != DAT_EVENT && event->count > 1) {
        describe_own(text, format, event, record);
        return;
    }
    for (size_t i = 0; i < event->count && text->length < LONGEST; i++) {
        oc_text_append(text, " ", i > 0);
        add_text(text, event->fields[i].name);
        oc_text_add(text, "=");
        add_value(text, &event->fields[i], record);
    }
}
