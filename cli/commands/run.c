/* ocelotl-cli run: the commands of a file, one after the other, as a session that was saved. */
#define _GNU_SOURCE
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

/* Runs a command as a program of its own, as a shell would. Returns its exit code. */
static int run_words(char **words)
{
    static char name[] = "ocelotl-cli";
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        words[0] = name;
        execv("/proc/self/exe", words);
        _exit(CLI_INTERNAL);
    }
    if (child < 0)
        return cli_wrong("cannot begin another program: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return CLI_INTERNAL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The words of a line, behind a place for the program's own name. */
static int run_line(const char *file, size_t number, const char *line)
{
    static const char own[] = "ocelotl-cli ";
    const bool named = strncmp(line, own, sizeof own - 1) == 0;
    wordexp_t words = {.we_offs = 1};
    const int wrong = wordexp(named ? line + sizeof own - 1 : line, &words,
                              WRDE_NOCMD | WRDE_UNDEF | WRDE_DOOFFS);
    if (wrong != 0)
        return cli_wrong("%s:%zu: %s, expected a command of ocelotl-cli alone", file, number,
                         wrong == WRDE_SYNTAX    ? "a quote has no end"
                         : wrong == WRDE_BADVAL  ? "a variable is not set"
                         : wrong == WRDE_NOSPACE ? "out of memory"
                                                 : "only a shell could run it");
    int code = CLI_DONE;
    if (words.we_wordc > 0 && strcmp(words.we_wordv[1], "run") == 0)
        code = cli_wrong("%s:%zu: runs another file, expected the commands of that one", file,
                         number); /* it might be this one */
    else if (words.we_wordc > 0)
        code = run_words(words.we_wordv);
    if (code != CLI_DONE)
        cli_say("%s:%zu: ended with exit code %d; what follows is left out", file, number, code);
    wordfree(&words);
    return code;
}

int cli_run_file(const char *file)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t room = 0;
    int code = CLI_DONE;
    if (in == NULL)
        return cli_wrong("%s: cannot open: %s", file, strerror(errno));
    for (size_t number = 1; code == CLI_DONE && getline(&line, &room, in) > 0; number++) {
        const char *text = line + strspn(line, " \t\r");
        line[strcspn(line, "\r\n")] = '\0';
        if (text[0] != '#' && text[0] != '\0')
            code = run_line(file, number, text);
    }
    if (code == CLI_DONE && ferror(in))
        code = cli_wrong("%s: cannot read: %s", file, strerror(errno));
    fclose(in);
    free(line);
    return code;
}
