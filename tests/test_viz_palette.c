/* Colours of types: stable, distinct for everybody, never lost on the paper; and the user's
 * colours. */
#include "temporary.h"

#include "base/options.h"
#include "viz/colour/colour.h"

static ocelotl_status assign(oc_palette_type *types, size_t count)
{
    return oc_palette_assign_on(types, count, &(oc_palette_request){.background = 0xFFFFFF});
}

#define PAPER 0xFFFFFFu
#define NIGHT 0x0D1117u

static void test_stable(void)
{
    oc_palette_type alone[] = {{"MPI_Send", -1, 0}};
    oc_palette_type two[] = {{"MPI_Send", -1, 0}, {"Compute", -1, 0}};
    CHECK_OK(assign(alone, 1));
    CHECK_OK(assign(two, 2));
    CHECK(alone[0].colour == two[0].colour);
    CHECK(two[0].colour != two[1].colour);
    oc_palette_type again[] = {{"MPI_Send", -1, 7}, {"Compute", -1, 9}};
    CHECK_OK(assign(again, 2));
    CHECK(again[0].colour == two[0].colour && again[1].colour == two[1].colour);
    /* Known names keep their colours, whatever other types exist and are more important. */
    oc_palette_type late[] = {{"some", -1, 0},
                              {"other", -1, 0},
                              {"thing", -1, 0},
                              {"Compute", -1, 0},
                              {"MPI_Send", -1, 0}};
    CHECK_OK(assign(late, 5));
    CHECK(late[3].colour == two[1].colour && late[4].colour == two[0].colour);
}

/* The least distance between the first `count` types. */
static double least_distance(const oc_palette_type *types, int count)
{
    double least = 1000;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            least = fmin(least, oc_colour_distance(types[i].colour, types[j].colour));
    return least;
}

/* Hashes of unknown names collide; colours do not, for any vision. */
static void test_collisions(uint32_t background)
{
    char names[24][64];
    oc_palette_type types[24];
    for (int family = 0; family < (int)check_rounds(50); family++) {
        for (int i = 0; i < 24; i++) {
            snprintf(names[i], sizeof names[i], "state %d of %d", i, family);
            types[i] = (oc_palette_type){names[i], -1, 0};
        }
        CHECK_OK(oc_palette_assign_on(types, 24, &(oc_palette_request){.background = background}));
        CHECK(least_distance(types, 8) >= 9);
        CHECK(least_distance(types, 12) >= 7);
        CHECK(least_distance(types, 24) >= 3);
        for (int i = 0; i < 24; i++)
            CHECK(oc_contrast_between(types[i].colour, background) >= 1.6);
    }
}

/* The least distance between the first `count` types, with normal vision and without. */
static void check_apart(const oc_palette_type *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            for (oc_vision vision = 0; vision < OC_VISION_COUNT; vision++) {
                const oc_perceived a = oc_colour_perceived(oc_colour_seen(types[i].colour, vision));
                const oc_perceived b = oc_colour_perceived(oc_colour_seen(types[j].colour, vision));
                const double distance =
                    sqrt(pow(a.lightness - b.lightness, 2) + pow(a.red_green - b.red_green, 2) +
                         pow(a.yellow_blue - b.yellow_blue, 2));
                CHECK(distance >= (vision == OC_VISION_NORMAL ? 0.08 : 0.05));
            }
}

static const char *const known_names[] = {
    "Computing",    "PMPI_Wait",    "PMPI_Allreduce", "PMPI_Send",    "MPI_Recv",
    "MPI_Barrier",  "Idle",         "MPI_Bcast",      "MPI_Isend",    "MPI_Irecv",
    "MPI_Waitall",  "MPI_Init",     "MPI_Reduce",     "MPI_Finalize", "Overhead",
    "MPI_Alltoall", "MPI_Sendrecv", "MPI_Allgather",  "MPI_Gather",   "Scheduling",
    "task",         "MPI_Test",     "MPI_File_write", "MPI_Scatter",  "MPI_File_read_at"};

enum { KNOWN_COUNT = sizeof known_names / sizeof known_names[0] };

