#!/usr/bin/env python3
"""Spans of services: makes traces of a small shop in several formats, and counts what any file of
them holds, literally.

    service_spans.py make KIND [TRACES]    to standard output; KIND: otlp, lines, jaeger, zipkin, or
                                           protobuf, frames: as otlp, lines in protocol buffers,
                                           packed: as frames, each compressed by zstd
    service_spans.py fault KIND FAULT TRACES SEED    ten minutes of 13 services at three
                                           instances each; FAULT: none, or slow: one instance of
                                           payment takes four times as long for two minutes, and
                                           fails: one of catalog fails for one; or both
    service_spans.py count FILE..          a line for each service and value: spans and nanoseconds;
                                           the last one: references between services, and all
"""
import collections
import json
import random
import struct
import subprocess
import sys

CALLS = {"web": [("cart", "add"), ("cart", "list"), ("auth", "check")],
         "cart": [("db", "SELECT"), ("db", "INSERT")], "auth": [("db", "SELECT")], "db": []}
EPOCH = 1_700_000_000_000_000_000


def make_span(chance, spans, trace, parent, service, name, begin, bad):
    """A span and those within it; gives when it ends. Times are whole microseconds. In bad times
    the database is slow, and fails."""
    number = f"{len(spans) + 0xA000:016x}"
    span = {"trace": trace, "id": number, "parent": parent, "service": service, "name": name,
            "instance": chance.randrange(2), "begin": begin, "kind": "SERVER",
            "is_error": service == "db" and chance.random() < (0.5 if bad else 0.02),
            "follows": None}
    spans.append(span)
    now = begin + chance.randrange(1, 50) * 1000
    for callee, what in CALLS[service]:
        if chance.random() < 0.7:
            skew = 2000 if chance.random() < 0.02 else 0  # a clock that is late
            end = make_span(chance, spans, trace, number, callee, what, now - skew, bad)
            now = (max(now, end) if chance.random() < 0.8 else now) + 1000
    slow = 9 if bad and service == "db" else 1
    span["end"] = max(now, begin) + chance.randrange(1, 90) * 1000 * slow
    return span["end"]


def make_all(count):
    chance = random.Random(3)
    spans, now = [], EPOCH
    for trace in range(count):
        first = len(spans)
        name = chance.choice(["GET /", "GET /cart", "POST \"pay\" \u00e9"])
        make_span(chance, spans, f"{trace + 1:032x}", "", "web", name, now,
                  0.5 <= trace / count < 0.62)
        if trace > 3 and chance.random() < 0.1:
            spans[first]["follows"] = spans[chance.randrange(first)]
        now += chance.randrange(1, 400) * 1000
    return spans


# Who asks whom, how often, and how many milliseconds of its own an operation takes.
ASKS = {"gateway": [("auth", "Verify", 1), ("frontend", "Render", .8), ("api", "Route", .6)],
        "frontend": [("catalog", "List", .8), ("recommend", "Suggest", .5)],
        "api": [("cart", "Get", .5), ("checkout", "Place", .3)], "auth": [("users", "Find", .4)],
        "catalog": [("inventory", "Query", .7)], "recommend": [("catalog", "Get", .4)],
        "cart": [("inventory", "Reserve", .3)], "payment": [("users", "Get", .5)],
        "checkout": [("cart", "Get", 1), ("payment", "Charge", 1), ("shipping", "Quote", .7),
                     ("email", "Send", .5)]}
TAKES = {"gateway": 2, "frontend": 6, "api": 3, "auth": 3, "catalog": 5, "recommend": 12, "cart": 4,
         "checkout": 8, "payment": 25, "shipping": 10, "email": 15, "inventory": 6, "users": 3}
PAGES = ["GET /", "GET /product", "POST /cart", "POST /checkout"]


def ask(chance, spans, trace, parent, service, name, begin, fault):
    """The same with one instance that is slow, or fails, for some time."""
    instance = chance.randrange(3)
    number = f"{len(spans) + 0xA000:016x}"
    at = (begin - EPOCH) / 1e9
    fails = fault in ("fails", "both") and (service, instance) == ("catalog", 2) and 400 <= at < 460
    slow = fault in ("slow", "both") and (service, instance) == ("payment", 1) and 180 <= at < 300
    span = {"trace": trace, "id": number, "parent": parent, "service": service, "name": name,
            "instance": instance, "begin": begin, "kind": "SERVER", "follows": None,
            "is_error": chance.random() < (0.6 if fails else 0.002)}
    spans.append(span)
    own = TAKES[service] * 1000 * chance.lognormvariate(0, 0.4) * (4 if slow else 1)
    now = begin + int(own * 0.4) * 1000
    for callee, what, share in ASKS.get(service, []):
        if chance.random() < share:
            now = ask(chance, spans, trace, number, callee, what,
                      now + chance.randrange(100, 900) * 1000, fault)
    span["end"] = now + int(1 + own * 0.6) * 1000
    return span["end"]


