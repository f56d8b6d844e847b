/* From a path to a trace: a trace.db as it is, any other through the cache or beside it. */
#define _GNU_SOURCE
#include "answer/answer.h"
#include "base/memory.h"
#include "base/options.h"
#include "request/cache/cache.h"
#include "request/session.h"

#include <ocelotl/answer.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard_input(const ocelotl_session *session)
{
    return strcmp(session->path, "-") == 0;
}

/* --- Importing */

/* Finds the text behind the place of a line, "FILE:LINE: ", in a message; NULL: it has none. */
static const char *behind_line(const char *message)
{
    for (const char *colon = strchr(message, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        const size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 0 && strncmp(colon + 1 + digits, ": ", 2) == 0)
            return colon + 3 + digits;
    }
    return NULL;
}

/* What messages say that concern all that follows, not a line alone. */
static const char *const of_the_rest[] = {"the compressed data ", "the zip archive ",
                                          "the JSON ends ", "is no JSON "};

ocelotl_status ocelotl_import_explain(ocelotl_status status, bool lenient)
{
    const char *message = ocelotl_error_message();
    const char *reason = status == OCELOTL_ERROR_INPUT && !lenient ? behind_line(message) : NULL;
    if (reason == NULL)
        return status;
    if (strncmp(reason, "the header", 10) == 0 || strncmp(reason, "--columns", 9) == 0)
        return status; /* all depends on it */
    if (strstr(reason, "(--lenient ") != NULL)
        return status; /* the importer has said what it does then */
    bool cut = false;
    for (size_t i = 0; i < sizeof of_the_rest / sizeof of_the_rest[0]; i++)
        cut = cut || strncmp(reason, of_the_rest[i], strlen(of_the_rest[i])) == 0;
    oc_text text = {0};
    oc_text_format(&text, "%s; --lenient %s", message,
                   cut ? "imports what comes before" : "skips such lines");
    if (!text.failed)
        oc_fail(status, "%s", text.bytes);
    oc_text_free(&text);
    return status;
}

static ocelotl_status import(const ocelotl_session *session, const char *target)
{
    char *whole = is_standard_input(session) ? NULL : oc_whole_path(session->path);
    if (whole == NULL && !is_standard_input(session))
        return oc_fail_memory();
    ocelotl_import_options wanted = session->reading.import;
    if (session->options.exchange != NULL && session->options.exchange->count > 1)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is no trace.db, which several ranks need: ocelotl-cli import makes one",
                       session->path);
    wanted.work.progress = session->options.progress;
    wanted.work.context = session->options.context;
    wanted.source_path = whole;
    oc_session_begin(session, OCELOTL_STEP_IMPORTING);
    const ocelotl_status status = ocelotl_import(target, session->path, &wanted);
    oc_session_end(session);
    /* What goes to the cache, or nowhere, is for nobody else; neither is its folder. */
    if (status == OCELOTL_OK)
        (void)chmod(target, 0600);
    free(whole);
    return status;
}

/* Whatever it was imported into, a trace is called what the user calls it. */
static ocelotl_status open_database(ocelotl_session *session)
{
    return ocelotl_trace_open_as(&session->trace, session->database, session->label);
}

static ocelotl_status open_without_cache(ocelotl_session *session)
{
    free(session->database);
    session->database = NULL;
    OC_TRY(oc_session_temporary(&session->database, session, ".db"));
    OC_TRY(ocelotl_import_explain(import(session, session->database),
                                  session->reading.import.lenient));
    return open_database(session);
}

/* A cache that cannot be used is no reason to fail. */
static ocelotl_status open_beside_cache(ocelotl_session *session, const char *reason)
{
    oc_session_say(session, "cannot use the cache: %s; %s is imported for this run alone",
                   reason != NULL ? reason : "out of memory", session->path);
    return open_without_cache(session);
}

/* --- Through the cache */

/* Other programs may remove what is in the cache until this one holds it, which it does until it
 * ends. What is there but cannot be opened (an older version, say) is removed, and so is what was
 * imported from files that have changed. */
static bool open_held(ocelotl_session *session)
{
    const int held = oc_cache_hold(session->database);
    if (held >= 0 && open_database(session) == OCELOTL_OK) {
        if (ocelotl_import_is_current(session->trace)) {
            oc_cache_touch(session->database);
            session->held = held;
            session->imported = true;
            return true;
        }
        ocelotl_trace_free(session->trace);
        session->trace = NULL;
    }
    if (held >= 0) {
        close(held);
        (void)oc_cache_remove(session->database);
    }
    return false;
}

