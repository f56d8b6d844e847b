#define _GNU_SOURCE
#include "http.h"

#include <ctype.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum {
    MOST_CONNECTIONS = 64,
    MOST_VISITORS = 128,       /* with those that are being closed */
    PATIENCE_FOR_HEADERS = 10, /* seconds for the first of a connection */
    MOST_REQUEST = 64 * 1024,  /* bytes of a request and what it takes to read it */
    PATIENCE = 30              /* seconds that a connection may be silent */
};

static int64_t seconds_now(void)
{
    return (int64_t)(server_milliseconds() / 1000);
}

/* A connection. One that never showed the key may be anybody's. */
typedef struct visitor {
    bool here, keyed;
    int socket;
    uint64_t number; /* in the order of coming */
    int64_t until;   /* seconds of the monotonic clock for the next headers; 0: they came */
} visitor;

struct server_http {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of what follows */
    visitor visitors[MOST_VISITORS];
    uint64_t came;
};

/* --- Connections. Whoever can reach the server may open as many as they like: they must not shut
 * the page out. */

/* Its thread finds the socket closed, and ends. Until it has, the socket is its own. */
static void send_away(visitor *one)
{
    shutdown(one->socket, SHUT_RDWR);
    one->until = 0;
    one->keyed = true; /* it does not count any more */
}

static void send_oldest_away(server_http *http)
{
    visitor *oldest = NULL;
    size_t count = 0;
    for (size_t i = 0; i < MOST_VISITORS; i++) {
        visitor *one = &http->visitors[i];
        count += one->here;
        if (one->here && !one->keyed && (oldest == NULL || one->number < oldest->number))
            oldest = one;
    }
    if (count > MOST_CONNECTIONS && oldest != NULL && oldest->number != http->came)
        send_away(oldest);
}

static void meet(void *context, struct MHD_Connection *connection, void **place,
                 enum MHD_ConnectionNotificationCode what)
{
    server_http *http = context;
    visitor *one = *place;
    pthread_mutex_lock(&http->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        size_t free_one = 0;
        while (free_one < MOST_VISITORS && http->visitors[free_one].here)
            free_one++;
        if (free_one < MOST_VISITORS) { /* the library allows no more than there is room for */
            one = *place = &http->visitors[free_one];
            *one = (visitor){.here = true,
                             .socket = info->connect_fd,
                             .number = ++http->came,
                             .until = seconds_now() + PATIENCE_FOR_HEADERS};
            send_oldest_away(http);
        }
    } else if (one != NULL) {
        one->here = false;
    }
    pthread_mutex_unlock(&http->lock);
}

/* Notes that headers came, or until when they are to come; and whether the key was with them. */
static void note(server_http *http, struct MHD_Connection *connection, int64_t until, bool keyed)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    visitor *one = info != NULL ? info->socket_context : NULL;
    if (one == NULL)
        return;
    pthread_mutex_lock(&http->lock);
    one->until = until;
    one->keyed = one->keyed || keyed;
    pthread_mutex_unlock(&http->lock);
}

void server_http_tend(server_http *http)
{
    const int64_t now = seconds_now();
    pthread_mutex_lock(&http->lock);
    for (size_t i = 0; i < MOST_VISITORS; i++)
        if (http->visitors[i].here && http->visitors[i].until != 0 &&
            now >= http->visitors[i].until)
            send_away(&http->visitors[i]);
    pthread_mutex_unlock(&http->lock);
}

/* --- What goes with every answer */

static const struct {
    const char *name, *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: "
     "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Vary", "X-Ocelotl-Key, Accept-Encoding"}, /* nobody else may have it from a browser's cache */
};

/* The command may have letters that no header has: others than those of ASCII become %XX. */
static void add_command(struct MHD_Response *response, const char *command)
{
    static const char plain[] = "-_.~/='\"@,:+ ";
    char *value = command != NULL ? malloc(3 * strlen(command) + 1) : NULL;
    char *to = value;
    if (value == NULL)
        return;
    for (; *command != '\0'; command++) {
        const unsigned char letter = (unsigned char)*command;
        const bool same = letter < 128 && (isalnum(letter) || strchr(plain, letter) != NULL);
        to += same ? sprintf(to, "%c", letter) : sprintf(to, "%%%02X", letter);
    }
    MHD_add_response_header(response, "Ocelotl-Command", value);
    free(value);
}

/* The library frees the body once it is sent. A cached answer is asked for anew, unless it cannot
 * change. */
static enum MHD_Result send_answer(struct MHD_Connection *connection, server_answer *answer)
{
    const bool kept = answer->tag[0] != '\0' && (answer->status == 200 || answer->status == 304);
    char file[128];
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->body.size, answer->body.bytes, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        ocelotl_buffer_free(&answer->body);
        free(answer->command);
        return MHD_NO;
    }
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
    if (answer->file != NULL) {
        snprintf(file, sizeof file, "attachment; filename=\"%s\"", answer->file);
        MHD_add_response_header(response, "Content-Disposition", file);
    }
    if (kept)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, answer->tag);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
                            !kept               ? "no-store"
                            : answer->immutable ? "private, max-age=86400, immutable"
                                                : "private, no-cache");
    if (answer->timing[0] != '\0')
        MHD_add_response_header(response, "Server-Timing", answer->timing);
    add_command(response, answer->command);
    if (answer->gzip)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    free(answer->command);
    const enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

