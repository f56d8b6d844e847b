/* Paths that are written one by one are those that the names and parents make. */
#include "check.h"

#include "base/memory.h"
#include "store/trace/paths.h"

enum { MOST = 300 };

static const char *const names[] = {"a", "b", "a#2", "a#2#2", "x/y", "50%", "", "#2", "a"};

/* Of the first siblings that have no other's path yet; as slow as it is simple. */
static void name_all(char known[][8 * MOST], const ocelotl_resource *resources, uint32_t count)
{
    for (uint32_t r = 0; r < count; r++) {
        char plain[8 * MOST];
        const char *name = resources[r].name;
        const bool top = resources[r].parent == OCELOTL_ROOT;
        char *to =
            plain + sprintf(plain, "%s%s", top ? "" : known[resources[r].parent], top ? "" : "/");
        for (; *name != '\0'; name++)
            to += sprintf(to, *name == '/' || *name == '%' ? "%%%02X" : "%c", (unsigned)*name);
        *to = '\0';
        strcpy(known[r], plain);
        for (uint32_t number = 2, other = 0; other < r; other++)
            if (strcmp(known[other], known[r]) == 0) {
                sprintf(known[r], "%s#%u", plain, number++);
                other = UINT32_MAX; /* from the first again */
            }
    }
}

static void check_world(uint64_t *random, uint32_t count, uint32_t depth)
{
    static char known[MOST][8 * MOST];
    ocelotl_resource resources[MOST] = {0};
    ocelotl_trace trace = {.resources = resources, .resource_count = count};
    oc_paths paths = {0};
    uint32_t found;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t back = check_below(random, depth);
        resources[r].parent = r > back ? r - 1 - back : OCELOTL_ROOT;
        resources[r].name = (char *)names[check_below(random, sizeof names / sizeof *names)];
    }
    name_all(known, resources, count);
    CHECK_OK(oc_paths_make(&paths, &trace));
    for (uint32_t i = 0; i < 4 * count; i++) {
        const uint32_t r = i < count ? i : check_below(random, count);
        CHECK_TEXT(oc_path_of(&paths, r), known[r]);
        CHECK_OK(oc_path_find(&found, &paths, known[r], strlen(known[r])));
        CHECK(found == r);
        strcat(known[r], "/nothing");
        CHECK_OK(oc_path_find(&found, &paths, known[r], strlen(known[r])));
        CHECK(found == OCELOTL_NONE);
        known[r][strlen(known[r]) - strlen("/nothing")] = '\0';
    }
    CHECK_TEXT(oc_path_of(&paths, count), "");
    oc_paths_free(&paths);
}

/* A chain whose paths would need 20 GB: one at a time costs one. */
static void check_deep(void)
{
    enum { DEPTH = 200000 };
    ocelotl_resource *resources;
    uint32_t found;
    oc_paths paths = {0};
    oc_kept_paths kept = {0};
    CHECK_OK(oc_allocate(&resources, DEPTH, sizeof *resources));
    ocelotl_trace trace = {.resources = resources, .resource_count = DEPTH, .label = "deep.db"};
    for (uint32_t r = 0; r < DEPTH; r++)
        resources[r] =
            (ocelotl_resource){.parent = r > 0 ? r - 1 : OCELOTL_ROOT, .name = (char *)"d"};
    CHECK_OK(oc_paths_make(&paths, &trace));
    for (uint32_t r = 0; r < DEPTH; r++)
        CHECK(oc_path_of(&paths, r)[2 * (size_t)r] == 'd');
    const char *last = oc_path_of(&paths, DEPTH - 1);
    CHECK(strlen(last) == 2 * DEPTH - 1);
    CHECK_OK(oc_path_find(&found, &paths, last, 2 * DEPTH - 1));
    CHECK(found == DEPTH - 1);
    CHECK_OK(oc_path_keep(&kept, &paths, 5));
    CHECK_OK(oc_path_keep(&kept, &paths, 5));
    CHECK_TEXT(kept.of[5], "d/d/d/d/d/d");
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t r = 0; r < DEPTH && status == OCELOTL_OK; r++)
        status = oc_path_keep(&kept, &paths, r);
    CHECK_FAILS(status, OCELOTL_ERROR_LIMIT, "deep.db: the paths of the resources shown need more");
    oc_kept_paths_free(&kept);
    oc_paths_free(&paths);
    free(resources);
}

int main(void)
{
    uint64_t random = 29;
    for (uint32_t round = 0; round < 60; round++)
        check_world(&random, 1 + check_below(&random, MOST), 1 + check_below(&random, MOST));
    check_deep();
    return 0;
}
