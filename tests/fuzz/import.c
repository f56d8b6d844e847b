/* Traces of any bytes: their import succeeds or fails with a message and leaves nothing; what it
 * wrote is sound. The first byte chooses the options, the rest is the files. FUZZ_FORMAT is the
 * format. */
#include "ask.h"

enum { FILES = 3, COLUMNS = 256, OBJECTS = 2000 };

typedef struct row {
    const char *format;
    const char *files[FILES];
    const char *separator; /* NULL: a byte of 0, which is looked for from 128 on */
    /* Gives how many of the files are named; from `bytes` it may take a text. */
    size_t (*choose)(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                     size_t *length);
} row;

static const char *const folds[] = {NULL, "[0-9]+", "a|b", "(x*y)+"};
static const char *const units[] = {NULL, "s", "ms", "us", "ns"};

static size_t choose_chrome(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                            size_t *length)
{
    (void)bytes;
    (void)length;
    options->same_root = choice / 2 % 2 == 0;
    options->align = (ocelotl_align)(choice / 4 % 4);
    options->fold_names = folds[choice / 16 % 4];
    return FILES;
}

static size_t choose_gstreamer(ocelotl_import_options *options, uint8_t choice,
                               const uint8_t **bytes, size_t *length)
{
    choose_chrome(options, choice, bytes, length);
    options->fold_names = NULL;
    options->value = (ocelotl_import_value)(choice / 16 % 3);
    return FILES;
}

static size_t choose_speedscope(ocelotl_import_options *options, uint8_t choice,
                                const uint8_t **bytes, size_t *length)
{
    choose_chrome(options, choice, bytes, length);
    options->fold_names = NULL;
    return FILES;
}

static size_t choose_perf(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                          size_t *length)
{
    (void)bytes;
    (void)length;
    options->stacks = choice / 2 % 2 == 0;
    options->fold_names = folds[choice / 4 % 4];
    return 1;
}

/* The names stand in the second file, which is found by itself. */
static size_t choose_picl(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                          size_t *length)
{
    (void)bytes;
    (void)length;
    options->format = choice % 4 < 2 ? "picl" : NULL;
    return 1;
}

static size_t choose_swf(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                         size_t *length)
{
    choose_chrome(options, choice, bytes, length);
    options->fold_names = NULL;
    return FILES;
}

/* The first file can name the second as "part.trace", or both are given. */
static size_t choose_paje(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                          size_t *length)
{
    (void)bytes;
    (void)length;
    options->time_unit = units[choice / 2 % 5];
    options->same_root = (choice & 64) != 0;
    return choice & 32 ? 1 : FILES;
}

/* Where the choice says so, the first line is --columns. */
static size_t choose_csv(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                         size_t *length)
{
    static char columns[COLUMNS];
    size_t used = 0;
    options->lenient = choice & 1;
    options->same_root = choice & 2;
    options->time_unit = choice & 8 ? "ms" : NULL;
    if ((choice & 4) == 0)
        return FILES;
    for (; *length > 0 && **bytes != '\n'; ++*bytes, --*length)
        if (used < COLUMNS - 1 && **bytes != '\0')
            columns[used++] = (char)**bytes;
    columns[used] = '\0';
    *bytes += *length > 0;
    *length -= *length > 0;
    options->columns = columns;
    return FILES;
}

/* A header of a few bytes can list a million threads: that is slow, and no fault. */
static size_t choose_paraver(ocelotl_import_options *options, uint8_t choice, const uint8_t **bytes,
                             size_t *length)
{
    size_t objects = 0, number = 0;
    uint32_t colons = 0;
    for (size_t i = 0; i < *length && (*bytes)[i] != '\n' && objects <= OBJECTS; i++) {
        const uint8_t byte = (*bytes)[i];
        colons += byte == ':';
        objects += byte < '0' || byte > '9' ? number : 0;
        number = byte < '0' || byte > '9' ? 0 : 10 * number + (size_t)(byte - '0');
        number = number > OBJECTS ? OBJECTS + 1 : number;
        objects = colons > 2 ? objects : 0;
    }
    options->by = choice & 2 ? OCELOTL_BY_CPU : OCELOTL_BY_THREAD;
    return objects > OBJECTS ? 0 : 1;
}

