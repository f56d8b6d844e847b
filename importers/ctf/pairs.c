/* Events whose names say that they begin or end something. */
#include "importers/ctf/reader.h"

#include "base/options.h"
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

/* A part of a text. */
typedef struct part {
    const char *bytes;
    size_t length;
} part;

typedef struct given_pair {
    part begin, end;
} given_pair;

static bool is_same(part one, part other)
{
    return one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
}

/* Takes the pair at *next and moves that behind it; false where none is. */
static bool take_pair(given_pair *pair, const char **next)
{
    const char *begin = *next;
    if (begin == NULL || *begin == '\0')
        return false;
    const size_t length = strcspn(begin, ",");
    const char *sign = memchr(begin, '=', length);
    const size_t before = sign != NULL ? (size_t)(sign - begin) : length;
    *pair = (given_pair){{begin, before},
                         {begin + before + (sign != NULL), length - before - (sign != NULL)}};
    *next = begin + length + (begin[length] == ',');
    return true;
}

/* An event begins states, or ends those of one other event. */
static ocelotl_status check_against(const given_pair *pair, const char *pairs)
{
    given_pair other;
    for (const char *next = pairs; take_pair(&other, &next);) {
        if (is_same(pair->end, other.begin))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--pair \"%s\": \"%.*s\" ends a state and begins another, expected one "
                           "of both",
                           pairs, (int)pair->end.length, pair->end.bytes);
        if (is_same(pair->end, other.end) && !is_same(pair->begin, other.begin))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--pair \"%s\": \"%.*s\" ends states of \"%.*s\" and of \"%.*s\", "
                           "expected one of both",
                           pairs, (int)pair->end.length, pair->end.bytes, (int)pair->begin.length,
                           pair->begin.bytes, (int)other.begin.length, other.begin.bytes);
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_check_pairs(const char *pairs)
{
    given_pair pair;
    for (const char *next = pairs; take_pair(&pair, &next);)
        if (pair.begin.length == 0 || pair.end.length == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "--pair \"%s\": expected the names of events that begin and end a "
                           "state, as A=B",
                           pairs);
    for (const char *next = pairs; take_pair(&pair, &next);)
        OC_TRY(check_against(&pair, pairs));
    return OCELOTL_OK;
}

/* States of a pair that the user names are called as what begins them. */
static bool find_given(ctf_role *role, oc_text *name, const char *event, const char *pairs)
{
    given_pair pair;
    const part of = {event, strlen(event)};
    for (const char *next = pairs; take_pair(&pair, &next);) {
        const bool begins = is_same(pair.begin, of);
        if (!begins && !is_same(pair.end, of))
            continue;
        *role = begins ? CTF_AS_BEGIN : CTF_AS_END;
        oc_text_append(name, pair.begin.bytes, pair.begin.length);
        return true;
    }
    return false;
}

static bool is_given(part event, const char *pairs)
{
    given_pair pair;
    for (const char *next = pairs; take_pair(&pair, &next);)
        if (is_same(pair.begin, event) || is_same(pair.end, event))
            return true;
    return false;
}

bool ctf_is_given(const char *event, const char *pairs)
{
    return is_given((part){event, strlen(event)}, pairs);
}

/* --- Whether the trace has the names that are given */

/* What a description calls its events: what is known of one that has a name. */
static ocelotl_status check_name(const ctf_reader *reader, part name)
{
    oc_nearest_name nearest = oc_nearest_to(name.bytes, name.length);
    const char *any = NULL;
    for (size_t i = 0; i < reader->trace_count; i++) {
        const ctf_description *of = &reader->traces[i].description;
        for (size_t j = 0; j < of->event_count; j++) {
            oc_text known = {0};
            OC_TRY(ctf_name_event(&known, &of->events[j]));
            const bool is_it = is_same((part){known.bytes, known.length}, name);
            oc_text_free(&known);
            if (is_it)
                return OCELOTL_OK;
            if (of->events[j].name == NULL)
                continue;
            oc_nearest_try(&nearest, of->events[j].name);
            any = any == NULL ? of->events[j].name : any;
        }
    }
    const char *shown = nearest.name != NULL ? nearest.name : any;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "--pair \"%s\": no event is called \"%.*s\"%s%s%s",
                   reader->import->options->pairs, (int)name.length, name.bytes,
                   nearest.name != NULL ? ", perhaps \""
                                        : ", expected one of the trace, such as \"",
                   shown != NULL ? shown : "", "\"");
}

