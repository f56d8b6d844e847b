/* What a writer records of its source: the producer, the fate of its records, what is odd. */
#include "store/write/writer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *ocelotl_fate_name(ocelotl_fate fate)
{
    static const char *const names[] = {"event",     "state",      "variable", "link",
                                        "attribute", "definition", "left out"};
    return fate <= OCELOTL_FATE_LEFT_OUT ? names[fate] : "";
}

ocelotl_status ocelotl_writer_producer(ocelotl_writer *writer, const char *producer)
{
    char *copy = NULL;
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_copy_utf8(&copy, producer));
    free(writer->producer);
    writer->producer = copy;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_origin(ocelotl_writer *writer, const char *origin)
{
    char *copy = NULL;
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_copy_utf8(&copy, origin != NULL ? origin : ""));
    free(writer->origin);
    writer->origin = copy;
    return OCELOTL_OK;
}

/* The key of a kind: a byte for the fate, then the name, which is valid UTF-8. */
static ocelotl_status find_kind(uint32_t *index, ocelotl_writer *writer, const oc_text *key,
                                const char *why)
{
    const size_t count = writer->source_kind_count;
    *index = oc_map_get(&writer->source_kind_of, key->bytes, key->length);
    if (*index != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&writer->source_kinds, &writer->source_kind_capacity, count + 1,
                   sizeof *writer->source_kinds));
    oc_writer_source_kind *made = &writer->source_kinds[count];
    *made = (oc_writer_source_kind){.fate = (ocelotl_fate)(key->bytes[0] - '0')};
    ocelotl_status status = oc_copy_text(&made->kind, key->bytes + 1);
    if (status == OCELOTL_OK)
        status = oc_copy_utf8(&made->why, why != NULL ? why : "");
    if (status == OCELOTL_OK)
        status = oc_map_set(&writer->source_kind_of, key->bytes, key->length, (uint32_t)count);
    if (status != OCELOTL_OK) {
        free(made->kind);
        free(made->why);
        return status;
    }
    *index = (uint32_t)writer->source_kind_count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_source_kind(ocelotl_writer *writer, const char *kind,
                                          ocelotl_fate fate, uint64_t count, const char *why)
{
    uint32_t index = 0;
    char *valid = NULL;
    oc_text key = {0};
    OC_TRY(oc_writer_check(writer));
    if (fate > OCELOTL_FATE_LEFT_OUT)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the fate of \"%s\" is %d, expected 0 to %d", kind,
                       (int)fate, OCELOTL_FATE_LEFT_OUT);
    OC_TRY(oc_writer_check_count(0, count, kind));
    OC_TRY(oc_copy_utf8(&valid, kind));
    oc_text_format(&key, "%d%s", (int)fate, valid);
    ocelotl_status status = key.failed ? oc_fail_memory() : find_kind(&index, writer, &key, why);
    if (status == OCELOTL_OK)
        status = oc_writer_check_count(writer->source_kinds[index].count, count, kind);
    if (status == OCELOTL_OK)
        writer->source_kinds[index].count += count;
    oc_text_free(&key);
    free(valid);
    return status;
}

/* --- Warnings */

size_t oc_writer_find_warning(const ocelotl_writer *writer, const char *kind)
{
    size_t i = 0;
    while (i < writer->warning_count && strcmp(writer->warnings[i].kind, kind) != 0)
        i++;
    return i;
}

/* `kind` is valid UTF-8, or it would never be found again. */
static ocelotl_status add_warning(ocelotl_writer *writer, const char *kind, uint64_t count,
                                  const char *detail)
{
    const size_t i = oc_writer_find_warning(writer, kind);
    OC_TRY(oc_writer_check_count(i < writer->warning_count ? writer->warnings[i].count : 0, count,
                                 kind));
    if (i == writer->warning_count) {
        oc_writer_warning made = {0};
        OC_TRY(
            oc_grow(&writer->warnings, &writer->warning_capacity, i + 1, sizeof *writer->warnings));
        OC_TRY(oc_copy_utf8(&made.kind, kind));
        const ocelotl_status status = oc_copy_utf8(&made.detail, detail != NULL ? detail : "");
        if (status != OCELOTL_OK) {
            free(made.kind);
            return status;
        }
        writer->warnings[writer->warning_count++] = made;
    }
    writer->warnings[i].count += count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_warning(ocelotl_writer *writer, const char *kind, uint64_t count,
                                      const char *detail)
{
    char *valid = NULL;
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_copy_utf8(&valid, kind));
    const ocelotl_status status = add_warning(writer, valid, count, detail);
    free(valid);
    return status;
}
