/* --again: the command that drew a picture, with changes. */
#ifndef CLI_AGAIN_H
#define CLI_AGAIN_H

#include "words.h"

/* Makes the arguments of the command that repeats the one in a picture, from "--again PICTURE
 * [OPTIONS] [TRACE]" (argv[1] and what follows): what is given replaces what the picture's command
 * has of the same. Gives an exit code; free the words in any case. */
int cli_again(cli_words *words, int argc, char **argv);

#endif
