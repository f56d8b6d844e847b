#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t length;
} names[CHROME_KEYS] = {
    [CHROME_NAME] = {"name", 4},       [CHROME_CATEGORY] = {"cat", 3},
    [CHROME_PHASE] = {"ph", 2},        [CHROME_TIME] = {"ts", 2},
    [CHROME_DURATION] = {"dur", 3},    [CHROME_PROCESS] = {"pid", 3},
    [CHROME_THREAD] = {"tid", 3},      [CHROME_ID] = {"id", 2},
    [CHROME_ID2] = {"id2", 3},         [CHROME_SCOPE] = {"scope", 5},
    [CHROME_BIND_ID] = {"bind_id", 7}, [CHROME_BINDING_POINT] = {"bp", 2},
    [CHROME_FLOW_IN] = {"flow_in", 7}, [CHROME_FLOW_OUT] = {"flow_out", 8},
    [CHROME_INSTANT_SCOPE] = {"s", 1}, [CHROME_ARGUMENTS] = {"args", 4},
};

static chrome_key find_key(const oc_json_item *key)
{
    for (int k = 0; k < CHROME_KEYS; k++)
        if (key->length == names[k].length && key->bytes[0] == names[k].name[0] &&
            memcmp(key->bytes, names[k].name, names[k].length) == 0)
            return (chrome_key)k;
    return CHROME_KEYS;
}

static ocelotl_status add(chrome_members *members, const oc_json_item *key,
                          const oc_json_item *value)
{
    OC_TRY(oc_grow(&members->all, &members->capacity, members->count + 1, sizeof *members->all));
    members->all[members->count++] = (chrome_member){*key, *value};
    return OCELOTL_OK;
}

/* Scans an object: of an element (`is_element`), or of its arguments, which are members all. */
static oc_json_scan scan_object(chrome_element *element, bool is_element, oc_json_cursor *cursor)
{
    chrome_members *others = is_element ? &element->others : &element->arguments;
    others->count = 0;
    oc_json_scan found = oc_json_pass(cursor, '{', "an object");
    oc_json_skip_blanks(cursor);
    bool more = *cursor->next != '}';
    if (is_element)
        element->has_members = more;
    if (found == OC_JSON_FOUND && !more)
        cursor->next++;
    while (found == OC_JSON_FOUND && more && element->status == OCELOTL_OK) {
        oc_json_item key = {.bytes = ""};
        oc_json_item value;
        found = oc_json_scan_name(&key, cursor);
        if (found != OC_JSON_FOUND)
            return found;
        oc_json_skip_blanks(cursor);
        const chrome_key known = is_element ? find_key(&key) : CHROME_KEYS;
        if (known == CHROME_ARGUMENTS && *cursor->next == '{') {
            value = (oc_json_item){cursor->next, 0, '{', false};
            found = scan_object(element, false, cursor);
            value.length = (size_t)(cursor->next - value.bytes);
        } else
            found = oc_json_scan_value(&value, cursor);
        if (found != OC_JSON_FOUND)
            return found;
        if (known < CHROME_KEYS)
            element->keys[known] = value;
        else
            element->status = add(others, &key, &value);
        oc_json_skip_blanks(cursor);
        more = *cursor->next == ',';
        if (more)
            cursor->next++;
        else
            found = oc_json_pass(cursor, '}', "a comma or }");
    }
    return found;
}

oc_json_scan chrome_element_scan(void *context, oc_json_cursor *cursor)
{
    chrome_element *element = context;
    memset(element->keys, 0, sizeof element->keys);
    element->arguments.count = 0;
    element->status = OCELOTL_OK;
    return scan_object(element, true, cursor);
}

oc_json_item chrome_members_find(const chrome_members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++)
        if (oc_json_is(&members->all[i].key, name))
            return members->all[i].value;
    return (oc_json_item){0};
}

void chrome_element_free(chrome_element *element)
{
    free(element->arguments.all);
    free(element->others.all);
    *element = (chrome_element){0};
}
