/* Writes the nodes of a model as columns, a page at a time, and the difference of two
 * partitions. */
#include "base/file/sink.h"
#include "base/text.h"

#include <ocelotl/records.h>

#include <string.h>

/* --- Partitions */

/* The mixing of splitmix64: any bit of the number changes half of the bits of the hash. */
static uint64_t mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) + 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EBu;
    return hash ^ hash >> 31;
}

uint64_t ocelotl_partition_hash(const ocelotl_partition *partition)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    uint64_t hash = mix(0, count);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        hash = mix(hash, part.node);
        hash = mix(hash, (uint64_t)part.first << 32 | part.last);
    }
    return hash;
}

/* --- Nodes */

enum { NODE_SIZE = 14, GROUP = 0x8000, KINDS_MOST = 0x7FFF };

/* A page of nodes while it is made. */
typedef struct page {
    const ocelotl_model *model;
    uint32_t first, end; /* nodes */
    uint32_t next;       /* 0: none */
    oc_text kinds, names;
    uint32_t kind_count;
} page;

/* Finds a kind among the earlier ones, which are few, or adds it. */
static uint16_t add_kind(page *to, const char *kind)
{
    const char *at = to->kinds.bytes;
    for (uint32_t i = 0; i < to->kind_count; i++, at += strlen(at) + 1)
        if (strcmp(at, kind) == 0)
            return (uint16_t)i;
    if (to->kind_count == KINDS_MOST)
        return 0;
    oc_text_append(&to->kinds, kind, strlen(kind) + 1);
    return to->kinds.failed ? 0 : (uint16_t)to->kind_count++;
}

/* Takes nodes until the page is full, at least one. */
static ocelotl_status gather(page *to, oc_text *columns[4], uint32_t end)
{
    const char *before = "";
    for (to->end = to->first; to->end < end; to->end++) {
        const ocelotl_node node = ocelotl_model_node_at(to->model, to->end);
        const size_t size = OCELOTL_NODES_HEADER + (size_t)(to->end - to->first + 1) * NODE_SIZE +
                            to->names.length + to->kinds.length + strlen(node.path) +
                            strlen(node.kind) + 5;
        if (to->end > to->first && size > OCELOTL_NODES_SIZE_MOST)
            break;
        size_t same = 0;
        while (same < UINT16_MAX && node.path[same] != '\0' && node.path[same] == before[same])
            same++;
        const size_t rest = strlen(node.path) - same;
        if (rest > UINT16_MAX)
            return oc_fail(OCELOTL_ERROR_LIMIT, "a path of %zu bytes is too long for a page",
                           strlen(node.path));
        oc_bytes_add_word(&to->names, same, 2);
        oc_bytes_add_word(&to->names, rest, 2);
        oc_text_append(&to->names, node.path + same, rest);
        oc_bytes_add_word(columns[0], node.parent, 4);
        oc_bytes_add_word(columns[1], node.row_first, 4);
        oc_bytes_add_word(columns[2], node.row_count, 4);
        oc_bytes_add_word(columns[3], add_kind(to, node.kind) | (node.alike ? GROUP : 0), 2);
        before = node.path;
    }
    to->next = to->end < end ? to->end : 0;
    return OCELOTL_OK;
}

static ocelotl_status write_page(const ocelotl_sink *sink, page *from, oc_text *columns[4],
                                 uint32_t end, uint32_t count)
{
    oc_text bytes = {0};
    OC_TRY(gather(from, columns, end));
    const uint32_t words[] = {from->first,      from->end - from->first,      from->next, count,
                              from->kind_count, (uint32_t)from->names.length, 0,          0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        oc_bytes_add_word(&bytes, words[i], 4);
    bool failed = from->kinds.failed || from->names.failed;
    for (size_t i = 0; i < 4; i++) {
        failed = failed || columns[i]->failed;
        oc_text_append(&bytes, failed ? "" : columns[i]->bytes, failed ? 0 : columns[i]->length);
    }
    if (!failed) {
        oc_text_append(&bytes, from->kinds.bytes, from->kinds.length);
        oc_text_append(&bytes, from->names.bytes, from->names.length);
    }
    const ocelotl_status status =
        failed || bytes.failed ? oc_fail_memory() : oc_sink_write(sink, bytes.bytes, bytes.length);
    oc_text_free(&bytes);
    return status;
}

ocelotl_status ocelotl_nodes_write(const ocelotl_sink *sink, const ocelotl_model *model,
                                   uint32_t below, uint32_t from)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    oc_text parent = {0}, row_first = {0}, row_count = {0}, kind = {0};
    oc_text *columns[4] = {&parent, &row_first, &row_count, &kind};
    page made = {.model = model, .first = from};
    if (below >= count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no node has the number %u, expected one below %u",
                       below, count);
    uint32_t end = below + 1; /* of the subtree */
    while (end < count && ocelotl_model_node_at(model, end).parent >= below &&
           ocelotl_model_node_at(model, end).parent != OCELOTL_ROOT)
        end++;
    if (from < below || from >= end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "node %u is not below node %u, expected one from %u to %u", from, below,
                       below, end - 1);
    const ocelotl_status status = write_page(sink, &made, columns, end, count);
    for (size_t i = 0; i < 4; i++)
        oc_text_free(columns[i]);
    oc_text_free(&made.kinds);
    oc_text_free(&made.names);
    return status;
}
