/* What each importer begins with. */
#include "importers/common/opening.h"

ocelotl_status oc_import_open(ocelotl_writer **writer, const oc_import *import, const char *format,
                              uint64_t ticks, const char *origin)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = import->name;
    options.source = import->source_path;
    options.format = format;
    options.tick_numerator = 1;
    options.tick_denominator = ticks;
    options.origin = origin;
    options.overwrite = import->options->overwrite;
    options.counters = import->options->counters;
    options.increments = import->options->increments;
    return ocelotl_writer_open(writer, import->target, &options);
}

oc_oddities oc_import_oddities(const oc_import *import, ocelotl_writer *writer,
                               const char *const *names, size_t end)
{
    return (oc_oddities){.writer = writer,
                         .names = names,
                         .name_count = end - OC_COMMON_ODDITIES,
                         .lenient = import->options->lenient,
                         .left = &import->left};
}
