/* The filters of a model's options, as those of every other question. */
#ifndef OC_MODEL_CORE_MODEL_FILTER_H
#define OC_MODEL_CORE_MODEL_FILTER_H

#include <ocelotl/model.h>

static inline ocelotl_selection oc_model_filter(const ocelotl_model_options *options)
{
    return (ocelotl_selection){.from = options->from,
                               .to = options->to,
                               .resources = options->resources,
                               .only = options->only,
                               .except = options->except,
                               .only_resources = options->only_resources,
                               .except_resources = options->except_resources,
                               .min_duration = options->min_duration,
                               .max_duration = options->max_duration,
                               .where = options->where};
}

#endif
