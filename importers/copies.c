/* Files of a folder with the same content: a trace, and beside it the same compressed. */
#include "importers/contents.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 16 };

/* Two files that are read side by side, decompressed. */
typedef struct pair {
    oc_source sources[2];
    char *parts[2];
    size_t lengths[2];
} pair;

static ocelotl_status open_file(pair *of, size_t which, const oc_source *folder, const char *path,
                                const ocelotl_import_options *options)
{
    char *whole = oc_source_path(folder, path);
    ocelotl_status status = whole != NULL
                                ? oc_source_open_unseen(&of->sources[which], whole, options)
                                : oc_fail_memory();
    free(whole);
    return status == OCELOTL_OK ? oc_allocate(&of->parts[which], PART, 1) : status;
}

/* Reads the next part, which is full but at the end. */
static ocelotl_status read_part(pair *of, size_t which)
{
    size_t step = 1;
    size_t *length = &of->lengths[which];
    for (*length = 0; *length < PART && step > 0; *length += step)
        OC_TRY(oc_input_read(of->sources[which].input, of->parts[which] + *length, PART - *length,
                             &step));
    return OCELOTL_OK;
}

/* Compares up to the first difference. Of data that is cut off, what is left of it counts. */
static ocelotl_status compare(bool *same, pair *of, const ocelotl_work *work)
{
    const size_t *lengths = of->lengths;
    do {
        for (size_t i = 0; i < 2; i++)
            OC_TRY(read_part(of, i));
        const size_t least = lengths[lengths[1] < lengths[0]];
        const bool is_cut = oc_input_loss(of->sources[lengths[1] < lengths[0]].input) != NULL;
        *same =
            (lengths[0] == lengths[1] || is_cut) && memcmp(of->parts[0], of->parts[1], least) == 0;
        if (work->progress != NULL && !work->progress(work->context, 0, 0))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled",
                           of->sources[0].path);
    } while (*same && lengths[0] == PART && lengths[1] == PART);
    return OCELOTL_OK;
}

static ocelotl_status are_same(bool *same, const oc_source *folder, const char *one,
                               const char *other, const ocelotl_import_options *options)
{
    pair of = {0};
    ocelotl_status status = open_file(&of, 0, folder, one, options);
    if (status == OCELOTL_OK)
        status = open_file(&of, 1, folder, other, options);
    if (status == OCELOTL_OK)
        status = compare(same, &of, &options->work);
    for (size_t i = 0; i < 2; i++) {
        oc_source_close(&of.sources[i]);
        free(of.parts[i]);
    }
    return status;
}

/* Compares an item with the first of its name, and says what becomes of it. */
static ocelotl_status judge(oc_contents *contents, oc_content *item, const oc_content *first,
                            oc_notices *left, const oc_source *folder,
                            const ocelotl_import_options *options)
{
    bool same = false;
    oc_text names = {0};
    OC_TRY(are_same(&same, folder, first->path, item->path, options));
    if (same) {
        item->kind = OC_CONTENT_COPY;
        contents->taken_count--;
    }
    oc_text_format(&names, "first: %s, as %s", item->path, first->path);
    const ocelotl_status status =
        names.failed
            ? oc_fail_memory()
            : oc_notices_add(left,
                             same ? "file of the folder with the content of another, which is "
                                    "compressed otherwise (read once)"
                                  : "file of the folder named as another, which is compressed "
                                    "otherwise and has other content (both are read)",
                             names.bytes);
    oc_text_free(&names);
    return status;
}

ocelotl_status oc_contents_drop_copies(oc_contents *contents, oc_notices *left,
                                       const oc_source *folder,
                                       const ocelotl_import_options *options)
{
    oc_map first_of = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < contents->count && status == OCELOTL_OK; i++) {
        oc_content *item = &contents->items[i];
        if (!oc_contents_takes(contents, item) || item->importer->unit != OC_UNIT_FILE)
            continue;
        const size_t length = oc_source_bare_length(item->path);
        const uint32_t first = oc_map_get(&first_of, item->path, length);
        status = first == OC_MAP_NONE
                     ? oc_map_set(&first_of, item->path, length, (uint32_t)i)
                     : judge(contents, item, &contents->items[first], left, folder, options);
    }
    oc_map_free(&first_of);
    return status;
}
