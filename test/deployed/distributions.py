"""Prints the secret that each CloudFront distribution sends to the API, as a JSON list.

usage: distributions.py
"""

import json

import botocore.session

cloudfront = botocore.session.get_session().create_client("cloudfront")
pages = cloudfront.get_paginator("list_distributions").paginate()
ids = [each["Id"] for page in pages for each in page["DistributionList"].get("Items", [])]
configs = [cloudfront.get_distribution_config(Id=each)["DistributionConfig"] for each in ids]
print(
    json.dumps(
        [
            header["HeaderValue"]
            for config in configs
            for origin in config["Origins"]["Items"]
            for header in origin.get("CustomHeaders", {}).get("Items", [])
            if header["HeaderName"] == "X-Origin-Secret"
        ]
    ),
    end="",
)
