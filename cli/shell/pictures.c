/* Pictures: where they go, and what of a user's palette is of no use in them. */
#define _GNU_SOURCE
#include "ending.h"
#include "shell.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_draws(const cli_job *job)
{
    return (job->content & CLI_PICTURES) != 0;
}

/* A slash would be a folder, and what cannot be seen in a name cannot be typed either. */
static void clean_name(char *name)
{
    for (char *byte = name; *byte != '\0';) {
        bool visible;
        const size_t length = ocelotl_character_length(&visible, byte, strlen(byte));
        if (!visible || *byte == '/')
            memset(byte, '_', length);
        byte += length;
    }
}

/* Whatever the name: a file's has a largest length. */
static char *default_picture(const char *name, const char *suffix)
{
    char *path = NULL;
    int length = (int)strnlen(name, 200);
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--;
    if (length == 0 || name[0] == '.')
        length = asprintf(&path, "%s.svg", suffix[0] != '\0' ? suffix + 1 : "overview");
    else
        length = asprintf(&path, "%.*s%s.svg", length, name, suffix);
    if (length < 0)
        return NULL;
    clean_name(path);
    return path;
}

int cli_write_picture(const cli_job *job, const char *output, cli_content content, const char *name,
                      const char *suffix, cli_answer write, void *of)
{
    const char *trace = job->request->operands[0];
    if (output != NULL && cli_is_standard_output(output))
        return cli_write_answer(NULL, content, write, of);
    if (cli_is_standard_input(trace))
        name = "stdin";
    char *path = output != NULL ? strdup(output) : default_picture(name, suffix);
    if (path == NULL)
        return cli_memory();
    int code = cli_check_target(path, content, job->request->force, trace);
    if (code == CLI_DONE)
        code = cli_stream_answer(path, content, write, of);
    cli_wipe_line();
    if (code == CLI_DONE && output == NULL)
        printf("%s\n", path);
    free(path);
    return code;
}

/* --- The palette: a misspelt name would change nothing, without a word */

enum { SAID_MOST = 3 };

static bool is_in_trace(const ocelotl_palette *palette, size_t row, const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_value_at(trace, v).name))
            return true;
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_event_type_at(trace, e).name))
            return true;
    return false;
}

/* Groups of types have names of their own. */
static bool is_in_model(const ocelotl_palette *palette, size_t row, const ocelotl_model *model)
{
    const uint32_t count = ocelotl_model_info_of(model).type_count;
    for (uint32_t type = 0; type < count; type++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_model_type_at(model, type).name))
            return true;
    return false;
}

void cli_say_unmatched(const cli_job *job, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count)
{
    const ocelotl_palette *palette = job->palette;
    const size_t rows = palette != NULL ? ocelotl_palette_row_count(palette) : 0;
    const char *name =
        rows > 0 && strcmp(job->view.palette, "-") != 0 ? job->view.palette : "standard input";
    size_t unmatched = 0;
    for (size_t row = 0; row < rows; row++) {
        const ocelotl_palette_row given = ocelotl_palette_row_at(palette, row);
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = (traces[i] != NULL && is_in_trace(palette, row, traces[i])) ||
                    (models[i] != NULL && is_in_model(palette, row, models[i]));
        if (!found && ++unmatched <= SAID_MOST)
            cli_say("%s:%" PRIu64 ": \"%s\" matches nothing that could be drawn", name, given.line,
                    given.name);
    }
    if (unmatched > SAID_MOST)
        cli_say("%s: %zu rows match nothing; these are the first", name, unmatched);
}

/* --- The command that a picture keeps, read as what it is: text that anybody may have written */

enum { LARGEST_PICTURE = 1 << 30 };

/* A piece of a file. */
typedef struct piece {
    const char *bytes;
    size_t length;
} piece;

/* --- SVG and HTML */

static const char *const entities[][2] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};

static char *unescape(const char *text, size_t length)
{
    char *plain = malloc(length + 1);
    size_t end = 0;
    for (size_t i = 0; plain != NULL && i < length;) {
        size_t known = 0;
        while (known < 5 && strncmp(text + i, entities[known][0], strlen(entities[known][0])) != 0)
            known++;
        const char *from = known < 5 ? entities[known][1] : text + i;
        plain[end++] = *from;
        i += known < 5 ? strlen(entities[known][0]) : 1;
    }
    if (plain != NULL)
        plain[end] = '\0';
    return plain;
}

