#include "model/series.h"
ocelotl_status ocelotl_series_write(const char *path, ocelotl_series *series, const char *name, bool overwrite)
{
    (void)path;
    (void)name;
    (void)overwrite;
    oc_series_rewind(series);
    return OCELOTL_OK;
}