/* Colours as traces define them: any, all alike, all of a hue, all pale, or none. */
static int32_t some_colour(uint64_t *state, uint32_t texture)
{
    const int32_t base = 0x306090;
    switch (texture) {
    case 0:
        return (int32_t)check_below(state, 0x1000000);
    case 1:
        return base + (int32_t)check_below(state, 8) * 0x010101;
    case 2:
        return (int32_t)check_below(state, 256);
    case 3:
        return 0xE0E0E0 + (int32_t)check_below(state, 32) * 0x010101;
    case 4:
        return (int32_t)check_below(state, 2) * 0xFF0000 + (int32_t)check_below(state, 2) * 0xFF00 +
               (int32_t)check_below(state, 2) * 0xFF;
    default:
        return check_below(state, 2) == 0 ? -1 : (int32_t)check_below(state, 0x1000000);
    }
}

/* Checks that the first types are distinct, whatever colours and names a trace has. A colour of the
 * trace is dropped only if it must be. */
static void test_traces_colours(uint32_t background)
{
    enum { MOST = 40 };
    char names[MOST][64];
    oc_palette_type types[MOST];
    for (uint64_t world = 0; world < check_rounds(300); world++) {
        uint64_t state = world + 1;
        const uint32_t texture = check_below(&state, 6);
        const uint32_t count = 1 + check_below(&state, MOST);
        const bool known = check_below(&state, 2) == 0;
        for (uint32_t i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "%s %u",
                     known ? known_names[check_below(&state, KNOWN_COUNT)] : "state", i);
            if (known && i < KNOWN_COUNT && check_below(&state, 2) == 0)
                snprintf(names[i], sizeof names[i], "%s", known_names[i]);
            types[i] = (oc_palette_type){names[i], some_colour(&state, texture), 0};
        }
        CHECK_OK(
            oc_palette_assign_on(types, count, &(oc_palette_request){.background = background}));
        check_apart(types, count < OC_PALETTE_APART ? count : OC_PALETTE_APART - 1);
        for (uint32_t i = 0; i < count; i++)
            CHECK(oc_contrast_between(types[i].colour, background) >= 1.6);
        /* Later types do not change the colours of further ones before them. */
        oc_palette_type again[MOST];
        memcpy(again, types, sizeof again);
        CHECK_OK(oc_palette_assign_on(
            again, count, &(oc_palette_request){.background = background, .fixed = count / 2}));
        for (uint32_t i = 0; i < count / 2; i++)
            CHECK(again[i].colour == types[i].colour);
    }
}

/* The main states of SimGrid's traces: both are blue there. */
static void test_simgrid(void)
{
    oc_palette_type types[] = {{"PMPI_Send", 0x1B48BD, 0}, {"PMPI_Barrier", 0x0063C7, 0}};
    CHECK_OK(assign(types, 2));
    CHECK(types[0].colour == 0x1B48BD);
    check_apart(types, 2);
}

/* Checks that on white all known names keep their colours and are distinct, and on black nearly
 * all. */
static void test_known_together(void)
{
    oc_palette_type types[KNOWN_COUNT];
    for (int i = 0; i < KNOWN_COUNT; i++)
        types[i] = (oc_palette_type){known_names[i], -1, 0};
    CHECK_OK(assign(types, KNOWN_COUNT));
    CHECK(least_distance(types, KNOWN_COUNT) >= 7);
    for (int i = 0; i < KNOWN_COUNT; i++) {
        uint32_t known = 0;
        CHECK(oc_known_colour(&known, known_names[i], PAPER) && known == types[i].colour);
    }
    CHECK_OK(oc_palette_assign_on(types, KNOWN_COUNT, &(oc_palette_request){.background = NIGHT}));
    CHECK(least_distance(types, 12) >= 7 && least_distance(types, KNOWN_COUNT) >= 3);
}

static void check_same(const char *a, const char *b, bool same)
{
    uint32_t left = 0, right = 1;
    CHECK(oc_known_colour(&left, a, PAPER) && oc_known_colour(&right, b, PAPER));
    CHECK((left == right) == same);
}

