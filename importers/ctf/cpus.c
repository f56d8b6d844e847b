/* States of CPUs, from the events of the kernel. */
#include "importers/ctf/kernel.h"

static ocelotl_status add(ctf_reader *reader, const ctf_cpu *cpu, oc_sorted_kind kind,
                          uint32_t value, ctf_moment at)
{
    ctf_type *type;
    OC_TRY(ctf_find_type(&type, reader, CTF_CPU_STATE));
    const oc_sorted record = {.stream = cpu->row,
                              .kind = kind,
                              .time = at.time,
                              .order = cpu->row,
                              .type = type->id,
                              .value = value,
                              .attributes = reader->attributes,
                              .attribute_count = at.has_attributes ? reader->attribute_count : 0};
    return oc_timelines_add(&reader->timelines, &record);
}

/* Ends the innermost interrupt. */
static ocelotl_status end_interrupt(ctf_reader *reader, ctf_cpu *cpu, ctf_moment at)
{
    return add(reader, cpu, OC_SORTED_END, cpu->interrupts[--cpu->interrupt_count], at);
}

static ocelotl_status end_all(ctf_reader *reader, ctf_cpu *cpu, ctf_moment at)
{
    at.has_attributes = false;
    while (cpu->interrupt_count > 0)
        OC_TRY(end_interrupt(reader, cpu, at));
    if (!cpu->is_known)
        return OCELOTL_OK;
    cpu->is_known = false;
    return add(reader, cpu, OC_SORTED_END, cpu->value, at);
}

ocelotl_status ctf_cpu_runs(ctf_reader *reader, uint32_t number, uint32_t thread, const char *name,
                            ctf_moment at)
{
    ctf_type *type;
    ctf_cpu *cpu = &reader->cpus[number];
    OC_TRY(end_all(reader, cpu, at));
    OC_TRY(ctf_find_type(&type, reader, CTF_CPU_STATE));
    OC_TRY(ctf_find_value(&cpu->value, reader, type, name));
    cpu->is_known = true;
    cpu->thread = thread;
    return add(reader, cpu, OC_SORTED_BEGIN, cpu->value, at);
}

ocelotl_status ctf_cpu_is_interrupted(ctf_reader *reader, uint32_t number, uint32_t value,
                                      ctf_moment at)
{
    ctf_cpu *cpu = &reader->cpus[number];
    if (cpu->interrupt_count == CTF_INTERRUPTS) {
        at.has_attributes = false;
        OC_TRY(end_interrupt(reader, cpu, at));
    }
    cpu->interrupts[cpu->interrupt_count++] = value;
    return add(reader, cpu, OC_SORTED_BEGIN, value, at);
}

ocelotl_status ctf_cpu_goes_on(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    ctf_cpu *cpu = &reader->cpus[number];
    if (cpu->interrupt_count > 0)
        return end_interrupt(reader, cpu, at);
    oc_oddities_note(&reader->oddities, CTF_RETURN_ALONE,
                     reader->paths[reader->row_traces[cpu->row]], 0);
    return OCELOTL_OK;
}

ocelotl_status ctf_cpu_is_lost(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    ctf_cpu *cpu = &reader->cpus[number];
    const uint32_t thread = cpu->thread;
    cpu->thread = OCELOTL_NONE;
    OC_TRY(end_all(reader, cpu, at));
    return thread != OCELOTL_NONE ? ctf_thread_ends(reader, thread, at) : OCELOTL_OK;
}
