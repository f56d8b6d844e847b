/* What a file calls by numbers, and how often each kind of record is there. */
#include "base/memory.h"
#include "importers/perfetto/reader.h"

#include <string.h>

/* Looks a number up, in the map where it was not asked for a short while ago. */
static uint32_t look_up(perfetto_reader *reader, const perfetto_key *key)
{
    const uint64_t mixed = key->id + (key->id >> 32) + 37 * key->kind + 101 * (uint64_t)key->around;
    perfetto_known *recent = &reader->recent[mixed % PERFETTO_RECENT];
    if (recent->number != 0 && memcmp(&recent->key, key, sizeof *key) == 0)
        return recent->number - 1;
    const uint32_t number = oc_map_get(&reader->numbers, key, sizeof *key);
    if (number != OC_MAP_NONE)
        *recent = (perfetto_known){*key, number + 1};
    return number;
}

ocelotl_status perfetto_number(uint32_t *number, perfetto_reader *reader, uint32_t kind,
                               uint32_t around, uint64_t id, size_t next)
{
    const perfetto_key key = {kind, around, id};
    *number = look_up(reader, &key);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    if (next >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more names than a trace can have");
    return oc_map_set(&reader->numbers, &key, sizeof key, (uint32_t)next);
}

ocelotl_status perfetto_count(perfetto_reader *reader, int which, uint32_t number, const char *name,
                              ocelotl_fate fate, const char *why)
{
    uint32_t unknown = 0;
    uint32_t *known = number < PERFETTO_KNOWN_KINDS ? &reader->kind_of[which][number] : &unknown;
    if (*known == 0) {
        OC_TRY(oc_kinds_find(known, &reader->ingest.kinds, name, strlen(name), fate, why));
        ++*known;
    }
    oc_kinds_add(&reader->ingest.kinds, *known - 1);
    return OCELOTL_OK;
}

/* --- The state of sequences: what they send once, and mean by number from then on */

perfetto_name perfetto_find_name(perfetto_reader *reader, uint32_t kind, uint64_t id)
{
    const perfetto_key key = {OF_NAME + kind, reader->sequence_number, id};
    const uint32_t number = look_up(reader, &key);
    if (number != OC_MAP_NONE && reader->names[number].state == reader->sequence->state)
        return reader->names[number];
    oc_ingest_note(&reader->ingest, PERFETTO_NAME_UNKNOWN);
    return (perfetto_name){"", 0, 0};
}

static ocelotl_status keep_name(perfetto_reader *reader, uint32_t kind, oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 0};
    uint32_t number;
    oc_field of[2];
    OC_TRY(oc_fields_read(of, numbers, message, "interned name"));
    OC_TRY(perfetto_number(&number, reader, OF_NAME + kind, reader->sequence_number, of[0].value,
                           reader->name_count));
    if (number == OC_MAP_NONE) {
        OC_TRY(oc_grow(&reader->names, &reader->name_capacity, reader->name_count + 1,
                       sizeof *reader->names));
        number = (uint32_t)reader->name_count++;
        reader->names[number] = (perfetto_name){"", 0, 0};
    }
    perfetto_name *name = &reader->names[number];
    name->state = reader->sequence->state;
    if (name->length != of[1].length || memcmp(name->text, of[1].bytes, name->length) != 0) {
        name->text = oc_arena_copy_bytes(&reader->ingest.arena, of[1].bytes, of[1].length);
        name->length = of[1].length;
    }
    return oc_arena_status(&reader->ingest.arena);
}

ocelotl_status perfetto_keep_names(perfetto_reader *reader, oc_bytes_reader message)
{
    oc_field field;
    while (oc_field_next(&field, &message))
        if (field.number <= 3 || field.number == 29)
            OC_TRY(keep_name(reader, field.number == 29 ? PERFETTO_TEXT : field.number,
                             oc_field_message(&field)));
    return oc_fields_check(&message, "interned_data");
}
