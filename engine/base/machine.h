/* What this machine offers. */
#ifndef OC_BASE_MACHINE_H
#define OC_BASE_MACHINE_H

#include <stdint.h>

/* Bytes that may be used without pushing others out: three quarters of what is available now. */
uint64_t oc_memory_budget(void);

/* Processors that may be used; at least 1. */
uint32_t oc_processor_count(void);

#endif
