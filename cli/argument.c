#include "argument.h"

#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

bool cli_read_number(double *number, const char *text, const char *option, const char *command)
{
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0')
        return true;
    cli_usage(command, "--%s is \"%s\", expected a number", option, text);
    return false;
}

bool cli_read_count(uint32_t *count, const char *text, const char *option, const char *command)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    *count = (uint32_t)number;
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && number < UINT32_MAX)
        return true;
    cli_usage(command, "--%s is \"%s\", expected a whole number", option, text);
    return false;
}

int cli_read_word(const char *text, const char *const *words, int count, const char *option,
                  const char *command)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    char expected[128] = "";
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s%s",
                 i == 0          ? ""
                 : i + 1 < count ? ", "
                                 : " or ",
                 words[i]);
    }
    cli_usage(command, "--%s is \"%s\", expected %s", option, text, expected);
    return -1;
}

int cli_add_name(cli_names *names, const char *option, const char *command)
{
    if (names->count == CLI_MOST_NAMES)
        return cli_usage(command, "--%s is given more than %d times", option, CLI_MOST_NAMES);
    names->names[names->count++] = optarg;
    return CLI_DONE;
}
