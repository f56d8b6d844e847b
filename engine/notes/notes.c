/* Notes: a file beside the trace, which is whole or absent. */
#define _GNU_SOURCE
#include "base/format/json.h"
#include "base/format/visible.h"
#include "base/memory.h"
#include "notes/text.h"

#include <ocelotl/notes.h>
#include <ocelotl/sink.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1024 * 1024, LONGEST_KEY = 256 };

typedef struct pair {
    char *key, *value; /* in one block, which the key begins */
} pair;

/* Where the texts of a note begin among those of all, by the order of member_names; 0: it does not
 * say. */
enum { MEMBERS = 4 };

static const char *const member_names[MEMBERS] = {"text", "from", "to", "node"};

typedef struct entry {
    size_t texts[MEMBERS];
} entry;

struct ocelotl_notes {
    char *path;
    oc_text list;   /* the notes as JSON */
    size_t count;   /* of them */
    oc_text texts;  /* of all notes, each with its end; the first one is empty */
    entry *entries; /* count */
    pair *pairs;    /* ordered by key */
    size_t pair_count, pair_capacity;
    int lock; /* the folder; -1: it cannot be locked */
    bool begun;
};

static void free_pairs(ocelotl_notes *notes)
{
    for (size_t i = 0; i < notes->pair_count; i++)
        free(notes->pairs[i].key);
    free(notes->pairs);
    notes->pairs = NULL;
    notes->pair_count = notes->pair_capacity = 0;
}

static void free_list(ocelotl_notes *notes)
{
    oc_text_free(&notes->list);
    oc_text_free(&notes->texts);
    free(notes->entries);
}

void ocelotl_notes_free(ocelotl_notes *notes)
{
    if (notes == NULL)
        return;
    if (notes->lock >= 0)
        close(notes->lock);
    free_pairs(notes);
    free_list(notes);
    free(notes->path);
    free(notes);
}

const char *ocelotl_notes_path(const ocelotl_notes *notes)
{
    return notes->path;
}

size_t ocelotl_notes_count(const ocelotl_notes *notes)
{
    return notes != NULL ? notes->count : 0;
}

ocelotl_note ocelotl_notes_at(const ocelotl_notes *notes, size_t index)
{
    const char *texts[MEMBERS] = {"", "", "", ""};
    for (int i = 0; i < MEMBERS && index < ocelotl_notes_count(notes); i++)
        texts[i] = notes->texts.bytes + notes->entries[index].texts[i];
    return (ocelotl_note){.text = texts[0], .from = texts[1], .to = texts[2], .node = texts[3]};
}

size_t ocelotl_notes_metadata_count(const ocelotl_notes *notes)
{
    return notes != NULL ? notes->pair_count : 0;
}

ocelotl_metadata ocelotl_notes_metadata_at(const ocelotl_notes *notes, size_t index)
{
    if (index >= ocelotl_notes_metadata_count(notes))
        return (ocelotl_metadata){"", ""};
    return (ocelotl_metadata){notes->pairs[index].key, notes->pairs[index].value};
}

