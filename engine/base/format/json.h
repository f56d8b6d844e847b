/* The one writer of JSON: commas and escapes are its own business, keys and values the caller's.
 *
 *     oc_json json = {.out = {.sink = sink}};
 *     oc_json_object(&json, NULL);
 *     oc_json_number(&json, "p", 0.5);
 *     oc_json_end_object(&json);
 *     return oc_json_finish(&json, OCELOTL_OK);
 */
#ifndef OC_BASE_FORMAT_JSON_H
#define OC_BASE_FORMAT_JSON_H

#include "base/file/sink.h"

/* Zero-initialised it writes into `out.text`; give `out.sink` a sink to write there. */
typedef struct oc_json {
    oc_output out;
    bool follows; /* something: a comma goes before what comes next */
    /* before the next item, behind the comma: a line end and this many blanks less one; 0:
     * nothing */
    unsigned indent;
    /* the text stands in a script of a page: strings hold nothing that HTML takes for its own */
    bool for_page;
} oc_json;

/* Values. In an object `key` is the name of the member, in a list it is NULL. */
void oc_json_object(oc_json *json, const char *key);
void oc_json_list(oc_json *json, const char *key);
/* A string. What is not UTF-8 becomes U+FFFD; what a terminal would obey or hide is written as its
 * number. */
void oc_json_text(oc_json *json, const char *key, const char *text);
/* A number with the fewest digits that give it back; null for what JSON has no number for. */
void oc_json_number(oc_json *json, const char *key, double number);
void oc_json_count(oc_json *json, const char *key, uint64_t count);
void oc_json_ticks(oc_json *json, const char *key, int64_t ticks);
void oc_json_flag(oc_json *json, const char *key, bool flag);
void oc_json_null(oc_json *json, const char *key);
/* What is JSON already: the caller appends it to the text that this gives. */
oc_text *oc_json_value(oc_json *json, const char *key);

void oc_json_end_object(oc_json *json);
void oc_json_end_list(oc_json *json);

/* Puts the next key or value on a line of its own, behind `blanks` blanks. */
void oc_json_line(oc_json *json, unsigned blanks);

/* Ends a line: what comes next is a text of its own, without a comma before it. */
void oc_json_end_line(oc_json *json);

/* Ends the last line and sends all of it. Gives `status`, or the first failure to write. */
ocelotl_status oc_json_finish(oc_json *json, ocelotl_status status);

/* Appends a string with its quotes, as oc_json_text has it. */
void oc_json_append_string(oc_text *json, const char *text, size_t length);

/* Appends a member to an object that has not ended, "" at first: a number as it stands, anything
 * else as a string. The caller ends the object. */
void oc_json_append_member(oc_text *object, const char *name, const char *value, size_t length);

/* Appends the text that a string stands for, without its quotes; `escaped` is whether a backslash
 * may be in it. A byte 0, and half a character, become U+FFFD. */
void oc_json_decode(oc_text *text, const char *bytes, size_t length, bool escaped);

#endif
