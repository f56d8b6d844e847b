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
    char *copy = NULL;
    OC_TRY(oc_grow(&rows->texts, &rows->text_capacity, rows->text_count + 1, sizeof *rows->texts));
    OC_TRY(oc_allocate(&copy, length + 1, 1));
    memcpy(copy, text, length);
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
