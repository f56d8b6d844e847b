#include "which_p.h"

#include "answers.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

static int choose(cli_which_p *which, cli_p_kind kind, const char *option, const char *command)
{
    if (which->option != NULL && strcmp(which->option, option) != 0)
        return cli_usage(command, "--%s and --%s exclude each other", which->option, option);
    which->kind = kind;
    which->option = option;
    return CLI_DONE;
}

static int take_number(cli_which_p *which, cli_p_kind kind, const char *option, const char *command)
{
    const int code = choose(which, kind, option, command);
    if (code != CLI_DONE)
        return code;
    if (kind == CLI_P_NORMALISED && strcmp(optarg, "auto") == 0) {
        which->kind = CLI_P_AUTO;
        return CLI_DONE;
    }
    if (!cli_read_number(&which->p, optarg, option, command))
        return CLI_USAGE;
    if (!(which->p >= 0 && which->p <= 1))
        return cli_usage(command, "--%s is %s, expected a number in [0, 1]", option, optarg);
    return CLI_DONE;
}

static int take_count(cli_which_p *which, cli_p_kind kind, const char *option, const char *command)
{
    const int code = choose(which, kind, option, command);
    if (code != CLI_DONE)
        return code;
    if (!cli_read_count(&which->count, optarg, option, command))
        return CLI_USAGE;
    return which->count > 0 ? CLI_DONE
                            : cli_usage(command, "--%s is 0, expected at least 1", option);
}

bool cli_take_p_option(int *code, cli_which_p *which, int option, const char *command)
{
    switch (option) {
    case CLI_P:
        *code = take_number(which, CLI_P_NORMALISED, "p", command);
        return true;
    case CLI_P_RAW_OPTION:
        *code = take_number(which, CLI_P_RAW, "p-raw", command);
        return true;
    case CLI_LEVEL:
        *code = take_count(which, CLI_P_LEVEL, "level", command);
        return true;
    case CLI_PARTS:
        *code = take_count(which, CLI_P_PARTS, "parts", command);
        return true;
    default:
        return false;
    }
}

/* The p that a question was answered with before. */
static bool find_p(double *p, const cli_loaded *loaded, const char *question)
{
    char *text = cli_answer_find(loaded, question);
    char *end = text;
    if (text != NULL)
        *p = strtod(text, &end);
    const bool found = end != text && *end == '\0' && *p >= 0 && *p <= 1;
    free(text);
    return found;
}

static void keep_p(double p, const cli_loaded *loaded, const char *question)
{
    const cli_digits_text digits = cli_digits(p);
    cli_answer_keep(loaded, question, digits.text, strlen(digits.text));
}

static int find_level(double *p, const cli_loaded *loaded, uint32_t number)
{
    ocelotl_levels *levels = NULL;
    const ocelotl_status status = ocelotl_levels_find(&levels, loaded->aggregation, NULL);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    const size_t count = ocelotl_levels_get_info(levels).count;
    int code = CLI_DONE;
    if (number > count)
        code = cli_wrong("--level is %u, expected at most %zu, as listed by ocelotl-cli sweep",
                         number, count);
    else
        *p = ocelotl_levels_at(levels, number - 1).p;
    ocelotl_levels_free(levels);
    return code;
}

static int solve_level(ocelotl_partition **partition, const cli_loaded *loaded, uint32_t number)
{
    char question[40];
    double p = 0;
    snprintf(question, sizeof question, "level %u", number);
    const bool known = find_p(&p, loaded, question);
    const int code = known ? CLI_DONE : find_level(&p, loaded, number);
    if (code != CLI_DONE)
        return code;
    const ocelotl_status status = ocelotl_solve(partition, loaded->aggregation, p);
    if (status == OCELOTL_OK && !known)
        keep_p(p, loaded, question);
    return cli_code(status);
}

static int solve_auto(ocelotl_partition **partition, const cli_loaded *loaded)
{
    double p;
    const bool known = find_p(&p, loaded, "auto");
    const ocelotl_status status = known ? ocelotl_solve(partition, loaded->aggregation, p)
                                        : ocelotl_solve_auto(partition, loaded->aggregation);
    if (status == OCELOTL_OK && !known)
        keep_p(ocelotl_partition_get_info(*partition).p, loaded, "auto");
    return cli_code(status);
}

/* Who asks for 100 parts and gets 20 would look for the mistake. */
static int solve_parts(ocelotl_partition **partition, const cli_loaded *loaded, uint32_t count)
{
    const ocelotl_status status = ocelotl_solve_parts(partition, loaded->aggregation, count);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    const ocelotl_partition_info info = ocelotl_partition_get_info(*partition);
    if (info.next_count > 0)
        cli_say("--parts %u gives %zu; the next level has %zu", count, info.part_count,
                info.next_count);
    return CLI_DONE;
}

static int solve(ocelotl_partition **partition, const cli_loaded *loaded, const cli_which_p *which)
{
    ocelotl_status status = OCELOTL_OK;
    switch (which->kind) {
    case CLI_P_AUTO:
        return solve_auto(partition, loaded);
    case CLI_P_NORMALISED:
        status = ocelotl_solve(partition, loaded->aggregation, which->p);
        break;
    case CLI_P_RAW:
        status = ocelotl_solve_raw(partition, loaded->aggregation, which->p);
        break;
    case CLI_P_LEVEL:
        return solve_level(partition, loaded, which->count);
    case CLI_P_PARTS:
        return solve_parts(partition, loaded, which->count);
    }
    return cli_code(status);
}

int cli_solve(ocelotl_partition **partition, cli_loaded *loaded, const cli_which_p *which)
{
    cli_begin_step(loaded->options->progress, &cli_solving);
    const int code = solve(partition, loaded, which);
    cli_end_step(loaded->options->progress);
    return code;
}
