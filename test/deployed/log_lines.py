"""The log lines of the functions of a stack."""

import json

import botocore.session

session = botocore.session.get_session()
resource_pages = session.create_client("cloudformation").get_paginator("list_stack_resources")
event_pages = session.create_client("logs").get_paginator("filter_log_events")


def lines(stack_name):
    """The JSON lines of all log groups."""
    for resources in resource_pages.paginate(StackName=stack_name):
        for resource in resources["StackResourceSummaries"]:
            if resource["ResourceType"] == "AWS::Logs::LogGroup":
                for page in event_pages.paginate(logGroupName=resource["PhysicalResourceId"]):
                    for event in page["events"]:
                        if event["message"].startswith("{"):
                            yield json.loads(event["message"])
