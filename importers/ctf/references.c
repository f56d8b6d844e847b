/* What sequences and variants refer to: a number that stands before them. */
#include "importers/ctf/description.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Structures around what is resolved: of each the members before one. */
typedef struct scope {
    ctf_layout *structure;
    size_t end;
} scope;

typedef struct resolver {
    const ctf_root *roots;
    size_t root_count;
    scope scopes[CTF_DEEPEST + 2];
    size_t scope_count;
    uint32_t *slot_count;
    const char *path;
    ocelotl_status status; /* of looking names up */
} resolver;

/* Follows steps through the first `end` members of a structure; NULL if they lead nowhere. */
static ctf_field *follow(resolver *of, ctf_layout *structure, size_t end, const char *steps)
{
    while (structure != NULL && structure->kind == CTF_STRUCTURE) {
        const size_t length = strcspn(steps, ".");
        size_t index = SIZE_MAX;
        if (of->status == OCELOTL_OK)
            of->status = ctf_layout_look_up(&index, structure, end, steps, length);
        if (index == SIZE_MAX || steps[length] == '\0')
            return index != SIZE_MAX ? &structure->fields[index] : NULL;
        structure = structure->fields[index].layout;
        steps += length + 1;
        end = SIZE_MAX;
    }
    return NULL;
}

/* The steps behind the path of a root; NULL: they do not begin with it. */
static const char *behind(const char *steps, const char *path)
{
    const size_t length = strlen(path);
    return strncmp(steps, path, length) == 0 && steps[length] == '.' ? steps + length + 1 : NULL;
}

/* Within a root only what stands before is there already. */
static ctf_field *follow_root(resolver *of, size_t root, const char *steps)
{
    const bool is_own = root + 1 == of->root_count;
    return follow(of, of->roots[root].layout,
                  is_own && of->scope_count > 0 ? of->scopes[0].end : SIZE_MAX, steps);
}

static ctf_field *find(resolver *of, const char *reference)
{
    ctf_field *found = NULL;
    for (size_t i = 0; i < of->root_count && found == NULL; i++) {
        const char *steps = behind(reference, of->roots[i].path);
        if (steps == NULL && strncmp(of->roots[i].path, "event.fields", 12) == 0)
            steps = behind(reference, "event.payload");
        if (steps != NULL)
            found = follow_root(of, i, steps);
    }
    for (size_t i = of->scope_count; i > 0 && found == NULL; i--)
        found = follow(of, of->scopes[i - 1].structure, of->scopes[i - 1].end, reference);
    for (size_t i = of->root_count; i > 0 && found == NULL; i--)
        found = follow_root(of, i - 1, reference);
    return found;
}

static int compare_choices(const void *one, const void *other)
{
    const ctf_choice *a = one;
    const ctf_choice *b = other;
    if (a->option != b->option)
        return a->option < b->option ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

/* The labels of a tag choose the options of their names; the first that has a number counts. */
static ocelotl_status add_choices(ctf_layout *variant, const ctf_layout *tag)
{
    for (size_t i = 0; i < tag->label_count; i++) {
        const ctf_label *label = &tag->labels[i];
        size_t option;
        OC_TRY(ctf_layout_look_up(&option, variant, SIZE_MAX, label->name, strlen(label->name)));
        if (option == SIZE_MAX)
            continue;
        OC_TRY(oc_grow(&variant->choices, &variant->choice_capacity, variant->choice_count + 1,
                       sizeof(*variant->choices)));
        variant->choices[variant->choice_count++] =
            (ctf_choice){.low = label->low, .high = label->high, .option = option, .label = i};
    }
    if (variant->choice_count > 0)
        qsort(variant->choices, variant->choice_count, sizeof(*variant->choices), compare_choices);
    return OCELOTL_OK;
}

static ocelotl_status resolve_reference(resolver *of, ctf_layout *layout)
{
    const char *reference = layout->reference != NULL ? layout->reference : "";
    ctf_field *field = find(of, reference);
    OC_TRY(of->status);
    const char *use = layout->kind == CTF_VARIANT ? "a variant" : "a sequence";
    const bool needs_labels = layout->kind == CTF_VARIANT;
    if (field == NULL || field->layout->kind != CTF_INTEGER ||
        (needs_labels && !field->layout->is_enumeration))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s refers to \"%s\", expected %s before it",
                       of->path, use, reference, needs_labels ? "an enumeration" : "an integer");
    if (field->slot == 0)
        field->slot = ++*of->slot_count;
    layout->slot = field->slot;
    layout->tag_is_signed = field->layout->is_signed;
    layout->choice_count = 0;
    return needs_labels ? add_choices(layout, field->layout) : OCELOTL_OK;
}

static ocelotl_status resolve(resolver *of, ctf_layout *layout)
{
    if (layout->kind == CTF_VARIANT || layout->kind == CTF_SEQUENCE)
        OC_TRY(resolve_reference(of, layout));
    if (layout->element != NULL)
        return resolve(of, layout->element);
    const bool is_scope = layout->kind == CTF_STRUCTURE;
    if (is_scope)
        of->scopes[of->scope_count++] = (scope){.structure = layout};
    for (size_t i = 0; i < layout->field_count; i++) {
        if (is_scope)
            of->scopes[of->scope_count - 1].end = i;
        OC_TRY(resolve(of, layout->fields[i].layout));
    }
    of->scope_count -= is_scope;
    return OCELOTL_OK;
}

ocelotl_status ctf_resolve(uint32_t *slot_count, const ctf_root *roots, size_t count,
                           const char *path)
{
    resolver of = {.roots = roots, .root_count = count, .slot_count = slot_count, .path = path};
    ctf_layout *layout = roots[count - 1].layout;
    return layout != NULL ? resolve(&of, layout) : OCELOTL_OK;
}
