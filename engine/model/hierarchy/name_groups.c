/* Names groups of like siblings by what is in them. */
#include "base/memory.h"
#include "base/text.h"
#include "base/weighed.h"
#include "model/hierarchy/arrange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Longer numbers are taken for text, and so are those that begin with a zero. */
enum { DIGITS_MOST = 15 };

/* Names that differ in one number alone: what is before and after it, and the numbers. */
typedef struct numbered {
    size_t before, after;
    uint64_t *numbers;
} numbered;

/* Finds the last number of a name; false if it has none to count by. */
static bool find_number(size_t *before, size_t *after, uint64_t *number, const char *name)
{
    size_t end = strlen(name);
    *after = 0;
    while (end > 0 && !oc_is_digit(name[end - 1])) {
        end--;
        ++*after;
    }
    *before = end;
    while (*before > 0 && oc_is_digit(name[*before - 1]))
        --*before;
    const size_t digits = end - *before;
    if (digits == 0 || digits > DIGITS_MOST || (digits > 1 && name[*before] == '0'))
        return false;
    *number = strtoull(name + *before, NULL, 10);
    return true;
}

static bool is_numbered(numbered *of, const oc_group_member *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t before;
        size_t after;
        const char *name = members[i].name;
        const char *first = members[0].name;
        if (!find_number(&before, &after, &of->numbers[i], name))
            return false;
        if (i == 0) {
            of->before = before;
            of->after = after;
        }
        if (before != of->before || after != of->after || strncmp(name, first, before) != 0 ||
            strcmp(name + strlen(name) - after, first + strlen(first) - after) != 0)
            return false;
    }
    return true;
}

static bool ascend(const uint64_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i] < numbers[i - 1])
            return false;
    return true;
}

/* Takes back to `length` what does not fit into `room` characters any more. */
static bool fits(oc_text *text, size_t length, size_t room)
{
    if (text->failed || oc_count_characters(text->bytes) <= room)
        return true;
    text->length = length;
    text->bytes[length] = '\0';
    return false;
}

/* "1, 4-7"; false where not all of them fit. */
static bool add_ranges(oc_text *text, const uint64_t *numbers, uint32_t count, size_t room)
{
    for (uint32_t i = 0; i < count;) {
        uint32_t last = i;
        const size_t length = text->length;
        while (last + 1 < count && numbers[last + 1] - numbers[last] <= 1)
            last++;
        oc_text_format(text, "%s%" PRIu64, i > 0 ? ", " : "", numbers[i]);
        if (numbers[last] > numbers[i])
            oc_text_format(text, "%s%" PRIu64, numbers[last] - numbers[i] > 1 ? "-" : ", ",
                           numbers[last]);
        if (!fits(text, length, room))
            return false;
        i = last + 1;
    }
    return true;
}

static bool add_names(oc_text *text, const oc_group_member *members, uint32_t count, size_t room)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t length = text->length;
        oc_text_add(text, i > 0 ? ", " : "");
        oc_text_add(text, members[i].name);
        if (!fits(text, length, room))
            return false;
    }
    return true;
}

/* Adds all members if they fit; the text around their numbers is written once. */
static bool add_all(oc_text *text, const numbered *of, const oc_group_member *members,
                    uint32_t count)
{
    const char *first = members[0].name;
    if (of == NULL)
        return add_names(text, members, count, OC_GROUP_NAME_MOST);
    const size_t closing =
        of->after > 0 ? oc_count_characters(first + strlen(first) - of->after) + 1 : 0;
    if (of->before + closing >= OC_GROUP_NAME_MOST)
        return false;
    oc_text_append(text, first, of->before);
    oc_text_add(text, of->after > 0 ? "[" : "");
    if (!add_ranges(text, of->numbers, count, OC_GROUP_NAME_MOST - closing))
        return false;
    if (of->after > 0)
        oc_text_format(text, "]%s", first + strlen(first) - of->after);
    return true;
}

/* Adds the resource type of all members. */
static void add_kind(oc_text *text, const oc_group_member *members, uint32_t count)
{
    const char *kind = members[0].kind != NULL ? members[0].kind : "";
    for (uint32_t i = 1; i < count; i++)
        if (members[i].kind == NULL || strcmp(members[i].kind, kind) != 0)
            kind = "";
    oc_text_add_kinds(text, kind, count);
}

