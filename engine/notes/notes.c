/* Notes: a file beside the trace, which is whole or absent. */
#define _GNU_SOURCE
#include "base/arena.h"
#include "base/format/json.h"
#include "base/format/visible.h"
#include "base/text.h"

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

/* What a file of notes says. */
typedef struct contents {
    oc_arena arena;
    const char *list; /* the notes as JSON */
    ocelotl_note *notes;
    size_t count, capacity;
    bool has_metadata;
    ocelotl_metadata *pairs; /* ordered by key */
    size_t pair_count, pair_capacity;
} contents;

struct ocelotl_notes {
    oc_arena arena; /* that it lives in, with its path */
    const char *path;
    contents is;
    int lock; /* the folder; -1: it cannot be locked */
    bool begun;
};

void ocelotl_notes_free(ocelotl_notes *notes)
{
    if (notes == NULL)
        return;
    if (notes->lock >= 0)
        close(notes->lock);
    oc_arena_free(&notes->is.arena);
    oc_arena_free(&notes->arena);
}

const char *ocelotl_notes_path(const ocelotl_notes *notes)
{
    return notes->path;
}

size_t ocelotl_notes_count(const ocelotl_notes *notes)
{
    return notes != NULL ? notes->is.count : 0;
}

ocelotl_note ocelotl_notes_at(const ocelotl_notes *notes, size_t index)
{
    return index < ocelotl_notes_count(notes) ? notes->is.notes[index]
                                              : (ocelotl_note){"", "", "", ""};
}

size_t ocelotl_notes_metadata_count(const ocelotl_notes *notes)
{
    return notes != NULL ? notes->is.pair_count : 0;
}

ocelotl_metadata ocelotl_notes_metadata_at(const ocelotl_notes *notes, size_t index)
{
    return index < ocelotl_notes_metadata_count(notes) ? notes->is.pairs[index]
                                                       : (ocelotl_metadata){"", ""};
}

/* The place of a key, or where it would be. */
static size_t find(bool *found, const contents *is, const char *key)
{
    size_t first = 0;
    *found = false;
    for (size_t end = is->pair_count; first < end;) {
        const size_t middle = first + (end - first) / 2;
        const int order = strcmp(is->pairs[middle].key, key);
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
    const size_t place = notes != NULL ? find(&found, &notes->is, key) : 0;
    return found ? notes->is.pairs[place].value : NULL;
}

/* --- Changing */

/* Sets the value of a key, whatever it is. */
static ocelotl_status set(contents *is, const char *key, const char *value)
{
    bool found;
    OC_TRY(oc_arena_grow(&is->pairs, &is->pair_capacity, &is->arena, is->pair_count + 1,
                         sizeof *is->pairs));
    const size_t place = find(&found, is, key);
    ocelotl_metadata *pair = &is->pairs[place];
    if (!found)
        memmove(pair + 1, pair, (is->pair_count++ - place) * sizeof *pair);
    *pair = (ocelotl_metadata){oc_arena_copy(&is->arena, key), oc_arena_copy(&is->arena, value)};
    return oc_arena_status(&is->arena);
}

static bool is_utf8(const char *text)
{
    for (size_t length; *text != '\0'; text += length)
        if ((length = oc_utf8_length(text, strlen(text))) == 0)
            return false;
    return true;
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
    if (strchr(key, '=') != NULL || oc_is_blank(key[0]) || oc_is_blank(key[length - 1]))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the key \"%s\" has a =, or blanks at its ends, expected a name", key);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_notes_set(ocelotl_notes *notes, const char *key, const char *value)
{
    contents *is = &notes->is;
    bool found;
    OC_TRY(check_key(key));
    if (value == NULL) {
        const size_t place = find(&found, is, key);
        if (found)
            memmove(is->pairs + place, is->pairs + place + 1,
                    (--is->pair_count - place) * sizeof *is->pairs);
        return OCELOTL_OK;
    }
    if (!is_utf8(value))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the value of \"%s\" is no text in UTF-8", key);
    return set(is, key, value);
}

