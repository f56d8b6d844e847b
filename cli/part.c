#include "part.h"

#include "json.h"
#include "partition_json.h"

#include <stdlib.h>
#include <string.h>

bool cli_take_zoom_option(int *code, cli_zooms *zooms, cli_which_p *which,
                          cli_model_options *options, int option, const char *command)
{
    if (option != CLI_ZOOM && option != CLI_PART)
        return false;
    cli_zoom zoom = {.option = option == CLI_ZOOM ? "zoom" : "part", .which = *which};
    *code = CLI_DONE;
    if (options->trace_option == NULL)
        options->trace_option = option == CLI_ZOOM ? "--zoom" : "--part";
    if (zooms->count == CLI_MOST_ZOOMS)
        *code = cli_usage(command, "--%s is given more than %d times", zoom.option, CLI_MOST_ZOOMS);
    else if (!cli_read_count(&zoom.part, optarg, zoom.option, command))
        *code = CLI_USAGE;
    if (*code != CLI_DONE)
        return true;
    for (size_t i = 0; which->option != NULL && i < zooms->count; i++)
        if (!zooms->zooms[i].solved) {
            zooms->zooms[i].which = *which;
            zooms->zooms[i].solved = true;
        }
    zoom.solved =
        which->option != NULL || (zooms->count > 0 && zooms->zooms[zooms->count - 1].solved);
    which->option = NULL;
    /* A level is one of the partition that the part is of: what is in the part has others. */
    if (which->kind == CLI_P_LEVEL)
        which->kind = CLI_P_AUTO;
    zooms->zooms[zooms->count++] = zoom;
    return true;
}

static const cli_which_p *partition_of(const cli_zoom *zoom, const cli_which_p *last)
{
    return zoom->solved ? &zoom->which : last;
}

/* The names are the model's, which goes. */
static int keep_names(cli_zooms *zooms, const ocelotl_names *names)
{
    size_t length = 0;
    for (size_t i = 0; i < names->count; i++)
        length += strlen(names->names[i]) + 1;
    char *text = malloc(length + 1);
    const char **list = malloc((names->count + 1) * sizeof *list);
    free(zooms->text);
    free(zooms->names);
    zooms->text = text;
    zooms->names = list;
    if (text == NULL || list == NULL)
        return cli_memory();
    for (size_t i = 0; i < names->count; i++) {
        const size_t size = strlen(names->names[i]) + 1;
        list[i] = memcpy(text, names->names[i], size);
        text += size;
    }
    zooms->narrowed.selection.placed = true;
    zooms->narrowed.selection.place = (ocelotl_names){list, names->count};
    return CLI_DONE;
}

/* A number belongs to one partition: a person sees whether it is the one that was meant. */
static void tell_part(const ocelotl_partition *partition, const ocelotl_part *part, uint32_t number)
{
    const ocelotl_partition_info of = ocelotl_partition_get_info(partition);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_get_info(model);
    const double slice = (info.end - info.begin) / info.slice_count;
    const char *path = ocelotl_model_node(model, part->node).path;
    cli_say("part %u of %zu, %s, p %s: %s from %.9g s to %.9g s", number, of.part_count,
            cli_kind_name(of.kind), cli_digits(of.p).text, path[0] != '\0' ? path : "the whole",
            info.begin + slice * part->first, info.begin + slice * (part->last + 1.0));
}

static int take_place(cli_zooms *zooms, const ocelotl_partition *partition, const cli_zoom *zoom)
{
    const size_t count = ocelotl_partition_get_info(partition).part_count;
    ocelotl_place place = {0};
    if (zoom->part >= count)
        return cli_wrong("--%s is %u, expected one of the parts 0 to %zu", zoom->option, zoom->part,
                         count - 1);
    const ocelotl_part part = ocelotl_partition_part(partition, zoom->part);
    tell_part(partition, &part, zoom->part);
    const ocelotl_status status = ocelotl_model_place(&place, ocelotl_partition_model(partition),
                                                      part.node, part.first, part.last);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    cli_selection *selection = &zooms->narrowed.selection;
    selection->snap = false;
    selection->window.from = (cli_instant){
        .text = "the part's begin", .option = "from", .is_tick = true, .tick = place.from};
    selection->window.to =
        (cli_instant){.text = "the part's end", .option = "to", .is_tick = true, .tick = place.to};
    const int code = keep_names(zooms, &place.resources);
    ocelotl_place_free(&place);
    return code;
}

