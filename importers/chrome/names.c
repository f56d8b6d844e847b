/* What events are called and carry: event types, values, attributes; and where they happen:
 * processes, threads, and categories of asynchronous states. */
#define _GNU_SOURCE
#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    ocelotl_category category;
} kinds[CHROME_KINDS] = {
    [CHROME_SLICE] = {"Slice", OCELOTL_STATE},
    [CHROME_ASYNC] = {"Async slice", OCELOTL_STATE},
    [CHROME_INSTANT] = {"Instant", OCELOTL_EVENT},
    [CHROME_ASYNC_INSTANT] = {"Async instant", OCELOTL_EVENT},
    [CHROME_FLOW] = {"Flow", OCELOTL_LINK},
    [CHROME_COLLECTIVE] = {"Collective", OCELOTL_LINK},
    [CHROME_ANNOTATION] = {"Annotation", OCELOTL_STATE},
};

ocelotl_status chrome_names_begin(chrome_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    const struct {
        uint32_t *type;
        const uint32_t *parent;
        const char *name;
    } types[] = {{&reader->process_type, &ingest->file_type, "Process"},
                 {&reader->thread_type, &reader->process_type, "Thread"},
                 {&reader->async_type, &reader->process_type, "Async"},
                 {&reader->category_type, &reader->async_type, "Category"},
                 {&ingest->lane_type, &reader->thread_type, "Lane"}};
    OC_TRY(oc_ingest_resource_type(&ingest->file_type, ingest, OCELOTL_ROOT, "File"));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        OC_TRY(oc_ingest_resource_type(types[i].type, ingest, *types[i].parent, types[i].name));
    return oc_folding_open(&reader->folding, ingest->import->options->fold_names);
}

ocelotl_status chrome_find_type(uint32_t *type, chrome_reader *reader, chrome_kind kind)
{
    const bool async = kind == CHROME_ASYNC || kind == CHROME_ASYNC_INSTANT;
    uint32_t *known = &reader->types[kind];
    if (*known == 0) {
        OC_TRY(oc_ingest_event_type(type, &reader->ingest, kinds[kind].category,
                                    async ? reader->category_type : reader->thread_type,
                                    kinds[kind].name, OC_NEST_BY_TIME));
        *known = *type + 1;
    }
    *type = *known - 1;
    return OCELOTL_OK;
}

/* A text with its escapes resolved, ended by '\0'; it lives until the next. What has none is taken
 * as it stands. */
static ocelotl_status decode(oc_json_item *item, oc_text *text)
{
    if (!item->escaped)
        return OCELOTL_OK;
    oc_text_clear(text);
    oc_text_append(text, "", 0);
    oc_json_decode_item(text, item);
    *item = (oc_json_item){text->bytes, text->length, '"', false};
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Folds a name, which becomes an attribute where that changes it. */
static ocelotl_status fold(oc_json_item *name, chrome_reader *reader, uint32_t type)
{
    bool folded;
    oc_text *whole = &reader->name;
    const oc_text *shown = &reader->folding.name;
    if (whole->bytes != name->bytes) {
        oc_text_clear(whole);
        oc_text_append(whole, name->bytes, name->length);
    }
    if (whole->failed)
        return oc_fail_memory();
    OC_TRY(oc_folding_fold(&folded, &reader->folding, whole->bytes));
    if (!folded)
        return OCELOTL_OK;
    *name = (oc_json_item){whole->bytes, whole->length, '"', false};
    OC_TRY(chrome_add_attribute(reader, type, "name", name));
    *name = (oc_json_item){shown->bytes, shown->length, '"', false};
    return OCELOTL_OK;
}

/* Slices whose name begins with that of a library are collectives, whatever they carry. */
static ocelotl_status keep_collective(chrome_reader *reader, uint32_t value, const char *name,
                                      size_t length)
{
    static const char *const libraries[] = {"nccl", "rccl", "gloo", "ucc"};
    chrome_collectives *all = &reader->collectives;
    bool is_one = false;
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        const size_t needs = strlen(libraries[i]);
        is_one = is_one || (length >= needs && memcmp(name, libraries[i], needs) == 0);
    }
    if (!is_one || oc_map_get(&all->name_of, &value, sizeof value) != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&all->names, &all->name_capacity, all->name_count + 1, sizeof *all->names));
    all->names[all->name_count] = oc_arena_copy_bytes(&reader->ingest.arena, name, length);
    OC_TRY(oc_arena_status(&reader->ingest.arena));
    return oc_map_set(&all->name_of, &value, sizeof value, (uint32_t)all->name_count++);
}

