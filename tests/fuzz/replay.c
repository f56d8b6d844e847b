/* Runs a fuzz target without libFuzzer: once for each file of a folder, or for COUNT random changes
 * of them.
 *
 *   replay_TARGET FOLDER [COUNT SEED LAST]
 *
 * One SEED always makes the same changes. The file LAST holds the length of the last input in eight
 * bytes, then the input itself: if a run fails, it failed on that. */
#include "fuzz.h"
#include "mutate.h"

#include <inttypes.h>
#include <sys/mman.h>

typedef struct input {
    uint8_t *bytes;
    size_t length;
} input;

static void replay(const input *given, const char *name)
{
    /* A block of its own size: the sanitizers see whoever reads beyond it. */
    uint8_t *bytes = malloc(given->length > 0 ? given->length : 1);
    CHECK(bytes != NULL);
    memcpy(bytes, given->bytes, given->length);
    fprintf(stderr, "%s\n", name);
    CHECK(LLVMFuzzerTestOneInput(bytes, given->length) == 0);
    free(bytes);
}

/* The inputs of a folder; `names` are kept for the first run. */
static size_t read_inputs(input **inputs, char ***names, const char *path)
{
    size_t count = 0;
    struct dirent **entries = NULL;
    const int found = scandir(path, &entries, NULL, alphasort);
    CHECK(found >= 0);
    *inputs = calloc((size_t)found + 1, sizeof **inputs);
    *names = calloc((size_t)found + 1, sizeof **names);
    CHECK(*inputs != NULL && *names != NULL);
    for (int i = 0; i < found; i++) {
        if (entries[i]->d_name[0] != '.') {
            char *name = malloc(4096);
            CHECK(name != NULL);
            snprintf(name, 4096, "%s/%s", path, entries[i]->d_name);
            (*names)[count] = name;
            (*inputs)[count].bytes = (uint8_t *)temporary_read(&(*inputs)[count].length, name);
            count++;
        }
        free(entries[i]);
    }
    free(entries);
    return count;
}

/* A file that holds each input while it runs, and so the last. */
static uint8_t *open_last(const char *path, size_t length)
{
    FILE *file = fopen(path, "wb+");
    CHECK(file != NULL && ftruncate(fileno(file), (off_t)length) == 0);
    uint8_t *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    CHECK(bytes != MAP_FAILED);
    fclose(file);
    return bytes;
}

static void replay_changed(const input *inputs, size_t count, char *const *how)
{
    const uint64_t runs = strtoull(how[0], NULL, 10);
    mutated text = {.state = strtoull(how[1], NULL, 10)};
    uint8_t *last = open_last(how[2], sizeof(uint64_t) + MUTATED_LONGEST);
    for (uint64_t run = 0; run < runs; run++) {
        const input *base = &inputs[mutated_draw(&text, count)];
        const input *other = &inputs[mutated_draw(&text, count)];
        mutated_make(&text, base->bytes, base->length, other->bytes, other->length);
        const uint64_t length = text.length;
        memcpy(last, &length, sizeof length);
        memcpy(last + sizeof length, text.bytes, text.length);
        CHECK(LLVMFuzzerTestOneInput(text.bytes, text.length) == 0);
        if ((run + 1) % 10000 == 0)
            fprintf(stderr, "%" PRIu64 " inputs\n", run + 1);
    }
    free(text.bytes);
    munmap(last, sizeof(uint64_t) + MUTATED_LONGEST);
}

int main(int count, char **arguments)
{
    input *inputs = NULL;
    char **names = NULL;
    CHECK(count == 2 || count == 5);
    const bool once = count == 2;
    LLVMFuzzerInitialize(&count, &arguments);
    const size_t found = read_inputs(&inputs, &names, arguments[1]);
    CHECK(found > 0);
    if (!once)
        replay_changed(inputs, found, &arguments[2]);
    for (size_t i = 0; i < found; i++) {
        if (once)
            replay(&inputs[i], names[i]);
        free(inputs[i].bytes);
        free(names[i]);
    }
    free(inputs);
    free(names);
    return 0;
}
