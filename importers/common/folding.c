#include "importers/common/folding.h"

#include "base/memory.h"

#include <regex.h>
#include <stdlib.h>

struct oc_pattern {
    regex_t expression;
};

ocelotl_status oc_folding_open(oc_folding *folding, const char *expression)
{
    char reason[256];
    if (expression == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&folding->pattern, 1, sizeof *folding->pattern));
    regex_t *compiled = &folding->pattern->expression;
    const int error = regcomp(compiled, expression, REG_EXTENDED);
    if (error == 0 && regexec(compiled, "", 0, NULL, 0) != 0)
        return OCELOTL_OK;
    if (error != 0)
        regerror(error, compiled, reason, sizeof reason);
    else
        regfree(compiled);
    free(folding->pattern);
    folding->pattern = NULL;
    if (error == REG_ESPACE)
        return oc_fail_memory();
    if (error == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--fold-names \"%s\" matches the empty text, expected one that matches what "
                       "is to be left out of names",
                       expression);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--fold-names \"%s\": %s, expected a regular expression",
                   expression, reason);
}

ocelotl_status oc_folding_fold(bool *folded, oc_folding *folding, const char *name)
{
    regmatch_t match;
    int flags = 0;
    *folded = false;
    if (folding->pattern == NULL || regexec(&folding->pattern->expression, name, 1, &match, 0) != 0)
        return OCELOTL_OK;
    oc_text_clear(&folding->name);
    do {
        const size_t length = (size_t)(match.rm_eo - match.rm_so);
        oc_text_append(&folding->name, name, (size_t)match.rm_so);
        name += match.rm_eo;
        if (length > 0)
            oc_text_add(&folding->name, "*");
        else if (*name != '\0')
            oc_text_append(&folding->name, name++, 1);
        flags = REG_NOTBOL;
    } while (*name != '\0' && regexec(&folding->pattern->expression, name, 1, &match, flags) == 0);
    oc_text_add(&folding->name, name);
    *folded = true;
    return folding->name.failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_folding_free(oc_folding *folding)
{
    if (folding->pattern != NULL)
        regfree(&folding->pattern->expression);
    free(folding->pattern);
    oc_text_free(&folding->name);
    *folding = (oc_folding){0};
}
