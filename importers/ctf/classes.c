/* Classes of events: what is done with them, and what they carry. */
#include "importers/ctf/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    ocelotl_category category;
} types[CTF_TYPES] = {
    [CTF_EVENT] = {"Event", OCELOTL_EVENT},
    [CTF_SPAN] = {"Span", OCELOTL_STATE},
    [CTF_FUNCTION] = {"Function", OCELOTL_STATE},
    [CTF_THREAD_STATE] = {"Thread state", OCELOTL_STATE},
    [CTF_CPU_STATE] = {"CPU state", OCELOTL_STATE},
    [CTF_WAKING] = {"Waking", OCELOTL_LINK},
};

/* --- Types, values, attributes */

ocelotl_status ctf_declare_type(ctf_reader *reader, ctf_type_kind kind)
{
    ctf_type *type = &reader->types[kind];
    if (type->is_declared)
        return OCELOTL_OK;
    type->is_declared = true;
    return ocelotl_writer_event_type(&type->id, reader->writer, types[kind].category,
                                     kind == CTF_CPU_STATE ? reader->cpu_type : reader->thread_type,
                                     types[kind].name, -1);
}

ocelotl_status ctf_find_value(uint32_t *value, ctf_reader *reader, ctf_type_kind kind,
                              const char *name)
{
    bool folded = false;
    ctf_type *type = &reader->types[kind];
    const char *shown = name[0] != '\0' ? name : "(no name)";
    OC_TRY(ctf_declare_type(reader, kind));
    if (reader->folding.pattern != NULL)
        OC_TRY(oc_folding_fold(&folded, &reader->folding, shown));
    shown = folded ? reader->folding.name.bytes : shown;
    *value = oc_map_get(&type->value_of, shown, strlen(shown));
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(value, reader->writer, type->id, shown, -1));
    return oc_map_set(&type->value_of, shown, strlen(shown), *value);
}

ocelotl_status ctf_find_attribute(uint32_t *attribute, ctf_reader *reader, ctf_type_kind kind,
                                  const char *name)
{
    ctf_type *type = &reader->types[kind];
    OC_TRY(ctf_declare_type(reader, kind));
    *attribute = oc_map_get(&type->attribute_of, name, strlen(name));
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_attribute(attribute, reader->writer, type->id, name));
    return oc_map_set(&type->attribute_of, name, strlen(name), *attribute);
}

/* --- Where events of a class have their fields */

/* The first of some names in the contexts. */
static void find_context(ctf_place *place, const ctf_event_class *of, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL && !place->is_there; i++)
        if (!ctf_find_place(place, of, CTF_COMMON, names[i]))
            (void)ctf_find_place(place, of, CTF_SPECIFIC, names[i]);
}

/* Finds the fields with an event's thread and place. What perf adds stands among the event's
 * own. */
static void find_identity(ctf_class *added, const ctf_event_class *of)
{
    static const char *const processes[] = {"vpid", "pid", NULL};
    static const char *const threads[] = {"vtid", "tid", "pthread_id", NULL};
    static const char *const kernel_processes[] = {"pid", "vpid", NULL};
    static const char *const kernel_threads[] = {"tid", "vtid", NULL};
    static const char *const names[] = {"procname", NULL};
    find_context(&added->process, of, added->is_kernel ? kernel_processes : processes);
    find_context(&added->thread, of, added->is_kernel ? kernel_threads : threads);
    find_context(&added->name_of_thread, of, names);
    if (!added->process.is_there)
        (void)ctf_find_place(&added->process, of, CTF_PAYLOAD, "perf_pid");
    if (!added->thread.is_there)
        (void)ctf_find_place(&added->thread, of, CTF_PAYLOAD, "perf_tid");
    if (!ctf_find_place(&added->cpu, of, CTF_PACKET, "cpu_id"))
        (void)ctf_find_place(&added->cpu, of, CTF_PAYLOAD, "perf_cpu");
}

static bool is_same(ctf_place one, ctf_place other)
{
    return one.is_there && other.is_there && one.section == other.section &&
           one.index == other.index;
}

static bool is_end(ctf_role role)
{
    return role == CTF_AS_END || role == CTF_AS_RETURN || role == CTF_AS_INTERRUPT_END;
}

/* Adds a member. A field of an end gets a prefix, as the begin may have the same; so does a field
 * of a context that is named like one of the event. */
