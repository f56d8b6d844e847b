#include "store/trace/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* As much as people's traces do not need by far. */
static const size_t most_kept = (size_t)256 << 20;

/* --- Numbering and measuring */

/* Siblings of one name get #2, #3; a name may look like that by itself, so look until one is
 * free. */
static ocelotl_status number_step(uint32_t *number, oc_text *key, const oc_map *steps,
                                  oc_map *repeats)
{
    const size_t length = key->length;
    uint32_t repeat = oc_map_get(repeats, key->bytes, length);
    *number = 0;
    if (repeat == OC_MAP_NONE && oc_map_get(steps, key->bytes, length) == OC_MAP_NONE)
        return OCELOTL_OK;
    repeat = repeat == OC_MAP_NONE ? 2 : repeat;
    do {
        *number = repeat++;
        key->length = length;
        oc_text_format(key, "#%" PRIu32, *number);
        if (key->failed)
            return oc_fail_memory();
    } while (oc_map_get(steps, key->bytes, key->length) != OC_MAP_NONE);
    return oc_map_set(repeats, key->bytes, length, repeat);
}

/* The place where the last step of a resource's path begins. */
static size_t begin_of(const oc_paths *paths, uint32_t resource)
{
    const uint32_t parent = paths->trace->resources[resource].parent;
    return parent != OCELOTL_ROOT ? paths->lengths[parent] + 1 : 0;
}

static ocelotl_status measure(oc_paths *paths, oc_text *key, oc_map *repeats)
{
    const ocelotl_trace *trace = paths->trace;
    size_t longest = 0;
    OC_TRY(oc_arena_allocate(&paths->lengths, &paths->arena, trace->resource_count,
                             sizeof *paths->lengths));
    OC_TRY(oc_arena_allocate(&paths->numbers, &paths->arena, trace->resource_count,
                             sizeof *paths->numbers));
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        /* A parent and a step identify a resource like its whole path, as steps have no slash. */
        key->length = 0;
        oc_text_append(key, (const char *)&parent, sizeof parent);
        oc_text_add_path_step(key, trace->resources[r].name);
        if (key->failed)
            return oc_fail_memory();
        OC_TRY(number_step(&paths->numbers[r], key, &paths->steps, repeats));
        OC_TRY(oc_map_set(&paths->steps, key->bytes, key->length, r));
        paths->lengths[r] = begin_of(paths, r) + key->length - sizeof parent;
        longest = paths->lengths[r] > longest ? paths->lengths[r] : longest;
    }
    OC_TRY(
        oc_arena_allocate(&paths->written, &paths->arena, 1, sizeof *paths->written + longest + 1));
    paths->written->resource = OCELOTL_NONE;
    return OCELOTL_OK;
}

ocelotl_status oc_paths_make(oc_paths *paths, const ocelotl_trace *trace)
{
    oc_text key = {0};
    oc_map repeats = {0};
    paths->trace = trace;
    const ocelotl_status status = measure(paths, &key, &repeats);
    oc_text_free(&key);
    oc_map_free(&repeats);
    return status;
}

void oc_paths_free(oc_paths *paths)
{
    oc_map_free(&paths->steps);
    oc_arena_free(&paths->arena);
    *paths = (oc_paths){0};
}

/* --- Writing */

/* The last steps of a path, each before those that are there. */
static void write_step(char *to, const char *name, uint32_t number)
{
    char digits[16];
    for (; *name != '\0'; name++) {
        if (*name == '/' || *name == '%') {
            memcpy(to, *name == '/' ? "%2F" : "%25", 3);
            to += 3;
        } else {
            *to++ = *name;
        }
    }
    if (number > 0)
        memcpy(to, digits, (size_t)snprintf(digits, sizeof digits, "#%" PRIu32, number));
}

