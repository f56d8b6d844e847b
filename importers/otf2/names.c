#include "importers/otf2/records.h"

#include <stddef.h>

#define OC_OTF2_KIND(name, fate)                    {#name, OCELOTL_FATE_##fate},
#define OC_OTF2_INSTANT(library, name, type, shape) {#name, OCELOTL_FATE_EVENT},
static const struct {
    const char *name;
    ocelotl_fate fate;
} kinds[] = {OC_OTF2_RECORDS(OC_OTF2_KIND, OC_OTF2_INSTANT)};

static const struct {
    const char *name;
    ocelotl_category category;
} types[OC_OTF2_FIRST_METRIC] = {
    [OC_OTF2_REGION] = {"Region", OCELOTL_STATE},
    [OC_OTF2_COLLECTIVE] = {"Collective", OCELOTL_STATE},
    [OC_OTF2_IO_OPERATION] = {"I/O operation", OCELOTL_STATE},
    [OC_OTF2_MESSAGE] = {"Message", OCELOTL_LINK},
    [OC_OTF2_TRANSFER] = {"RMA transfer", OCELOTL_LINK},
    [OC_OTF2_REQUEST] = {"MPI request", OCELOTL_EVENT},
    [OC_OTF2_NONBLOCKING] = {"Nonblocking collective", OCELOTL_EVENT},
    [OC_OTF2_COMMUNICATOR] = {"Communicator", OCELOTL_EVENT},
    [OC_OTF2_RMA] = {"RMA", OCELOTL_EVENT},
    [OC_OTF2_IO] = {"I/O", OCELOTL_EVENT},
    [OC_OTF2_PARAMETER] = {"Parameter", OCELOTL_EVENT},
    [OC_OTF2_THREADS] = {"Threads", OCELOTL_EVENT},
    [OC_OTF2_LIFE] = {"Life", OCELOTL_EVENT},
    [OC_OTF2_MEASUREMENT] = {"Measurement", OCELOTL_EVENT},
    [OC_OTF2_SAMPLE] = {"Sample", OCELOTL_EVENT},
};

#define OC_OTF2_KEY(name, text) text,
static const char *const keys[] = {OC_OTF2_KEYS(OC_OTF2_KEY)};
#undef OC_OTF2_KEY

static const char *const operations[OC_OTF2_OPERATIONS] = {
    "BARRIER",
    "BCAST",
    "GATHER",
    "GATHERV",
    "SCATTER",
    "SCATTERV",
    "ALLGATHER",
    "ALLGATHERV",
    "ALLTOALL",
    "ALLTOALLV",
    "ALLTOALLW",
    "ALLREDUCE",
    "REDUCE",
    "REDUCE_SCATTER",
    "SCAN",
    "EXSCAN",
    "REDUCE_SCATTER_BLOCK",
    "CREATE_HANDLE",
    "DESTROY_HANDLE",
    "ALLOCATE",
    "DEALLOCATE",
    "CREATE_HANDLE_AND_ALLOCATE",
    "DESTROY_HANDLE_AND_DEALLOCATE",
};

static const char *const paradigms[] = {
    "UNKNOWN",   "USER",     "COMPILER",  "OPENMP",    "MPI",     "CUDA",   "MEASUREMENT_SYSTEM",
    "PTHREAD",   "HMPP",     "OMPSS",     "HARDWARE",  "GASPI",   "UPC",    "SHMEM",
    "WINTHREAD", "QTTHREAD", "ACETHREAD", "TBBTHREAD", "OPENACC", "OPENCL", "MTAPI",
    "SAMPLING",  "NONE",     "HIP",       "KOKKOS",
};

static const char *const roles[] = {
    "UNKNOWN",
    "FUNCTION",
    "WRAPPER",
    "LOOP",
    "CODE",
    "PARALLEL",
    "SECTIONS",
    "SECTION",
    "WORKSHARE",
    "SINGLE",
    "SINGLE_SBLOCK",
    "MASTER",
    "CRITICAL",
    "CRITICAL_SBLOCK",
    "ATOMIC",
    "BARRIER",
    "IMPLICIT_BARRIER",
    "FLUSH",
    "ORDERED",
    "ORDERED_SBLOCK",
    "TASK",
    "TASK_CREATE",
    "TASK_WAIT",
    "COLL_ONE2ALL",
    "COLL_ALL2ONE",
    "COLL_ALL2ALL",
    "COLL_OTHER",
    "FILE_IO",
    "POINT2POINT",
    "RMA",
    "DATA_TRANSFER",
    "ARTIFICIAL",
    "THREAD_CREATE",
    "THREAD_WAIT",
    "TASK_UNTIED",
    "ALLOCATE",
    "DEALLOCATE",
    "REALLOCATE",
    "FILE_IO_METADATA",
};

static const char *const io_modes[OC_OTF2_MODES] = {"READ", "WRITE", "FLUSH"};

const char *otf2_kind_name(otf2_kind kind)
{
    return kinds[kind].name;
}

ocelotl_fate otf2_kind_fate(otf2_kind kind)
{
    return kinds[kind].fate;
}

const char *otf2_kind_why(otf2_kind kind)
{
    switch (kind) {
    case OC_OTF2_KIND_LEAVE:
    case OC_OTF2_KIND_CALLING_CONTEXT_LEAVE:
        return "its region is not open";
    case OC_OTF2_KIND_METRIC:
        return "its class is undefined, or a value is not finite";
    case OC_OTF2_KIND_MPI_COLLECTIVE_BEGIN:
    case OC_OTF2_KIND_RMA_COLLECTIVE_BEGIN:
        return "no end follows";
    case OC_OTF2_KIND_RMA_OP_COMPLETE_BLOCKING:
    case OC_OTF2_KIND_RMA_OP_COMPLETE_NON_BLOCKING:
    case OC_OTF2_KIND_RMA_OP_COMPLETE_REMOTE:
    case OC_OTF2_KIND_IO_OPERATION_COMPLETE:
    case OC_OTF2_KIND_IO_OPERATION_CANCELLED:
        return "no operation of its id is under way";
    default:
        return "unknown to the version of the OTF2 library";
    }
}

const char *otf2_type_name(otf2_type type)
{
    return types[type].name;
}

ocelotl_category otf2_type_category(otf2_type type)
{
    return types[type].category;
}

const char *otf2_region_type_name(ocelotl_import_value by)
{
    switch (by) {
    case OCELOTL_VALUE_PARADIGM:
        return "Paradigm";
    case OCELOTL_VALUE_ROLE:
        return "Role";
    case OCELOTL_VALUE_CALLPATH:
        return "Call path";
    default:
        return types[OC_OTF2_REGION].name;
    }
}

const char *otf2_key_name(otf2_key key)
{
    return keys[key];
}

const char *otf2_operation_name(uint32_t operation)
{
    return operation < OC_OTF2_OPERATIONS ? operations[operation] : "OTHER";
}

const char *otf2_io_mode_name(uint32_t mode)
{
    return mode < OC_OTF2_MODES ? io_modes[mode] : "OTHER";
}

const char *otf2_paradigm_name(uint64_t paradigm)
{
    return paradigm < sizeof paradigms / sizeof paradigms[0] ? paradigms[paradigm] : "OTHER";
}

const char *otf2_role_name(uint64_t role)
{
    return role < sizeof roles / sizeof roles[0] ? roles[role] : "OTHER";
}
