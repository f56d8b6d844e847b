#include "importers/ingest/pairs.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* An open state. What it carries follows `begin`. */
typedef struct oc_open {
    struct oc_open *outer, *inner; /* around it and inside it, of its type */
    struct oc_open *same;          /* around it, of its value */
    uint32_t number;               /* as the oc_sorted.order of its span */
    oc_packed begin;
} oc_open;

/* What is open of a type. */
typedef struct oc_open_type {
    uint32_t type;
    oc_open *outermost, *innermost;
} oc_open_type;

/* A type that has an open state; else NULL. */
static oc_open_type *find_type(const oc_pairs *pairs, uint32_t type)
{
    for (size_t i = 0; i < pairs->type_count; i++)
        if (pairs->types[i].type == type && pairs->types[i].innermost != NULL)
            return &pairs->types[i];
    return NULL;
}

/* Takes the place of a type that has nothing open, so that few types make few places. */
static ocelotl_status make_type(oc_open_type **type, oc_pairs *pairs, uint32_t number)
{
    size_t place = 0;
    *type = find_type(pairs, number);
    if (*type != NULL)
        return OCELOTL_OK;
    while (place < pairs->type_count && pairs->types[place].innermost != NULL)
        place++;
    OC_TRY(oc_grow(&pairs->types, &pairs->type_capacity, place + 1, sizeof *pairs->types));
    pairs->type_count += place == pairs->type_count;
    *type = &pairs->types[place];
    **type = (oc_open_type){.type = number};
    return OCELOTL_OK;
}

static ocelotl_status make_room_for_value(oc_pairs *pairs, uint32_t value)
{
    if (value == OCELOTL_NONE || value < pairs->named_count)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&pairs->named, &pairs->named_capacity, (size_t)value + 1, sizeof(oc_open *)));
    while (pairs->named_count <= value)
        pairs->named[pairs->named_count++] = NULL;
    return OCELOTL_OK;
}

ocelotl_status oc_pairs_begin(oc_pairs *pairs, const oc_sorted *begin)
{
    const uint32_t size = oc_packed_size(begin);
    oc_open_type *type;
    OC_TRY(make_type(&type, pairs, begin->type));
    OC_TRY(make_room_for_value(pairs, begin->value));
    oc_open *kept = NULL;
    OC_TRY(oc_allocate(&kept, offsetof(oc_open, begin) + size, 1));
    oc_packed_write(&kept->begin, begin, size);
    kept->outer = type->innermost;
    kept->inner = NULL;
    if (kept->outer != NULL)
        kept->outer->inner = kept;
    else
        type->outermost = kept;
    type->innermost = kept;
    kept->same = NULL;
    if (begin->value != OCELOTL_NONE) {
        kept->same = pairs->named[begin->value];
        pairs->named[begin->value] = kept;
    }
    kept->number = pairs->begun++;
    pairs->open_count++;
    return OCELOTL_OK;
}

/* Takes out a state that is the innermost of its value. */
static void take_out(oc_pairs *pairs, oc_open_type *type, oc_open *taken)
{
    *(taken->outer != NULL ? &taken->outer->inner : &type->outermost) = taken->inner;
    *(taken->inner != NULL ? &taken->inner->outer : &type->innermost) = taken->outer;
    if (taken->begin.value != OCELOTL_NONE)
        pairs->named[taken->begin.value] = taken->same;
    if (--pairs->open_count == 0)
        pairs->begun = 0;
    free(pairs->closed);
    pairs->closed = taken;
}

/* The one of some that is an attribute; NULL: none is. */
static const ocelotl_attribute_value *find_attribute(const ocelotl_attribute_value *attributes,
                                                     size_t count, uint32_t attribute)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].attribute == attribute)
            return &attributes[i];
    return NULL;
}

static bool is_equal(const ocelotl_attribute_value *one, const ocelotl_attribute_value *other)
{
    return one->length == other->length &&
           (one->length == 0 || memcmp(one->text, other->text, one->length) == 0);
}

/* Adds an attribute of an end; one that differs from its begin's gets a name of its own, which
 * neither has. */
static ocelotl_status add_of_end(oc_sorted *span, const oc_pairs *pairs, const oc_sorted *end,
                                 const ocelotl_attribute_value *carried, size_t own)
{
    ocelotl_attribute_value added = *carried;
    const ocelotl_attribute_value *of_begin = find_attribute(pairs->room, own, added.attribute);
    if (of_begin != NULL && (pairs->of_end == NULL || is_equal(of_begin, carried)))
        return OCELOTL_OK;
    while (of_begin != NULL) {
        OC_TRY(pairs->of_end(&added.attribute, pairs->context, span->type, added.attribute));
        of_begin = find_attribute(pairs->room, span->attribute_count, added.attribute);
        if (of_begin == NULL)
            of_begin = find_attribute(end->attributes, end->attribute_count, added.attribute);
    }
    pairs->room[span->attribute_count++] = added;
    return OCELOTL_OK;
}

/* Takes one out; what its end carries beside is added. */
static ocelotl_status close_one(oc_sorted *span, oc_pairs *pairs, oc_open_type *type,
                                oc_open *closed, int64_t time, const oc_sorted *end)
{
    take_out(pairs, type, closed);
    const size_t own = closed->begin.attribute_count;
    const size_t more = end != NULL ? end->attribute_count : 0;
    OC_TRY(oc_grow(&pairs->room, &pairs->room_capacity, own + more, sizeof *pairs->room));
    oc_packed_read(span, pairs->room, &closed->begin);
    for (size_t i = 0; i < more; i++)
        OC_TRY(add_of_end(span, pairs, end, &end->attributes[i], own));
    span->kind = OC_SORTED_SPAN;
    span->end = time;
    span->order = closed->number;
    return OCELOTL_OK;
}

ocelotl_status oc_pairs_end(oc_pair *found, oc_sorted *span, oc_pairs *pairs, const oc_sorted *end)
{
    oc_open_type *type = find_type(pairs, end->type);
    oc_open *named = NULL;
    *found = OC_PAIR_NONE;
    if (type == NULL || type->innermost == NULL)
        return OCELOTL_OK;
    if (end->value < pairs->named_count)
        named = pairs->named[end->value];
    if (named != NULL) {
        *found = named == type->innermost ? OC_PAIR_INNER : OC_PAIR_OUTER;
    } else if (end->value == OCELOTL_NONE) {
        *found = OC_PAIR_INNER;
    } else {
        if (pairs->exact)
            return OCELOTL_OK;
        *found = OC_PAIR_OTHER;
    }
    return close_one(span, pairs, type, named != NULL ? named : type->innermost, end->time, end);
}

ocelotl_status oc_pairs_rest(bool *open, oc_sorted *span, oc_pairs *pairs, int64_t time)
{
    oc_open_type *type = pairs->types;
    *open = pairs->open_count > 0;
    if (!*open)
        return OCELOTL_OK;
    while (type->outermost == NULL)
        type++;
    type->outermost->same = NULL; /* all of its value are ended so */
    return close_one(span, pairs, type, type->outermost, time, NULL);
}

const oc_packed *oc_pairs_closed(const oc_pairs *pairs)
{
    return &pairs->closed->begin;
}

void oc_pairs_free(oc_pairs *pairs)
{
    for (size_t i = 0; i < pairs->type_count; i++)
        while (pairs->types[i].outermost != NULL) {
            oc_open *next = pairs->types[i].outermost->inner;
            free(pairs->types[i].outermost);
            pairs->types[i].outermost = next;
        }
    free(pairs->types);
    free(pairs->named);
    free(pairs->closed);
    free(pairs->room);
}
