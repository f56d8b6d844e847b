/* The rectangles of an overview as bytes: what oc_blocks_draw draws, without the picture around. */
#include "viz/overview/views.h"

#include "base/file/sink.h"
#include "base/memory.h"
#include "base/options.h"
#include "viz/words/words.h"

#include <ocelotl/records.h>

#include <math.h>
#include <stdlib.h>

enum { NO_TYPE = 255, FULL = 255, ALL = 10000, PLOT_LEAST = 16, PLOT_MOST = 20000 };

/* --- The rectangles */

static unsigned flags_of(const oc_drawn_block *block)
{
    const size_t parts =
        block->parts < OCELOTL_RECORD_PARTS_MOST ? block->parts : OCELOTL_RECORD_PARTS_MOST;
    unsigned flags = (unsigned)parts << OCELOTL_RECORD_PARTS_SHIFT;
    if (block->parts > 1)
        flags |= OCELOTL_RECORD_MERGED;
    if (block->cut_in_time)
        flags |= OCELOTL_RECORD_CUT;
    if (block->top != block->node)
        flags |= OCELOTL_RECORD_SIBLINGS;
    return flags;
}

/* `rest` becomes what follows behind all rectangles: of its share, and its opacity. */
static void add_record(oc_text *bytes, uint8_t rest[2], const oc_overview *overview,
                       const oc_drawn_blocks *blocks, const oc_drawn_block *block)
{
    const ocelotl_part part = oc_block_as_part(blocks, overview, block);
    const oc_shade mode = oc_shading_of(&overview->shading, overview->input->model, &part);
    uint8_t share[2];
    const bool empty = mode.type == OCELOTL_NONE;
    oc_bytes_add_word(bytes, block->top, 4);
    oc_bytes_add_word(bytes, block->first, 2);
    oc_bytes_add_word(bytes, block->last, 2);
    oc_bytes_add_word(bytes, block->row_count, 4);
    oc_bytes_add_word(bytes, empty ? NO_TYPE : mode.type, 1);
    /* The share of the type in hundredths of a percent, in two bytes. What is less than all and
     * rounds to it is 99 percents and a hundred hundredths. */
    const double of = empty ? 0 : mode.share;
    const unsigned hundredths = oc_share_hundredths(of);
    const bool nearly = hundredths == ALL && of < 1;
    share[0] = (uint8_t)(nearly ? 99 : hundredths / 100);
    share[1] = (uint8_t)(nearly ? 100 : hundredths % 100);
    oc_bytes_add_word(bytes, share[0], 1);
    oc_bytes_add_word(bytes, flags_of(block), 2);
    rest[0] = share[1];
    rest[1] = (uint8_t)lround((empty ? 0 : mode.opacity) * FULL);
}

static void add_header(oc_text *bytes, const oc_overview *overview, const oc_drawn_blocks *blocks,
                       const double range[2])
{
    const oc_visible *visible = &overview->visible;
    const ocelotl_partition_info *info = &overview->input->partition;
    oc_bytes_add_word(bytes, visible->slice_first, 2);
    oc_bytes_add_word(bytes, visible->slice_count, 2);
    oc_bytes_add_word(bytes, info->part_count, 4);
    oc_bytes_add_word(bytes, blocks->count, 4);
    oc_bytes_add_word(bytes, blocks->aggregated, 4);
    oc_bytes_add_double(bytes, info->p);
    oc_bytes_add_double(bytes, range[0]);
    oc_bytes_add_double(bytes, range[1]);
    oc_bytes_add_double(bytes, info->gain);
    oc_bytes_add_double(bytes, info->loss);
    oc_bytes_add_word(bytes, visible->row_first, 4);
    oc_bytes_add_word(bytes, visible->row_count, 4);
}

