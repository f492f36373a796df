"""Prints the names of the log groups of the account that begin with a prefix.

usage: log-groups.py <prefix>
"""

import sys

import botocore.session

(prefix,) = sys.argv[1:]

pages = botocore.session.get_session().create_client("logs").get_paginator("describe_log_groups")
for page in pages.paginate(logGroupNamePrefix=prefix):
    for group in page["logGroups"]:
        print(group["logGroupName"])