ocelotl_status chrome_find_value(uint32_t *value, chrome_reader *reader, uint32_t type,
                                 const oc_json_item *name)
{
    oc_json_item shown = {"(no name)", 9, '"', false};
    if (name->bytes != NULL && name->length > 0)
        shown = *name;
    OC_TRY(decode(&shown, &reader->name));
    if (reader->folding.pattern != NULL)
        OC_TRY(fold(&shown, reader, type));
    OC_TRY(oc_ingest_value(value, &reader->ingest, type, shown.bytes, shown.length));
    return reader->collectives.matched != NULL && type + 1 == reader->types[CHROME_SLICE]
               ? keep_collective(reader, *value, shown.bytes, shown.length)
               : OCELOTL_OK;
}

/* "name id: 7 argument", as Perfetto calls them; an argument "value" needs no words. */
ocelotl_status chrome_find_counter(uint32_t *type, chrome_reader *reader,
                                   const oc_json_item *argument)
{
    const oc_json_item *keys = reader->element.keys;
    oc_text *text = &reader->name;
    oc_text_clear(text);
    if (keys[CHROME_NAME].bytes != NULL)
        oc_json_decode_item(text, &keys[CHROME_NAME]);
    if (keys[CHROME_ID].bytes != NULL) {
        oc_text_add(text, " id: ");
        oc_json_decode_item(text, &keys[CHROME_ID]);
    }
    if (!oc_json_is(argument, "value")) {
        oc_text_add(text, text->length > 0 ? " " : "");
        oc_json_decode_item(text, argument);
    }
    if (text->length == 0)
        oc_text_add(text, "(no name)");
    return text->failed ? oc_fail_memory()
                        : oc_ingest_event_type(type, &reader->ingest, OCELOTL_VARIABLE,
                                               reader->process_type, text->bytes, OC_NEST_BY_TIME);
}

/* --- Attributes */

/* What the writer takes in one event, with room for what is added to it. */
static const size_t most_text = ((size_t)64 << 20) - 64;
static const size_t most_attributes = ((size_t)1 << 20) - 2;

void chrome_begin_attributes(chrome_reader *reader)
{
    reader->attribute_count = 0;
    oc_text_clear(&reader->texts);
}

static ocelotl_status add(chrome_reader *reader, uint32_t type, oc_json_item name,
                          const oc_json_item *value)
{
    uint32_t attribute;
    OC_TRY(decode(&name, &reader->key));
    OC_TRY(oc_ingest_attribute(&attribute, &reader->ingest, type, name.bytes, name.length));
    OC_TRY(oc_grow(&reader->attributes, &reader->attribute_capacity, reader->attribute_count + 1,
                   sizeof *reader->attributes));
    ocelotl_attribute_value *added = &reader->attributes[reader->attribute_count++];
    *added = (ocelotl_attribute_value){attribute, value->bytes, value->length};
    if (value->escaped) {
        /* The text may move as it grows: chrome_end_attributes finds its place. */
        const size_t begin = reader->texts.length;
        oc_json_decode_item(&reader->texts, value);
        added->text = NULL;
        added->length = reader->texts.length - begin;
    }
    return reader->texts.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status chrome_end_attributes(oc_sorted *record, chrome_reader *reader)
{
    const char *text = reader->texts.bytes != NULL ? reader->texts.bytes : "";
    size_t bytes = 0;
    for (size_t i = 0; i < reader->attribute_count; i++) {
        ocelotl_attribute_value *attribute = &reader->attributes[i];
        bytes += attribute->length;
        if (attribute->text != NULL)
            continue;
        attribute->text = text;
        text += attribute->length;
    }
    if (bytes > most_text || reader->attribute_count > most_attributes)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%zu arguments of %zu bytes in one event, expected at most %zu of %zu",
                       reader->attribute_count, bytes, most_attributes, most_text);
    record->attributes = reader->attributes;
    record->attribute_count = reader->attribute_count;
    return OCELOTL_OK;
}

