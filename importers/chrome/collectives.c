/* Collective operations of several ranks: which slices form one operation, and which rank came
 * last. */
#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What Kineto says of one, as attributes of its slice. */
enum { NAME, ID, GROUP, SEQUENCE, CATEGORY, SAID };

/* In `order`: on a device, or where it was launched from. */
enum { ON_DEVICE, ON_HOST };

static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x6368726F6D636F6Cu};

ocelotl_status chrome_collectives_open(chrome_reader *reader)
{
    const oc_import *import = reader->ingest.import;
    if (!import->options->collectives)
        return OCELOTL_OK;
    const size_t memory = OC_SORTING_MEMORY / 16;
    OC_TRY(oc_sorting_open(&reader->collectives.ordered, import->target, memory, true));
    return oc_sorting_open(&reader->collectives.matched, import->target, memory, true);
}

/* --- What is seen */

/* Finds what a slice says; what it does not say has no text. */
static void find_said(ocelotl_attribute_value said[SAID], chrome_reader *reader,
                      const oc_sorted *slice)
{
    static const char *const names[SAID] = {"Collective name", "Comms Id", "Process Group Name",
                                            "Seq", "cat"};
    chrome_collectives *all = &reader->collectives;
    for (size_t i = 0; i < SAID && !all->knows_said; i++)
        all->said[i] = oc_ingest_attribute_known(&reader->ingest, slice->type, names[i]);
    all->knows_said = true; /* all of the source has been read */
    memset(said, 0, SAID * sizeof *said);
    for (size_t i = 0; i < slice->attribute_count; i++)
        for (size_t s = 0; s < SAID; s++)
            if (slice->attributes[i].attribute == all->said[s])
                said[s] = slice->attributes[i];
}

static oc_json_item value_of(const ocelotl_attribute_value *said)
{
    return (oc_json_item){said->text, said->length, '"', false};
}

/* The record of a member: the row is its type, its rank's file the stream. */
static ocelotl_status describe(oc_sorted *member, chrome_reader *reader, const oc_sorted *slice,
                               const ocelotl_attribute_value said[SAID], const char *name)
{
    uint32_t type;
    const oc_json_item shown = said[NAME].text != NULL
                                   ? value_of(&said[NAME])
                                   : (oc_json_item){name, strlen(name), '"', false};
    const oc_json_item group = value_of(&said[GROUP]);
    const oc_json_item sequence = value_of(&said[SEQUENCE]);
    const int64_t shift = oc_ingest_shift(&reader->ingest, slice->stream);
    const bool on_device = said[CATEGORY].text != NULL && said[CATEGORY].length == 6 &&
                           memcmp(said[CATEGORY].text, "kernel", 6) == 0;
    *member = (oc_sorted){.kind = OC_SORTED_SPAN,
                          .stream = reader->ingest.rows[slice->stream].file,
                          .type = slice->stream,
                          .order = on_device ? ON_DEVICE : ON_HOST,
                          .time = slice->time + shift};
    member->end = slice->end + shift;
    OC_TRY(chrome_find_type(&type, reader, CHROME_COLLECTIVE));
    chrome_begin_attributes(reader);
    OC_TRY(chrome_find_value(&member->value, reader, type, &shown));
    OC_TRY(chrome_add_attribute(reader, type, "communicator", &group));
    OC_TRY(chrome_add_attribute(reader, type, "sequence", &sequence));
    return chrome_end_attributes(member, reader);
}

/* Hashes what the members of one operation have in common. */
static ocelotl_status hash_said(uint64_t *hash, oc_text *key, const oc_sorted *member,
                                const ocelotl_attribute_value said[SAID])
{
    const bool by_id = said[ID].text != NULL;
    oc_text_clear(key);
    oc_text_format(key, "%d %u %u ", by_id, (unsigned)member->order,
                   by_id ? 0 : (unsigned)member->value);
    for (size_t i = by_id ? ID : GROUP; i <= (by_id ? ID : SEQUENCE); i++) {
        oc_text_append(key, said[i].text != NULL ? said[i].text : "", said[i].length);
        oc_text_append(key, "", 1);
    }
    if (key->failed)
        return oc_fail_memory();
    *hash = oc_hash_keyed(&constant, key->bytes, key->length);
    return OCELOTL_OK;
}

/* Counts one more slice of a name in a file. */
static ocelotl_status count(chrome_collectives *all, const oc_sorted *member)
{
    const uint64_t key[2] = {member->group, member->stream};
    uint32_t index = oc_map_get(&all->count_of, key, sizeof key);
    if (index == OC_MAP_NONE) {
        index = (uint32_t)all->count_count;
        OC_TRY(
            oc_grow(&all->counts, &all->count_capacity, all->count_count + 1, sizeof *all->counts));
        all->counts[all->count_count++] = (chrome_collective_count){.group = member->group};
        OC_TRY(oc_map_set(&all->count_of, key, sizeof key, index));
    }
    all->counts[index].count++;
    return OCELOTL_OK;
}

