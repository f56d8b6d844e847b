#include "viz/colour/theme.h"

static const oc_theme themes[] = {
    [OCELOTL_THEME_LIGHT] = {.name = "light",
                             .paper = 0xFFFFFF,
                             .ink = 0x1F2328,
                             .muted = 0x57606A,
                             .rule = 0xB8C0C8,
                             .border = 0xD0D6DC,
                             .node = 0xECEFF2,
                             .hatch = 0xA8B0B8,
                             .accent = 0xB42318},
    [OCELOTL_THEME_DARK] = {.name = "dark",
                            .paper = 0x14171B,
                            .ink = 0xE8ECF0,
                            .muted = 0xA3ADB8,
                            .rule = 0x4C555F,
                            .border = 0x3A424B,
                            .node = 0x252B32,
                            .hatch = 0x5A6470,
                            .accent = 0xFF8A70},
};

const oc_theme *oc_theme_get(ocelotl_theme number)
{
    const size_t index = number == OCELOTL_THEME_READER ? OCELOTL_THEME_LIGHT : (size_t)number;
    return index < sizeof themes / sizeof themes[0] ? &themes[index] : NULL;
}
