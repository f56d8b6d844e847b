"""How colours look: OKLab (Ottosson 2020), as people with a vision see them."""
# Machado, Oliveira and Fernandes (2009), severity 1.
VISIONS = {"normal": (1, 0, 0, 0, 1, 0, 0, 0, 1),
           "protanopia": (0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
                          -0.003882, -0.048116, 1.051998),
           "deuteranopia": (0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
                            -0.011820, 0.042940, 0.968881),
           "tritanopia": (1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
                          0.004733, 0.691367, 0.303900)}


def looks(colour, vision="normal"):
    light = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in light]
    matrix = VISIONS[vision]
    red, green, blue = (min(1, max(0, sum(matrix[3 * row + i] * light[i] for i in range(3))))
                        for row in range(3))
    l, m, s = (v ** (1 / 3) for v in (
        0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
        0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
        0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue))
    return (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