ocelotl_status chrome_add_attribute(chrome_reader *reader, uint32_t type, const char *name,
                                    const oc_json_item *value)
{
    return value->bytes == NULL
               ? OCELOTL_OK
               : add(reader, type, (oc_json_item){name, strlen(name), '"', false}, value);
}

/* Adds members. One that is named like a member of the event gets a prefix. */
static ocelotl_status add_members(chrome_reader *reader, uint32_t type,
                                  const chrome_members *members)
{
    static const char *const taken[] = {"cat", "id", "s", "name", "open", "scope"};
    const bool has_scope = reader->element.keys[CHROME_SCOPE].bytes != NULL;
    const size_t count = sizeof taken / sizeof taken[0] - !has_scope;
    for (size_t i = 0; i < members->count; i++) {
        char prefixed[16];
        oc_json_item name = members->all[i].key;
        for (size_t t = 0; t < count && name.length <= sizeof "scope" - 1; t++)
            if (oc_json_is(&name, taken[t])) {
                snprintf(prefixed, sizeof prefixed, "args.%s", taken[t]);
                name = (oc_json_item){prefixed, strlen(prefixed), '"', false};
            }
        OC_TRY(add(reader, type, name, &members->all[i].value));
    }
    return OCELOTL_OK;
}

ocelotl_status chrome_add_arguments(chrome_reader *reader, uint32_t type)
{
    const chrome_element *element = &reader->element;
    const oc_json_item *arguments = &element->keys[CHROME_ARGUMENTS];
    OC_TRY(chrome_add_attribute(reader, type, "cat", &element->keys[CHROME_CATEGORY]));
    OC_TRY(add_members(reader, type, &element->arguments));
    if (arguments->bytes != NULL && arguments->kind != '{')
        OC_TRY(chrome_add_attribute(reader, type, "args", arguments));
    OC_TRY(add_members(reader, type, &element->others));
    return chrome_add_attribute(reader, type, "scope", &element->keys[CHROME_SCOPE]);
}

/* --- Rows */

/* Numbers and texts name alike; what names nothing is 0. */
static ocelotl_status find_row(uint32_t *row, chrome_reader *reader, uint32_t parent, uint32_t type,
                               const char *what, oc_json_item id)
{
    if (id.bytes == NULL)
        id = (oc_json_item){"0", 1, '0', false};
    if (id.kind != '"' && id.kind != '0' && id.kind != 'a')
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s is a list or an object, expected a number or a text", what);
    OC_TRY(decode(&id, &reader->key));
    return oc_ingest_row_find(row, &reader->ingest, parent, type, id.bytes, id.length);
}

ocelotl_status chrome_find_process(uint32_t *row, chrome_reader *reader)
{
    return find_row(row, reader, OCELOTL_NONE, reader->process_type, "pid",
                    reader->element.keys[CHROME_PROCESS]);
}

/* A thread that is not named is the one that is called as its process. */
ocelotl_status chrome_find_thread(uint32_t *row, chrome_reader *reader)
{
    const oc_json_item *keys = reader->element.keys;
    OC_TRY(chrome_find_process(row, reader));
    return find_row(row, reader, *row, reader->thread_type, "tid",
                    keys[keys[CHROME_THREAD].bytes != NULL ? CHROME_THREAD : CHROME_PROCESS]);
}