/* The place of a key, or where it would be. */
static size_t find(bool *found, const ocelotl_notes *notes, const char *key)
{
    size_t first = 0;
    *found = false;
    for (size_t end = notes->pair_count; first < end;) {
        const size_t middle = first + (end - first) / 2;
        const int order = strcmp(notes->pairs[middle].key, key);
        if (order == 0)
            *found = true;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

const char *ocelotl_notes_value(const ocelotl_notes *notes, const char *key)
{
    bool found = false;
    const size_t place = notes != NULL ? find(&found, notes, key) : 0;
    return found ? notes->pairs[place].value : NULL;
}

/* --- Changing */

static void remove_pair(ocelotl_notes *notes, size_t place)
{
    free(notes->pairs[place].key);
    notes->pair_count--;
    memmove(notes->pairs + place, notes->pairs + place + 1,
            (notes->pair_count - place) * sizeof *notes->pairs);
}

/* Sets the value of a key, whatever it is. */
static ocelotl_status set(ocelotl_notes *notes, const char *key, const char *value)
{
    const size_t length = strlen(key);
    bool found;
    pair made = {.key = NULL};
    OC_TRY(
        oc_grow(&notes->pairs, &notes->pair_capacity, notes->pair_count + 1, sizeof *notes->pairs));
    OC_TRY(oc_allocate(&made.key, length + strlen(value) + 2, 1));
    made.value = made.key + length + 1;
    memcpy(made.key, key, length);
    memcpy(made.value, value, strlen(value));
    const size_t place = find(&found, notes, key);
    if (found)
        remove_pair(notes, place);
    memmove(notes->pairs + place + 1, notes->pairs + place,
            (notes->pair_count - place) * sizeof *notes->pairs);
    notes->pairs[place] = made;
    notes->pair_count++;
    return OCELOTL_OK;
}

static bool is_utf8(const char *text)
{
    for (size_t length; *text != '\0'; text += length)
        if ((length = oc_utf8_length(text, strlen(text))) == 0)
            return false;
    return true;
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

static ocelotl_status check_key(const char *key)
{
    const size_t length = strlen(key);
    if (length == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the key is empty, expected a name");
    if (length > LONGEST_KEY)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the key \"%.20s..\" has %zu bytes, expected %d",
                       key, length, LONGEST_KEY);
    for (size_t at = 0; at < length;) {
        bool visible = false;
        at += ocelotl_character_length(&visible, key + at, length - at);
        if (!visible)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "the key \"%s\" has a byte or sign that nobody sees, expected letters",
                           key);
    }
    if (strchr(key, '=') != NULL || is_blank(key[0]) || is_blank(key[length - 1]))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the key \"%s\" has a =, or blanks at its ends, expected a name", key);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_notes_set(ocelotl_notes *notes, const char *key, const char *value)
{
    bool found;
    OC_TRY(check_key(key));
    if (value == NULL) {
        const size_t place = find(&found, notes, key);
        if (found)
            remove_pair(notes, place);
        return OCELOTL_OK;
    }
    if (!is_utf8(value))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the value of \"%s\" is no text in UTF-8", key);
    return set(notes, key, value);
}

static ocelotl_status take_pairs(ocelotl_notes *notes, const oc_noted *noted)
{
    oc_text key = {0};
    oc_text value = {0};
    ocelotl_status status = OCELOTL_OK;
    for (const char *at = NULL; status == OCELOTL_OK && oc_noted_next(&key, &value, noted, &at);) {
        const bool failed = key.failed || value.failed;
        status = failed ? oc_fail_memory()
                        : set(notes, key.bytes != NULL ? key.bytes : "",
                              value.bytes != NULL ? value.bytes : "");
    }
    oc_text_free(&key);
    oc_text_free(&value);
    return status;
}

static void take_member(ocelotl_notes *notes, entry *note, const oc_text *name,
                        const oc_text *value)
{
    for (int i = 0; i < MEMBERS; i++) {
        if (name->bytes == NULL || strcmp(name->bytes, member_names[i]) != 0)
            continue;
        note->texts[i] = notes->texts.length;
        oc_text_append(&notes->texts, value->bytes != NULL ? value->bytes : "", value->length);
        oc_text_append(&notes->texts, "", 1);
    }
}

/* Takes the texts of notes, where the list is known. */
static ocelotl_status take_texts(ocelotl_notes *notes, const oc_noted *noted)
{
    oc_text name = {0};
    oc_text value = {0};
    size_t begun = 0;
    bool begins;
    bool failed = false;
    OC_TRY(oc_allocate(&notes->entries, notes->count, sizeof *notes->entries));
    oc_text_append(&notes->texts, "", 1);
    for (const char *at = NULL; oc_noted_next_of_notes(&name, &value, &begins, noted, &at);) {
        begun += begins;
        failed = failed || name.failed || value.failed;
        take_member(notes, &notes->entries[begun - 1], &name, &value);
    }
    failed = failed || notes->texts.failed;
    oc_text_free(&name);
    oc_text_free(&value);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status take(ocelotl_notes *notes, const oc_noted *noted)
{
    ocelotl_notes made = {.count = noted->count};
    oc_text_append(&made.list, noted->list, noted->length);
    ocelotl_status status = made.list.failed ? oc_fail_memory() : take_texts(&made, noted);
    if (status == OCELOTL_OK)
        status = take_pairs(&made, noted);
    if (status != OCELOTL_OK) {
        free_pairs(&made);
        free_list(&made);
        return status;
    }
    free_list(notes);
    notes->list = made.list;
    notes->count = made.count;
    notes->texts = made.texts;
    notes->entries = made.entries;
    if (noted->metadata == NULL)
        return OCELOTL_OK;
    free_pairs(notes);
    notes->pairs = made.pairs;
    notes->pair_count = made.pair_count;
    notes->pair_capacity = made.pair_capacity;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_notes_take(ocelotl_notes *notes, const char *bytes, size_t size)
{
    oc_noted noted;
    if (!oc_noted_read(&noted, bytes, size))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "what is sent are no notes, expected {\"notes\":[..]} in JSON");
    return take(notes, &noted);
}

/* --- Reading */

static ocelotl_status fail_path(const char *path, const char *why)
{
    return oc_fail(OCELOTL_ERROR_IO, "%s: %s", path, why);
}

/* A folder may be named "run/" or ".", and what is written into it would be a change of the
 * trace. */
static ocelotl_status find_path(char **path, const char *trace)
{
    struct stat is;
    if (strcmp(trace, "-") == 0)
        return oc_copy_text(path, "");
    char *folder = stat(trace, &is) == 0 && S_ISDIR(is.st_mode) ? realpath(trace, NULL) : NULL;
    const int length = asprintf(path, "%s.notes.json", folder != NULL ? folder : trace);
    free(folder);
    if (length >= 0)
        return OCELOTL_OK;
    *path = NULL;
    return oc_fail_memory();
}

/* Whatever has the name of the file, opening it does not wait. */
static FILE *open_file(const char *path)
{
    struct stat is;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return NULL;
    const bool regular = fstat(file, &is) == 0 && S_ISREG(is.st_mode);
    FILE *stream = regular ? fdopen(file, "rb") : NULL;
    const int why = regular ? errno : EINVAL;
    if (stream == NULL)
        close(file);
    errno = why;
    return stream;
}

static ocelotl_status read_bytes(oc_text *bytes, FILE *file, const char *path)
{
    char block[8192];
    for (size_t size; (size = fread(block, 1, sizeof block, file)) > 0;) {
        oc_text_append(bytes, block, size);
        if (bytes->length > MOST_BYTES)
            return fail_path(path, "is larger than 1 MB, expected notes");
    }
    if (bytes->failed)
        return oc_fail_memory();
    return ferror(file) ? fail_path(path, "cannot be read") : OCELOTL_OK;
}

static ocelotl_status read_file(ocelotl_notes *notes)
{
    oc_text bytes = {0};
    oc_noted noted;
    errno = 0;
    FILE *file = notes->path[0] != '\0' ? open_file(notes->path) : NULL;
    if (file == NULL) {
        oc_text_add(&notes->list, "[]");
        if (errno == ENOMEM)
            return oc_fail_memory();
        return errno == 0 || errno == ENOENT ? OCELOTL_OK
                                             : fail_path(notes->path, "cannot be opened");
    }
    ocelotl_status status = read_bytes(&bytes, file, notes->path);
    fclose(file);
    if (status == OCELOTL_OK)
        status = oc_noted_read(&noted, bytes.bytes, bytes.length)
                     ? take(notes, &noted)
                     : fail_path(notes->path, "holds no notes, expected {\"notes\":[..]}");
    oc_text_free(&bytes);
    return status;
}

/* Locks the folder of a file against others; -1 where it cannot be locked. The file itself is
 * replaced, and a file for the lock alone would stay. Whoever reads the folder may lock it too, so
 * this is not waited for without an end. */
static ocelotl_status lock_folder(int *lock, const char *path)
{
    const struct timespec pause = {0, 10000000};
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (folder == NULL)
        return oc_fail_memory();
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    for (int tries = 0; *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return OCELOTL_OK; /* some file systems have no locks */
        if (tries == 1000)
            return fail_path(path, "another program keeps its folder locked");
        nanosleep(&pause, NULL);
    }
    return OCELOTL_OK;
}

static ocelotl_status open_notes(ocelotl_notes *notes, const char *trace, bool begin)
{
    OC_TRY(find_path(&notes->path, trace));
    if (begin && notes->path[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "standard input has no place for notes");
    notes->begun = begin;
    if (begin)
        OC_TRY(lock_folder(&notes->lock, notes->path));
    OC_TRY(read_file(notes));
    return notes->list.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status make(ocelotl_notes **notes, const char *trace, bool begin)
{
    ocelotl_notes *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->lock = -1;
    const ocelotl_status status = open_notes(made, trace, begin);
    if (status == OCELOTL_OK)
        *notes = made;
    else
        ocelotl_notes_free(made);
    return status;
}

ocelotl_status ocelotl_notes_read(ocelotl_notes **notes, const char *trace)
{
    return make(notes, trace, false);
}

ocelotl_status ocelotl_notes_begin(ocelotl_notes **notes, const char *trace)
{
    return make(notes, trace, true);
}

/* --- Writing */

/* Without metadata the bytes are those of a page that knows of none. */
static void write_text(oc_text *text, const ocelotl_notes *notes)
{
    oc_text_add(text, "{\"notes\":");
    oc_text_append(text, notes->list.bytes, notes->list.length);
    for (size_t i = 0; i < notes->pair_count; i++) {
        const pair *one = &notes->pairs[i];
        oc_text_add(text, i == 0 ? ",\n\"metadata\":{" : ",\n");
        oc_json_append_string(text, one->key, strlen(one->key));
        oc_text_add(text, ":");
        oc_json_append_string(text, one->value, strlen(one->value));
    }
    oc_text_add(text, notes->pair_count > 0 ? "}}" : "}");
}

ocelotl_status ocelotl_notes_write_json(const ocelotl_sink *sink, const ocelotl_notes *notes)
{
    oc_output out = {.sink = sink};
    write_text(&out.text, notes);
    return oc_output_end(&out, OCELOTL_OK);
}

ocelotl_status ocelotl_notes_commit(ocelotl_notes *notes)
{
    oc_text text = {0};
    if (!notes->begun)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: was not begun, expected notes to change",
                       notes->path);
    write_text(&text, notes);
    ocelotl_status status = text.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && text.length > MOST_BYTES)
        status =
            oc_fail(OCELOTL_ERROR_LIMIT, "%s: would have more than 1 MB of notes", notes->path);
    if (status == OCELOTL_OK)
        status = oc_replace_file(notes->path, text.bytes, text.length);
    oc_text_free(&text);
    return status;
}
