#include "viz/colour/palette.h"

#include "base/options.h"

#include "viz/colour/colour.h"

#include <string.h>

/* Found by a search for the largest least distance to all visions: 7.3 (oc_colour_distance). */
enum {
    IDLE = 0xCFCABF,
    COMPUTE = 0x62BD85,
    TASK = 0x006958,
    SEND = 0x535DE3,
    RECEIVE = 0x008CCD,
    SEND_BEGUN = 0x72D9FF,
    RECEIVE_BEGUN = 0x00466E,
    EXCHANGE = 0x1E008A,
    WAIT = 0xD00106,
    WAIT_MANY = 0xCD7300,
    TEST = 0x890000,
    BARRIER = 0xEF29A8,
    REDUCE_ALL = 0x9F009D,
    REDUCE = 0xF888C3,
    BROADCAST = 0xADA2FF,
    ALL_TO_ALL = 0x6400CD,
    GATHER = 0x590028,
    SCATTER = 0x48005E,
    GATHER_ALL = 0xC169FF,
    READ = 0xC1AC00,
    WRITE = 0xFFC300,
    BEGIN = 0x4F3D3A,
    END = 0x7F717E,
    OVERHEAD = 0x80945D,
    SCHEDULE = 0x5B6600,
    OTHERS = 0x8C8C8C
};

/* Idling where the paper is dark. */
static const uint32_t idle_on_dark = 0x3C3A36;

typedef struct known {
    const char *pattern; /* of a name as `plain` makes it */
    uint32_t colour;
} known;

/* The first that matches decides. */
static const known colours[] = {
    {"idle", IDLE},
    {"idling", IDLE},
    {"sleep", IDLE},
    {"sleeping", IDLE},
    {"waiting", IDLE},
    {"inactive", IDLE},
    {"compute", COMPUTE},
    {"computing", COMPUTE},
    {"computation", COMPUTE},
    {"run", COMPUTE},
    {"running", COMPUTE},
    {"exec", COMPUTE},
    {"executing", COMPUTE},
    {"execution", COMPUTE},
    {"processing", COMPUTE},
    {"work", COMPUTE},
    {"working", COMPUTE},
    {"busy", COMPUTE},
    {"active", COMPUTE},
    {"task", TASK},
    {"taskexec*", TASK},
    {"implicittask", TASK},
    {"explicittask", TASK},
    {"parallel*", TASK},
    {"kernel", TASK},
    {"callback", TASK},
    {"isendrecv*", EXCHANGE},
    {"sendrecv*", EXCHANGE},
    {"isend", SEND_BEGUN},
    {"ibsend", SEND_BEGUN},
    {"irsend", SEND_BEGUN},
    {"issend", SEND_BEGUN},
    {"send", SEND},
    {"sending", SEND},
    {"bsend", SEND},
    {"rsend", SEND},
    {"ssend", SEND},
    {"put", SEND},
    {"pushingoutput", SEND},
    {"irecv", RECEIVE_BEGUN},
    {"imrecv", RECEIVE_BEGUN},
    {"recv", RECEIVE},
    {"mrecv", RECEIVE},
    {"receive", RECEIVE},
    {"receiving", RECEIVE},
    {"get", RECEIVE},
    {"fetchinginput", RECEIVE},
    {"wait", WAIT},
    {"waitall", WAIT_MANY},
    {"waitany", WAIT_MANY},
    {"waitsome", WAIT_MANY},
    {"taskwait*", WAIT_MANY},
    {"blocked", WAIT_MANY},
    {"lock*", WAIT_MANY},
    {"critical*", WAIT_MANY},
    {"mutex*", WAIT_MANY},
    {"test", TEST},
    {"testall", TEST},
    {"testany", TEST},
    {"testsome", TEST},
    {"probe", TEST},
    {"iprobe", TEST},
    {"progressing", TEST},
    {"barrier", BARRIER},
    {"ibarrier", BARRIER},
    {"implicitbarrier*", BARRIER},
    {"explicitbarrier*", BARRIER},
    {"winfence", BARRIER},
    {"allreduce", REDUCE_ALL},
    {"iallreduce", REDUCE_ALL},
    {"reduce", REDUCE},
    {"ireduce", REDUCE},
    {"reducescatter*", REDUCE},
    {"ireducescatter*", REDUCE},
    {"scan", REDUCE},
    {"exscan", REDUCE},
    {"reduction*", REDUCE},
    {"bcast", BROADCAST},
    {"ibcast", BROADCAST},
    {"broadcast", BROADCAST},
    {"alltoall", ALL_TO_ALL},
    {"alltoallv", ALL_TO_ALL},
    {"alltoallw", ALL_TO_ALL},
    {"ialltoall*", ALL_TO_ALL},
    {"allgather", GATHER_ALL},
    {"allgatherv", GATHER_ALL},
    {"iallgather*", GATHER_ALL},
    {"gather", GATHER},
    {"gatherv", GATHER},
    {"igather*", GATHER},
    {"scatter", SCATTER},
    {"scatterv", SCATTER},
    {"iscatter*", SCATTER},
    {"read", READ},
    {"reading", READ},
    {"fileread*", READ},
    {"fileiread*", READ},
    {"io", READ},
    {"write", WRITE},
    {"writing", WRITE},
    {"filewrite*", WRITE},
    {"fileiwrite*", WRITE},
    {"init", BEGIN},
    {"initthread", BEGIN},
    {"initialize", BEGIN},
    {"initializing", BEGIN},
    {"finalize", END},
    {"deinitializing", END},
    {"overhead", OVERHEAD},
    {"fork", OVERHEAD},
    {"join", OVERHEAD},
    {"forkjoin", OVERHEAD},
    {"scheduling", SCHEDULE},
    {"schedule", SCHEDULE},
    {"submittingtask", SCHEDULE},
    {"others", OTHERS},
};

enum { COLOUR_COUNT = sizeof colours / sizeof colours[0], PLAIN_MOST = 32 };

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

/* Passes over the first prefix that a name has, in any case. */
static const char *without_prefix(const char *name)
{
    static const char *const prefixes[] = {"pmpi_",   "mpi_",    "smpi_",   "mpi-",
                                           "action_", "action-", "starpu_", "ompt_",
                                           "omp_",    "gomp_",   "state_",  "mpi "};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t length = strlen(prefixes[i]);
        size_t same = 0;
        while (same < length && lower(name[same]) == prefixes[i][same])
            same++;
        if (same == length)
            return name + length;
    }
    return name;
}

/* The lower case letters and digits of a name without its prefixes; false where there is more than
 * any name here. */
static bool plain(char *letters, const char *name)
{
    for (const char *rest = without_prefix(name); rest != name; rest = without_prefix(name))
        name = rest;
    size_t length = 0;
    for (; *name != '\0'; name++) {
        if (*name == '_' || *name == '-' || *name == ' ')
            continue;
        if (length == PLAIN_MOST - 1 || *name == '*')
            return false;
        letters[length++] = lower(*name);
    }
    letters[length] = '\0';
    return true;
}

bool oc_known_colour(uint32_t *colour, const char *name, uint32_t background)
{
    char letters[PLAIN_MOST];
    if (!plain(letters, name))
        return false;
    for (size_t i = 0; i < COLOUR_COUNT; i++) {
        if (oc_pattern_matches(colours[i].pattern, letters)) {
            const bool dark = oc_ink_on(background) == 0xFFFFFF;
            *colour = dark && colours[i].colour == IDLE ? idle_on_dark : colours[i].colour;
            return true;
        }
    }
    return false;
}
