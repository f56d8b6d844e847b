#include "importers/common/naming.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* One of those that are named, as it is compared. */
typedef struct item {
    const oc_named *named;
    uint32_t place;  /* among all */
    uint32_t family; /* the first place of what is called alike but for its number */
    size_t stem;     /* the bytes of the id before its number */
    bool has_number;
    const char *digits; /* of the number, without zeros before it */
} item;

/* --- Names */

static int compare_texts(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return (left != NULL) - (right != NULL);
    return strcmp(left, right);
}

static int compare_names(const void *left, const void *right)
{
    const oc_named *one = ((const item *)left)->named;
    const oc_named *other = ((const item *)right)->named;
    if (one->parent != other->parent)
        return one->parent < other->parent ? -1 : 1;
    const int names = compare_texts(one->name, other->name);
    return names != 0 ? names : compare_texts(one->label, other->label);
}

static bool is_same_name(const item *one, const item *other)
{
    return one->named->parent == other->named->parent && one->named->name != NULL &&
           compare_texts(one->named->name, other->named->name) == 0;
}

static bool is_same_label(const item *one, const item *other)
{
    return is_same_name(one, other) && compare_texts(one->named->label, other->named->label) == 0;
}

/* Names one row; rows of one name and label are neighbours. */
static ocelotl_status name_one(char **name, const item *items, size_t place, size_t count)
{
    const item *one = &items[place];
    const item *before = place > 0 ? one - 1 : NULL;
    const item *behind = place + 1 < count ? one + 1 : NULL;
    oc_text text = {0};
    const char *id = one->named->id[0] != '\0' ? one->named->id : "(no name)";
    if (one->named->name == NULL || one->named->name[0] == '\0')
        return oc_copy_text(name, id);
    if ((before == NULL || !is_same_name(one, before)) &&
        (behind == NULL || !is_same_name(one, behind)))
        return oc_copy_text(name, one->named->name);
    const bool labelled = one->named->label != NULL && one->named->label[0] != '\0' &&
                          (before == NULL || !is_same_label(one, before)) &&
                          (behind == NULL || !is_same_label(one, behind));
    oc_text_format(&text, "%s (%s)", one->named->name, labelled ? one->named->label : id);
    return oc_text_give(name, &text);
}

static ocelotl_status make_items(item **items, const oc_named *all, size_t count)
{
    OC_TRY(oc_allocate(items, count, sizeof **items));
    for (size_t i = 0; i < count; i++)
        (*items)[i] = (item){.named = &all[i], .place = (uint32_t)i};
    return OCELOTL_OK;
}

/* Gives each a name of its own among those of its parent: its name where no other has it, else
 * "name (label)" where that does, else "name (id)"; the id where it has no name. names[i] is freed
 * by the caller, also after a failure. O(n log n). Errors: MEMORY. */
static ocelotl_status naming_names(char **names, const oc_named *all, size_t count)
{
    item *items = NULL;
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < count; i++)
        names[i] = NULL;
    OC_TRY(make_items(&items, all, count));
    qsort(items, count, sizeof *items, compare_names);
    for (size_t i = 0; status == OCELOTL_OK && i < count; i++)
        status = name_one(&names[items[i].place], items, i, count);
    free(items);
    return status;
}

/* --- Order */

static void find_number(item *one)
{
    const char *id = one->named->id;
    size_t stem = strlen(id);
    while (stem > 0 && id[stem - 1] >= '0' && id[stem - 1] <= '9')
        stem--;
    one->stem = stem;
    one->digits = id + stem;
    one->has_number = one->digits[0] != '\0';
    while (one->digits[0] == '0')
        one->digits++;
}

/* Sorts by parent and the text before the number, then as rows were first seen. */
static int compare_families(const void *left, const void *right)
{
    const item *one = left;
    const item *other = right;
    const size_t shorter = one->stem < other->stem ? one->stem : other->stem;
    if (one->named->parent != other->named->parent)
        return one->named->parent < other->named->parent ? -1 : 1;
    if (one->has_number != other->has_number)
        return one->has_number ? -1 : 1;
    const int stems = memcmp(one->named->id, other->named->id, shorter);
    if (stems != 0)
        return stems;
    if (one->stem != other->stem)
        return one->stem < other->stem ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

static bool is_same_family(const item *one, const item *other)
{
    return one->has_number && other->has_number && one->stem == other->stem &&
           one->named->parent == other->named->parent &&
           memcmp(one->named->id, other->named->id, one->stem) == 0;
}

static int compare_order(const void *left, const void *right)
{
    const item *one = left;
    const item *other = right;
    if (one->named->parent != other->named->parent)
        return one->named->parent < other->named->parent ? -1 : 1;
    if (one->named->index != other->named->index)
        return one->named->index < other->named->index ? -1 : 1;
    if (one->family != other->family)
        return one->family < other->family ? -1 : 1;
    const size_t digits = strlen(one->digits);
    const size_t others = strlen(other->digits);
    if (digits != others)
        return digits < others ? -1 : 1;
    const int numbers = strcmp(one->digits, other->digits);
    if (numbers != 0)
        return numbers;
    return one->place < other->place ? -1 : 1;
}

ocelotl_status oc_naming_order(uint32_t *order, const oc_named *all, size_t count)
{
    item *items = NULL;
    OC_TRY(make_items(&items, all, count));
    for (size_t i = 0; i < count; i++)
        find_number(&items[i]);
    qsort(items, count, sizeof *items, compare_families);
    for (size_t i = 0; i < count; i++)
        items[i].family = i > 0 && is_same_family(&items[i - 1], &items[i]) ? items[i - 1].family
                                                                            : items[i].place;
    qsort(items, count, sizeof *items, compare_order);
    for (size_t i = 0; i < count; i++)
        order[i] = items[i].place;
    free(items);
    return OCELOTL_OK;
}

ocelotl_status oc_namings_begin(oc_namings *all, size_t count)
{
    *all = (oc_namings){.count = count};
    OC_TRY(oc_allocate(&all->named, count, sizeof *all->named));
    OC_TRY(oc_allocate(&all->names, count, sizeof *all->names));
    return oc_allocate(&all->order, count, sizeof *all->order);
}

ocelotl_status oc_namings_settle(oc_namings *all)
{
    OC_TRY(naming_names(all->names, all->named, all->count));
    return oc_naming_order(all->order, all->named, all->count);
}

void oc_namings_free(oc_namings *all)
{
    for (size_t i = 0; all->names != NULL && i < all->count; i++)
        free(all->names[i]);
    free(all->names);
    free(all->named);
    free(all->order);
}