static void test_known(void)
{
    static const char *const sends[] = {"MPI_Send",  "PMPI_Send", "mpi_send", "action_send",
                                        "SMPI_send", "send",      "SEND"};
    for (int i = 0; i < 7; i++)
        check_same(sends[i], "MPI_Send", true);
    check_same("MPI_Wait", "MPI_Waitall", false);
    check_same("MPI_Ireduce_scatter_block", "Reduce", true);
    check_same("action_allReduce", "PMPI_Allreduce", true);
    check_same("IDLE", "Sleeping", true);
    check_same("Running", "computing", true);
    check_same("MPI_File_read_all", "read", true);
    static const char *const unknown[] = {
        "",     "MPI_",       "sender", "Idleness", "MPI_Send_init_of_something_very_long",
        "PMPI", "parallel**", "*",      "sen",      "\xC3\xA9"};
    uint32_t colour = 7;
    for (int i = 0; i < 10; i++)
        CHECK(!oc_known_colour(&colour, unknown[i], PAPER) && colour == 7);
    /* Idling is a pale grey, between the paper and everything else; on black it is dark. */
    CHECK(oc_known_colour(&colour, "Idle", PAPER));
    const oc_perceived idle = oc_colour_perceived(colour);
    CHECK(hypot(idle.red_green, idle.yellow_blue) < 0.02 && idle.lightness > 0.8);
    CHECK(oc_colour_distance(colour, PAPER) > 10 && oc_colour_distance(colour, 0xA8B0B8) > 5);
    CHECK(oc_known_colour(&colour, "Idle", NIGHT));
    CHECK(oc_colour_perceived(colour).lightness < 0.4 && oc_contrast_between(colour, NIGHT) >= 1.6);
}

/* If two names have one colour, the second gets another of the same kind. */
static void test_synonyms(void)
{
    oc_palette_type types[] = {{"MPI_Send", -1, 0}, {"MPI_Ssend", -1, 0}, {"MPI_Bsend", -1, 0}};
    CHECK_OK(assign(types, 3));
    CHECK(least_distance(types, 3) >= 7);
    for (int i = 1; i < 3; i++) {
        const oc_perceived first = oc_colour_perceived(types[0].colour);
        const oc_perceived other = oc_colour_perceived(types[i].colour);
        const double apart =
            atan2(first.yellow_blue, first.red_green) - atan2(other.yellow_blue, other.red_green);
        CHECK(fabs(apart) < 0.6);
    }
}

static void test_wanted(void)
{
    oc_palette_type types[] = {
        {"first", -1, 0},       {"kept", 0x12A0F0, 0}, {"twin", 0x12A0F2, 0},
        {"white", 0xFFFFFF, 0}, {"snow", 0xFAFAFA, 0}, {"MPI_Send", 0xA04030, 0},
    };
    CHECK_OK(assign(types, 6));
    CHECK(types[1].colour == 0x12A0F0);
    CHECK(types[5].colour == 0xA04030); /* the trace's colour comes before the name's */
    for (int i = 0; i < 6; i++) {
        CHECK(oc_contrast_between(types[i].colour, 0xFFFFFF) >= 1.6);
        for (int j = 0; j < i; j++)
            CHECK(oc_colour_distance(types[i].colour, types[j].colour) >= 2.5);
    }
    CHECK(types[2].colour != 0x12A0F2);
}

/* A glaring colour of the trace keeps its hue, and is still its own. */
static void test_softened(void)
{
    static const uint32_t glaring[] = {0xFF00FF, 0xFF0000, 0x00FF00, 0x0000FF};
    for (int i = 0; i < 4; i++) {
        oc_palette_type type = {"x", (int32_t)glaring[i], 0};
        CHECK_OK(assign(&type, 1));
        const oc_perceived before = oc_colour_perceived(glaring[i]);
        const oc_perceived after = oc_colour_perceived(type.colour);
        CHECK(hypot(after.red_green, after.yellow_blue) < 0.2);
        CHECK(fabs(sin(atan2(after.yellow_blue, after.red_green) -
                       atan2(before.yellow_blue, before.red_green))) < 0.05);
    }
}

/* Checks that types beyond the distinct colours still get one, and quickly. */
static void test_many(void)
{
    const int many = (int)check_rounds(20000);
    char(*names)[16] = calloc((size_t)many, sizeof *names);
    oc_palette_type *types = calloc((size_t)many, sizeof *types);
    CHECK(names != NULL && types != NULL);
    for (int i = 0; i < many; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        types[i] = (oc_palette_type){names[i], i % 3 == 0 ? 0xFFFF00 : -1, 0xFFFFFF};
    }
    CHECK_OK(assign(types, (size_t)many));
    for (int i = 0; i < many; i++)
        CHECK(oc_contrast_between(types[i].colour, 0xFFFFFF) >= 1.6);
    free(names);
    free(types);
}

static void check_found(const ocelotl_palette *palette, const char *name, int64_t wanted)
{
    uint32_t colour = 0;
    const bool found = oc_palette_find(&colour, palette, name);
    CHECK(found == (wanted >= 0));
    CHECK(!found || colour == (uint32_t)wanted);
}

