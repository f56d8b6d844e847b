/* What OTF2 calls its records, and what its numbers stand for: names, event types, attributes. */
#ifndef OC_IMPORTERS_OTF2_KINDS_H
#define OC_IMPORTERS_OTF2_KINDS_H

#include <ocelotl/import.h>
#include <ocelotl/writer.h>

/* Kinds of records of events: the name of otf2-print, what becomes of them. */
#define OC_OTF2_KINDS(X)                       \
    X(ENTER, STATE)                            \
    X(LEAVE, STATE)                            \
    X(CALLING_CONTEXT_ENTER, STATE)            \
    X(CALLING_CONTEXT_LEAVE, STATE)            \
    X(CALLING_CONTEXT_SAMPLE, EVENT)           \
    X(MPI_SEND, LINK)                          \
    X(MPI_ISEND, LINK)                         \
    X(MPI_RECV, LINK)                          \
    X(MPI_IRECV, LINK)                         \
    X(MPI_ISEND_COMPLETE, EVENT)               \
    X(MPI_IRECV_REQUEST, EVENT)                \
    X(MPI_REQUEST_TEST, EVENT)                 \
    X(MPI_REQUEST_CANCELLED, EVENT)            \
    X(MPI_COLLECTIVE_BEGIN, STATE)             \
    X(MPI_COLLECTIVE_END, STATE)               \
    X(NON_BLOCKING_COLLECTIVE_REQUEST, EVENT)  \
    X(NON_BLOCKING_COLLECTIVE_COMPLETE, EVENT) \
    X(COMM_CREATE, EVENT)                      \
    X(COMM_DESTROY, EVENT)                     \
    X(RMA_PUT, LINK)                           \
    X(RMA_GET, LINK)                           \
    X(RMA_ATOMIC, LINK)                        \
    X(RMA_OP_COMPLETE_BLOCKING, LINK)          \
    X(RMA_OP_COMPLETE_NON_BLOCKING, LINK)      \
    X(RMA_OP_COMPLETE_REMOTE, LINK)            \
    X(RMA_OP_TEST, EVENT)                      \
    X(RMA_COLLECTIVE_BEGIN, STATE)             \
    X(RMA_COLLECTIVE_END, STATE)               \
    X(RMA_WIN_CREATE, EVENT)                   \
    X(RMA_WIN_DESTROY, EVENT)                  \
    X(RMA_GROUP_SYNC, EVENT)                   \
    X(RMA_REQUEST_LOCK, EVENT)                 \
    X(RMA_ACQUIRE_LOCK, EVENT)                 \
    X(RMA_TRY_LOCK, EVENT)                     \
    X(RMA_RELEASE_LOCK, EVENT)                 \
    X(RMA_SYNC, EVENT)                         \
    X(RMA_WAIT_CHANGE, EVENT)                  \
    X(METRIC, VARIABLE)                        \
    X(PARAMETER_STRING, EVENT)                 \
    X(PARAMETER_INT, EVENT)                    \
    X(PARAMETER_UNSIGNED_INT, EVENT)           \
    X(IO_OPERATION_BEGIN, STATE)               \
    X(IO_OPERATION_COMPLETE, STATE)            \
    X(IO_OPERATION_CANCELLED, STATE)           \
    X(IO_OPERATION_ISSUED, EVENT)              \
    X(IO_OPERATION_TEST, EVENT)                \
    X(IO_CREATE_HANDLE, EVENT)                 \
    X(IO_DESTROY_HANDLE, EVENT)                \
    X(IO_DUPLICATE_HANDLE, EVENT)              \
    X(IO_SEEK, EVENT)                          \
    X(IO_CHANGE_STATUS_FLAGS, EVENT)           \
    X(IO_DELETE_FILE, EVENT)                   \
    X(IO_ACQUIRE_LOCK, EVENT)                  \
    X(IO_RELEASE_LOCK, EVENT)                  \
    X(IO_TRY_LOCK, EVENT)                      \
    X(OMP_FORK, EVENT)                         \
    X(OMP_JOIN, EVENT)                         \
    X(OMP_ACQUIRE_LOCK, EVENT)                 \
    X(OMP_RELEASE_LOCK, EVENT)                 \
    X(OMP_TASK_CREATE, EVENT)                  \
    X(OMP_TASK_SWITCH, EVENT)                  \
    X(OMP_TASK_COMPLETE, EVENT)                \
    X(THREAD_FORK, EVENT)                      \
    X(THREAD_JOIN, EVENT)                      \
    X(THREAD_TEAM_BEGIN, EVENT)                \
    X(THREAD_TEAM_END, EVENT)                  \
    X(THREAD_ACQUIRE_LOCK, EVENT)              \
    X(THREAD_RELEASE_LOCK, EVENT)              \
    X(THREAD_TASK_CREATE, EVENT)               \
    X(THREAD_TASK_SWITCH, EVENT)               \
    X(THREAD_TASK_COMPLETE, EVENT)             \
    X(THREAD_CREATE, EVENT)                    \
    X(THREAD_WAIT, EVENT)                      \
    X(THREAD_BEGIN, EVENT)                     \
    X(THREAD_END, EVENT)                       \
    X(PROGRAM_BEGIN, EVENT)                    \
    X(PROGRAM_END, EVENT)                      \
    X(MEASUREMENT_ON_OFF, EVENT)               \
    X(BUFFER_FLUSH, EVENT)                     \
    X(UNKNOWN, LEFT_OUT)

