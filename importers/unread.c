/* Formats that are recognised but cannot be read, so that the message names the format. */
#define _GNU_SOURCE
#include "base/text.h"
#include "importers/importer.h"

#include <string.h>

static bool begins(const oc_head *head, const char *magic, size_t size)
{
    return head->length >= size && memcmp(head->bytes, magic, size) == 0;
}

bool oc_is_otf2_part(const oc_head *head)
{
    return begins(head,
                  "\x03"
                  "B\x01\x00",
                  4) ||
           begins(head,
                  "\x03"
                  "#\x00\x00",
                  4);
}

bool oc_is_ctf_stream(const oc_head *head)
{
    return begins(head, "\xC1\x1F\xFC\xC1", 4) || begins(head, "\xC1\xFC\x1F\xC1", 4);
}

static bool is_tar(const oc_head *head)
{
    return head->length >= 262 && memcmp(head->bytes + 257, "ustar", 5) == 0;
}

/* That of CTF 2. */
static bool is_ctf_metadata(const oc_head *head)
{
    return begins(head, "\x1E", 1) && oc_head_holds(head, "\"preamble\"");
}

/* The first record behind the header of a buffer: a mark with the kind of what is traced. */
static bool is_etw(const oc_head *head)
{
    const unsigned char *mark = (const unsigned char *)head->bytes + 72;
    return head->length > 76 && mark[1] == 0 && (mark[2] == 1 || mark[2] == 2) && mark[3] == 0xC0;
}

/* The version as text, and a number in the order of bytes of the machine. */
static bool is_darshan(const oc_head *head)
{
    return head->length >= 16 && (memcmp(head->bytes + 8, "\x37\x35\x64\0\0\0\0\0", 8) == 0 ||
                                  memcmp(head->bytes + 8, "\0\0\0\0\0\x64\x35\x37", 8) == 0);
}

/* A dictionary by three things (file, line, function), as Python writes its objects. */
static bool is_python_profile(const oc_head *head)
{
    const char *at = head->bytes;
    return head->length > 2 && (at[0] & 0x7F) == '{' &&
           ((at[1] & 0x7F) == '(' || (at[1] & 0x7F) == ')') && at[2] == 3;
}

/* "34 dynamic_trace_events" */
static bool is_tau_names(const oc_head *head)
{
    static const char words[] = " dynamic_trace_events";
    size_t i = 0;
    while (i < head->length && head->bytes[i] >= '0' && head->bytes[i] <= '9')
        i++;
    return i > 0 && head->length - i >= sizeof words - 1 &&
           memcmp(head->bytes + i, words, sizeof words - 1) == 0;
}

static bool is_cube(const oc_head *head)
{
    return is_tar(head) && oc_head_holds(head, "anchor.xml");
}

/* "[12:00:01.000000001] (+0.000000123) host event: { field = 1 }" */
static bool is_babeltrace(const oc_head *head)
{
    size_t i = 1;
    while (i < head->length && memchr("0123456789:.- ", head->bytes[i], 14) != NULL)
        i++;
    return begins(head, "[", 1) && i > 9 && i + 1 < head->length && head->bytes[i] == ']' &&
           head->bytes[i + 1] == ' ' && oc_head_holds(head, ": {");
}

static bool is_json(const oc_head *head)
{
    size_t i = 0;
    while (i < head->length && memchr(" \t\r\n", head->bytes[i], 4) != NULL)
        i++;
    return i < head->length && (head->bytes[i] == '{' || head->bytes[i] == '[') &&
           memchr(head->bytes, '"', head->length) != NULL;
}

static const char picture[] = "a picture or a page";
static const char picture_advice[] =
    "the trace that it shows (`ocelotl-cli --again PICTURE` draws one of Ocelotl's again)";
static const char nsight_advice[] =
    "the database that `nsys export --type sqlite FILE` makes of it";
static const char whole[] = "the whole file, neither compressed nor from a pipe";

static const char profile_advice[] =
    "a trace: a profile adds up, and does not say when anything was";

typedef struct magic {
    const char *bytes; /* NULL: none */
    size_t size;
} magic;

