"""Verifies player tokens."""

import os
import threading
import time

import jwt
from service import Failure, get

ISSUER = os.environ.get("ISSUER", "player-nfts-local")
AUDIENCE = os.environ.get("PLAYER_TOKEN_AUDIENCE", "player-nfts-local-games")
PRODUCT = os.environ.get("PRODUCT_ID", "").lower()
COOLDOWN = float(os.environ.get("KEY_SET_COOLDOWN_SECONDS", "30"))


class KeySet:
    """The published keys, which are read again after five minutes, or for an unknown key once in the cooldown."""

    keys, read_at, asked_at = {}, float("-inf"), float("-inf")
    lock = threading.Lock()

    def key(self, key_id):
        with self.lock:
            now = time.monotonic()
            is_old = now - self.read_at > 300
            if is_old or (key_id not in self.keys and now - self.asked_at > COOLDOWN):
                self.asked_at = self.asked_at if is_old else now
                key_set = jwt.PyJWKSet.from_dict(get("/.well-known/jwks.json", {}, attempts=1))
                self.keys, self.read_at = {key.key_id: key for key in key_set.keys}, now
            if key_id not in self.keys:
                raise jwt.InvalidKeyError("the key is unknown")
            return self.keys[key_id]


def user_of(player_token, key_set):
    """Verifies a player token without a request, and returns the player's user id."""
    try:
        header = jwt.get_unverified_header(player_token)
        # The key set also has the keys of user JWTs, which open more: only typ and aud tell the two apart.
        if header.get("typ") != "player+jwt":
            raise jwt.InvalidTokenError("typ is not player+jwt")
        rules = {"algorithms": ["ES256"], "issuer": ISSUER, "audience": AUDIENCE, "leeway": 30}
        key = key_set.key(header.get("kid"))
        claims = jwt.decode(player_token, key, **rules, options={"require": ["exp", "iss", "aud", "sub"]})
        # Otherwise another game could sign in here with the token that the player gave it (D52).
        if claims.get("client_id", PRODUCT) != PRODUCT:
            raise jwt.InvalidTokenError("the player token is for another game")
    except (jwt.PyJWKError, jwt.PyJWKSetError) as error:
        raise Failure(503, "try_again_later", error, 5) from error
    except jwt.PyJWTError as error:
        raise Failure(401, "sign_in_again", error) from error
    return claims["sub"]
