# Writes a trace of size n that hits one data structure: awk -v kind=KIND -v n=N -f trace.awk
# All but `spans` are Pajé traces.

function define(name, number, fields,    list, i, count) {
    print "%EventDef " name " " number
    count = split(fields, list, " ")
    for (i = 1; i <= count; i++)
        print "%  " list[i] " string"
    print "%EndEventDef"
}

function definitions() {
    define("PajeDefineContainerType", 0, "Alias Type Name")
    define("PajeDefineStateType", 1, "Alias Type Name")
    define("PajeDefineVariableType", 2, "Alias Type Name")
    define("PajeDefineEventType", 3, "Alias Type Name")
    define("PajeDefineLinkType", 4, "Alias Type StartContainerType EndContainerType Name")
    define("PajeDefineEntityValue", 5, "Alias Type Name")
    define("PajeCreateContainer", 6, "Time Alias Type Container Name")
    define("PajeDestroyContainer", 7, "Time Type Name")
    define("PajeSetState", 10, "Time Type Container Value")
    define("PajePushState", 11, "Time Type Container Value Size")
    define("PajePopState", 12, "Time Type Container")
    define("PajeSetVariable", 13, "Time Type Container Value")
    define("PajeNewEvent", 14, "Time Type Container Value")
    define("PajeStartLink", 15, "Time Type Container Value StartContainer Key Size")
    define("PajeEndLink", 16, "Time Type Container Value EndContainer Key")
    print "0 HT 0 HOST\n1 ST HT S\n2 VT HT V\n3 ET HT E\n4 LT 0 HT HT L\n6 0 c HT 0 h\n10 0 ST c v0"
}

# Containers one in the other, ended from the inside; each with a state of its own or without any.
function deep(states,    i) {
    print "0 T0 0 t0\n6 0 d0 T0 0 d"
    for (i = 1; i < n; i++)
        print "0 T" i " T" i - 1 " t" i "\n6 0 d" i " T" i " d" i - 1 " d"
    for (i = 0; i < n && states; i++)
        print "1 D" i " T" i " s\n10 0 D" i " d" i " v" i % 3
    for (i = n - 1; i >= 0; i--)
        print "7 " n - i " T" i " d" i
}

# Containers side by side: with names of their own, with one name, or with one and names that look
# like its numbers.
function wide(like,    i, name) {
    for (i = 0; i < n; i++) {
        name = like == "wide" ? "h" i : like == "suffixed" && i < n / 2 ? "x#" i + 2 : "x"
        print "6 0 w" i " HT 0 " name "\n10 0 ST w" i " v" i % 3
    }
}

# Containers side by side whose states are their own, each from a time of its own.
function behaviours(    i) {
    for (i = 0; i < n; i++)
        print "6 0 w" i " HT 0 h" i "\n10 " i * 7919 % n " ST w" i " v" (kind == "alone" ? i : 0)
}

# The same container is made and ended again and again.
function recreate(    i) {
    for (i = 0; i < n; i++)
        print "6 " i " r HT 0 r\n10 " i " ST r v1\n7 " i + 1 " HT r"
}

# Event types with an event each; each of a name of its own, or all of one.
function types(number, own,    i) {
    for (i = 0; i < n; i++)
        print number, "X" i, number == 4 ? "0 HT HT" : "HT", own ? "x" i : "x"
    for (i = 0; i < n; i++)
        print number == 4 ? "15 " i " X" i " 0 l c k 1\n16 " i " X" i " 0 l c k" : \
              (number == 1 ? 10 : number == 2 ? 13 : 14) " " i " X" i " c " i
}

# Containers that are each of a type of their own, with states of their own.
function families(    i) {
    for (i = 0; i < n; i++)
        print "0 C" i " 0 c" i "\n1 S" i " C" i " s" i \
            "\n6 0 f" i " C" i " 0 f" i "\n10 0 S" i " f" i " v"
}

# Links that are open together, of one key or of keys of their own, and of values of their own or
# one; they end in the order in which they begin.
function links(own, values,    i) {
    for (i = 0; i < n; i++)
        print "15 " i " LT 0 l" (values ? i : "") " c k" (own ? i : "") " 1"
    for (i = 0; i < n; i++)
        print "16 " n + i " LT 0 l" (values ? i : "") " c k" (own ? i : "")
}

# Links that all begin at one instant, and all end at one.
function instant(    i) {
    for (i = 0; i < n; i++)
        print "15 1 LT 0 l c k" i " 1"
    for (i = 0; i < n; i++)
        print "16 2 LT 0 l c k" i
}

# Trace events in JSON: spans of one thread that cross, so that all are open at once.
function spans(    i) {
    print "["
    for (i = 0; i < n; i++)
        print "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":" i ",\"dur\":" n "}" \
            (i + 1 < n ? "," : "]")
}

function push(    i) {
    for (i = 0; i < n; i++)
        print "11 " i " ST c v" i % 3 " 1"
}

function values(    i) {
    for (i = 0; i < n; i++)
        print "10 " i " ST c v" i
}

# One name of n bytes for whatever has a name.
function long_names(    long) {
    for (long = "x"; length(long) < n;)
        long = long long
    print "6 0 l HT 0 " long "\n1 SL HT s" long "\n10 0 SL l v" long \
        "\n10 1 ST l w" long "\n10 2 ST l u" long
    print "14 2 ET l e" long "\n15 2 LT 0 l" long " l k" long " 3" \
        "\n16 3 LT 0 l" long " l k" long "\n10 9 ST l z"
}

BEGIN {
    if (kind == "spans") {
        spans()
        exit
    }
    definitions()
    if (kind == "deep") deep(0)
    else if (kind == "deepstates") deep(1)
    else if (kind == "recreate") recreate()
    else if (kind == "states") types(1, 1)
    else if (kind == "variables") types(2, 1)
    else if (kind == "events") types(3, 1)
    else if (kind == "linktypes") types(4, 1)
    else if (kind == "twins") types(1, 0)
    else if (kind == "families") families()
    else if (kind == "samekey") links(0, 0)
    else if (kind == "keys") links(1, 0)
    else if (kind == "linkvalues") links(1, 1)
    else if (kind == "alone" || kind == "apart") behaviours()
    else if (kind == "instant") instant()
    else if (kind == "push") push()
    else if (kind == "values") values()
    else if (kind == "long") long_names()
    else wide(kind)
    print "10 " 2 * n + 1 " ST c v1"
}
