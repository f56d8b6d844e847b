/* The callbacks of all families of records. */
#include "importers/otf2/location.h"

OTF2_EvtReaderCallbacks *otf2_location_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (callbacks == NULL)
        return NULL;
    otf2_set_regions(callbacks);
    otf2_set_mpi(callbacks);
    otf2_set_rma(callbacks);
    otf2_set_io(callbacks);
    otf2_set_threads(callbacks);
    otf2_set_metrics(callbacks);
    return callbacks;
}
