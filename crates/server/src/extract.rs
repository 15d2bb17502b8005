//! Extractors of requests, with the API's errors.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Json, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The timeout of a body.
const SLOWEST_BODY: Duration = Duration::from_secs(30);

/// A JSON body.
pub(crate) struct Input<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, ApiError> {
        let is_json = request.headers().get("content-type").and_then(|value| value.to_str().ok());
        let is_json = is_json.is_some_and(|kind| {
            let kind = kind.split(';').next().unwrap_or("").trim();
            kind.eq_ignore_ascii_case("application/json")
        });
        if !is_json {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json",
            ));
        }
        let reading = tokio::time::timeout(SLOWEST_BODY, Bytes::from_request(request, state));
        let Ok(read) = reading.await else {
            return Err(ApiError::bad_input("the body did not arrive in time"));
        };
        let bytes = read.map_err(|error| {
            let status = axum::response::IntoResponse::into_response(error).status();
            match status {
                StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(status, "the body is too large"),
                _ => ApiError::bad_input("the body cannot be read"),
            }
        })?;
        match Json::from_bytes(&bytes) {
            Ok(Json(value)) => Ok(Input(value)),
            Err(JsonRejection::JsonDataError(error)) => Err(of_json(&error)),
            Err(JsonRejection::JsonSyntaxError(error)) => Err(of_json(&error)),
            Err(_) => Err(ApiError::bad_input("the body is no JSON")),
        }
    }
}

/// What is wrong with a body, without the words that frame it.
fn of_json(error: &dyn std::error::Error) -> ApiError {
    ApiError::bad_input(format!("the body is not what is expected: {}", innermost(error)))
}

/// The query string.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked<T>, ApiError> {
        let Query(value) = Query::try_from_uri(&parts.uri).map_err(|error| {
            ApiError::bad_input(format!("the query is not what is expected: {}", innermost(&error)))
        })?;
        Ok(Asked(value))
    }
}

fn innermost(error: &dyn std::error::Error) -> String {
    let mut source: &dyn std::error::Error = error;
    while let Some(deeper) = source.source() {
        source = deeper;
    }
    source.to_string()
}

/// The id in a path.
pub(crate) struct Id(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, ApiError> {
        let Path(id) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::not_found("there is nothing of that name"))?;
        Ok(Id(id))
    }
}

/// Both ids in a path.
pub(crate) struct Id2(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id2 {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id2, ApiError> {
        let Path((first, second)) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::not_found("there is nothing of that name"))?;
        Ok(Id2(first, second))
    }
}
