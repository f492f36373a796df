"""Makes twenty calls with the generated client, and prints what it has read, as JSON."""

import json
import os

import nfts


def api(kind, **credentials):
    """Operations with credentials, by the names of their security schemes."""
    bearer = credentials.pop("bearer", None)
    configuration = nfts.Configuration(
        host=os.environ["BASE_URL"], api_key=credentials, access_token=bearer
    )
    return kind(nfts.ApiClient(configuration))


read = {}
registration = nfts.ProductRegistration(
    name="Lee and Mercy", contact_email="studio@example.com", company_name="Gull Harbour Games"
)
product = api(nfts.ProductApi).register_product(registration).data
products = api(nfts.ProductApi, ApiKey=str(product.api_key))
allowlists = api(nfts.AllowlistApi, ApiKey=str(product.api_key))
read["name"] = products.get_product().data.name
changes = nfts.ProductChanges(name="Lee and Mercy II")
read["newName"] = products.update_product(changes).data.name
created = products.create_key(nfts.KeyCreation(label="game servers", scope="READ")).data
read["scope"] = created.scope
read["keys"] = len(products.list_keys().data)
read["endReason"] = products.end_key(created.key_id).data.end_reason

contract = os.environ["CONTRACT"]
allowlisting = nfts.Allowlisting(
    chain="BSC",
    contract_address=contract,
    contract_description="The vessels of the game.",
    tokens=["1", "2", "3..150"],
)
read["allowlisted"] = len(allowlists.allowlist_nfts(allowlisting).data)
first = allowlists.get_allowed_nfts(limit=2)
second = allowlists.get_allowed_nfts(cursor=first.next_cursor)
read["first"] = [entry.token_id for entry in first.data]
read["second"] = [entry.token_id for entry in second.data]
read["actions"] = [event.action for event in products.get_events().data]

users = api(nfts.PlayerApi, bearer=os.environ["USER_JWT"])
token = users.create_player_token(product_id=product.product_id).data.token
details = api(nfts.PlayerApi, PlayerTokenHeader=token).get_player_details().data
read["userId"], read["amountText"] = details.user_id, details.amount_text
others = api(nfts.PlayerApi, PlayerTokenHeader=os.environ["PLAYER_TOKEN"])
read["otherUserId"] = others.get_player_balance().data.user_id
players = api(nfts.PlayerApi, ApiKey=str(product.api_key), PlayerTokenHeader=token)
structured = players.get_structured_metadata(chains=["BSC"]).data
read["names"] = [nft.formatted_metadata.name for nft in structured]
read["rawNames"] = [nft.raw_metadata["name"] for nft in players.get_raw_metadata().data]

unbound = allowlists.unbind_nfts(contract_address=contract, chain="BSC", tokens=["1", "2"]).data
read["removed"] = unbound.removed
read["days"] = len(products.get_usage(days=1).data)
read["algorithm"] = api(nfts.KeysApi).get_key_set().keys[0].alg
try:
    api(nfts.ProductApi, ApiKey=os.environ["WRONG_KEY"]).get_product()
except nfts.ApiException as error:
    read["problem"] = error.data.code
read["deleted"] = products.delete_product(confirm="Lee and Mercy II").success
print(json.dumps(read))
