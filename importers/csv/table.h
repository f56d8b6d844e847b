/* A table whose header says what its columns are: what `ocelotl-cli export` writes, or others. */
#ifndef OC_IMPORTERS_CSV_TABLE_H
#define OC_IMPORTERS_CSV_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "importers/csv/rows.h"
#include "importers/csv/sheet.h"

/* --- The columns of a table: what each is, by the words of the header, or of --columns. */

/* What a column holds. */
typedef enum csv_role {
    CSV_LEVEL, /* a step of the path of a resource: there may be several */
    CSV_PATH,
    CSV_RESOURCE_TYPE,
    CSV_CATEGORY,
    CSV_TYPE,
    CSV_VALUE,
    CSV_BEGIN,
    CSV_END,
    CSV_DURATION,
    CSV_DEPTH,
    CSV_SOURCE,
    CSV_TARGET,
    CSV_KEY,
    CSV_ATTRIBUTES, /* an object of JSON */
    CSV_ATTRIBUTE,  /* any other word: each is an attribute */
    CSV_ID,         /* an attribute by which states name those around them: */
    CSV_PARENT,     /* another, where both are there */
    CSV_LEFT_OUT,   /* as --columns says */
    CSV_ROLES
} csv_role;

typedef struct csv_column {
    csv_role role;
    const char *word; /* of the header, without its unit */
} csv_column;

/* Zero-initialised it is empty. */
typedef struct csv_columns {
    oc_arena arena; /* of words */
    csv_column *columns;
    size_t count;
    int unit;             /* of times, as digits behind the point of a second; -1: not said */
    bool is_mixed;        /* several units are said */
    bool is_export;       /* they are those of `ocelotl-cli export` */
    size_t of[CSV_ROLES]; /* the first column of a role; `count`: none */
} csv_columns;

/* What --columns says: WORD for each column, or WORD=HEADER. */
typedef struct csv_item {
    const char *word, *header;
    bool is_used;
} csv_item;

/* Zero-initialised it says nothing. */
typedef struct csv_wanted {
    oc_arena arena;
    csv_item *items;
    size_t count;
    bool is_given;
    bool has_header; /* items are of the second kind */
} csv_wanted;

/* Reads the text of --columns; NULL says nothing. Errors: ARGUMENT for a mixture of both kinds, or
 * an empty word; MEMORY. */
ocelotl_status csv_wanted_read(csv_wanted *wanted, const char *text);

/* Finds the separator of a first row: the one that cuts it as --columns wants, else the most
 * frequent outside quotes; a comma if it has none. */
char csv_columns_separator(const char *header, size_t length, const csv_wanted *wanted);

/* Reads a first row, which needs to be no header where all columns are wanted. Errors: MEMORY;
 * INPUT, without the place, for a column that is wanted and not there. */
ocelotl_status csv_columns_read(csv_columns *columns, const csv_rows *header, csv_wanted *wanted);

/* Whether what a trace needs is there: a resource, a time, a type or a value. States need a value:
 * rows that have an end and nothing that makes them anything else. */
bool csv_columns_suffice(const csv_columns *columns);

/* Whether a trace is meant: there are at least three of a resource, a type, a value, a begin, and
 * other words that are known. A slice is of a microscopic model. */
bool csv_columns_mean(const csv_columns *columns);

/* Describes in one line what was taken for what; times are in 10^-unit_digits s. */
void csv_columns_describe(oc_text *text, const csv_columns *columns, char separator,
                          uint32_t unit_digits);

/* --- The members of an object of JSON, such as the attributes of events. */

/* A member: its place in the texts of the object. */
typedef struct csv_member {
    size_t name, name_length, text, length;
} csv_member;

/* Zero-initialised it is empty. */
typedef struct csv_object {
    oc_text source, texts;
    csv_member *members; /* without those that are null */
    size_t count, capacity;
} csv_object;

/* Reads an object; a text that is empty has no members. Strings lose their quotes and escapes;
 * numbers, words, lists and objects in it stay as they are. Errors: INPUT, without the place.
 * O(length). */
ocelotl_status csv_object_read(csv_object *object, csv_field text);

static inline csv_field csv_member_name(const csv_object *object, size_t member)
{
    const csv_member *one = &object->members[member];
    return (csv_field){object->texts.bytes + one->name, one->name_length};
}

static inline csv_field csv_member_text(const csv_object *object, size_t member)
{
    const csv_member *one = &object->members[member];
    return (csv_field){object->texts.bytes + one->text, one->length};
}

void csv_object_free(csv_object *object);

/* Zero-initialised but for `sheet` and `wanted` it is at the beginning of a file. */
typedef struct csv_table {
    csv_sheet *sheet;
    csv_wanted *wanted;
    csv_columns columns;
    csv_object object; /* of attributes */
    csv_object line;   /* of a line of JSON */
    csv_rows cut;      /* the fields of one */
    oc_text path;      /* scratch */
    char separator;
} csv_table;

/* Takes the first row of a file: its header, unless --columns says all and it is a row of data,
 * which is to be taken then: *is_data. Errors: INPUT, without the place, for columns that do not
 * make a trace. */
ocelotl_status csv_table_begin(bool *is_data, csv_table *table, const csv_rows *rows);

/* Takes one row. Errors: INPUT, without the place. */
ocelotl_status csv_table_take(csv_table *table, const csv_rows *rows);

/* Whether a first line is one of `ocelotl-cli export --json`. */
bool csv_table_is_json(const char *line, size_t length);

/* The same of a line of JSON, for a file of such lines. */
ocelotl_status csv_table_begin_json(csv_table *table);
ocelotl_status csv_table_take_json(csv_table *table, csv_field line);

/* What the column of a role says in a row; an empty text without such a column. */
static inline csv_field csv_table_field(const csv_table *table, const csv_rows *rows, csv_role role)
{
    const size_t column = table->columns.of[role];
    return column < table->columns.count ? rows->fields[column] : (csv_field){"", 0};
}

void csv_table_free(csv_table *table);

#endif
