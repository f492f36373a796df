"""Prints each error that the functions of a stack have logged, with its number of occurrences.

usage: function-errors.py <stack name>
"""

import collections
import json
import sys

import botocore.session

(stack_name,) = sys.argv[1:]
session = botocore.session.get_session()
resource_pages = session.create_client("cloudformation").get_paginator("list_stack_resources")
event_pages = session.create_client("logs").get_paginator("filter_log_events")


def lines():
    """The JSON lines of all log groups."""
    for resources in resource_pages.paginate(StackName=stack_name):
        for resource in resources["StackResourceSummaries"]:
            if resource["ResourceType"] == "AWS::Logs::LogGroup":
                for page in event_pages.paginate(logGroupName=resource["PhysicalResourceId"]):
                    for event in page["events"]:
                        if event["message"].startswith("{"):
                            yield json.loads(event["message"])


about = ("operation", "kind", "code", "reason", "defect", "error")
errors = collections.Counter(
    ", ".join(line[name] for name in about if name in line)
    for line in lines()
    if line.get("level") == "ERROR"
)
for error, times in errors.most_common():
    print(f"{times} times: {error}")