#define MAGIC(text)            \
    {                          \
        text, sizeof(text) - 1 \
    }

/* By how a file begins, else by what recognises it, else by its name. Of two that recognise a file
 * the first counts. */
static const struct {
    const char *name;
    const char *advice; /* what to give instead, NULL: only what every format can do */
    magic magics[3];
    const char *holds[2]; /* texts that must be in what a magic begins */
    bool (*recognises)(const oc_head *head);
    const char *suffix;
    const char *format; /* of an importer that not every build has, or NULL */
} formats[] = {
    {"the names of a Paraver trace (.pcf or .row)", "the trace beside it (.prv)",
     .format = "paraver", .magics = {MAGIC("DEFAULT_OPTIONS"), MAGIC("LEVEL ")}},
    {"the anchor of an OTF2 trace (.otf2)", .format = "otf2",
     .magics = {MAGIC("\003BOTF2"), MAGIC("\003#OTF2")}}, /* with the order of bytes */
    {"a part of an OTF2 trace", "its anchor (the file .otf2 above)", .format = "otf2",
     .recognises = oc_is_otf2_part},
    {"an OTF trace", .magics = {MAGIC("OTF")}},
    {"the metadata of a CTF trace", "the folder that holds it", .format = "ctf",
     .magics = {MAGIC("/* CTF"), MAGIC("\x57\x1D\xD1\x75"), MAGIC("\x75\xD1\x1D\x57")},
     .recognises = is_ctf_metadata},
    {"a stream of a CTF trace", "the folder that holds it", .format = "ctf",
     .recognises = oc_is_ctf_stream},
    {"a CTF trace as text of babeltrace2", "the folder of the CTF trace itself",
     .recognises = is_babeltrace},
    {picture, picture_advice,
     .magics = {MAGIC("\x89PNG\r\n"), MAGIC("%PDF-"), MAGIC("<!DOCTYPE html")}},
    {picture, picture_advice, .magics = {MAGIC("<?xml"), MAGIC("<svg")}, .holds = {"<svg"}},
    {"a partition that Ocelotl wrote as JSON",
     "its trace (a picture of it can be drawn again by `ocelotl-cli --again PICTURE`)",
     .magics = {MAGIC("{\"kind\":\"")}, .holds = {"\"p_raw\":"}},
    {"a profile of speedscope", .format = "speedscope", .magics = {MAGIC("{")},
     .holds = {"speedscope.app/file-format-schema"}},
    /* types of samples: a number each of what they are and of their unit */
    {"a profile of pprof", profile_advice, .magics = {MAGIC("\n\4\b\1\20\2")}},
    {"a trace of Go", "the JSON that `go tool trace -http=:8080 FILE` serves at /jsontrace",
     .magics = {MAGIC("go 1.")}, .holds = {" trace"}},
    {"a profile of Python", profile_advice, .recognises = is_python_profile},
    {"a profile of Valgrind", profile_advice,
     .magics = {MAGIC("# callgrind format"), MAGIC("version: 1\ncreator: callgrind"),
                MAGIC("desc: I1 cache:")}},
    {"a recording of Tracy",
     "the table that `tracy-csvexport -u FILE` prints (--columns says what its columns are)",
     .magics = {MAGIC("tr\xFDP"), MAGIC("tlZ\4"), MAGIC("tZst")}},
    {"a log of Darshan",
     "a trace: it counts, and has times only where `darshan-dxt-parser FILE` prints some",
     .recognises = is_darshan},
    {"a recording of Caliper", "the JSON that cali2traceevent makes of it",
     .magics = {MAGIC("__rec=")}},
    {"a database of HPCToolkit", .magics = {MAGIC("HPCTOOLKIT")}},
    {"a trace of TAU", "the OTF2 archive that `tau2otf2 tau.trc tau.edf NAME` makes of it",
     .magics = {MAGIC("\x60\xEA\0\0")}, .recognises = is_tau_names},
    {"a log of Jumpshot", .magics = {MAGIC("CLOG-"), MAGIC("SLOG 2."), MAGIC("\0\012SLOG 2.")}},
    {"a recording of Windows (ETW)",
     "the table that `tracerpt FILE -of CSV -o TABLE.csv` writes (--columns says what its columns "
     "are)",
     .recognises = is_etw},
    {"a profile of Score-P (CUBE)",
     "the OTF2 archive that the program writes with SCOREP_ENABLE_TRACING=true",
     .recognises = is_cube},
    {"JSON",
     "a list of trace events, or an object with \"traceEvents\" (import --format chrome reads such "
     "JSON whatever it begins with)",
     .format = "chrome", .recognises = is_json},
    {"a recording of perf", "the text that `perf script` prints", .magics = {MAGIC("PERFILE")}},
    {"a recording of trace-cmd", .format = "trace_dat", .magics = {MAGIC("\x17\x08\x44tracing")}},
    {"a text of the kernel's tracer", .format = "ftrace", .magics = {MAGIC("# tracer:")}},
    {"a recording of Java's flight recorder",
     "the JSON that `jfr print --json --stack-depth 64 FILE` prints", .magics = {MAGIC("FLR\0")},
     .suffix = ".jfr"},
    {"a report of Nsight Systems", nsight_advice, .suffix = ".nsys-rep"},
    {"a report of Nsight Systems", nsight_advice, .suffix = ".qdrep"},
    {"a database of Nsight Systems", whole, .format = "nsys", .magics = {MAGIC("SQLite")},
     .holds = {"StringIds"}},
    {"a database of rocprofv3", whole, .format = "rocpd", .magics = {MAGIC("SQLite")},
     .holds = {"rocpd_string"}},
    {"a SQLite database, but not a trace.db", .magics = {MAGIC("SQLite format 3\0")}},
    {"an HDF5 file", .magics = {MAGIC("\x89HDF\r\n\x1A\n")}},
    {"a 7z archive", "the trace in it", .magics = {MAGIC("7z\xBC\xAF\x27\x1C")}},
    {"a tar archive", "the trace in it (tar -xf FILE unpacks it)", .recognises = is_tar},
};

