#define _DEFAULT_SOURCE
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Both take a pointer to any object pointer; memcpy is how C lets one be written without its type.
 */

ocelotl_status oc_allocate(void *memory, size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (block == NULL)
        return oc_fail_memory();
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

/* Rounded up to whole units, at least one. */
static ocelotl_status allocate_in_units(void **block, size_t *bytes, size_t count, size_t size,
                                        size_t unit)
{
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > SIZE_MAX - unit)
        return oc_fail_memory();
    *bytes = (*bytes / unit + 1) * unit;
    *block = aligned_alloc(unit, *bytes);
    return *block != NULL ? OCELOTL_OK : oc_fail_memory();
}

ocelotl_status oc_allocate_aligned(void *memory, size_t count, size_t size)
{
    void *block;
    size_t bytes;
    OC_TRY(allocate_in_units(&block, &bytes, count, size, 64));
    memset(block, 0, bytes);
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

ocelotl_status oc_allocate_large(void *memory, size_t count, size_t size)
{
    const size_t huge_page = (size_t)2 << 20;
    void *block;
    size_t bytes;
    if (size > 0 && count < huge_page / size)
        return oc_allocate(memory, count, size);
    OC_TRY(allocate_in_units(&block, &bytes, count, size, huge_page));
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE); /* a wish */
#endif
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

ocelotl_status oc_copy_optional(char **copy, const char *text)
{
    return text != NULL ? oc_copy_text(copy, text) : OCELOTL_OK;
}
