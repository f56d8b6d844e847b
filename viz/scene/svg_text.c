#include "viz/scene/svg_text.h"

#include "viz/scene/paired_colours.h"
#include "viz/words/lettering.h"

#include <string.h>

/* Strings of a scene are clean already: only what XML itself means by a character is left to do. */
void oc_svg_add_escaped(oc_text *svg, const char *string)
{
    while (*string != '\0') {
        const size_t plain = strcspn(string, "<>&\"'");
        oc_text_append(svg, string, plain);
        string += plain;
        if (*string == '\0')
            return;
        oc_text_add(svg, *string == '<'   ? "&lt;"
                         : *string == '>' ? "&gt;"
                         : *string == '&' ? "&amp;"
                         : *string == '"' ? "&quot;"
                                          : "&#39;");
        string++;
    }
}

void oc_svg_add_attribute(oc_text *svg, const char *name, double value)
{
    oc_text_format(svg, " %s=\"", name);
    oc_decimal_add(svg, value, 2);
    oc_text_add(svg, "\"");
}

void oc_svg_add_colour(oc_text *svg, const char *name, uint32_t colour)
{
    oc_text_format(svg, " %s=\"", name);
    oc_colour_write(svg, colour);
    oc_text_add(svg, "\"");
}

/* Only a page has where to look it up. */
void oc_svg_add_subject(oc_text *svg, const oc_scene *scene, const oc_item *item)
{
    if (scene->fragment != 0 && item->subject != 0)
        oc_text_format(svg, " data-part=\"%zu\"", item->subject);
}
