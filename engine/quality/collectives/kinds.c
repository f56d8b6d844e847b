/* Which operation is of which kind: as OTF2 names them, as functions of MPI are called, and as
 * somebody says. */
#include "quality/collectives/collectives.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

typedef struct named_kind {
    const char *name;
    oc_collective_kind kind;
} named_kind;

/* Of those to or from some alone, and of scans, nobody waits for all. */
static const named_kind operations[] = {
    {"BARRIER", OC_ALL_TO_ALL},        {"ALLGATHER", OC_ALL_TO_ALL},
    {"ALLTOALL", OC_ALL_TO_ALL},       {"ALLREDUCE", OC_ALL_TO_ALL},
    {"REDUCE_SCATTER", OC_ALL_TO_ALL}, {"REDUCE_SCATTER_BLOCK", OC_ALL_TO_ALL},
    {"BCAST", OC_ONE_TO_ALL},          {"SCATTER", OC_ONE_TO_ALL},
    {"SCATTERV", OC_ONE_TO_ALL},       {"GATHER", OC_ALL_TO_ONE},
    {"GATHERV", OC_ALL_TO_ONE},        {"REDUCE", OC_ALL_TO_ONE}};

/* Of MPI, and kernels of NCCL and RCCL. */
static const named_kind usual[] = {{"*Barrier", OC_ALL_TO_ALL},
                                   {"*Allreduce", OC_ALL_TO_ALL},
                                   {"*Alltoall", OC_ALL_TO_ALL},
                                   {"*Allgather", OC_ALL_TO_ALL},
                                   {"nccl*AllReduce*", OC_ALL_TO_ALL},
                                   {"nccl*AllGather*", OC_ALL_TO_ALL},
                                   {"nccl*ReduceScatter*", OC_ALL_TO_ALL},
                                   {"nccl*AllToAll*", OC_ALL_TO_ALL},
                                   {"nccl:all_reduce", OC_ALL_TO_ALL},
                                   {"nccl:all_gather*", OC_ALL_TO_ALL},
                                   {"nccl:reduce_scatter*", OC_ALL_TO_ALL},
                                   {"nccl:all_to_all*", OC_ALL_TO_ALL},
                                   {"nccl*Broadcast*", OC_ONE_TO_ALL},
                                   {"nccl:broadcast*", OC_ONE_TO_ALL},
                                   {"*Bcast", OC_ONE_TO_ALL},
                                   {"*Scatter", OC_ONE_TO_ALL},
                                   {"*Reduce", OC_ALL_TO_ONE},
                                   {"*Gather", OC_ALL_TO_ONE}};

/* Of PyTorch, in small letters: the first counts. */
static const named_kind said[] = {
    {"*all*reduce*", OC_ALL_TO_ALL},     {"*all*gather*", OC_ALL_TO_ALL},
    {"*reduce*scatter*", OC_ALL_TO_ALL}, {"*all*to*all*", OC_ALL_TO_ALL},
    {"*barrier*", OC_ALL_TO_ALL},        {"*broadcast*", OC_ONE_TO_ALL},
    {"*scatter*", OC_ONE_TO_ALL},        {"*gather*", OC_ALL_TO_ONE},
    {"*reduce*", OC_ALL_TO_ONE}};

static const named_kind words[] = {{"barrier", OC_ALL_TO_ALL},
                                   {"all-to-all", OC_ALL_TO_ALL},
                                   {"one-to-all", OC_ONE_TO_ALL},
                                   {"all-to-one", OC_ALL_TO_ONE}};

enum {
    OPERATIONS = sizeof operations / sizeof operations[0],
    USUAL = sizeof usual / sizeof usual[0],
    SAID = sizeof said / sizeof said[0],
    WORDS = sizeof words / sizeof words[0]
};

oc_collective_kind oc_collective_kind_of(const char *operation)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        if (strcmp(operations[i].name, operation) == 0)
            return operations[i].kind;
    return OC_COLLECTIVE_NONE;
}

bool oc_collective_carries(const char *operation)
{
    return strcmp(operation, "BARRIER") != 0;
}

