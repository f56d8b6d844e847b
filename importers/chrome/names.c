/* Event types, values and attributes: what events are called and carry. */
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
};

ocelotl_status chrome_names_begin(chrome_reader *reader)
{
    ocelotl_writer *writer = reader->writer;
    OC_TRY(ocelotl_writer_resource_type(&reader->file_type, writer, OCELOTL_ROOT, "File"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->process_type, writer, reader->file_type, "Process"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->thread_type, writer, reader->process_type, "Thread"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->async_type, writer, reader->process_type, "Async"));
    OC_TRY(ocelotl_writer_resource_type(&reader->category_type, writer, reader->async_type,
                                        "Category"));
    OC_TRY(ocelotl_writer_resource_type(&reader->lane_type, writer, reader->thread_type, "Lane"));
    return oc_folding_open(&reader->folding, reader->import->options->fold_names);
}

ocelotl_status chrome_find_type(chrome_type **type, chrome_reader *reader, chrome_kind kind)
{
    chrome_type *found = &reader->types[kind];
    *type = found;
    if (found->is_declared)
        return OCELOTL_OK;
    const bool async = kind == CHROME_ASYNC || kind == CHROME_ASYNC_INSTANT;
    found->is_declared = true;
    return ocelotl_writer_event_type(&found->id, reader->writer, kinds[kind].category,
                                     async ? reader->category_type : reader->thread_type,
                                     kinds[kind].name, -1);
}