/* Imports and opens; another program may do so as well, and the first one's is what both use. */
static ocelotl_status import_and_open(ocelotl_session *session)
{
    static const char gone[] = "what was imported into it is gone, or not readable";
    const ocelotl_status status = import(session, session->database);
    struct stat found;
    /* whether it was the file to write that was at fault, which is in the cache */
    const bool of_target =
        status == OCELOTL_ERROR_IO &&
        strncmp(ocelotl_error_message(), session->database, strlen(session->database)) == 0;
    const bool others =
        (status == OCELOTL_ERROR_ARGUMENT || of_target) && lstat(session->database, &found) == 0;
    if (others)
        return open_held(session) ? OCELOTL_OK : open_beside_cache(session, gone);
    if (of_target)
        return open_beside_cache(session, ocelotl_error_message());
    if (status != OCELOTL_OK)
        return ocelotl_import_explain(status, session->reading.import.lenient);
    const bool opened = open_held(session);
    if (opened)
        oc_session_say(session,
                       session->mending ? "imported %s anew into %s, which was damaged"
                                        : "imported %s into %s",
                       session->path, session->database);
    oc_cache_trim(session->database);
    return opened ? OCELOTL_OK : open_beside_cache(session, gone);
}

/* Describes what an import depends on beside the file: texts with their lengths, so that none
 * passes for another. */
static ocelotl_status describe_reading(oc_text *text, const ocelotl_import_options *import)
{
    const char *const texts[] = {import->time_unit, import->columns, import->fold_names,
                                 import->pairs};
    oc_text_format(text, "%s %d %d %d %d %d", ocelotl_version(), import->lenient, (int)import->by,
                   (int)import->value, import->stacks, import->collectives);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i] != NULL)
            oc_text_format(text, " %zu:%zu %s", i, strlen(texts[i]), texts[i]);
    for (size_t i = 0; i < import->counters.count; i++)
        oc_text_format(text, " +%zu %s", strlen(import->counters.names[i]),
                       import->counters.names[i]);
    for (size_t i = 0; i < import->increments.count; i++)
        oc_text_format(text, " ++%zu %s", strlen(import->increments.names[i]),
                       import->increments.names[i]);
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status open_through_cache(ocelotl_session *session)
{
    oc_text reading = {0};
    char *reason = NULL;
    ocelotl_status status = describe_reading(&reading, &session->reading.import);
    if (status == OCELOTL_OK)
        status = oc_cache_path(&session->database, &reason, session->path, reading.bytes);
    oc_text_free(&reading);
    OC_TRY(status);
    if (session->database == NULL)
        status = open_beside_cache(session, reason);
    else if (open_held(session))
        oc_session_say(session, "%s was imported before, using %s", session->path,
                       session->database);
    else
        status = import_and_open(session);
    free(reason);
    return status;
}

/* --- Whatever it is */

static ocelotl_status keep_standard_input(const ocelotl_session *session, const char **kept)
{
    if (session->options.standard_input == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "standard input is no trace here");
    return session->options.standard_input(session->options.context, kept);
}

