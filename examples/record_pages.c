/* Records where the pages of a process lie, for docs/memory-pages.md; --top prints them as a table.
 *
 *     cc -O2 -o record_pages record_pages.c
 *     ./record_pages -p PID [-i 100ms] [-o run.pages] [--top]
 *
 * Ends with the process. Where there is no /proc/PID/numa_maps all is on node 0, as smaps has it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 64, LINE = 4096 };

typedef struct region {
    uint64_t begin, size; /* in bytes */
    char text[LINE + 32]; /* the line of numa_maps, without its end */
    double bytes[NODES], resident;
} region;

typedef struct snapshot {
    region *regions;
    size_t count, capacity;
    int nodes; /* the last that has any, and 1 */
} snapshot;

static FILE *open_of(long pid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    return fopen(path, "r");
}

static region *add_region(snapshot *to)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity > 0 ? 2 * to->capacity : 256;
        to->regions = realloc(to->regions, to->capacity * sizeof *to->regions);
        if (to->regions == NULL)
            abort();
    }
    to->regions[to->count] = (region){.begin = 0};
    return &to->regions[to->count++];
}

/* Adds up "N3=17" of a line, and of all. */
static void read_nodes(snapshot *of, region *is, region *all)
{
    const char *size = strstr(is->text, " kernelpagesize_kB=");
    const double page = 1024.0 * (size != NULL ? atof(strchr(size, '=') + 1) : 4);
    all->size += is->size;
    for (const char *at = is->text; (at = strstr(at, " N")) != NULL; at += 2) {
        int node;
        long pages;
        if (sscanf(at, " N%d=%ld", &node, &pages) != 2 || node < 0 || node >= NODES)
            continue;
        is->bytes[node] += page * (double)pages;
        is->resident += page * (double)pages;
        all->bytes[node] += page * (double)pages;
        all->resident += page * (double)pages;
        of->nodes = node >= of->nodes ? node + 1 : of->nodes;
    }
}

/* The ranges of maps, or of smaps, which says how much of each is there: on node 0, as numa_maps
 * would say it. Those of numa_maps, which are in the same order, have its lines. */
static bool read_regions(snapshot *to, FILE *ranges, FILE *numa_maps)
{
    char line[LINE], path[LINE / 2];
    uint64_t begin, end, number;
    while (ranges != NULL && fgets(line, sizeof line, ranges) != NULL) {
        path[0] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 "%*s%*s%*s%*s %2047s", &begin, &end, path) > 1) {
            region *is = add_region(to);
            is->begin = begin;
            is->size = end - begin;
            path[strcspn(path, "]")] = '\0'; /* "[heap]" and "[stack]" are called so */
            path[0] = path[0] == '[' ? ' ' : path[0];
            snprintf(is->text, sizeof is->text, "%08" PRIx64 " default%s%s", begin,
                     path[0] == '/' ? " file=" : "", path);
        } else if (to->count > 0 && sscanf(line, "Rss: %" SCNu64, &number) == 1) {
            char *text = to->regions[to->count - 1].text;
            snprintf(text + strlen(text), 32, " N0=%" PRIu64, number / 4);
        }
    }
    for (size_t i = 0; numa_maps != NULL && fgets(line, sizeof line, numa_maps) != NULL;) {
        line[strcspn(line, "\n")] = '\0';
        for (begin = strtoull(line, NULL, 16); i < to->count && to->regions[i].begin < begin;)
            i++;
        if (i < to->count && to->regions[i].begin == begin)
            snprintf(to->regions[i].text, sizeof to->regions[i].text, "%s", line);
    }
    return to->count > 0;
}

static int compare_regions(const void *a, const void *b)
{
    const region *first = a, *second = b;
    return first->resident > second->resident ? -1 : first->resident < second->resident;
}

static void print_bytes(double bytes)
{
    const char *unit = " kMGT";
    for (; bytes >= 999.5 && unit[1] != '\0'; unit++)
        bytes /= 1000;
    printf(" %7.*f %cB", bytes < 10 && *unit != ' ', bytes, *unit);
}

