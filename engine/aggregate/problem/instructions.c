/* Chooses among what the folder vector/ was compiled for. */
#include "aggregate/vector/vector.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern const oc_vector oc_vector_plain;
#ifdef OC_X86_64
extern const oc_vector oc_vector_avx2;
extern const oc_vector oc_vector_avx512;
#endif

/* The widest first. */
static const oc_vector *const tables[] = {
#ifdef OC_X86_64
    &oc_vector_avx512,
    &oc_vector_avx2,
#endif
    &oc_vector_plain,
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static bool has(const oc_vector *table)
{
#ifdef OC_X86_64
    if (table == &oc_vector_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (table == &oc_vector_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif
    return table == &oc_vector_plain;
}

const oc_vector *oc_vector_find(const char *name)
{
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && (name == NULL || strcmp(name, tables[i]->name) == 0))
            return tables[i];
    return NULL;
}

void oc_vector_list(char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       tables[i]->name);
}
