#include "store/select/conditions.h"

#include "base/options.h"

#include <string.h>

enum { MOST_CONDITIONS = 64 };

void oc_conditions_free(oc_conditions *conditions)
{
    for (size_t i = 0; i < conditions->count; i++)
        oc_condition_free(&conditions->list[i]);
    oc_arena_free(&conditions->arena);
    *conditions = (oc_conditions){0};
}

/* --- Attributes */

static ocelotl_status fail_unknown(oc_conditions *conditions, const char *name)
{
    const oc_catalogue *catalogue = conditions->catalogue;
    const ocelotl_trace *trace = catalogue->trace;
    const size_t count = conditions->first[trace->event_type_count];
    const char **names = NULL;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: no event carries \"%s\", nor any other attribute", trace->label, name);
    OC_TRY(oc_arena_allocate(&names, &conditions->arena, count, sizeof *names));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        for (size_t a = 0; a < catalogue->attributes[t].count; a++)
            names[conditions->first[t] + a] = catalogue->attributes[t].names[a];
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no event carries \"%s\"; the nearest attribute is \"%s\"", trace->label,
                   name, names[oc_nearest(name, names, count)]);
}

static ocelotl_status bind(oc_conditions *conditions, size_t condition)
{
    const oc_catalogue *catalogue = conditions->catalogue;
    const char *name = conditions->list[condition].name;
    bool found = false;
    for (uint32_t t = 0; t < catalogue->trace->event_type_count; t++)
        for (size_t a = 0; a < catalogue->attributes[t].count; a++)
            if (strcmp(catalogue->attributes[t].names[a], name) == 0) {
                conditions->of_attribute[conditions->first[t] + a] |= (uint64_t)1 << condition;
                conditions->concern[t] |= (uint64_t)1 << condition;
                found = true;
            }
    return found ? OCELOTL_OK : fail_unknown(conditions, name);
}

ocelotl_status oc_conditions_make(oc_conditions *conditions, const oc_catalogue *catalogue,
                                  const ocelotl_names *where)
{
    OC_TRY(oc_check_names(where, "condition"));
    if (where->count == 0)
        return OCELOTL_OK;
    if (where->count > MOST_CONDITIONS)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%zu conditions, expected at most %d", where->count,
                       MOST_CONDITIONS);
    const uint32_t types = catalogue->trace->event_type_count;
    oc_arena *arena = &conditions->arena;
    conditions->catalogue = catalogue;
    OC_TRY(oc_arena_allocate(&conditions->list, arena, where->count, sizeof *conditions->list));
    conditions->count = where->count;
    for (size_t i = 0; i < where->count; i++)
        OC_TRY(oc_condition_read(&conditions->list[i], where->names[i], false));
    OC_TRY(oc_arena_allocate(&conditions->concern, arena, types, sizeof *conditions->concern));
    OC_TRY(
        oc_arena_allocate(&conditions->first, arena, (size_t)types + 1, sizeof *conditions->first));
    for (uint32_t t = 0; t < types; t++)
        conditions->first[t + 1] = conditions->first[t] + catalogue->attributes[t].count;
    OC_TRY(oc_arena_allocate(&conditions->of_attribute, arena, conditions->first[types],
                             sizeof *conditions->of_attribute));
    for (size_t i = 0; i < conditions->count; i++)
        OC_TRY(bind(conditions, i));
    return OCELOTL_OK;
}

/* --- Deciding */

static ocelotl_status look(oc_verdict *verdict, const oc_conditions *conditions,
                           uint32_t event_type, uint32_t attribute, const char *text, size_t length)
{
    const size_t first = conditions->first[event_type];
    if (attribute >= conditions->first[event_type + 1] - first)
        return OCELOTL_OK;
    for (uint64_t rest = conditions->of_attribute[first + attribute]; rest != 0; rest &= rest - 1) {
        const oc_condition *condition = &conditions->list[__builtin_ctzll(rest)];
        bool met;
        OC_TRY(oc_condition_decide(&met, condition, text, length));
        if (met)
            verdict->met |= rest & -rest;
        else
            verdict->failed |= rest & -rest;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_conditions_look(oc_verdict *verdict, const oc_conditions *conditions,
                                  uint32_t event_type, const oc_records *records,
                                  const oc_record *record)
{
    if (!oc_conditions_concern(conditions, event_type))
        return OCELOTL_OK;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *attribute = &records->attributes[record->attribute_first + i];
        OC_TRY(look(verdict, conditions, event_type, attribute->attribute,
                    attribute->length > 0 ? records->text.bytes + attribute->text : "",
                    attribute->length));
    }
    return OCELOTL_OK;
}
