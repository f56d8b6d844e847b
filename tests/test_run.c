/* What a run says of its shards is looked at before it is believed, also where its checksums are
 * those of what it says. */
#include "temporary.h"

#include "test_checksums.h"

#include <ocelotl/run.h>
#include <ocelotl/verify.h>

enum { RESOURCES = 4 };

static void write_run(const char *target)
{
    uint32_t shards = 2;
    ocelotl_run *run;
    ocelotl_trace *trace;
    CHECK_OK(ocelotl_run_open(&run, target, true, NULL));
    ocelotl_writer *writer = must_write(ocelotl_run_whole(run), NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t state = must_type(writer, OCELOTL_STATE, type, "state");
    const uint32_t value = must_value(writer, state, "value");
    for (uint32_t r = 0; r < RESOURCES; r++)
        must_state(writer, must_resource(writer, type, OCELOTL_ROOT, "resource", 0), state, value,
                   0, 1000);
    must_finish(writer);
    CHECK_OK(ocelotl_trace_open(&trace, ocelotl_run_whole(run)));
    CHECK_OK(ocelotl_run_split(&shards, run, trace, NULL));
    CHECK(shards == 2);
    ocelotl_trace_free(trace);
    ocelotl_run_free(run);
    CHECK(ocelotl_is_run(target));
}

static void check_shard(const char *text, const char *message)
{
    const char *target = temporary_path("run");
    const char *path = temporary_path("run/run.db");
    ocelotl_trace *trace;
    write_run(target);
    database_change(path, "UPDATE meta SET value = %s WHERE key = 'shard.1'", text);
    checksums_renew_file(path);
    CHECK_FAILS(ocelotl_trace_open(&trace, target), OCELOTL_ERROR_INPUT, message);
}

/* Sums that are no sums are found by those who read all. */
static void check_sums(const char *change, const char *message)
{
    const char *target = temporary_path("run");
    const char *path = temporary_path("run/run.db");
    ocelotl_verification *found;
    write_run(target);
    database_change(path, "%s", change);
    checksums_renew_file(path);
    CHECK_OK(ocelotl_verify(&found, target, NULL));
    CHECK(ocelotl_verification_info_of(found).damages == 1);
    CHECK(strstr(ocelotl_verification_damage_at(found, 0).what, message) != NULL);
    ocelotl_verification_free(found);
}

int main(void)
{
    static const char odd[] = "a shard that is no file of streams";
    static const char other[] = "it has other streams than its shards";
    temporary_begin();
    check_shard("''", odd);
    check_shard("'1.db'", odd);
    check_shard("'1.db;a;1;2;'", odd);
    check_shard("'1.db;a;1;2;-1'", odd);
    check_shard("'../1.db;a;1;2;2'", odd);
    check_shard("';a;1;2;2'", odd);
    check_shard("'1.db;a;1;4294967295;2'", odd);
    check_shard("'1.db;a;1;2;4'", "a shard of unknown resources");
    check_shard("'1.db;a;1;3;2'", other);
    check_shard("'1.db;a;1;2;1'", other);
    check_shard("'1.db;a;1;2;0'", other);
    check_shard("'1.db;a;9223372036854775807;2;2'", "its shards are too large");
    check_sums("UPDATE event_type SET count = count + 1", "the counts of run.db");
    check_sums("UPDATE stream SET chunks = chunks + 1 WHERE id = 3", "the streams of run.db");
    unlink(temporary_path("run/0.db"));
    unlink(temporary_path("run/1.db"));
    unlink(temporary_path("run/run.db"));
    return 0;
}
