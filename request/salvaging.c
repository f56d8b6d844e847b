#include "request/salvaging.h"

#include "request/cache_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

ocelotl_status ocelotl_session_verify(ocelotl_verification **verification, const char *path,
                                      const ocelotl_session_options *options)
{
    const ocelotl_session session = {.options = *options};
    ocelotl_verify_options wanted = OCELOTL_VERIFY_OPTIONS_INIT;
    wanted.work.progress = options->progress;
    wanted.work.context = options->context;
    oc_session_begin(&session, OCELOTL_STEP_VERIFYING);
    const ocelotl_status status = ocelotl_verify(verification, path, &wanted);
    oc_session_end(&session);
    return status;
}

ocelotl_status ocelotl_damage_describe(char **text, const ocelotl_verification *verification,
                                       uint32_t index)
{
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_damage damage = ocelotl_verification_damage(verification, index);
    oc_text line = {0};
    oc_text_add(&line, damage.what);
    if (trace != NULL && damage.event_type[0] != '\0')
        oc_text_format(&line, ", %" PRIu64 " records of \"%s\" at \"%s\", from %.9g s to %.9g s",
                       damage.records, damage.event_type, damage.resource,
                       ocelotl_trace_seconds(trace, damage.from),
                       ocelotl_trace_seconds(trace, damage.to));
    if (line.failed) {
        oc_text_free(&line);
        return oc_fail_memory();
    }
    *text = line.bytes;
    return OCELOTL_OK;
}

/* A file may be damaged everywhere. */
static void warn(const ocelotl_session *session, const ocelotl_verification *verification,
                 const char *path)
{
    enum { MOST = 10 };
    const uint32_t count = ocelotl_verification_get_info(verification).damages;
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        char *text = NULL;
        const bool described = ocelotl_damage_describe(&text, verification, i) == OCELOTL_OK;
        oc_session_say(session, "%s is damaged, read around%s%s", session->label,
                       described ? ": " : "", described ? text : "");
        free(text);
    }
    if (count > MOST)
        oc_session_say(session, "and %" PRIu32 " more; ocelotl-cli verify %s lists them",
                       count - MOST, path);
}

static ocelotl_status open_left(ocelotl_session *session, ocelotl_verification *verification,
                                const char *path)
{
    if (ocelotl_verification_get_info(verification).damages == 0)
        return ocelotl_trace_open_as(&session->trace, path, session->label);
    OC_TRY(oc_session_temporary(&session->database, session, ".db"));
    OC_TRY(ocelotl_salvage(session->database, verification));
    warn(session, verification, path);
    return ocelotl_trace_open_as(&session->trace, session->database, session->label);
}

ocelotl_status oc_open_salvaged(ocelotl_session *session, const char *file)
{
    ocelotl_verification *verification = NULL;
    OC_TRY(ocelotl_session_verify(&verification, file, &session->options));
    const ocelotl_status status = open_left(session, verification, file);
    ocelotl_verification_free(verification);
    return status;
}
