"""What Schemathesis does not check by itself: the one shape of errors, Allow, echoes, HEAD.

Loaded by schemathesis.toml. Every function marked as a check judges every exchange of every phase,
the probes with odd methods and media types included, which Schemathesis' own checks leave out.
Codes and names of this service come from cases/profile.yaml. With CONTRACT_LIVE=1 (set by fuzz.ts
for --live) the service is in production: addresses end in .invalid, and its limits are obeyed.
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

import requests
import schemathesis
import yaml
from schemathesis import Case, CheckContext, HookContext, Response

LIVE = os.environ.get("CONTRACT_LIVE") == "1"
PROFILE: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "profile.yaml").read_text("utf-8")
)

DOCUMENT = {"text": ""}
"""The document of the service as text, once it is loaded."""

WORDS = ("code", "message", "hint", "docs")
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
    """Every error is JSON and an ApiError: its members, no other, and words in each."""
    if response.status_code < 400:
        return
    status = response.status_code
    media_type = _header(response, "content-type").split(";")[0].strip().lower()
    assert media_type == "application/json", f"the error {status} is {media_type}, not JSON"
    error = _error(response)
    assert error is not None, f"the body of the error {status} is not an object with `error` alone"
    assert set(error) - {"details"} == set(WORDS), (
        f"`error` of {status} has other members than {', '.join(WORDS)} and details"
    )
    for name in WORDS:
        value = error[name]
        assert isinstance(value, str) and value.strip(), f"`error.{name}` of {status} says nothing"
    docs = urlsplit(error["docs"])
    assert docs.scheme in ("http", "https") and docs.netloc, f"`error.docs` of {status} is no URL"


@schemathesis.check
def error_code(_ctx: CheckContext, response: Response, _case: Case[Any]) -> None:
    """An error's code is one of those that belong to its status."""
    if response.status_code < 400:
        return
    error = _error(response)
    codes = PROFILE["errors"]["codes"].get(str(response.status_code), [])
    assert error is None or error.get("code") in codes, (
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
    heard = "\n".join([body, *itertools.chain(*response.headers.values())])
    for sent in (case.body, case.query, case.headers, case.cookies, case.path_parameters):
        for text in _strings(sent):
            marker = text[:LONGEST_MARKER]
            # What stands in the document, such as a name or a word of an enumeration, is no echo.
            if len(marker) < SHORTEST_MARKER or marker in DOCUMENT["text"]:
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
    """Keeps the document, by which `no_echo` knows what is no echo."""
    DOCUMENT["text"] = json.dumps(schema.raw_schema, ensure_ascii=False)


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


def _error(response: Response) -> dict[str, Any] | None:
    """What the body has at `error`; None where it is no object with that member alone."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return None
    error = body["error"] if isinstance(body, dict) and set(body) == {"error"} else None
    return error if isinstance(error, dict) else None


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
