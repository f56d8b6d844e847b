#include "synthetic.h"

#include <stdio.h>

/* xorshift64*: the same numbers on every machine. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

static void wait(synthetic *trace, uint32_t leaf, int64_t time)
{
    uint32_t *first = &trace->due[(uint64_t)time % SYNTHETIC_INSTANTS];
    trace->next[leaf] = *first;
    *first = leaf;
}

void synthetic_begin(synthetic *trace, uint64_t states, uint64_t seed)
{
    trace->random = seed * 0x9E3779B97F4A7C15u + 1;
    trace->left = states;
    trace->time = 0;
    for (uint32_t i = 0; i < SYNTHETIC_INSTANTS; i++)
        trace->due[i] = SYNTHETIC_LEAVES;
    for (uint32_t leaf = SYNTHETIC_LEAVES; leaf-- > 0;)
        wait(trace, leaf, 0);
}

bool synthetic_next(synthetic_state *state, synthetic *trace)
{
    if (trace->left == 0)
        return false;
    trace->left--;
    while (trace->due[(uint64_t)trace->time % SYNTHETIC_INSTANTS] == SYNTHETIC_LEAVES)
        trace->time++;
    uint32_t *first = &trace->due[(uint64_t)trace->time % SYNTHETIC_INSTANTS];
    const uint32_t leaf = *first;
    const uint64_t drawn = draw(&trace->random);
    *first = trace->next[leaf];
    wait(trace, leaf, trace->time + 1 + (int64_t)((drawn >> 32) * SYNTHETIC_LONGEST >> 32));
    *state = (synthetic_state){trace->time, leaf,
                               (uint32_t)((drawn & UINT32_MAX) * SYNTHETIC_VALUES >> 32)};
    return true;
}

/* What the file calls things; identifiers count from 0, so resources are numbered as they are here.
 */
static ocelotl_status declare(ocelotl_writer *writer, uint32_t *event_type)
{
    char name[16];
    uint32_t type;
    uint32_t id;
    ocelotl_status status = ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "resource");
    if (status == OCELOTL_OK)
        status = ocelotl_writer_event_type(event_type, writer, OCELOTL_STATE, type, "state", -1);
    for (uint32_t r = 0; r < SYNTHETIC_RESOURCES && status == OCELOTL_OK; r++) {
        snprintf(name, sizeof name, "r%u", r);
        status = ocelotl_writer_resource(
            &id, writer, type, r == 0 ? OCELOTL_ROOT : (r - 1) / SYNTHETIC_VALUES, name, 0);
    }
    for (uint32_t v = 0; v < SYNTHETIC_VALUES && status == OCELOTL_OK; v++) {
        snprintf(name, sizeof name, "state %u", v);
        status = ocelotl_writer_value(&id, writer, *event_type, name, -1);
    }
    return status;
}

static ocelotl_status write_states(ocelotl_writer *writer, synthetic *trace)
{
    bool open[SYNTHETIC_LEAVES] = {false};
    uint32_t type;
    synthetic_state state;
    ocelotl_status status = declare(writer, &type);
    while (status == OCELOTL_OK && synthetic_next(&state, trace)) {
        const uint32_t resource = SYNTHETIC_INNER + state.leaf;
        if (open[state.leaf])
            status = ocelotl_writer_pop(writer, resource, type, 0, state.time, NULL, 0);
        open[state.leaf] = true;
        if (status == OCELOTL_OK)
            status = ocelotl_writer_push(writer, resource, type, state.value, state.time, NULL, 0);
    }
    return status == OCELOTL_OK ? ocelotl_writer_finish(writer) : status;
}

ocelotl_status synthetic_write(const char *path, uint64_t states, uint64_t seed)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    ocelotl_writer *writer = NULL;
    synthetic trace;
    synthetic_begin(&trace, states, seed);
    options.name = "synthetic";
    options.format = "synthetic";
    options.tick_denominator = 1000000;
    options.overwrite = true;
    ocelotl_status status = ocelotl_writer_open(&writer, path, &options);
    if (status == OCELOTL_OK)
        status = write_states(writer, &trace);
    ocelotl_writer_free(writer);
    return status;
}
