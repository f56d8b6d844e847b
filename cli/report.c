/* Messages and exit codes. Every message goes through `say`, for it may carry names of a trace,
 * file names, values of options. */
#include "command.h"
#include "visible.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Without memory a long message is cut. */
static void say(const char *format, va_list arguments)
{
    char kept[1024];
    va_list again;
    va_copy(again, arguments);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the analyser loses a list that is a
    // parameter
    const int length = vsnprintf(kept, sizeof kept, format, arguments);
    char *whole = length >= (int)sizeof kept ? malloc((size_t)length + 1) : NULL;
    if (whole != NULL)
        vsnprintf(whole, (size_t)length + 1, format, again);
    va_end(again);
    fputs("ocelotl-cli: ", stderr);
    cli_write_visible(stderr, whole != NULL ? whole : kept);
    free(whole);
}

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int cli_fail(ocelotl_status status)
{
    /* It may have been the program itself that had none. */
    cli_say("%s", status == OCELOTL_ERROR_MEMORY ? "out of memory" : ocelotl_error_message());
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_INTERNAL ? CLI_INTERNAL
                                                                              : CLI_WRONG;
}

int cli_code(ocelotl_status status)
{
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

int cli_option_code(ocelotl_status status, const char *command)
{
    return status == OCELOTL_ERROR_ARGUMENT ? cli_usage(command, "%s", ocelotl_error_message())
                                            : cli_code(status);
}

int cli_import_code(ocelotl_status status, const char *path, bool lenient)
{
    const char *message = ocelotl_error_message();
    const char *name = cli_name_of(path);
    const size_t length = strlen(name);
    const bool at_line = status == OCELOTL_ERROR_INPUT && strncmp(message, name, length) == 0 &&
                         message[length] == ':' && message[length + 1] >= '0' &&
                         message[length + 1] <= '9';
    if (!at_line || lenient)
        return cli_code(status);
    return cli_wrong("%s; --lenient %s", message,
                     strstr(message + length, ": the compressed data ") != NULL
                         ? "imports what comes before"
                         : "skips such lines");
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fprintf(stderr, "; see ocelotl-cli %s%s--help\n", command, command[0] != '\0' ? " " : "");
    return CLI_USAGE;
}

int cli_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return CLI_WRONG;
}

int cli_memory(void)
{
    cli_wrong("out of memory");
    return CLI_INTERNAL;
}
