/* ocelotl-cli cache: what is kept between runs. */
#include "shell.h"

#include <ocelotl/cache.h>

static ocelotl_status write_list(const ocelotl_sink *sink, ocelotl_form form, void *cache)
{
    return ocelotl_cache_write(sink, form, cache);
}

/* Empties the cache. Files that other programs are writing stay, and so do foreign ones. */
static int clear(ocelotl_cache *cache)
{
    const ocelotl_cache_info before = ocelotl_cache_info_of(cache);
    const ocelotl_sink sink = ocelotl_stream_sink(stdout);
    const size_t removed = ocelotl_cache_clear(cache);
    (void)ocelotl_cache_write_removed(&sink, &before, cache, removed);
    return removed == before.count ? CLI_DONE
                                   : cli_wrong("%s: %zu files are in use, or cannot be removed",
                                               before.folder, before.count - removed);
}

int cli_cache(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_cache *cache = NULL;
    int code = cli_code(ocelotl_cache_read(&cache));
    if (code == CLI_DONE)
        code = request->clear ? clear(cache)
                              : cli_write_answer(request->output, job->content, write_list, cache);
    ocelotl_cache_free(cache);
    return code;
}