static void test_user(const char *path)
{
    static const char content[] =
        "\xEF\xBB\xBFname,colour\r\n"
        "MPI_*,#010203\nMPI_Send,#abc\r\n\"a, \"\"b\"\"\",TEAL\n\n*all*,navy\nMPI_Wait*,white\n";
    temporary_write(path, content, strlen(content));
    ocelotl_palette *palette = NULL;
    CHECK_OK(ocelotl_palette_read(&palette, path));
    check_found(palette, "MPI_Send", 0xAABBCC);
    check_found(palette, "MPI_Recv", 0x010203);
    check_found(palette, "MPI_Waitall", 0x010203); /* the first pattern that fits */
    check_found(palette, "MPI_", 0x010203);
    check_found(palette, "a, \"b\"", 0x008080);
    check_found(palette, "callback", 0x000080);
    check_found(palette, "mpi_send", -1);
    check_found(palette, "", -1);
    oc_palette_type types[] = {
        {"MPI_Recv", 0xFF0000, 0}, {"MPI_Send", -1, 0}, {"Waiting", 0x010203, 0}, {"x", -1, 0}};
    CHECK_OK(oc_palette_assign_on(types, 4, &(oc_palette_request){PAPER, palette, 0, false}));
    CHECK(types[0].colour == 0x010203 && types[1].colour == 0xAABBCC);
    CHECK(oc_colour_distance(types[2].colour, 0x010203) >= 7 &&
          oc_colour_distance(types[3].colour, 0xAABBCC) >= 7);
    ocelotl_palette_free(palette);
    ocelotl_palette_free(NULL);
}

static void test_user_errors(const char *path)
{
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"", ":1: the file is empty, expected the header name,colour"},
        {"name,color\n", ":1: the header is name,color, expected name,colour"},
        {"name\n", ":1: 1 fields, expected 2: name,colour"},
        {"name,colour\na,#123\nb\n", ":3: 1 fields, expected 2: name,colour"},
        {"name,colour\na,#1234\n",
         ":2: the colour of \"a\" is \"#1234\", expected #rrggbb, #rgb or a basic name of CSS"},
        {"name,colour\na,#12345g\n", "\"#12345g\""},
        {"name,colour\na,\n", "is \"\", expected"},
        {"name,colour\na,re\n", "is \"re\", expected"},
        {"name,colour\na,redd\n", "is \"redd\", expected"},
        {"name,colour\na,red\nb,red\na,red\n",
         ":4: \"a\" has a colour in line 2 already, expected each name once"},
        {"name,colour\na*,red\na*,blue\n", ":3: \"a*\" has a colour in line 2 already"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ocelotl_palette *palette = NULL;
        temporary_write(path, cases[i].content, strlen(cases[i].content));
        CHECK_FAILS(ocelotl_palette_read(&palette, path), OCELOTL_ERROR_INPUT, cases[i].message);
        CHECK(palette == NULL);
    }
    ocelotl_palette *palette = NULL;
    CHECK_FAILS(ocelotl_palette_read(&palette, "/nowhere/at all.csv"), OCELOTL_ERROR_IO,
                "/nowhere/at all.csv");
}

/* Executes the definition: a star is nothing, or one character and a star. */
static bool fits(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return fits(pattern + 1, name) || (*name != '\0' && fits(pattern, name + 1));
    return *pattern == *name && (*name == '\0' || fits(pattern + 1, name + 1));
}

static void test_patterns(void)
{
    uint64_t state = 5;
    int fitting = 0;
    for (int i = 0; i < (int)check_rounds(100000); i++) {
        char pattern[8] = "";
        char name[10] = "";
        for (uint32_t length = check_below(&state, 8), at = 0; at < length; at++)
            pattern[at] = "ab*"[check_below(&state, 3)];
        for (uint32_t length = check_below(&state, 10), at = 0; at < length; at++)
            name[at] = "ab*"[check_below(&state, 20) / 9];
        CHECK(oc_pattern_matches(pattern, name) == fits(pattern, name));
        fitting += fits(pattern, name);
    }
    CHECK(fitting > (int)check_rounds(5000));
}

int main(void)
{
    temporary_begin();
    const char *path = temporary_path("palette.csv");
    test_stable();
    test_collisions(PAPER);
    test_traces_colours(PAPER);
    test_traces_colours(NIGHT);
    test_simgrid();
    test_collisions(NIGHT);
    test_known();
    test_known_together();
    test_synonyms();
    test_wanted();
    test_softened();
    test_many();
    test_patterns();
    test_user(path);
    test_user_errors(path);
    CHECK_OK(assign(NULL, 0));
    return 0;
}
