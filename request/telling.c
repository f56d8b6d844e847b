/* Reports to a session's caller. */
#define _GNU_SOURCE
#include "request/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- Messages */

void oc_session_say(const ocelotl_session *session, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    if (session->options.say == NULL)
        return;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    session->options.say(session->options.context, text);
    free(text);
}

void oc_session_begin(const ocelotl_session *session, ocelotl_step step)
{
    if (session->options.begin_step != NULL)
        session->options.begin_step(session->options.context, step);
}

void oc_session_begin_reading(ocelotl_work *work, const ocelotl_session *session)
{
    work->progress = session->options.progress;
    work->context = session->options.context;
    oc_session_begin(session, OCELOTL_STEP_READING);
}

void oc_session_end(const ocelotl_session *session)
{
    if (session->options.end_step != NULL)
        session->options.end_step(session->options.context);
}

/* --- Temporary files */

/* Makes the folder in $TMPDIR or /var/tmp, as SQLite does: /tmp may be memory, too small for large
 * files. */
static ocelotl_status make_folder(ocelotl_session *session)
{
    const char *where = getenv("TMPDIR");
    if (where == NULL || where[0] == '\0')
        where = "/var/tmp";
    if (asprintf(&session->folder, "%s/ocelotl-session-XXXXXX", where) < 0) {
        session->folder = NULL;
        return oc_fail_memory();
    }
    if (mkdtemp(session->folder) != NULL)
        return OCELOTL_OK;
    free(session->folder);
    session->folder = NULL;
    return oc_fail(OCELOTL_ERROR_IO, "%s: cannot make a folder for what is temporary", where);
}

ocelotl_status oc_session_temporary(char **path, ocelotl_session *session, const char *suffix)
{
    if (session->options.temporary != NULL)
        return session->options.temporary(session->options.context, path, suffix);
    if (session->folder == NULL)
        OC_TRY(make_folder(session));
    if (asprintf(path, "%s/%u%s", session->folder, ++session->file_count, suffix) < 0) {
        *path = NULL;
        return oc_fail_memory();
    }
    return OCELOTL_OK;
}

void oc_session_remove_folder(ocelotl_session *session)
{
    for (unsigned i = 1; session->folder != NULL && i <= session->file_count; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%u.db", session->folder, i) >= 0)
            unlink(path);
        free(path);
    }
    if (session->folder != NULL)
        rmdir(session->folder);
    free(session->folder);
}
