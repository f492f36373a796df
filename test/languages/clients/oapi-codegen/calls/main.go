// Makes seven calls with the client of oapi-codegen, and prints what it has read, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/game/nfts"
)

// with sets a header of a request.
func with(name, value string) nfts.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set(name, value)
		return nil
	}
}

// must returns the answer of a call that may not fail.
func must[Answer any](answer Answer, err error) Answer {
	if err != nil {
		log.Fatalf("%T: %v", answer, err)
	}
	return answer
}

func main() {
	ctx := context.Background()
	client := must(nfts.NewClientWithResponses(os.Getenv("BASE_URL")))
	chain, description := "BSC", "The vessels of the game."
	registration := nfts.ProductRegistration{Name: "Lee and Mercy", ContactEmail: "studio@example.com", CompanyName: "Gull Harbour Games"}
	product := must(client.RegisterProductWithResponse(ctx, registration)).JSON200.Data
	key := with("X-Api-Key", product.ApiKey.String())
	allowlisting := nfts.Allowlisting{
		Chain:               &chain,
		ContractAddress:     os.Getenv("CONTRACT"),
		ContractDescription: &description,
		Tokens:              []string{"1", "2", "3..150"},
	}
	allowlisted := must(client.AllowlistNftsWithResponse(ctx, allowlisting, key)).JSON200.Data
	user := with("Authorization", "Bearer "+os.Getenv("USER_JWT"))
	token := must(client.CreatePlayerTokenWithResponse(ctx, nil, user)).JSON200.Data.Token
	player := with("X-Player-Token", token)
	details := must(client.GetPlayerDetailsWithResponse(ctx, nil, player)).JSON200.Data
	names := []string{}
	for _, nft := range must(client.GetStructuredMetadataWithResponse(ctx, nil, key, player)).JSON200.Data {
		names = append(names, nft.FormattedMetadata.Name)
	}
	asked := nfts.SignInMessageRequest{Address: os.Getenv("WALLET"), Chain: "POLYGON"}
	message := must(client.CreateSignInMessageWithResponse(ctx, asked)).JSON200.Data
	refused := must(client.GetProductWithResponse(ctx, with("X-Api-Key", os.Getenv("WRONG_KEY"))))
	text, _ := json.Marshal(map[string]any{
		"allowlisted": len(allowlisted),
		"userId":      details.UserId,
		"names":       names,
		"hasMessage":  message.Message != "",
		"problem":     refused.ApplicationproblemJSON401.Code,
	})
	fmt.Println(string(text))
}
