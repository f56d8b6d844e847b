/* Processes, threads and tracks of asynchronous states, and what is known of them. */
#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers and texts name alike; what names nothing is 0. */
static void add_id(oc_text *key, const oc_json_item *id)
{
    if (id->bytes == NULL)
        oc_text_add(key, "0");
    else
        oc_json_decode_item(key, id);
}

static ocelotl_status check_id(const char *what, const oc_json_item *id)
{
    if (id->bytes == NULL || id->kind == '"' || id->kind == '0' || id->kind == 'a')
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s is a list or an object, expected a number or a text",
                   what);
}

ocelotl_status chrome_add_row(uint32_t *row, chrome_reader *reader)
{
    OC_TRY(oc_grow(&reader->row_files, &reader->row_capacity, reader->row_count + 1,
                   sizeof *reader->row_files));
    *row = (uint32_t)reader->row_count++;
    reader->row_files[*row] = reader->file->number;
    return OCELOTL_OK;
}

/* The key of the element's process is its file and its id. */
ocelotl_status chrome_find_process(uint32_t *process, chrome_reader *reader)
{
    const oc_json_item *id = &reader->element.keys[CHROME_PROCESS];
    oc_text *key = &reader->key;
    OC_TRY(check_id("pid", id));
    oc_text_clear(key);
    oc_text_append(key, (const char *)&reader->file->number, sizeof(uint32_t));
    add_id(key, id);
    if (key->failed)
        return oc_fail_memory();
    *process = oc_map_get(&reader->process_of, key->bytes, key->length);
    if (*process != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->processes, &reader->process_capacity, reader->process_count + 1,
                   sizeof *reader->processes));
    chrome_process *added = &reader->processes[reader->process_count];
    *added = (chrome_process){.file = reader->file->number, .row = OCELOTL_NONE};
    OC_TRY(oc_copy_text(&added->id, key->bytes + sizeof(uint32_t)));
    *process = (uint32_t)reader->process_count++;
    return oc_map_set(&reader->process_of, key->bytes, key->length, *process);
}

/* The key of a process is followed by a byte that no id holds, and the thread's. A thread that is
 * not named is the one that is called as its process. */
static ocelotl_status find_new_thread(uint32_t *thread, chrome_reader *reader)
{
    uint32_t process;
    const oc_json_item *keys = reader->element.keys;
    const oc_json_item *id =
        &keys[keys[CHROME_THREAD].bytes != NULL ? CHROME_THREAD : CHROME_PROCESS];
    OC_TRY(chrome_find_process(&process, reader));
    OC_TRY(check_id("tid", id));
    oc_text_append(&reader->key, "", 1);
    const size_t begin = reader->key.length;
    add_id(&reader->key, id);
    if (reader->key.failed)
        return oc_fail_memory();
    *thread = oc_map_get(&reader->thread_of, reader->key.bytes, reader->key.length);
    if (*thread != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->threads, &reader->thread_capacity, reader->thread_count + 1,
                   sizeof *reader->threads));
    chrome_thread *added = &reader->threads[reader->thread_count];
    *added = (chrome_thread){.process = process};
    OC_TRY(chrome_add_row(&added->row, reader));
    OC_TRY(oc_copy_text(&added->id, reader->key.bytes + begin));
    *thread = (uint32_t)reader->thread_count++;
    return oc_map_set(&reader->thread_of, reader->key.bytes, reader->key.length, *thread);
}

/* Finds the thread of an event, which is mostly that of the one before. */
ocelotl_status chrome_find_thread(uint32_t *thread, chrome_reader *reader)
{
    const oc_json_item *process = &reader->element.keys[CHROME_PROCESS];
    const oc_json_item *own = &reader->element.keys[CHROME_THREAD];
    const oc_text *last = &reader->last_key;
    const size_t length = process->length + own->length;
    if (own->bytes != NULL && process->bytes != NULL && last->length == length + sizeof(uint32_t) &&
        reader->last_process_length == process->length &&
        memcmp(last->bytes, &reader->file->number, sizeof(uint32_t)) == 0 &&
        memcmp(last->bytes + sizeof(uint32_t), process->bytes, process->length) == 0 &&
        memcmp(last->bytes + sizeof(uint32_t) + process->length, own->bytes, own->length) == 0) {
        *thread = reader->last_thread;
        return OCELOTL_OK;
    }
    OC_TRY(find_new_thread(thread, reader));
    oc_text_clear(&reader->last_key);
    if (own->bytes == NULL || process->bytes == NULL)
        return OCELOTL_OK;
    oc_text_append(&reader->last_key, (const char *)&reader->file->number, sizeof(uint32_t));
    oc_text_append(&reader->last_key, process->bytes, process->length);
    oc_text_append(&reader->last_key, own->bytes, own->length);
    reader->last_process_length = process->length;
    reader->last_thread = *thread;
    return reader->last_key.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status chrome_find_track(uint32_t *track, chrome_reader *reader)
{
    static const oc_json_item none = {"(no category)", 13, '"', false};
    uint32_t process;
    const oc_json_item *given = &reader->element.keys[CHROME_CATEGORY];
    OC_TRY(chrome_find_process(&process, reader));
    oc_text_append(&reader->key, "", 1);
    const size_t begin = reader->key.length;
    oc_json_decode_item(&reader->key, given->bytes != NULL && given->length > 0 ? given : &none);
    if (reader->key.failed)
        return oc_fail_memory();
    *track = oc_map_get(&reader->track_of, reader->key.bytes, reader->key.length);
    if (*track != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->tracks, &reader->track_capacity, reader->track_count + 1,
                   sizeof *reader->tracks));
    chrome_track *added = &reader->tracks[reader->track_count];
    *added = (chrome_track){.process = process};
    OC_TRY(chrome_add_row(&added->row, reader));
    OC_TRY(oc_copy_text(&added->category, reader->key.bytes + begin));
    *track = (uint32_t)reader->track_count++;
    return oc_map_set(&reader->track_of, reader->key.bytes, reader->key.length, *track);
}