static ocelotl_status write_blocks(const ocelotl_sink *sink, const oc_overview *overview,
                                   const oc_drawn_blocks *blocks, const double range[2])
{
    oc_text bytes = {0};
    uint8_t(*rests)[2] = NULL;
    OC_TRY(oc_allocate(&rests, blocks->count, sizeof *rests));
    add_header(&bytes, overview, blocks, range);
    for (size_t i = 0; i < blocks->count; i++)
        add_record(&bytes, rests[i], overview, blocks, &blocks->blocks[i]);
    for (size_t i = 0; i < blocks->count; i++)
        oc_bytes_add_word(&bytes, blocks->blocks[i].part, 4);
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < blocks->count; i++)
            oc_bytes_add_word(&bytes, rests[i][which], 1);
    free(rests);
    oc_text shades = {0};
    oc_text_add(&shades, "");
    if (overview->input->view->shades)
        oc_overview_add_shades(&shades, overview);
    oc_bytes_add_word(&bytes, shades.length, 2);
    oc_text_append(&bytes, shades.bytes, shades.length);
    bytes.failed = bytes.failed || shades.failed;
    oc_text_free(&shades);
    for (size_t i = 0; i < blocks->count && overview->picture->texture; i++)
        oc_bytes_add_word(
            &bytes, (uint64_t)lround(oc_block_density(blocks, overview, &blocks->blocks[i]) * FULL),
            1);
    const ocelotl_status status =
        bytes.failed ? oc_fail_memory() : oc_sink_write(sink, bytes.bytes, bytes.length);
    oc_text_free(&bytes);
    return status;
}

/* --- The plot they are drawn in */

static ocelotl_status write_plot(const ocelotl_sink *sink, oc_overview *overview,
                                 oc_picture *picture, const double range[2])
{
    oc_drawn_blocks blocks = {0};
    if (overview->model.slice_count > UINT16_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%u slices are too many to be drawn by a page, expected "
                       "at most %u",
                       overview->model.slice_count, (unsigned)UINT16_MAX);
    if (overview->model.type_count > NO_TYPE)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%u types are too many to be drawn by a page, expected at most %d",
                       overview->model.type_count, NO_TYPE);
    OC_TRY(oc_overview_find_modes(overview));
    OC_TRY(oc_overview_find_rows(overview));
    overview->frame = (oc_frame){0, 0, (int)picture->width, (int)picture->height};
    /* Finds the blocks, coarser until they are few enough; a plot of one strip has at most a
     * rectangle a pixel. */
    OC_TRY(oc_blocks_find(&blocks, overview));
    while (blocks.count > OCELOTL_RECORDS_MOST && picture->smallest <= picture->height) {
        oc_blocks_free(&blocks);
        picture->smallest *= 2;
        OC_TRY(oc_blocks_find(&blocks, overview));
    }
    const ocelotl_status status = write_blocks(sink, overview, &blocks, range);
    oc_blocks_free(&blocks);
    return status;
}

/* The size is that of the plot, which may be smaller than any picture. */
static ocelotl_status read_picture(oc_picture *picture, const ocelotl_picture_options *options)
{
    ocelotl_picture_options read = *options;
    read.width = 0;
    read.height = 0;
    OC_TRY(oc_picture_read(picture, &(oc_target){0}, &read));
    picture->width = round(options->width);
    picture->height = round(options->height);
    if (picture->width >= PLOT_LEAST && picture->width <= PLOT_MOST &&
        picture->height >= PLOT_LEAST && picture->height <= PLOT_MOST)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "a plot is %g x %g pixels, expected %d to %d each",
                   options->width, options->height, PLOT_LEAST, PLOT_MOST);
}

ocelotl_status ocelotl_records_write(const ocelotl_sink *sink, const ocelotl_partition *partition,
                                     double p_from, double p_to,
                                     const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const double range[2] = {p_from, p_to};
    oc_overview_input input = {.view = &oc_view_mode};
    oc_picture picture = {0};
    ocelotl_part *parts = NULL;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(oc_expansion_check_kind(ocelotl_partition_info_of(partition).kind, &options));
    ocelotl_status status = read_picture(&picture, &options);
    if (status == OCELOTL_OK)
        status = oc_overview_gather(&input, &parts, partition);
    if (status == OCELOTL_OK)
        status = oc_expansion_find(&input.visible, &input.expanded, input.model, &options);
    if (status == OCELOTL_OK) {
        oc_overview overview = oc_overview_of(&input, &picture);
        status = write_plot(sink, &overview, &picture, range);
        oc_overview_free(&overview);
    }
    free(parts);
    oc_picture_free(&picture);
    return status;
}
