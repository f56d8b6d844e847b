/* The command that a picture keeps in its metadata. */
#ifndef CLI_PICTURE_COMMAND_H
#define CLI_PICTURE_COMMAND_H

#include "messages.h"

/* Reads it from an SVG (or another text with its metadata in it), a PNG or a PDF; *command is to be
 * freed. What follows it behind a `;` that is not quoted is not part of it. Gives an exit code,
 * after a message. */
int cli_picture_command(char **command, const char *path);

#endif