/* --- From JSON: {"notes":[..],"metadata":{..}}, whose texts alone are values */

/* What is left to be read, and the texts that were read last, decoded. */
typedef struct reader {
    const char *at, *end;
    oc_text name, value;
} reader;

static void skip_blanks(reader *from)
{
    while (from->at < from->end && strchr(" \t\r\n", *from->at) != NULL && *from->at != '\0')
        from->at++;
}

/* Reads one character, with the blanks before it. */
static bool take(reader *from, char wanted)
{
    skip_blanks(from);
    if (from->at == from->end || *from->at != wanted)
        return false;
    from->at++;
    return true;
}

static bool take_escape(reader *from)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    if (from->at == from->end || *from->at == '\0')
        return false;
    const char kind = *from->at++;
    if (kind != 'u')
        return strchr("\"\\/bfnrt", kind) != NULL;
    for (int i = 0; i < 4; i++, from->at++)
        if (from->at == from->end || *from->at == '\0' || strchr(digits, *from->at) == NULL)
            return false;
    return true;
}

/* A letter of a text that is more than a byte has to be UTF-8. */
static bool take_letter(reader *from)
{
    const size_t length = oc_utf8_length(from->at, (size_t)(from->end - from->at));
    if ((unsigned char)*from->at < 0x20 || length == 0)
        return false;
    from->at += length;
    return true;
}

/* Reads a string. */
static bool take_text(oc_text *text, reader *from)
{
    if (!take(from, '"'))
        return false;
    const char *begin = from->at;
    while (from->at < from->end && *from->at != '"') {
        const bool escaped = *from->at == '\\';
        from->at += escaped;
        if (escaped ? !take_escape(from) : !take_letter(from))
            return false;
    }
    oc_text_clear(text);
    oc_json_decode(text, begin, (size_t)(from->at - begin), true);
    oc_text_append(text, "", 0);
    return !text->failed && take(from, '"');
}

static void keep_member(contents *is, ocelotl_note *note, const reader *from)
{
    const struct {
        const char *name;
        const char **text;
    } members[] = {
        {"text", &note->text}, {"from", &note->from}, {"to", &note->to}, {"node", &note->node}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(from->name.bytes, members[i].name) == 0)
            *members[i].text = oc_arena_copy(&is->arena, from->value.bytes);
}

/* Reads the rest of an object of texts: of a note, at least one; or (NULL) of metadata. */
static bool take_texts(contents *is, ocelotl_note *note, reader *from)
{
    if (note == NULL && take(from, '}'))
        return true;
    do {
        if (!take_text(&from->name, from) || !take(from, ':') || !take_text(&from->value, from))
            return false;
        if (note != NULL)
            keep_member(is, note, from);
        else if (set(is, from->name.bytes, from->value.bytes) != OCELOTL_OK)
            return false;
    } while (take(from, ','));
    return take(from, '}');
}

static bool take_notes(contents *is, reader *from)
{
    skip_blanks(from);
    const char *list = from->at;
    if (!take(from, '['))
        return false;
    if (!take(from, ']')) {
        do {
            if (!take(from, '{') || oc_arena_grow(&is->notes, &is->capacity, &is->arena,
                                                  is->count + 1, sizeof *is->notes) != OCELOTL_OK)
                return false;
            is->notes[is->count] = (ocelotl_note){"", "", "", ""};
            if (!take_texts(is, &is->notes[is->count++], from))
                return false;
        } while (take(from, ','));
        if (!take(from, ']'))
            return false;
    }
    is->list = oc_arena_copy_bytes(&is->arena, list, (size_t)(from->at - list));
    return true;
}

/* Each member comes once. */
static bool take_all(contents *is, reader *from)
{
    if (!take(from, '{'))
        return false;
    do {
        if (!take_text(&from->name, from) || !take(from, ':'))
            return false;
        const bool is_list = strcmp(from->name.bytes, "notes") == 0;
        if (is_list
                ? is->list != NULL
                : strcmp(from->name.bytes, "metadata") != 0 || is->has_metadata || !take(from, '{'))
            return false;
        is->has_metadata = is->has_metadata || !is_list;
        if (is_list ? !take_notes(is, from) : !take_texts(is, NULL, from))
            return false;
    } while (take(from, ','));
    if (!take(from, '}') || is->list == NULL)
        return false;
    skip_blanks(from);
    return from->at == from->end;
}