static ocelotl_status add_member(ctf_reader *reader, oc_map *sections, ctf_class *to,
                                 ctf_place place, const char *field)
{
    OC_TRY(oc_arena_grow(&to->members, &to->member_capacity, &reader->arena, to->member_count + 1,
                         sizeof(*to->members)));
    ctf_member *added = &to->members[to->member_count];
    *added = (ctf_member){.place = place};
    const uint32_t before = oc_map_get(sections, field, strlen(field));
    oc_text *name = &reader->key;
    oc_text_clear(name);
    if (is_end(to->role) && strcmp(field, "ret") != 0)
        oc_text_add(name, "end_");
    if (before != OC_MAP_NONE && before < place.section)
        oc_text_add(name, "context_");
    if (before == OC_MAP_NONE)
        OC_TRY(oc_map_set(sections, field, strlen(field), place.section));
    oc_text_add(name, field[0] != '\0' ? field : "(no name)");
    for (size_t i = 0; i < name->length; i++)
        if (name->bytes[i] == '\n')
            name->bytes[i] = ' ';
    if (name->failed)
        return oc_fail_memory();
    OC_TRY(ctf_find_attribute(&added->attribute, reader, to->type, name->bytes));
    to->member_count++;
    return OCELOTL_OK;
}

static ocelotl_status add_all(ctf_reader *reader, oc_map *sections, ctf_class *to,
                              const ctf_event_class *of)
{
    for (ctf_section section = CTF_PAYLOAD; section <= CTF_COMMON; section++) {
        const ctf_layout *structure = ctf_section_of(of, section);
        const size_t count = structure != NULL ? structure->field_count : 0;
        if (section == CTF_COMMON && is_end(to->role))
            continue; /* as that of the begin */
        for (size_t i = 0; i < count; i++) {
            const ctf_place place = {.is_there = true, .section = section, .index = i};
            if (!is_same(place, to->process) && !is_same(place, to->thread) &&
                !is_same(place, to->name_of_thread) && !is_same(place, to->cpu))
                OC_TRY(add_member(reader, sections, to, place, structure->fields[i].shown));
        }
    }
    return to->cpu.is_there && !is_end(to->role) && to->type != CTF_CPU_STATE
               ? add_member(reader, sections, to, to->cpu, "cpu_id")
               : OCELOTL_OK;
}

static ocelotl_status add_members(ctf_reader *reader, ctf_class *to, const ctf_event_class *of)
{
    oc_map sections = {0}; /* the first that has a field of a name */
    /* Events of other roles become states, names and lives. */
    if (to->role == CTF_AS_FUNCTION_END ||
        (to->role >= CTF_AS_SWITCH && to->role <= CTF_AS_STATEDUMP))
        return OCELOTL_OK;
    const ocelotl_status status = add_all(reader, &sections, to, of);
    oc_map_free(&sections);
    return status;
}

/* --- Roles of a kernel's events, by their names as LTTng and perf call them */

typedef struct known_event {
    const char *name; /* without the subsystem that perf puts before it */
    ctf_role role;
    /* Fields by key; "a|b": one or the other. */
    const char *fields[CTF_KEYS];
} known_event;

static const known_event known[] = {
    {"sched_switch",
     CTF_AS_SWITCH,
     {"prev_tid|prev_pid", "prev_state", "prev_comm", "next_tid|next_pid", "next_comm",
      "next_prio"}},
    {"sched_wakeup", CTF_AS_WAKEUP, {"tid|pid", "comm", "prio", "target_cpu"}},
    {"sched_wakeup_new", CTF_AS_WAKEUP, {"tid|pid", "comm", "prio", "target_cpu"}},
    {"sched_waking", CTF_AS_WAKEUP, {"tid|pid", "comm", "prio", "target_cpu"}},
    {"sched_process_fork",
     CTF_AS_FORK,
     {"child_tid|child_pid", "child_comm", "child_pid", "parent_tid|parent_pid"}},
    {"sched_process_exit", CTF_AS_PROCESS_EXIT, {"tid|pid"}},
    {"sched_process_free", CTF_AS_PROCESS_FREE, {"tid|pid"}},
    {"lttng_statedump_process_state", CTF_AS_STATEDUMP, {"tid", "pid", "name", "status", "ppid"}},
    {"irq_handler_entry", CTF_AS_INTERRUPT, {"irq", "name"}},
    {"irq_handler_exit", CTF_AS_INTERRUPT_END, {NULL}},
    {"softirq_entry", CTF_AS_SOFT_INTERRUPT, {"vec"}},
    {"softirq_exit", CTF_AS_INTERRUPT_END, {NULL}},
    {"irq_softirq_entry", CTF_AS_SOFT_INTERRUPT, {"vec"}},
    {"irq_softirq_exit", CTF_AS_INTERRUPT_END, {NULL}},
    {"sys_enter", CTF_AS_NUMBERED_CALL, {"id"}},
    {"sys_exit", CTF_AS_RETURN, {NULL}},
    {"exit_syscall", CTF_AS_RETURN, {NULL}},
};