/* Copies the text between `begin` and `end`, behind `before`. Returns NULL without a message if the
 * file has no such text, as the other functions here do. */
static char *find_between(const piece *file, const char *before, const char *begin, const char *end)
{
    const char *last = file->bytes + file->length;
    const char *from = memmem(file->bytes, file->length, before, strlen(before));
    if (from != NULL)
        from = memmem(from, (size_t)(last - from), begin, strlen(begin));
    if (from == NULL)
        return NULL;
    from += strlen(begin);
    const char *to = memmem(from, (size_t)(last - from), end, strlen(end));
    return to != NULL ? unescape(from, (size_t)(to - from)) : NULL;
}

/* The page of a report has no metadata but what is to be read. */
static char *from_text(const piece *file)
{
    char *command = find_between(file, "\"urn:ocelotl:parameters\"", "<command>", "</command>");
    return command != NULL ? command : find_between(file, "<h3>Command</h3>", "<code>", "</code>");
}

/* --- PNG (its specification, 11.3.3) */

static size_t read_length(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Returns what follows the first `count` zero bytes. */
static piece skip_zeros(piece text, int count)
{
    for (; count > 0; count--) {
        const char *zero = memchr(text.bytes, '\0', text.length);
        if (zero == NULL)
            return (piece){NULL, 0};
        text.length -= (size_t)(zero + 1 - text.bytes);
        text.bytes = zero + 1;
    }
    return text;
}

static char *from_chunk(const char *type, piece text)
{
    static const char key[] = "command";
    const bool plain = memcmp(type, "tEXt", 4) == 0;
    if ((!plain && memcmp(type, "iTXt", 4) != 0) || text.length < sizeof key + 2 ||
        memcmp(text.bytes, key, sizeof key) != 0)
        return NULL;
    text.bytes += sizeof key;
    text.length -= sizeof key;
    if (!plain && text.bytes[0] != 0) /* compressed, which is never written */
        return NULL;
    if (!plain)
        text = skip_zeros((piece){text.bytes + 2, text.length - 2}, 2);
    return text.bytes != NULL ? strndup(text.bytes, text.length) : NULL;
}

static char *from_png(const piece *file)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    for (size_t at = SIGNATURE; file->length - at >= AROUND;) {
        const size_t length = read_length((const unsigned char *)file->bytes + at);
        if (length > file->length - at - AROUND)
            return NULL;
        char *command = from_chunk(file->bytes + at + 4, (piece){file->bytes + at + 8, length});
        if (command != NULL)
            return command;
        at += length + AROUND;
    }
    return NULL;
}

