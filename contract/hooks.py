"""What Schemathesis does not check by itself: the one shape of errors, Allow, echoes, HEAD.

Loaded by schemathesis.toml. Every function marked as a check judges every exchange of every phase,
the probes with odd methods and media types included, which Schemathesis' own checks leave out.
What is particular to this service comes from cases/profile.yaml and from its document. With
CONTRACT_LIVE=1 (set by fuzz.ts for --live) the service is in production: addresses end in .invalid,
and its limits are obeyed.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import requests
import schemathesis
import yaml
from schemathesis import Case, CheckContext, HookContext, Response

LIVE = os.environ.get("CONTRACT_LIVE") == "1"
PROFILE: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "profile.yaml").read_text("utf-8")
)

ERRORS: dict[str, Any] = PROFILE["errors"]
"""The shape of errors: a schema of the document, and JSON Pointers into what it describes."""

DOCUMENT: dict[str, Any] = {}
"""The document of the service, once it is loaded."""

REPRESENTATION = ("content-type", "content-encoding", "etag", "vary", "cache-control")
"""Headers that describe the representation: those of HEAD are those of GET (RFC 9110 §9.3.2)."""

SHORTEST_MARKER = 8
"""Characters: a shorter string may stand in an answer by chance."""
LONGEST_MARKER = 16
"""Characters of a string that are looked for: an echo may be cut short."""
LONGEST_WAIT_S = 900
"""Seconds: as long as the harness itself waits for a limited service (session.ts)."""


@schemathesis.check
def error_shape(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """Every error, documented or not, has the one shape that errors have, and says something."""
    if response.status_code < 400:
        return
    status = response.status_code
    media_type = _header(response, "content-type").split(";")[0].strip().lower()
    assert media_type == "application/json", f"the error {status} is {media_type}, not JSON"
    body, name = _json(response), ERRORS["schema"]
    schema = {**DOCUMENT, "$ref": f"#/components/schemas/{name}"}
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(body), f"{status} is no {name}"
    for pointer in ERRORS["not_empty"]:
        value = _at(body, pointer)
        assert isinstance(value, str) and value.strip(), f"{pointer} of {status} says nothing"
    docs = urlsplit(_at(body, ERRORS["docs"]))
    assert docs.scheme in ("http", "https") and docs.netloc, f"`docs` of {status} is no URL"


@schemathesis.check
def error_code(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """An error's code is one of those that belong to its status."""
    if response.status_code < 400:
        return
    codes = ERRORS["codes"].get(str(response.status_code), [])
    assert _at(_json(response), ERRORS["code"]) in codes, (
        f"the code of the error {response.status_code} is not {' or '.join(codes) or 'known'}"
    )


