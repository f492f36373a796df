package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// nftsOf returns all of the player's allowlisted NFTs, never a part of them.
func nftsOf(playerToken string, isRepeat bool) ([]json.RawMessage, error) {
	headers := http.Header{"X-Api-Key": {os.Getenv("API_KEY")}, "X-Player-Token": {playerToken}}
	nfts := []json.RawMessage{}
	for cursor := ""; ; {
		var page struct {
			Data       []json.RawMessage
			NextCursor string
		}
		err := get("/api/public/v1/player/tokens?cursor="+url.QueryEscape(cursor), headers, 3, &page)
		var failed failure
		if errors.As(err, &failed) && failed.word == "cursor_expired" {
			// The wallets or the allowlist changed between two pages: begin again, once.
			if !isRepeat {
				return nftsOf(playerToken, true)
			}
			return nil, tryLater(failed.cause, 1)
		}
		if err != nil {
			return nil, err
		}
		nfts = append(nfts, page.Data...)
		// A short or empty page need not be the last one: only the cursor tells.
		if cursor = page.NextCursor; cursor == "" {
			return nfts, nil
		}
	}
}

var client = http.Client{Timeout: 30 * time.Second}

// get reads JSON, and waits between attempts while the service is unavailable or throttles.
func get(path string, headers http.Header, attempts int, answer any) error {
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest("GET", service+path, nil)
		if err != nil {
			return err
		}
		request.Header = headers
		response, err := client.Do(request)
		if err != nil {
			return tryLater(err, 5)
		}
		wait, err := read(response, attempt, answer)
		if wait < 0 || err == nil {
			return err
		}
		if attempt >= attempts || wait > 10 {
			return tryLater(err, wait)
		}
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// read reads the answer of an attempt. Another attempt makes sense after wait seconds, or never if wait is below zero.
func read(response *http.Response, attempt int, answer any) (wait float64, err error) {
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
			return -1, tryLater(err, 5) // It breaks off.
		}
		return -1, nil
	}
	var problem struct{ Code, Detail, RequestID string }
	// Answers of API Gateway and of proxies have no code, and need not be JSON.
	_ = json.NewDecoder(response.Body).Decode(&problem)
	cause := fmt.Errorf("HTTP %d %s: %s (request %s)", response.StatusCode, problem.Code, problem.Detail, problem.RequestID)
	switch problem.Code {
	case "cursor_expired":
		return -1, failure{status: 400, word: problem.Code, cause: cause}
	case "invalid_player_token", "player_token_expired":
		return -1, signInAgain(cause)
	}
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return -1, cause
	}
	wait, noTime := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
	if noTime != nil {
		wait = float64(attempt) // API Gateway sends none when it throttles.
	}
	return wait, cause
}
