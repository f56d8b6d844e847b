#include "base/status.h"

#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[8192];
static _Thread_local uint64_t memory_failures;

const char *ocelotl_error_message(void)
{
    return last_message;
}

const char *ocelotl_version(void)
{
    return OCELOTL_VERSION;
}

ocelotl_status(oc_fail)(ocelotl_status status, const char *format, ...)
{
    char message[sizeof last_message];
    va_list arguments;
    va_start(arguments, format);
    oc_plain_vprint(message, sizeof message, format, arguments);
    va_end(arguments);
    /* A message is one line, whatever the names in it contain. */
    char *text = message;
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = ' ';
    memcpy(last_message, message, sizeof message);
    return status;
}

ocelotl_status(oc_fail_within)(ocelotl_status status, const char *format, ...)
{
    char prefix[sizeof last_message / 2];
    va_list arguments;
    va_start(arguments, format);
    oc_plain_vprint(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    char inner[sizeof last_message];
    memcpy(inner, last_message, sizeof inner);
    return oc_fail(status, "%s: %s", prefix, inner);
}

ocelotl_status(oc_fail_memory)(void)
{
    memory_failures++;
    return oc_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

uint64_t oc_memory_failures(void)
{
    return memory_failures;
}

ocelotl_status oc_check_memory(uint64_t before)
{
    return memory_failures == before ? OCELOTL_OK : oc_fail_memory();
}

ocelotl_status ocelotl_fail(ocelotl_status status, const char *message)
{
    return oc_fail(status, "%s", message);
}
