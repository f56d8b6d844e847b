/* What files hold: one table of suffixes for all commands, and what a file that is there looks
 * like. */
#ifndef CLI_CONTENT_H
#define CLI_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

/* Each a bit, so that a command can say in one number what it writes. */
typedef enum cli_content {
    CLI_SVG = 1,
    CLI_PNG = 2,
    CLI_PDF = 4,
    CLI_PAGE = 8, /* HTML */
    CLI_JSON_TEXT = 16,
    CLI_CSV_TEXT = 32,
    CLI_TRACE_DB = 64,
    CLI_TEXT = 128,  /* whatever else can be read by people: tables, lines */
    CLI_OTHER = 256, /* never written: a trace as text, bytes */
} cli_content;

#define CLI_PICTURES (CLI_SVG | CLI_PNG | CLI_PDF)
/* Of a command that prints a table. */
#define CLI_TABLES (CLI_TEXT | CLI_CSV_TEXT | CLI_JSON_TEXT)

/* What the suffix of a name stands for, in capitals or not; 0: it is not in the table, or there is
 * none. */
unsigned cli_content_of_name(const char *path);

/* What a file holds, told from its first bytes; 0: it is not there, is empty, or is no regular
 * file. */
unsigned cli_content_of_file(const char *path);

/* Whether a file that holds that was written by this program: its pictures and pages carry its
 * name, its JSON, CSV and tables begin as no others do, but for the CSV and JSON of sql. */
bool cli_is_own(const char *path, unsigned content);

/* In words, with an article: "a picture (SVG)". */
const char *cli_content_name(unsigned content);

/* Writes the suffixes of some contents as ".svg, .png or .json". */
void cli_list_suffixes(char *list, size_t size, unsigned contents);

#endif
