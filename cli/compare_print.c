#include "compare_print.h"

#include "json.h"
#include "stream.h"

#include <string.h>

static const char *const words[] = {"first", "second"};

enum { NAMED_MOST = 5 };

static const char *path_or_whole(const char *path)
{
    return path[0] != '\0' ? path : "(whole)";
}

static void print_model(FILE *file, const cli_compared *of, int which)
{
    const ocelotl_model_info info = ocelotl_model_get_info(of->models[which]);
    fprintf(file, "%-10s %s", words[which], of->names[which]);
    if (info.has_time)
        fprintf(file, ", %.9g s to %.9g s%s", info.begin, info.end, info.zoomed ? "" : ", the whole trace");
    fprintf(file, ", %u slices of %u leaves\n", info.slice_count, info.row_count);
}

static void print_only(FILE *file, const cli_compared *of, int which)
{
    const uint32_t count = ocelotl_comparison_get_info(of->comparison).only_count[which];
    if (count == 0)
        return;
    fprintf(file, "only in the %s: ", words[which]);
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++)
        fprintf(file, "%s%s", i > 0 ? ", " : "", ocelotl_comparison_only(of->comparison, which, i));
    if (count > NAMED_MOST)
        fprintf(file, " and %u more", count - NAMED_MOST);
    fprintf(file, "\n");
}

/* Each change once, where it is best said, unless all are asked for. */
static void print_changes(FILE *file, const cli_compared *of, const ocelotl_comparison_info *info)
{
    size_t printed = 0;
    if (of->most > 0 && info->named_count == 0) {
        fprintf(file, "\nnothing has changed\n");
        return;
    }
    fprintf(file, "\n%12s %12s %12s %8s  node, type\n", "change", "first", "second", "leaves");
    for (size_t i = 0; i < info->change_count && (of->most == 0 || printed < of->most); i++) {
        const ocelotl_change change = ocelotl_comparison_change(of->comparison, i);
        if (of->most > 0 && !change.named)
            continue;
        fprintf(file, "%+12.6g %12.6g %12.6g %8u  %s, %s\n", change.amount, change.first, change.second,
                change.leaves, path_or_whole(change.path), change.type);
        printed++;
    }
    if (of->most > 0 && printed < info->named_count)
        fprintf(file, "%zu smaller ones are not shown, see --all\n", info->named_count - printed);
}

void cli_compare_table(FILE *file, const cli_compared *of)
{
    const ocelotl_comparison_info info = ocelotl_comparison_get_info(of->comparison);
    print_model(file, of, 0);
    print_model(file, of, 1);
    fprintf(file, "common     %u node%s and %u type%s; %u and %u types that only one has\n", info.node_count,
            info.node_count == 1 ? "" : "s", info.common_types, info.common_types == 1 ? "" : "s",
            info.only_types[0], info.only_types[1]);
    print_only(file, of, 0);
    print_only(file, of, 1);
    print_changes(file, of, &info);
}

void cli_compare_csv(FILE *file, const cli_compared *of)
{
    const size_t count = ocelotl_comparison_get_info(of->comparison).change_count;
    fprintf(file, "path,type,first,second,leaves,change,named\n");
    for (size_t i = 0; i < count; i++) {
        const ocelotl_change change = ocelotl_comparison_change(of->comparison, i);
        cli_csv_cell(file, change.path, strlen(change.path));
        fprintf(file, ",");
        cli_csv_cell(file, change.type, strlen(change.type));
        fprintf(file, ",%s,", cli_digits(change.first).text);
        fprintf(file, "%s,%u,", cli_digits(change.second).text, change.leaves);
        fprintf(file, "%s,%d\n", cli_digits(change.amount).text, change.named);
    }
}

static void json_number(FILE *file, const char *key, double number)
{
    fprintf(file, ",\"%s\":", key);
    cli_json_number(file, number);
}

static void json_model(FILE *file, const cli_compared *of, int which)
{
    const ocelotl_model_info info = ocelotl_model_get_info(of->models[which]);
    const uint32_t only = ocelotl_comparison_get_info(of->comparison).only_count[which];
    fprintf(file, "\"%s\":{\"name\":", words[which]);
    cli_json_string(file, of->names[which]);
    fprintf(file, ",\"slices\":%u,\"leaves\":%u", info.slice_count, info.row_count);
    if (info.has_time) {
        json_number(file, "begin", info.begin);
        json_number(file, "end", info.end);
    }
    fprintf(file, ",\"only\":[");
    for (uint32_t i = 0; i < only; i++) {
        fprintf(file, "%s", i > 0 ? "," : "");
        cli_json_string(file, ocelotl_comparison_only(of->comparison, which, i));
    }
    fprintf(file, "]}");
}

void cli_compare_json(FILE *file, const cli_compared *of)
{
    const size_t count = ocelotl_comparison_get_info(of->comparison).change_count;
    fprintf(file, "{");
    json_model(file, of, 0);
    fprintf(file, ",");
    json_model(file, of, 1);
    fprintf(file, ",\"changes\":[");
    for (size_t i = 0; i < count; i++) {
        const ocelotl_change change = ocelotl_comparison_change(of->comparison, i);
        fprintf(file, "%s{\"node\":", i > 0 ? "," : "");
        cli_json_string(file, change.path);
        fprintf(file, ",\"type\":");
        cli_json_string(file, change.type);
        json_number(file, "first", change.first);
        json_number(file, "second", change.second);
        fprintf(file, ",\"leaves\":%u", change.leaves);
        json_number(file, "change", change.amount);
        fprintf(file, ",\"named\":%s}", change.named ? "true" : "false");
    }
    fprintf(file, "]}\n");
}
