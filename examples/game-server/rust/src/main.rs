//! A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server.

mod player_nfts;
mod player_token;

use std::{env, sync::Arc};

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing::get};
use serde_json::json;

/// What the server needs: the variables that the README lists, and the published keys.
struct Server {
    client: reqwest::Client,
    service: String,
    api_key: String,
    issuer: String,
    audience: String,
    product: String,
    cooldown: f64,
    keys: tokio::sync::Mutex<player_token::KeySet>,
}

/// A word for the game, with the status, and the seconds after which it can try again.
struct Failure {
    status: u16,
    word: &'static str,
    retry_after: f64,
    cause: String,
}

fn sign_in_again(cause: impl ToString) -> Failure {
    Failure { status: 401, word: "sign_in_again", retry_after: 0.0, cause: cause.to_string() }
}

fn try_later(cause: impl ToString, retry_after: f64) -> Failure {
    Failure { status: 503, word: "try_again_later", retry_after, cause: cause.to_string() }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if self.status != 401 {
            eprintln!("{}: {}", self.word, self.cause);
        }
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        let mut response = (status, Json(json!({ "error": self.word }))).into_response();
        if self.status == 503 {
            response.headers_mut().insert(header::RETRY_AFTER, (self.retry_after as u64).into());
        }
        response
    }
}

impl Server {
    /// Answers `GET /nfts` with `Authorization: Bearer <player token>`.
    async fn nfts(&self, headers: HeaderMap) -> Result<Response, Failure> {
        let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let (_, player_token) = authorization.and_then(|value| value.split_once(' ')).unwrap_or_default();
        let user_id = self.user_of(player_token).await?;
        let nfts = self.nfts_of(player_token).await?;
        Ok(Json(json!({ "userId": user_id, "nfts": nfts })).into_response())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setting = |name, standard: &str| env::var(name).unwrap_or(standard.into());
    let server = Arc::new(Server {
        client: reqwest::Client::builder().timeout(std::time::Duration::from_secs(30)).build()?,
        service: setting("SERVICE_URL", "http://127.0.0.1:3000"),
        api_key: env::var("API_KEY").map_err(|_| "Set API_KEY to an API key of your product.")?,
        issuer: setting("ISSUER", "player-nfts-local"),
        audience: setting("PLAYER_TOKEN_AUDIENCE", "player-nfts-local-games"),
        product: setting("PRODUCT_ID", "").to_lowercase(),
        cooldown: setting("KEY_SET_COOLDOWN_SECONDS", "30").parse()?,
        keys: Default::default(),
    });
    let answer = move |headers: HeaderMap| async move {
        // The list belongs to one player: no cache may keep it.
        ([(header::CACHE_CONTROL, "no-store")], server.nfts(headers).await)
    };
    let unknown = || async { (StatusCode::NOT_FOUND, Json(json!({ "error": "not_found" }))) };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", setting("PORT", "8080").parse()?)).await?;
    println!("The game server runs at http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/nfts", get(answer)).fallback(unknown)).await?;
    Ok(())
}
