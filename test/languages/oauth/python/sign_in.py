"""Signs a player in on a device with requests-oauthlib, refreshes twice, and prints what it has read of the player each time, as JSON."""

import json
import os
import time

import requests
from oauthlib.oauth2 import DeviceClient, OAuth2Error
from requests_oauthlib import OAuth2Session

# The service of the test has no TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

base = os.environ["BASE_URL"] + "/api/public/v1"
client_id = os.environ["PRODUCT_ID"]
game = OAuth2Session(client=DeviceClient(client_id))


def user_id():
    """Reads the player with the access token, which the library sends as a bearer token."""
    return game.get(f"{base}/player/details").json()["data"]["userId"]


def poll(device_code):
    """The tokens of a device code, once the player has approved."""
    while True:
        time.sleep(grant["interval"])
        try:
            return game.fetch_token(f"{base}/token", device_code=device_code, include_client_id=True)
        except OAuth2Error as refused:
            if refused.error != "authorization_pending":
                raise


grant = requests.post(f"{base}/device/authorization", data={"client_id": client_id}, timeout=30).json()
poll(grant["device_code"])
players = [user_id()]
for _ in range(2):
    game.refresh_token(f"{base}/token")
    players.append(user_id())
print(json.dumps(players))