/* Takes what JSON says in place of what is there; metadata stays where it says nothing of it.
 * *valid: it is of notes. */
static ocelotl_status take_json(bool *valid, ocelotl_notes *notes, const char *bytes, size_t size)
{
    contents made = {.list = NULL};
    reader from = {.at = bytes, .end = bytes + size};
    *valid = bytes != NULL && take_all(&made, &from);
    for (size_t i = 0; i < notes->is.pair_count && !made.has_metadata; i++)
        (void)set(&made, notes->is.pairs[i].key, notes->is.pairs[i].value);
    const bool failed = from.name.failed || from.value.failed || made.arena.failed;
    oc_text_free(&from.name);
    oc_text_free(&from.value);
    contents ended = made;
    if (*valid && !failed) {
        ended = notes->is;
        notes->is = made;
    }
    oc_arena_free(&ended.arena);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status ocelotl_notes_take(ocelotl_notes *notes, const char *bytes, size_t size)
{
    bool valid;
    OC_TRY(take_json(&valid, notes, bytes, size));
    return valid ? OCELOTL_OK
                 : oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "what is sent are no notes, expected {\"notes\":[..]} in JSON");
}

/* --- Reading */

static ocelotl_status fail_path(const char *path, const char *why)
{
    return oc_fail(OCELOTL_ERROR_IO, "%s: %s", path, why);
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
    bool valid = false;
    notes->is.list = "[]";
    errno = 0;
    FILE *file = notes->path[0] != '\0' ? open_file(notes->path) : NULL;
    if (file == NULL) {
        if (errno == ENOMEM)
            return oc_fail_memory();
        return errno == 0 || errno == ENOENT ? OCELOTL_OK
                                             : fail_path(notes->path, "cannot be opened");
    }
    ocelotl_status status = read_bytes(&bytes, file, notes->path);
    fclose(file);
    if (status == OCELOTL_OK)
        status = take_json(&valid, notes, bytes.bytes, bytes.length);
    if (status == OCELOTL_OK && !valid)
        status = fail_path(notes->path, "holds no notes, expected {\"notes\":[..]}");
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
    /* A folder may be named "run/" or ".", and what is written into it would be a change of the
     * trace. */
    struct stat is;
    oc_text path = {0};
    char *folder = stat(trace, &is) == 0 && S_ISDIR(is.st_mode) ? realpath(trace, NULL) : NULL;
    if (strcmp(trace, "-") != 0)
        oc_text_format(&path, "%s.notes.json", folder != NULL ? folder : trace);
    free(folder);
    notes->path = oc_arena_copy_bytes(&notes->arena, path.bytes, path.length);
    const bool failed = path.failed;
    oc_text_free(&path);
    OC_TRY(failed ? oc_fail_memory() : oc_arena_status(&notes->arena));
    if (begin && notes->path[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "standard input has no place for notes");
    notes->begun = begin;
    if (begin)
        OC_TRY(lock_folder(&notes->lock, notes->path));
    return read_file(notes);
}

static ocelotl_status make(ocelotl_notes **notes, const char *trace, bool begin)
{
    ocelotl_notes *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
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
    oc_text_add(text, notes->is.list);
    for (size_t i = 0; i < notes->is.pair_count; i++) {
        const ocelotl_metadata *one = &notes->is.pairs[i];
        oc_text_add(text, i == 0 ? ",\n\"metadata\":{" : ",\n");
        oc_json_append_string(text, one->key, strlen(one->key));
        oc_text_add(text, ":");
        oc_json_append_string(text, one->value, strlen(one->value));
    }
    oc_text_add(text, notes->is.pair_count > 0 ? "}}" : "}");
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
    OC_TRY(oc_arena_status(&notes->is.arena));
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
