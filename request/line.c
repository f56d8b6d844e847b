#include "request/line.h"

#include "base/text.h"

#include <string.h>

ocelotl_status oc_line_read(ocelotl_request *line, size_t count, const char *const *words,
                            size_t traces)
{
    OC_TRY(ocelotl_request_parse(line, count, words));
    return line->operand_count <= traces
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is one TRACE too many",
                         line->operands[traces]);
}

size_t oc_line_end_of_zooms(const ocelotl_request *line)
{
    const unsigned command = oc_request_command(line);
    size_t end = 0;
    for (size_t i = 0; i < line->given_count; i++)
        if (oc_find_parameter(line->given[i].name, command)->kind == OC_VALUE_PART)
            end = i + 1;
    return end;
}

ocelotl_status oc_line_add_option(oc_words *words, const ocelotl_given *option)
{
    oc_text name = {0};
    const bool output = strcmp(option->name, "output") == 0;
    oc_text_add(&name, output ? "-o" : "--");
    oc_text_add(&name, output ? "" : option->name);
    const ocelotl_status status = name.failed ? oc_fail_memory() : oc_words_add(words, name.bytes);
    oc_text_free(&name);
    if (status != OCELOTL_OK || option->value == NULL)
        return status;
    return oc_words_add(words, option->value);
}

ocelotl_status oc_line_add_operands(oc_words *words, const ocelotl_request *line)
{
    bool dashed = false;
    for (size_t i = 0; i < line->operand_count; i++)
        dashed = dashed || (line->operands[i][0] == '-' && line->operands[i][1] != '\0');
    if (dashed)
        OC_TRY(oc_words_add(words, "--"));
    for (size_t i = 0; i < line->operand_count; i++)
        OC_TRY(oc_words_add(words, line->operands[i]));
    return OCELOTL_OK;
}