@schemathesis.check
def allow_on_405(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """A 405 names the methods that work, and not the one that it refuses (RFC 9110 §15.5.6)."""
    if response.status_code != 405:
        return
    allow = {method.strip() for method in _header(response, "allow").split(",")} - {""}
    documented = {method.upper() for method in case.operation.schema[case.operation.path]}
    missing = sorted(documented - allow)
    assert not missing, f"Allow on 405 lacks {', '.join(missing)}"
    assert response.request.method not in allow, "Allow on 405 names the method that was refused"


@schemathesis.check
def no_echo(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """Nothing of what was sent comes back in an error, neither in its body nor in a header."""
    if response.status_code < 400:
        return
    body = response.content.decode("utf-8", "replace")
    document = json.dumps(DOCUMENT, ensure_ascii=False)
    heard = "\n".join([body, *itertools.chain(*response.headers.values())])
    for sent in (case.body, case.query, case.headers, case.cookies, case.path_parameters):
        for text in _strings(sent):
            marker = text[:LONGEST_MARKER]
            # What stands in the document, such as a name or a word of an enumeration, is no echo.
            if len(marker) < SHORTEST_MARKER or marker in document:
                continue
            escaped = json.dumps(marker, ensure_ascii=False)[1:-1]
            assert marker not in heard and escaped not in heard, (
                f"the error {response.status_code} repeats what was sent"
            )


@schemathesis.check
def head_equals_get(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """HEAD answers like GET, without a body (RFC 9110 §9.3.2)."""
    request = response.request
    if request.method != "GET" or response.status_code != 200:
        return
    assert request.url is not None
    head = requests.head(
        request.url, headers=dict(request.headers), verify=response.verify, timeout=30
    )
    assert head.status_code == 200, f"GET got 200 and HEAD {head.status_code}"
    assert not head.content, "HEAD got a body"
    for name in REPRESENTATION:
        values = head.headers.get(name, ""), _header(response, name)
        assert values[0] == values[1], f"HEAD and GET differ in {name}"


@schemathesis.check
def retry_after(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """A 429 says how many seconds to wait, at least one (RFC 9110 §10.2.3)."""
    if response.status_code != 429:
        return
    value = _header(response, "retry-after")
    assert re.fullmatch(r"[1-9]\d*", value), f"429 with Retry-After {value!r}"


@schemathesis.check
def request_id(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """What the limited operation takes or refuses has an id by which it is found in the log."""
    label = case.operation.definition.raw.get("operationId")
    handled = response.request.method == case.operation.method.upper()
    if label != PROFILE["limits"]["operation"] or not handled:
        return
    value = _header(response, "x-request-id")
    assert re.fullmatch(r"[\w-]{8,64}", value), f"{response.status_code} without X-Request-Id"


@schemathesis.check
def yaml_is_yaml(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """What is declared as YAML is YAML: below, Schemathesis is given its text alone."""
    if not _header(response, "content-type").startswith("application/yaml"):
        return
    try:
        yaml.safe_load(response.content)
    except yaml.YAMLError:
        raise AssertionError("the body is declared as YAML and is none") from None


@schemathesis.deserializer("text/yaml", "application/yaml")
def yaml_as_text(_ctx: object, response: Response) -> str:
    """The document says that its form in YAML is a string: the text.

    Must not raise: Schemathesis 4.32 leaves out the rest of a phase then, and calls it passed.
    """
    return response.content.decode("utf-8", "replace")


@schemathesis.hook
def after_load_schema(_context: HookContext, schema: Any) -> None:
    """Keeps the document, which the checks above look into."""
    DOCUMENT.update(schema.raw_schema)


@schemathesis.hook
def before_call(_context: HookContext, case: Case[Any], _kwargs: dict[str, Any]) -> None:
    """In production no real address is sent. Runs in all phases, which `map_body` does not."""
    if not LIVE or not isinstance(case.body, dict):
        return
    email = case.body.get("email")
    if isinstance(email, str):
        case.body = {**case.body, "email": invalid_address(email)}


@schemathesis.hook
def after_call(_context: HookContext, _case: Case[Any], response: Response) -> None:
    """In production the next request waits until the service admits one: none is refused."""
    if LIVE:
        time.sleep(wait_s(response))


@schemathesis.hook
def filter_failure(
    _context: HookContext, failure: Exception, _case: Case[Any], response: Response
) -> bool:
    """In production a request may meet the limit, because others share it: no refusal of it."""
    refused = type(failure).__name__ in ("RejectedPositiveData", "AcceptedNegativeData")
    return not (LIVE and refused and response.status_code == 429)


def invalid_address(address: str) -> str:
    """The address under .invalid (RFC 2606 §2). What was no address stays none: it has no @."""
    if "@" not in address or address.lower().endswith(".invalid"):
        return address
    return f"{address}.invalid"


def wait_s(response: Response) -> float:
    """Seconds until a limited service admits a request more; 0 where something is left."""
    waits = re.findall(r";r=0;t=(\d+)", _header(response, "ratelimit"))
    waits += re.findall(r"^\d+$", _header(response, "retry-after"))
    wait = max((int(seconds) for seconds in waits), default=0)
    return wait if wait <= LONGEST_WAIT_S else 0


def _json(response: Response) -> Any:
    """The body; None where it is no JSON."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer of plain names (RFC 6901); None where there is none."""
    for name in pointer.split("/")[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _header(response: Response, name: str) -> str:
    return ", ".join(response.headers.get(name, []))


def _strings(value: object) -> Iterator[str]:
    """Every string in what was sent, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif hasattr(value, "items"):
        for name, item in value.items():
            yield str(name)
            yield from _strings(item)
