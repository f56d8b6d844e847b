/* What OTF2 calls its records, and what its numbers stand for: names, event types, attributes. */
#ifndef OC_IMPORTERS_OTF2_RECORDS_H
#define OC_IMPORTERS_OTF2_RECORDS_H

#include <ocelotl/import.h>
#include <ocelotl/writer.h>

/* Kinds of records of events, as otf2-print calls them: KIND(name, what becomes of them), or
 * INSTANT(the library's name, name, event type, what it has and carries), see instants.c. */
#define OC_OTF2_RECORDS(KIND, INSTANT)                                                          \
    KIND(ENTER, STATE)                                                                          \
    KIND(LEAVE, STATE)                                                                          \
    KIND(CALLING_CONTEXT_ENTER, STATE)                                                          \
    KIND(CALLING_CONTEXT_LEAVE, STATE)                                                          \
    KIND(CALLING_CONTEXT_SAMPLE, EVENT)                                                         \
    KIND(MPI_SEND, LINK)                                                                        \
    KIND(MPI_ISEND, LINK)                                                                       \
    KIND(MPI_RECV, LINK)                                                                        \
    KIND(MPI_IRECV, LINK)                                                                       \
    INSTANT(MpiIsendComplete, MPI_ISEND_COMPLETE, REQUEST, OF_REQUEST)                          \
    INSTANT(MpiIrecvRequest, MPI_IRECV_REQUEST, REQUEST, OF_REQUEST)                            \
    INSTANT(MpiRequestTest, MPI_REQUEST_TEST, REQUEST, OF_REQUEST)                              \
    INSTANT(MpiRequestCancelled, MPI_REQUEST_CANCELLED, REQUEST, OF_REQUEST)                    \
    KIND(MPI_COLLECTIVE_BEGIN, STATE)                                                           \
    KIND(MPI_COLLECTIVE_END, STATE)                                                             \
    INSTANT(NonBlockingCollectiveRequest, NON_BLOCKING_COLLECTIVE_REQUEST, REQUEST, OF_REQUEST) \
    KIND(NON_BLOCKING_COLLECTIVE_COMPLETE, EVENT)                                               \
    INSTANT(CommCreate, COMM_CREATE, COMMUNICATOR, OF_COMMUNICATOR)                             \
    INSTANT(CommDestroy, COMM_DESTROY, COMMUNICATOR, OF_COMMUNICATOR)                           \
    KIND(RMA_PUT, LINK)                                                                         \
    KIND(RMA_GET, LINK)                                                                         \
    KIND(RMA_ATOMIC, LINK)                                                                      \
    KIND(RMA_OP_COMPLETE_BLOCKING, LINK)                                                        \
    KIND(RMA_OP_COMPLETE_NON_BLOCKING, LINK)                                                    \
    KIND(RMA_OP_COMPLETE_REMOTE, LINK)                                                          \
    INSTANT(RmaOpTest, RMA_OP_TEST, RMA, OF_WINDOW_AND_ID)                                      \
    KIND(RMA_COLLECTIVE_BEGIN, STATE)                                                           \
    KIND(RMA_COLLECTIVE_END, STATE)                                                             \
    INSTANT(RmaWinCreate, RMA_WIN_CREATE, RMA, OF_WINDOW)                                       \
    INSTANT(RmaWinDestroy, RMA_WIN_DESTROY, RMA, OF_WINDOW)                                     \
    INSTANT(RmaGroupSync, RMA_GROUP_SYNC, RMA, OF_GROUP)                                        \
    INSTANT(RmaRequestLock, RMA_REQUEST_LOCK, RMA, OF_REMOTE_LOCK)                              \
    INSTANT(RmaAcquireLock, RMA_ACQUIRE_LOCK, RMA, OF_REMOTE_LOCK)                              \
    INSTANT(RmaTryLock, RMA_TRY_LOCK, RMA, OF_REMOTE_LOCK)                                      \
    INSTANT(RmaReleaseLock, RMA_RELEASE_LOCK, RMA, OF_REMOTE)                                   \
    INSTANT(RmaSync, RMA_SYNC, RMA, OF_SYNC)                                                    \
    INSTANT(RmaWaitChange, RMA_WAIT_CHANGE, RMA, OF_WINDOW)                                     \
    KIND(METRIC, VARIABLE)                                                                      \
    INSTANT(ParameterString, PARAMETER_STRING, PARAMETER, OF_STRING)                            \
    INSTANT(ParameterInt, PARAMETER_INT, PARAMETER, OF_NUMBER)                                  \
    INSTANT(ParameterUnsignedInt, PARAMETER_UNSIGNED_INT, PARAMETER, OF_COUNT)                  \
    KIND(IO_OPERATION_BEGIN, STATE)                                                             \
    KIND(IO_OPERATION_COMPLETE, STATE)                                                          \
    KIND(IO_OPERATION_CANCELLED, STATE)                                                         \
    INSTANT(IoOperationIssued, IO_OPERATION_ISSUED, IO, OF_HANDLE_AND_ID)                       \
    INSTANT(IoOperationTest, IO_OPERATION_TEST, IO, OF_HANDLE_AND_ID)                           \
    INSTANT(IoCreateHandle, IO_CREATE_HANDLE, IO, OF_CREATION)                                  \
    INSTANT(IoDestroyHandle, IO_DESTROY_HANDLE, IO, OF_HANDLE)                                  \
    INSTANT(IoDuplicateHandle, IO_DUPLICATE_HANDLE, IO, OF_DUPLICATE)                           \
    INSTANT(IoSeek, IO_SEEK, IO, OF_SEEK)                                                       \
    INSTANT(IoChangeStatusFlags, IO_CHANGE_STATUS_FLAGS, IO, OF_FLAGS)                          \
    INSTANT(IoDeleteFile, IO_DELETE_FILE, IO, OF_FILE)                                          \
    INSTANT(IoAcquireLock, IO_ACQUIRE_LOCK, IO, OF_HANDLE_LOCK)                                 \
    INSTANT(IoReleaseLock, IO_RELEASE_LOCK, IO, OF_HANDLE_LOCK)                                 \
    INSTANT(IoTryLock, IO_TRY_LOCK, IO, OF_HANDLE_LOCK)                                         \
    INSTANT(OmpFork, OMP_FORK, THREADS, OF_THREADS)                                             \
    INSTANT(OmpJoin, OMP_JOIN, THREADS, OF_NOTHING)                                             \
    INSTANT(OmpAcquireLock, OMP_ACQUIRE_LOCK, THREADS, OF_LOCK)                                 \
    INSTANT(OmpReleaseLock, OMP_RELEASE_LOCK, THREADS, OF_LOCK)                                 \
    INSTANT(OmpTaskCreate, OMP_TASK_CREATE, THREADS, OF_TASK)                                   \
    INSTANT(OmpTaskSwitch, OMP_TASK_SWITCH, THREADS, OF_TASK)                                   \
    INSTANT(OmpTaskComplete, OMP_TASK_COMPLETE, THREADS, OF_TASK)                               \
    INSTANT(ThreadFork, THREAD_FORK, THREADS, OF_FORK)                                          \
    INSTANT(ThreadJoin, THREAD_JOIN, THREADS, OF_PARADIGM)                                      \
    INSTANT(ThreadTeamBegin, THREAD_TEAM_BEGIN, THREADS, OF_TEAM)                               \
    INSTANT(ThreadTeamEnd, THREAD_TEAM_END, THREADS, OF_TEAM)                                   \
    INSTANT(ThreadAcquireLock, THREAD_ACQUIRE_LOCK, THREADS, OF_THREAD_LOCK)                    \
    INSTANT(ThreadReleaseLock, THREAD_RELEASE_LOCK, THREADS, OF_THREAD_LOCK)                    \
    INSTANT(ThreadTaskCreate, THREAD_TASK_CREATE, THREADS, OF_THREAD_TASK)                      \
    INSTANT(ThreadTaskSwitch, THREAD_TASK_SWITCH, THREADS, OF_THREAD_TASK)                      \
    INSTANT(ThreadTaskComplete, THREAD_TASK_COMPLETE, THREADS, OF_THREAD_TASK)                  \
    INSTANT(ThreadCreate, THREAD_CREATE, THREADS, OF_SEQUENCE)                                  \
    INSTANT(ThreadWait, THREAD_WAIT, THREADS, OF_SEQUENCE)                                      \
    INSTANT(ThreadBegin, THREAD_BEGIN, LIFE, OF_SEQUENCE)                                       \
    INSTANT(ThreadEnd, THREAD_END, LIFE, OF_SEQUENCE)                                           \
    INSTANT(ProgramBegin, PROGRAM_BEGIN, LIFE, OF_PROGRAM)                                      \
    INSTANT(ProgramEnd, PROGRAM_END, LIFE, OF_PROGRAM_END)                                      \
    INSTANT(MeasurementOnOff, MEASUREMENT_ON_OFF, MEASUREMENT, OF_MODE)                         \
    INSTANT(BufferFlush, BUFFER_FLUSH, MEASUREMENT, OF_FLUSH)                                   \
    KIND(UNKNOWN, LEFT_OUT)

