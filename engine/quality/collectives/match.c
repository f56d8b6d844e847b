/* Which states are one operation: the k-th of all members, if each has as many. */
#include "quality/collectives/collectives.h"

#include "base/file/bulk.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_PAIRED = 64, LONGEST_WORDS = 2000 };

ocelotl_status oc_collectives_leave_out(oc_collectives *collectives, const char *name,
                                        uint64_t count, const char *why)
{
    oc_text words = {0};
    collectives->left_out_count += count;
    if (collectives->left_out != NULL) {
        oc_text_add(&words, collectives->left_out);
        if (words.length > LONGEST_WORDS) {
            oc_text_free(&words);
            return OCELOTL_OK;
        }
        oc_text_add(&words, "; ");
    }
    oc_text_add(&words, name);
    if (count > 0)
        oc_text_format(&words, " (%" PRIu64 " operation%s)", count, count == 1 ? "" : "s");
    oc_text_format(&words, ": %s", why);
    free(collectives->left_out);
    collectives->left_out = NULL;
    return oc_text_give(&collectives->left_out, &words);
}

static int compare_entries(const void *left, const void *right)
{
    const oc_entry *a = left;
    const oc_entry *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    return (a->participant.resource > b->participant.resource) -
           (a->participant.resource < b->participant.resource);
}

/* The end of the entries that share a row and a turn. */
static size_t end_of_turn(const oc_entry *entries, size_t from, size_t end)
{
    size_t i = from;
    while (i < end && entries[i].turn == entries[from].turn)
        i++;
    return i;
}

/* The most resources that take part in an operation of a row. */
static size_t count_members(const oc_entry *entries, size_t count)
{
    size_t members = 0;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const oc_entry *before = i > 0 ? &entries[i - 1] : NULL;
        if (before == NULL || before->turn != entries[i].turn)
            members = 0;
        members += members == 0 || before->participant.resource != entries[i].participant.resource;
        most = members > most ? members : most;
    }
    return most;
}

/* Why a row says nothing; NULL: it does. */
static const char *find_fault(const oc_entry *entries, size_t count, size_t members, bool numbered)
{
    bool is_rooted = false;
    bool has_root = false;
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_turn(entries, i, count);
        if (end - i != members && !numbered)
            return "not all of its resources have it equally often";
        for (size_t m = i; m < end; m++) {
            if (entries[m].kind != entries[i].kind)
                return "its resources do different operations at once";
            is_rooted =
                is_rooted || entries[i].kind == OC_ONE_TO_ALL || entries[i].kind == OC_ALL_TO_ONE;
            has_root = has_root || entries[m].participant.is_root;
        }
    }
    return is_rooted && !has_root ? "its root is not known" : NULL;
}

static ocelotl_status add_operation(oc_collectives *to, const oc_entry *entries, size_t members,
                                    const oc_collective_row *row)
{
    OC_TRY(oc_bulk_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items));
    OC_TRY(oc_bulk_grow(&to->participants, &to->participant_capacity,
                        to->participant_count + members, sizeof *to->participants));
    to->items[to->count++] = (oc_collective){entries->kind, row->event_type, entries->row,
                                             to->participant_count, members};
    for (size_t m = 0; m < members; m++)
        to->participants[to->participant_count++] = entries[m].participant;
    return OCELOTL_OK;
}

/* Adds the operations of a row. */
static ocelotl_status match_row(oc_collectives *to, const oc_entry *entries, size_t count,
                                const oc_collective_row *row)
{
    const size_t members = count_members(entries, count);
    const char *fault = row->size > members ? "not all of its ranks are in the trace"
                                            : find_fault(entries, count, members, row->numbered);
    uint64_t lacking = 0;
    uint64_t turns = 0;
    for (size_t k = 0, end; k < count; k = end) {
        end = end_of_turn(entries, k, count);
        bool whole = end - k == members;
        for (size_t m = k + 1; m < end && whole; m++)
            whole = entries[m].participant.resource != entries[m - 1].participant.resource;
        turns++;
        lacking += !whole;
        if (fault == NULL && whole && members > 1 && entries[k].kind != OC_COLLECTIVE_NONE)
            OC_TRY(add_operation(to, &entries[k], members, row));
    }
    if (fault != NULL)
        return oc_collectives_leave_out(to, row->name, turns, fault);
    return lacking == 0 ? OCELOTL_OK
                        : oc_collectives_leave_out(to, row->name, lacking,
                                                   "a member of these is missing, or has it twice");
}

ocelotl_status oc_collectives_match(oc_collectives *collectives, oc_entry *entries, size_t count,
                                    const oc_collective_row *rows)
{
    OC_TRY(oc_bulk_sort(entries, count, sizeof *entries, compare_entries));
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && entries[end].row == entries[i].row;)
            end++;
        OC_TRY(match_row(collectives, &entries[i], end - i, &rows[entries[i].row]));
    }
    return OCELOTL_OK;
}

void oc_collectives_free(oc_collectives *collectives)
{
    oc_bulk_free(collectives->items);
    oc_bulk_free(collectives->participants);
    free(collectives->left_out);
    *collectives = (oc_collectives){0};
}

/* --- Pairs */

static ocelotl_status pair_all(const oc_participant *members, size_t count, oc_take_waiting take,
                               void *context)
{
    for (size_t i = 0; i < count; i++) {
        if (count <= MOST_PAIRED) {
            for (size_t j = 0; j < count; j++)
                if (i != j && members[j].gives)
                    OC_TRY(take(context, &members[j], &members[i]));
            continue;
        }
        for (size_t step = 1; step < count; step *= 2) {
            const oc_participant *before = &members[(i + count - step) % count];
            const oc_participant *behind = &members[(i + step) % count];
            if (before->gives)
                OC_TRY(take(context, before, &members[i]));
            if (behind->gives)
                OC_TRY(take(context, behind, &members[i]));
        }
    }
    return OCELOTL_OK;
}

ocelotl_status oc_collective_pairs(const oc_collectives *collectives, const oc_collective *one,
                                   oc_take_waiting take, void *context)
{
    const oc_participant *members = &collectives->participants[one->first];
    const oc_participant *root = NULL;
    if (one->kind == OC_ALL_TO_ALL)
        return pair_all(members, one->count, take, context);
    for (size_t i = 0; i < one->count; i++)
        if (members[i].is_root)
            root = &members[i];
    for (size_t i = 0; root != NULL && i < one->count; i++) {
        if (&members[i] == root)
            continue;
        if (one->kind == OC_ONE_TO_ALL && members[i].takes)
            OC_TRY(take(context, root, &members[i]));
        if (one->kind == OC_ALL_TO_ONE && members[i].gives)
            OC_TRY(take(context, &members[i], root));
    }
    return OCELOTL_OK;
}