ocelotl_status ctf_check_names_of_pairs(const ctf_reader *reader)
{
    given_pair pair;
    for (const char *next = reader->import->options->pairs; take_pair(&pair, &next);) {
        OC_TRY(check_name(reader, pair.begin));
        OC_TRY(check_name(reader, pair.end));
    }
    return OCELOTL_OK;
}

/* --- Words in names */

static bool is_capital(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

/* A word ends where no letter follows, or a capital behind a small letter. */
static size_t word_length(const char *name)
{
    size_t length = 0;
    while ((is_capital(name[length]) || (name[length] >= 'a' && name[length] <= 'z')) &&
           (length == 0 || !is_capital(name[length]) || is_capital(name[length - 1])))
        length++;
    return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && oc_same_first_letters(text, word, length);
}

/* Returns the word that begins what this one begins or ends. */
static const char *find_beginning(const char *word, size_t length)
{
    size_t i = 0;
    while (i < WORDS && !is_word(word, length, words[i].begin) &&
           !is_word(word, length, words[i].end))
        i++;
    return i < WORDS ? words[i].begin : "";
}

/* The name without a word, and without the sign that joined it; a word that is all the name behind
 * that of its provider stays. */
static void add_rest(oc_text *rest, const char *name, const char *word, size_t length)
{
    const char *behind = word + length;
    size_t before = (size_t)(word - name);
    if (before > 0 && word[-1] == ':' && *behind == '\0') {
        oc_text_append(rest, name, before);
        oc_text_add(rest, find_beginning(word, length));
        return;
    }
    if (before > 0 && (word[-1] == '_' || word[-1] == '-' || word[-1] == '.'))
        before--;
    else if (*behind == '_' || *behind == '-' || *behind == '.')
        behind++;
    oc_text_append(rest, name, before);
    oc_text_add(rest, behind);
}

/* Whether the name with the word replaced is another event of the trace, which makes no pair of the
 * user's own. Capitals are as in the word. */
static bool has_partner(oc_text *scratch, const oc_map *names, const char *pairs, const char *name,
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
    return !scratch->failed && !is_given((part){scratch->bytes, scratch->length}, pairs) &&
           oc_map_get(names, scratch->bytes, scratch->length) != OC_MAP_NONE;
}

/* The last word that makes a pair counts. */
ocelotl_status ctf_find_pair(ctf_role *role, oc_text *name, const oc_map *names, const char *event,
                             const char *pairs)
{
    oc_text scratch = {0};
    *role = CTF_AS_EVENT;
    oc_text_clear(name);
    const char *word = find_given(role, name, event, pairs) ? "" : event;
    while (*word != '\0') {
        const size_t length = word_length(word);
        bool is_pair = false;
        for (size_t i = 0; i < WORDS && length > 0 && !is_pair; i++) {
            const bool begins = is_word(word, length, words[i].begin);
            const bool ends = is_word(word, length, words[i].end);
            is_pair = (begins || ends) && has_partner(&scratch, names, pairs, event, word, length,
                                                      begins ? words[i].end : words[i].begin);
            if (is_pair)
                *role = begins ? CTF_AS_BEGIN : CTF_AS_END;
        }
        if (is_pair) {
            oc_text_clear(name);
            add_rest(name, event, word, length);
        }
        word += length > 0 ? length : 1;
    }
    if (*role != CTF_AS_EVENT && name->length == 0)
        oc_text_add(name, "(no name)"); /* the word is all of it */
    const bool failed = name->failed || scratch.failed;
    oc_text_free(&scratch);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}
