/* An answer is a file: a line with a hash of what it depends on, its length and a hash of itself, and then its text. What
 * does not fit is no answer. */
#define _GNU_SOURCE
#include "answers.h"

#include "cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const long largest_answer = 64L << 20;

/* Raised where the same questions get other answers, which a version may do more than once before it is out. */
static const char edition[] = "3";

/* The uid alone would do, were no trace.db ever damaged: a wrong answer must not outlive it. */
static bool hash_trace(cli_hash *hash, const cli_loaded *loaded)
{
    struct stat found;
    char text[128];
    if (loaded->path == NULL || stat(loaded->path, &found) != 0)
        return false;
    const ocelotl_trace_info info = ocelotl_trace_get_info(loaded->trace);
    snprintf(text, sizeof text, "%" PRIu64 " %lld.%09ld", info.file_size, (long long)found.st_mtim.tv_sec,
             found.st_mtim.tv_nsec);
    cli_hash_text(hash, info.uid);
    cli_hash_text(hash, text);
    return true;
}

/* The model as it came to be, not as it was asked for: defaults may depend on the machine. Whatever it was made with, its
 * answers depend on what is in it. */
static void hash_model(cli_hash *hash, const cli_loaded *loaded)
{
    const ocelotl_model_info info = ocelotl_model_get_info(loaded->model);
    char text[128];
    snprintf(text, sizeof text, "%d %d %d %.17g %.17g %016" PRIx64, (int)loaded->kind, (int)info.nesting,
             (int)info.untraced, info.begin, info.end, ocelotl_model_hash(loaded->model));
    cli_hash_text(hash, text);
}

/* Where the answer is, or would be; NULL: it is not to be kept. */
static char *find_path(cli_hash *hash, const cli_loaded *loaded, const char *question)
{
    char *path = NULL;
    *hash = cli_hash_begin();
    cli_hash_text(hash, ocelotl_version());
    cli_hash_text(hash, edition);
    cli_hash_text(hash, question);
    if (loaded->options->no_cache || loaded->trace == NULL || !hash_trace(hash, loaded))
        return NULL;
    hash_model(hash, loaded);
    char *folder = cli_cache_folder();
    if (folder != NULL && asprintf(&path, "%s/%.*s-%016" PRIx64 ".answer", folder, (int)strcspn(question, " "),
                                   question, hash->name) < 0)
        path = NULL;
    free(folder);
    return path;
}

static char *print_head(uint64_t key, const char *text, size_t length)
{
    char *head = NULL;
    cli_hash hash = cli_hash_begin();
    cli_hash_bytes(&hash, text, length);
    if (asprintf(&head, "ocelotl answer %016" PRIx64 " %zu %016" PRIx64 "%016" PRIx64 "\n", key, length, hash.name,
                 hash.check) < 0)
        return NULL;
    return head;
}

static char *read_file(size_t *length, const char *path)
{
    struct stat found;
    FILE *file = fopen(path, "rb");
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
    return text;
}

/* Leaves the answer alone in `file`, or says that it is none. */
static bool take_answer(char *file, size_t length, uint64_t key)
{
    const char *line = memchr(file, '\n', length);
    if (line == NULL || strlen(file) != length)
        return false;
    const size_t before = (size_t)(line + 1 - file);
    char *expected = print_head(key, file + before, length - before);
    const bool good = expected != NULL && strlen(expected) == before && memcmp(expected, file, before) == 0;
    free(expected);
    memmove(file, file + before, length - before + 1);
    return good;
}

char *cli_answer_find(const cli_loaded *loaded, const char *question)
{
    cli_hash hash;
    size_t length;
    char *path = find_path(&hash, loaded, question);
    char *text = path != NULL ? read_file(&length, path) : NULL;
    if (text != NULL && take_answer(text, length, hash.check)) {
        const size_t source = strcspn(text, "\n");
        memmove(text, text + source + (text[source] != '\0'), strlen(text + source));
        cli_cache_touch(path);
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
    bool good =
        file != NULL && fputs(head, file) >= 0 && fwrite(text, 1, length, file) == length && fflush(file) == 0;
    good = good && rename(temporary, path) == 0;
    if (!good && number >= 0)
        unlink(temporary);
    if (file != NULL)
        fclose(file);
    else if (number >= 0)
        close(number);
    free(temporary);
}

/* The trace, whole, in a line of its own: a trace.db, or what one in the cache was made of. */
static char *name_source(const cli_loaded *loaded)
{
    char *folder = cli_cache_name();
    const bool cached = folder != NULL && strncmp(loaded->path, folder, strlen(folder)) == 0;
    char *source = cached ? strdup(ocelotl_trace_get_info(loaded->trace).source) : cli_whole_path(loaded->path);
    for (char *byte = source; byte != NULL && *byte != '\0'; byte++)
        if (*byte == '\n')
            *byte = ' ';
    free(folder);
    return source;
}

static void keep(const char *path, uint64_t key, const char *text, size_t length)
{
    char *head = print_head(key, text, length);
    if (head != NULL) {
        write_file(path, head, text, length);
        cli_cache_trim(path);
    }
    free(head);
}

void cli_answer_keep(const cli_loaded *loaded, const char *question, const char *text, size_t length)
{
    cli_hash hash;
    char *marked = NULL;
    char *path = find_path(&hash, loaded, question);
    char *source = path != NULL ? name_source(loaded) : NULL;
    if (source != NULL && asprintf(&marked, "%s\n%.*s", source, (int)length, text) >= 0)
        keep(path, hash.check, marked, strlen(marked));
    free(marked);
    free(source);
    free(path);
}

char *cli_answer_source(const char *path)
{
    size_t length;
    char *file = read_file(&length, path);
    char *line = file != NULL ? strchr(file, '\n') : NULL;
    char *end = line != NULL ? strchr(line + 1, '\n') : NULL;
    char *source = end != NULL ? strndup(line + 1, (size_t)(end - line - 1)) : NULL;
    free(file);
    return source;
}
