"""The head of a trace of Pajé, as tests write it: the same as paje_events of cli/common.inc."""

FIELDS = {"DefineContainerType": "Alias Type Name", "DefineStateType": "Alias Type Name",
          "DefineVariableType": "Alias Type Name", "DefineEventType": "Alias Type Name",
          "DefineEntityValue": "Alias Type Name",
          "DefineLinkType": "Alias Type StartContainerType EndContainerType Name",
          "CreateContainer": "Time Alias Type Container Name",
          "DestroyContainer": "Time Type Name", "SetState": "Time Type Container Value",
          "PushState": "Time Type Container Value", "PopState": "Time Type Container",
          "SetVariable": "Time Type Container Value", "NewEvent": "Time Type Container Value",
          "StartLink": "Time Type Container Value StartContainer Key",
          "EndLink": "Time Type Container Value EndContainer Key",
          "TraceFile": "Container Type Filename"}


def head(*events):
    """Defines events, numbered from 0, NAME or NAME+FIELD.. with fields of one's own."""
    lines = []
    for number, event in enumerate(" ".join(events).split()):
        name, *more = event.split("+")
        lines.append(f"%EventDef Paje{name} {number}")
        lines += [f"% {field} {'date' if field == 'Time' else 'string'}"
                  for field in [*FIELDS[name].split(), *more]]
        lines.append("%EndEventDef")
    return "\n".join(lines)
