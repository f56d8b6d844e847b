#include "importers/common/oddities.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const common_names[] = {
    [OC_POP_OF_NOTHING] = "pop of an empty stack (ignored)",
    [OC_CHANGE_OF_NOTHING] = "change of a variable that was never set (taken from 0)",
    [OC_LINK_REVERSED] = "link that ends before it starts (kept)",
    [OC_LINK_WITHOUT_END] = "link without an end (kept)",
    [OC_LINK_WITHOUT_START] = "link without a start (kept)",
    [OC_LINK_SIDES_DIFFER] = "link whose sides say different things (that of its begin is kept)",
    [OC_STATE_OPEN] = "state open at the end of the trace (ended there)",
    [OC_STATE_CROSSES] = "state that crosses another (on a lane of its own)",
    [OC_END_LEFT_OUT] = "end of a state without its begin (left out)",
    [OC_END_FROM_BEGIN] = "end of a state without its begin (taken from the trace's beginning)",
    [OC_END_OF_OUTER] = "end of a state inside which others are open (those stay open)",
    [OC_END_OF_OTHER] = "end of a state by a name that is not open (the innermost one ends)",
    [OC_ROW_SHARED] = "resource that several files have at one time (each further one has a lane)",
    [OC_LAST_LINE_OPEN] = "last line that has no end of line (it may be cut)",
};

/* The most kinds of broken lines that are counted separately. */
static const size_t max_skipped = 256;

void oc_oddities_free(oc_oddities *oddities)
{
    for (size_t i = 0; i < oddities->skipped_count; i++)
        oc_text_free(&oddities->skipped[i]);
    free(oddities->skipped);
    free(oddities->first_skipped);
    for (size_t i = 0; i < OC_MOST_ODDITIES; i++)
        free(oddities->texts[i]);
}

void oc_oddities_note(oc_oddities *oddities, size_t oddity, const char *file, uint64_t line)
{
    if (oddities->counts[oddity]++ == 0)
        oddities->places[oddity] = (oc_place){file, line};
}

ocelotl_status oc_oddities_keep(oc_oddities *oddities, size_t oddity, const char *place)
{
    return oddities->counts[oddity]++ == 0 ? oc_copy_text(&oddities->texts[oddity], place)
                                           : OCELOTL_OK;
}

/* Broken lines are counted by kind: the message without its names and numbers, and without what was
 * expected. */
static void describe_kind(oc_text *kind, const char *message)
{
    bool quoted = false;
    oc_text_add(kind, "skipped line: ");
    for (; *message != '\0' && (quoted || *message != ','); message++) {
        const int last = kind->failed ? 0 : kind->bytes[kind->length - 1];
        const bool digit = *message >= '0' && *message <= '9';
        quoted = quoted != (*message == '"');
        if (!quoted && *message != '"' && !(*message == ' ' && last == ' ') &&
            !(digit && last == 'N'))
            oc_text_append(kind, digit ? "N" : message, 1);
    }
    while (!kind->failed && kind->bytes[kind->length - 1] == ' ')
        kind->bytes[--kind->length] = '\0';
}

/* Counts what is skipped, and keeps the message of the first. */
static ocelotl_status count_skipped(oc_oddities *oddities)
{
    if (oddities->skipped_lines++ > 0)
        return OCELOTL_OK;
    free(oddities->first_skipped);
    oddities->first_skipped = NULL;
    return oc_copy_text(&oddities->first_skipped, ocelotl_error_message());
}

ocelotl_status oc_oddities_fail_empty(const oc_oddities *oddities, const char *path,
                                      const char *message)
{
    if (oddities->skipped_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s", path, message);
    char more[64] = "";
    if (oddities->skipped_lines > 1)
        snprintf(more, sizeof more, " (the first of %" PRIu64 ")", oddities->skipped_lines);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: holds nothing that can be read: %s%s", path,
                   oddities->first_skipped, more);
}

ocelotl_status oc_oddities_lose_rest(oc_oddities *oddities, const char *what)
{
    char kind[64];
    snprintf(kind, sizeof kind, "skipped rest of the %s", what);
    OC_TRY(ocelotl_writer_warning(oddities->writer, kind, 1, ocelotl_error_message()));
    return count_skipped(oddities);
}

/* Finds the kind of a broken line. A name can hold a quote, so that the text behind it looks like
 * words of the message: a source can make any number of kinds. Those beyond the most count as
 * one. */
