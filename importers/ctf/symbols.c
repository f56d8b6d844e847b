/* Names of functions by their addresses: what nm prints of programs, in files NAME.nm in the folder
 * that is given. Where the trace says where a program was loaded, that is subtracted. */
#include "importers/ctf/reader.h"

#include "importers/common/lines.h"

#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".nm";

static bool is_symbols(const char *name)
{
    const size_t length = strlen(name);
    return length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

/* --- Reading */

/* Takes a word off the beginning of a line. */
static const char *take_word(size_t *length, const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    const char *word = *at;
    while (*at < end && **at != ' ' && **at != '\t')
        ++*at;
    *length = (size_t)(*at - word);
    return word;
}

static bool read_address(uint64_t *address, const char *word, size_t length)
{
    *address = 0;
    for (size_t i = 0; i < length; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = memchr(digits, word[i], 16);
        if (digit == NULL)
            return false;
        *address = *address << 4 | (uint64_t)(digit - digits);
    }
    return length > 0 && length <= 16;
}

/* "0000000000001139 T main", with a size behind the address or without; of all else but functions
 * nothing is kept. */
static ocelotl_status take_line(ctf_reader *reader, uint32_t program, const char *at,
                                const char *end)
{
    uint64_t address;
    uint64_t size;
    size_t length;
    ctf_symbols *symbols = &reader->symbols;
    end -= end > at && end[-1] == '\r';
    const char *word = take_word(&length, &at, end);
    if (!read_address(&address, word, length))
        return OCELOTL_OK;
    word = take_word(&length, &at, end);
    if (length > 1 && read_address(&size, word, length))
        word = take_word(&length, &at, end);
    while (at < end && *at == ' ')
        at++;
    const uint64_t key[2] = {program, address};
    if (length != 1 || strchr("tTwWiV", *word) == NULL || at == end ||
        oc_map_get(&symbols->name_of, key, sizeof key) != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&symbols->names, &symbols->name_capacity, &reader->arena,
                         symbols->name_count + 1, sizeof(char *)));
    symbols->names[symbols->name_count] =
        oc_arena_copy_bytes(&reader->arena, at, (size_t)(end - at));
    return oc_map_set(&symbols->name_of, key, sizeof key, (uint32_t)symbols->name_count++);
}

static ocelotl_status add_program(ctf_reader *reader, const oc_source *source, const char *name)
{
    char *line;
    char *end;
    ctf_symbols *symbols = &reader->symbols;
    oc_lines lines = {.input = source->input};
    const uint32_t program = (uint32_t)symbols->program_count++;
    OC_TRY(oc_arena_grow(&symbols->programs, &symbols->program_capacity, &reader->arena,
                         symbols->program_count, sizeof(char *)));
    symbols->programs[program] =
        oc_arena_copy_bytes(&reader->arena, name, strlen(name) - (sizeof suffix - 1));
    ocelotl_status status = oc_arena_status(&reader->arena);
    while (status == OCELOTL_OK && !lines.at_end) {
        status = oc_lines_read(&lines);
        while (status == OCELOTL_OK && (line = oc_lines_take(&end, &lines)) != NULL)
            status = take_line(reader, program, line, end);
    }
    oc_lines_free(&lines);
    OC_TRY(status);
    OC_TRY(oc_arena_status(&reader->arena));
    return oc_source_note(source, reader->writer);
}

static ocelotl_status read_file(ctf_reader *reader, const char *folder, const char *name)
{
    oc_text path = {0};
    oc_source source = {0};
    oc_text_format(&path, "%s/%s", folder, name);
    ocelotl_status status =
        path.failed ? oc_fail_memory()
                    : oc_source_open_unseen(&source, path.bytes, reader->import->options);
    if (status == OCELOTL_OK && source.is_regular)
        status = add_program(reader, &source, name);
    oc_source_close(&source);
    oc_text_free(&path);
    return status;
}

static ocelotl_status read_folder(ctf_reader *reader, const char *folder)
{
    char **names = NULL;
    size_t count = 0;
    ocelotl_status status = oc_source_list(&names, &count, folder, is_symbols);
    for (size_t i = 0; i < count; i++) {
        if (status == OCELOTL_OK)
            status = read_file(reader, folder, names[i]);
        free(names[i]);
    }
    free(names);
    return status;
}

ocelotl_status ctf_symbols_read(ctf_reader *reader)
{
    const oc_import *import = reader->import;
    for (size_t i = 0; i < import->source_count; i++) {
        const oc_source *source = &import->sources[i];
        const char *folder = source->is_folder ? source->path : source->folder;
        if (folder != NULL)
            OC_TRY(read_folder(reader, folder[0] != '\0' ? folder : "."));
    }
    return OCELOTL_OK;
}

/* --- Where programs are in memory */

ocelotl_status ctf_symbols_load(ctf_reader *reader, ctf_event *event)
{
    int64_t base = 0;
    int64_t size = 0;
    int64_t is_moved = 1;
    ctf_symbols *symbols = &reader->symbols;
    const char *path = ctf_get_string(event, event->of->keys[2]);
    if (symbols->program_count == 0 || path == NULL ||
        !ctf_get_number(&base, event, event->of->keys[0]) ||
        !ctf_get_number(&size, event, event->of->keys[1]))
        return OCELOTL_OK;
    (void)ctf_get_number(&is_moved, event, event->of->keys[3]);
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < symbols->program_count; i++) {
        if (strcmp(symbols->programs[i], name) != 0)
            continue;
        OC_TRY(oc_arena_grow(&symbols->loaded, &symbols->loaded_capacity, &reader->arena,
                             symbols->loaded_count + 1, sizeof(*symbols->loaded)));
        symbols->loaded[symbols->loaded_count++] =
            (ctf_loaded){.trace = event->stream->trace,
                         .process = event->data->process,
                         .program = (uint32_t)i,
                         .base = (uint64_t)base,
                         .size = (uint64_t)size,
                         .shift = is_moved != 0 ? (uint64_t)base : 0};
    }
    return OCELOTL_OK;
}

static const char *find(const ctf_symbols *symbols, uint32_t program, uint64_t address)
{
    const uint64_t key[2] = {program, address};
    const uint32_t found = oc_map_get(&symbols->name_of, key, sizeof key);
    return found != OC_MAP_NONE ? symbols->names[found] : NULL;
}

const char *ctf_symbols_find(const ctf_reader *reader, const ctf_event *event, uint64_t address)
{
    const ctf_symbols *symbols = &reader->symbols;
    const char *name = NULL;
    for (size_t i = symbols->loaded_count; i > 0; i--) {
        const ctf_loaded *loaded = &symbols->loaded[i - 1];
        if (loaded->trace == event->stream->trace && loaded->process == event->data->process &&
            address - loaded->base < loaded->size)
            return find(symbols, loaded->program, address - loaded->shift);
    }
    for (uint32_t i = 0; i < symbols->program_count && name == NULL; i++)
        name = find(symbols, i, address);
    return name;
}
