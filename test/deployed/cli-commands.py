"""Checks the AWS CLI commands of Markdown pages against the models of the AWS services that botocore has.

The arguments are the pages. Prints a line for each command that the AWS CLI would refuse: an unknown service, operation,
option or waiter, a required option that is missing, JSON that the model does not permit, or a --query that is not JMESPath.
The last line counts the commands.
"""

import json
import re
import shlex
import sys
from typing import NamedTuple

import botocore.session
import jmespath
from botocore import xform_name
from botocore.model import Shape
from botocore.validate import ParamValidator

# Commands that the AWS CLI has beside the operations of a service, with their options.
CUSTOM = {
    ("configure", "export-credentials"): {"--format"},
    ("configure", "set"): set(),
    ("s3", "rb"): {"--force"},
}

# https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-options.html
GLOBAL = {"--query", "--output", "--region", "--profile", "--endpoint-url"}
GLOBAL_FLAGS = {"--no-cli-pager", "--no-paginate"}

SESSION = botocore.session.get_session()


def commands_in(page: str) -> list[str]:
    """The commands in code blocks and in inline code, with lines that end in a backslash joined."""
    blocks = re.findall(r"```(?:text|sh)\n(.*?)```", page, re.DOTALL)
    inline = re.findall(r"`(aws [a-z0-9-]+ [a-z0-9-]+[^`]*)`", page)
    found = []
    for text in blocks + inline:
        joined = re.sub(r"\\\n\s*", " ", text)
        joined = re.sub(r"\$\(\([^()]*\)\)", "1", joined.replace("$(date +%s)", "1"))
        # A quoted argument may contain parentheses, which otherwise end a command in $(…).
        found += re.findall(r"(?<![\w-])aws (?:'[^']*'|\"[^\"]*\"|[^'\"\n|;)])+", joined)
    return found


class Option(NamedTuple):
    is_required: bool
    # The structure or list that its value is, in JSON; otherwise None.
    shape: Shape | None


OPTIONAL = Option(False, None)


def options_of(shape) -> dict[str, Option]:
    """The options of an operation. A boolean also has its negation."""
    options = {}
    for name, member in (shape.members if shape else {}).items():
        option = "--" + xform_name(name, "-")
        value = member if member.type_name in ("structure", "list") else None
        options[option] = Option(name in shape.required_members, value)
        if member.type_name == "boolean":
            options["--no-" + option[2:]] = OPTIONAL
    return options


def fault_in_json(words: list[str], known: dict[str, Option]) -> str | None:
    """What is wrong with the first value in JSON that the model does not permit. Shorthand syntax is not checked."""
    for option, value in zip(words, words[1:]):
        shape = known.get(option, OPTIONAL).shape
        if shape is None or value[:1] not in ("{", "["):
            continue
        try:
            report = ParamValidator().validate(json.loads(value), shape)
        except json.JSONDecodeError as error:
            return f"{option} is not JSON: {error}"
        if report.has_errors():
            return f"{option}: {report.generate_report()}"
    return None


def fault_in(command: str) -> str | None:
    words = shlex.split(command)[1:]
    service, operation, *rest = words
    given = [word.split("=")[0] for word in rest if word.startswith("--")]
    if operation == "wait" and not rest:
        return None
    known = options_in(service, operation, rest)
    if isinstance(known, str):
        return known
    if not rest:
        # A sentence that names a command, without its options.
        return None
    for option in given:
        if option not in known and option not in GLOBAL | GLOBAL_FLAGS:
            return f"unknown option {option}"
    for option, (is_required, _) in known.items():
        if is_required and not {option, "--no-" + option[2:]} & set(given):
            return f"{option} is missing"
    if "--query" in rest:
        try:
            jmespath.compile(rest[rest.index("--query") + 1])
        except jmespath.exceptions.ParseError as error:
            return f"--query is not JMESPath: {error}"
    return fault_in_json(rest, known)


def options_in(service: str, operation: str, rest: list[str]) -> dict[str, Option] | str:
    """The options that a command can have, or why there is no such command."""
    if (service, operation) in CUSTOM:
        return {option: OPTIONAL for option in CUSTOM[(service, operation)]}
    if service not in SESSION.get_available_services():
        return f"unknown service {service}"
    model = SESSION.get_service_model(service)
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    if operation == "wait":
        waiters = SESSION.get_waiter_model(service)
        names = {xform_name(name, "-"): name for name in waiters.waiter_names}
        if not rest or rest[0] not in names:
            return f"unknown waiter {rest[:1]}"
        operation = xform_name(waiters.get_waiter(names[rest[0]]).operation, "-")
    if operation not in operations:
        return f"unknown operation {operation}"
    return options_of(model.operation_model(operations[operation]).input_shape)


count = 0
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        for command in commands_in(opened.read()):
            count += 1
            try:
                fault = fault_in(command)
            except ValueError as error:
                fault = str(error)
            if fault:
                print(f"{file}: {fault}: {command.strip()}")
print(f"{count} commands")
