/* Messages and exit codes. */
#include "command.h"
#include "standard_input.h"

#include <stdarg.h>
#include <string.h>

int cli_fail(ocelotl_status status)
{
    fprintf(stderr, "ocelotl-cli: %s\n", ocelotl_error_message());
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_INTERNAL ? CLI_INTERNAL : CLI_WRONG;
}

int cli_code(ocelotl_status status)
{
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

int cli_import_code(ocelotl_status status, const char *path, bool lenient)
{
    const char *message = ocelotl_error_message();
    const char *name = cli_name_of(path);
    const size_t length = strlen(name);
    const bool at_line = status == OCELOTL_ERROR_INPUT && strncmp(message, name, length) == 0 &&
                         message[length] == ':' && message[length + 1] >= '0' && message[length + 1] <= '9';
    if (!at_line || lenient)
        return cli_code(status);
    return cli_wrong("%s; --lenient %s", message,
                     strstr(message + length, ": the compressed data ") != NULL ? "imports what comes before"
                                                                                : "skips such lines");
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ocelotl-cli: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see ocelotl-cli %s%s--help\n", command, command[0] != '\0' ? " " : "");
    va_end(arguments);
    return CLI_USAGE;
}

int cli_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ocelotl-cli: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return CLI_WRONG;
}

int cli_memory(void)
{
    cli_wrong("out of memory");
    return CLI_INTERNAL;
}
