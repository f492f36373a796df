"""Prints the types that the emulator refuses, of the resources of a template and of other types, sorted, one on a line.

usage: refused-types.py <template file> [<type>…]
"""

import json
import re
import sys

import botocore.exceptions
import botocore.session

template_file, *others = sys.argv[1:]
with open(template_file) as file:
    resources = json.load(file)["Resources"].values()
# The types alone: a template in a call may have 51,200 bytes.
types = sorted({*others, *(resource["Type"] for resource in resources)})
template = {"Resources": {f"Resource{index}": {"Type": each} for index, each in enumerate(types)}}
try:
    cloudformation = botocore.session.get_session().create_client("cloudformation")
    cloudformation.validate_template(TemplateBody=json.dumps(template))
except botocore.exceptions.ClientError as error:
    (refused,) = re.findall(r"Unrecognized resource types: \[(.*)\]", str(error))
    print("\n".join(refused.split(", ")), end="")
