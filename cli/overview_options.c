#include "overview_options.h"

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    {"json", no_argument, NULL, CLI_JSON},
    CLI_PICTURE_OPTIONS,
    {"view", required_argument, NULL, OPTION_VIEW},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"expand", required_argument, NULL, OPTION_EXPAND},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_overview_options = long_options;
