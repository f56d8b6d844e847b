#include "importers/otf2/records.h"

#include <stdio.h>
#include <string.h>

#define OC_OTF2_KIND(name, fate)                    {#name, OCELOTL_FATE_##fate},
#define OC_OTF2_INSTANT(library, name, type, shape) {#name, OCELOTL_FATE_EVENT},
const otf2_kind_row otf2_kinds[] = {OC_OTF2_RECORDS(OC_OTF2_KIND, OC_OTF2_INSTANT)};

const otf2_type_row otf2_types[] = {
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
const char *const otf2_keys[] = {OC_OTF2_KEYS(OC_OTF2_KEY)};
#undef OC_OTF2_KEY

/* What numbers stand for, in their order. */
static const char *const lists[] = {
    [OC_OTF2_OPERATION_NAMES] =
        "BARRIER BCAST GATHER GATHERV SCATTER SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV "
        "ALLTOALLW ALLREDUCE REDUCE REDUCE_SCATTER SCAN EXSCAN REDUCE_SCATTER_BLOCK CREATE_HANDLE "
        "DESTROY_HANDLE ALLOCATE DEALLOCATE CREATE_HANDLE_AND_ALLOCATE "
        "DESTROY_HANDLE_AND_DEALLOCATE",
    [OC_OTF2_MODE_NAMES] = "READ WRITE FLUSH",
    [OC_OTF2_PARADIGM_NAMES] = "UNKNOWN USER COMPILER OPENMP MPI CUDA MEASUREMENT_SYSTEM PTHREAD "
                               "HMPP OMPSS HARDWARE GASPI UPC SHMEM WINTHREAD QTTHREAD ACETHREAD "
                               "TBBTHREAD OPENACC OPENCL MTAPI SAMPLING NONE HIP KOKKOS",
    [OC_OTF2_ROLE_NAMES] =
        "UNKNOWN FUNCTION WRAPPER LOOP CODE PARALLEL SECTIONS SECTION WORKSHARE SINGLE "
        "SINGLE_SBLOCK MASTER CRITICAL CRITICAL_SBLOCK ATOMIC BARRIER IMPLICIT_BARRIER FLUSH "
        "ORDERED ORDERED_SBLOCK TASK TASK_CREATE TASK_WAIT COLL_ONE2ALL COLL_ALL2ONE COLL_ALL2ALL "
        "COLL_OTHER FILE_IO POINT2POINT RMA DATA_TRANSFER ARTIFICIAL THREAD_CREATE THREAD_WAIT "
        "TASK_UNTIED ALLOCATE DEALLOCATE REALLOCATE FILE_IO_METADATA"};

const char *otf2_number_name(char name[OC_OTF2_LONGEST_NAME], otf2_numbers of, uint64_t number)
{
    const char *word = lists[of];
    for (const char *blank; number > 0; number--) {
        if ((blank = strchr(word, ' ')) == NULL)
            return "OTHER";
        word = blank + 1;
    }
    snprintf(name, OC_OTF2_LONGEST_NAME, "%.*s", (int)strcspn(word, " "), word);
    return name;
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
        return otf2_types[OC_OTF2_REGION].name;
    }
}