#define OC_OTF2_KIND(kind, fate)                 OC_OTF2_KIND_##kind,
#define OC_OTF2_INSTANT(name, kind, type, shape) OC_OTF2_KIND_##kind,
typedef enum otf2_kind {
    OC_OTF2_RECORDS(OC_OTF2_KIND, OC_OTF2_INSTANT) OC_OTF2_KIND_COUNT
} otf2_kind;
#undef OC_OTF2_KIND
#undef OC_OTF2_INSTANT

/* By kind: its name, and what becomes of its records. */
typedef struct otf2_kind_row {
    const char *name;
    ocelotl_fate fate;
} otf2_kind_row;
extern const otf2_kind_row otf2_kinds[OC_OTF2_KIND_COUNT];

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

typedef struct otf2_type_row {
    const char *name;
    ocelotl_category category;
} otf2_type_row;
extern const otf2_type_row otf2_types[OC_OTF2_FIRST_METRIC];

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

extern const char *const otf2_keys[OC_OTF2_KEY_COUNT];

/* What OTF2's numbers are called; "OTHER" where a number has no name. */
typedef enum otf2_numbers {
    OC_OTF2_OPERATION_NAMES, /* of collectives */
    OC_OTF2_MODE_NAMES,      /* of input and output */
    OC_OTF2_PARADIGM_NAMES,
    OC_OTF2_ROLE_NAMES /* of regions */
} otf2_numbers;
enum { OC_OTF2_OPERATIONS = 23, OC_OTF2_MODES = 3, OC_OTF2_LONGEST_NAME = 40 };
const char *otf2_number_name(char name[OC_OTF2_LONGEST_NAME], otf2_numbers of, uint64_t number);

#endif
