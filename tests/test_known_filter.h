/* Random filters of a known trace, each with the events that pass it, decided here by what was
 * written. */
#ifndef TEST_KNOWN_FILTER_H
#define TEST_KNOWN_FILTER_H

#include "test_query_trace.h"

#include <fnmatch.h>

enum { MOST_KNOWN_CONDITIONS = 3 };

typedef struct known_condition {
    const char *name, *comparison, *text;
    char written[64];
} known_condition;

typedef struct known_filter {
    ocelotl_selection filter;
    known_condition conditions[MOST_KNOWN_CONDITIONS];
    const char *where[MOST_KNOWN_CONDITIONS], *names[1];
    int64_t most;  /* duration of states */
    bool of_links; /* a condition concerns links: those without a beginning carry nothing */
} known_filter;

static inline void known_add_condition(known_filter *made, known_trace *trace)
{
    static const char *const comparisons[] = {"=", "!=", "<", "<=", ">", ">="};
    static const char *const spaces[] = {"", " ", "  "};
    static const struct {
        const char *name, *text;
        bool number;
    } known[] = {{"note", "", true},   {"note", "*7*", false}, {"note", "12", true},
                 {"size", "", true},   {"size", "", true},     {"tag", "x", false},
                 {"tag", "y*", false}, {"Key", "k*5", false},  {"Key", "k1*", false}};
    static char numbers[MOST_KNOWN_CONDITIONS][24];
    const size_t place = made->filter.where.count++;
    const uint32_t which = check_below(&trace->random, sizeof known / sizeof known[0]);
    known_condition *condition = &made->conditions[place];
    condition->name = known[which].name;
    condition->text = known[which].text;
    condition->comparison = comparisons[check_below(&trace->random, known[which].number ? 6 : 2)];
    if (condition->text[0] == '\0') {
        const unsigned number = check_below(&trace->random, (uint32_t)trace->count + 1);
        snprintf(numbers[place], sizeof numbers[place],
                 strcmp(condition->name, "size") == 0 ? "%u.50" : "%u", number);
        condition->text = numbers[place];
    }
    const char *space = spaces[check_below(&trace->random, 3)];
    snprintf(condition->written, sizeof condition->written, "%s%s%s%s%s", condition->name, space,
             condition->comparison, space, condition->text);
    made->where[place] = condition->written;
    made->of_links = made->of_links || strcmp(condition->name, "note") != 0;
}

/* A filter by what events carry, how long they last, and their values or types: any of them or all.
 */
static inline void known_filter_make(known_filter *made, known_trace *trace)
{
    static const char *const names[] = {"one", "two", "Link", "Stat*", "[^L]*"};
    memset(made, 0, sizeof *made);
    made->most = INT64_MAX;
    made->filter.where.names = made->where;
    for (uint32_t i = check_below(&trace->random, MOST_KNOWN_CONDITIONS + 1); i > 0; i--)
        known_add_condition(made, trace);
    if (check_below(&trace->random, 3) == 0)
        made->filter.min_duration = check_below(&trace->random, 30);
    if (check_below(&trace->random, 3) == 0)
        made->most = made->filter.min_duration + check_below(&trace->random, 300);
    made->filter.max_duration = made->most == 0 ? -1 : made->most == INT64_MAX ? 0 : made->most;
    made->names[0] = names[check_below(&trace->random, 5)];
    const uint32_t how = check_below(&trace->random, 4);
    if (how == 0)
        made->filter.only = (ocelotl_names){made->names, 1};
    if (how == 1)
        made->filter.except = (ocelotl_names){made->names, 1};
}

static inline bool known_compares(const char *comparison, int sign)
{
    return (sign == 0 && strchr("=", comparison[0]) != NULL) ||
           (sign != 0 && strcmp(comparison, "!=") == 0) || (sign < 0 && comparison[0] == '<') ||
           (sign > 0 && comparison[0] == '>') ||
           (sign == 0 && (strcmp(comparison, "<=") == 0 || strcmp(comparison, ">=") == 0));
}

/* The text that is carried, from what is expected of an event in JSON; false: none. */
static inline bool known_text(char text[64], const known_event *event, const char *name)
{
    char wanted[16];
    if (strcmp(name, "Key") == 0) {
        snprintf(text, 64, "%s", event->key);
        return text[0] != '\0';
    }
    snprintf(wanted, sizeof wanted, "\"%s\":", name);
    const char *found = strstr(event->attributes, wanted);
    unsigned number;
    if (found == NULL)
        return false;
    found += strlen(wanted);
    if (sscanf(found, "\"\\\"%u", &number) == 1) /* a quote, the number and the end of a line */
        snprintf(text, 64, "\"%u\n", number);
    else if (found[0] == '"')
        snprintf(text, 64, "%.*s", (int)strcspn(found + 1, "\""), found + 1);
    else
        snprintf(text, 64, "%.*s", (int)strcspn(found, ",}"), found);
    return true;
}

static inline bool known_meets(const known_condition *condition, const known_event *event,
                               uint32_t type)
{
    char text[64];
    const bool concerned = strcmp(condition->name, "note") == 0
                               ? type == STATE_TYPE || type == VARIABLE_TYPE || type == EVENT_TYPE
                               : type == LINK_TYPE;
    if (!concerned)
        return true;
    if (!known_text(text, event, condition->name))
        return false;
    char *end;
    const double number = strtod(text, &end);
    const bool numbers = end != text && *end == '\0' && strpbrk(condition->text, "*xky") == NULL;
    if (numbers) {
        const double other = strtod(condition->text, NULL);
        return known_compares(condition->comparison, (number > other) - (number < other));
    }
    if (condition->comparison[0] == '<' || condition->comparison[0] == '>')
        return false;
    return (fnmatch(condition->text, text, 0) == 0) == (strcmp(condition->comparison, "=") == 0);
}

static inline bool known_names_match(const ocelotl_names *names, const char *type,
                                     const char *value)
{
    return names->count > 0 && (fnmatch(names->names[0], type, 0) == 0 ||
                                (value != NULL && fnmatch(names->names[0], value, 0) == 0));
}

/* Whether an event passes by its name. */
static inline bool known_is_named(const known_filter *made, const known_trace *trace, size_t index)
{
    static const char *const types[TYPES] = {"State", "Variable", "Event", "Link", "Plain"};
    const ocelotl_event *event = &trace->events[index].event;
    uint32_t type = 0;
    while (trace->types[type] != event->event_type)
        type++;
    const char *value = event->value == OCELOTL_NONE          ? NULL
                        : event->value == trace->values[type] ? "one"
                                                              : "two";
    return (made->filter.only.count == 0 ||
            known_names_match(&made->filter.only, types[type], value)) &&
           !known_names_match(&made->filter.except, types[type], value);
}

static inline bool known_passes(const known_filter *made, const known_trace *trace, size_t index)
{
    const known_event *event = &trace->events[index];
    const int64_t duration = event->event.end - event->event.begin;
    uint32_t type = 0;
    while (trace->types[type] != event->event.event_type)
        type++;
    if (!known_is_named(made, trace, index))
        return false;
    if (event->event.category == OCELOTL_STATE &&
        (duration < made->filter.min_duration || duration > made->most))
        return false;
    for (size_t i = 0; i < made->filter.where.count; i++)
        if (!known_meets(&made->conditions[i], event, type))
            return false;
    return true;
}

#endif