/* How the names of system calls begin; what follows is the call. The longer stand first. */
static const struct {
    const char *prefix;
    ctf_role role;
} calls[] = {
    {"compat_syscall_entry_", CTF_AS_CALL},
    {"compat_syscall_exit_", CTF_AS_RETURN},
    {"syscall_entry_", CTF_AS_CALL},
    {"syscall_exit_", CTF_AS_RETURN},
    {"sys_enter_", CTF_AS_CALL},
    {"sys_exit_", CTF_AS_RETURN},
    {"compat_sys_", CTF_AS_CALL},
    {"sys_", CTF_AS_CALL},
};

/* Finds a field by its name, or by another: "a|b". */
static void find_field(ctf_place *place, const ctf_event_class *of, const char *names)
{
    char text[64];
    const char *bar = strchr(names, '|');
    const size_t length = bar != NULL ? (size_t)(bar - names) : strlen(names);
    snprintf(text, sizeof text, "%.*s", (int)length, names);
    if (!ctf_find_place(place, of, CTF_PAYLOAD, text) && bar != NULL)
        (void)ctf_find_place(place, of, CTF_PAYLOAD, bar + 1);
}

/* Interrupts of the processor's own, such as local_timer: "x86_irq_vectors_local_timer_entry". */
static void find_vector(ctf_class *of, const char **call, const char *name)
{
    const char *vectors = strstr(name, "irq_vectors");
    const size_t length = strlen(name);
    if (vectors == NULL || length < 16)
        return;
    if (strcmp(name + length - 6, "_entry") == 0)
        of->role = CTF_AS_VECTOR;
    else if (strcmp(name + length - 5, "_exit") == 0)
        of->role = CTF_AS_INTERRUPT_END;
    else
        return;
    *call = vectors + strlen("irq_vectors") + 1;
}

/* The role stays CTF_AS_EVENT for all others. For system calls *call is the name of the call,
 * within the event's. */
static void find_kernel_role(ctf_class *of, const char **call, const ctf_event_class *event_class)
{
    const char *colon = strchr(of->name, ':');
    const char *own = colon != NULL ? colon + 1 : of->name;
    *call = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(own, known[i].name) != 0)
            continue;
        of->role = known[i].role;
        for (size_t key = 0; key < CTF_KEYS && known[i].fields[key] != NULL; key++)
            find_field(&of->keys[key], event_class, known[i].fields[key]);
        return;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const size_t length = strlen(calls[i].prefix);
        if (strncmp(own, calls[i].prefix, length) != 0)
            continue;
        of->role = calls[i].role;
        *call = own + length;
        return;
    }
    find_vector(of, call, of->name);
}

/* --- Classes */

static bool begins_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static ocelotl_status choose_role(ctf_reader *reader, ctf_class *added, const ctf_trace *trace,
                                  const ctf_event_class *of)
{
    const char *call = "";
    const char *colon = strchr(added->name, ':');
    const char *own = colon != NULL ? colon + 1 : added->name;
    added->role = CTF_AS_EVENT;
    if (added->is_kernel)
        find_kernel_role(added, &call, of);
    if (added->role != CTF_AS_EVENT) { /* the value of a system call, or of an interrupt */
        oc_text_clear(&reader->key);
        if (added->role == CTF_AS_VECTOR)
            oc_text_format(&reader->key, "irq %.*s", (int)(strlen(call) - strlen("_entry")), call);
        else
            oc_text_add(&reader->key, call);
        return reader->key.failed ? oc_fail_memory() : OCELOTL_OK;
    }
    if (begins_with(added->name, "lttng_ust_cyg_profile") &&
        (strcmp(own, "func_entry") == 0 || strcmp(own, "func_exit") == 0)) {
        added->role = strcmp(own, "func_entry") == 0 ? CTF_AS_FUNCTION_BEGIN : CTF_AS_FUNCTION_END;
        (void)ctf_find_place(&added->keys[0], of, CTF_PAYLOAD, "addr");
        return OCELOTL_OK;
    }
    if (!added->is_kernel && (strcmp(added->name, "lttng_ust_statedump:bin_info") == 0 ||
                              strcmp(added->name, "lttng_ust_lib:load") == 0)) {
        static const char *const fields[] = {"baddr", "memsz", "path", "is_pic"};
        added->role = CTF_AS_LOADED;
        for (size_t i = 0; i < 4; i++)
            (void)ctf_find_place(&added->keys[i], of, CTF_PAYLOAD, fields[i]);
        return OCELOTL_OK;
    }
    const char *pairs = reader->import->options->pairs;
    /* OTF2 archives that were made CTF have events of one class for all regions. */
    if (begins_with(added->name, "Event_") &&
        oc_map_get(&trace->names, "Event_Enter", strlen("Event_Enter")) != OC_MAP_NONE &&
        !ctf_is_given(added->name, pairs)) {
        oc_oddities_note(&reader->oddities, CTF_OTF2, trace->path, 0);
        return OCELOTL_OK;
    }
    return ctf_find_pair(&added->role, &reader->key, &trace->names, added->name, pairs);
}

