//! Makes twenty calls with the generated client, and prints what it has read, as JSON.

use std::env;

use nfts::apis::configuration::Configuration;
use nfts::apis::{Error, allowlist_api, keys_api, player_api, product_api};
use nfts::models::key_creation::Scope;
use nfts::models::{Allowlisting, KeyCreation, ProductChanges, ProductRegistration};
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

/// A client with credentials, as headers: the generated one has room for one API key only, and sends it in all headers.
fn with(credentials: &[(&'static str, &str)]) -> Result<Configuration, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in credentials {
        headers.insert(HeaderName::from_static(name), value.parse()?);
    }
    let client = reqwest::Client::builder().default_headers(headers).build()?;
    Ok(Configuration { base_path: env::var("BASE_URL")?, client, ..Default::default() })
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut read = json!({});
    let registration =
        ProductRegistration::new("Lee and Mercy".into(), "studio@example.com".into(), "Gull Harbour Games".into());
    let product = product_api::register_product(&with(&[])?, registration).await?.data;
    let api_key = product.api_key.to_string();
    let key = with(&[("x-api-key", &api_key)])?;
    read["name"] = json!(product_api::get_product(&key).await?.data.name);
    let changes = ProductChanges { name: Some(Some("Lee and Mercy II".into())), ..Default::default() };
    read["newName"] = json!(product_api::update_product(&key, changes).await?.data.name);
    let creation = KeyCreation::new("game servers".into(), Scope::Read);
    let created = product_api::create_key(&key, creation).await?.data;
    read["scope"] = json!(created.scope);
    read["keys"] = json!(product_api::list_keys(&key).await?.data.len());
    read["endReason"] = json!(product_api::end_key(&key, &created.key_id).await?.data.end_reason);

    let contract = env::var("CONTRACT")?;
    let mut allowlisting = Allowlisting::new(contract.clone(), vec!["1".into(), "2".into(), "3..150".into()]);
    allowlisting.chain = Some(Some("BSC".into()));
    allowlisting.contract_description = Some(Some("The vessels of the game.".into()));
    read["allowlisted"] = json!(allowlist_api::allowlist_nfts(&key, allowlisting).await?.data.len());
    let first = allowlist_api::get_allowed_nfts(&key, Some(2), None).await?;
    let second = allowlist_api::get_allowed_nfts(&key, None, first.next_cursor.as_deref()).await?;
    read["first"] = first.data.iter().map(|entry| entry.token_id.clone()).collect();
    read["second"] = second.data.iter().map(|entry| entry.token_id.clone()).collect();
    let events = product_api::get_events(&key, None, None).await?.data;
    read["actions"] = events.into_iter().map(|event| event.action).collect();

    let user = with(&[("authorization", &format!("Bearer {}", env::var("USER_JWT")?))])?;
    let product_id = product.product_id.to_string();
    let token = player_api::create_player_token(&user, Some(&product_id)).await?.data.token;
    let details = player_api::get_player_details(&with(&[("x-player-token", &token)])?, None).await?.data;
    read["userId"] = json!(details.user_id);
    read["amountText"] = json!(details.amount_text);
    let other = with(&[("x-player-token", &env::var("PLAYER_TOKEN")?)])?;
    read["otherUserId"] = json!(player_api::get_player_balance(&other, None).await?.data.user_id);
    let player = with(&[("x-api-key", &api_key), ("x-player-token", &token)])?;
    let chains = Some(vec!["BSC".into()]);
    let structured = player_api::get_structured_metadata(&player, None, chains, None, None, None, None).await?;
    read["names"] = structured.data.iter().map(|nft| nft.formatted_metadata.name.clone()).collect();
    let raw = player_api::get_raw_metadata(&player, None, None, None, None, None, None, None).await?;
    read["rawNames"] = raw.data.iter().map(|nft| nft.raw_metadata.as_ref().unwrap()["name"].clone()).collect();

    let tokens = vec!["1".into(), "2".into()];
    read["removed"] = json!(allowlist_api::unbind_nfts(&key, &contract, tokens, "BSC").await?.data.removed);
    read["days"] = json!(product_api::get_usage(&key, Some(1)).await?.data.len());
    read["algorithm"] = json!(keys_api::get_key_set(&with(&[])?).await?.keys[0].alg);
    let wrong = with(&[("x-api-key", &env::var("WRONG_KEY")?)])?;
    if let Err(Error::ResponseError(failed)) = product_api::get_product(&wrong).await {
        read["problem"] = serde_json::from_str::<Value>(&failed.content)?["code"].clone();
    }
    read["deleted"] = json!(product_api::delete_product(&key, "Lee and Mercy II").await?.success);
    println!("{read}");
    Ok(())
}