enum { COLUMNS = 4, LONGEST = 400 };

static const char expected[] =
    "that of a trace, such as resource,type,value,begin,end or time,resource,type,value, in s, ms, "
    "us or ns (--columns says of another what its columns are), or that of a microscopic model: "
    "path,type,slice,value";

/* The beginning of a table: the first two lines. */
typedef struct table {
    const char *lines[2];
    size_t lengths[2];
} table;

/* False for what is no text, or too long for a header. */
static bool cut_line(table *found, size_t index, const char *text, size_t length)
{
    const char *end = length > 0 ? memchr(text, '\n', length) : NULL;
    size_t used = end != NULL ? (size_t)(end - text) : length;
    if (used > 0 && text[used - 1] == '\r')
        used--;
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\t')
            return false;
    found->lines[index] = text;
    found->lengths[index] = used;
    return used > 0 && used < LONGEST;
}

static size_t count(const table *found, size_t line, char separator)
{
    size_t separators = 0;
    for (size_t i = 0; i < found->lengths[line]; i++)
        separators += found->lines[line][i] == separator;
    return separators;
}

/* Whether a line is words without blanks, between separators. */
static bool is_words(const table *found, size_t line)
{
    return found->lengths[line] > 0 && count(found, line, ' ') == 0;
}

/* The same number of separators in both lines: two or more, or one between words; 0: none. */
static char find_separator(const table *found)
{
    static const char separators[] = ",;\t|";
    char best = 0;
    size_t most = is_words(found, 0) && is_words(found, 1) ? 0 : 1;
    for (const char *one = separators; *one != '\0'; one++) {
        const size_t first = count(found, 0, *one);
        if (first > most && (found->lengths[1] == 0 || count(found, 1, *one) == first)) {
            best = *one;
            most = first;
        }
    }
    return best;
}

/* Whether the last two of the four fields are numbers: a row instead of a header. */
static bool is_row(const table *found)
{
    const char *end = found->lines[0] + found->lengths[0];
    const char *field = found->lines[0];
    for (int i = 0; i < 2 && field != NULL; i++) {
        field = memchr(field, ',', (size_t)(end - field));
        field = field != NULL ? field + 1 : NULL;
    }
    while (field != NULL && field < end && strchr("0123456789.,+-eE ", *field) != NULL)
        field++;
    return field == end;
}

