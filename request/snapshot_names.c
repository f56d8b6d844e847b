#include "request/snapshot.h"

const char *const oc_snapshot_names[OC_SNAPSHOT_FILES] = {
    "command.txt", "overview.svg", "overview.png",   "curves.svg", "levels.csv",
    "parts.csv",   "parts.json",   "statistics.csv", "slices.csv", "parameters.json"};
