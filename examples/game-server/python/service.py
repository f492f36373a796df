"""Reads from the service."""

import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

SERVICE = os.environ.get("SERVICE_URL", "http://127.0.0.1:3000")


class Failure(Exception):
    """A status and a word for the game, and the seconds after which it can try again."""

    def __init__(self, status, word, cause, retry_after=None):
        super().__init__(f"{word}: {cause}")
        self.status, self.word, self.retry_after = status, word, retry_after


def nfts_of(player_token, is_repeat=False):
    """Returns all of the player's allowlisted NFTs, never a part of them."""
    nfts, cursor = [], ""
    headers = {"X-Api-Key": os.environ["API_KEY"], "X-Player-Token": player_token}
    while True:
        page = get(f"/api/public/v1/player/tokens?cursor={quote(cursor)}", headers, attempts=3)
        if page.get("code") == "cursor_expired":
            # The wallets or the allowlist changed between two pages: begin again, once.
            if is_repeat:
                raise Failure(503, "try_again_later", page["code"], 1)
            return nfts_of(player_token, is_repeat=True)
        nfts += page["data"]
        # A short or empty page need not be the last one: only the cursor tells.
        cursor = page.get("nextCursor")
        if not cursor:
            return nfts


def get(path, headers, attempts):
    """Returns an answer, or that a cursor has expired. Waits while the service is unavailable or throttles."""
    for attempt in range(1, attempts + 1):
        try:
            with urlopen(Request(SERVICE + path, headers=headers), timeout=30) as response:
                return json.load(response)
        except HTTPError as error:
            # Answers of API Gateway and of proxies have no code, and need not be JSON.
            is_problem = error.headers.get_content_type() == "application/problem+json"
            problem = json.load(error) if is_problem else {}
            if problem.get("code") == "cursor_expired":
                return problem
            cause = f"HTTP {error.code} {problem}"
            if problem.get("code") in ("invalid_player_token", "player_token_expired"):
                raise Failure(401, "sign_in_again", cause) from error
            if error.code not in (429, 503):
                raise Failure(502, "failed", cause) from error
            # API Gateway sends no Retry-After when it throttles.
            seconds = float(error.headers.get("Retry-After", attempt))
            if attempt == attempts or seconds > 10:
                raise Failure(503, "try_again_later", cause, f"{seconds:.0f}") from error
            time.sleep(seconds)
        except (OSError, HTTPException) as error:
            raise Failure(503, "try_again_later", error, 5) from error