/* --- Metadata */

static ocelotl_status set_text(char **text, const oc_json_item *value)
{
    oc_text decoded = {0};
    oc_text_append(&decoded, "", 0);
    oc_json_decode_item(&decoded, value);
    if (decoded.failed || decoded.bytes == NULL) {
        oc_text_free(&decoded);
        return oc_fail_memory();
    }
    free(*text);
    *text = decoded.bytes;
    return OCELOTL_OK;
}

static ocelotl_status set_index(int64_t *index, const oc_json_item *value)
{
    char digits[24];
    char *end;
    const size_t length = value->bytes != NULL ? value->length : 0;
    if (length > 0 && length < sizeof digits) {
        memcpy(digits, value->bytes, length);
        digits[length] = '\0';
        *index = strtoll(digits, &end, 10);
        if (*end == '\0' || *end == '.')
            return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_INPUT, "a sort_index that is no whole number, expected one");
}

static ocelotl_status add_note(chrome_reader *reader, uint32_t process)
{
    chrome_process *of = &reader->processes[process];
    OC_TRY(oc_grow(&of->notes, &of->note_capacity, of->note_count + 1, sizeof *of->notes));
    chrome_note *added = &of->notes[of->note_count];
    *added = (chrome_note){0};
    static const oc_json_item unnamed = {"(no name)", 9, '"', false};
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    const ocelotl_status status = set_text(&added->name, name->length > 0 ? name : &unnamed);
    if (status != OCELOTL_OK)
        return status;
    of->note_count++;
    const oc_json_item *text = &reader->element.keys[CHROME_ARGUMENTS];
    return set_text(&added->text, text->bytes != NULL ? text : &(oc_json_item){"", 0, '"', false});
}

static ocelotl_status fail_argument(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "metadata without args.%s, expected a text", what);
}

/* Takes metadata that name or sort a process or thread; *is_known is false for others. */
static ocelotl_status take_known(bool *is_known, chrome_reader *reader, uint32_t process)
{
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    const chrome_members *arguments = &reader->element.arguments;
    const oc_json_item text = chrome_members_find(arguments, "name");
    const oc_json_item labels = chrome_members_find(arguments, "labels");
    const oc_json_item index = chrome_members_find(arguments, "sort_index");
    const bool of_thread = name->length > 7 && memcmp(name->bytes, "thread_", 7) == 0;
    uint32_t thread = 0;
    *is_known = true;
    if (of_thread)
        OC_TRY(chrome_find_thread(&thread, reader));
    if (oc_json_is(name, "process_name"))
        return text.bytes != NULL ? set_text(&reader->processes[process].name, &text)
                                  : fail_argument("name");
    if (oc_json_is(name, "thread_name"))
        return text.bytes != NULL ? set_text(&reader->threads[thread].name, &text)
                                  : fail_argument("name");
    if (oc_json_is(name, "process_labels"))
        return labels.bytes != NULL ? set_text(&reader->processes[process].labels, &labels)
                                    : fail_argument("labels");
    if (oc_json_is(name, "process_sort_index"))
        return set_index(&reader->processes[process].index, &index);
    if (oc_json_is(name, "thread_sort_index"))
        return set_index(&reader->threads[thread].index, &index);
    *is_known = false;
    return OCELOTL_OK;
}

ocelotl_status chrome_take_metadata(chrome_reader *reader, char phase)
{
    (void)phase;
    uint32_t process;
    bool is_known;
    const oc_json_item *name = &reader->element.keys[CHROME_NAME];
    if (name->bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "metadata without a name, expected \"name\"");
    OC_TRY(chrome_find_process(&process, reader));
    OC_TRY(take_known(&is_known, reader, process));
    if (!is_known)
        OC_TRY(add_note(reader, process));
    return oc_kinds_count(&reader->kinds, "M",
                          is_known ? OCELOTL_FATE_DEFINITION : OCELOTL_FATE_ATTRIBUTE, 1, NULL);
}

void chrome_rows_free(chrome_reader *reader)
{
    for (size_t i = 0; i < reader->process_count; i++) {
        chrome_process *process = &reader->processes[i];
        for (size_t n = 0; n < process->note_count; n++) {
            free(process->notes[n].name);
            free(process->notes[n].text);
        }
        free(process->notes);
        free(process->id);
        free(process->name);
        free(process->labels);
    }
    for (size_t i = 0; i < reader->thread_count; i++) {
        free(reader->threads[i].id);
        free(reader->threads[i].name);
    }
    for (size_t i = 0; i < reader->track_count; i++)
        free(reader->tracks[i].category);
    free(reader->processes);
    free(reader->threads);
    free(reader->tracks);
    free(reader->row_files);
    oc_map_free(&reader->process_of);
    oc_map_free(&reader->thread_of);
    oc_map_free(&reader->track_of);
}