/* Categories come behind threads, in the order they are met. */
ocelotl_status chrome_find_track(uint32_t *row, chrome_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    oc_json_item category = {"(no category)", 13, '"', false};
    const oc_json_item *given = &reader->element.keys[CHROME_CATEGORY];
    if (given->bytes != NULL && given->length > 0)
        category = *given;
    OC_TRY(chrome_find_process(row, reader));
    OC_TRY(oc_ingest_row_find(row, ingest, *row, reader->async_type, "async", 5));
    ingest->rows[*row].order = INT64_MAX;
    OC_TRY(decode(&category, &reader->key));
    OC_TRY(oc_ingest_row_find(row, ingest, *row, reader->category_type, category.bytes,
                              category.length));
    ingest->rows[*row].order = *row;
    return OCELOTL_OK;
}

/* --- Metadata */

static ocelotl_status read_order(int64_t *order, const oc_json_item *value)
{
    char digits[24];
    char *end;
    const size_t length = value->bytes != NULL ? value->length : 0;
    if (length > 0 && length < sizeof digits) {
        memcpy(digits, value->bytes, length);
        digits[length] = '\0';
        *order = strtoll(digits, &end, 10);
        if (*end == '\0' || *end == '.')
            return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_INPUT, "a sort_index that is no whole number, expected one");
}

/* A text of its own, with blanks or dashes for what a note cannot hold. */
static ocelotl_status copy_decoded(oc_text *text, const oc_json_item *value, const char *taken,
                                   char by)
{
    oc_text_clear(text);
    oc_text_append(text, "", 0);
    oc_json_decode_item(text, value);
    if (text->failed || text->bytes == NULL)
        return oc_fail_memory();
    for (char *sign = text->bytes; (sign = strpbrk(sign, taken)) != NULL;)
        *sign = by;
    return OCELOTL_OK;
}

static ocelotl_status add_remark(chrome_reader *reader, uint32_t process)
{
    static const oc_json_item unnamed = {"(no name)", 9, '"', false};
    static const oc_json_item nothing = {"", 0, '"', false};
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    const oc_json_item *text = &reader->element.keys[CHROME_ARGUMENTS];
    OC_TRY(copy_decoded(&reader->name, name->length > 0 ? name : &unnamed, "=\n", '-'));
    OC_TRY(copy_decoded(&reader->key, text->bytes != NULL ? text : &nothing, "\n", ' '));
    return oc_ingest_row_remark(&reader->ingest, process, reader->name.bytes, reader->key.bytes);
}

