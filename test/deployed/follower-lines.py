"""Prints the chain and the function of each log line that says how far a chain is read.

usage: follower-lines.py <stack name>
"""

import sys

from log_lines import lines

(stack_name,) = sys.argv[1:]

for line in lines(stack_name):
    if "followLagSeconds" in line:
        print(line["chain"], line["functionName"])
