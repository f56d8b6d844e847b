#define _GNU_SOURCE
#include "shell.h"

#include "ending.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Standard input as a TRACE: kept in a temporary file, so that it can be looked at, and then
 * read */

static char *kept; /* the file, until the program ends */

/* Copies standard input to a file, which takes its place. A signal that interrupts the wait for
 * more ends it. */
static ocelotl_status copy_input(int file, cli_progress *progress)
{
    static const char cancelled[] = "standard input: reading was cancelled";
    static char buffer[1 << 16];
    uint64_t done = 0;
    for (;;) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        const ssize_t got =
            poll(&input, 1, -1) > 0 ? read(STDIN_FILENO, buffer, sizeof buffer) : -1;
        if (!cli_show_progress(progress, done, 0)) {
            cli_say("%s", cancelled); /* the program ends with the step */
            return server_fail(OCELOTL_ERROR_CANCELLED, "%s", cancelled);
        }
        if (got < 0 && errno != EINTR)
            return server_fail(OCELOTL_ERROR_IO, "standard input: cannot read: %s",
                               strerror(errno));
        if (got == 0)
            return OCELOTL_OK;
        for (ssize_t at = 0; at < got;) {
            const ssize_t written = write(file, buffer + at, (size_t)(got - at));
            if (written < 0 && errno != EINTR)
                return server_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", kept, strerror(errno));
            at += written > 0 ? written : 0;
        }
        done += got > 0 ? (uint64_t)got : 0;
    }
}

