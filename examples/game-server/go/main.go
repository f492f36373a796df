// A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

// The variables that the README lists.
var (
	service     = cmp.Or(os.Getenv("SERVICE_URL"), "http://127.0.0.1:3000")
	issuer      = cmp.Or(os.Getenv("ISSUER"), "player-nfts-local")
	audience    = cmp.Or(os.Getenv("PLAYER_TOKEN_AUDIENCE"), "player-nfts-local-games")
	product     = strings.ToLower(os.Getenv("PRODUCT_ID"))
	cooldown, _ = time.ParseDuration(cmp.Or(os.Getenv("KEY_SET_COOLDOWN_SECONDS"), "30") + "s")
)

// failure is a word for the game, with the status, and the seconds after which it can try again.
type failure struct {
	status     int
	word       string
	retryAfter float64
	cause      any
}

func (f failure) Error() string   { return fmt.Sprint(f.word, ": ", f.cause) }
func signInAgain(cause any) error { return failure{status: 401, word: "sign_in_again", cause: cause} }
func tryLater(cause any, retryAfter float64) error {
	return failure{503, "try_again_later", retryAfter, cause}
}

var bearer = regexp.MustCompile(`(?i)^Bearer +`)

func main() {
	if os.Getenv("API_KEY") == "" {
		log.Fatal("Set API_KEY to an API key of your product.")
	}
	keys := &keySet{}
	http.HandleFunc("GET /nfts", func(response http.ResponseWriter, request *http.Request) {
		playerToken := bearer.ReplaceAllString(request.Header.Get("Authorization"), "")
		var nfts []json.RawMessage
		user, err := userOf(playerToken, keys)
		if err == nil {
			nfts, err = nftsOf(playerToken, false)
		}
		if err != nil {
			answerFailure(response, err)
			return
		}
		answer(response, 200, map[string]any{"userId": user, "nfts": nfts})
	})
	http.HandleFunc("/", func(response http.ResponseWriter, _ *http.Request) {
		answer(response, 404, map[string]any{"error": "not_found"})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("The game server runs at http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

func answerFailure(response http.ResponseWriter, err error) {
	failed := failure{status: 502, word: "failed"}
	if errors.As(err, &failed); failed.status != 401 {
		log.Print(err)
	}
	if failed.status == 503 {
		response.Header().Set("Retry-After", fmt.Sprint(failed.retryAfter))
	}
	answer(response, failed.status, map[string]any{"error": failed.word})
}

func answer(response http.ResponseWriter, status int, body any) {
	response.Header().Set("Content-Type", "application/json")
	// The list belongs to one player: no cache may keep it.
	response.Header().Set("Cache-Control", "no-store")
	response.WriteHeader(status)
	_ = json.NewEncoder(response).Encode(body)
}
