/* Runs a fuzz target once for each file of a folder, without libFuzzer. */
#include "fuzz.h"

static void replay(const char *folder, const char *name)
{
    char path[4096];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *bytes = temporary_read(&length, path);
    /* A block of its own size: the sanitizers see whoever reads beyond it. */
    uint8_t *input = malloc(length > 0 ? length : 1);
    CHECK(input != NULL);
    memcpy(input, bytes, length);
    free(bytes);
    fprintf(stderr, "%s\n", path);
    CHECK(LLVMFuzzerTestOneInput(input, length) == 0);
    free(input);
}

int main(int count, char **arguments)
{
    size_t files = 0;
    CHECK(count == 2);
    DIR *folder = opendir(arguments[1]);
    CHECK(folder != NULL);
    LLVMFuzzerInitialize(&count, &arguments);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            replay(arguments[1], entry->d_name);
            files++;
        }
    closedir(folder);
    CHECK(files > 0);
    return 0;
}