static ocelotl_status keep_all(cli_progress *progress)
{
    ocelotl_status status = cli_temporary_file(&kept, ".db");
    if (status != OCELOTL_OK)
        return status;
    const int file = open(kept, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return server_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", kept, strerror(errno));
    cli_begin_step(progress, CLI_KEEPING_INPUT);
    status = copy_input(file, progress);
    cli_end_step(progress);
    if (status == OCELOTL_OK && dup2(file, STDIN_FILENO) < 0)
        status = server_fail(OCELOTL_ERROR_IO, "standard input: cannot read it again: %s",
                             strerror(errno));
    close(file);
    return status;
}

/* Reads standard input to its end, the first time, and makes it begin anew. *file is where it is
 * kept until the program ends. */
static ocelotl_status keep_input(void *context, const char **file)
{
    const ocelotl_status status = kept == NULL ? keep_all(context) : OCELOTL_OK;
    *file = kept;
    if (status == OCELOTL_OK && lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        return server_fail(OCELOTL_ERROR_IO, "standard input: cannot read it again: %s",
                           strerror(errno));
    return status;
}

/* --- Reports of a session */

static void say(void *context, const char *text)
{
    (void)context;
    cli_say("%s", text);
}

static void begin_step(void *context, ocelotl_step step)
{
    cli_begin_step(context, (int)step);
}

static void end_step(void *context)
{
    cli_end_step(context);
}

static ocelotl_status make_temporary(void *context, char **path, const char *suffix)
{
    (void)context;
    return cli_temporary_file(path, suffix);
}

void cli_set_told(cli_job *job)
{
    job->told = (ocelotl_session_options)OCELOTL_SESSION_OPTIONS_INIT;
    job->told.context = &job->progress;
    job->told.say = say;
    job->told.begin_step = begin_step;
    job->told.end_step = end_step;
    job->told.progress = cli_show_progress;
    job->told.within = cli_show_progress_within;
    job->told.temporary = make_temporary;
    job->told.standard_input = keep_input;
    job->told.exchange = cli_exchange();
}

/* A picture says all that it was drawn with, whatever becomes of a file of names. */
static int spell_line(cli_job *job)
{
    free(job->line);
    job->line = NULL;
    return cli_code(ocelotl_request_write_line(&job->line, job->request));
}

/* Leaves out what lists have and the trace does not. */
int cli_begin_session(cli_job *job)
{
    bool changed = false;
    if (job->tried)
        return CLI_READY;
    if (job->session != NULL)
        return CLI_DONE;
    int code = cli_code(
        ocelotl_session_open(&job->session, job->request->operands[0], job->request, &job->told));
    if (code != CLI_DONE)
        return code;
    code = cli_code(ocelotl_session_fit_lists(&changed, job->session, job->request));
    if (code == CLI_DONE && changed)
        code = spell_line(job);
    job->view.command = job->line;
    job->view.show = job->request->view.show;
    return code;
}

int cli_begin_trace(ocelotl_trace **trace, cli_job *job)
{
    const ocelotl_model *none = NULL;
    const int code = cli_begin_session(job);
    if (code != CLI_DONE)
        return code;
    ocelotl_status status = ocelotl_session_trace(trace, job->session);
    /* The option that a matrix has no part for is what is wrong. */
    if (status != OCELOTL_OK && job->request->zoom_count > 0)
        status = ocelotl_session_model(&none, job->session, job->request);
    return cli_code(status);
}

/* --- What is written, and where */

/* The content that --json, --csv or a format of an export asks for; 0: none is given, or they apply
 * to the output. */
static unsigned asked_content(const cli_command *command, const ocelotl_request *request)
{
    static const struct {
        const char *format;
        unsigned content;
    } formats[] = {{"pjdump", CLI_TEXT},        {"chrome", CLI_JSON_TEXT}, {"paje", CLI_TRACE_TEXT},
                   {"picl", CLI_TRACE_TEXT},    {"picl1", CLI_TRACE_TEXT}, {"matrix", CLI_CSV_TEXT},
                   {"perfetto", CLI_TRACE_TEXT}};
    if (command->writes == CLI_TRACE_DB)
        return 0;
    if (request->json || request->csv)
        return request->json ? CLI_JSON_TEXT : CLI_CSV_TEXT;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && request->format != NULL; i++)
        if (strcmp(request->format, formats[i].format) == 0)
            return formats[i].content;
    return 0;
}

/* The content to write if neither an option nor a suffix names one. */
static unsigned own_content(const cli_command *command)
{
    static const unsigned first[] = {CLI_TEXT, CLI_CSV_TEXT, CLI_SVG};
    const unsigned writes = command->writes;
    if (ocelotl_command_answering(command->name).draws)
        return CLI_SVG;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if ((writes & first[i]) != 0)
            return first[i];
    return writes;
}

static int fail_suffix(const cli_command *command, ocelotl_request *request, const char *path,
                       unsigned named)
{
    char list[80];
    const bool formats = named == CLI_TRACE_TEXT && strcmp(command->name, "export") == 0;
    const char *slash = strrchr(path, '/');
    const char *suffix = strrchr(slash != NULL ? slash : path, '.');
    cli_list_suffixes(list, sizeof list, command->writes);
    if (named != 0)
        return cli_usage(
            command->name, "%s: %s does not write %s, expected %s%s", path, command->name,
            named == CLI_OTHER || named == CLI_TRACE_TEXT ? "traces as text, or compressed files"
                                                          : cli_content_name(named),
            list, formats ? "; --format paje and others write them" : "");
    if (suffix == NULL)
        return cli_usage(command->name, "%s: no suffix, expected %s", path, list);
    /* A format that others write says so itself. */
    if (strcmp(suffix, ".parquet") == 0 && strcmp(command->name, "export") == 0)
        return cli_option_code(ocelotl_request_set(request, "format", suffix + 1), command->name);
    return cli_usage(command->name, "%s: unknown suffix \"%s\", expected %s", path, suffix, list);
}

/* A pipe or a device has any name; a folder is refused for what it is. */
static bool is_no_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* A name whose suffix stands for nothing may hold what was asked for, or a trace.db. */
static int find_content(unsigned *content, const cli_command *command, ocelotl_request *request)
{
    const char *path = request->output != NULL ? request->output : "-";
    const unsigned asked = asked_content(command, request);
    const unsigned named = cli_content_of_name(path);
    /* What other tools write they call as they like: the option says what it is. */
    const unsigned any_text = CLI_TEXT | CLI_CSV_TEXT | CLI_TRACE_TEXT;
    const bool of_tool = !request->json && !request->csv && (named & any_text) != 0 &&
                         !(asked == CLI_JSON_TEXT && named == CLI_CSV_TEXT);
    char list[80];
    /* A table goes beside a picture. */
    if ((request->json || request->csv) && (named & CLI_PICTURES) != 0 && command->tells) {
        *content = named;
        return CLI_DONE;
    }
    if (asked != 0 && named != 0 && asked != named && !of_tool) {
        cli_list_suffixes(list, sizeof list, asked);
        return cli_usage(command->name,
                         "--%s%s and -o %s exclude each other, expected a name in %s",
                         request->json  ? "json"
                         : request->csv ? "csv"
                                        : "format ",
                         request->json || request->csv ? "" : request->format, path, list);
    }
    *content = asked != 0 ? asked : named != 0 ? named : own_content(command);
    if (named != 0 && asked == 0 && (command->writes & named) == 0)
        return fail_suffix(command, request, path, named);
    if (cli_is_standard_output(path))
        return request->output != NULL && *content == CLI_TRACE_DB
                   ? cli_usage(command->name,
                               "%s does not write to standard output, expected -o FILE",
                               command->name)
                   : CLI_DONE;
    const bool any_name = asked != 0 || command->writes == CLI_TRACE_DB || is_no_file(path);
    return named != 0 || any_name || path[0] == '\0' ? CLI_DONE
                                                     : fail_suffix(command, request, path, 0);
}

/* --- What a word is */

bool cli_may_be_name(const char *word)
{
    return word[0] != '-' && word[0] != '\0' && strpbrk(word, "./") == NULL &&
           access(word, F_OK) != 0 && errno == ENOENT;
}

/* --- A command */

/* Returns whether a failure can be mended: the session imports a damaged trace of the cache anew,
 * or a default gives way. It cannot if output went to standard output, which nothing takes back. */
static bool can_mend(void *context, ocelotl_status status)
{
    cli_job *job = context;
    const bool damaged = status == OCELOTL_ERROR_INPUT && job->session != NULL &&
                         ocelotl_session_is_damaged(job->session);
    /* A file that cannot be read may be one that a default names. */
    const bool of_file = status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO;
    const bool refused =
        job->yields &&
        (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY ||
         (of_file && cli_defaults_are_named(&job->defaults, ocelotl_error_message())));
    if (cli_has_streamed() || !(damaged || refused))
        return false;
    job->failure = refused ? status : OCELOTL_OK;
    free(job->reason);
    job->reason = strdup(ocelotl_error_message());
    return job->reason != NULL;
}

/* Says which of the options that were typed change nothing. */
static void say_unused(const cli_job *job)
{
    const ocelotl_request *asked = job->asked != NULL ? job->asked : job->request;
    const ocelotl_writing writing = job->content == CLI_PNG    ? OCELOTL_WRITING_PNG
                                    : job->content == CLI_PAGE ? OCELOTL_WRITING_PAGE
                                    : cli_draws(job)           ? OCELOTL_WRITING_PICTURE
                                                               : OCELOTL_WRITING_TEXT;
    const size_t count = asked->given_count;
    cli_say_each_once(true);
    for (size_t i = count > job->typed ? count - job->typed : 0; i < count; i++) {
        const char *name = asked->given[i].name;
        const char *why = ocelotl_request_unused(job->request, name, writing);
        if (why != NULL)
            cli_say("--%s changes nothing here: %s", name, why);
    }
}

/* The palette is read once only, as it may be a pipe. */
int cli_check_and_run(const cli_command *command, cli_job *job)
{
    ocelotl_request *request = job->request;
    const bool printed = cli_is_standard_output(request->output);
    const char *trace = request->operand_count > 0 ? request->operands[0] : "";
    unsigned content = 0;
    int code = cli_option_code(ocelotl_request_check(request), command->name);
    if (code == CLI_DONE && strcmp(command->name, "import") == 0 && cli_exchange() != NULL &&
        request->shards == 0 && cli_content_of_name(request->output) != CLI_TRACE_DB)
        request->shards = cli_exchange()->count;
    if (code == CLI_DONE && !printed)
        code = cli_check_not_input(request->output, trace);
    if (code == CLI_DONE)
        code = find_content(&content, command, request);
    job->content = (cli_content)content;
    if (code == CLI_DONE && !printed)
        code = request->shards > 0
                   ? cli_expect_target(request->output)
                   : cli_check_target(request->output, job->content, request->force, trace);
    cli_set_mender(can_mend, job);
    if (code == CLI_DONE) {
        job->view = request->view;
        job->view.command = job->line;
    }
    if (code == CLI_DONE && job->view.palette != NULL && !job->tried) {
        if (job->palette == NULL)
            code = cli_code(ocelotl_palette_read(&job->palette, job->view.palette));
        job->view.colours = job->palette;
    }
    /* A server waits for long, and says so. */
    const bool tells = code == CLI_DONE && !job->tried && strcmp(command->name, "serve") != 0;
    if (tells)
        cli_begin_telling(&job->progress);
    if (code == CLI_DONE) {
        code = command->run(job);
        cli_set_mender(NULL, NULL);
        if (code == CLI_AGAIN && job->failure == OCELOTL_OK) {
            code = cli_code(ocelotl_session_renew(job->session));
            code = code == CLI_DONE ? command->run(job) : code;
        }
    }
    if (tells)
        cli_end_telling();
    if (code == CLI_DONE && !job->tried)
        say_unused(job);
    cli_set_mender(NULL, NULL);
    return code;
}

/* --- Defaults */

static int try_request(const void *of, ocelotl_request *request)
{
    cli_job job = {.request = request, .tried = true};
    const int code = cli_check_and_run(of, &job);
    free(job.reason);
    return code;
}

ocelotl_status cli_choose_defaults(const cli_command *command, cli_job *job, bool quietly)
{
    const cli_trial trial = {command->tries ? try_request : NULL, command};
    const ocelotl_status status = cli_defaults_choose(&job->defaults, job->asked, &trial, quietly);
    return status == OCELOTL_OK ? cli_defaults_make(&job->request, &job->defaults, job->asked)
                                : status;
}

/* What was applied is in what is answered as JSON, but for lists of events. */
int cli_tell_line(cli_job *job)
{
    job->spells = job->request->expanded || job->spells || cli_defaults_any(&job->defaults, false);
    if (job->spells && spell_line(job) != CLI_DONE)
        return CLI_INTERNAL;
    free(job->applied);
    job->applied = NULL;
    cli_set_last_member(NULL);
    if (!cli_defaults_any(&job->defaults, false) && !cli_defaults_any(&job->defaults, true))
        return CLI_DONE;
    job->applied = cli_defaults_json(&job->defaults);
    cli_set_last_member(job->applied);
    return job->applied != NULL ? CLI_DONE : cli_memory();
}
