/* Notes in an overview: a frame with a number at each place, and a list of their texts. */
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

/* Distances in pixels. */
enum {
    LINE = 16,
    BASELINE = 11,
    ABOVE_LIST = 6,
    LINES_MOST = 12,
    BADGE = 14,
    BADGE_BASELINE = 11,
    BADGE_INSET = 4,
    FRAMES_MOST = 99 /* more would hide what they are about */
};

/* Where a note is, in slices and rows of the model; both ranges are half-open. */
typedef struct place {
    double first, end;
    uint32_t row, end_row;
} place;

/* Finds the rows of a node by its path; false: there is none. */
static bool find_rows(place *found, const oc_overview *overview, const char *path)
{
    const ocelotl_model *model = overview->input->model;
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(model, i);
        if (path[0] != '\0' && (node.alike || strcmp(node.path, path) != 0))
            continue;
        found->row = path[0] != '\0' ? node.row_first : 0;
        found->end_row = path[0] != '\0' ? node.row_first + node.row_count : UINT32_MAX;
        return true;
    }
    return false;
}

/* Finds what is seen of a note; false: nothing is. */
static bool find_place(place *found, const oc_overview *overview, const ocelotl_picture_note *note)
{
    const ocelotl_model_info *model = &overview->model;
    const oc_visible *visible = &overview->visible;
    const double first = visible->slice_first;
    const double end = first + visible->slice_count;
    const uint32_t end_row = visible->row_first + visible->row_count;
    const bool timed = model->has_time && model->begin < model->end;
    if (!find_rows(found, overview, note->node))
        return false;
    found->first = timed ? fmax(first, ocelotl_slice_at(model, note->from)) : first;
    found->end = timed ? fmin(end, ocelotl_slice_at(model, note->to)) : end;
    found->row = found->row > visible->row_first ? found->row : visible->row_first;
    found->end_row = found->end_row < end_row ? found->end_row : end_row;
    const bool seen = found->first < found->end && found->row < found->end_row;
    if (!overview->input->view->resources) { /* heights are no resources there */
        found->row = visible->row_first;
        found->end_row = end_row;
    }
    return seen;
}

static bool has_notes(const oc_overview *overview)
{
    return overview->picture->note_count > 0 && overview->input->shared == NULL &&
           !overview->input->without_parts && !overview->input->view->timeless;
}

static size_t count_seen(const oc_overview *overview)
{
    size_t seen = 0;
    place at = {0};
    for (size_t i = 0; i < overview->picture->note_count && has_notes(overview); i++)
        seen += find_place(&at, overview, &overview->picture->notes[i]);
    return seen;
}

int oc_overview_notes_height(const oc_overview *overview)
{
    const size_t seen = count_seen(overview);
    return seen == 0 ? 0 : ABOVE_LIST + LINE * (int)(seen < LINES_MOST ? seen : LINES_MOST);
}

/* --- The frames */

static void draw_badge(oc_scene *scene, const oc_overview *overview, double x, double y,
                       size_t number)
{
    const oc_theme *theme = overview->picture->theme;
    oc_text text = {0};
    oc_text_format(&text, "%zu", number);
    const double width =
        2 * BADGE_INSET +
        ceil(text.failed ? 0 : oc_lettering_width(text.bytes, OC_SIZE_LABEL, true));
    oc_rectangle badge = oc_rectangle_of(x + 0.5, y + 0.5, width, BADGE, theme->paper);
    oc_label label =
        oc_label_at(x + 0.5 + width / 2, y + BADGE_BASELINE, OC_ANCHOR_MIDDLE, theme->ink);
    badge.stroke = theme->ink;
    label.bold = true;
    oc_scene_rectangle(scene, &badge, NULL);
    oc_scene_label(scene, &label, text.failed ? "" : text.bytes, NULL);
    oc_scene_take(scene, &text);
}

