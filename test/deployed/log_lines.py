"""The log lines of the functions of a stack."""

import json

import botocore.session

session = botocore.session.get_session()
resource_pages = session.create_client("cloudformation").get_paginator("list_stack_resources")
event_pages = session.create_client("logs").get_paginator("filter_log_events")


# The emulator answers with the first so many events of a group, and with no token for the others.
most_events = 10_000


def events(group):
    """The events of a log group, in the order of their times."""
    start, seen = 0, set()
    while True:
        count, last = 0, start
        for page in event_pages.paginate(logGroupName=group, startTime=start):
            for event in page["events"]:
                count, last = count + 1, event["timestamp"]
                identity = (event["logStreamName"], last, event["message"])
                if identity not in seen:
                    seen.add(identity)
                    yield event
        if count != most_events or last == start:
            return
        start = last


def lines(stack_name):
    """The JSON lines of all log groups."""
    for resources in resource_pages.paginate(StackName=stack_name):
        for resource in resources["StackResourceSummaries"]:
            if resource["ResourceType"] == "AWS::Logs::LogGroup":
                for event in events(resource["PhysicalResourceId"]):
                    if event["message"].startswith("{"):
                        yield json.loads(event["message"])
