/* Tags in the keys that SMPI gives to its links. */
#include "quality/tags.h"

#include <string.h>

enum { DIGITS_MOST = 9 };

/* Reads a whole number without a sign and moves behind it. */
static bool read_number(long *number, const char **at, const char *end)
{
    const char *const first = *at;
    *number = 0;
    while (*at < end && **at >= '0' && **at <= '9' && *at - first < DIGITS_MOST)
        *number = *number * 10 + (*(*at)++ - '0');
    return *at > first;
}

static bool pass(const char **at, const char *end, char letter)
{
    if (*at >= end || **at != letter)
        return false;
    (*at)++;
    return true;
}

/* Whether a key's number of a resource counts ranks from `first`. */
static bool is_rank(const char *name, long number, long first)
{
    static const char prefix[] = "rank-";
    const char *at = name;
    long rank;
    if (name == NULL)
        return true;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    at += sizeof prefix - 1;
    return read_number(&rank, &at, name + strlen(name)) && *at == '\0' && number == rank + first;
}

bool oc_tag_cut(ocelotl_attribute_value *key, const char *source, const char *target)
{
    const char *at = key->text;
    const char *const end = at + key->length;
    long from;
    long to;
    long number;
    if (!read_number(&from, &at, end) || !pass(&at, end, '_') || !read_number(&to, &at, end) ||
        !pass(&at, end, '_'))
        return false;
    const char *const tag = at;
    pass(&at, end, '-');
    if (!read_number(&number, &at, end))
        return false;
    const size_t length = (size_t)(at - tag);
    if (!pass(&at, end, '_'))
        return false;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at != end || end[-1] == '_' ||
        (!(is_rank(source, from, 0) && is_rank(target, to, 0)) &&
         !(is_rank(source, from, 1) && is_rank(target, to, 1))))
        return false;
    key->text = tag;
    key->length = length;
    return true;
}
