/* Keeps rectangles that were drawn before, with the p at which they are known to be best: asked for
 * again they need no solve. */
#ifndef SERVER_SHELF_H
#define SERVER_SHELF_H

#include <ocelotl/request.h>
#include <ocelotl/sink.h>

#include <pthread.h>

enum { SERVER_SHELF_BOOKS = 512 };

/* The records of a partition of a place, in a plot of a size. */
typedef struct server_book {
    char *place;    /* NULL: none is here */
    uint64_t parts; /* hash of the partition */
    double p_from, p_to;
    ocelotl_detail asked; /* what led to it first */
    char *bytes;
    size_t size;
    uint64_t used;
} server_book;

/* Zero-initialised, but for the lock. Its functions are thread-safe. */
typedef struct server_shelf {
    pthread_mutex_t lock;
    server_book books[SERVER_SHELF_BOOKS];
    size_t size, most; /* bytes */
    uint64_t clock;
} server_shelf;

ocelotl_status server_shelf_begin(server_shelf *shelf, size_t most);
void server_shelf_end(server_shelf *shelf);

/* Puts records of ocelotl_records_write onto the shelf, with their range of p and the request. A
 * book that is there becomes known for all p between: if one partition is best at two p, it is best
 * between them. It is no failure if nothing can be kept. */
void server_shelf_put(server_shelf *shelf, const char *place, const ocelotl_detail *asked,
                      uint64_t parts, double p_from, double p_to, const ocelotl_buffer *records);

/* Writes the records of a place at a detail, like those of a fresh solve. *found is whether they
 * are known, and *parts the hash of their partition. Errors: those of the sink. */
ocelotl_status server_shelf_get(bool *found, uint64_t *parts, const ocelotl_sink *sink,
                                server_shelf *shelf, const char *place,
                                const ocelotl_detail *detail);

/* Widens the range of p of a place's books that hold p, for plots of any size. */
void server_shelf_widen(server_shelf *shelf, const char *place, double p, double p_from,
                        double p_to);

#endif
