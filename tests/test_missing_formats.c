/* A build without a format says what another one needs to read it. */
#include "temporary.h"

/* The table of formats, as it is in a build with few of them, takes the place of the library's. */
#define OC_BUILT   READ(csv)
#define OC_MISSING LEFT_OUT(chrome) UNFOUND(otf2, "libopen-trace-format2-dev") LEFT_OUT(paje)
#include "importers/registry.c" /* NOLINT(bugprone-suspicious-include) */

static void check_missing(const char *format, const char *needs)
{
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        CHECK(strcmp(ocelotl_format_at(i).name, format) != 0);
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++)
        if (strcmp(ocelotl_missing_format_at(i).format.name, format) == 0) {
            CHECK_TEXT(ocelotl_missing_format_at(i).needs, needs);
            CHECK(ocelotl_missing_format_at(i).format.description[0] != '\0');
            return;
        }
    CHECK(false);
}

static void check_refused(const char *name, const void *bytes, size_t length, const char *message)
{
    ocelotl_file_kind kind;
    temporary_write(temporary_path(name), bytes, length);
    CHECK_FAILS(ocelotl_identify(&kind, temporary_path(name)), OCELOTL_ERROR_INPUT, message);
}

int main(void)
{
    static const char anchor[] = "\x03"
                                 "BOTF2";
    ocelotl_file_kind kind;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    temporary_begin();
    check_missing("otf2", "the package libopen-trace-format2-dev");
    check_missing("paje", "paje in OCELOTL_FORMATS");
    check_refused("run.otf2", anchor, sizeof anchor,
                  "run.otf2: is the anchor of an OTF2 trace (.otf2), which this build does not "
                  "read, expected a build with the package libopen-trace-format2-dev");
    CHECK_FAILS(ocelotl_identify(&kind, temporary_path(".")), OCELOTL_ERROR_INPUT,
                "run.otf2: is the anchor of an OTF2 trace (.otf2), which this build does not read, "
                "expected a build with the package libopen-trace-format2-dev");
    check_refused("run.trace", "%EventDef", 9,
                  "run.trace: is of no format that is known, expected one of those listed by "
                  "`ocelotl-cli formats`; this build does not read chrome, otf2, paje");
    check_refused("run.json", "{\"a\": 1}", 8,
                  "run.json: is JSON, which this build does not read, expected a build with "
                  "chrome in OCELOTL_FORMATS");
    options.format = "otf2";
    CHECK_REFUSED(ocelotl_import(temporary_path("no.db"), temporary_path("run.otf2"), &options),
                  "this build does not read the format \"otf2\", expected a build with the package "
                  "libopen-trace-format2-dev");
    ocelotl_request *request = NULL;
    CHECK_OK(ocelotl_request_new(&request, "import"));
    CHECK_REFUSED(ocelotl_request_set(request, "format", "otf2"),
                  "this build does not read the format \"otf2\", expected a build with the package "
                  "libopen-trace-format2-dev");
    ocelotl_request_free(request);
    return 0;
}
