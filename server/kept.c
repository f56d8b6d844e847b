/* What was computed and may be asked for again: partitions, the search for levels, rectangles. What
 * was used longest ago gives way. */
#define _GNU_SOURCE
#include "room.h"

#include <ocelotl/records.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const ocelotl_detail *a, const ocelotl_detail *b)
{
    return a->kind == b->kind && !(a->p < b->p) && !(a->p > b->p) && a->count == b->count &&
           a->rule == b->rule;
}

/* --- Of models */

static void drop(server_kept_one *one)
{
    ocelotl_partition_free(one->partition);
    ocelotl_level_search_free(one->search);
    free(one->fixed);
    *one = (server_kept_one){.model = NULL};
}

void server_kept_forget(server_kept *kept, const ocelotl_model *model)
{
    for (size_t i = 0; i < SERVER_KEPT_PARTITIONS; i++)
        if (model == NULL || kept->partitions[i].model == model)
            drop(&kept->partitions[i]);
    for (size_t i = 0; i < OCELOTL_SESSION_MODELS; i++)
        if (model == NULL || kept->searches[i].model == model)
            drop(&kept->searches[i]);
}

/* Finds what is kept of a model at a detail, or makes an empty place for it. */
static server_kept_one *find_place(server_kept *kept, server_kept_one *ones, size_t count,
                                   const ocelotl_model *model, const ocelotl_detail *detail,
                                   const char *fixed)
{
    server_kept_one *oldest = &ones[0];
    for (size_t i = 0; i < count; i++) {
        server_kept_one *one = &ones[i];
        if (one->model == model && is_same(&one->detail, detail) &&
            strcmp(one->fixed != NULL ? one->fixed : "", fixed) == 0) {
            one->used = ++kept->clock;
            return one;
        }
        if (one->used < oldest->used)
            oldest = one;
    }
    drop(oldest);
    oldest->used = ++kept->clock;
    oldest->detail = *detail;
    return oldest;
}

/* What says the parts of a treemap instead of a level, to be freed; NULL: memory ran out. */
static char *fixed_of(const ocelotl_request *request)
{
    static const char *const names[] = {"at", "depth"};
    char *text = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *value = ocelotl_request_get(request, names[i]);
        if (strcmp(request->command, "treemap") == 0 && value != NULL)
            return asprintf(&text, "%s=%s", names[i], value) < 0 ? NULL : text;
    }
    return strdup("");
}

ocelotl_status server_kept_find(const ocelotl_partition **partition, server_kept *kept,
                                ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_model *model = NULL;
    ocelotl_status status = ocelotl_session_model(&model, session, request);
    if (status != OCELOTL_OK)
        return status;
    char *fixed = fixed_of(request);
    if (fixed == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    server_kept_one *one =
        find_place(kept, kept->partitions, SERVER_KEPT_PARTITIONS, model, &request->detail, fixed);
    if (one->partition == NULL)
        status = ocelotl_session_partition(&one->partition, session, request);
    if (status != OCELOTL_OK || one->fixed != NULL)
        free(fixed);
    else
        one->fixed = fixed;
    if (status != OCELOTL_OK)
        return status;
    one->model = model;
    *partition = one->partition;
    return OCELOTL_OK;
}

ocelotl_status server_kept_search(ocelotl_level_search **search, server_kept *kept,
                                  ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_detail any = {.p = 0};
    const ocelotl_aggregation *aggregation = NULL;
    const ocelotl_model *model = NULL;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.knee = request->view.plain;
    options.work = kept->work;
    ocelotl_status status = ocelotl_session_model(&model, session, request);
    if (status == OCELOTL_OK)
        status = ocelotl_session_aggregation(&aggregation, session, request);
    if (status != OCELOTL_OK)
        return status;
    server_kept_one *one =
        find_place(kept, kept->searches, OCELOTL_SESSION_MODELS, model, &any, "");
    if (one->search == NULL)
        status = ocelotl_level_search_begin(&one->search, aggregation, &options);
    if (status != OCELOTL_OK)
        return status;
    one->model = model;
    *search = one->search;
    return OCELOTL_OK;
}

/* --- Rectangles, each for the p that it is known to be the best at */

enum { AT_P = 16, AT_P_FROM = 24, AT_P_TO = 32 }; /* in the header */

#define SHELF_SIZE ((size_t)64 << 20)

static void drop_book(server_shelf *shelf, server_book *book)
{
    shelf->size -= book->size;
    free(book->place);
    free(book->bytes);
    *book = (server_book){.place = NULL};
}

void server_shelf_empty(server_shelf *shelf)
{
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++)
        drop_book(shelf, &shelf->books[i]);
}

static bool is_of(const server_book *book, const char *place)
{
    return book->place != NULL && strcmp(book->place, place) == 0;
}