static ctf_type_kind type_of(ctf_role role)
{
    switch (role) {
    case CTF_AS_EVENT:
    case CTF_AS_LOADED:
        return CTF_EVENT;
    case CTF_AS_BEGIN:
    case CTF_AS_END:
        return CTF_SPAN;
    case CTF_AS_FUNCTION_BEGIN:
    case CTF_AS_FUNCTION_END:
        return CTF_FUNCTION;
    case CTF_AS_INTERRUPT:
    case CTF_AS_SOFT_INTERRUPT:
    case CTF_AS_VECTOR:
    case CTF_AS_INTERRUPT_END:
        return CTF_CPU_STATE;
    default:
        return CTF_THREAD_STATE;
    }
}

/* Chooses what the events of a class become: a type, a value, a kind that is counted. */
static ocelotl_status choose_type(ctf_reader *reader, ctf_class *added)
{
    const ctf_role role = added->role;
    added->type = type_of(role);
    OC_TRY(ctf_declare_type(reader, added->type));
    const bool is_event = role == CTF_AS_EVENT || role == CTF_AS_LOADED;
    const bool is_life =
        role == CTF_AS_STATEDUMP || role == CTF_AS_PROCESS_EXIT || role == CTF_AS_PROCESS_FREE;
    OC_TRY(oc_kinds_find(&added->kind, &reader->kinds, added->name, strlen(added->name),
                         is_event  ? OCELOTL_FATE_EVENT
                         : is_life ? OCELOTL_FATE_DEFINITION
                                   : OCELOTL_FATE_STATE,
                         NULL));
    if (is_event)
        return ctf_find_value(&added->value, reader, added->type, added->name);
    if (role == CTF_AS_BEGIN || role == CTF_AS_END || role == CTF_AS_CALL || role == CTF_AS_VECTOR)
        return ctf_find_value(&added->value, reader, added->type, reader->key.bytes);
    return OCELOTL_OK;
}

static ocelotl_status begin_class(ctf_class **added, ctf_reader *reader, uint32_t trace,
                                  const ctf_event_class *of)
{
    OC_TRY(oc_arena_grow(&reader->classes, &reader->class_capacity, &reader->arena,
                         reader->class_count + 1, sizeof(*reader->classes)));
    *added = &reader->classes[reader->class_count++];
    **added = (ctf_class){.is_kernel = reader->traces[trace].is_kernel, .value = OCELOTL_NONE};
    OC_TRY(ctf_name_event(&reader->key, of));
    (*added)->name = oc_arena_copy(&reader->arena, reader->key.bytes);
    OC_TRY(oc_arena_status(&reader->arena));
    find_identity(*added, of);
    return OCELOTL_OK;
}

/* Events that are more than instants make a pair of the user's beside that. */
static ocelotl_status add_pair(ctf_reader *reader, uint32_t trace, const ctf_event_class *of,
                               size_t first)
{
    ctf_class *added;
    const char *pairs = reader->import->options->pairs;
    const ctf_role own = reader->classes[first].role;
    if (own == CTF_AS_EVENT || own == CTF_AS_BEGIN || own == CTF_AS_END ||
        !ctf_is_given(reader->classes[first].name, pairs))
        return OCELOTL_OK;
    OC_TRY(begin_class(&added, reader, trace, of));
    reader->classes[first].pair = (uint32_t)reader->class_count;
    added->is_pair = true;
    OC_TRY(ctf_find_pair(&added->role, &reader->key, &reader->traces[trace].names, added->name,
                         pairs));
    OC_TRY(choose_type(reader, added));
    return add_members(reader, added, of);
}

ocelotl_status ctf_find_class(ctf_class **found, ctf_reader *reader, const ctf_stream *stream,
                              ctf_event_class *of)
{
    if (of->reader_class == 0) {
        ctf_class *added;
        const size_t place = reader->class_count;
        OC_TRY(begin_class(&added, reader, stream->trace, of));
        OC_TRY(choose_role(reader, added, &reader->traces[stream->trace], of));
        OC_TRY(choose_type(reader, added));
        OC_TRY(add_members(reader, added, of));
        OC_TRY(add_pair(reader, stream->trace, of, place));
        of->reader_class = (uint32_t)place + 1;
    }
    *found = &reader->classes[of->reader_class - 1];
    return OCELOTL_OK;
}
