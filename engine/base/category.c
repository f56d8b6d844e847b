#include "base/category.h"

const char *oc_category_name(ocelotl_category category)
{
    static const char *const names[] = {"event", "state", "variable", "link"};
    return names[category];
}
