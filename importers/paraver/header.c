#define _GNU_SOURCE
#include "importers/paraver/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char word[] = "#Paraver";

void paraver_header_free(paraver_header *header)
{
    free(header->date);
    free(header->cpus);
    free(header->first_cpus);
    free(header->applications);
    free(header->tasks);
    *header = (paraver_header){0};
}

static ocelotl_status fail_at(const char *at, const char *expected)
{
    const int length = (int)strnlen(at, 20);
    if (length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "the header ends too early, expected %s", expected);
    return oc_fail(OCELOTL_ERROR_INPUT, "the header goes on with \"%.*s\", expected %s", length, at,
                   expected);
}

static ocelotl_status read_number(uint64_t *number, const char **at, uint64_t most,
                                  const char *expected)
{
    const char *next = *at;
    *number = 0;
    while (*next >= '0' && *next <= '9') {
        if (*number > (most - (uint64_t)(*next - '0')) / 10)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "the header has a number of more than %" PRIu64 ", expected %s", most,
                           expected);
        *number = *number * 10 + (uint64_t)(*next++ - '0');
    }
    if (next == *at)
        return fail_at(*at, expected);
    *at = next;
    return OCELOTL_OK;
}

static ocelotl_status read_character(const char **at, char character, const char *expected)
{
    if (**at != character)
        return fail_at(*at, expected);
    ++*at;
    return OCELOTL_OK;
}

static ocelotl_status read_date(paraver_header *header, const char **at)
{
    *at += sizeof word - 1;
    while (**at == ' ')
        ++*at;
    OC_TRY(read_character(at, '(', "a date in parentheses"));
    const char *end = strchr(*at, ')');
    if (end == NULL)
        return fail_at(*at, "a date in parentheses");
    OC_TRY(oc_copy_text(&header->date, *at));
    header->date[end - *at] = '\0';
    *at = end + 1;
    return read_character(at, ':', "a colon behind the date");
}

static ocelotl_status read_duration(paraver_header *header, const char **at)
{
    static const struct {
        const char *name;
        uint64_t ticks;
    } units[] = {{"ns", 1000000000}, {"us", 1000000}, {"ms", 1000}, {"s", 1}};
    uint64_t duration;
    OC_TRY(read_number(&duration, at, INT64_MAX, "the duration of the trace"));
    header->duration = (int64_t)duration;
    header->ticks = 1000000;
    if (**at == '_') {
        const char *unit = *at + 1;
        const size_t length = strcspn(unit, ":");
        size_t i = 0;
        while (i < sizeof units / sizeof units[0] &&
               (strlen(units[i].name) != length || strncmp(units[i].name, unit, length) != 0))
            i++;
        if (i == sizeof units / sizeof units[0])
            return fail_at(unit, "a unit: ns, us, ms or s");
        header->ticks = units[i].ticks;
        *at = unit + length;
    }
    return read_character(at, ':', "a colon behind the duration");
}

static ocelotl_status fail_many(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "the header has more than %d %s, expected fewer",
                   PARAVER_MOST_OBJECTS, what);
}

static ocelotl_status add_node(paraver_header *header, uint64_t cpus)
{
    const size_t count = header->node_count;
    OC_TRY(oc_grow(&header->cpus, &header->node_capacity, count + 1, sizeof *header->cpus));
    OC_TRY(oc_grow(&header->first_cpus, &header->first_capacity, count + 1,
                   sizeof *header->first_cpus));
    if (header->cpu_count + cpus > PARAVER_MOST_OBJECTS)
        return fail_many("CPUs");
    header->cpus[count] = (uint32_t)cpus;
    header->first_cpus[count] = header->cpu_count;
    header->cpu_count += (uint32_t)cpus;
    header->node_count++;
    return OCELOTL_OK;
}

