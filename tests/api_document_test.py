#!/usr/bin/env python3
"""docs/openapi.json against a real server: every path and method in it exists, no other does, and answers are as it says.

usage: api_document_test.py path/to/civ
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import time

import live
from checks import check, finish
from program import CIV, run, small_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def faults(value, schema, at="answer"):
    """What is wrong with a value: as much of JSON Schema as the document uses."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].split("/")[-1]]
    if "anyOf" in schema:
        return [] if any(not faults(value, one) for one in schema["anyOf"]) else [f"{at}: {value!r} fits nothing"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    kind = kinds[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return [f"{at}: {value!r} is not {schema['type']}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is not one of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{at}: {value!r} is not {schema['pattern']}")
    if kind is int and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value} is out of range")
    for item in value if kind is list else []:
        found += faults(item, schema["items"], at + "[]")
    if kind is dict:
        found += [f"{at}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, field in value.items():
            if name in schema.get("properties", {}):
                found += faults(field, schema["properties"][name], f"{at}.{name}")
            elif "properties" in schema:  # others are to ignore what they do not know; we are to name all that we send
                found.append(f"{at}: {name} is not in the document")
    return found


class Api:
    def __init__(self, port):
        self.port = port
        self.seen = set()

    def ask(self, method, path, wanted, body=None, token=None, headers=None, **parts):
        """Asks, and compares status and answer with the document."""
        status, answer, fields = live.ask(self.port, method, path.format(**parts), body, token, headers)
        name = f"{method} {path} {status}"
        operation = DOCUMENT["paths"][path.split("?")[0]][method.lower()]
        check(name, status == wanted, f"{wanted} was expected: {answer}")
        if check(f"{name} is documented", str(status) in operation["responses"], answer):
            self.seen.add((method, path.split("?")[0], status))
            content = operation["responses"][str(status)].get("content", {})
            kind = (fields.get("Content-Type") or "").split(";")[0]
            check(f"{name} is of its type", kind in content or (not content and not answer), kind)
            if "application/json" in content:
                wrong = faults(answer, content["application/json"]["schema"])
                check(f"{name} is as documented", not wrong, wrong)
        return answer


def paths(port, token, table):
    for path, item in DOCUMENT["paths"].items():
        documented = {method for method in METHODS if method.lower() in item}
        for method in METHODS:
            status, answer, fields = live.ask(port, method, path.format(id=table), {} if method in ("POST", "PUT", "PATCH") else None, token if path != "/api/v1/session" else None)
            check(f"{method} {path}", (status == 405) != (method in documented), (status, answer))
            if status == 405:
                allowed = set(fields["Allow"].replace(",", " ").split()) - {"HEAD"}
                check(f"{path} says what it allows", allowed == documented, (allowed, documented))
    for path in ("/api/v1/nothing", "/api/v1/", "/api/v2/tables", f"/api/v1/tables/{table}/nothing"):
        status, answer, _ = live.ask(port, "GET", path, token=token)
        check(f"nothing at {path}", (status, answer) == (404, {"error": {"key": "error.path", "args": {}}}), (status, answer))

    # What the code compares a path with is in the document.
    code = (ROOT / "civ" / "server" / "routes.cc").read_text(encoding="utf-8")
    words = {part for word in re.findall(r'(?:path|rest) == "([^"]+)"', code) if not word.startswith("/admin/") for part in word.strip("/").split("/")}
    known = {word for path in DOCUMENT["paths"] for word in path.split("/")}
    check("every path of the code", len(words) >= 6 and words <= known, words - known)


def answers(port):
    api = Api(port)
    session, tables, one = "/api/v1/session", "/api/v1/tables", "/api/v1/tables/{id}"
    about = api.ask("GET", "/api/v1/server", 200)
    shown = re.search(r"```json server\n(.*)\n```", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"))[1]
    check("the server is shown as it is", about == {**json.loads(shown), "address": None}, about)
    api.ask("GET", session, 401)
    api.ask("POST", session, 400, {"name": ""})
    api.ask("POST", session, 415, "name=Ada", headers={"Content-Type": "application/x-www-form-urlencoded"})
    made = api.ask("POST", session, 201, {"name": "Ada", "bot": True})
    token = made["token"]
    guest = api.ask("POST", session, 201, {"name": "Guest"})
    check("a token is for programs", "token" not in guest, guest)
    api.ask("POST", session, 200, {"name": "Ada Lovelace"}, token)
    check("renamed", api.ask("GET", session, 200, token=token)["person"] == {"id": made["person"]["id"], "name": "Ada Lovelace"})

    api.ask("POST", session, 401, {"code": "k7w2m9qx4hbtz3ne"})
    api.ask("POST", session + "/code", 401)
    code = api.ask("POST", session + "/code", 201, token=token)["code"]
    check("the same person", api.ask("POST", session, 201, {"code": code})["person"] == {"id": made["person"]["id"], "name": "Ada Lovelace"})

    api.ask("POST", tables, 401, {})
    api.ask("POST", tables, 400, {"players": 5}, token)
    api.ask("POST", tables, 415, "{}", token, {"Content-Type": "text/plain"})
    api.ask("POST", tables, 403, {}, token, {"Origin": "http://elsewhere.example"})
    table = api.ask("POST", tables, 201, {"players": 3, "clock": {"turn": 60}, "setup": "draft", "takebacks": "turn"}, token)["table"]
    listed = api.ask("GET", tables, 200)["tables"]
    check("listed", [summary["id"] for summary in listed] == [table], listed)
    check("a moment ago", 0 <= api.ask("GET", tables, 200)["now"] - listed[0]["changed"] < 60_000, listed)
    api.ask("GET", tables + "?mine", 401)
    check("mine", api.ask("GET", tables + "?mine", 200, token=token)["tables"] == listed)
    check("one table", api.ask("GET", one, 200, id=table) == listed[0])
    api.ask("GET", one, 404, id="nothing")
    api.ask("GET", one + "/record", 404, id="nothing")
    api.ask("GET", one + "/record", 409, id=table)
    api.ask("GET", one + "/analysis", 404, id="nothing")
    api.ask("GET", one + "/analysis", 409, id=table)
    for path in ("/view", "/story"):
        api.ask("GET", one + path, 401, id=table)
        api.ask("GET", one + path, 404, token=token, id="nothing")
        api.ask("GET", one + path, 400, token=token, id=table)
    api.ask("GET", one + "/view?at=x", 400, token=token, id=table)
    api.ask("GET", one + "/story?to=x", 400, token=token, id=table)
    api.ask("GET", one + "/live", 426, token=token, id=table)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    api.ask("GET", one + "/live", 401, headers=upgrade, id=table)
    api.ask("GET", one + "/live", 404, token=token, headers=upgrade, id="nothing")
    api.ask("GET", one + "/live?seen=x", 400, token=token, headers=upgrade, id=table)

    # A game that is over as soon as it has begun.
    short = api.ask("POST", tables, 201, {"listed": False}, token)["table"]
    line = live.Live(port, f"/api/v1/tables/{short}/live", token)
    check("live", line.status == 101, line.status)
    for command in ({"type": "seat-bot", "seat": 1, "bot": "level1"}, {"type": "start"}, {"type": "contribute", "random": "ab" * 32}, {"type": "resign"}):
        line.send({**command, "id": command["type"]})
        check(command["type"], line.until(lambda message: message["type"] in ("ack", "refused"))[-1]["type"] == "ack", command)
    line.close()
    summary = api.ask("GET", one, 200, id=short)
    check("over", (summary["status"], summary["result"]["by"]) == ("over", "forfeit"), summary)
    record = api.ask("GET", one + "/record", 200, id=short)
    api.ask("GET", one + "/analysis", 202, id=short)
    while live.ask(port, "GET", f"{tables}/{short}/analysis")[0] == 202:
        time.sleep(0.2)
    code, out, err = run("analyze", "--json", "-", text=json.dumps(record))
    check("the analysis is that of the program", api.ask("GET", one + "/analysis", 200, id=short) == json.loads(out), (code, err))
    story = api.ask("GET", one + "/story", 200, token=token, id=short)
    check("the story", set(story) == {"log", "headings", "story"}, story)
    check("its beginning", api.ask("GET", one + "/story?to=0", 200, token=token, id=short) == {"log": [], "headings": [], "story": []})
    check("looked back", api.ask("GET", one + "/view?at=0", 200, token=token, id=short)["view"]["turn"] == 1)
    check("the number is in the record", record["comments"]["deal"]["randoms"] == ["ab" * 32, None], record["comments"])

    api.ask("POST", tables, 201, {"listed": False}, token)
    api.ask("POST", tables, 409, {}, token)

    for path in ("/healthz", "/readyz", "/metrics"):
        api.ask("GET", path, 200)
    paths(port, token, table)
    api.ask("DELETE", session, 204, token=token)
    api.ask("DELETE", session, 401, token=token)

    # Those that a short test cannot bring about.
    left_out = {400, 403, 429, 503}
    elsewhere = {("get", "/metrics", "404")}  # from another machine
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            for status in operation["responses"] if method != "parameters" else []:
                tried = (method.upper(), path, int(status)) in api.seen or int(status) in left_out | {101} or (method, path, status) in elsewhere
                check(f"{method} {path} {status} was tried", tried)


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = live.Server(CIV, os.path.join(folder, "data"), "--page", small_page(folder), "--open-tables-of-person", "2").start()
        try:
            answers(server.port)
        finally:
            check("stops", server.stop() == 0)
    return finish()


sys.exit(main())
