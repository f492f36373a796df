"""Serves a template as `sam local start-api` does, on a free port of 127.0.0.1, until standard input ends.

usage: sam-api.py <template file> <env file> <node>

SAM's own code reads the template and the env file, serves the API and makes the events. Only the container is
replaced: a Node process runs the bundle. The first line on standard output is the port.
"""

import logging
import os
import queue
import subprocess
import sys
import threading

from samcli.commands.local.cli_common.invoke_context import InvokeContext
from samcli.commands.local.lib.local_api_service import LocalApiService

template_file, env_file, node = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))


class NodeProcess:
    """A function that handles one event at a time, like an execution environment of Lambda."""

    def __init__(self, config):
        read_end, write_end = os.pipe()
        file = os.path.join(config.code_abs_path, config.handler.split(".")[0] + ".js")
        program = os.path.join(here, "function.mjs")
        self.process = subprocess.Popen(
            [node, program, file, config.name, str(config.timeout), str(write_end)],
            env={"PATH": os.environ["PATH"], **config.env_vars.resolve()},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[write_end],
        )
        os.close(write_end)
        self.results = os.fdopen(read_end, "rb")

    def handle(self, event: str) -> bytes:
        self.process.stdin.write(event.replace("\n", " ").encode() + b"\n")
        self.process.stdin.flush()
        return self.results.readline()


class NodeRuntime:
    """What LocalLambdaRunner needs of samcli's LambdaRuntime."""

    def __init__(self):
        self.idle = {}

    def invoke(self, config, event, *_, stdout=None, **__):
        idle = self.idle.setdefault(config.full_path, queue.SimpleQueue())
        try:
            process = idle.get_nowait()
        except queue.Empty:
            process = NodeProcess(config)
        stdout.write_str(process.handle(event).decode())
        idle.put(process)

    def clean_runtime_containers(self):
        pass


class ContextWithoutContainers(InvokeContext):
    runtime = NodeRuntime()

    @property
    def lambda_runtime(self):
        return self.runtime

    @staticmethod
    def _get_container_manager(*_, **__):
        return None


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def end_with_input() -> None:
    """Ends this process; the functions end with their standard input."""
    sys.stdin.read()
    os._exit(0)


logging.getLogger("werkzeug").setLevel(logging.ERROR)
threading.Thread(target=end_with_input, daemon=True).start()
port = free_port()
context = ContextWithoutContainers(template_file=template_file, env_vars_file=env_file)
with context:
    service = LocalApiService(
        lambda_invoke_context=context,
        port=port,
        host="127.0.0.1",
        static_dir=None,
        disable_authorizer=False,
        ssl_context=None,
    )
    print(port, flush=True)
    service.start()
