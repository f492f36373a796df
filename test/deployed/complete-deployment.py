"""Sets, through the services' own APIs, what MiniStack's CloudFormation drops from a template, or gets wrong.

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
resources = {
    resource["LogicalResourceId"]: resource["PhysicalResourceId"]
    for page in pages.paginate(StackName=stack_name)
    for resource in page["StackResourceSummaries"]
}


def of_type(resource_type: str):
    """The resources of a type: physical id and properties in the template."""
    return [
        (resources[logical_id], resource["Properties"])
        for logical_id, resource in template.items()
        if resource["Type"] == resource_type
    ]


def set_cors() -> None:
    """It keeps the CORS configuration under names that its gateway does not look for."""
    api_gateway = session.create_client("apigatewayv2")
    for api_id, properties in of_type("AWS::ApiGatewayV2::Api"):
        api_gateway.update_api(ApiId=api_id, CorsConfiguration=properties["CorsConfiguration"])


def set_time_to_live() -> None:
    """It drops a table's TimeToLiveSpecification."""
    dynamodb = session.create_client("dynamodb")
    for table, properties in of_type("AWS::DynamoDB::Table"):
        described = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
        # Enabling it again is an error.
        if described["TimeToLiveStatus"] == "DISABLED":
            dynamodb.update_time_to_live(
                TableName=table,
                TimeToLiveSpecification=properties["TimeToLiveSpecification"],
            )


def set_point_in_time_recovery() -> None:
    """It drops a table's PointInTimeRecoverySpecification."""
    dynamodb = session.create_client("dynamodb")
    for table, properties in of_type("AWS::DynamoDB::Table"):
        dynamodb.update_continuous_backups(
            TableName=table,
            PointInTimeRecoverySpecification=properties["PointInTimeRecoverySpecification"],
        )


def set_secret_arns() -> None:
    """`Ref` of a secret is its name here, not its ARN, and a policy that names it so allows nothing."""
    secrets_manager = session.create_client("secretsmanager")
    iam = session.create_client("iam")
    for name, _ in of_type("AWS::SecretsManager::Secret"):
        arn = secrets_manager.describe_secret(SecretId=name)["ARN"]
        for role, _ in of_type("AWS::IAM::Role"):
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
