/* Replaces http.c in builds without a library for HTTP. */
#include "http.h"

#include <unistd.h>

ocelotl_status server_http_start(server_http **http, server_desk *desk, int listening)
{
    (void)http;
    (void)desk;
    close(listening);
    return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                        "this ocelotl-cli was built without libmicrohttpd, which serve needs "
                        "(Debian: libmicrohttpd-dev); build it again with that");
}

void server_http_tend(server_http *http)
{
    (void)http;
}

void server_http_stop(server_http *http)
{
    (void)http;
}
