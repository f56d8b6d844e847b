#define _GNU_SOURCE
#include "query.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void server_query_free(server_query *query)
{
    free(query->pairs);
    free(query->texts);
    *query = (server_query){NULL, 0, NULL};
}

static int digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

/* Decodes a text in its place. */
static bool decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '%') {
            *to++ = (char)(*from == '+' ? ' ' : *from);
            continue;
        }
        const int high = digit(from[1]);
        const int low = high >= 0 ? digit(from[2]) : -1;
        if (low < 0 || high * 16 + low == 0)
            return false;
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

static bool take_pair(server_query *query, char *text)
{
    char *value = strchr(text, '=');
    char *none = text + strlen(text);
    if (value != NULL)
        *value++ = '\0';
    else
        value = none;
    query->pairs[query->count++] = (server_pair){text, value};
    return decode(text) && decode(value);
}

static ocelotl_status split(server_query *query)
{
    char *rest = query->texts;
    while (*rest != '\0') {
        char *pair = rest;
        rest += strcspn(rest, "&");
        if (*rest != '\0')
            *rest++ = '\0';
        if (*pair == '\0')
            continue;
        if (query->count == SERVER_MOST_PAIRS)
            return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                "the query has too many options, expected at most 256");
        if (!take_pair(query, pair))
            return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                "the query has a % that is no byte, expected two hexadecimal "
                                "digits behind it");
    }
    return OCELOTL_OK;
}

ocelotl_status server_query_read(server_query *query, const char *text)
{
    *query = (server_query){NULL, 0, NULL};
    query->pairs = calloc(SERVER_MOST_PAIRS, sizeof *query->pairs);
    query->texts = strdup(text);
    const ocelotl_status status = query->pairs == NULL || query->texts == NULL
                                      ? ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory")
                                      : split(query);
    if (status != OCELOTL_OK)
        server_query_free(query);
    return status;
}

const char *server_query_get(const server_query *query, const char *name)
{
    for (size_t i = query->count; i-- > 0;)
        if (strcmp(query->pairs[i].name, name) == 0)
            return query->pairs[i].value;
    return NULL;
}

const char *server_query_take(server_query *query, const char *name)
{
    const char *value = server_query_get(query, name);
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->pairs[i].name, name) != 0)
            query->pairs[kept++] = query->pairs[i];
    query->count = kept;
    return value;
}