/* --- PDF (its specification, 7.3.4) */

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    const char small = (char)(digit | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

static void add_code_point(char *text, size_t *end, uint32_t code)
{
    if (code >= 0x10000)
        text[(*end)++] = (char)(0xF0 | code >> 18);
    if (code >= 0x10000)
        text[(*end)++] = (char)(0x80 | (code >> 12 & 0x3F));
    else if (code >= 0x800)
        text[(*end)++] = (char)(0xE0 | code >> 12);
    if (code >= 0x800)
        text[(*end)++] = (char)(0x80 | (code >> 6 & 0x3F));
    else if (code >= 0x80)
        text[(*end)++] = (char)(0xC0 | code >> 6);
    text[(*end)++] = (char)(code < 0x80 ? code : (0x80 | (code & 0x3F)));
}

/* Decodes hexadecimal digits of UTF-16: four make a unit, and two units can be one character. */
static char *from_hex(const char *digits, size_t length)
{
    char *text = malloc(length + 1);
    size_t end = 0;
    uint32_t high = 0;
    for (size_t i = 0; text != NULL && i + 4 <= length; i += 4) {
        uint32_t unit = 0;
        for (size_t k = 0; k < 4; k++) {
            const int digit = hex_digit(digits[i + k]);
            if (digit < 0) {
                text[end] = '\0';
                return text;
            }
            unit = unit << 4 | (uint32_t)digit;
        }
        const bool pair = unit >= 0xDC00 && unit < 0xE000 && high != 0;
        if (unit >= 0xD800 && unit < 0xDC00)
            high = unit;
        else if (unit != 0xFEFF && unit != 0)
            add_code_point(text, &end,
                           pair ? 0x10000 + ((high - 0xD800) << 10 | (unit - 0xDC00)) : unit);
        if (unit < 0xD800 || unit >= 0xDC00)
            high = 0;
    }
    if (text != NULL)
        text[end] = '\0';
    return text;
}

/* ASCII in parentheses, with a backslash before what is one of them. */
static char *from_parentheses(const char *bytes, size_t length)
{
    char *text = malloc(length + 1);
    size_t end = 0;
    for (size_t i = 0; text != NULL && i < length && bytes[i] != ')'; i++) {
        i += bytes[i] == '\\' && i + 1 < length;
        text[end++] = bytes[i];
    }
    if (text != NULL)
        text[end] = '\0';
    return text;
}

static char *from_pdf(const piece *file)
{
    static const char key[] = "/Keywords";
    static const char name[] = "; command=";
    const char *end = file->bytes + file->length;
    const char *at = memmem(file->bytes, file->length, key, strlen(key));
    if (at == NULL)
        return NULL;
    for (at += strlen(key); at < end && (*at == ' ' || *at == '\n' || *at == '\r'); at++)
        ;
    if (at == end || (*at != '<' && *at != '('))
        return NULL;
    const size_t rest = (size_t)(end - at - 1);
    char *keywords = *at == '<' ? from_hex(at + 1, rest) : from_parentheses(at + 1, rest);
    const char *found = keywords != NULL ? strstr(keywords, name) : NULL;
    char *command = found != NULL ? strdup(found + strlen(name)) : NULL;
    free(keywords);
    return command;
}

/* --- Files */

static int read_file(char **bytes, size_t *length, const char *path)
{
    struct stat found;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &found) != 0 || !S_ISREG(found.st_mode)) {
        const int reason = file == NULL ? errno : 0;
        if (file != NULL)
            fclose(file);
        return reason != 0 ? cli_wrong("%s: cannot open: %s", path, strerror(reason))
                           : cli_wrong("%s: is no file, expected a picture", path);
    }
    const size_t size = found.st_size < LARGEST_PICTURE ? (size_t)found.st_size : LARGEST_PICTURE;
    *bytes = malloc(size + 1);
    if (*bytes != NULL) {
        *length = fread(*bytes, 1, size, file);
        (*bytes)[*length] = '\0';
    }
    fclose(file);
    return *bytes != NULL ? CLI_DONE : cli_memory();
}

/* Of a snapshot that is a zip it is that of its picture. */
static int from_zip(char **command, const piece *zip, const char *path)
{
    ocelotl_buffer picture = {NULL, 0, 0};
    if (ocelotl_snapshot_unzip(&picture, zip->bytes, zip->length, "overview.svg") != OCELOTL_OK)
        return cli_wrong("%s: %s", path, ocelotl_error_message());
    *command = from_text(&(piece){picture.bytes, picture.size});
    ocelotl_buffer_free(&picture);
    return CLI_DONE;
}

static bool is_zip(const piece *file)
{
    return file->length > 4 && memcmp(file->bytes, "PK\3\4", 4) == 0;
}

static char *find_command(const piece *file)
{
    if (file->length > 8 && memcmp(file->bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return from_png(file);
    if (file->length > 5 && memcmp(file->bytes, "%PDF-", 5) == 0)
        return from_pdf(file);
    return from_text(file);
}

static int read_command(char **command, const char *path)
{
    char *bytes = NULL;
    size_t length = 0;
    int code = read_file(&bytes, &length, path);
    if (code != CLI_DONE || bytes == NULL)
        return code;
    const piece file = {bytes, length};
    errno = 0;
    if (is_zip(&file))
        code = from_zip(command, &file, path);
    else
        *command = find_command(&file);
    const bool without_memory = *command == NULL && errno == ENOMEM;
    free(bytes);
    if (code != CLI_DONE)
        return code;
    if (*command != NULL)
        return CLI_DONE;
    return without_memory
               ? cli_memory()
               : cli_wrong("%s: has no command to repeat, expected a picture that ocelotl-cli drew",
                           path);
}

/* Of a folder with a snapshot it is that of its picture. */
int cli_picture_command(char **command, const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return read_command(command, path);
    char *picture = NULL;
    if (asprintf(&picture, "%s/overview.svg", path) < 0)
        return cli_memory();
    const int code = access(picture, F_OK) == 0
                         ? read_command(command, picture)
                         : cli_wrong("%s: is a folder without overview.svg, expected a picture or "
                                     "a snapshot",
                                     path);
    free(picture);
    return code;
}