/* The nearest that is above both or one of them; parents have lower numbers than their children. */
static uint32_t common(const ocelotl_trace *trace, uint32_t a, uint32_t b)
{
    while (a != b && a != OCELOTL_ROOT && b != OCELOTL_ROOT)
        if (a > b)
            a = trace->resources[a].parent;
        else
            b = trace->resources[b].parent;
    return a == b ? a : OCELOTL_ROOT;
}

const char *oc_path_of(const oc_paths *paths, uint32_t resource)
{
    const ocelotl_trace *trace = paths->trace;
    oc_written_path *written = paths->written;
    if (resource >= trace->resource_count)
        return "";
    if (resource == written->resource)
        return written->bytes;
    const uint32_t same = common(trace, resource, written->resource);
    for (uint32_t r = resource; r != same; r = trace->resources[r].parent) {
        const size_t begin = begin_of(paths, r);
        write_step(written->bytes + begin, trace->resources[r].name, paths->numbers[r]);
        if (begin > 0)
            written->bytes[begin - 1] = '/';
    }
    written->bytes[paths->lengths[resource]] = '\0';
    written->resource = resource;
    return written->bytes;
}

/* --- Finding */

ocelotl_status oc_path_find(uint32_t *resource, const oc_paths *paths, const char *path,
                            size_t length)
{
    const char *end = path + length;
    uint32_t found = OCELOTL_ROOT;
    oc_text key = {0};
    for (const char *step = path; step <= end;) {
        const char *slash = memchr(step, '/', (size_t)(end - step));
        const size_t bytes = (size_t)((slash != NULL ? slash : end) - step);
        key.length = 0;
        oc_text_append(&key, (const char *)&found, sizeof found);
        oc_text_append(&key, step, bytes);
        found = key.failed ? OC_MAP_NONE : oc_map_get(&paths->steps, key.bytes, key.length);
        if (found == OC_MAP_NONE)
            break;
        step += bytes + 1;
    }
    const ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    oc_text_free(&key);
    *resource = found != OC_MAP_NONE ? found : OCELOTL_NONE;
    return status;
}

/* --- Keeping */

ocelotl_status oc_path_keep(oc_kept_paths *kept, const oc_paths *paths, uint32_t resource)
{
    if (kept->of == NULL)
        OC_TRY(oc_arena_allocate(&kept->of, &kept->arena, paths->trace->resource_count,
                                 sizeof *kept->of));
    if (kept->of[resource] != NULL)
        return OCELOTL_OK;
    kept->bytes += paths->lengths[resource] + 1;
    if (kept->bytes > most_kept)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: the paths of the resources shown need more than 256 MiB; choose fewer, "
                       "as by --resource",
                       paths->trace->label);
    kept->of[resource] = oc_arena_copy(&kept->arena, oc_path_of(paths, resource));
    return oc_arena_status(&kept->arena);
}

void oc_kept_paths_free(oc_kept_paths *kept)
{
    oc_arena_free(&kept->arena);
    *kept = (oc_kept_paths){0};
}

/* --- The order of the hierarchy */

static void place(uint32_t *places, uint32_t *sizes, const ocelotl_trace *trace)
{
    uint32_t roots = 0;
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t parent = trace->resources[r].parent;
        sizes[r]++;
        if (parent != OCELOTL_ROOT)
            sizes[parent] += sizes[r];
    }
    /* A parent's place is where its next child stands, less one for each that has been placed. */
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        const uint32_t size = sizes[r];
        places[r] = parent == OCELOTL_ROOT ? roots : sizes[parent];
        if (parent == OCELOTL_ROOT)
            roots += size;
        else
            sizes[parent] += size;
        sizes[r] = places[r] + 1; /* from here on where its next child is to stand */
    }
}

ocelotl_status oc_find_places(uint32_t **places, oc_arena *arena, const ocelotl_trace *trace)
{
    uint32_t *sizes = NULL;
    OC_TRY(oc_arena_allocate(places, arena, trace->resource_count, sizeof **places));
    OC_TRY(oc_arena_allocate(&sizes, arena, trace->resource_count, sizeof *sizes));
    place(*places, sizes, trace);
    return OCELOTL_OK;
}