/* "2(4,4)", "2" */
static ocelotl_status read_nodes(paraver_header *header, const char **at)
{
    uint64_t count;
    uint64_t cpus = 0;
    OC_TRY(read_number(&count, at, PARAVER_MOST_OBJECTS, "the number of nodes"));
    const bool listed = **at == '(';
    *at += listed;
    for (uint64_t i = 0; i < count; i++) {
        if (listed && i > 0)
            OC_TRY(read_character(at, ',', "a comma before the CPUs of the next node"));
        if (listed)
            OC_TRY(read_number(&cpus, at, PARAVER_MOST_OBJECTS, "the number of CPUs of a node"));
        OC_TRY(add_node(header, cpus));
    }
    if (listed)
        OC_TRY(read_character(at, ')', "a parenthesis behind the CPUs"));
    return read_character(at, ':', "a colon behind the nodes");
}

/* "4:1": threads and their node. */
static ocelotl_status read_task(paraver_header *header, const char **at)
{
    uint64_t threads;
    uint64_t node;
    OC_TRY(read_number(&threads, at, PARAVER_MOST_OBJECTS, "the number of threads of a task"));
    OC_TRY(read_character(at, ':', "a colon before the node of a task"));
    OC_TRY(read_number(&node, at, PARAVER_MOST_OBJECTS, "the node of a task"));
    if (node > header->node_count && header->node_count > 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a task of the header is on node %" PRIu64 ", expected one of %zu", node,
                       header->node_count);
    if (header->thread_count + threads > PARAVER_MOST_OBJECTS)
        return fail_many("threads");
    OC_TRY(oc_grow(&header->tasks, &header->task_capacity, header->task_count + 1,
                   sizeof *header->tasks));
    header->tasks[header->task_count++] =
        (paraver_task){header->thread_count, (uint32_t)threads, (uint32_t)node};
    header->thread_count += (uint32_t)threads;
    return OCELOTL_OK;
}

/* Reads the parentheses of "2(1:1,1:1)". */
static ocelotl_status read_tasks(paraver_header *header, const char **at, uint64_t count)
{
    if (header->task_count + count > PARAVER_MOST_OBJECTS)
        return fail_many("tasks");
    OC_TRY(oc_grow(&header->applications, &header->application_capacity,
                   header->application_count + 1, sizeof *header->applications));
    header->applications[header->application_count++] =
        (paraver_application){(uint32_t)header->task_count, (uint32_t)count};
    ++*at;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            OC_TRY(read_character(at, ',', "a comma before the next task"));
        OC_TRY(read_task(header, at));
    }
    return read_character(at, ')', "a parenthesis behind the tasks");
}

static ocelotl_status read_applications(paraver_header *header, const char **at)
{
    uint64_t count;
    OC_TRY(read_number(&count, at, PARAVER_MOST_OBJECTS, "the number of applications"));
    while (**at == ':' || **at == ',') {
        uint64_t number;
        ++*at;
        OC_TRY(read_number(&number, at, PARAVER_MOST_OBJECTS,
                           "the number of tasks of an application, or of its communicators"));
        if (**at == '(')
            OC_TRY(read_tasks(header, at, number));
    }
    while (**at == ' ' || **at == '\t' || **at == '\r')
        ++*at;
    if (**at != '\0')
        return fail_at(*at, "nothing behind the applications");
    if (header->application_count != count || count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the header lists %zu applications, expected the %" PRIu64 " that it counts",
                       header->application_count, count);
    return OCELOTL_OK;
}

ocelotl_status paraver_header_read(paraver_header *header, const char *line)
{
    if (strncmp(line, word, sizeof word - 1) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the trace begins with \"%.*s\", expected a header: "
                       "#Paraver (date):duration:nodes:applications",
                       (int)strnlen(line, 20), line);
    OC_TRY(read_date(header, &line));
    OC_TRY(read_duration(header, &line));
    OC_TRY(read_nodes(header, &line));
    return read_applications(header, &line);
}
