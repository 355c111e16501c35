//! Runs the cases of ../clients-checks.ts with async-openai, and prints what its user gets.
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::embeddings::{CreateEmbeddingRequest, EmbeddingInput, EncodingFormat};
use serde_json::{Value, json};
use std::env::var;

const NAME: &str = "async-openai";

async fn embed(url: &str, key: &str, texts: Vec<String>, wish: &str) -> Result<Vec<Vec<f32>>, OpenAIError> {
    let client = Client::with_config(OpenAIConfig::new().with_api_base(url).with_api_key(key));
    let request = CreateEmbeddingRequest {
        model: var("MODEL").unwrap(),
        input: EmbeddingInput::StringArray(texts),
        dimensions: (wish == "dimensions").then_some(64),
        encoding_format: (wish == "base64").then_some(EncodingFormat::Base64),
        ..Default::default()
    };
    Ok(if wish == "base64" {
        let response = client.embeddings().create_base64(request).await?;
        response.data.into_iter().map(|item| item.embedding.into()).collect()
    } else {
        let response = client.embeddings().create(request).await?;
        response.data.into_iter().map(|item| item.embedding).collect()
    })
}

fn seen(error: OpenAIError) -> Value {
    let message = error.to_string();
    let (kind, status) = match &error {
        OpenAIError::ApiError(response) => ("ApiError", Some(response.status_code.as_u16())),
        OpenAIError::JSONDeserialize(..) => ("JSONDeserialize", None),
        OpenAIError::Reqwest(error) => ("Reqwest", error.status().map(|status| status.as_u16())),
        _ => ("OpenAIError", None),
    };
    json!({"error": {"type": kind, "status": status, "message": message}})
}

async fn run(case: &Value) -> Value {
    let url = format!("{}/@{NAME}:{}@/openai/v1", var("BASE_URL").unwrap(), case["name"].as_str().unwrap());
    let mut vectors = Vec::new();
    for texts in case["requests"].as_array().unwrap() {
        let texts = texts.as_array().unwrap();
        let texts = texts.iter().map(|text| text.as_str().unwrap().replace("CLIENT", NAME)).collect();
        let wish = case["wish"].as_str().unwrap_or_default();
        match embed(&url, case["key"].as_str().unwrap(), texts, wish).await {
            Ok(embedded) => vectors.extend(embedded),
            Err(error) => return seen(error),
        }
    }
    json!({"vectors": vectors})
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let cases: Vec<Value> = serde_json::from_str(&var("CASES").unwrap()).unwrap();
    let mut answers = serde_json::Map::new();
    // It has no field for `truncate`.
    for case in cases.iter().filter(|case| case["wish"] != "strict") {
        answers.insert(case["name"].as_str().unwrap().into(), run(case).await);
    }
    println!("{}", json!({NAME: answers}));
}
