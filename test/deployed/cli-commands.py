"""Gives the AWS CLI commands of Markdown pages to the AWS CLI, at an endpoint where nobody answers.

The arguments are the pages. Prints a line for each command that the AWS CLI refuses: an unknown service, operation,
option or waiter, a required option that is missing, a value that the operation does not take, or a --query that is not JMESPath.
The last line counts the commands.
"""

import contextlib
import io
import os
import re
import shlex
import sys

from awscli.clidriver import create_clidriver

os.environ.update(
    AWS_ENDPOINT_URL="http://127.0.0.1:1",
    AWS_MAX_ATTEMPTS="1",
    AWS_DEFAULT_REGION="eu-central-1",
    AWS_ACCESS_KEY_ID="any",
    AWS_SECRET_ACCESS_KEY="any",
    AWS_CONFIG_FILE=os.devnull,
)

# What stands in a command for something that a shell, or an operator, knows.
KNOWN_LATER = {
    r"\\\n\s*": " ",
    r"\$\(date \+%s\)": "1",
    r"\$\(\([^()]*\)\)": "1",
    r"\$SECOND": "2026-11-21T09:29:59Z",
    r"file://\S+": "{}",
}


def commands_in(page: str) -> list[str]:
    """The commands in code blocks and in inline code."""
    blocks = re.findall(r"```(?:text|sh)\n(.*?)```", page, re.DOTALL)
    text = "\n".join(blocks + re.findall(r"`(aws [a-z0-9-]+ [a-z0-9-]+[^`]*)`", page))
    for pattern, value in KNOWN_LATER.items():
        text = re.sub(pattern, value, text)
    # A quoted argument may contain what otherwise ends a command: parentheses as in $(…), and the comma of a sentence.
    return re.findall(r"(?<![\w-])aws (?:'[^']*'|\"[^\"]*\"|,(?! )|[^'\"\n|;>),])+", text)


def fault_in(command: str) -> str | None:
    words = shlex.split(command)[1:]
    # It is about files of this machine.
    if words[0] == "configure":
        return None
    output = io.StringIO()
    with contextlib.redirect_stderr(output), contextlib.suppress(SystemExit):
        aws.main(words)
    said = output.getvalue()
    # A sentence names a command without its options.
    is_named = len(words) == 2 and "the following arguments are required" in said
    return None if is_named or "Could not connect to the endpoint" in said else said.strip()


aws = create_clidriver()
count = 0
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        for command in commands_in(opened.read()):
            count += 1
            fault = fault_in(command)
            if fault:
                print(f"{file}: {command.strip()}: {fault}")
print(f"{count} commands")
