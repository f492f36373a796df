// Makes twenty calls with the generated client, and prints what it has read, as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	nfts "example.com/game/nfts"
)

var client *nfts.APIClient

// as returns a context with credentials, by the names of their security schemes.
func as(credentials map[string]string) context.Context {
	keys := map[string]nfts.APIKey{}
	for scheme, key := range credentials {
		keys[scheme] = nfts.APIKey{Key: key}
	}
	return context.WithValue(context.Background(), nfts.ContextAPIKeys, keys)
}

// must returns the answer of a call that may not fail.
func must[Answer, Response any](answer *Answer, response Response, err error) *Answer {
	if err != nil {
		log.Fatalf("%T: %v %+v", answer, err, response)
	}
	return answer
}

func main() {
	configuration := nfts.NewConfiguration()
	configuration.Servers = nfts.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client = nfts.NewAPIClient(configuration)
	read := map[string]any{}

	registration := nfts.NewProductRegistration("Lee and Mercy", "studio@example.com", "Gull Harbour Games")
	product := must(client.ProductAPI.RegisterProduct(context.Background()).ProductRegistration(*registration).Execute()).Data
	key := as(map[string]string{"ApiKey": product.ApiKey})
	read["name"] = must(client.ProductAPI.GetProduct(key).Execute()).Data.Name
	changes := nfts.NewProductChanges()
	changes.SetName("Lee and Mercy II")
	read["newName"] = must(client.ProductAPI.UpdateProduct(key).ProductChanges(*changes).Execute()).Data.Name
	created := must(client.ProductAPI.CreateKey(key).KeyCreation(*nfts.NewKeyCreation("game servers", "READ")).Execute()).Data
	read["scope"] = created.Scope
	read["keys"] = len(must(client.ProductAPI.ListKeys(key).Execute()).Data)
	read["endReason"] = must(client.ProductAPI.EndKey(key, created.KeyId).Execute()).Data.EndReason

	contract := os.Getenv("CONTRACT")
	allowlisting := nfts.NewAllowlisting(contract, []string{"1", "2", "3..150"})
	allowlisting.SetChain("BSC")
	allowlisting.SetContractDescription("The vessels of the game.")
	read["allowlisted"] = len(must(client.AllowlistAPI.AllowlistNfts(key).Allowlisting(*allowlisting).Execute()).Data)
	first := must(client.AllowlistAPI.GetAllowedNfts(key).Limit(2).Execute())
	read["first"] = tokenIds(first.Data)
	read["second"] = tokenIds(must(client.AllowlistAPI.GetAllowedNfts(key).Cursor(first.GetNextCursor()).Execute()).Data)
	actions := []string{}
	for _, event := range must(client.ProductAPI.GetEvents(key).Execute()).Data {
		actions = append(actions, event.Action)
	}
	read["actions"] = actions

	user := context.WithValue(context.Background(), nfts.ContextAccessToken, os.Getenv("USER_JWT"))
	token := must(client.PlayerAPI.CreatePlayerToken(user).ProductId(product.ProductId).Execute()).Data.Token
	details := must(client.PlayerAPI.GetPlayerDetails(as(map[string]string{"PlayerTokenHeader": token})).Execute()).Data
	read["userId"], read["amountText"] = details.UserId, details.AmountText
	other := as(map[string]string{"PlayerTokenHeader": os.Getenv("PLAYER_TOKEN")})
	read["otherUserId"] = must(client.PlayerAPI.GetPlayerBalance(other).Execute()).Data.UserId
	player := as(map[string]string{"ApiKey": product.ApiKey, "PlayerTokenHeader": token})
	names := []string{}
	for _, nft := range must(client.PlayerAPI.GetStructuredMetadata(player).Chains([]string{"BSC"}).Execute()).Data {
		names = append(names, nft.FormattedMetadata.Name)
	}
	rawNames := []any{}
	for _, nft := range must(client.PlayerAPI.GetRawMetadata(player).Execute()).Data {
		rawNames = append(rawNames, nft.RawMetadata["name"])
	}
	read["names"], read["rawNames"] = names, rawNames

	unbinding := client.AllowlistAPI.UnbindNfts(key).ContractAddress(contract).Chain("BSC").Tokens([]string{"1", "2"})
	read["removed"] = must(unbinding.Execute()).Data.Removed
	read["days"] = len(must(client.ProductAPI.GetUsage(key).Days(1).Execute()).Data)
	read["algorithm"] = must(client.KeysAPI.GetKeySet(context.Background()).Execute()).Keys[0].Alg
	_, _, err := client.ProductAPI.GetProduct(as(map[string]string{"ApiKey": os.Getenv("WRONG_KEY")})).Execute()
	var failed *nfts.GenericOpenAPIError
	if errors.As(err, &failed) {
		problem, _ := failed.Model().(nfts.Problem)
		read["problem"] = problem.Code
	}
	read["deleted"] = must(client.ProductAPI.DeleteProduct(key).Confirm("Lee and Mercy II").Execute()).Success
	text, _ := json.Marshal(read)
	fmt.Println(string(text))
}

func tokenIds(entries []nfts.AllowedNft) []string {
	ids := []string{}
	for _, entry := range entries {
		ids = append(ids, entry.TokenId)
	}
	return ids
}
