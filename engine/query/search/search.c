/* What of a trace a text may mean. */
#define _GNU_SOURCE
#include "query/search.h"
#include "base/memory.h"
#include "store/trace/paths.h"

#include <stdlib.h>
#include <string.h>

typedef struct oc_candidate {
    ocelotl_found_kind kind;
    uint32_t index;
    ocelotl_match match;
    size_t length; /* of the name, or the path */
} candidate;

/* --- How a name answers */

static inline char folded(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

static bool begins(const char *name, const char *text)
{
    while (*text != '\0' && folded(*name) == folded(*text)) {
        name++;
        text++;
    }
    return *text == '\0';
}

static bool is_of_word(char letter)
{
    const char low = folded(letter);
    return (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || (low & '\x80') != 0;
}

/* A word begins behind what is none of it, and where capitals or numbers begin. */
static bool begins_word(const char *name, size_t place)
{
    const char here = name[place];
    const char before = name[place - 1];
    const bool number = here >= '0' && here <= '9' && (before < '0' || before > '9');
    const bool capital = here >= 'A' && here <= 'Z' && (before < 'A' || before > 'Z');
    return !is_of_word(before) || number || capital;
}

static bool has_letters(const char *name, const char *text)
{
    for (; *name != '\0' && *text != '\0'; name++)
        if (folded(*name) == folded(*text))
            text++;
    return *text == '\0';
}

static bool answers(ocelotl_match *match, const char *name, const char *text)
{
    bool inside = false;
    if (begins(name, text)) {
        *match = strlen(name) == strlen(text) ? OCELOTL_MATCH_WHOLE : OCELOTL_MATCH_BEGIN;
        return true;
    }
    for (size_t i = 1; name[0] != '\0' && name[i] != '\0'; i++) {
        if (!begins(name + i, text))
            continue;
        inside = true;
        *match = begins_word(name, i) ? OCELOTL_MATCH_WORD : OCELOTL_MATCH_INSIDE;
        if (*match == OCELOTL_MATCH_WORD)
            return true;
    }
    if (!inside)
        *match = OCELOTL_MATCH_LETTERS;
    return inside || has_letters(name, text);
}

/* --- All names */

static ocelotl_status try_name(ocelotl_search *search, ocelotl_found_kind kind, uint32_t index,
                               const char *name, const char *text)
{
    ocelotl_match match;
    if (!answers(&match, name, text))
        return OCELOTL_OK;
    OC_TRY(oc_grow(&search->candidates, &search->capacity, search->count + 1,
                   sizeof *search->candidates));
    search->candidates[search->count++] = (candidate){kind, index, match, strlen(name)};
    search->total++;
    return OCELOTL_OK;
}

static ocelotl_status try_all(ocelotl_search *search, const oc_paths *paths, const char *text)
{
    const ocelotl_trace *trace = search->trace;
    const bool by_path = strchr(text, '/') != NULL;
    for (uint32_t i = 0; i < trace->resource_count; i++) {
        const char *name = by_path ? oc_path_of(paths, i) : trace->resources[i].name;
        OC_TRY(try_name(search, OCELOTL_FOUND_RESOURCE, i, name, text));
    }
    for (uint32_t i = 0; i < trace->event_type_count; i++)
        OC_TRY(try_name(search, OCELOTL_FOUND_EVENT_TYPE, i, trace->event_types[i].name, text));
    for (uint32_t i = 0; i < trace->value_count; i++)
        OC_TRY(try_name(search, OCELOTL_FOUND_VALUE, i, trace->values[i].name, text));
    return OCELOTL_OK;
}

static int compare(const void *a, const void *b)
{
    const candidate *left = a;
    const candidate *right = b;
    if (left->match != right->match)
        return left->match < right->match ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->length != right->length)
        return left->length < right->length ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

/* --- What is kept of them */

static ocelotl_status keep(ocelotl_search *search, const oc_paths *paths, size_t place)
{
    const ocelotl_trace *trace = search->trace;
    const candidate *one = &search->candidates[place];
    ocelotl_found *found = &search->found[place];
    *found = (ocelotl_found){.kind = one->kind, .index = one->index, .match = one->match};
    if (one->kind == OCELOTL_FOUND_RESOURCE) {
        found->name = trace->resources[one->index].name;
        search->places[place] = strdup(oc_path_of(paths, one->index));
        found->place = search->places[place];
        return found->place != NULL ? OCELOTL_OK : oc_fail_memory();
    }
    const bool value = one->kind == OCELOTL_FOUND_VALUE;
    found->name = value ? trace->values[one->index].name : trace->event_types[one->index].name;
    found->place = ocelotl_trace_event_type_spelling(
        trace, value ? trace->values[one->index].event_type : one->index);
    return OCELOTL_OK;
}

static ocelotl_status find(ocelotl_search *search, const oc_paths *paths, const char *text,
                           size_t most)
{
    OC_TRY(try_all(search, paths, text));
    if (search->count > 0)
        qsort(search->candidates, search->count, sizeof *search->candidates, compare);
    search->count = search->count < most ? search->count : most;
    OC_TRY(oc_allocate(&search->found, search->count, sizeof *search->found));
    OC_TRY(oc_allocate(&search->places, search->count, sizeof *search->places));
    for (size_t i = 0; i < search->count; i++)
        OC_TRY(keep(search, paths, i));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_search_open(ocelotl_search **search, const ocelotl_trace *trace,
                                   const char *text, size_t most)
{
    enum { DEFAULT_MOST = 200 };
    ocelotl_search *made;
    oc_paths paths = {0};
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    ocelotl_status status = oc_paths_make(&paths, trace);
    if (status == OCELOTL_OK && text[0] != '\0')
        status = find(made, &paths, text, most > 0 ? most : DEFAULT_MOST);
    oc_paths_free(&paths);
    if (status == OCELOTL_OK)
        *search = made;
    else
        ocelotl_search_free(made);
    return status;
}

void ocelotl_search_free(ocelotl_search *search)
{
    if (search == NULL)
        return;
    for (size_t i = 0; search->places != NULL && i < search->count; i++)
        free(search->places[i]);
    free(search->places);
    free(search->found);
    free(search->candidates);
    free(search);
}
