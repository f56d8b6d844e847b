/* Which traces of a folder are listed, and in which order. */
#define _GNU_SOURCE
#include "base/format/condition.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "folder/folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Values by name */

/* When it was recorded, else when it was changed last: ISO 8601 and so in the order of time. */
static const char *date_of(const oc_listed *listed)
{
    return listed->trace.recorded[0] != '\0' ? listed->trace.recorded : listed->modified;
}

enum { TEXT_COUNT = 7 };

/* The texts of a trace that have no value of their own. */
static const char *text_of(const oc_listed *listed, size_t which)
{
    const ocelotl_folder_trace *trace = &listed->trace;
    const char *const texts[TEXT_COUNT] = {trace->name,   trace->kind,     trace->format,
                                           trace->title,  date_of(listed), trace->uid,
                                           trace->problem};
    return texts[which] != NULL ? texts[which] : "";
}

static const char *const text_names[TEXT_COUNT] = {"name", "kind", "format", "title",
                                                   "date", "uid",  "problem"};

/* A number of a trace; negative: it is not known. */
static double number_of(const oc_listed *listed, ocelotl_folder_column column)
{
    const ocelotl_folder_trace *trace = &listed->trace;
    switch (column) {
    case OCELOTL_FOLDER_DURATION:
        return trace->is_known ? trace->duration : -1;
    case OCELOTL_FOLDER_EVENTS:
        return trace->is_known ? (double)trace->events : -1;
    case OCELOTL_FOLDER_RESOURCES:
        return trace->is_known ? (double)trace->resources : -1;
    case OCELOTL_FOLDER_SIZE:
        return trace->is_folder ? -1 : (double)trace->size;
    case OCELOTL_FOLDER_NOTES:
        return (double)ocelotl_notes_count(trace->notes);
    default:
        return -1;
    }
}

static const struct {
    const char *name;
    ocelotl_folder_column column;
} numbers[] = {{"duration", OCELOTL_FOLDER_DURATION},
               {"events", OCELOTL_FOLDER_EVENTS},
               {"resources", OCELOTL_FOLDER_RESOURCES},
               {"size", OCELOTL_FOLDER_SIZE},
               {"notes", OCELOTL_FOLDER_NOTES}};

enum { NUMBER_COUNT = sizeof numbers / sizeof numbers[0] };

/* --- Conditions */

/* The value of a name; NULL: the trace has none. A number is written to `space`. */
static const char *value_of(const oc_listed *listed, const char *name, oc_digits_text *space)
{
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(text_names[i], name) == 0)
            return text_of(listed, i)[0] != '\0' ? text_of(listed, i) : NULL;
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            const double number = number_of(listed, numbers[i].column);
            *space = oc_digits(number);
            return number >= 0 ? space->text : NULL;
        }
    return ocelotl_notes_value(listed->notes, name);
}

static bool is_column(const char *name)
{
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(text_names[i], name) == 0)
            return true;
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return true;
    return false;
}

/* Refuses a name that neither a column nor any trace has. */
static ocelotl_status check_name(const ocelotl_folder *folder, const char *name)
{
    oc_nearest_name nearest = oc_nearest_to(name, strlen(name));
    if (is_column(name))
        return OCELOTL_OK;
    for (size_t i = 0; i < TEXT_COUNT; i++)
        oc_nearest_try(&nearest, text_names[i]);
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        oc_nearest_try(&nearest, numbers[i].name);
    for (size_t i = 0; i < folder->count; i++) {
        const ocelotl_notes *notes = folder->list[i].notes;
        if (ocelotl_notes_value(notes, name) != NULL)
            return OCELOTL_OK;
        for (size_t k = 0; k < ocelotl_notes_metadata_count(notes); k++)
            oc_nearest_try(&nearest, ocelotl_notes_metadata_at(notes, k).key);
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no trace has \"%s\"%s%s%s, expected a column or a key of one's own",
                   folder->path, name, nearest.name != NULL ? "; the nearest is \"" : "",
                   nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "\"" : "");
}

/* Drops the traces that a condition does not hold for. */
static ocelotl_status filter(ocelotl_folder *folder, const oc_condition *condition)
{
    size_t kept = 0;
    OC_TRY(check_name(folder, condition->name));
    for (size_t i = 0; i < NUMBER_COUNT && !condition->is_number; i++)
        if (strcmp(numbers[i].name, condition->name) == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is a number, and \"%s\" is none",
                           condition->name, condition->text);
    for (size_t i = 0; i < folder->count; i++) {
        oc_digits_text space;
        const char *value = value_of(&folder->list[i], condition->name, &space);
        bool met = false;
        const ocelotl_status status =
            value != NULL ? oc_condition_decide(&met, condition, value, strlen(value)) : OCELOTL_OK;
        if (status != OCELOTL_OK || met) {
            const oc_listed swapped = folder->list[kept];
            folder->list[kept++] = folder->list[i];
            folder->list[i] = swapped;
        }
        OC_TRY(status);
    }
    for (size_t i = kept; i < folder->count; i++)
        oc_listed_free(&folder->list[i]);
    folder->unmet += folder->count - kept;
    folder->count = kept;
    return OCELOTL_OK;
}

/* --- Order */

static int compare_names(const oc_listed *left, const oc_listed *right)
{
    return strverscmp(left->trace.name, right->trace.name);
}

static int compare_texts(const char *left, const char *right)
{
    const int empty = (left[0] == '\0') - (right[0] == '\0');
    return empty != 0 ? empty : strcmp(left, right);
}

static int compare(const void *one, const void *other, void *of)
{
    const oc_listed *left = one;
    const oc_listed *right = other;
    const ocelotl_folder_column column = ((const ocelotl_folder *)of)->options.sort;
    int order = 0;
    if (column == OCELOTL_FOLDER_FORMAT)
        order = compare_texts(left->trace.format, right->trace.format);
    else if (column == OCELOTL_FOLDER_DATE)
        order = strcmp(date_of(right), date_of(left));
    else if (column != OCELOTL_FOLDER_NAME) {
        const double a = number_of(left, column);
        const double b = number_of(right, column);
        order = (a < b) - (a > b);
    }
    return order != 0 ? order : compare_names(left, right);
}

ocelotl_status oc_folder_arrange(ocelotl_folder *folder)
{
    const ocelotl_names *where = &folder->options.where;
    for (size_t i = 0; i < where->count; i++) {
        oc_condition condition = {.name = NULL};
        ocelotl_status status = oc_condition_read(&condition, where->names[i], true);
        if (status == OCELOTL_OK)
            status = filter(folder, &condition);
        oc_condition_free(&condition);
        OC_TRY(status);
    }
    if (folder->count > 1)
        qsort_r(folder->list, folder->count, sizeof *folder->list, compare, folder);
    return OCELOTL_OK;
}
