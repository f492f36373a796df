//! Verifies player tokens with the published keys.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::Value;

use crate::{Failure, Server, sign_in_again};

#[derive(Default)]
pub struct KeySet {
    keys: HashMap<String, DecodingKey>,
    read_at: Option<Instant>,
    asked_at: Option<Instant>,
}

impl Server {
    /// Verifies a player token without a request, and returns the player's user id.
    pub async fn user_of(&self, player_token: &str) -> Result<Value, Failure> {
        let header = decode_header(player_token).map_err(sign_in_again)?;
        // The key set also has the keys of user JWTs, which open more: only typ and aud tell the two apart.
        if header.typ.as_deref() != Some("player+jwt") {
            return Err(sign_in_again("typ is not player+jwt"));
        }
        let key = self.key(&header.kid.unwrap_or_default()).await?;
        let mut rules = Validation::new(Algorithm::ES256);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.set_issuer(&[&self.issuer]);
        rules.set_audience(&[&self.audience]);
        rules.validate_nbf = true;
        rules.leeway = 30;
        let claims = decode::<Value>(player_token, &key, &rules).map_err(sign_in_again)?.claims;
        // Otherwise another game could sign in here with the token that the player gave it (D52).
        match claims.get("client_id") {
            Some(game) if game != self.product.as_str() => Err(sign_in_again("the token is for another game")),
            _ => Ok(claims["sub"].clone()),
        }
    }

    /// Returns a key. The set is read again after five minutes, and for an unknown key, once in the cooldown.
    async fn key(&self, id: &str) -> Result<DecodingKey, Failure> {
        let mut set = self.keys.lock().await;
        let is_past = |then: Option<Instant>, time| then.is_none_or(|then| then.elapsed() > time);
        let is_old = is_past(set.read_at, Duration::from_secs(300));
        let may_ask = is_past(set.asked_at, Duration::from_secs_f64(self.cooldown));
        if is_old || (may_ask && !set.keys.contains_key(id)) {
            if !is_old {
                set.asked_at = Some(Instant::now());
            }
            let published = self.get("/.well-known/jwks.json", &[], &[], 1).await?;
            let keys = published["keys"].as_array().into_iter().flatten();
            set.keys = keys.filter_map(es256_key).collect();
            set.read_at = Some(Instant::now());
        }
        set.keys.get(id).cloned().ok_or_else(|| sign_in_again("the key is unknown"))
    }
}

/// The id of a key and the key, if it is one for ES256.
fn es256_key(key: &Value) -> Option<(String, DecodingKey)> {
    if key["kty"] != "EC" || key["crv"] != "P-256" {
        return None;
    }
    let found = DecodingKey::from_ec_components(key["x"].as_str()?, key["y"].as_str()?).ok()?;
    Some((key["kid"].as_str()?.into(), found))
}