oc_collective_kind oc_collective_usual_kind(const char *value)
{
    for (size_t i = 0; i < USUAL; i++)
        if (oc_pattern_matches(usual[i].name, value))
            return usual[i].kind;
    return OC_COLLECTIVE_NONE;
}

oc_collective_kind oc_collective_said_kind(const char *name)
{
    for (size_t i = 0; i < SAID; i++)
        if (oc_pattern_matches_small(said[i].name, name))
            return said[i].kind;
    return OC_COLLECTIVE_NONE;
}

bool oc_collective_is_kernel(const char *value)
{
    return oc_pattern_matches_small("*ccl*kernel*", value);
}

bool oc_collective_is_launch(const char *value)
{
    return oc_pattern_matches("nccl:*", value);
}

/* --- Patterns */

/* The word behind an equals sign, if it ends there or at a colon. */
static const named_kind *find_word(const char *text)
{
    const size_t length = strcspn(text, ":");
    for (size_t i = 0; i < WORDS; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, text, length) == 0)
            return &words[i];
    return NULL;
}

/* A pattern may have equals signs of its own, and so may a path. */
static const char *find_end(const char *pattern)
{
    const char *end = strchr(pattern, '=');
    while (end != NULL && find_word(end + 1) == NULL)
        end = strchr(end + 1, '=');
    return end;
}

static ocelotl_status fail_root(const char *path, const oc_collective_request *asked)
{
    oc_nearest_name nearest = oc_nearest_to(path, strlen(path));
    for (uint32_t r = 0; r < asked->trace->resource_count; r++)
        oc_nearest_try(&nearest, asked->trace->resources[r].name);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "\"%s\" is no resource, expected the path of the root of a collective "
                   "operation%s%s%s",
                   path, nearest.name != NULL ? "; one is called \"" : "",
                   nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "\"" : "");
}

static ocelotl_status read_rule(oc_collective_rule *rule, const char *text,
                                const oc_collective_request *asked)
{
    const char *end = find_end(text);
    if (end == NULL || end == text)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" says no kind of collective operation, expected PATTERN=barrier, "
                       "=all-to-all, =one-to-all:ROOT or =all-to-one:ROOT",
                       text);
    const char *colon = strchr(end, ':');
    rule->kind = find_word(end + 1)->kind;
    rule->root = OCELOTL_NONE;
    if ((colon == NULL) != (rule->kind == OC_ALL_TO_ALL))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       rule->kind == OC_ALL_TO_ALL
                           ? "\"%s\" names a root, expected none: all wait for all"
                           : "\"%s\" names no root, expected its path behind a colon",
                       text);
    OC_TRY(oc_copy_text(&rule->pattern, text));
    rule->pattern[end - text] = '\0';
    if (colon == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_path_find(&rule->root, &asked->catalogue->paths, colon + 1, strlen(colon + 1)));
    return rule->root != OCELOTL_NONE ? OCELOTL_OK : fail_root(colon + 1, asked);
}

ocelotl_status oc_collective_rules_read(oc_collective_rules *rules,
                                        const oc_collective_request *asked)
{
    const ocelotl_names *given = asked->patterns;
    const size_t count = given->count > 0 ? given->count : asked->by_name ? USUAL : 0;
    OC_TRY(oc_allocate(&rules->rules, count, sizeof *rules->rules));
    rules->count = count; /* those that are not read yet are empty */
    for (size_t i = 0; i < count; i++) {
        oc_collective_rule *rule = &rules->rules[i];
        if (given->count > 0) {
            OC_TRY(read_rule(rule, given->names[i], asked));
            continue;
        }
        OC_TRY(oc_copy_text(&rule->pattern, usual[i].name));
        rule->kind = usual[i].kind;
        rule->root = OCELOTL_NONE;
    }
    return OCELOTL_OK;
}

void oc_collective_rules_free(oc_collective_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        free(rules->rules[i].pattern);
    free(rules->rules);
    *rules = (oc_collective_rules){0};
}
