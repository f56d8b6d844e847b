/* Names that stand for types, within the scopes of metadata. */
#include "importers/ctf/parser.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status ctf_name_type(ctf_parser *parser, const char *name, ctf_layout *layout)
{
    const size_t length = strlen(name);
    OC_TRY(oc_grow(&parser->named, &parser->named_capacity, parser->named_count + 1,
                   sizeof(*parser->named)));
    ctf_named *named = &parser->named[parser->named_count];
    *named = (ctf_named){.layout = layout, .hidden = oc_map_get(&parser->named_of, name, length)};
    OC_TRY(oc_map_set(&parser->named_of, name, length, (uint32_t)parser->named_count));
    OC_TRY(oc_copy_text(&named->name, name));
    parser->named_count++;
    return OCELOTL_OK;
}

void ctf_forget_names(ctf_parser *parser, size_t count)
{
    while (parser->named_count > count) {
        const ctf_named *named = &parser->named[--parser->named_count];
        /* A key that is known is set without memory. */
        (void)oc_map_set(&parser->named_of, named->name, strlen(named->name), named->hidden);
        free(named->name);
    }
}

ocelotl_status ctf_use_name(ctf_layout **layout, ctf_parser *parser, const char *name,
                            unsigned line)
{
    const uint32_t found = oc_map_get(&parser->named_of, name, strlen(name));
    if (found != OC_MAP_NONE)
        return ctf_layout_copy(layout, parser->into, parser->named[found].layout);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: the type \"%s\" is not known, expected one above",
                   parser->tokens.path, line, name);
}