ocelotl_status chrome_collectives_see(chrome_reader *reader, const oc_sorted *slice)
{
    ocelotl_attribute_value said[SAID];
    oc_sorted member;
    chrome_collectives *all = &reader->collectives;
    if (all->matched == NULL || slice->kind != OC_SORTED_SPAN ||
        slice->type + 1 != reader->types[CHROME_SLICE])
        return OCELOTL_OK;
    find_said(said, reader, slice);
    const uint32_t named = oc_map_get(&all->name_of, &slice->value, sizeof slice->value);
    if (said[NAME].text == NULL && named == OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(describe(&member, reader, slice, said, named != OC_MAP_NONE ? all->names[named] : ""));
    all->on_devices = all->on_devices || member.order == ON_DEVICE;
    OC_TRY(hash_said(&member.group, &reader->key, &member, said));
    if (said[ID].text != NULL || said[SEQUENCE].text != NULL) {
        member.stream = 0;
        return oc_sorting_add(all->matched, &member);
    }
    OC_TRY(count(all, &member));
    return oc_sorting_add(all->ordered, &member);
}

/* --- Which slices belong together */

/* The k-th one of a name in each file belong together, if all files that have it have as many. */
static ocelotl_status number_ordered(chrome_reader *reader, const oc_map *even)
{
    chrome_collectives *all = &reader->collectives;
    const oc_sorted *member;
    uint64_t number = 0;
    uint64_t group = 0;
    uint32_t file = OCELOTL_NONE;
    OC_TRY(oc_sorting_finish(all->ordered));
    for (;;) {
        OC_TRY(oc_sorting_next(&member, all->ordered));
        if (member == NULL)
            return OCELOTL_OK;
        number = member->stream == file && member->group == group ? number + 1 : 0;
        file = member->stream;
        group = member->group;
        if (oc_map_get(even, &group, sizeof group) == 0) {
            oc_oddities_note(&reader->ingest.oddities, CHROME_COLLECTIVE_UNEVEN,
                             reader->ingest.paths[file], 0);
            continue;
        }
        oc_sorted numbered = *member;
        numbered.group = oc_hash_numbers(&constant, group, number);
        numbered.stream = 0;
        OC_TRY(oc_sorting_add(all->matched, &numbered));
    }
}

/* --- Links */

/* Links the last of the members to each of the others, and forgets them. */
static ocelotl_status link_members(chrome_reader *reader)
{
    chrome_collectives *all = &reader->collectives;
    oc_sorted last = {0};
    ocelotl_attribute_value carried[2];
    const size_t count = all->member_count;
    all->member_count = 0;
    if (count == 1)
        oc_oddities_note(&reader->ingest.oddities, CHROME_COLLECTIVE_ALONE,
                         reader->ingest.paths[all->members[0].file], 0);
    if (count > 0)
        oc_packed_read(&last, carried, all->last);
    for (size_t i = 0; i + 1 < count; i++) {
        const oc_timelines_link link = {.from = last.type,
                                        .to = all->members[i].row,
                                        .begin = last.time,
                                        .end = all->members[i].end,
                                        .type = reader->types[CHROME_COLLECTIVE] - 1,
                                        .value = last.value,
                                        .attributes = last.attributes,
                                        .attribute_count = last.attribute_count};
        OC_TRY(oc_ingest_link(&reader->ingest, &link));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_member(chrome_reader *reader, const oc_sorted *member)
{
    chrome_collectives *all = &reader->collectives;
    const uint32_t file = reader->ingest.rows[member->type].file;
    bool begins = all->member_count > 0 && all->group != member->group;
    for (size_t i = 0; i < all->member_count; i++)
        begins = begins || all->members[i].file == file; /* the same once more */
    if (begins)
        OC_TRY(link_members(reader));
    all->group = member->group;
    OC_TRY(
        oc_grow(&all->members, &all->member_capacity, all->member_count + 1, sizeof *all->members));
    all->members[all->member_count++] =
        (chrome_collective_member){.row = member->type, .file = file, .end = member->end};
    const uint32_t size = oc_packed_size(member);
    free(all->last);
    all->last = NULL;
    OC_TRY(oc_allocate(&all->last, size, 1));
    oc_packed_write(all->last, member, size);
    return OCELOTL_OK;
}

/* Links the members of each operation. Slices on devices are the operation; where both exist, those
 * that launch it are left out. */
ocelotl_status chrome_collectives_link(chrome_reader *reader)
{
    oc_map even = {0}; /* how often each file has those of a group; 0 if files differ */
    const chrome_collectives *all = &reader->collectives;
    const oc_sorted *member;
    ocelotl_status status = OCELOTL_OK;
    if (all->matched == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; status == OCELOTL_OK && i < all->count_count; i++) {
        const chrome_collective_count *one = &all->counts[i];
        const uint32_t known = oc_map_get(&even, &one->group, sizeof one->group);
        status = oc_map_set(&even, &one->group, sizeof one->group,
                            known == OC_MAP_NONE || known == one->count ? one->count : 0);
    }
    if (status == OCELOTL_OK)
        status = number_ordered(reader, &even);
    oc_map_free(&even);
    OC_TRY(status);
    OC_TRY(oc_sorting_finish(all->matched));
    for (;;) {
        OC_TRY(oc_sorting_next(&member, all->matched));
        if (member == NULL)
            return link_members(reader);
        if (!all->on_devices || member->order == ON_DEVICE)
            OC_TRY(add_member(reader, member));
    }
}

void chrome_collectives_free(chrome_collectives *all)
{
    free(all->names);
    free(all->counts);
    free(all->members);
    free(all->last);
    oc_map_free(&all->name_of);
    oc_map_free(&all->count_of);
    oc_sorting_free(all->ordered);
    oc_sorting_free(all->matched);
}
