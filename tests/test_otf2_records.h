/* A small OTF2 archive with most kinds of records. */
#ifndef OC_TESTS_OTF2_RECORDS_H
#define OC_TESTS_OTF2_RECORDS_H

#include "test_otf2_archive.h"

static inline void made_write_first(OTF2_EvtWriter *to)
{
    const OTF2_StringRef arguments[] = {19};
    OTF2_AttributeList *list = OTF2_AttributeList_New();
    OTF2_MetricValue values[2] = {{.unsigned_int = 40}, {.floating_point = 2500}};
    const OTF2_Type types[2] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
    OTF2_EvtWriter_ProgramBegin(to, NULL, 1000, 18, 1, arguments);
    OTF2_AttributeList_AddStringRef(list, 0, 13);
    OTF2_EvtWriter_Enter(to, list, 1010, 0);
    OTF2_EvtWriter_ParameterInt(to, NULL, 1011, 0, -4);
    OTF2_EvtWriter_Metric(to, NULL, 1012, 0, 2, types, values);
    OTF2_EvtWriter_Enter(to, NULL, 1020, 1);
    OTF2_EvtWriter_MpiIsend(to, NULL, 1021, 1, 0, 9, 4096, 77);
    OTF2_EvtWriter_Leave(to, NULL, 1030, 1);
    OTF2_EvtWriter_MpiIsendComplete(to, NULL, 1031, 77);
    OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, 1040);
    OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, 1050, OTF2_COLLECTIVE_OP_BCAST, 0, 1, 8, 0);
    OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, 1051);
    OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, 1052, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    OTF2_EvtWriter_RmaPut(to, NULL, 1060, 0, 1, 512, 5);
    OTF2_EvtWriter_RmaGet(to, NULL, 1061, 0, 1, 256, 6);
    OTF2_EvtWriter_RmaOpCompleteNonBlocking(to, NULL, 1065, 0, 6);
    OTF2_EvtWriter_RmaOpCompleteBlocking(to, NULL, 1066, 0, 5);
    OTF2_EvtWriter_IoOperationBegin(to, NULL, 1070, 0, OTF2_IO_OPERATION_MODE_WRITE,
                                    OTF2_IO_OPERATION_FLAG_NONE, 100, 1);
    OTF2_EvtWriter_IoOperationBegin(to, NULL, 1072, 0, OTF2_IO_OPERATION_MODE_READ,
                                    OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 10, 2);
    OTF2_EvtWriter_IoOperationComplete(to, NULL, 1075, 0, 90, 1);
    OTF2_EvtWriter_IoOperationComplete(to, NULL, 1079, 0, 10, 2);
    OTF2_EvtWriter_IoOperationComplete(to, NULL, 1080, 0, 10, 3);
    OTF2_EvtWriter_MpiSend(to, NULL, 1090, 1, 0, 10, 1);
    OTF2_EvtWriter_MpiSend(to, NULL, 1091, 7, 0, 10, 1);
    OTF2_EvtWriter_MpiSend(to, NULL, 1092, 0, 12, 10, 1);
    OTF2_EvtWriter_ThreadFork(to, NULL, 1093, OTF2_PARADIGM_OPENMP, 2);
    OTF2_EvtWriter_Leave(to, NULL, 1100, 0);
    OTF2_EvtWriter_ProgramEnd(to, NULL, 1110, 3);
    OTF2_AttributeList_Delete(list);
}

/* The first message arrives, by its clock, before it is sent; another has no send. */
static inline void made_write_second(OTF2_EvtWriter *to)
{
    OTF2_EvtWriter_Enter(to, NULL, 1005, 4000000000u);
    OTF2_EvtWriter_MpiRecv(to, NULL, 1015, 0, 0, 9, 4096);
    OTF2_EvtWriter_Enter(to, NULL, 1020, 2);
    OTF2_EvtWriter_MpiRecv(to, NULL, 1095, 0, 0, 10, 1);
    OTF2_EvtWriter_Leave(to, NULL, 1096, 4000000000u);
    OTF2_EvtWriter_MpiRecv(to, NULL, 1097, 0, 0, 11, 1);
    OTF2_EvtWriter_Leave(to, NULL, 1098, 2);
    OTF2_EvtWriter_Leave(to, NULL, 1099, 2);
    OTF2_EvtWriter_Enter(to, NULL, 1100, 99);
}

static inline void made_write_third(OTF2_EvtWriter *to)
{
    const OTF2_Type types[2] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
    for (uint64_t i = 0; i < 3; i++) {
        OTF2_MetricValue values[2] = {{.unsigned_int = i}, {.floating_point = 1000.0 * (double)i}};
        OTF2_EvtWriter_Metric(to, NULL, 1000 + 10 * i, 1, 2, types, values);
        if (i == 2)
            OTF2_EvtWriter_Metric(to, NULL, 1000 + 10 * i, 8, 2, types, values);
    }
}

static inline void made_write(made *of, const char *name)
{
    made_open(of, name);
    made_write_first(of->events[0]);
    made_write_second(of->events[1]);
    made_write_third(of->events[2]);
    made_close(of, true);
}

#endif
