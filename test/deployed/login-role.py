"""Creates the role of the platform's login outside the stack, and assumes it.

Prints the ARN, and credentials that are valid for an hour. The role has no permissions of its own: the stack
grants the permission to sign user JWTs.
"""

import json

import botocore.session

session = botocore.session.get_session()
account = session.create_client("sts").get_caller_identity()["Account"]
allow_account = {
    "Effect": "Allow",
    "Principal": {"AWS": f"arn:aws:iam::{account}:root"},
    "Action": "sts:AssumeRole",
}
role = session.create_client("iam").create_role(
    RoleName="platform-login",
    AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [allow_account]}),
)
arn = role["Role"]["Arn"]
assumed = session.create_client("sts").assume_role(RoleArn=arn, RoleSessionName="login")
credentials = assumed["Credentials"]
print(
    json.dumps(
        {
            "arn": arn,
            "credentials": {
                "accessKeyId": credentials["AccessKeyId"],
                "secretAccessKey": credentials["SecretAccessKey"],
                "sessionToken": credentials["SessionToken"],
            },
        }
    )
)
