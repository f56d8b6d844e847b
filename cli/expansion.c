#define _GNU_SOURCE
#include "expansion.h"

#include <stdlib.h>
#include <string.h>

/* A node may have commas in its name: a range are two fields that begin as instants do. */
static bool is_instant(const char *text)
{
    return text[0] != '\0' && strchr("0123456789.+-@", text[0]) != NULL;
}

static char *last_comma(char *text, const char *end)
{
    return memrchr(text, ',', (size_t)(end - text));
}

int cli_read_expansion(cli_expansion *expansion, ocelotl_picture_options *options, const char *text,
                       const char *command)
{
    free(expansion->node);
    *expansion = (cli_expansion){.node = strdup(text)};
    if (expansion->node == NULL)
        return cli_memory();
    char *node = expansion->node;
    options->expand = node;
    char *second = last_comma(node, node + strlen(node));
    char *first = second != NULL ? last_comma(node, second) : NULL;
    if (first == NULL || !is_instant(first + 1) || !is_instant(second + 1))
        return CLI_DONE;
    *first = *second = '\0';
    expansion->range = true;
    return cli_read_instant(&expansion->from, first + 1, CLI_OWN_TIME, "expand", command) &&
                   cli_read_instant(&expansion->to, second + 1, CLI_OWN_TIME, "expand", command)
               ? CLI_DONE
               : CLI_USAGE;
}

/* Seconds on the axis, or slices. */
static double instant_in(const cli_instant *instant, const ocelotl_model_info *info)
{
    const double begin = info->has_time ? info->trace_begin : 0;
    const double end = info->has_time ? info->trace_end : info->slice_count;
    if (instant->percent)
        return begin + instant->value / 100 * (end - begin);
    return instant->base == CLI_FROM_BEGINNING ? begin + instant->value : instant->value;
}

int cli_apply_expansion(ocelotl_picture_options *options, const cli_expansion *expansion,
                        const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_get_info(model);
    if (expansion->range) {
        options->expand_from = instant_in(&expansion->from, &info);
        options->expand_to = instant_in(&expansion->to, &info);
        if (!(options->expand_from < options->expand_to))
            return cli_wrong("--expand ends at %s, which is not after its begin, %s",
                             expansion->to.text, expansion->from.text);
    }
    return cli_code(ocelotl_expansion_check(model, options));
}
