"""Prints the operation and the status of each request that the functions of a stack have logged for a player.

usage: player-lines.py <stack name> <digest of the player>
"""

import sys

from log_lines import lines

stack_name, digest = sys.argv[1:]

for line in lines(stack_name):
    if line.get("player") == digest:
        print(line["operation"], line["status"])
