#define _GNU_SOURCE
#include "importers/unread.h"

#include "importers/table_header.h"

#include <string.h>

static bool begins(const oc_head *head, const char *magic, size_t size)
{
    return head->length >= size && memcmp(head->bytes, magic, size) == 0;
}

static bool contains(const oc_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}

static bool is_paraver(const oc_head *head)
{
    return begins(head, "#Paraver", 8);
}

static bool is_paraver_names(const oc_head *head)
{
    return begins(head, "DEFAULT_OPTIONS", 15);
}

static bool is_otf2_anchor(const oc_head *head)
{
    return begins(head,
                  "\x03"
                  "BOTF2",
                  6);
}

static bool is_otf2(const oc_head *head)
{
    return begins(head,
                  "\x03"
                  "B\x01\x00",
                  4);
}

static bool is_otf(const oc_head *head)
{
    return begins(head, "OTF", 3);
}

/* As text, or in packets of either order of bytes. */
static bool is_ctf_metadata(const oc_head *head)
{
    return begins(head, "/* CTF", 6) || begins(head, "\x57\x1D\xD1\x75", 4) ||
           begins(head, "\x75\xD1\x1D\x57", 4);
}

static bool is_ctf(const oc_head *head)
{
    return begins(head, "\xC1\x1F\xFC\xC1", 4) || begins(head, "\xC1\xFC\x1F\xC1", 4);
}

static bool is_zip(const oc_head *head)
{
    return begins(head, "PK\x03\x04", 4) || begins(head, "PK\x05\x06", 4);
}

static bool is_7z(const oc_head *head)
{
    return begins(head, "7z\xBC\xAF\x27\x1C", 6);
}

static bool is_tar(const oc_head *head)
{
    return head->length >= 262 && memcmp(head->bytes + 257, "ustar", 5) == 0;
}

static bool is_perf(const oc_head *head)
{
    return begins(head, "PERFILE", 7);
}

/* With its header, as perf writes it by default. */
static bool is_perf_script(const oc_head *head)
{
    return begins(head, "# ========\n# captured on", 24);
}

static bool is_hdf5(const oc_head *head)
{
    return begins(head, "\x89HDF\r\n\x1A\n", 8);
}

static bool is_pj_dump(const oc_head *head)
{
    return begins(head, "Container, ", 11) || begins(head, "State, ", 7) ||
           begins(head, "Nature, ", 8);
}

/* "0:00:00.000205289 20374 0x5620772f2c00 INFO .." */
static bool is_gstreamer(const oc_head *head)
{
    static const char shape[] = "0:00:00.000000000 ";
    bool fits = head->length >= sizeof shape - 1;
    for (size_t i = 0; fits && i < sizeof shape - 1; i++)
        fits = shape[i] == '0' ? head->bytes[i] >= '0' && head->bytes[i] <= '9'
                               : head->bytes[i] == shape[i];
    return fits;
}

static bool is_json(const oc_head *head)
{
    size_t i = 0;
    while (i < head->length && memchr(" \t\r\n", head->bytes[i], 4) != NULL)
        i++;
    return i < head->length && (head->bytes[i] == '{' || head->bytes[i] == '[') &&
           memchr(head->bytes, '"', head->length) != NULL;
}

static bool is_trace_events(const oc_head *head)
{
    return is_json(head) && (contains(head, "\"traceEvents\"") || contains(head, "\"ph\""));
}

/* Of two that recognise a file the first counts. */
static const struct {
    bool (*recognises)(const oc_head *head);
    const char *name;
    const char *advice; /* what to give instead, NULL: only what every format can do */
} formats[] = {
    {is_paraver, "a Paraver trace (.prv)", NULL},
    {is_paraver_names, "the names of a Paraver trace (.pcf)", NULL},
    {is_otf2_anchor, "the anchor of an OTF2 trace (.otf2)", NULL},
    {is_otf2, "a part of an OTF2 trace", NULL},
    {is_otf, "an OTF trace", NULL},
    {is_ctf_metadata, "the metadata of a CTF trace", NULL},
    {is_ctf, "a stream of a CTF trace", NULL},
    {is_trace_events, "a trace in the JSON of Chrome and Perfetto", NULL},
    {is_json, "JSON", NULL},
    {is_perf, "a recording of perf", NULL},
    {is_perf_script, "what perf script prints", NULL},
    {is_hdf5, "an HDF5 file", NULL},
    {is_gstreamer, "a log of GStreamer", NULL},
    {is_pj_dump, "what pj_dump prints", "the trace that it was made from"},
    {is_zip, "a zip archive", "the trace in it: unzip -p FILE | ocelotl-cli -"},
    {is_7z, "a 7z archive", "the trace in it"},
    {is_tar, "a tar archive", "the trace in it: tar -xOf FILE NAME | ocelotl-cli -"},
};

/* What cannot be recognised because most of it is lost is not of an unknown format. */
ocelotl_status oc_fail_unread(const char *path, const oc_head *head)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].recognises(head))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: is %s, which cannot be read, expected %s",
                           path, formats[i].name,
                           formats[i].advice != NULL
                               ? formats[i].advice
                               : "one of the formats listed by `ocelotl-cli formats`");
    if (head->loss != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; too little is left of it to be a trace", path,
                       head->loss);
    OC_TRY(oc_check_header(path, head->bytes, head->length));
    return oc_fail(
        OCELOTL_ERROR_INPUT,
        "%s: is of no format that is known, expected one of those listed by `ocelotl-cli formats`",
        path);
}
