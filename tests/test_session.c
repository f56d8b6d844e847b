/* Sessions that have no trace: of a matrix, and of a model that was made already. */
#include "temporary.h"

#include <ocelotl/session.h>

static const char rows[] =
    "path,type,slice,value\na,x,0,1.25\na,x,1,2e-1\na,y,1,0.0625\nb,x,0,3.5\n";

/* Events are of a trace, whatever they are asked for. */
static void check_no_events(ocelotl_session *session)
{
    ocelotl_request *request = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection;
    CHECK_OK(ocelotl_request_new(&request, "stats"));
    CHECK_FAILS(ocelotl_session_events(&events, &selection, session, request), OCELOTL_ERROR_INPUT,
                "is a microscopic model, expected a trace");
    ocelotl_request_free(request);
}

static void check_matrix(const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_request *request = NULL;
    CHECK_OK(ocelotl_request_new(&request, "overview"));
    CHECK_OK(ocelotl_session_open(&session, path, request, NULL));
    check_no_events(session);
    ocelotl_session_free(session);
    ocelotl_request_free(request);
}

static void check_model(const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_request *request = NULL;
    ocelotl_request *other = NULL;
    ocelotl_model *model = NULL;
    const ocelotl_model *found = NULL;
    CHECK_OK(ocelotl_model_from_csv(&model, path));
    CHECK_OK(ocelotl_request_new(&request, "overview"));
    CHECK_OK(ocelotl_request_new(&other, "overview"));
    CHECK_OK(ocelotl_request_set(other, "kind", "temporal"));
    CHECK_OK(ocelotl_session_of_model(&session, model, NULL));
    CHECK_OK(ocelotl_session_model(&found, session, request));
    CHECK(found == model);
    CHECK_FAILS(ocelotl_session_model(&found, session, other), OCELOTL_ERROR_ARGUMENT,
                "the session is of a model that was made already");
    CHECK_OK(ocelotl_session_model(&found, session, request));
    CHECK(found == model);
    check_no_events(session);
    ocelotl_session_free(session);
    ocelotl_request_free(other);
    ocelotl_request_free(request);
}

int main(void)
{
    temporary_begin();
    char *path = strdup(temporary_path("matrix.csv"));
    CHECK(path != NULL);
    temporary_write(path, rows, sizeof rows - 1);
    check_matrix(path);
    check_model(path);
    free(path);
    return 0;
}