static ocelotl_status identify(ocelotl_session *session)
{
    const char *kept = NULL;
    struct stat found;
    if (is_standard_input(session))
        OC_TRY(keep_standard_input(session, &kept));
    else if (stat(session->path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is no regular file and cannot be read twice; "
                       "give it as standard input: cat %s | ocelotl-cli -",
                       session->path, session->path);
    ocelotl_status status = ocelotl_identify(&session->kind, session->path);
    if (session->reading.import.columns != NULL &&
        (status == OCELOTL_ERROR_INPUT || session->kind == OCELOTL_FILE_MATRIX)) {
        session->kind = OCELOTL_FILE_TRACE; /* a table, whose header need not be known */
        status = OCELOTL_OK;
    }
    return status;
}

ocelotl_status ocelotl_session_verify(ocelotl_verification **verification, const char *path,
                                      const ocelotl_session_options *options)
{
    ocelotl_session session = {.options = OCELOTL_SESSION_OPTIONS_INIT};
    ocelotl_verify_options wanted = OCELOTL_VERIFY_OPTIONS_INIT;
    OC_TRY(oc_read_options(&session.options, sizeof session.options, options));
    wanted.work.progress = session.options.progress;
    wanted.work.context = session.options.context;
    oc_session_begin(&session, OCELOTL_STEP_VERIFYING);
    const ocelotl_status status = ocelotl_verify(verification, path, &wanted);
    oc_session_end(&session);
    return status;
}

/* A file may be damaged everywhere. */
static void warn(const ocelotl_session *session, const ocelotl_verification *verification,
                 const char *path)
{
    enum { MOST = 10 };
    const uint32_t count = ocelotl_verification_info_of(verification).damages;
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

static ocelotl_status open_salvaged(ocelotl_session *session, const char *file)
{
    ocelotl_verification *verification = NULL;
    OC_TRY(ocelotl_session_verify(&verification, file, &session->options));
    const bool damaged = ocelotl_verification_info_of(verification).damages > 0;
    ocelotl_status status = OCELOTL_OK;
    if (damaged)
        status = oc_session_temporary(&session->database, session, ".db");
    if (damaged && status == OCELOTL_OK)
        status = ocelotl_salvage(session->database, verification);
    if (damaged && status == OCELOTL_OK)
        warn(session, verification, file);
    ocelotl_verification_free(verification);
    OC_TRY(status);
    return ocelotl_trace_open_as(&session->trace, damaged ? session->database : file,
                                 session->label);
}

/* Says of a damaged trace.db what can be done, where nothing was said of it. */
static ocelotl_status advise(ocelotl_status status)
{
    const char *message = ocelotl_error_message();
    oc_text text = {0};
    if (status != OCELOTL_ERROR_INPUT || strstr(message, ": is damaged: ") == NULL ||
        strstr(message, "import the trace again") != NULL)
        return status;
    oc_text_format(&text, "%s; nothing can be read without that; import the trace again", message);
    if (!text.failed)
        oc_fail(status, "%s", text.bytes);
    oc_text_free(&text);
    return status;
}

/* A trace.db at `file`, or what is left of it. */
static ocelotl_status open_given(ocelotl_session *session, const char *file)
{
    if (session->reading.import.lenient)
        OC_TRY(open_salvaged(session, file));
    if (session->database == NULL)
        OC_TRY(oc_copy_text(&session->database, file));
    return session->trace != NULL ? OCELOTL_OK : advise(open_database(session));
}

static ocelotl_status open_trace(ocelotl_session *session)
{
    if (is_standard_input(session)) {
        /* Opens standard input, which has no name for the cache. */
        const char *kept = NULL;
        OC_TRY(keep_standard_input(session, &kept));
        const ocelotl_status status = session->kind == OCELOTL_FILE_TRACE_DB
                                          ? open_given(session, kept)
                                          : open_without_cache(session);
        free(session->database);
        session->database = NULL;
        return status;
    }
    if (session->kind == OCELOTL_FILE_TRACE_DB)
        return open_given(session, session->path);
    return session->reading.no_cache ? open_without_cache(session) : open_through_cache(session);
}

/* Lines, or the rest of the trace. */
void ocelotl_say_skipped(const ocelotl_trace *trace, const ocelotl_session_options *options)
{
    ocelotl_session session = {.options = OCELOTL_SESSION_OPTIONS_INIT};
    static const char rest[] = "skipped rest of the ";
    static const char line[] = "skipped line";
    const char *first = "";
    uint64_t lines = 0;
    if (oc_read_options(&session.options, sizeof session.options, options) != OCELOTL_OK)
        return;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(trace, i);
        if (strncmp(warning.kind, rest, strlen(rest)) == 0)
            oc_session_say(&session, "skipped the rest of the %s: %s", warning.kind + strlen(rest),
                           warning.detail);
        if (strncmp(warning.kind, line, strlen(line)) != 0)
            continue;
        first = lines == 0 ? warning.detail : first;
        lines += warning.count;
    }
    if (lines > 0)
        oc_session_say(&session, "skipped %llu line%s, such as %s", (unsigned long long)lines,
                       lines == 1 ? "" : "s", first);
}

/* Says each time what was left out, also of what was imported before. */
ocelotl_status oc_session_find(ocelotl_session *session, const ocelotl_request *request)
{
    OC_TRY(identify(session));
    if (session->kind == OCELOTL_FILE_MATRIX)
        return OCELOTL_OK;
    if (session->kind == OCELOTL_FILE_TRACE && request != NULL) {
        /* What the format of the trace does not take may be for another of the request. */
        const char *kept = NULL;
        if (is_standard_input(session))
            OC_TRY(keep_standard_input(session, &kept));
        OC_TRY(ocelotl_import_fit(&session->reading.import, session->path, request->operands,
                                  request->operand_count));
    }
    OC_TRY(open_trace(session));
    if (session->reading.import.lenient)
        ocelotl_say_skipped(session->trace, &session->options);
    return OCELOTL_OK;
}
