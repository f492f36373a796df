// Makes seven calls with the client of ogen, and prints what it has read, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"example.com/game/nfts"
	"github.com/ogen-go/ogen/ogenerrors"
)

// credentials are those of a client. An operation takes those that it needs.
type credentials struct{ apiKey, playerToken, userJwt string }

func (sent credentials) ApiKey(context.Context, nfts.OperationName) (nfts.ApiKey, error) {
	return nfts.ApiKey{APIKey: sent.apiKey}, absent(sent.apiKey)
}

func (sent credentials) PlayerTokenHeader(context.Context, nfts.OperationName) (nfts.PlayerTokenHeader, error) {
	return nfts.PlayerTokenHeader{APIKey: sent.playerToken}, absent(sent.playerToken)
}

func (sent credentials) PlayerTokenParameter(context.Context, nfts.OperationName) (nfts.PlayerTokenParameter, error) {
	return nfts.PlayerTokenParameter{}, ogenerrors.ErrSkipClientSecurity
}

func (sent credentials) UserJwt(context.Context, nfts.OperationName) (nfts.UserJwt, error) {
	return nfts.UserJwt{Token: sent.userJwt}, absent(sent.userJwt)
}

func (sent credentials) Session(context.Context, nfts.OperationName) (nfts.Session, error) {
	return nfts.Session{}, ogenerrors.ErrSkipClientSecurity
}

func absent(credential string) error {
	if credential == "" {
		return ogenerrors.ErrSkipClientSecurity
	}
	return nil
}

// must returns the answer of a call that may not fail.
func must[Answer any](answer any, err error) Answer {
	read, ok := answer.(Answer)
	if err != nil || !ok {
		log.Fatalf("%T: %v", answer, err)
	}
	return read
}

func as(sent credentials) *nfts.Client {
	return must[*nfts.Client](nfts.NewClient(os.Getenv("BASE_URL"), sent))
}

func main() {
	ctx := context.Background()
	registration := nfts.ProductRegistration{Name: "Lee and Mercy", ContactEmail: "studio@example.com", CompanyName: "Gull Harbour Games"}
	product := must[*nfts.RegisterProductEnvelopeHeaders](as(credentials{}).RegisterProduct(ctx, &registration)).Response.Data
	allowlisting := nfts.Allowlisting{
		Chain:               nfts.NewOptNilString("BSC"),
		ContractAddress:     os.Getenv("CONTRACT"),
		ContractDescription: nfts.NewOptNilString("The vessels of the game."),
		Tokens:              []string{"1", "2", "3..150"},
	}
	studio := as(credentials{apiKey: product.ApiKey.String()})
	allowlisted := must[*nfts.AllowlistNftsEnvelopeHeaders](studio.AllowlistNfts(ctx, &allowlisting)).Response.Data
	user := as(credentials{userJwt: os.Getenv("USER_JWT")})
	token := must[*nfts.CreatePlayerTokenEnvelopeHeaders](user.CreatePlayerToken(ctx, nfts.CreatePlayerTokenParams{})).Response.Data.Token
	game := as(credentials{apiKey: product.ApiKey.String(), playerToken: token})
	details := must[*nfts.GetPlayerDetailsEnvelopeHeaders](game.GetPlayerDetails(ctx, nfts.GetPlayerDetailsParams{})).Response.Data
	names := []string{}
	structured := must[*nfts.GetStructuredMetadataEnvelopeHeaders](game.GetStructuredMetadata(ctx, nfts.GetStructuredMetadataParams{}))
	for _, nft := range structured.Response.Data {
		names = append(names, nft.FormattedMetadata.Name)
	}
	asked := nfts.SignInMessageRequest{Address: os.Getenv("WALLET"), Chain: "POLYGON"}
	message := must[*nfts.CreateSignInMessageEnvelopeHeaders](as(credentials{}).CreateSignInMessage(ctx, &asked)).Response.Data
	stranger := as(credentials{apiKey: os.Getenv("WRONG_KEY")})
	refused := must[*nfts.MissingAPIKeyInvalidAPIKeyHeaders](stranger.GetProduct(ctx))
	text, _ := json.Marshal(map[string]any{
		"allowlisted": len(allowlisted),
		"userId":      details.UserId,
		"names":       names,
		"hasMessage":  message.Message != "",
		"problem":     refused.Response.Code,
	})
	fmt.Println(string(text))
}
