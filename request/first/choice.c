/* What rules share: how much a picture tells, and what was chosen before. */
#include "base/memory.h"
#include "request/first/first.h"

#include <stdlib.h>
#include <string.h>

/* What types have of the root, as a share of what they all have but for time in no state. */
static ocelotl_status add_up_others(double *share, const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = NULL;
    double all = 0;
    double others = 0;
    OC_TRY(oc_allocate(&values, info.type_count, sizeof *values));
    const ocelotl_status status = ocelotl_model_values(values, model, 0, 0, info.slice_count - 1);
    for (uint32_t x = 0; x < info.type_count && status == OCELOTL_OK; x++) {
        const ocelotl_type type = ocelotl_model_type_at(model, x);
        all += type.untraced ? 0 : values[x];
        others += info.type_count > OCELOTL_DEFAULT_MAX_TYPES && strcmp(type.name, "others") == 0
                      ? values[x]
                      : 0;
    }
    *share = all > 0 ? others / all : 0;
    free(values);
    return status;
}

ocelotl_status oc_find_told(oc_told *told, const oc_choosing *choosing,
                            const ocelotl_model_options *options)
{
    ocelotl_aggregation_options measures = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    measures.work = options->work;
    measures.work.progress = choosing->session->options.within;
    measures.work.context = choosing->session->options.context;
    ocelotl_status status = ocelotl_model_from_trace(&model, choosing->session->trace, options);
    if (status == OCELOTL_OK)
        status = add_up_others(&told->others, model);
    if (status == OCELOTL_OK)
        status = ocelotl_aggregation_create(&aggregation, model, &measures);
    if (status == OCELOTL_OK)
        status = ocelotl_solve_parts(&partition, aggregation, OC_PARTS_TAKEN_IN);
    if (status == OCELOTL_OK) {
        const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
        told->told = info.whole_loss - info.loss;
        told->lost = info.whole_loss > 0 ? info.loss / info.whole_loss : 0;
    }
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
    return status;
}

static ocelotl_status look_up(char **text, const char *key, const oc_choosing *choosing,
                              ocelotl_model_options *coarse,
                              ocelotl_status (*find)(oc_text *text, const oc_choosing *choosing,
                                                     ocelotl_model_options *coarse))
{
    oc_text found = {0};
    *text = oc_answer_find(choosing->session, NULL, key);
    if (*text != NULL)
        return OCELOTL_OK;
    if (choosing->kept)
        return oc_fail(OCELOTL_ERROR_EMPTY, "nothing was chosen before");
    const ocelotl_status status = find(&found, choosing, coarse);
    if (status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED || found.failed) {
        oc_text_free(&found);
        return found.failed ? oc_fail_memory() : status;
    }
    oc_text_append(&found, "", 0);
    if (found.failed)
        return oc_fail_memory();
    *text = found.bytes;
    if (status == OCELOTL_OK) /* what fails may not do so again */
        oc_answer_keep(choosing->session, NULL, key, found.bytes, found.length);
    return OCELOTL_OK;
}

ocelotl_status oc_find_choice(const char **text, oc_choice_kept *kept, oc_text *key,
                              const oc_choosing *choosing, ocelotl_model_options *coarse,
                              ocelotl_status (*find)(oc_text *text, const oc_choosing *choosing,
                                                     ocelotl_model_options *coarse))
{
    char *found = NULL;
    if (key->failed)
        return oc_fail_memory();
    if (kept->key != NULL && strcmp(kept->key, key->bytes) == 0) {
        oc_text_free(key);
    } else {
        const ocelotl_status status = look_up(&found, key->bytes, choosing, coarse, find);
        if (status != OCELOTL_OK) {
            oc_text_free(key);
            return status;
        }
        free(kept->key);
        free(kept->text);
        *kept = (oc_choice_kept){key->bytes, found};
    }
    *text = kept->text;
    return OCELOTL_OK;
}