#define OC_OTF2_KIND(name, fate) OC_OTF2_KIND_##name,
typedef enum otf2_kind { OC_OTF2_KINDS(OC_OTF2_KIND) OC_OTF2_KIND_COUNT } otf2_kind;
#undef OC_OTF2_KIND

const char *otf2_kind_name(otf2_kind kind);
ocelotl_fate otf2_kind_fate(otf2_kind kind);

/* Why records of a kind that can be out of place are left out. */
const char *otf2_kind_why(otf2_kind kind);

/* Event types of the trace. Those of metrics follow, in the order of the metrics. */
typedef enum otf2_type {
    OC_OTF2_REGION,
    OC_OTF2_COLLECTIVE,
    OC_OTF2_IO_OPERATION,
    OC_OTF2_MESSAGE,
    OC_OTF2_TRANSFER,
    OC_OTF2_REQUEST,
    OC_OTF2_NONBLOCKING,
    OC_OTF2_COMMUNICATOR,
    OC_OTF2_RMA,
    OC_OTF2_IO,
    OC_OTF2_PARAMETER,
    OC_OTF2_THREADS,
    OC_OTF2_LIFE,
    OC_OTF2_MEASUREMENT,
    OC_OTF2_SAMPLE,
    OC_OTF2_FIRST_METRIC
} otf2_type;

/* What states of regions are called by what their values are. */
const char *otf2_region_type_name(ocelotl_import_value by);
const char *otf2_type_name(otf2_type type);
ocelotl_category otf2_type_category(otf2_type type);

/* Attributes: those that OTF2 defines by its records. Those that an archive defines follow. */
#define OC_OTF2_KEYS(X)             \
    X(SIZE, "size")                 \
    X(TAG, "tag")                   \
    X(COMMUNICATOR, "communicator") \
    X(REQUEST, "request")           \
    X(ROOT, "root")                 \
    X(SENT, "sent")                 \
    X(RECEIVED, "received")         \
    X(SEQUENCE, "sequence")         \
    X(ROLE, "role")                 \
    X(WINDOW, "window")             \
    X(REMOTE, "remote")             \
    X(ID, "id")                     \
    X(LOCK, "lock")                 \
    X(ORDER, "order")               \
    X(MODE, "mode")                 \
    X(HANDLE, "handle")             \
    X(FILE, "file")                 \
    X(BYTES, "bytes")               \
    X(POSITION, "position")         \
    X(PARADIGM, "paradigm")         \
    X(THREADS, "threads")           \
    X(TEAM, "team")                 \
    X(TASK, "task")                 \
    X(CREATOR, "creator")           \
    X(PROGRAM, "program")           \
    X(ARGUMENTS, "arguments")       \
    X(STATUS, "status")             \
    X(UNTIL, "until")

#define OC_OTF2_KEY(name, text) OC_OTF2_KEY_##name,
typedef enum otf2_key { OC_OTF2_KEYS(OC_OTF2_KEY) OC_OTF2_KEY_COUNT } otf2_key;
#undef OC_OTF2_KEY

const char *otf2_key_name(otf2_key key);

/* What OTF2's numbers are called; "operation 77" where a number has no name. */
enum { OC_OTF2_OPERATIONS = 23, OC_OTF2_MODES = 3, OC_OTF2_TRANSFERS = 3 };
const char *otf2_operation_name(uint32_t operation);
const char *otf2_io_mode_name(uint32_t mode);
const char *otf2_paradigm_name(uint64_t paradigm);
const char *otf2_role_name(uint64_t role);

#endif
