"""Checks that Schemathesis lacks: the shape of errors, Allow, echoes, HEAD.

Loaded by schemathesis.toml. Checks run on every exchange of every phase, including the probes with
odd methods and media types, which Schemathesis' own checks skip. Settings for this service come from
profile.yaml and its document. With CONTRACT_LIVE=1 (set by fuzz.ts for --live) the service is
in production: addresses end in .invalid, and limits are obeyed.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from calendar import timegm
from collections.abc import Iterator
from email.utils import parsedate
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
    (Path(__file__).parent / "profile.yaml").read_text("utf-8")
)

ERRORS: dict[str, Any] = PROFILE["errors"]
"""The shape of errors: a schema of the document, and JSON Pointers into its values."""

DOCUMENT: dict[str, Any] = {}
"""The document of the service, after it was loaded."""

REPRESENTATION = ("content-type", "content-encoding", "etag", "vary", "cache-control")
"""Headers that describe the representation: HEAD must send those of GET (RFC 9110 §9.3.2)."""

SHORTEST_MARKER = 8
"""Characters: a shorter string may occur in an answer by chance."""
LONGEST_MARKER = 16
"""Characters of a string to search for: an echo may be truncated."""
LONGEST_WAIT_S = 900
"""Seconds: as long as the harness itself waits for a limited service (run/pace.ts)."""


@schemathesis.check
def error_shape(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """Every error, documented or not, has the common shape and no empty texts."""
    if response.status_code < 400:
        return
    status = response.status_code
    media_type = _header(response, "content-type").split(";")[0].strip().lower()
    assert media_type == "application/json", f"the error {status} is {media_type}, not JSON"
    body, name = _json(response), ERRORS["schema"]
    schema = {**DOCUMENT, "$ref": f"#/components/schemas/{name}"}
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(body), f"{status} is not {name}"
    for pointer in ERRORS["not_empty"]:
        value = _at(body, pointer)
        assert isinstance(value, str) and value.strip(), f"{pointer} of {status} is empty"
    docs = urlsplit(_at(body, ERRORS["docs"]))
    assert docs.scheme in ("http", "https") and docs.netloc, f"`docs` of {status} is not a URL"


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
    """Allow of a 405 lists the methods that work, not the refused one (RFC 9110 §15.5.6)."""
    if response.status_code != 405:
        return
    allow = {method.strip() for method in _header(response, "allow").split(",")} - {""}
    documented = {method.upper() for method in case.operation.schema[case.operation.path]}
    missing = sorted(documented - allow)
    assert not missing, f"Allow on 405 lacks {', '.join(missing)}"
    assert response.request.method not in allow, "Allow on 405 names the method that was refused"


@schemathesis.check
def no_echo(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """No error repeats a part of its request, in body or headers."""
    if response.status_code < 400:
        return
    body = response.content.decode("utf-8", "replace")
    document = json.dumps(DOCUMENT, ensure_ascii=False)
    received = "\n".join([body, *itertools.chain(*response.headers.values())])
    for sent in (case.body, case.query, case.headers, case.cookies, case.path_parameters):
        for text in _strings(sent):
            marker = text[:LONGEST_MARKER]
            # A string of the document, such as a name or an enumeration value, is not an echo.
            if len(marker) < SHORTEST_MARKER or marker in document:
                continue
            escaped = json.dumps(marker, ensure_ascii=False)[1:-1]
            assert marker not in received and escaped not in received, (
                f"the error {response.status_code} repeats the request"
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
    assert head.status_code == 200, f"GET got 200, HEAD {head.status_code}"
    assert not head.content, "HEAD got a body"
    for name in REPRESENTATION:
        values = head.headers.get(name, ""), _header(response, name)
        assert values[0] == values[1], f"HEAD and GET differ in {name}"


@schemathesis.check
def retry_after(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """Retry-After of a 429 is a positive number of seconds (RFC 9110 §10.2.3)."""
    if response.status_code != 429:
        return
    value = _header(response, "retry-after")
    assert re.fullmatch(r"[1-9]\d*", value), f"429 with Retry-After {value!r}"


@schemathesis.check
def request_id(_ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """Every answer of the limited operation has a request id, for the log."""
    label = case.operation.definition.raw.get("operationId")
    handled = response.request.method == case.operation.method.upper()
    if label != PROFILE["limits"]["operation"] or not handled:
        return
    value = _header(response, "x-request-id")
    assert re.fullmatch(r"[\w-]{8,64}", value), f"{response.status_code} without X-Request-Id"


@schemathesis.check
def yaml_is_yaml(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """A YAML body is valid YAML: Schemathesis itself only gets its text, see below."""
    if not _header(response, "content-type").startswith("application/yaml"):
        return
    try:
        yaml.safe_load(response.content)
    except yaml.YAMLError:
        raise AssertionError("the body is declared as YAML and is not YAML") from None


@schemathesis.deserializer("text/yaml", "application/yaml")
def yaml_as_text(_ctx: object, response: Response) -> str:
    """Returns YAML as text: the document describes it as a string.

    Must not raise: Schemathesis 4.32 would skip the rest of the phase and count it as passed.
    """
    return response.content.decode("utf-8", "replace")


@schemathesis.hook
def after_load_schema(_context: HookContext, schema: Any) -> None:
    """Stores the document for the checks above."""
    DOCUMENT.update(schema.raw_schema)


@schemathesis.hook
def before_call(_context: HookContext, case: Case[Any], _kwargs: dict[str, Any]) -> None:
    """Sends no real address in production. Runs in all phases, unlike `map_body`."""
    if not LIVE or not isinstance(case.body, dict):
        return
    email = case.body.get("email")
    if isinstance(email, str):
        case.body = {**case.body, "email": invalid_address(email)}


@schemathesis.hook
def after_call(_context: HookContext, _case: Case[Any], response: Response) -> None:
    """Waits in production until the service accepts another request."""
    if not LIVE:
        return
    wait = wait_s(response)
    if wait > LONGEST_WAIT_S:
        print(f"The service asks to wait {wait:.0f} s: run it again after that", flush=True)
        raise KeyboardInterrupt  # ends the run with its report
    time.sleep(wait)


@schemathesis.hook
def filter_failure(
    _context: HookContext, failure: Exception, _case: Case[Any], response: Response
) -> bool:
    """Ignores a 429 in production, where other clients share the limit."""
    refused = type(failure).__name__ in ("RejectedPositiveData", "AcceptedNegativeData")
    return not (LIVE and refused and response.status_code == 429)


def invalid_address(address: str) -> str:
    """Moves an address under .invalid (RFC 2606 §2). A string without @ stays an invalid address."""
    if "@" not in address or address.lower().endswith(".invalid"):
        return address
    return f"{address}.invalid"


def wait_s(response: Response) -> float:
    """Seconds until a limited service accepts another request; 0 if it does now."""
    limits = re.findall(r";r=0;t=(\d+)", _header(response, "ratelimit"))
    waits = [int(seconds) for seconds in limits if int(seconds) <= LONGEST_WAIT_S]
    return max([retry_after_s(response), *waits])


def retry_after_s(response: Response) -> float:
    """Retry-After in seconds, also from a date (RFC 9110 §10.2.3); 0 if it is neither."""
    value = _header(response, "retry-after")
    if re.fullmatch(r"\d+", value, re.ASCII):
        return int(value)
    date, now = parsedate(value), parsedate(_header(response, "date"))
    if date is None:
        return 0
    return max(0, timegm(date) - (time.time() if now is None else timegm(now)))


def _json(response: Response) -> Any:
    """The body; None if it is not JSON."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer of plain names (RFC 6901), or None."""
    for name in pointer.split("/")[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _header(response: Response, name: str) -> str:
    return ", ".join(response.headers.get(name, []))


def _strings(value: object) -> Iterator[str]:
    """Every string in a value, including member names."""
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
