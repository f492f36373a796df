"""Serves moto, a mock of AWS, on a free port of 127.0.0.1, until standard input ends.

The first line on standard output is the port. moto's DynamoDB fails with "dictionary changed size during
iteration" if threads change a table at the same time. This program passes one request at a time to it.
"""

import logging
import os
import sys
import threading

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

# Otherwise the server logs every request.
logging.getLogger("werkzeug").setLevel(logging.ERROR)


class OneDynamodbRequestAtATime:
    def __init__(self, application):
        self.application = application
        self.lock = threading.Lock()

    def __call__(self, environment, start_response):
        if not environment.get("HTTP_X_AMZ_TARGET", "").startswith("DynamoDB"):
            return self.application(environment, start_response)
        with self.lock:
            return self.application(environment, start_response)


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


application = OneDynamodbRequestAtATime(DomainDispatcherApplication(create_backend_app))
server = make_server("127.0.0.1", 0, application, threaded=True)
print(server.server_port, flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
server.serve_forever()
