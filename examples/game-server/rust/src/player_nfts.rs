//! Reads the NFTs of players from the service.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use serde_json::Value;

use crate::{Failure, Server, sign_in_again, try_later};

impl Server {
    /// Returns all of the player's allowlisted NFTs, never a part of them.
    pub async fn nfts_of(&self, player_token: &str) -> Result<Vec<Value>, Failure> {
        let (mut nfts, mut cursor, mut is_repeat) = (vec![], String::new(), false);
        let headers = [("x-api-key", self.api_key.as_str()), ("x-player-token", player_token)];
        loop {
            let mut page = self.get("/api/public/v1/player/tokens", &[("cursor", &cursor)], &headers, 3).await?;
            if page["code"] == "cursor_expired" {
                // The wallets or the allowlist changed between two pages: begin again, once.
                if is_repeat {
                    return Err(try_later("cursor_expired", 1.0));
                }
                (nfts, cursor, is_repeat) = (vec![], String::new(), true);
                continue;
            }
            nfts.append(page["data"].as_array_mut().unwrap_or(&mut vec![]));
            // A short or empty page need not be the last one: only the cursor tells.
            match page["nextCursor"].as_str() {
                Some(next) => cursor = next.into(),
                None => return Ok(nfts),
            }
        }
    }

    /// Returns an answer, or that a cursor has expired. Waits while the service is unavailable or throttles.
    pub async fn get(
        &self,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        attempts: u32,
    ) -> Result<Value, Failure> {
        for attempt in 1.. {
            let mut request = self.client.get(format!("{}{path}", self.service)).query(query);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let response = request.send().await.map_err(|error| try_later(error, 5.0))?;
            let status = response.status();
            let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            let text = response.text().await.map_err(|error| try_later(error, 5.0))?;
            // Answers of API Gateway and of proxies have no code, and need not be JSON.
            let body: Value = serde_json::from_str(&text).unwrap_or_default();
            if (status == 200 && body.is_object()) || body["code"] == "cursor_expired" {
                return Ok(body);
            }
            let cause = format!("HTTP {status} {body}");
            if body["code"] == "invalid_player_token" || body["code"] == "player_token_expired" {
                return Err(sign_in_again(cause));
            }
            if status != 429 && status != 503 {
                return Err(Failure { status: 502, word: "failed", retry_after: 0.0, cause });
            }
            // API Gateway sends no Retry-After when it throttles.
            let seconds: f64 = retry_after.unwrap_or(attempt.into());
            if attempt >= attempts || seconds > 10.0 {
                return Err(try_later(cause, seconds));
            }
            tokio::time::sleep(Duration::from_secs_f64(seconds.max(0.0))).await;
        }
        unreachable!()
    }
}