def make_faulty(fault, count, seed):
    chance, spans = random.Random(seed), []
    for trace in range(count):
        begin = EPOCH + int(600e6 * (trace + chance.random()) / count) * 1000
        ask(chance, spans, f"{trace + 1:032x}", "", "gateway", chance.choice(PAGES), begin, fault)
    return spans


def otlp(span):
    made = {"traceId": span["trace"].upper(), "spanId": span["id"], "parentSpanId": span["parent"],
            "name": span["name"], "kind": 2, "startTimeUnixNano": str(span["begin"]),
            "endTimeUnixNano": str(span["end"]),
            "attributes": [{"key": "http.method", "value": {"stringValue": "GET"}},
                           {"key": "http.status_code", "value": {"intValue": "200"}}],
            "events": [{"timeUnixNano": str(span["begin"]), "name": "log"}],
            "status": {"code": 2, "message": "lost"} if span["is_error"] else {}}
    if span["follows"]:
        made["links"] = [{"traceId": span["follows"]["trace"], "spanId": span["follows"]["id"]}]
    return made


def resources(spans):
    groups = collections.defaultdict(list)
    for span in spans:
        groups[span["service"], span["instance"]].append(otlp(span))
    return [{"resource": {"attributes": [
        {"key": "host.name", "value": {"stringValue": "a machine"}},
        {"key": "service.name", "value": {"stringValue": service}},
        {"key": "service.instance.id", "value": {"stringValue": f"{service}-{instance}"}}]},
        "scopeSpans": [{"scope": {"name": "made"}, "spans": group[::2]}, {"spans": group[1::2]}]}
        for (service, instance), group in groups.items()]


def jaeger(span):
    references = [{"refType": "CHILD_OF", "traceID": span["trace"], "spanID": span["parent"]}]
    references = references if span["parent"] else []
    if span["follows"]:
        references.append({"refType": "FOLLOWS_FROM", "traceID": span["follows"]["trace"],
                           "spanID": span["follows"]["id"]})
    tags = [{"key": "span.kind", "type": "string", "value": "server"},
            {"key": "http.method", "type": "string", "value": "GET"}]
    if span["is_error"]:
        tags.append({"key": "error", "type": "bool", "value": True})
    return {"traceID": span["trace"], "spanID": span["id"], "operationName": span["name"],
            "references": references, "startTime": span["begin"] // 1000,
            "duration": (span["end"] - span["begin"]) // 1000, "tags": tags, "logs": [],
            "processID": f"{span['service']}{span['instance']}"}


def zipkin(span):
    made = {"traceId": span["trace"], "id": span["id"], "name": span["name"], "kind": span["kind"],
            "timestamp": span["begin"] // 1000, "duration": (span["end"] - span["begin"]) // 1000,
            "localEndpoint": {"serviceName": span["service"], "ipv4": f"10.0.0.{span['instance']}"},
            "tags": {"http.method": "GET"}}
    if span["parent"]:
        made["parentId"] = span["parent"]
    if span["is_error"]:
        made["tags"]["error"] = "lost"
    return made


def make(kind, spans):
    traces = collections.defaultdict(list)
    for span in spans:
        traces[span["trace"]].append(span)
    if kind == "otlp":
        return json.dumps({"resourceSpans": resources(spans)}, indent=1)
    if kind == "lines":
        return "\n".join(json.dumps({"resourceSpans": resources(spans[first:first + 50])})
                         for first in range(0, len(spans), 50)) + "\n"
    if kind == "jaeger":
        return json.dumps({"data": [
            {"traceID": trace, "spans": [jaeger(span) for span in group],
             "processes": {f"{span['service']}{span['instance']}": {
                 "serviceName": span["service"],
                 "tags": [{"key": "hostname", "value": f"{span['service']}-{span['instance']}"}]}
                 for span in group}} for trace, group in traces.items()]})
    return json.dumps([zipkin(span) for span in spans])


def varint(number):
    digits = []
    while number >= 128:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes(digits + [number])


