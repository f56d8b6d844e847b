/* The members of an object of JSON, such as the attributes of events. */
#ifndef OC_IMPORTERS_CSV_OBJECT_H
#define OC_IMPORTERS_CSV_OBJECT_H

#include "base/text.h"
#include "importers/csv/rows.h"

/* A member: its place in the texts of the object. */
typedef struct csv_member {
    size_t name, name_length, text, length;
} csv_member;

/* Zero-initialised it is empty. */
typedef struct csv_object {
    oc_text source, texts;
    csv_member *members; /* without those that are null */
    size_t count, capacity;
} csv_object;

/* Reads an object; a text that is empty has no members. Strings lose their quotes and escapes;
 * numbers, words, lists and objects in it stay as they are. Errors: INPUT, without the place.
 * O(length). */
ocelotl_status csv_object_read(csv_object *object, csv_field text);

static inline csv_field csv_member_name(const csv_object *object, size_t member)
{
    const csv_member *one = &object->members[member];
    return (csv_field){object->texts.bytes + one->name, one->name_length};
}

static inline csv_field csv_member_text(const csv_object *object, size_t member)
{
    const csv_member *one = &object->members[member];
    return (csv_field){object->texts.bytes + one->text, one->length};
}

void csv_object_free(csv_object *object);

#endif
