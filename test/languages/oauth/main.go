// Signs a player in on a device with golang.org/x/oauth2, refreshes twice, and prints what it has read of the player each time, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"golang.org/x/oauth2"
)

var (
	ctx  = context.Background()
	base = os.Getenv("BASE_URL") + "/api/public/v1"
)

func main() {
	game := oauth2.Config{
		ClientID: os.Getenv("PRODUCT_ID"),
		Endpoint: oauth2.Endpoint{DeviceAuthURL: base + "/device/authorization", TokenURL: base + "/token"},
	}
	code := must(game.DeviceAuth(ctx))
	token := must(game.DeviceAccessToken(ctx, code))
	players := []any{playerOf(&game, token)}
	for range 2 {
		token.Expiry = time.Now().Add(-time.Hour)
		token = must(game.TokenSource(ctx, token).Token())
		players = append(players, playerOf(&game, token))
	}
	text, _ := json.Marshal(players)
	fmt.Println(string(text))
}

// playerOf reads a player with the access token, which the client of the library sends as a bearer token.
func playerOf(game *oauth2.Config, token *oauth2.Token) any {
	answer := must(game.Client(ctx, token).Get(base + "/player/details"))
	defer answer.Body.Close()
	var read struct{ Data struct{ UserId int } }
	if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
		log.Fatal(err)
	}
	return read.Data.UserId
}

// must returns what may not fail.
func must[Result any](result Result, err error) Result {
	if err != nil {
		log.Fatal(err)
	}
	return result
}
