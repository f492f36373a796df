"""Prints each error that the functions of a stack have logged, with its number of occurrences.

usage: function-errors.py <stack name>
"""

import collections
import sys

from log_lines import lines

(stack_name,) = sys.argv[1:]

about = ("operation", "kind", "code", "reason", "defect", "error")
errors = collections.Counter(
    ", ".join(line[name] for name in about if name in line)
    for line in lines(stack_name)
    if line.get("level") == "ERROR"
)
for error, times in errors.most_common():
    print(f"{times} times: {error}")