/* Takes metadata that name or sort a process or thread, or notes what else they say. */
ocelotl_status chrome_take_metadata(chrome_reader *reader, char phase)
{
    (void)phase;
    static const struct {
        const char *name, *argument;
        bool of_thread;
        ocelotl_status (*take)(oc_ingest *ingest, uint32_t row, const char *text);
    } known[] = {{"process_name", "name", false, oc_ingest_row_name},
                 {"thread_name", "name", true, oc_ingest_row_name},
                 {"process_labels", "labels", false, oc_ingest_row_label},
                 {"process_sort_index", "sort_index", false, NULL},
                 {"thread_sort_index", "sort_index", true, NULL}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    uint32_t row;
    size_t which = 0;
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    if (name->bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "metadata without a name, expected \"name\"");
    OC_TRY(chrome_find_process(&row, reader));
    while (which < KNOWN && !oc_json_is(name, known[which].name))
        which++;
    if (which == KNOWN) {
        OC_TRY(add_remark(reader, row));
        return oc_ingest_count(ingest, "M", OCELOTL_FATE_ATTRIBUTE, NULL);
    }
    const oc_json_item said =
        chrome_members_find(&reader->element.arguments, known[which].argument);
    if (known[which].of_thread)
        OC_TRY(chrome_find_thread(&row, reader));
    if (known[which].take == NULL)
        OC_TRY(read_order(&ingest->rows[row].order, &said));
    else if (said.bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "metadata without args.%s, expected a text",
                       known[which].argument);
    else {
        OC_TRY(copy_decoded(&reader->name, &said, "", ' '));
        OC_TRY(known[which].take(ingest, row, reader->name.bytes));
    }
    return oc_ingest_count(ingest, "M", OCELOTL_FATE_DEFINITION, NULL);
}

/* In `detail` of a thread: what a stream of a GPU does. */
enum { COPIES = 1, COLLECTIVES = 2, COMPUTES = 4 };

void chrome_see_device(chrome_reader *reader, uint32_t row)
{
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    const oc_json_item *category = &reader->element.keys[CHROME_CATEGORY];
    int64_t does = 0;
    if (oc_json_is(category, "gpu_memcpy") || oc_json_is(category, "gpu_memset"))
        does = COPIES;
    else if (oc_json_is(category, "kernel"))
        does = name->bytes != NULL && (memmem(name->bytes, name->length, "nccl", 4) != NULL ||
                                       memmem(name->bytes, name->length, "rccl", 4) != NULL)
                   ? COLLECTIVES
                   : COMPUTES;
    reader->ingest.rows[row].detail |= does;
}

/* "stream 7", and in brackets what is alone in it. */
static ocelotl_status name_stream(chrome_reader *reader, uint32_t number)
{
    const oc_ingest_row *row = &reader->ingest.rows[number];
    const bool is_numbered = row->name == NULL && row->id[strspn(row->id, "0123456789")] == '\0';
    const char *name = row->name != NULL ? row->name : row->id;
    size_t length = strlen(name);
    oc_text *text = &reader->name;
    while (length > 0 && name[length - 1] == ' ')
        length--;
    oc_text_clear(text);
    oc_text_add(text, is_numbered ? "stream " : "");
    oc_text_append(text, name, length);
    oc_text_add(text, row->detail == COPIES        ? " (copies)"
                      : row->detail == COLLECTIVES ? " (NCCL)"
                                                   : "");
    return text->failed ? oc_fail_memory()
                        : oc_ingest_row_name(&reader->ingest, number, text->bytes);
}

/* PyTorch calls a process and its devices alike, and says by labels which is which. */
static bool is_device(const char *label)
{
    return strcmp(label, "CPU") == 0 || strncmp(label, "GPU ", 4) == 0;
}

static ocelotl_status end_row(chrome_reader *reader, uint32_t number)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_ingest_row *row = &ingest->rows[number];
    const bool is_thread = row->type == reader->thread_type;
    if (is_thread && row->detail != 0)
        OC_TRY(name_stream(reader, number));
    if ((!is_thread && row->type != reader->process_type) ||
        (row->name == NULL && row->label == NULL))
        return OCELOTL_OK;
    if (row->label != NULL) {
        const bool is_named = row->name != NULL && row->name[0] != '\0';
        OC_TRY(oc_ingest_row_remark(ingest, number, "labels", row->label));
        if (is_named && is_device(row->label))
            OC_TRY(oc_ingest_row_remark(ingest, number, "process_name", row->name));
        if (!is_named || is_device(row->label))
            OC_TRY(oc_ingest_row_name(ingest, number, row->label));
    }
    return oc_ingest_row_remark(ingest, number, is_thread ? "tid" : "pid", row->id);
}

/* The id and the label are the first notes of a row that is called otherwise. */
ocelotl_status chrome_names_end(chrome_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    oc_ingest_remark *others = ingest->remarks;
    const size_t count = ingest->remark_count;
    ocelotl_status status = OCELOTL_OK;
    ingest->remarks = NULL;
    ingest->remark_count = ingest->remark_capacity = 0;
    for (uint32_t i = 0; status == OCELOTL_OK && i < ingest->row_count; i++)
        status = end_row(reader, i);
    for (size_t i = 0; status == OCELOTL_OK && i < count; i++)
        status = oc_ingest_row_remark(ingest, others[i].row, others[i].name, others[i].text);
    free(others);
    return status;
}