/* A line of the paper around it keeps a frame apart from any colour. */
static void draw_frame(oc_scene *scene, const oc_overview *overview, const place *at)
{
    const oc_theme *theme = overview->picture->theme;
    const double left = oc_overview_x(overview, at->first);
    const double top = oc_overview_y(overview, at->row);
    oc_rectangle edge =
        oc_rectangle_of(left - 0.5, top - 0.5, fmax(1, oc_overview_x(overview, at->end) - left),
                        fmax(1, oc_overview_y(overview, at->end_row) - top), OC_COLOUR_NONE);
    edge.stroke = theme->paper;
    for (int out = 1; out >= -1; out -= 2) {
        oc_rectangle around = edge;
        around.x -= out;
        around.y -= out;
        around.width = fmax(1, edge.width + 2.0 * out);
        around.height = fmax(1, edge.height + 2.0 * out);
        oc_scene_rectangle(scene, &around, NULL);
    }
    edge.stroke = theme->ink;
    oc_scene_rectangle(scene, &edge, NULL);
}

/* Moves a badge beside those before it that have its place. */
static double find_beside(const oc_point *corners, size_t count)
{
    const oc_point *mine = &corners[count];
    double beside = 0;
    for (size_t i = 0; i < count; i++)
        if (fabs(corners[i].x - mine->x) < BADGE && fabs(corners[i].y - mine->y) < BADGE)
            beside += BADGE + BADGE_INSET;
    return beside;
}

/* Frames lie below all badges. */
static void draw_frames(oc_scene *scene, const oc_overview *overview)
{
    oc_point corners[FRAMES_MOST];
    size_t numbers[FRAMES_MOST];
    size_t drawn = 0;
    place at = {0};
    for (size_t i = 0; i < overview->picture->note_count && drawn < FRAMES_MOST; i++) {
        if (!find_place(&at, overview, &overview->picture->notes[i]))
            continue;
        draw_frame(scene, overview, &at);
        corners[drawn] =
            (oc_point){oc_overview_x(overview, at.first), oc_overview_y(overview, at.row)};
        numbers[drawn++] = i + 1;
    }
    for (size_t i = 0; i < drawn; i++)
        draw_badge(scene, overview, corners[i].x + find_beside(corners, i), corners[i].y,
                   numbers[i]);
}

/* --- The list */

/* The last line says how many more there are. */
static void list_note(oc_scene *scene, const oc_overview *overview, size_t index, size_t line,
                      size_t seen)
{
    const oc_picture *picture = overview->picture;
    const ocelotl_picture_note *note = &picture->notes[index];
    const int margin = oc_picture_margin(picture);
    const int top = overview->list_bottom - oc_overview_notes_height(overview) + ABOVE_LIST;
    const oc_label label = oc_label_at(margin, top + LINE * (int)line + BASELINE, OC_ANCHOR_START,
                                       picture->theme->ink);
    oc_text text = {0};
    if (line + 1 == LINES_MOST && seen > LINES_MOST) {
        oc_text_format(&text, "and %zu more", seen - line);
    } else {
        oc_text_format(&text, "%zu  ", index + 1);
        oc_clean_add(&text, note->text, false);
        const ocelotl_model_info *model = &overview->model;
        oc_text_add(&text, " (");
        oc_clean_add(&text, note->node[0] != '\0' ? note->node : "all resources", false);
        if (model->has_time && isfinite(note->from) && isfinite(note->to)) {
            oc_text_add(&text, ", ");
            oc_time_span_add(&text, note->from, note->to, (note->to - note->from) / 1000,
                             (oc_time_range){model->begin, model->end});
        }
        oc_text_add(&text, ")");
    }
    if (!text.failed)
        oc_label_draw(scene, &label, text.bytes, picture->width - 2 * margin, NULL);
    oc_scene_take(scene, &text);
}

void oc_overview_draw_notes(oc_scene *scene, const oc_overview *overview)
{
    const size_t count = overview->picture->note_count;
    const size_t seen = count_seen(overview);
    place at = {0};
    if (seen == 0)
        return;
    oc_scene_group(scene, "notes", &(oc_group_style){.inert = true}, NULL);
    draw_frames(scene, overview);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "list", &(oc_group_style){0}, NULL);
    for (size_t i = 0, line = 0; i < count && line < LINES_MOST; i++)
        if (find_place(&at, overview, &overview->picture->notes[i]))
            list_note(scene, overview, i, line++, seen);
    oc_scene_group_end(scene);
}