static void print_row(long pid, const region *is, const char *name, int nodes)
{
    printf("%7ld %-24.24s", pid, name);
    print_bytes(is->resident);
    print_bytes((double)is->size);
    for (int node = 0; node < nodes; node++) {
        print_bytes(is->bytes[node]);
        printf(" %3.0f%%", is->resident > 0 ? 100 * is->bytes[node] / is->resident : 0);
    }
    printf("\n");
}

/* All first, then the largest regions. */
static void print_top(snapshot *of, long pid)
{
    enum { ROWS = 20 };
    region all = {0};
    for (size_t i = 0; i < of->count; i++)
        read_nodes(of, &of->regions[i], &all);
    qsort(of->regions, of->count, sizeof *of->regions, compare_regions);
    printf("\033[H\033[J%7s %-24s %10s %10s", "PID", "REGION", "RESIDENT", "VIRTUAL");
    for (int node = 0; node < of->nodes; node++)
        printf("     NODE %-6d", node);
    printf("\n");
    print_row(pid, &all, "total", of->nodes);
    for (size_t i = 0; i < of->count && i < ROWS; i++) {
        const char *text = of->regions[i].text, *slash = strrchr(text, '/');
        char name[LINE + 24];
        snprintf(name, sizeof name, "%08" PRIx64 " %.*s", of->regions[i].begin,
                 slash != NULL ? (int)strcspn(slash, " ") - 1 : 9,
                 slash != NULL                    ? slash + 1
                 : strstr(text, " heap") != NULL  ? "heap"
                 : strstr(text, " stack") != NULL ? "stack"
                                                  : "anonymous");
        print_row(pid, &of->regions[i], name, of->nodes);
    }
    fflush(stdout);
}

int main(int count, char **arguments)
{
    long pid = 0;
    double interval = 0.1;
    bool top = false, began = false;
    FILE *out = stdout;
    snapshot now = {0};
    for (int option; (option = getopt(count, arguments, "p:i:o:-:")) != -1;) {
        char *unit;
        if (option == 'p')
            pid = atol(optarg);
        else if (option == 'i')
            interval = strtod(optarg, &unit) * (strcmp(unit, "ms") == 0 ? 1e-3 : 1);
        else if (option == 'o')
            out = fopen(optarg, "w");
        else
            top = option == '-' && strcmp(optarg, "top") == 0;
    }
    if (pid <= 0 || !(interval > 0) || out == NULL)
        return fprintf(stderr, "record_pages -p PID [-i 100ms] [-o FILE] [--top]\n"), 2;
    for (;;) {
        char command[64] = "";
        struct timespec at, wait = {(time_t)interval, 0};
        FILE *comm = open_of(pid, "comm"), *numa_maps = open_of(pid, "numa_maps");
        FILE *ranges = open_of(pid, numa_maps != NULL ? "maps" : "smaps");
        FILE *files[] = {comm, numa_maps, ranges};
        now.count = 0;
        clock_gettime(CLOCK_MONOTONIC, &at);
        const bool lives = comm != NULL && fgets(command, sizeof command, comm) != NULL &&
                           read_regions(&now, ranges, numa_maps);
        for (int i = 0; i < 3; i++)
            (void)(files[i] != NULL && fclose(files[i]));
        if (!lives && !began)
            return fprintf(stderr, "record_pages: there is no memory of a process %ld to be read\n",
                           pid),
                   1;
        if (!lives)
            break;
        began = true;
        if (!top || out != stdout) {
            fprintf(out, "@ %lld.%09ld %ld %s", (long long)at.tv_sec, at.tv_nsec, pid, command);
            for (size_t i = 0; i < now.count; i++)
                fprintf(out, "%s size_kB=%" PRIu64 "\n", now.regions[i].text,
                        now.regions[i].size / 1024);
            fflush(out);
        }
        if (top)
            print_top(&now, pid);
        wait.tv_nsec = (long)(1e9 * (interval - (double)wait.tv_sec));
        nanosleep(&wait, NULL);
    }
    return out != stdout && fclose(out) != 0;
}
