"""Sets the properties of a template that MiniStack's CloudFormation ignores or sets wrongly, through the APIs of the services.

usage: complete-deployment.py <template file> <stack name>
"""

import json
import sys

import botocore.session

session = botocore.session.get_session()
template_file, stack_name = sys.argv[1:]
with open(template_file) as file:
    template = json.load(file)["Resources"]
pages = session.create_client("cloudformation").get_paginator("list_stack_resources")


def resources_of(stack: str) -> list[dict]:
    """The resources of a stack."""
    return [each for page in pages.paginate(StackName=stack) for each in page["StackResourceSummaries"]]


own_resources = resources_of(stack_name)
resources = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in own_resources}
nested = [each["PhysicalResourceId"] for each in own_resources if each["ResourceType"] == "AWS::CloudFormation::Stack"]
roles = [
    each["PhysicalResourceId"]
    for listed in [own_resources, *map(resources_of, nested)]
    for each in listed
    if each["ResourceType"] == "AWS::IAM::Role"
]


def of_type(resource_type: str):
    """The physical id, and the properties in the template, of each resource of a type that is not in a nested stack."""
    return [
        (resources[logical_id], resource["Properties"])
        for logical_id, resource in template.items()
        if resource["Type"] == resource_type
    ]


def set_cors() -> None:
    """MiniStack stores the CORS configuration under names that its gateway does not read."""
    api_gateway = session.create_client("apigatewayv2")
    for api_id, properties in of_type("AWS::ApiGatewayV2::Api"):
        api_gateway.update_api(ApiId=api_id, CorsConfiguration=properties["CorsConfiguration"])


def set_time_to_live() -> None:
    """MiniStack ignores the TimeToLiveSpecification of a table."""
    dynamodb = session.create_client("dynamodb")
    for table, properties in of_type("AWS::DynamoDB::Table"):
        described = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
        # It is an error to enable it twice.
        if described["TimeToLiveStatus"] == "DISABLED":
            dynamodb.update_time_to_live(
                TableName=table,
                TimeToLiveSpecification=properties["TimeToLiveSpecification"],
            )


def set_point_in_time_recovery() -> None:
    """MiniStack ignores the PointInTimeRecoverySpecification of a table."""
    dynamodb = session.create_client("dynamodb")
    for table, properties in of_type("AWS::DynamoDB::Table"):
        dynamodb.update_continuous_backups(
            TableName=table,
            PointInTimeRecoverySpecification=properties["PointInTimeRecoverySpecification"],
        )


def set_secret_arns() -> None:
    """MiniStack resolves `Ref` of a secret to its name instead of its ARN, so that policies with it have no effect."""
    secrets_manager = session.create_client("secretsmanager")
    iam = session.create_client("iam")
    for name, _ in of_type("AWS::SecretsManager::Secret"):
        arn = secrets_manager.describe_secret(SecretId=name)["ARN"]
        for role in roles:
            for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
                document = iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
                before = json.dumps(document)
                after = before.replace(f'"{name}"', f'"{arn}"')
                if after != before:
                    iam.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=after)


set_cors()
set_time_to_live()
set_point_in_time_recovery()
set_secret_arns()
