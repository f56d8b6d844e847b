/* Whether a file holds trace events. */
#ifndef OC_IMPORTERS_CHROME_RECOGNISE_H
#define OC_IMPORTERS_CHROME_RECOGNISE_H

#include "importers/common/source.h"

/* As oc_importer has it. An object whose beginning has no events is read on, up to 256 MB. */
int chrome_recognises(const oc_source *source);

#endif