/* A request that came in. Its address is as it came: options have an order, and may come again. */
typedef struct incoming {
    char *address;
    bool read;   /* its headers are */
    size_t most; /* bytes that are taken of what comes with it */
    ocelotl_buffer body;
} incoming;

/* --- The page, which holds nothing of the trace */

static const struct {
    const char *path;
    ocelotl_page_file file;
    const char *type;
} files[] = {
    {"/", OCELOTL_PAGE_HTML, "text/html; charset=utf-8"},
    {"/page.css", OCELOTL_PAGE_STYLE, "text/css; charset=utf-8"},
    {"/page.js", OCELOTL_PAGE_SCRIPT, "text/javascript; charset=utf-8"},
};

/* Whether an Accept-Encoding names gzip, and does not refuse it by a quality of zero. */
static bool takes_gzip(const char *encodings)
{
    for (const char *at = encodings; at != NULL && *at != '\0'; at += *at == ',') {
        at += strspn(at, " \t");
        const char *end = at + strcspn(at, ",");
        const bool named = strncasecmp(at, "gzip", 4) == 0 && strchr(",; \t", at[4]) != NULL;
        const char *quality = strstr(at, "q=");
        if (named && (quality == NULL || quality > end))
            return true;
        if (named)
            return isdigit((unsigned char)quality[2 + strspn(quality + 2, "0.")]);
        at = end;
    }
    return false;
}

static bool answer_file(server_answer *answer, const char *path, const char *encodings)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer->body);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(path, files[i].path) != 0)
            continue;
        answer->status = 200;
        answer->type = files[i].type;
        answer->gzip = files[i].file == OCELOTL_PAGE_SCRIPT && takes_gzip(encodings);
        if (ocelotl_page_write(&sink, answer->gzip ? OCELOTL_PAGE_SCRIPT_GZIP : files[i].file) !=
            OCELOTL_OK)
            server_answer_problem(answer, 503, ocelotl_error_message(), NULL);
        return true;
    }
    return false;
}

/* --- Permissions: by the key, and the names that a browser sends */

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Whether a text is the key, in a time that does not depend on it. NULL is none. */
static bool key_fits(const server_key *key, const char *text)
{
    unsigned differs = 0;
    if (text == NULL || strlen(text) != SERVER_KEY_LENGTH)
        return false;
    for (size_t i = 0; i < SERVER_KEY_LENGTH; i++)
        differs |= (unsigned)(key->text[i] ^ text[i]);
    return differs == 0;
}

/* Whether a Host is this machine's loopback with our port; 0: any port, for what comes through a
 * socket. A page elsewhere that gave its name our address has another Host. */
static bool host_fits(const char *host, uint32_t port)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char expected[16];
    snprintf(expected, sizeof expected, ":%u", (unsigned)port);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && host != NULL; i++) {
        const size_t length = strlen(names[i]);
        const char *rest = host + length;
        if (strncmp(host, names[i], length) != 0)
            continue;
        const size_t digits = rest[0] == ':' ? strspn(rest + 1, "0123456789") : 0;
        return port != 0 ? strcmp(rest, expected) == 0
                         : rest[0] == '\0' || (digits > 0 && rest[1 + digits] == '\0');
    }
    return false;
}

/* Whether the Origin and Sec-Fetch-Site of a request are those of our own page; NULL if absent. */
static bool origin_fits(const char *origin, const char *site, const char *host)
{
    static const char scheme[] = "http://";
    if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return false;
    return origin == NULL || (strncmp(origin, scheme, strlen(scheme)) == 0 && host != NULL &&
                              strcmp(origin + strlen(scheme), host) == 0);
}

static const char api[] = "/api/v1/";

/* Gives what is wrong with a request for the page, before it is answered; false: nothing. */
static bool refuse(server_answer *answer, const server_desk *desk,
                   struct MHD_Connection *connection, const char *path)
{
    const char *host = header_of(connection, "Host");
    const bool here = host_fits(host, desk->port);
    if (here &&
        (strcmp(path, "/") == 0 || origin_fits(header_of(connection, "Origin"),
                                               header_of(connection, "Sec-Fetch-Site"), host)))
        return false;
    server_answer_problem(
        answer, 403,
        here ? "the request comes from another page" : "the request is for another host", NULL);
    return true;
}

/* The same for what needs the key; and says, before what is sent comes, whether it is larger than
 * what is taken. */
