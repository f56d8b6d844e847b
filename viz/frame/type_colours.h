/* One colour for every type of a trace, whatever is shown of it: the only place where pictures get
 * them from. */
#ifndef OC_VIZ_FRAME_TYPE_COLOURS_H
#define OC_VIZ_FRAME_TYPE_COLOURS_H

#include "base/map.h"
#include "viz/frame/picture.h"

#include <ocelotl/model.h>

/* Zeroed it is empty. */
typedef struct oc_type_colours {
    oc_palette_type *types; /* in the order in which they got their colours */
    size_t count, capacity;
    oc_map numbers; /* of the types, by name */
} oc_type_colours;

/* What models call the types that they put together. */
#define OC_OTHERS "others"

/* Gives colours to all names of a trace, to OC_OTHERS, and to "name#2", "name#3" .., which models
 * call further types of one name: see oc_palette_assign_on. They depend on nothing but the names,
 * the user's palette and the paper; where the picture has the colours of other names, these come
 * first. Free it in any case. Errors: MEMORY. O(names). */
ocelotl_status oc_type_colours_of_trace(oc_type_colours *colours, const ocelotl_trace *trace,
                                        const oc_picture *picture);

/* The same of what models were made of: the names of the first, then those that only the second
 * has, then groups that a person named, each told apart from what is before it. */
ocelotl_status oc_type_colours_of_models(oc_type_colours *colours,
                                         const ocelotl_model *const *models, size_t count,
                                         const oc_picture *picture);

/* The colour of a name; grey for one that is not there. Expected O(1). */
uint32_t oc_type_colours_find(const oc_type_colours *colours, const char *name);
void oc_type_colours_free(oc_type_colours *colours);

#endif
