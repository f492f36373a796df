"""Serves MiniStack, an AWS emulator, with TLS on a free port of 127.0.0.1, until standard input ends.

The first line on standard output is the port. The certificate to trust is `certificate.pem` in the folder
STATE_DIR. The process must be the leader of a process group. At its end, it kills the group with the functions
that it has started.

MiniStack's own command serves HTTP without TLS, which policies with aws:SecureTransport deny, or also listens
on port 443. With HTTP_PORT, this program serves HTTP without TLS on that port, for people.
"""

import asyncio
import datetime
import ipaddress
import os
import signal
import socket
import string
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


def write_certificate(certificate_file: str, key_file: str) -> None:
    """Writes a self-signed certificate for this machine and for the APIs that MiniStack serves."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "MiniStack")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [
        x509.DNSName("localhost"),
        x509.DNSName("*.execute-api.localhost"),
        x509.DNSName("*.cloudfront.localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    with open(certificate_file, "wb") as file:
        file.write(certificate.public_bytes(serialization.Encoding.PEM))
    with open(os.open(key_file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )


def accept_alarms_on_expressions() -> None:
    """MiniStack's CloudFormation rejects them. With this change, it creates alarms on their first metric."""
    from ministack.services.cloudformation import provisioners

    record = provisioners._cw_metric_alarm_record

    def record_of_first_metric(name, properties):
        metrics = [each["MetricStat"] for each in properties.get("Metrics", []) if "MetricStat" in each]
        if not metrics:
            return record(name, properties)
        alone = {key: value for key, value in properties.items() if key != "Metrics"}
        of_first = {"Statistic": metrics[0]["Stat"], "Period": metrics[0]["Period"]}
        return record(name, {**alone, **metrics[0]["Metric"], **of_first})

    provisioners._cw_metric_alarm_record = record_of_first_metric


def detect_changed_references() -> None:
    """MiniStack treats a template as unchanged if only a reference names another resource, as in a key rotation."""
    from ministack.services.cloudformation import changesets

    changesets._resolve_props_for_diff = lambda template, *_: template


def exclude_punctuation() -> None:
    """MiniStack's CloudFormation generates secrets with punctuation even if the template excludes it."""
    from ministack.services.cloudformation import provisioners

    generate = provisioners._sm_secret_string

    def generate_without_punctuation(properties):
        options = properties.get("GenerateSecretString")
        if not options or not options.get("ExcludePunctuation"):
            return generate(properties)
        excluded = options.get("ExcludeCharacters", "") + string.punctuation
        return generate({**properties, "GenerateSecretString": {**options, "ExcludeCharacters": excluded}})

    provisioners._sm_secret_string = generate_without_punctuation


def keep_attributes_in_nested_stacks() -> None:
    """MiniStack forgets the attributes of the resources of a nested stack that an update does not change."""
    from ministack.services.cloudformation import _stacks, provisioners

    update = provisioners._update_resource

    def update_with_attributes(kind, physical_id, before, after, stack_name, logical_id=None):
        record = _stacks.get(stack_name, {}).get("_resources", {}).get(logical_id, {})
        known = record.get("Attributes") or {}
        new_id, attributes = update(kind, physical_id, before, after, stack_name, logical_id, known)
        return new_id, {**known, **attributes} if new_id == physical_id else attributes

    provisioners._update_resource = update_with_attributes


def reach_origins_of_distributions() -> None:
    """MiniStack's CloudFront connects to port 443 of an API, not to the port in the address of the API."""
    from ministack.services import cloudfront

    target = cloudfront._origin_connect_target

    def target_on_this_machine(origin, viewer_is_https):
        host, port, use_https = target(origin, viewer_is_https)
        name, _, own_port = host.partition(":")
        return ("127.0.0.1", int(own_port), use_https) if name.endswith(".localhost") else (host, port, use_https)

    cloudfront._origin_connect_target = target_on_this_machine


def send_custom_resources_back() -> None:
    """MiniStack's CloudFormation rolls a custom resource with a new id back without an event for the version before."""
    from ministack.services.cloudformation import stacks

    roll_back = stacks._roll_back_operation

    async def roll_back_with_events(stack_name, stack_id, stack, operation, *reason):
        before = (operation.get("previous_stack") or {}).get("_resources", {})
        applied = {name: stack["_resources"][name] for name in operation.get("created", []) if name in before}
        for name, record in applied.items():
            kind, physical_id = record["ResourceType"], record["PhysicalResourceId"]
            if not kind.startswith("Custom::") or physical_id == before[name]["PhysicalResourceId"]:
                continue
            stack["StackStatus"] = "UPDATE_ROLLBACK_IN_PROGRESS"
            versions = (record["Properties"], before[name]["Properties"])
            attributes = record.get("Attributes")
            try:
                await stacks._revert_update(stack_id, stack_name, name, kind, physical_id, *versions, attributes)
            except Exception as error:
                status = stack["StackStatus"] = "UPDATE_ROLLBACK_FAILED"
                stacks._add_event(
                    stack_id, stack_name, stack_name, "AWS::CloudFormation::Stack", status, str(error), stack_id
                )
                return
        await roll_back(stack_name, stack_id, stack, operation, *reason)

    stacks._roll_back_operation = roll_back_with_events


async def end_with_input() -> None:
    """Kills this process group, including the functions, when the parent process ends for any reason."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    await reader.read()
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    state_dir = os.environ["STATE_DIR"]
    certificate_file = os.path.join(state_dir, "certificate.pem")
    key_file = os.path.join(state_dir, "key.pem")
    write_certificate(certificate_file, key_file)
    http_port = os.environ.get("HTTP_PORT")
    listener = socket.create_server(("127.0.0.1", int(http_port or 0)))
    port = listener.getsockname()[1]
    os.environ["GATEWAY_PORT"] = str(port)
    if not http_port:
        os.environ.update(USE_SSL="1", MINISTACK_SSL_CERT=certificate_file, MINISTACK_SSL_KEY=key_file)
    # MiniStack reads its settings at import.
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from ministack.app import app

    accept_alarms_on_expressions()
    detect_changed_references()
    exclude_punctuation()
    keep_attributes_in_nested_stacks()
    reach_origins_of_distributions()
    send_custom_resources_back()
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    if not http_port:
        config.certfile = certificate_file
        config.keyfile = key_file
    config.alpn_protocols = ["http/1.1"]
    # Longer than clients keep idle connections, so that no connection closes during a request.
    config.keep_alive_timeout = 120
    print(port, flush=True)
    asyncio.run(serve(app, config, shutdown_trigger=end_with_input))


main()
