/* An answer is a file: a line with its length and a digest of what it depends on and of itself, and
 * then its text. What does not fit is no answer. */
#define _GNU_SOURCE
#include "request/session.h"

#include "request/cache/cache.h"

#include <ocelotl/digest.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const long largest_answer = 64L << 20;

/* Raised where the same questions get other answers, which a version may do more than once before
 * it is out. */
static const char edition[] = "27";

/* The path of an answer, which may not exist; NULL: it is not to be kept. The uid alone would do,
 * were no trace.db ever damaged: a wrong answer must not outlive it. The model counts as it came to
 * be, not as it was asked for: defaults may depend on the machine, and whatever it was made with,
 * its answers depend on what is in it. */
static char *find_path(oc_key *key, const ocelotl_session *session, const oc_view *view,
                       const char *question)
{
    struct stat found;
    char text[128];
    char *path = NULL;
    char *reason = NULL;
    *key = (oc_key){0};
    oc_key_add(key, ocelotl_version());
    oc_key_add(key, edition);
    oc_key_add(key, question);
    if (session->reading.no_cache || session->options.exchange != NULL || session->trace == NULL ||
        session->database == NULL || stat(session->database, &found) != 0)
        return NULL;
    oc_key_add(key, ocelotl_trace_info_of(session->trace).uid);
    oc_key_add_file(key, &found, !session->imported);
    if (view != NULL) {
        const ocelotl_model_info info = ocelotl_model_info_of(view->model);
        snprintf(text, sizeof text, "%d %d %d %.17g %.17g %016" PRIx64, (int)view->kind,
                 (int)info.nesting, (int)info.untraced, info.begin, info.end,
                 ocelotl_model_hash(view->model));
        oc_key_add(key, text);
    }
    char *folder = oc_cache_folder(&reason, true);
    free(reason);
    if (folder != NULL &&
        asprintf(&path, "%s/%.*s-%016" PRIx64 "%016" PRIx64 ".answer", folder,
                 (int)strcspn(question, " "), question, key->digest[0], key->digest[1]) < 0)
        path = NULL;
    free(folder);
    return path;
}

static char *print_head(const oc_key *key, const char *text, size_t length)
{
    char *head = NULL;
    uint64_t digest[2] = {key->digest[0], key->digest[1]};
    ocelotl_digest(digest, text, length);
    if (asprintf(&head, "ocelotl answer %zu %016" PRIx64 "%016" PRIx64 "\n", length, digest[0],
                 digest[1]) < 0)
        return NULL;
    return head;
}

static char *read_file(size_t *length, const char *path)
{
    struct stat found;
    const int held = oc_cache_hold(path);
    FILE *file = held >= 0 ? fdopen(held, "rb") : NULL;
    char *text = NULL;
    *length = 0;
    if (file != NULL && fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_size <= largest_answer)
        text = malloc((size_t)found.st_size + 1);
    if (text != NULL) {
        *length = fread(text, 1, (size_t)found.st_size, file);
        text[*length] = '\0';
    }
    if (file != NULL)
        fclose(file);
    else if (held >= 0)
        close(held);
    return text;
}

/* Leaves the answer alone in `file`, or says that it is none. */
static bool take_answer(char *file, size_t length, const oc_key *key)
{
    const char *line = memchr(file, '\n', length);
    if (line == NULL || strlen(file) != length)
        return false;
    const size_t before = (size_t)(line + 1 - file);
    char *expected = print_head(key, file + before, length - before);
    const bool good =
        expected != NULL && strlen(expected) == before && memcmp(expected, file, before) == 0;
    free(expected);
    memmove(file, file + before, length - before + 1);
    return good;
}

char *oc_answer_find(const ocelotl_session *session, const oc_view *view, const char *question)
{
    oc_key key;
    size_t length;
    char *path = find_path(&key, session, view, question);
    char *text = path != NULL ? read_file(&length, path) : NULL;
    if (text != NULL && take_answer(text, length, &key)) {
        const size_t source = strcspn(text, "\n");
        memmove(text, text + source + (text[source] != '\0'), strlen(text + source));
        oc_cache_touch(path);
    } else {
        free(text);
        text = NULL;
    }
    free(path);
    return text;
}

/* Locked while it is written, so that nobody takes it for one that was left. */
static void write_file(const char *path, const char *head, const char *text, size_t length)
{
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.partial-%08lx", path, (unsigned long)getpid()) < 0)
        return;
    const int number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = number >= 0 && flock(number, LOCK_EX) == 0 ? fdopen(number, "wb") : NULL;
    bool good = file != NULL && fputs(head, file) >= 0 && fwrite(text, 1, length, file) == length &&
                fflush(file) == 0;
    good = good && rename(temporary, path) == 0;
    if (!good && number >= 0)
        unlink(temporary);
    if (file != NULL)
        fclose(file);
    else if (number >= 0)
        close(number);
    free(temporary);
}

void oc_answer_keep(const ocelotl_session *session, const oc_view *view, const char *question,
                    const char *text, size_t length)
{
    oc_key key;
    char *source = NULL;
    char *marked = NULL;
    char *head = NULL;
    char *path = find_path(&key, session, view, question);
    /* The trace, whole, in a line of its own: a trace.db, or what one in the cache was made of. */
    if (path != NULL)
        source = session->imported ? strdup(ocelotl_trace_info_of(session->trace).source)
                                   : oc_whole_path(session->database);
    for (char *byte = source; byte != NULL && *byte != '\0'; byte++)
        if (*byte == '\n')
            *byte = ' ';
    if (source != NULL && asprintf(&marked, "%s\n%.*s", source, (int)length, text) < 0)
        marked = NULL;
    if (marked != NULL)
        head = print_head(&key, marked, strlen(marked));
    if (head != NULL) {
        write_file(path, head, marked, strlen(marked));
        oc_cache_trim(path);
    }
    free(head);
    free(marked);
    free(source);
    free(path);
}

bool oc_answer_source(char **source, const char *path)
{
    size_t length;
    errno = 0;
    char *file = read_file(&length, path);
    if (file == NULL)
        return errno != ENOMEM;
    char *line = strchr(file, '\n');
    char *end = line != NULL ? strchr(line + 1, '\n') : NULL;
    *source = end != NULL ? strndup(line + 1, (size_t)(end - line - 1)) : NULL;
    free(file);
    return end == NULL || *source != NULL;
}