def field(number, value):
    """A field of a message: bytes, a text, a list of messages, or a number if it is not 0."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    if isinstance(value, list):
        return b"".join(field(number, one) for one in value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value if value else b""


def time(number, text):
    return varint(number << 3 | 1) + int(text).to_bytes(8, "little")


def tags(number, found):
    kinds = {"stringValue": lambda value: field(1, value) or b"\n\0",
             "boolValue": lambda value: b"\x10" + varint(value),
             "intValue": lambda value: b"\x18" + varint(int(value) % (1 << 64)),
             "doubleValue": lambda value: b"\x21" + struct.pack("<d", value)}
    return b"".join(field(number, field(1, tag["key"]) + field(2, kinds[kind](value)))
                    for tag in found for kind, value in tag["value"].items())


def protobuf_span(span):
    status = span["status"]
    return b"".join([
        field(1, bytes.fromhex(span["traceId"])), field(2, bytes.fromhex(span["spanId"])),
        field(4, bytes.fromhex(span.get("parentSpanId", ""))), field(5, span["name"]),
        field(6, span["kind"]), time(7, span["startTimeUnixNano"]),
        time(8, span["endTimeUnixNano"]), tags(9, span["attributes"]),
        field(11, [time(1, event["timeUnixNano"]) + field(2, event["name"])
                   for event in span.get("events", [])]),
        field(13, [field(1, bytes.fromhex(link["traceId"])) +
                   field(2, bytes.fromhex(link["spanId"])) for link in span.get("links", [])]),
        field(15, field(2, status.get("message", "")) + field(3, status.get("code", 0)))])


def protobuf(document):
    """A message of OTLP from its JSON."""
    return field(1, [
        field(1, tags(1, one["resource"]["attributes"])) +
        field(2, [field(1, field(1, scope.get("scope", {}).get("name", ""))) +
                  field(2, [protobuf_span(span) for span in scope["spans"]])
                  for scope in one["scopeSpans"]]) for one in document["resourceSpans"]])


def tags_of(found):
    return found if isinstance(found, dict) else {
        tag["key"]: next(iter(tag["value"].values())) if isinstance(tag["value"], dict)
        else tag["value"] for tag in found}


def read(document):
    """Gives service, name, begin, end, whether it failed, its id, and those it refers to."""
    if isinstance(document, list):
        for span in document:
            begin = span["timestamp"] * 1000
            parent = [(span["traceId"], span["parentId"])] if span.get("parentId") else []
            yield (span["localEndpoint"]["serviceName"], span["name"], begin,
                   begin + span.get("duration", 0) * 1000, "error" in span.get("tags", {}),
                   (span["traceId"], span["id"]), parent)
        return
    for resource in document.get("resourceSpans", []):
        service = tags_of(resource["resource"]["attributes"])["service.name"]
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                trace = span["traceId"].lower()
                others = [(link["traceId"].lower(), link["spanId"])
                          for link in span.get("links", [])]
                if span["parentSpanId"]:
                    others.append((trace, span["parentSpanId"]))
                yield (service, span["name"], int(span["startTimeUnixNano"]),
                       int(span["endTimeUnixNano"]), span["status"].get("code") == 2,
                       (trace, span["spanId"]), others)
    traces = document.get("data", [])
    for trace in [traces] if isinstance(traces, dict) else traces:
        for span in trace["spans"]:
            begin = span["startTime"] * 1000
            yield (trace["processes"][span["processID"]]["serviceName"], span["operationName"],
                   begin, begin + span["duration"] * 1000,
                   tags_of(span["tags"]).get("error") in (True, "true"),
                   (span["traceID"], span["spanID"]),
                   [(one["traceID"], one["spanID"]) for one in span["references"]])


def count(paths):
    sums, services, references = collections.defaultdict(lambda: [0, 0]), {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            documents = [json.loads(text)]
        except ValueError:
            documents = [json.loads(line) for line in text.splitlines() if line]
        for document in documents:
            for service, name, begin, end, failed, span, others in read(document):
                one = sums[service, "error" if failed else name]
                one[0] += 1
                one[1] += end - begin
                services[span] = service
                references += [(service, other) for other in others]
    for (service, value), (number, time) in sorted(sums.items()):
        print(f"{service}|{value}|{number}|{time}")
    crossing = [service for service, other in references
                if services.get(other, service) != service]
    print(f"{len(crossing)} {len(references)}")


def write(kind, spans):
    as_json = {"protobuf": "otlp", "frames": "lines", "packed": "lines"}.get(kind)
    text = make(as_json or kind, spans)
    if as_json is None:
        print(text)
    elif as_json == "otlp":
        sys.stdout.buffer.write(protobuf(json.loads(text)))
    else:
        for line in text.splitlines():
            message = protobuf(json.loads(line))
            if kind == "packed":
                message = subprocess.run(["zstd", "-c"], input=message, stdout=subprocess.PIPE,
                                         check=True).stdout
            sys.stdout.buffer.write(len(message).to_bytes(4, "big") + message)


if __name__ == "__main__":
    if sys.argv[1] == "count":
        count(sys.argv[2:])
    elif sys.argv[1] == "fault":
        write(sys.argv[2], make_faulty(sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
    else:
        write(sys.argv[2], make_all(int(sys.argv[3]) if len(sys.argv) > 3 else 60))
