/* Rectangles that were drawn before, each for the p that it is known to be the best at. */
#define _GNU_SOURCE
#include "shelf.h"

#include <ocelotl/records.h>

#include <stdlib.h>
#include <string.h>

enum { AT_P = 16, AT_P_FROM = 24, AT_P_TO = 32 }; /* in the header */

ocelotl_status server_shelf_begin(server_shelf *shelf, size_t most)
{
    shelf->most = most;
    return pthread_mutex_init(&shelf->lock, NULL) == 0
               ? OCELOTL_OK
               : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

static void drop(server_shelf *shelf, server_book *book)
{
    shelf->size -= book->size;
    free(book->place);
    free(book->bytes);
    *book = (server_book){.place = NULL};
}

void server_shelf_end(server_shelf *shelf)
{
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++)
        drop(shelf, &shelf->books[i]);
    pthread_mutex_destroy(&shelf->lock);
}

static bool is_of(const server_book *book, const char *place)
{
    return book->place != NULL && strcmp(book->place, place) == 0;
}

/* Whether it is of a place, in a plot of any size. */
static bool is_at(const server_book *book, const char *place)
{
    const size_t length = strlen(place);
    return book->place != NULL && strncmp(book->place, place, length) == 0 &&
           book->place[length] == '\n' && strchr(book->place + length + 1, '\n') == NULL;
}

static bool is_known(const server_book *book, const ocelotl_detail *detail)
{
    if (detail->kind == OCELOTL_DETAIL_P)
        return book->p_from <= detail->p && detail->p <= book->p_to;
    return book->asked.kind == detail->kind && book->asked.count == detail->count &&
           book->asked.rule == detail->rule && !(book->asked.p < detail->p) &&
           !(book->asked.p > detail->p);
}

/* --- Putting */

static server_book *oldest(server_shelf *shelf)
{
    server_book *found = &shelf->books[0];
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++) {
        if (shelf->books[i].place == NULL)
            return &shelf->books[i];
        if (shelf->books[i].used < found->used)
            found = &shelf->books[i];
    }
    return found;
}

static server_book *oldest_used(server_shelf *shelf)
{
    server_book *found = NULL;
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++)
        if (shelf->books[i].place != NULL && (found == NULL || shelf->books[i].used < found->used))
            found = &shelf->books[i];
    return found;
}

static void widen(server_book *book, double p_from, double p_to)
{
    if (p_from < book->p_from)
        book->p_from = p_from;
    if (p_to > book->p_to)
        book->p_to = p_to;
}

static bool make(server_book *book, const char *place, const ocelotl_buffer *records)
{
    book->place = strdup(place);
    book->bytes = malloc(records->size);
    if (book->place != NULL && book->bytes != NULL) {
        memcpy(book->bytes, records->bytes, records->size);
        book->size = records->size;
        return true;
    }
    free(book->place);
    free(book->bytes);
    *book = (server_book){.place = NULL};
    return false;
}

/* What another way of asking leads to is another book of the same records. */
static void put(server_shelf *shelf, const char *place, const ocelotl_detail *asked, uint64_t parts,
                const double range[2], const ocelotl_buffer *records)
{
    server_book *book = NULL;
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++) {
        server_book *one = &shelf->books[i];
        if (!is_of(one, place) || one->parts != parts)
            continue;
        widen(one, range[0], range[1]);
        if (one->asked.kind == asked->kind &&
            (asked->kind == OCELOTL_DETAIL_P || is_known(one, asked)))
            book = one;
    }
    if (book != NULL)
        return;
    book = oldest(shelf);
    drop(shelf, book);
    while (shelf->size + records->size > shelf->most && oldest_used(shelf) != NULL)
        drop(shelf, oldest_used(shelf));
    if (!make(book, place, records))
        return;
    shelf->size += book->size;
    book->parts = parts;
    book->p_from = range[0];
    book->p_to = range[1];
    book->asked = *asked;
    book->used = ++shelf->clock;
}

void server_shelf_put(server_shelf *shelf, const char *place, const ocelotl_detail *asked,
                      uint64_t parts, double p_from, double p_to, const ocelotl_buffer *records)
{
    const double range[2] = {p_from, p_to};
    if (records->size < OCELOTL_RECORDS_HEADER || records->size > shelf->most)
        return;
    pthread_mutex_lock(&shelf->lock);
    put(shelf, place, asked, parts, range, records);
    pthread_mutex_unlock(&shelf->lock);
}

void server_shelf_widen(server_shelf *shelf, const char *place, double p, double p_from,
                        double p_to)
{
    const ocelotl_detail at = {.kind = OCELOTL_DETAIL_P, .p = p};
    pthread_mutex_lock(&shelf->lock);
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++)
        if (is_at(&shelf->books[i], place) && is_known(&shelf->books[i], &at))
            widen(&shelf->books[i], p_from, p_to);
    pthread_mutex_unlock(&shelf->lock);
}

/* --- Getting */

/* A double as records have it. */
static void set_number(char *bytes, size_t at, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++)
        bytes[at + i] = (char)(unsigned char)(bits >> (8 * i));
}

static server_book *find(server_shelf *shelf, const char *place, const ocelotl_detail *detail)
{
    for (size_t i = 0; i < SERVER_SHELF_BOOKS; i++)
        if (is_of(&shelf->books[i], place) && is_known(&shelf->books[i], detail))
            return &shelf->books[i];
    return NULL;
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

ocelotl_status server_shelf_get(bool *found, uint64_t *parts, const ocelotl_sink *sink,
                                server_shelf *shelf, const char *place,
                                const ocelotl_detail *detail)
{
    ocelotl_status status = OCELOTL_OK;
    pthread_mutex_lock(&shelf->lock);
    server_book *book = find(shelf, place, detail);
    *found = book != NULL;
    if (book != NULL) {
        book->used = ++shelf->clock;
        *parts = book->parts;
        status = write_book(sink, book, detail);
    }
    pthread_mutex_unlock(&shelf->lock);
    return status;
}