static const row rows[] = {
    {"chrome", {"a.json", "b.json"}, NULL, choose_chrome},
    {"spark", {"a.json", "b.json"}, NULL, choose_chrome},
    {"jfr", {"a.json", "b.json"}, NULL, choose_speedscope},
    {"firefox", {"a.json", "b.json"}, NULL, choose_speedscope},
    {"speedscope", {"a.json", "b.json"}, NULL, choose_speedscope},
    {"gstreamer", {"a.log", "b.log"}, NULL, choose_gstreamer},
    {"perf", {"run.txt"}, NULL, choose_perf},
    {"ftrace", {"run.txt"}, NULL, choose_perf},
    {"trace_dat", {"a.dat", "b.dat"}, NULL, choose_swf},
    {"picl", {"a.picl", "a.picl.names"}, NULL, choose_picl},
    {"swf", {"a.swf", "b.swf"}, NULL, choose_swf},
    {"numa_maps", {"a.pages", "b.pages"}, NULL, choose_swf},
    {"heaptrack", {"a.heap", "b.heap"}, NULL, choose_swf},
    {"spans", {"a.json", "b.json"}, NULL, choose_swf},
    {"nsys", {"a.sqlite"}, NULL, choose_swf},
    {"rocpd", {"a.sqlite"}, NULL, choose_swf},
    {"perf_stat", {"a.stat", "b.stat"}, NULL, choose_swf},
    {"perfetto", {"a.pftrace", "b.pftrace"}, NULL, choose_swf},
    {"xplane", {"a.xplane.pb", "b.xplane.pb"}, NULL, choose_swf},
    {"paje", {"main.trace", "part.trace"}, NULL, choose_paje},
    {"csv", {"one.csv", "two.csv"}, "\n==\n", choose_csv},
    {"paraver", {"run.prv", "run.pcf", "run.row"}, "\n==\n", choose_paraver},
};

static const row *chosen;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    for (chosen = rows; strcmp(chosen->format, FUZZ_FORMAT) != 0;)
        chosen++;
    return 0;
}

/* Writes the files, one up to each separator, whose line end is the file's; those that are empty
 * are missing, but for the first. Gives how many there are. */
static size_t write_files(const uint8_t *bytes, size_t length, bool several)
{
    const char *separator = chosen->separator != NULL ? chosen->separator : "";
    const size_t wide = chosen->separator != NULL ? strlen(separator) : 1;
    const size_t kept = chosen->separator != NULL;
    size_t count = 0;
    for (size_t i = 0; i < FILES && chosen->files[i] != NULL; i++) {
        const bool last = i + 1 == FILES || chosen->files[i + 1] == NULL;
        const uint8_t *end =
            several && !last && length > 0 ? memmem(bytes, length, separator, wide) : NULL;
        const size_t size = end != NULL ? (size_t)(end - bytes) + kept : length;
        if (size > 0 || i == 0)
            temporary_write(temporary_path(chosen->files[i]), bytes, size);
        else
            unlink(temporary_path(chosen->files[i]));
        count += size > 0 || i == 0;
        const size_t past = end != NULL ? size + wide - kept : size;
        bytes += past;
        length -= past;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    const char *paths[FILES];
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    if (length == 0)
        return 0;
    const uint8_t choice = *bytes++;
    length--;
    options.format = chosen->format;
    options.overwrite = true;
    options.lenient = choice % 2 == 0;
    const size_t most = chosen->choose(&options, choice, &bytes, &length);
    const size_t count = write_files(bytes, length, chosen->separator != NULL || choice >= 128);
    if (most == 0)
        return 0;
    for (size_t i = 0; i < FILES && chosen->files[i] != NULL; i++)
        paths[i] = temporary_path(chosen->files[i]);
    if (chosen->choose == choose_paraver && choice & 4)
        paths[0] = temporary_path(".");
    check_import(target,
                 ocelotl_import_files(target, paths, count < most ? count : most, &options));
    return 0;
}