/* "12 hosts: 16, 20-24, .." */
static void add_some(oc_text *text, const numbered *of, const oc_group_member *members,
                     uint32_t count)
{
    enum { DOTS = 4 };
    oc_text_format(text, "%" PRIu32 " ", count);
    add_kind(text, members, count);
    const size_t without = text->length;
    oc_text_add(text, ": ");
    const size_t begun = text->length;
    const size_t room = OC_GROUP_NAME_MOST - DOTS;
    const bool all = of != NULL ? add_ranges(text, of->numbers, count, room)
                                : add_names(text, members, count, room);
    if (text->failed || all)
        return;
    if (text->length > begun) {
        oc_text_add(text, ", ..");
    } else {
        text->length = without;
        text->bytes[without] = '\0';
    }
}

ocelotl_status oc_group_name(oc_text *name, const oc_group_member *members, uint32_t count)
{
    numbered of = {0};
    oc_text all = {0};
    OC_TRY(oc_allocate(&of.numbers, count, sizeof *of.numbers));
    const bool by_number = is_numbered(&of, members, count);
    if (by_number && !ascend(of.numbers, count))
        qsort(of.numbers, count, sizeof *of.numbers, oc_compare_counts);
    oc_text_append(&all, "", 0);
    if (add_all(&all, by_number ? &of : NULL, members, count))
        oc_text_add(name, all.bytes != NULL ? all.bytes : "");
    else
        add_some(name, by_number ? &of : NULL, members, count);
    const bool failed = all.failed || name->failed;
    oc_text_free(&all);
    free(of.numbers);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

typedef struct naming {
    oc_arrangement *arrangement;
    uint32_t *above; /* by node: the nearest node above it that is no group */
    oc_group_member *members;
} naming;

/* Names a member. The paths of siblings of one name end in #2, #3, which distinguishes them. */
static const char *name_member(oc_arrangement *arrangement, const oc_arranged_node *node)
{
    const char *number = strrchr(node->path, '#');
    const char *own = strrchr(node->given.name, '#');
    if (number == NULL || strchr(number, '/') != NULL || (own != NULL && strcmp(own, number) == 0))
        return node->given.name;
    oc_text text = {0};
    oc_text_add(&text, node->given.name);
    oc_text_add(&text, number);
    return oc_arrangement_take(arrangement, &text);
}

/* Names a group by its members; nodes below it follow it. */
static ocelotl_status name_group(naming *of, uint32_t group)
{
    oc_arranged_node *nodes = of->arrangement->nodes;
    oc_text text = {0};
    uint32_t count = 0;
    for (uint32_t k = group + 1; k < of->arrangement->count && nodes[k].given.parent >= group; k++)
        if (!nodes[k].alike && of->above[k] == of->above[group])
            of->members[count++] =
                (oc_group_member){name_member(of->arrangement, &nodes[k]), nodes[k].given.kind};
    const ocelotl_status status = oc_group_name(&text, of->members, count);
    nodes[group].given.name = oc_arrangement_take(of->arrangement, &text);
    nodes[group].path =
        oc_arrangement_path(of->arrangement, of->above[group], nodes[group].given.name);
    return status;
}

static ocelotl_status name_all(naming *of, oc_arena *arena)
{
    const oc_arranged_node *nodes = of->arrangement->nodes;
    const uint32_t count = of->arrangement->count;
    OC_TRY(oc_arena_allocate(&of->above, arena, count, sizeof *of->above));
    OC_TRY(oc_arena_allocate(&of->members, arena, count, sizeof *of->members));
    for (uint32_t k = 1; k < count; k++) {
        const uint32_t parent = nodes[k].given.parent;
        of->above[k] = nodes[parent].alike ? of->above[parent] : parent;
    }
    for (uint32_t k = 1; k < count; k++)
        if (nodes[k].alike)
            OC_TRY(name_group(of, k));
    return oc_arena_status(&of->arrangement->arena);
}

ocelotl_status oc_name_groups(oc_arrangement *arrangement)
{
    naming of = {.arrangement = arrangement};
    oc_arena arena = {0};
    const ocelotl_status status = name_all(&of, &arena);
    oc_arena_free(&arena);
    return status;
}
