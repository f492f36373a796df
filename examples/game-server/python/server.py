"""A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server."""

import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from player_token import KeySet, user_of
from service import Failure, nfts_of


class Handler(BaseHTTPRequestHandler):
    """Answers GET /nfts with the header Authorization: Bearer <player token>."""

    key_set = KeySet()

    def do_GET(self):
        if self.path != "/nfts":
            return self.answer(404, {"error": "not_found"})
        player_token = re.sub("^Bearer +", "", self.headers.get("Authorization", ""), flags=re.I)
        try:
            user_id = user_of(player_token, self.key_set)
            return self.answer(200, {"userId": user_id, "nfts": nfts_of(player_token)})
        except Exception as error:
            failure = error if isinstance(error, Failure) else Failure(502, "failed", repr(error))
            if failure.status != 401:
                self.log_error("%s", failure)
            return self.answer(failure.status, {"error": failure.word}, failure.retry_after)

    def answer(self, status, body, retry_after=None):
        # The list belongs to one player: no cache may keep it.
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": len(text)}.items():
            self.send_header(name, str(value))
        if retry_after is not None:
            self.send_header("Retry-After", str(retry_after))
        self.end_headers()
        self.wfile.write(text)


if __name__ == "__main__":
    if not os.environ.get("API_KEY"):
        sys.exit("Set API_KEY to an API key of your product.")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Handler)
    print(f"The game server runs at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
