#include "importers/chrome/element.h"

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

static chrome_key find_key(const chrome_value *key)
{
    for (int k = 0; k < CHROME_KEYS; k++)
        if (key->length == names[k].length && key->bytes[0] == names[k].name[0] &&
            memcmp(key->bytes, names[k].name, names[k].length) == 0)
            return (chrome_key)k;
    return CHROME_KEYS;
}

/* A member, as far as the value's beginning. */
static chrome_scan scan_key(chrome_value *key, chrome_cursor *cursor)
{
    chrome_skip_blanks(cursor);
    if (*cursor->next != '"')
        return chrome_fail(cursor, "a name in quotes");
    const chrome_scan found = chrome_scan_string(key, cursor);
    if (found != CHROME_FOUND)
        return found;
    const chrome_scan passed = chrome_pass(cursor, ':', "a colon");
    chrome_skip_blanks(cursor);
    return passed;
}

/* Passes the comma to the next member, or the end: *more says which. */
static chrome_scan pass_member(bool *more, chrome_cursor *cursor)
{
    chrome_skip_blanks(cursor);
    *more = *cursor->next == ',';
    if (*more) {
        cursor->next++;
        return CHROME_FOUND;
    }
    return chrome_pass(cursor, '}', "a comma or }");
}

/* Passes the opening bracket; *more is false where the object is empty. */
static chrome_scan pass_opening(bool *more, chrome_cursor *cursor)
{
    const chrome_scan found = chrome_pass(cursor, '{', "an object");
    chrome_skip_blanks(cursor);
    *more = *cursor->next != '}';
    if (found == CHROME_FOUND && !*more)
        cursor->next++;
    return found;
}

static ocelotl_status add(chrome_members *members, const chrome_value *key,
                          const chrome_value *value)
{
    OC_TRY(oc_grow(&members->all, &members->capacity, members->count + 1, sizeof *members->all));
    members->all[members->count++] = (chrome_member){*key, *value};
    return OCELOTL_OK;
}

chrome_scan chrome_members_scan(ocelotl_status *status, chrome_members *members,
                                chrome_cursor *cursor)
{
    bool more;
    members->count = 0;
    chrome_scan found = pass_opening(&more, cursor);
    while (found == CHROME_FOUND && more && *status == OCELOTL_OK) {
        chrome_value key;
        chrome_value value;
        found = scan_key(&key, cursor);
        if (found == CHROME_FOUND)
            found = chrome_scan_value(&value, cursor);
        if (found == CHROME_FOUND)
            *status = add(members, &key, &value);
        if (found == CHROME_FOUND)
            found = pass_member(&more, cursor);
    }
    return found;
}

static chrome_scan scan_member(ocelotl_status *status, chrome_element *element,
                               chrome_cursor *cursor)
{
    chrome_value key = {.bytes = ""};
    chrome_value value;
    chrome_scan found = scan_key(&key, cursor);
    if (found != CHROME_FOUND)
        return found;
    const chrome_key known = find_key(&key);
    if (known == CHROME_ARGUMENTS && *cursor->next == '{') {
        value = (chrome_value){cursor->next, 0, '{', false};
        found = chrome_members_scan(status, &element->arguments, cursor);
        value.length = (size_t)(cursor->next - value.bytes);
    } else
        found = chrome_scan_value(&value, cursor);
    if (found != CHROME_FOUND)
        return found;
    if (known < CHROME_KEYS)
        element->keys[known] = value;
    else
        *status = add(&element->others, &key, &value);
    return CHROME_FOUND;
}

chrome_scan chrome_element_scan(ocelotl_status *status, chrome_element *element,
                                chrome_cursor *cursor)
{
    bool more;
    memset(element->keys, 0, sizeof element->keys);
    element->arguments.count = 0;
    element->others.count = 0;
    chrome_scan found = pass_opening(&more, cursor);
    element->has_members = more;
    while (found == CHROME_FOUND && more && *status == OCELOTL_OK) {
        found = scan_member(status, element, cursor);
        if (found == CHROME_FOUND)
            found = pass_member(&more, cursor);
    }
    return found;
}

chrome_value chrome_members_find(const chrome_members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++)
        if (chrome_is(&members->all[i].key, name))
            return members->all[i].value;
    return (chrome_value){0};
}

void chrome_element_free(chrome_element *element)
{
    free(element->arguments.all);
    free(element->others.all);
    *element = (chrome_element){0};
}
