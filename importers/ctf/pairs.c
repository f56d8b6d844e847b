/* Events whose names say that they begin or end something. */
#include "importers/ctf/reader.h"

#include "base/plain.h"

#include <string.h>

static const struct {
    const char *begin, *end;
} words[] = {
    {"entry", "exit"},      {"begin", "end"},  {"enter", "leave"},
    {"request", "acquire"}, {"start", "stop"}, {"req", "acq"},
};

enum { WORDS = sizeof words / sizeof words[0] };

/* --- The option --pair: "A=B", several of them apart by commas */

static const char *end_of(const char *pair)
{
    const char *comma = strchr(pair, ',');
    return comma != NULL ? comma : pair + strlen(pair);
}

ocelotl_status ctf_check_pairs(const char *pairs)
{
    for (const char *pair = pairs; pair != NULL && *pair != '\0';) {
        const char *end = end_of(pair);
        const char *sign = memchr(pair, '=', (size_t)(end - pair));
        if (sign == NULL || sign == pair || sign + 1 == end)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--pair \"%s\": expected the names of events that begin and end a "
                           "state, as A=B",
                           pairs);
        pair = *end == ',' ? end + 1 : end;
    }
    return OCELOTL_OK;
}

static bool is_text(const char *bytes, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(bytes, text, length) == 0;
}

/* States of a pair that the user names are called as what begins them. */
static bool find_given(ctf_role *role, oc_text *name, const char *event, const char *pairs)
{
    for (const char *pair = pairs; pair != NULL && *pair != '\0';) {
        const char *end = end_of(pair);
        const char *sign = memchr(pair, '=', (size_t)(end - pair));
        if (sign == NULL)
            return false;
        const bool begins = is_text(pair, (size_t)(sign - pair), event);
        if (begins || is_text(sign + 1, (size_t)(end - sign - 1), event)) {
            *role = begins ? CTF_AS_BEGIN : CTF_AS_END;
            oc_text_append(name, pair, (size_t)(sign - pair));
            return true;
        }
        pair = *end == ',' ? end + 1 : end;
    }
    return false;
}

/* --- Words in names */

/* The events of a trace, and the pairs that the user names. */
typedef struct ctf_names {
    const oc_map *of_trace;
    const char *pairs;
} ctf_names;

static bool is_capital(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool is_letter(char byte)
{
    return is_capital(byte) || (byte >= 'a' && byte <= 'z');
}

/* A word ends where no letter follows, or a capital behind a small letter. */
static size_t word_length(const char *name)
{
    size_t length = 0;
    while (is_letter(name[length]) &&
           (length == 0 || !is_capital(name[length]) || is_capital(name[length - 1])))
        length++;
    return length;
}

/* The name without a word, and without the sign that joined it. */
static void add_rest(oc_text *rest, const char *name, const char *word, size_t length)
{
    const char *behind = word + length;
    size_t before = (size_t)(word - name);
    if (before > 0 && (word[-1] == '_' || word[-1] == '-' || word[-1] == '.'))
        before--;
    else if (*behind == '_' || *behind == '-' || *behind == '.')
        behind++;
    oc_text_append(rest, name, before);
    oc_text_add(rest, behind);
}

/* Whether an event makes a pair that the user names. */
static bool is_given(const char *event, const char *pairs)
{
    const size_t length = strlen(event);
    for (const char *name = pairs; name != NULL && *name != '\0';) {
        const size_t size = strcspn(name, "=,");
        if (size == length && memcmp(name, event, size) == 0)
            return true;
        name += size;
        name += *name != '\0';
    }
    return false;
}

/* Whether the name with the word replaced is another event of the trace, which makes no pair of the
 * user's own. Capitals are as in the word. */
static bool has_partner(oc_text *scratch, const ctf_names *names, const char *name,
                        const char *word, size_t length, const char *other)
{
    const bool first = is_capital(word[0]);
    const bool all = first && length > 1 && is_capital(word[1]);
    oc_text_clear(scratch);
    oc_text_append(scratch, name, (size_t)(word - name));
    for (size_t i = 0; other[i] != '\0'; i++) {
        const bool large = all || (first && i == 0);
        const char letter = (char)(large ? other[i] - 'a' + 'A' : other[i]);
        oc_text_append(scratch, &letter, 1);
    }
    oc_text_add(scratch, word + length);
    oc_text_append(scratch, "", 1);
    return !scratch->failed && !is_given(scratch->bytes, names->pairs) &&
           oc_map_get(names->of_trace, scratch->bytes, scratch->length - 1) != OC_MAP_NONE;
}

static bool find_word(ctf_role *role, oc_text *scratch, const ctf_names *names, const char *name,
                      const char *word, size_t length)
{
    for (size_t i = 0; i < WORDS; i++) {
        const bool begins =
            strlen(words[i].begin) == length && oc_same_first_letters(word, words[i].begin, length);
        const bool ends =
            strlen(words[i].end) == length && oc_same_first_letters(word, words[i].end, length);
        if ((begins || ends) && has_partner(scratch, names, name, word, length,
                                            begins ? words[i].end : words[i].begin)) {
            *role = begins ? CTF_AS_BEGIN : CTF_AS_END;
            return true;
        }
    }
    return false;
}

/* The last word that makes a pair counts. */
static void find_by_words(ctf_role *role, oc_text *name, oc_text *scratch, const ctf_names *names,
                          const char *event)
{
    for (const char *word = event; *word != '\0';) {
        const size_t length = word_length(word);
        if (length == 0) {
            word++;
            continue;
        }
        if (find_word(role, scratch, names, event, word, length)) {
            oc_text_clear(name);
            add_rest(name, event, word, length);
        }
        word += length;
    }
}

ocelotl_status ctf_find_pair(ctf_role *role, oc_text *name, const oc_map *names, const char *event,
                             const char *pairs)
{
    oc_text scratch = {0};
    const ctf_names all = {names, pairs};
    *role = CTF_AS_EVENT;
    oc_text_clear(name);
    if (!find_given(role, name, event, pairs))
        find_by_words(role, name, &scratch, &all, event);
    if (*role != CTF_AS_EVENT && name->length == 0)
        oc_text_add(name, "(no name)"); /* the word is all of it */
    const bool failed = name->failed || scratch.failed;
    oc_text_free(&scratch);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}