static int narrow(cli_loaded *loaded, cli_zooms *zooms, const cli_zoom *zoom,
                  const cli_which_p *last)
{
    ocelotl_partition *partition = NULL;
    int code = cli_measure(loaded);
    if (code == CLI_DONE)
        code = cli_solve(&partition, loaded, partition_of(zoom, last));
    if (code == CLI_DONE)
        code = take_place(zooms, partition, zoom);
    ocelotl_partition_free(partition);
    return code;
}

/* Leaves the model that the last part is of. */
static int narrow_all(cli_loaded *loaded, const char *trace, cli_zooms *zooms,
                      const cli_which_p *last)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < zooms->count && code == CLI_DONE; i++) {
        code = i == 0 ? cli_load_model(loaded, trace, &zooms->narrowed)
                      : cli_load_again(loaded, &zooms->narrowed);
        if (code == CLI_DONE)
            code = narrow(loaded, zooms, &zooms->zooms[i], last);
    }
    return code;
}

int cli_load_zoomed(cli_loaded *loaded, const char *trace, cli_zooms *zooms,
                    const cli_model_options *options, const cli_which_p *which)
{
    zooms->narrowed = *options;
    const int code = narrow_all(loaded, trace, zooms, which);
    if (code != CLI_DONE)
        return code;
    return zooms->count == 0 ? cli_load_model(loaded, trace, &zooms->narrowed)
                             : cli_load_again(loaded, &zooms->narrowed);
}

/* An option that says of which partition a part is. */
static const char *option_of_partition(const cli_model_options *options, const cli_which_p *which)
{
    const cli_selection *selection = &options->selection;
    const ocelotl_model_options *model = &options->model;
    const cli_hierarchy *hierarchy = &options->hierarchy;
    const struct {
        bool given;
        const char *name;
    } known[] = {
        {which->option != NULL, which->option},
        {model->slices != 0, "slices"},
        {options->kind_given, "kind"},
        {model->cells.state_type != NULL, "state-type"},
        {model->cells.nesting != OCELOTL_INNERMOST, "nesting"},
        {model->cells.untraced != OCELOTL_UNTRACED_TYPE, "untraced"},
        {options->threads != 0, "threads"},
        {selection->snap, "snap"},
        {selection->group_types.count > 0, "group-types"},
        {selection->most_types != NULL, "most-types"},
        {selection->nesting_depth != 0, "nesting-depth"},
        {selection->metric != NULL, "metric"},
        {selection->shift, "shift"},
        {selection->scale, "scale"},
        {selection->attribute != NULL, "attribute"},
        {hierarchy->file != NULL, "hierarchy"},
        {hierarchy->drop_levels.count > 0, "drop-level"},
        {hierarchy->groups.count > 0, "group"},
        {hierarchy->reuse_rows, "reuse-rows"},
        {hierarchy->split_children != 0, "split-children"},
        {hierarchy->max_leaves != 0, "max-leaves"},
        {hierarchy->groups_given, "max-groups"},
        {hierarchy->regroup, "regroup"},
        {hierarchy->order != OCELOTL_ORDER_TRACE, "order"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].given)
            return known[i].name;
    return NULL;
}

int cli_open_zoomed(ocelotl_trace **trace, const char *path, cli_zooms *zooms,
                    const cli_model_options *options, const cli_which_p *which, const char *command)
{
    cli_loaded loaded = {0};
    zooms->narrowed = *options;
    zooms->narrowed.model.where_elsewhere = true;
    if (zooms->count == 0) {
        const char *option = option_of_partition(options, which);
        if (option != NULL)
            return cli_usage(
                command, "--%s says of which partition a part is, but there is no --part", option);
        return cli_open_trace(trace, path, options);
    }
    const int code = narrow_all(&loaded, path, zooms, which);
    if (code == CLI_DONE) {
        *trace = loaded.trace;
        loaded.trace = NULL;
    }
    cli_loaded_free(&loaded);
    return code;
}

void cli_zooms_free(cli_zooms *zooms)
{
    free(zooms->text);
    free(zooms->names);
    *zooms = (cli_zooms){0};
}
