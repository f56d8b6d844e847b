#define _GNU_SOURCE
#include "importers/ingest/align.h"

#include "base/format/date.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>

__extension__ typedef __int128 wide;

static const int64_t nanoseconds = 1000000000;

void oc_align_widen(oc_aligned *file, const oc_timelines *timelines, uint32_t row)
{
    int64_t begin;
    int64_t end;
    if (!oc_timelines_bounds(&begin, &end, timelines, row))
        return;
    file->begin = !file->has_bounds || begin < file->begin ? begin : file->begin;
    file->end = !file->has_bounds || end > file->end ? end : file->end;
    file->has_bounds = true;
}

static ocelotl_status choose(ocelotl_align *how, const oc_aligned *files, size_t count)
{
    const oc_aligned *without = NULL;
    for (size_t i = 0; i < count && without == NULL; i++)
        without = files[i].has_clock ? NULL : &files[i];
    if (*how == OCELOTL_ALIGN_CLOCK && without != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: does not say when it was recorded, expected a clock in each file that "
                       "is aligned by it",
                       without->path);
    if (*how == OCELOTL_ALIGN_AUTO)
        *how = without == NULL ? OCELOTL_ALIGN_CLOCK : OCELOTL_ALIGN_NONE;
    return OCELOTL_OK;
}

/* Rounds to the nearest tick. */
static wide ticks_of(wide difference, int64_t ticks_per_second)
{
    const wide scaled = difference * ticks_per_second;
    return (scaled + (scaled < 0 ? -nanoseconds / 2 : nanoseconds / 2)) / nanoseconds;
}

static ocelotl_status find_shift(oc_aligned *file, const oc_aligned *first, ocelotl_align how,
                                 int64_t ticks_per_second)
{
    wide shift = 0;
    if (how == OCELOTL_ALIGN_CLOCK)
        shift = ticks_of((wide)file->origin - first->origin, ticks_per_second);
    else if (how == OCELOTL_ALIGN_BEGIN && file->has_bounds && first->has_bounds)
        shift = (wide)first->begin - file->begin;
    file->shift = (int64_t)shift;
    const wide begin = shift + file->begin;
    const wide end = shift + file->end;
    if (shift != file->shift || begin != (int64_t)begin || end != (int64_t)end)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: is too far from %s, expected times that fit one trace", file->path,
                       first->path);
    return OCELOTL_OK;
}

static ocelotl_status tell_origin(ocelotl_writer *writer, int64_t origin)
{
    char text[OC_DATE_SIZE];
    if (oc_date_write_part(text, origin) == NULL)
        return OCELOTL_OK;
    return ocelotl_writer_origin(writer, text);
}

ocelotl_status oc_align(ocelotl_align *how, oc_aligned *files, size_t count,
                        int64_t ticks_per_second, ocelotl_writer *writer)
{
    OC_TRY(choose(how, files, count));
    for (size_t i = 0; i < count; i++)
        OC_TRY(find_shift(&files[i], &files[0], *how, ticks_per_second));
    return writer != NULL && count > 0 && files[0].has_clock ? tell_origin(writer, files[0].origin)
                                                             : OCELOTL_OK;
}

ocelotl_status oc_align_tell(ocelotl_writer *writer, const char *file, ocelotl_align how,
                             int64_t shift, double ticks_per_second)
{
    char text[96];
    static const char *const ways[] = {"not aligned", "not aligned", "by its begin",
                                       "by its clock"};
    oc_plain_print(text, sizeof text, "%s, %+.9f s", ways[how], (double)shift / ticks_per_second);
    return ocelotl_writer_aligned(writer, file, text);
}

void oc_beginnings_next(oc_beginnings *files)
{
    files->file_has_first = false;
    files->shift = 0;
}

bool oc_beginnings_shift(int64_t *time, oc_beginnings *files)
{
    if (files->how != OCELOTL_ALIGN_BEGIN)
        return true;
    if (!files->has_first)
        files->first = *time;
    if (!files->file_has_first && __builtin_sub_overflow(files->first, *time, &files->shift))
        return false;
    files->has_first = files->file_has_first = true;
    return !__builtin_add_overflow(*time, files->shift, time);
}
