#include "importers/ctf/fields.h"

#include "base/plain.h"

#include <string.h>

/* Deeper fields are left out: the library reads any depth. */
enum { DEEPEST = 32, DIGITS = 24 };

bool ctf_field_number(int64_t *number, const bt_field *field)
{
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        *number = (int64_t)bt_field_integer_unsigned_get_value(field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        *number = bt_field_integer_signed_get_value(field);
    else
        return false;
    return true;
}

const char *ctf_field_string(const bt_field *field)
{
    return bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRING
               ? bt_field_string_get_value(field)
               : NULL;
}

/* Most numbers are in digits: a constant base is quicker. */
void ctf_field_add_unsigned(oc_text *text, uint64_t number)
{
    char digits[DIGITS];
    size_t place = sizeof digits;
    do {
        digits[--place] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    oc_text_append(text, digits + place, sizeof digits - place);
}

void ctf_field_add_signed(oc_text *text, int64_t number)
{
    if (number < 0)
        oc_text_append(text, "-", 1);
    ctf_field_add_unsigned(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static bool is_hexadecimal(const bt_field *field)
{
    return bt_field_class_integer_get_preferred_display_base(bt_field_borrow_class_const(field)) ==
           BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
}

static void add_hexadecimal(oc_text *text, uint64_t number)
{
    char digits[DIGITS];
    size_t place = sizeof digits;
    do {
        digits[--place] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0);
    digits[--place] = 'x';
    digits[--place] = '0';
    oc_text_append(text, digits + place, sizeof digits - place);
}

static void add_unsigned(oc_text *text, const bt_field *field)
{
    const uint64_t number = bt_field_integer_unsigned_get_value(field);
    if (is_hexadecimal(field))
        add_hexadecimal(text, number);
    else
        ctf_field_add_unsigned(text, number);
}

static void add_signed(oc_text *text, const bt_field *field)
{
    const int64_t number = bt_field_integer_signed_get_value(field);
    const uint64_t size =
        bt_field_class_integer_get_field_value_range(bt_field_borrow_class_const(field));
    if (is_hexadecimal(field)) {
        const uint64_t mask = size < 64 ? ((uint64_t)1 << size) - 1 : UINT64_MAX;
        add_hexadecimal(text, (uint64_t)number & mask);
        return;
    }
    ctf_field_add_signed(text, number);
}

/* The first label, or the number where it has none. */
static void add_enumeration(oc_text *text, const bt_field *field, bool is_signed)
{
    bt_field_class_enumeration_mapping_label_array labels;
    uint64_t count = 0;
    const bool known =
        (is_signed ? bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count)
                   : bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count)) == 0;
    if (known && count > 0)
        oc_text_add(text, labels[0]);
    else if (is_signed)
        add_signed(text, field);
    else
        add_unsigned(text, field);
}

static void add_any(oc_text *text, const bt_field *field, int depth);

static void add_array(oc_text *text, const bt_field *field, int depth)
{
    const uint64_t length = bt_field_array_get_length(field);
    oc_text_append(text, "[", 1);
    for (uint64_t i = 0; i < length; i++) {
        if (i > 0)
            oc_text_append(text, ", ", 2);
        add_any(text, bt_field_array_borrow_element_field_by_index_const(field, i), depth + 1);
    }
    oc_text_append(text, "]", 1);
}

static void add_structure(oc_text *text, const bt_field *field, int depth)
{
    const bt_field_class *structure = bt_field_borrow_class_const(field);
    const uint64_t count = bt_field_class_structure_get_member_count(structure);
    oc_text_append(text, "{", 1);
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            oc_text_append(text, ", ", 2);
        oc_text_add(text, bt_field_class_structure_member_get_name(
                              bt_field_class_structure_borrow_member_by_index_const(structure, i)));
        oc_text_append(text, ": ", 2);
        add_any(text, bt_field_structure_borrow_member_field_by_index_const(field, i), depth + 1);
    }
    oc_text_append(text, "}", 1);
}

/* What may be there or not, and what is one of several. */
static void add_chosen(oc_text *text, const bt_field *field, bt_field_class_type type, int depth)
{
    const bt_field *chosen = NULL;
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
        chosen = bt_field_option_borrow_field_const(field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
        chosen = bt_field_variant_borrow_selected_option_field_const(field);
    if (chosen != NULL)
        add_any(text, chosen, depth + 1);
}

static void add_nested(oc_text *text, const bt_field *field, bt_field_class_type type, int depth)
{
    if (depth > DEEPEST)
        oc_text_add(text, "..");
    else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
        add_structure(text, field, depth);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
        add_array(text, field, depth);
    else
        add_chosen(text, field, type, depth);
}

static void add_any(oc_text *text, const bt_field *field, int depth)
{
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
        add_unsigned(text, field);
    else if (type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
        add_signed(text, field);
    else if (type == BT_FIELD_CLASS_TYPE_STRING)
        oc_text_append(text, bt_field_string_get_value(field), bt_field_string_get_length(field));
    else if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
        add_enumeration(text, field, false);
    else if (type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION)
        add_enumeration(text, field, true);
    else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
        oc_text_add(text, oc_digits((double)bt_field_real_single_precision_get_value(field)).text);
    else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
        oc_text_add(text, oc_digits(bt_field_real_double_precision_get_value(field)).text);
    else if (type == BT_FIELD_CLASS_TYPE_BOOL)
        oc_text_add(text, bt_field_bool_get_value(field) ? "true" : "false");
    else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
        add_hexadecimal(text, bt_field_bit_array_get_value_as_integer(field));
    else
        add_nested(text, field, type, depth);
}

void ctf_field_add(oc_text *text, const bt_field *field)
{
    add_any(text, field, 0);
}
