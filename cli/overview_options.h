/* The options of the overview, which the commands of its parts repeat. */
#ifndef CLI_OVERVIEW_OPTIONS_H
#define CLI_OVERVIEW_OPTIONS_H

#include "command_line.h"

enum { OPTION_VIEW = CLI_OWN_OPTION, OPTION_TYPE, OPTION_EXPAND };

#endif