static const char *find_kind(oc_oddities *oddities, const oc_text *kind)
{
    for (size_t i = 0; i < oddities->skipped_count; i++)
        if (strcmp(oddities->skipped[i].bytes, kind->bytes) == 0)
            return oddities->skipped[i].bytes;
    if (oddities->skipped_count >= max_skipped)
        return "skipped line: of one more kind";
    oc_text copy = {0};
    oc_text_add(&copy, kind->bytes);
    if (copy.failed || oc_grow(&oddities->skipped, &oddities->skipped_capacity,
                               oddities->skipped_count + 1, sizeof copy) != OCELOTL_OK) {
        oc_text_free(&copy);
        return NULL;
    }
    oddities->skipped[oddities->skipped_count++] = copy;
    return copy.bytes;
}

/* Appends a place: "FILE:LINE", with the byte where more than a line is known. */
static void add_place(oc_text *text, const char *file, uint64_t line)
{
    const bool has_byte = line >> 63 != 0;
    oc_text_format(text, "%s:%" PRIu64, file, has_byte ? line << 1 >> 41 : line);
    if (has_byte)
        oc_text_format(text, ", byte %" PRIu64, line & (((uint64_t)1 << 40) - 1));
}

ocelotl_status oc_oddities_skip(oc_oddities *oddities, ocelotl_status status, const char *file,
                                uint64_t line)
{
    oc_text kind = {0};
    if (status != OCELOTL_ERROR_INPUT && status != OCELOTL_ERROR_ARGUMENT)
        return status;
    if (oddities->lenient)
        describe_kind(&kind, ocelotl_error_message());
    oc_text place = {0};
    add_place(&place, file, line);
    oc_fail_within(OCELOTL_ERROR_INPUT, "%s", place.failed ? file : place.bytes);
    oc_text_free(&place);
    if (!oddities->lenient)
        return OCELOTL_ERROR_INPUT;
    const char *name = kind.failed ? NULL : find_kind(oddities, &kind);
    status = name == NULL
                 ? oc_fail_memory()
                 : ocelotl_writer_warning(oddities->writer, name, 1, ocelotl_error_message());
    oc_text_free(&kind);
    return status == OCELOTL_OK ? count_skipped(oddities) : status;
}

/* Says where an oddity was first met, as far as that is known. */
static void describe_place(oc_text *place, const oc_oddities *oddities, size_t oddity)
{
    const oc_place *first = &oddities->places[oddity];
    oc_text_clear(place);
    oc_text_add(place, "");
    if (oddities->texts[oddity] != NULL)
        oc_text_format(place, "first at %s", oddities->texts[oddity]);
    else if (first->line > 0) {
        oc_text_add(place, "first at ");
        add_place(place, first->file, first->line);
    } else if (first->file != NULL && first->file[0] != '\0')
        oc_text_format(place, "first in %s", first->file);
}

static ocelotl_status write_all(const oc_oddities *oddities, oc_text *place)
{
    for (size_t i = 0; i < OC_COMMON_ODDITIES + oddities->name_count; i++) {
        const char *name =
            i < OC_COMMON_ODDITIES ? common_names[i] : oddities->names[i - OC_COMMON_ODDITIES];
        if (oddities->counts[i] == 0)
            continue;
        describe_place(place, oddities, i);
        if (place->failed)
            return oc_fail_memory();
        OC_TRY(ocelotl_writer_warning(oddities->writer, name, oddities->counts[i], place->bytes));
    }
    return OCELOTL_OK;
}

/* Counts event types whose names would be better attributes. */
static ocelotl_status warn_of_many(const oc_oddities *oddities)
{
    enum { MANY = 4096 };
    uint64_t found = 0;
    const uint32_t count = ocelotl_writer_event_type_count(oddities->writer);
    for (uint32_t type = 0; type < count; type++)
        found += ocelotl_writer_value_count(oddities->writer, type) > MANY;
    if (found == 0)
        return OCELOTL_OK;
    return ocelotl_writer_warning(oddities->writer,
                                  oddities->can_fold ? "event type of more than 4096 names "
                                                       "(--fold-names REGEX makes them fewer)"
                                                     : "event type of more than 4096 names (kept)",
                                  found, "");
}

ocelotl_status oc_oddities_finish(const oc_oddities *oddities)
{
    oc_text place = {0};
    ocelotl_status status = write_all(oddities, &place);
    oc_text_free(&place);
    if (status == OCELOTL_OK)
        status = warn_of_many(oddities);
    return status == OCELOTL_OK ? oc_notices_write(oddities->left, oddities->writer) : status;
}
