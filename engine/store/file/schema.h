/* The tables of a trace.db; docs/developer/store.md explains every column. */
#ifndef OC_STORE_FILE_SCHEMA_H
#define OC_STORE_FILE_SCHEMA_H

#define OC_STORE_SCHEMA                                                                            \
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"                                \
    "CREATE TABLE resource_type(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT NOT NULL);"      \
    "CREATE TABLE resource(id INTEGER PRIMARY KEY, parent INTEGER, type INTEGER NOT NULL,"         \
    " name TEXT NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT NULL, notes TEXT NOT NULL);"     \
    "CREATE TABLE event_type(id INTEGER PRIMARY KEY, category INTEGER NOT NULL, resource_type "    \
    "INTEGER,"                                                                                     \
    " name TEXT NOT NULL, colour INTEGER, count INTEGER NOT NULL, unmatched INTEGER NOT NULL,"     \
    " attributes TEXT NOT NULL);"                                                                  \
    "CREATE TABLE value(id INTEGER PRIMARY KEY, event_type INTEGER NOT NULL, name TEXT NOT NULL,"  \
    " colour INTEGER, count INTEGER NOT NULL, innermost INTEGER NOT NULL, inclusive INTEGER NOT "  \
    "NULL);"                                                                                       \
    "CREATE TABLE stream(id INTEGER PRIMARY KEY, resource INTEGER NOT NULL, event_type INTEGER "   \
    "NOT NULL,"                                                                                    \
    " role INTEGER NOT NULL, count INTEGER NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT "     \
    "NULL,"                                                                                        \
    " chunks INTEGER NOT NULL);"                                                                   \
    "CREATE TABLE chunk(stream INTEGER NOT NULL, number INTEGER NOT NULL, begin INTEGER NOT NULL," \
    " end INTEGER NOT NULL, count INTEGER NOT NULL, unit INTEGER NOT NULL, low REAL, high REAL,"   \
    " place_checksum INTEGER NOT NULL, row_checksum INTEGER NOT NULL, checksum INTEGER NOT NULL,"  \
    " totals BLOB NOT NULL, events BLOB NOT NULL);"                                                \
    "CREATE TABLE import_warning(kind TEXT PRIMARY KEY, count INTEGER NOT NULL, detail TEXT NOT "  \
    "NULL);"

/* In meta, followed by the id of a variable. */
#define OC_STORE_UNIT_KEY "unit."

/* Made at the end, when all rows are there. */
#define OC_STORE_INDEX \
    "CREATE UNIQUE INDEX chunk_order ON chunk(stream, number, begin, place_checksum);"

#endif
