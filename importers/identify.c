/* What a path is, without an import. */
#include "importers/contents.h"

#include "base/options.h"

/* Finds out what a folder is. */
static ocelotl_status identify_folder(ocelotl_identity *found, const oc_source *folder,
                                      const ocelotl_import_options *options)
{
    oc_contents contents = {0};
    ocelotl_status status = oc_contents_read(&contents, folder, options);
    if (status == OCELOTL_OK)
        status = oc_contents_judge(&contents, NULL, folder, options->lenient);
    if (status == OCELOTL_OK) {
        const oc_importer *importer = contents.importer;
        found->kind = OCELOTL_FILE_TRACE;
        found->is_folder = true;
        found->format = importer->format.name;
        found->is_whole = importer->unit == OC_UNIT_FOLDER ||
                          (importer->unit == OC_UNIT_ANCHOR && contents.taken_count == 1);
    }
    oc_contents_free(&contents);
    return status;
}

static ocelotl_status identify_source(ocelotl_identity *found, const oc_source *source,
                                      const ocelotl_import_options *options)
{
    const oc_importer *importer = NULL;
    if (source->is_folder)
        return identify_folder(found, source, options);
    OC_TRY(oc_identify_file(&found->kind, &importer, source));
    if (importer != NULL)
        found->format = importer->format.name;
    return OCELOTL_OK;
}

ocelotl_status oc_identify(ocelotl_identity *identity, const char *path, bool lenient)
{
    oc_source source = {0};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = lenient;
    ocelotl_identity found = {.format = ""};
    ocelotl_status status = oc_source_open(&source, path, &options);
    if (status == OCELOTL_OK)
        status = identify_source(&found, &source, &options);
    oc_source_close(&source);
    if (status == OCELOTL_OK)
        *identity = found;
    return status;
}

ocelotl_status ocelotl_identify_format(ocelotl_identity *identity, const char *path)
{
    return oc_identify(identity, path, false);
}

ocelotl_status ocelotl_identify(ocelotl_file_kind *kind, const char *path)
{
    ocelotl_identity identity;
    OC_TRY(oc_identify(&identity, path, true));
    *kind = identity.kind;
    return OCELOTL_OK;
}
