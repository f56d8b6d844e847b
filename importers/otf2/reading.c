/* The callbacks of the library for global definitions. */
#include "importers/otf2/definitions.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

/* Counts a record, and stops the library where something failed. */
static OTF2_CallbackCode go_on(otf2_definitions *definitions, const char *kind, bool is_used,
                               ocelotl_status status)
{
    if (status == OCELOTL_OK)
        status = oc_kinds_count(definitions->kinds, kind,
                                is_used ? OCELOTL_FATE_DEFINITION : OCELOTL_FATE_LEFT_OUT, 1,
                                is_used ? NULL : "nothing in the trace needs it");
    definitions->status = status;
    return status == OCELOTL_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static ocelotl_status add_index(otf2_index *to, uint64_t number, size_t index)
{
    if (index >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more than %u definitions of one kind", OC_MAP_NONE);
    if (number == to->same && number == index) {
        to->same++;
        return OCELOTL_OK;
    }
    return oc_map_set(&to->others, &number, sizeof number, (uint32_t)index);
}

static ocelotl_status add(otf2_definitions *definitions, otf2_table *table, const otf2_item *item)
{
    if (otf2_table_find(table, item->reference) != NULL) {
        definitions->twice++;
        return OCELOTL_OK;
    }
    OC_TRY(oc_arena_grow(&table->items, &table->capacity, &definitions->arena, table->count + 1,
                         sizeof *table->items));
    table->items[table->count] = *item;
    return add_index(&table->index_of, item->reference, table->count++);
}

static ocelotl_status add_members(otf2_item *item, otf2_definitions *definitions, size_t count,
                                  const uint64_t *members)
{
    otf2_list *list = &definitions->members;
    OC_TRY(oc_arena_grow(&list->numbers, &list->capacity, &definitions->arena, list->count + count,
                         sizeof *list->numbers));
    if (count > 0)
        memcpy(list->numbers + list->count, members, count * sizeof *members);
    item->other = list->count;
    item->more = count;
    list->count += count;
    return OCELOTL_OK;
}

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t epoch)
{
    otf2_definitions *definitions = data;
    definitions->has_clock = resolution > 0;
    definitions->resolution = resolution;
    definitions->offset = offset;
    definitions->length = length;
    definitions->epoch = epoch;
    return go_on(definitions, "CLOCK_PROPERTIES", true, OCELOTL_OK);
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *string)
{
    otf2_definitions *definitions = data;
    oc_arena *arena = &definitions->arena;
    const size_t count = definitions->string_count;
    ocelotl_status status = OCELOTL_OK;
    if (otf2_definitions_string(definitions, self) != NULL) {
        definitions->twice++;
        return go_on(definitions, "STRING", true, OCELOTL_OK);
    }
    status = oc_arena_grow(&definitions->strings, &definitions->string_capacity, arena, count + 1,
                           sizeof *definitions->strings);
    if (status == OCELOTL_OK) {
        definitions->strings[definitions->string_count++] =
            oc_arena_copy_utf8(arena, string != NULL ? string : "");
        status = oc_arena_status(arena);
    }
    if (status == OCELOTL_OK)
        status = add_index(&definitions->string_of, self, count);
    return go_on(definitions, "STRING", true, status);
}

/* The locations of a paradigm's ranks are found by the paradigm: their number may be that of
 * another group, too. */
static OTF2_CallbackCode on_set(void *data, OTF2_GroupRef self, OTF2_StringRef name,
                                OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                uint32_t count, const uint64_t *members)
{
    otf2_definitions *definitions = data;
    otf2_item item = {.reference = self, .name = name, .kind = type, .parent = paradigm};
    const bool is_used = type >= OTF2_GROUP_TYPE_COMM_LOCATIONS;
    const bool is_ranks = type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    if (is_ranks)
        item.reference = paradigm;
    if (is_ranks || (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0)
        item.parent = OC_OTF2_NOTHING;
    ocelotl_status status = is_used ? add_members(&item, definitions, count, members) : OCELOTL_OK;
    if (is_used && status == OCELOTL_OK)
        status = add(definitions, is_ranks ? &definitions->ranks : &definitions->sets, &item);
    return go_on(definitions, "GROUP", is_used, status);
}

static OTF2_CallbackCode on_class(void *data, OTF2_MetricRef self, uint8_t count,
                                  const OTF2_MetricMemberRef *members,
                                  OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
    uint64_t wide[UINT8_MAX];
    otf2_definitions *definitions = data;
    otf2_item item = {.reference = self, .name = OTF2_UNDEFINED_STRING};
    (void)occurrence, (void)recorder;
    for (size_t i = 0; i < count; i++)
        wide[i] = members[i];
    ocelotl_status status = add_members(&item, definitions, count, wide);
    if (status == OCELOTL_OK)
        status = add(definitions, &definitions->classes, &item);
    return go_on(definitions, "METRIC_CLASS", true, status);
}

/* --- What is kept: the name in the library, the kind, the table, the parameters, the item */

#define KEPT(X)                                                                                    \
    X(SystemTreeNode, "SYSTEM_TREE_NODE", nodes,                                                   \
      (void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class,         \
       OTF2_SystemTreeNodeRef parent),                                                             \
      .name = name, .kind = class, .parent = parent)                                               \
    X(LocationGroup, "LOCATION_GROUP", groups,                                                     \
      (void *data, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,   \
       OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef creator),                              \
      .name = name, .kind = type, .parent = parent)                                                \
    X(Location, "LOCATION", locations,                                                             \
      (void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,             \
       uint64_t events, OTF2_LocationGroupRef group),                                              \
      .name = name, .kind = type, .parent = group, .other = events)                                \
    X(Region, "REGION", regions,                                                                   \
      (void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,             \
       OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,                   \
       OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end),                  \
      .name = name, .parent = role, .other = paradigm)                                             \
    X(Comm, "COMM", communicators,                                                                 \
      (void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,                    \
       OTF2_CommRef parent, OTF2_CommFlag flags),                                                  \
      .name = name, .parent = group, .other = OC_OTF2_NOTHING)                                     \
    X(InterComm, "INTER_COMM", communicators,                                                      \
      (void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef first,                    \
       OTF2_GroupRef second, OTF2_CommRef common, OTF2_CommFlag flags),                            \
      .name = name, .parent = first, .other = second)                                              \
    X(RmaWin, "RMA_WIN", windows,                                                                  \
      (void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef communicator,            \
       OTF2_RmaWinFlag flags),                                                                     \
      .name = name, .parent = communicator)                                                        \
    X(MetricMember, "METRIC_MEMBER", members_of_classes,                                           \
      (void *data, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description,     \
       OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,           \
       int64_t exponent, OTF2_StringRef unit),                                                     \
      .name = name, .kind = mode, .parent = unit, .other = base, .more = (uint64_t)exponent)       \
    X(MetricInstance, "METRIC_INSTANCE", instances,                                                \
      (void *data, OTF2_MetricRef self, OTF2_MetricRef class, OTF2_LocationRef recorder,           \
       OTF2_MetricScope scope, uint64_t scope_of),                                                 \
      .name = scope != OTF2_SCOPE_GROUP && (scope != OTF2_SCOPE_LOCATION || scope_of != recorder), \
      .parent = class, .kind = scope, .other = scope_of, .more = OC_OTF2_NOTHING)                  \
    X(Parameter, "PARAMETER", parameters,                                                          \
      (void *data, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type),          \
      .name = name)                                                                                \
    X(Attribute, "ATTRIBUTE", attributes,                                                          \
      (void *data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description,        \
       OTF2_Type type),                                                                            \
      .name = name)                                                                                \
    X(IoRegularFile, "IO_REGULAR_FILE", files,                                                     \
      (void *data, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope),        \
      .name = name)                                                                                \
    X(IoDirectory, "IO_DIRECTORY", files,                                                          \
      (void *data, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope),        \
      .name = name)                                                                                \
    X(IoHandle, "IO_HANDLE", handles,                                                              \
      (void *data, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,                \
       OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef communicator,            \
       OTF2_IoHandleRef parent),                                                                   \
      .name = name, .parent = file)                                                                \
    X(CallingContext, "CALLING_CONTEXT", contexts,                                                 \
      (void *data, OTF2_CallingContextRef self, OTF2_RegionRef region,                             \
       OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent),                           \
      .name = OTF2_UNDEFINED_STRING, .parent = parent, .other = region)                            \
    X(Paradigm, "PARADIGM", paradigms,                                                             \
      (void *data, OTF2_Paradigm self, OTF2_StringRef name, OTF2_ParadigmClass class),             \
      .name = name)

/* --- What is counted alone */

#define COUNTED(X)                                                                                 \
    X(Unknown, "UNKNOWN", void *data)                                                              \
    X(ParadigmProperty, "PARADIGM_PROPERTY", void *data, OTF2_Paradigm paradigm,                   \
      OTF2_ParadigmProperty property, OTF2_Type type, OTF2_AttributeValue value)                   \
    X(IoParadigm, "IO_PARADIGM", void *data, OTF2_IoParadigmRef self,                              \
      OTF2_StringRef identification, OTF2_StringRef name, OTF2_IoParadigmClass class,              \
      OTF2_IoParadigmFlag flags, uint8_t count, const OTF2_IoParadigmProperty *properties,         \
      const OTF2_Type *types, const OTF2_AttributeValue *values)                                   \
    X(Callsite, "CALLSITE", void *data, OTF2_CallsiteRef self, OTF2_StringRef file, uint32_t line, \
      OTF2_RegionRef entered, OTF2_RegionRef left)                                                 \
    X(Callpath, "CALLPATH", void *data, OTF2_CallpathRef self, OTF2_CallpathRef parent,            \
      OTF2_RegionRef region)                                                                       \
    X(MetricClassRecorder, "METRIC_CLASS_RECORDER", void *data, OTF2_MetricRef metric,             \
      OTF2_LocationRef recorder)                                                                   \
    X(SystemTreeNodeProperty, "SYSTEM_TREE_NODE_PROPERTY", void *data,                             \
      OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value) \
    X(SystemTreeNodeDomain, "SYSTEM_TREE_NODE_DOMAIN", void *data, OTF2_SystemTreeNodeRef node,    \
      OTF2_SystemTreeDomain domain)                                                                \
    X(LocationGroupProperty, "LOCATION_GROUP_PROPERTY", void *data, OTF2_LocationGroupRef group,   \
      OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)                              \
    X(LocationProperty, "LOCATION_PROPERTY", void *data, OTF2_LocationRef location,                \
      OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)                              \
    X(CartDimension, "CART_DIMENSION", void *data, OTF2_CartDimensionRef self,                     \
      OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodicity)                        \
    X(CartTopology, "CART_TOPOLOGY", void *data, OTF2_CartTopologyRef self, OTF2_StringRef name,   \
      OTF2_CommRef communicator, uint8_t count, const OTF2_CartDimensionRef *dimensions)           \
    X(CartCoordinate, "CART_COORDINATE", void *data, OTF2_CartTopologyRef topology, uint32_t rank, \
      uint8_t count, const uint32_t *coordinates)                                                  \
    X(SourceCodeLocation, "SOURCE_CODE_LOCATION", void *data, OTF2_SourceCodeLocationRef self,     \
      OTF2_StringRef file, uint32_t line)                                                          \
    X(CallingContextProperty, "CALLING_CONTEXT_PROPERTY", void *data,                              \
      OTF2_CallingContextRef context, OTF2_StringRef name, OTF2_Type type,                         \
      OTF2_AttributeValue value)                                                                   \
    X(InterruptGenerator, "INTERRUPT_GENERATOR", void *data, OTF2_InterruptGeneratorRef self,      \
      OTF2_StringRef name, OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent,     \
      uint64_t period)                                                                             \
    X(IoFileProperty, "IO_FILE_PROPERTY", void *data, OTF2_IoFileRef file, OTF2_StringRef name,    \
      OTF2_Type type, OTF2_AttributeValue value)                                                   \
    X(IoPreCreatedHandleState, "IO_PRE_CREATED_HANDLE_STATE", void *data, OTF2_IoHandleRef handle, \
      OTF2_IoAccessMode mode, OTF2_IoStatusFlag flags)                                             \
    X(CallpathParameter, "CALLPATH_PARAMETER", void *data, OTF2_CallpathRef path,                  \
      OTF2_ParameterRef parameter, OTF2_Type type, OTF2_AttributeValue value)

#define KEEP(library, kind, table, parameters, ...)                            \
    static OTF2_CallbackCode on_##library parameters                           \
    {                                                                          \
        otf2_definitions *definitions = data;                                  \
        const otf2_item item = {.reference = self, __VA_ARGS__};               \
        return go_on(data, kind, true, add(data, &definitions->table, &item)); \
    }
#define COUNT(library, kind, ...)                      \
    static OTF2_CallbackCode on_##library(__VA_ARGS__) \
    {                                                  \
        return go_on(data, kind, false, OCELOTL_OK);   \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
KEPT(KEEP)
COUNTED(COUNT)
#pragma GCC diagnostic pop

/* --- Reading */

#define SET(library, ...) \
    OTF2_GlobalDefReaderCallbacks_Set##library##Callback(callbacks, on_##library);

ocelotl_status otf2_definitions_read(otf2_definitions *definitions, OTF2_Reader *reader)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (callbacks == NULL)
        return oc_fail_memory();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_set);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_class);
    KEPT(SET)
    COUNTED(SET)
    uint64_t count = 0;
    uint64_t wanted = 0;
    OTF2_ErrorCode code = OTF2_ERROR_FILE_CAN_NOT_OPEN;
    OTF2_GlobalDefReader *global = OTF2_Reader_GetGlobalDefReader(reader);
    if (global != NULL)
        code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, global, callbacks, definitions);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, global, &count);
    if (global != NULL)
        OTF2_Reader_CloseGlobalDefReader(reader, global);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OC_TRY(definitions->status);
    if (code != OTF2_SUCCESS)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the global definitions cannot be read: %s behind %llu of them",
                       OTF2_Error_GetDescription(code), (unsigned long long)count);
    code = OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &wanted);
    if (code == OTF2_SUCCESS && count < wanted)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the global definitions end after %llu, expected %llu of them",
                       (unsigned long long)count, (unsigned long long)wanted);
    return otf2_definitions_resolve(definitions);
}
