/* JSON as programs read it (ocelotl/answer.h). */
#include "base/format/json_scan.h"

#include <ocelotl/answer.h>

static ocelotl_json value_of(const oc_json_item *item)
{
    return (ocelotl_json){item->bytes, item->length, item->kind};
}

ocelotl_status ocelotl_json_read(ocelotl_json *value, const char *text, size_t size)
{
    oc_json_cursor cursor = {text, text + size, NULL};
    oc_json_item item = {0};
    oc_json_scan found = oc_json_scan_value(&item, &cursor);
    if (found == OC_JSON_FOUND) {
        oc_json_skip_blanks(&cursor);
        if (cursor.next != cursor.end)
            found = oc_json_fail(&cursor, "the end");
    }
    if (found == OC_JSON_CUT)
        return oc_fail(OCELOTL_ERROR_INPUT, "byte %zu: the text ends, expected the rest of a value",
                       size);
    if (found == OC_JSON_BROKEN)
        return oc_fail(OCELOTL_ERROR_INPUT, "byte %zu: expected %s", (size_t)(cursor.next - text),
                       cursor.expected);
    *value = value_of(&item);
    return OCELOTL_OK;
}

bool ocelotl_json_next(ocelotl_json *name, ocelotl_json *value, const ocelotl_json *in, size_t *at)
{
    oc_json_item key;
    oc_json_item item;
    const size_t begin = *at > 0 ? *at : 1; /* behind the bracket */
    oc_json_cursor cursor = {in->bytes + begin, in->bytes + in->length, NULL};
    if ((in->kind != '[' && in->kind != '{') || !oc_json_next(&key, &item, &cursor))
        return false;
    *at = (size_t)(cursor.next - in->bytes);
    *name = value_of(&key);
    *value = value_of(&item);
    return true;
}

ocelotl_json ocelotl_json_member(const ocelotl_json *in, const char *name)
{
    ocelotl_json key;
    ocelotl_json value;
    size_t at = 0;
    while (in->kind == '{' && ocelotl_json_next(&key, &value, in, &at))
        if (oc_json_is(&(oc_json_item){.bytes = key.bytes, .length = key.length}, name))
            return value;
    return (ocelotl_json){NULL, 0, 0};
}

ocelotl_status ocelotl_json_text(char **text, const ocelotl_json *value)
{
    oc_text made = {0};
    oc_text_add(&made, "");
    if (value->length > 0)
        oc_json_decode_item(
            &made, &(oc_json_item){value->bytes, value->length, value->kind, value->kind == '"'});
    return oc_text_give(text, &made);
}