static bool refuse_asking(server_answer *answer, incoming *from, const server_desk *desk,
                          struct MHD_Connection *connection, const char *path)
{
    const bool known = strncmp(path, api, strlen(api)) == 0;
    const bool keyed = key_fits(desk->key, header_of(connection, "X-Ocelotl-Key"));
    const char *length = header_of(connection, "Content-Length");
    char message[100];
    note(desk->http, connection, 0, keyed);
    from->most = known ? server_answer_takes(path + strlen(api), answer->sent.method) : 0;
    if (known && !keyed) {
        server_answer_problem(answer, 403, "the key of the server is missing or wrong",
                              "Open the address that ocelotl-cli serve printed, with all that is "
                              "behind its #.");
    } else if (strcmp(answer->sent.method, "GET") != 0 && from->most == 0) {
        server_answer_problem(answer, 405, "the server answers GET alone at this address", NULL);
    } else if (!known) {
        server_answer_problem(answer, 404, "the server has no such address", NULL);
    } else if (length != NULL && strtoull(length, NULL, 10) > from->most) {
        snprintf(message, sizeof message, "what is sent is too large, expected at most %zu KB",
                 from->most / 1024);
        server_answer_problem(answer, 413, message, NULL);
    }
    return answer->status != 0;
}

/* --- What comes with a request */

/* Takes a piece of the body; one larger than announced ends the connection. */
static enum MHD_Result take_body(incoming *from, const char *bytes, size_t *size)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(&from->body);
    const bool fits = *size <= from->most - from->body.size;
    if (!fits || sink.write(sink.context, bytes, *size) != OCELOTL_OK)
        return MHD_NO;
    *size = 0;
    return MHD_YES;
}

/* Called when the headers are there, and again when nothing more comes. */
static enum MHD_Result answer_whole(server_desk *desk, struct MHD_Connection *connection,
                                    const char *path, const char *method, incoming *from,
                                    bool first)
{
    const bool sends = strcmp(method, "GET") != 0;
    const char *query = from->address != NULL ? strchr(from->address, '?') : NULL;
    server_answer answer = {.wanted = header_of(connection, "If-None-Match"),
                            .sent = {.method = method,
                                     .body = from->body.bytes,
                                     .size = from->body.size,
                                     .match = header_of(connection, "If-Match")}};
    note(desk->http, connection, 0, false);
    atomic_store(&desk->asked, seconds_now());
    if (refuse(&answer, desk, connection, path) ||
        (!sends && answer_file(&answer, path, header_of(connection, "Accept-Encoding"))) ||
        refuse_asking(&answer, from, desk, connection, path))
        return send_answer(connection, &answer);
    if (first && sends)
        return MHD_YES;
    server_answer_path(&answer, desk->room, path + strlen(api), query != NULL ? query + 1 : "");
    atomic_store(&desk->asked, seconds_now());
    return send_answer(connection, &answer);
}

/* Called when the headers are there, for each piece of what comes with them, and at the end. */
static enum MHD_Result answer_connection(void *context, struct MHD_Connection *connection,
                                         const char *path, const char *method, const char *version,
                                         const char *upload, size_t *upload_size, void **request)
{
    incoming *from = *request;
    (void)version;
    if (from == NULL)
        return MHD_NO;
    const bool first = !from->read;
    from->read = true;
    if (first && strcmp(method, "GET") == 0)
        return MHD_YES;
    if (*upload_size > 0)
        return take_body(from, upload, upload_size);
    return answer_whole(context, connection, path, method, from, first);
}

static void *begin_request(void *context, const char *address, struct MHD_Connection *connection)
{
    incoming *from = calloc(1, sizeof *from);
    (void)context;
    (void)connection;
    if (from != NULL)
        from->address = strdup(address);
    return from;
}

static void end_request(void *context, struct MHD_Connection *connection, void **request,
                        enum MHD_RequestTerminationCode why)
{
    const server_desk *desk = context;
    incoming *from = *request;
    (void)why;
    note(desk->http, connection, seconds_now() + PATIENCE, false);
    if (from != NULL) {
        free(from->address);
        ocelotl_buffer_free(&from->body);
    }
    free(from);
    *request = NULL;
}

/* --- Beginning and ending */

/* Signals are for the thread that waits for them. */
ocelotl_status server_http_start(server_http **http, server_desk *desk, int listening)
{
    sigset_t all, before;
    server_http *made = calloc(1, sizeof *made);
    if (made == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    pthread_mutex_init(&made->lock, NULL);
    desk->http = made;
    atomic_store(&desk->asked, seconds_now());
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    made->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL,
        answer_connection, desk, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_VISITORS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_REQUEST,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_URI_LOG_CALLBACK,
        begin_request, NULL, MHD_OPTION_NOTIFY_COMPLETED, end_request, desk,
        MHD_OPTION_NOTIFY_CONNECTION, meet, desk->http, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made->daemon == NULL) {
        free(made);
        return ocelotl_fail(OCELOTL_ERROR_IO, "the server cannot begin: the system refuses it");
    }
    *http = made;
    return OCELOTL_OK;
}

void server_http_stop(server_http *http)
{
    if (http == NULL)
        return;
    MHD_stop_daemon(http->daemon);
    pthread_mutex_destroy(&http->lock);
    free(http);
}