static const char *name_separator(char separator)
{
    if (separator == '\t')
        return "tabs";
    return separator == ';' ? "semicolons" : "bars";
}

/* A table whose header is not that of a microscopic model says which one is expected; a file that
 * is called .csv is a table. */
static ocelotl_status check_header(const char *path, const char *text, size_t length)
{
    const bool is_named = oc_source_has_suffix(path, ".csv") || oc_source_has_suffix(path, ".tsv");
    table found = {0};
    const size_t mark = oc_text_mark(text, length);
    text += mark;
    length -= mark;
    if (!cut_line(&found, 0, text, length))
        return OCELOTL_OK;
    const char *second = memchr(text, '\n', length);
    if (second != NULL && second + 1 < text + length &&
        !cut_line(&found, 1, second + 1, length - (size_t)(second + 1 - text)))
        return OCELOTL_OK;
    const char separator = find_separator(&found);
    if (separator == 0 && !is_named)
        return OCELOTL_OK;
    if (separator != 0 && separator != ',')
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:1: the header is \"%.*s\", separated by %s, expected %s, with commas",
                       path, (int)found.lengths[0], found.lines[0], name_separator(separator),
                       expected);
    if (count(&found, 0, ',') == COLUMNS - 1 && is_row(&found))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:1: the header is missing, expected %s", path,
                       expected);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:1: the header is \"%.*s\", expected %s", path,
                   (int)found.lengths[0], found.lines[0], expected);
}

/* Finds the row of a format, by index below the count of rows; the count: none is. What has no path
 * has no suffix. */
static size_t find_row(const oc_head *head, const char *path)
{
    size_t i = 0;
    for (; i < sizeof formats / sizeof formats[0]; i++) {
        bool is = false;
        for (int k = 0; k < 3 && formats[i].magics[k].bytes != NULL; k++)
            is = is || begins(head, formats[i].magics[k].bytes, formats[i].magics[k].size);
        for (int k = 0; k < 2 && formats[i].holds[k] != NULL; k++)
            is = is && oc_head_holds(head, formats[i].holds[k]);
        if (is || (formats[i].recognises != NULL && formats[i].recognises(head)) ||
            (path != NULL && formats[i].suffix != NULL &&
             oc_source_has_suffix(path, formats[i].suffix)))
            return i;
    }
    return i;
}

const char *oc_unread_needs(const oc_head *head)
{
    const size_t i = find_row(head, NULL);
    const bool has_format = i < sizeof formats / sizeof formats[0] && formats[i].format != NULL;
    return has_format ? oc_missing_needs(formats[i].format) : NULL;
}

ocelotl_status oc_check_known(const oc_source *source)
{
    const size_t i = find_row(&source->head, source->path);
    if (i == sizeof formats / sizeof formats[0])
        return OCELOTL_OK;
    const char *needs = oc_unread_needs(&source->head);
    if (needs != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is %s, which this build does not read, expected a build with %s",
                       source->path, formats[i].name, needs);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is %s, which cannot be read, expected %s",
                   source->path, formats[i].name,
                   formats[i].advice != NULL
                       ? formats[i].advice
                       : "one of the formats listed by `ocelotl-cli formats`");
}

/* Fails for an unknown format, unless most of the file is lost. */
ocelotl_status oc_fail_unknown_format(const oc_source *source)
{
    const oc_head *head = &source->head;
    if (head->loss != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; too little is left of it to be a trace",
                       source->path, head->loss);
    OC_TRY(check_header(source->path, head->bytes, head->length));
    oc_text others = {0};
    /* Names the formats that other builds read. */
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++)
        oc_text_format(&others, "%s %s", i > 0 ? "," : "; this build does not read",
                       ocelotl_missing_format_at(i).format.name);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_INPUT,
                "%s: is of no format that is known, expected one of those listed by `ocelotl-cli "
                "formats`%s",
                source->path, others.bytes != NULL ? others.bytes : "");
    oc_text_free(&others);
    return status;
}
