#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Both take a pointer to any object pointer; memcpy is how C lets one be written without its type. */

ocelotl_status oc_allocate(void *memory, size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (block == NULL)
        return oc_fail_memory();
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

ocelotl_status oc_allocate_aligned(void *memory, size_t count, size_t size)
{
    enum { LINE = 64 };
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - LINE)
        return oc_fail_memory();
    bytes = (bytes / LINE + 1) * LINE;
    void *block = aligned_alloc(LINE, bytes);
    if (block == NULL)
        return oc_fail_memory();
    memset(block, 0, bytes);
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

ocelotl_status oc_grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return OCELOTL_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed) {
        if (wanted > SIZE_MAX / 2)
            return oc_fail_memory();
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / size)
        return oc_fail_memory();
    void *block;
    memcpy(&block, items, sizeof block);
    block = realloc(block, wanted * size);
    if (block == NULL)
        return oc_fail_memory();
    memcpy(items, &block, sizeof block);
    *capacity = wanted;
    return OCELOTL_OK;
}

ocelotl_status oc_copy_text(char **copy, const char *text)
{
    const size_t length = strlen(text);
    OC_TRY(oc_allocate(copy, length + 1, 1));
    memcpy(*copy, text, length + 1);
    return OCELOTL_OK;
}
