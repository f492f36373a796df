package main

import (
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// keySet has the published keys, which it reads again after five minutes.
type keySet struct {
	sync.Mutex
	keys            map[string]jose.JSONWebKey
	readAt, askedAt time.Time
}

// key returns a key. An unknown one makes it read the set again, at most once in the cooldown.
func (set *keySet) key(id string) (any, error) {
	set.Lock()
	defer set.Unlock()
	_, isKnown := set.keys[id]
	isOld := time.Since(set.readAt) > 5*time.Minute
	if isOld || (!isKnown && time.Since(set.askedAt) > cooldown) {
		if !isOld {
			set.askedAt = time.Now()
		}
		if err := set.read(); err != nil {
			return nil, err
		}
	}
	if key, isKnown := set.keys[id]; isKnown {
		return key.Key, nil
	}
	return nil, signInAgain("the key is unknown")
}

func (set *keySet) read() error {
	var published struct{ Keys []json.RawMessage }
	if err := get("/.well-known/jwks.json", nil, 1, &published); err != nil {
		return err
	}
	set.readAt, set.keys = time.Now(), map[string]jose.JSONWebKey{}
	for _, text := range published.Keys {
		var key jose.JSONWebKey
		// A key of a kind that is unknown here is left out.
		if key.UnmarshalJSON(text) == nil {
			set.keys[key.KeyID] = key
		}
	}
	return nil
}

// userOf verifies a player token without a request, and returns the player's user id.
func userOf(playerToken string, keys *keySet) (string, error) {
	token, err := jwt.ParseSigned(playerToken, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return "", signInAgain(err)
	}
	header := token.Headers[0]
	// The key set also has the keys of user JWTs, which open more: only typ and aud tell the two apart.
	if header.ExtraHeaders[jose.HeaderType] != "player+jwt" {
		return "", signInAgain("typ is not player+jwt")
	}
	key, err := keys.key(header.KeyID)
	if err != nil {
		return "", err
	}
	var claims struct {
		jwt.Claims
		Game *string `json:"client_id"`
	}
	expected := jwt.Expected{Issuer: issuer, AnyAudience: jwt.Audience{audience}, Time: time.Now()}
	err = token.Claims(key, &claims)
	if err := errors.Join(err, claims.ValidateWithLeeway(expected, 30*time.Second)); err != nil {
		return "", signInAgain(err)
	}
	if claims.Expiry == nil || claims.Subject == "" {
		return "", signInAgain("the player token has no end or no player")
	}
	// Otherwise another game could sign in here with the token that the player gave it (D52).
	if claims.Game != nil && *claims.Game != product {
		return "", signInAgain("the player token is for another game")
	}
	return claims.Subject, nil
}