/* A text with its escapes resolved, ended by '\0'; it lives until the next. */
static ocelotl_status decode(oc_text *text, const oc_json_item *value)
{
    oc_text_clear(text);
    oc_text_append(text, "", 0);
    oc_json_decode_item(text, value);
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Slices whose name begins with that of a library are collectives, whatever they carry. */
static ocelotl_status declare_value(uint32_t *value, chrome_reader *reader, chrome_type *type,
                                    const char *name)
{
    static const char *const libraries[] = {"nccl", "rccl", "gloo", "ucc"};
    chrome_collectives *all = &reader->collectives;
    bool is_one = false;
    OC_TRY(ocelotl_writer_value(value, reader->writer, type->id, name, -1));
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        is_one = is_one || strncmp(name, libraries[i], strlen(libraries[i])) == 0;
    if (!is_one || all->matched == NULL || type != &reader->types[CHROME_SLICE])
        return OCELOTL_OK;
    OC_TRY(oc_grow(&all->names, &all->name_capacity, all->name_count + 1, sizeof(char *)));
    OC_TRY(oc_copy_text(&all->names[all->name_count], name));
    return oc_map_set(&all->name_of, value, sizeof *value, (uint32_t)all->name_count++);
}

static ocelotl_status find_folded(uint32_t *value, bool *folded, chrome_reader *reader,
                                  chrome_type *type)
{
    const oc_text *name = &reader->folding.name;
    OC_TRY(oc_folding_fold(folded, &reader->folding, reader->name.bytes));
    if (!*folded)
        return OCELOTL_OK;
    *value = oc_map_get(&type->value_of, name->bytes, name->length);
    if (*value == OC_MAP_NONE) {
        OC_TRY(declare_value(value, reader, type, name->bytes));
        OC_TRY(oc_map_set(&type->value_of, name->bytes, name->length, *value));
    }
    const oc_json_item whole = {reader->name.bytes, reader->name.length, '"', false};
    return chrome_add_attribute(reader, type, "name", &whole);
}

ocelotl_status chrome_find_value(uint32_t *value, chrome_reader *reader, chrome_type *type,
                                 const oc_json_item *name)
{
    static const oc_json_item unnamed = {"(no name)", 9, '"', false};
    bool folded = false;
    const oc_json_item *shown = name->bytes != NULL && name->length > 0 ? name : &unnamed;
    if (reader->folding.pattern == NULL && !shown->escaped) {
        *value = oc_map_get(&type->value_of, shown->bytes, shown->length);
        if (*value != OC_MAP_NONE)
            return OCELOTL_OK;
    }
    OC_TRY(decode(&reader->name, shown));
    OC_TRY(find_folded(value, &folded, reader, type));
    if (folded)
        return OCELOTL_OK;
    *value = oc_map_get(&type->value_of, reader->name.bytes, reader->name.length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(declare_value(value, reader, type, reader->name.bytes));
    return oc_map_set(&type->value_of, reader->name.bytes, reader->name.length, *value);
}

/* "name id: 7 argument", as Perfetto calls them; an argument "value" needs no words. */
static ocelotl_status name_counter(oc_text *text, const chrome_reader *reader,
                                   const oc_json_item *argument)
{
    const oc_json_item *keys = reader->element.keys;
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
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status chrome_find_counter(uint32_t *type, chrome_reader *reader,
                                   const oc_json_item *argument)
{
    OC_TRY(name_counter(&reader->name, reader, argument));
    const oc_text *name = &reader->name;
    *type = oc_map_get(&reader->counter_of, name->bytes, name->length);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_event_type(type, reader->writer, OCELOTL_VARIABLE, reader->process_type,
                                     name->bytes, -1));
    return oc_map_set(&reader->counter_of, name->bytes, name->length, *type);
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

/* Finds the attribute that the reader's key names, declared where it is new. */
static ocelotl_status find_keyed(uint32_t *attribute, chrome_reader *reader, chrome_type *type)
{
    const oc_text *key = &reader->key;
    *attribute = oc_map_get(&type->attribute_of, key->bytes, key->length);
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_attribute(attribute, reader->writer, type->id, key->bytes));
    OC_TRY(oc_grow(&type->attributes, &type->attribute_capacity, (size_t)*attribute + 1,
                   sizeof(char *)));
    while (type->attribute_count <= *attribute)
        type->attributes[type->attribute_count++] = NULL;
    OC_TRY(oc_copy_text(&type->attributes[*attribute], key->bytes));
    return oc_map_set(&type->attribute_of, key->bytes, key->length, *attribute);
}

ocelotl_status chrome_name_of_end(uint32_t *attribute, void *context, uint32_t type,
                                  uint32_t of_begin)
{
    chrome_reader *reader = context;
    size_t kind = 0;
    while (kind < CHROME_KINDS - 1 &&
           !(reader->types[kind].is_declared && reader->types[kind].id == type))
        kind++;
    chrome_type *of = &reader->types[kind];
    const char *name = of_begin < of->attribute_count ? of->attributes[of_begin] : NULL;
    oc_text_clear(&reader->key);
    oc_text_format(&reader->key, "end_%s", name != NULL ? name : "");
    return reader->key.failed ? oc_fail_memory() : find_keyed(attribute, reader, of);
}

static ocelotl_status find_attribute(uint32_t *attribute, chrome_reader *reader, chrome_type *type,
                                     const char *name, size_t length)
{
    size_t place = 0; /* by its length and ends, which set the names of PyTorch apart */
    if (length > 0)
        place =
            ((unsigned char)name[0] + 11 * (size_t)(unsigned char)name[length - 1] + 19 * length) %
            CHROME_PLACES;
    if (type->recent[place].length == length && length > 0 &&
        memcmp(type->recent[place].name, name, length) == 0) {
        *attribute = type->recent[place].attribute;
        return OCELOTL_OK;
    }
    const oc_json_item text = {name, length, '"', memchr(name, '\\', length) != NULL};
    OC_TRY(decode(&reader->key, &text));
    if (reader->key.length == 0)
        oc_text_add(&reader->key, "(no name)");
    if (reader->key.failed)
        return oc_fail_memory();
    for (char *end = reader->key.bytes; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    OC_TRY(find_keyed(attribute, reader, type));
    if (length >= sizeof type->recent[place].name)
        return OCELOTL_OK;
    memcpy(type->recent[place].name, name, length);
    type->recent[place].length = length;
    type->recent[place].attribute = *attribute;
    return OCELOTL_OK;
}

static ocelotl_status add(chrome_reader *reader, chrome_type *type, const char *name,
                          size_t name_length, const oc_json_item *value)
{
    uint32_t attribute;
    OC_TRY(find_attribute(&attribute, reader, type, name, name_length));
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

ocelotl_status chrome_end_attributes(chrome_reader *reader)
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
    return OCELOTL_OK;
}

ocelotl_status chrome_add_attribute(chrome_reader *reader, chrome_type *type, const char *name,
                                    const oc_json_item *value)
{
    return value->bytes == NULL ? OCELOTL_OK : add(reader, type, name, strlen(name), value);
}

/* Adds an argument. One that is named like a member of the event gets a prefix. */
static ocelotl_status add_argument(chrome_reader *reader, chrome_type *type,
                                   const chrome_member *argument)
{
    static const char *const taken[] = {"cat", "id", "s", "name", "open", "scope"};
    const bool is_short = argument->key.length <= sizeof "scope" - 1;
    const size_t count = sizeof taken / sizeof taken[0];
    const bool has_scope = reader->element.keys[CHROME_SCOPE].bytes != NULL;
    for (size_t i = 0; i < count - !has_scope && is_short; i++)
        if (oc_json_is(&argument->key, taken[i])) {
            char name[16];
            snprintf(name, sizeof name, "args.%s", taken[i]);
            return add(reader, type, name, strlen(name), &argument->value);
        }
    return add(reader, type, argument->key.bytes, argument->key.length, &argument->value);
}

ocelotl_status chrome_add_arguments(chrome_reader *reader, chrome_type *type)
{
    const chrome_element *element = &reader->element;
    const oc_json_item *arguments = &element->keys[CHROME_ARGUMENTS];
    OC_TRY(chrome_add_attribute(reader, type, "cat", &element->keys[CHROME_CATEGORY]));
    for (size_t i = 0; i < element->arguments.count; i++)
        OC_TRY(add_argument(reader, type, &element->arguments.all[i]));
    if (arguments->bytes != NULL && arguments->kind != '{')
        OC_TRY(chrome_add_attribute(reader, type, "args", arguments));
    for (size_t i = 0; i < element->others.count; i++)
        OC_TRY(add_argument(reader, type, &element->others.all[i]));
    return chrome_add_attribute(reader, type, "scope", &element->keys[CHROME_SCOPE]);
}

void chrome_names_free(chrome_reader *reader)
{
    for (size_t i = 0; i < CHROME_KINDS; i++) {
        chrome_type *type = &reader->types[i];
        oc_map_free(&type->value_of);
        oc_map_free(&type->attribute_of);
        for (size_t a = 0; a < type->attribute_count; a++)
            free(type->attributes[a]);
        free(type->attributes);
    }
    oc_map_free(&reader->counter_of);
    oc_folding_free(&reader->folding);
    free(reader->attributes);
    oc_text_free(&reader->name);
    oc_text_free(&reader->texts);
    oc_text_free(&reader->key);
    oc_text_free(&reader->last_key);
}