static bool is_known(const server_book *book, const ocelotl_detail *detail)
{
    return detail->kind == OCELOTL_DETAIL_P ? book->p_from <= detail->p && detail->p <= book->p_to
                                            : is_same(&book->asked, detail);
}

static void widen(server_book *book, double p_from, double p_to)
{
    if (p_from < book->p_from)
        book->p_from = p_from;
    if (p_to > book->p_to)
        book->p_to = p_to;
}

/* A book that is empty, or is made so, in a shelf that has room for so many bytes more. */
static server_book *make_place(server_shelf *shelf, size_t size)
{
    for (;;) {
        server_book *none = NULL, *oldest = NULL;
        for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++) {
            server_book *book = &shelf->books[i];
            if (book->place == NULL)
                none = book;
            else if (oldest == NULL || book->used < oldest->used)
                oldest = book;
        }
        if (none != NULL && (oldest == NULL || shelf->size + size <= SHELF_SIZE))
            return none;
        drop_book(shelf, oldest);
    }
}

/* What another way of asking leads to is another book of the same records. */
static void put(server_shelf *shelf, const char *place, const ocelotl_detail *asked, uint64_t parts,
                double p, const ocelotl_buffer *records)
{
    bool there = false;
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++) {
        server_book *one = &shelf->books[i];
        if (!is_of(one, place) || one->parts != parts)
            continue;
        widen(one, p, p);
        there = there || (one->asked.kind == asked->kind &&
                          (asked->kind == OCELOTL_DETAIL_P || is_known(one, asked)));
    }
    if (there)
        return;
    server_book *book = make_place(shelf, records->size);
    *book = (server_book){.place = strdup(place),
                          .parts = parts,
                          .p_from = p,
                          .p_to = p,
                          .asked = *asked,
                          .bytes = malloc(records->size),
                          .used = ++shelf->clock};
    if (book->place == NULL || book->bytes == NULL) {
        drop_book(shelf, book);
        return;
    }
    memcpy(book->bytes, records->bytes, records->size);
    book->size = records->size;
    shelf->size += book->size;
}

void server_shelf_put(server_shelf *shelf, const char *place, const ocelotl_detail *asked,
                      uint64_t parts, double p, const ocelotl_buffer *records)
{
    if (records->size < OCELOTL_RECORDS_HEADER || records->size > SHELF_SIZE)
        return;
    pthread_mutex_lock(&shelf->lock);
    put(shelf, place, asked, parts, p, records);
    pthread_mutex_unlock(&shelf->lock);
}

void server_shelf_widen(server_shelf *shelf, const char *place, double p, double p_from,
                        double p_to)
{
    const ocelotl_detail at = {.kind = OCELOTL_DETAIL_P, .p = p};
    const size_t length = strlen(place);
    pthread_mutex_lock(&shelf->lock);
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++) {
        server_book *book = &shelf->books[i];
        const bool is_at = book->place != NULL && strncmp(book->place, place, length) == 0 &&
                           book->place[length] == '\n' &&
                           strchr(book->place + length + 1, '\n') == NULL;
        if (is_at && is_known(book, &at))
            widen(book, p_from, p_to);
    }
    pthread_mutex_unlock(&shelf->lock);
}

/* A double as records have it. */
static void set_number(char *bytes, size_t at, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++)
        bytes[at + i] = (char)(unsigned char)(bits >> (8 * i));
}

/* The p of the header is the one that is asked for. */
static ocelotl_status write_book(const ocelotl_sink *sink, const server_book *book,
                                 const ocelotl_detail *detail)
{
    char header[OCELOTL_RECORDS_HEADER];
    memcpy(header, book->bytes, sizeof header);
    if (detail->kind == OCELOTL_DETAIL_P)
        set_number(header, AT_P, detail->p);
    set_number(header, AT_P_FROM, book->p_from);
    set_number(header, AT_P_TO, book->p_to);
    const ocelotl_status status = sink->write(sink->context, header, sizeof header);
    return status == OCELOTL_OK
               ? sink->write(sink->context, book->bytes + sizeof header, book->size - sizeof header)
               : status;
}

ocelotl_status server_shelf_get(bool *found, const ocelotl_sink *sink, server_shelf *shelf,
                                const char *place, const ocelotl_detail *detail)
{
    ocelotl_status status = OCELOTL_OK;
    *found = false;
    pthread_mutex_lock(&shelf->lock);
    for (size_t i = 0; i < SERVER_SHELF_BOOKS && !*found; i++) {
        server_book *book = &shelf->books[i];
        if (!is_of(book, place) || !is_known(book, detail))
            continue;
        *found = true;
        book->used = ++shelf->clock;
        status = write_book(sink, book, detail);
    }
    pthread_mutex_unlock(&shelf->lock);
    return status;
}
