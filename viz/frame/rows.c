/* Nodes of rows, one after the other, and the texts that are made for them. */
#include "base/memory.h"
#include "viz/frame/frame.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_row_nodes_add(oc_row_nodes *rows, const oc_row_node *node)
{
    OC_TRY(oc_grow(&rows->nodes, &rows->capacity, rows->node_count + 1, sizeof *node));
    rows->nodes[rows->node_count++] = *node;
    return OCELOTL_OK;
}

ocelotl_status oc_row_nodes_keep(const char **kept, oc_row_nodes *rows, const char *text,
                                 size_t length)
{
    /* More than pictures show of the beginning and of the end of a line: the first steps of a path
     * of n steps would take n^2 bytes. */
    enum { SHOWN = OC_LONGEST_SHOWN / 2 + 8 };
    char *copy = NULL;
    const bool whole = length <= 2 * (size_t)SHOWN || memchr(text, '\n', length) != NULL;
    const size_t tail = whole ? 0 : SHOWN;
    const size_t head = whole ? length : SHOWN;
    OC_TRY(oc_grow(&rows->texts, &rows->text_capacity, rows->text_count + 1, sizeof *rows->texts));
    OC_TRY(oc_allocate(&copy, head + tail + 1, 1));
    memcpy(copy, text, head);
    memcpy(copy + head, text + length - tail, tail);
    rows->texts[rows->text_count++] = copy;
    *kept = copy;
    return OCELOTL_OK;
}

void oc_row_nodes_free(oc_row_nodes *rows)
{
    for (size_t i = 0; i < rows->text_count; i++)
        free(rows->texts[i]);
    free(rows->texts);
    free(rows->nodes);
    *rows = (oc_row_nodes){0};
}
