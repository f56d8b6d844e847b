/* -o FILE.html: the report, a page of all levels. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "which_p.h"

/* Finds the levels and writes the page, which begins with the level asked for. Gives an exit code.
 */
int cli_write_report(const char *path, cli_loaded *loaded, const cli_which_p *which,
                     const ocelotl_picture_options *options);

#endif
