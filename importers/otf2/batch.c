#include "importers/otf2/batch.h"

#include <stdlib.h>

void otf2_batch_clear(otf2_batch *batch)
{
    batch->count = 0;
    batch->is_last = false;
    oc_text_clear(&batch->bytes);
}

void otf2_batch_free(otf2_batch *batch)
{
    free(batch->records);
    oc_text_free(&batch->bytes);
    *batch = (otf2_batch){0};
}
