/* Events of a kernel's trace by their names, as LTTng and perf call them. */
#include "importers/ctf/kernel.h"

#include <string.h>

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

static bool find_alternative(ctf_place *place, const ctf_event_class *of, const char *name,
                             size_t length)
{
    char text[64];
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    return ctf_find_place(place, of, CTF_PAYLOAD, text);
}

static void find_field(ctf_place *place, const ctf_event_class *of, const char *names)
{
    const char *bar = strchr(names, '|');
    const size_t length = bar != NULL ? (size_t)(bar - names) : strlen(names);
    if (!find_alternative(place, of, names, length) && bar != NULL)
        (void)find_alternative(place, of, bar + 1, strlen(bar + 1));
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

void ctf_find_kernel_role(ctf_class *of, const char **call, const ctf_event_class *event_class)
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
