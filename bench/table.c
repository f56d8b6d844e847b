/* The table: what, figure, textbook, ratio, target, met or not, runs. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>

enum { CELL = 24 };

static int missed;

typedef struct scale {
    double factor;
    const char *name;
} scale;

/* Writes a value in the largest unit that does not exceed it, else in the smallest. */
static void write_scaled(char text[CELL], double value, const scale *scales)
{
    while (value < scales->factor && scales[1].name != NULL)
        scales++;
    const double shown = value / scales->factor;
    snprintf(text, CELL, "%.*f %s", shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0, shown, scales->name);
}

static void write_value(char text[CELL], bench_unit unit, double value)
{
    static const scale seconds[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, NULL}};
    static const scale bytes[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {0, NULL}};
    static const scale rates[] = {{1e9, "G/s"}, {1e6, "M/s"}, {0, NULL}};
    if (unit == BENCH_SECONDS)
        write_scaled(text, value, seconds);
    else if (unit == BENCH_BYTES)
        write_scaled(text, value, bytes);
    else if (unit == BENCH_RATE)
        write_scaled(text, value, rates);
    else if (unit == BENCH_SHARE)
        snprintf(text, CELL, "%.1f %%", value * 100);
    else if (unit == BENCH_FACTOR)
        snprintf(text, CELL, "%.2f x", value);
    else
        snprintf(text, CELL, unit == BENCH_NUMBER ? "%.0f" : "%.1e", value);
}

static bool at_least(bench_unit unit)
{
    return unit == BENCH_RATE || unit == BENCH_SHARE || unit == BENCH_FACTOR;
}

static const char *verdict(const bench_line *line)
{
    if (line->target == 0 || line->figure < 0)
        return "";
    const bool met =
        at_least(line->unit) ? line->figure >= line->target : line->figure <= line->target;
    if (!met)
        missed++;
    return met ? "yes" : "NO";
}

static void write_target(char text[CELL], const bench_line *line)
{
    char value[CELL];
    write_value(value, line->unit, line->target);
    snprintf(text, CELL, "%s %.20s", at_least(line->unit) ? ">=" : "<=", value);
}

static void write_ratio(char text[CELL], const bench_line *line)
{
    const double ratio = line->textbook / line->figure;
    snprintf(text, CELL, "%.*f x", ratio < 10 ? 2 : 0, ratio);
}

static void write_runs(char text[CELL], const bench_line *line)
{
    if (line->textbook_runs > 0)
        snprintf(text, CELL, "%d, %d", line->runs, line->textbook_runs);
    else
        snprintf(text, CELL, "%d", line->runs);
}

void bench_print_head(void)
{
    printf("%-46s %12s %12s %8s %13s %4s %6s\n", "", "figure", "textbook", "ratio", "target", "met",
           "runs");
}

void bench_print_title(const char *row, const char *title)
{
    printf("\n%-3s %s\n", row, title);
}

void bench_print(bench_line line, const char *what, ...)
{
    char name[80];
    char figure[CELL] = "-";
    char book[CELL] = "-";
    char ratio[CELL] = "";
    char target[CELL] = "";
    char runs[CELL] = "";
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(name, sizeof name, what, arguments);
    va_end(arguments);
    if (line.figure >= 0)
        write_value(figure, line.unit, line.figure);
    if (line.textbook > 0)
        write_value(book, line.unit, line.textbook);
    if (line.textbook > 0 && line.figure > 0)
        write_ratio(ratio, &line);
    if (line.target > 0)
        write_target(target, &line);
    if (line.runs > 0)
        write_runs(runs, &line);
    printf("    %-42s %12s %12s %8s %13s %4s %6s\n", name, figure, book, ratio, target,
           verdict(&line), runs);
    fflush(stdout);
}

int bench_missed(void)
{
    return missed;
}
