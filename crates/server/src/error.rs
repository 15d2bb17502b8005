//! What goes wrong, as clients read it.

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use equipoise_documents::api::{ErrorAnswer, ErrorDocument};
use equipoise_postflop::{FileError, ParsePathError, ReadError};
use equipoise_run::memory::TooLarge;
use equipoise_spots::spot_file::{LockTextError, SpotFileError};

/// An answer that is an error: `{"error": {"code", "message", "help", "place"}}`.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    body: Box<ErrorDocument>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Display) -> ApiError {
        let code = match status {
            StatusCode::UNAUTHORIZED => "no_token",
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method",
            StatusCode::CONFLICT => "conflict",
            StatusCode::PAYLOAD_TOO_LARGE => "too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "media_type",
            StatusCode::SERVICE_UNAVAILABLE => "busy",
            StatusCode::INSUFFICIENT_STORAGE => "no_memory",
            StatusCode::INTERNAL_SERVER_ERROR => "internal",
            _ => "bad_input",
        };
        let body = ErrorDocument { code, message: message.to_string(), help: None, place: None };
        ApiError { status, body: Box::new(body) }
    }

    pub(crate) fn bad_input(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn not_found(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    pub(crate) fn conflict(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    pub(crate) fn busy(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The timeout, or a cancellation that a client hears of after all.
    pub(crate) fn given_up() -> ApiError {
        ApiError::busy("it took too long, and was given up")
    }

    pub(crate) fn internal(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Says what to do about it.
    pub(crate) fn help(mut self, help: impl Display) -> ApiError {
        self.body.help = Some(help.to_string());
        self
    }

    /// Says which field or key is wrong.
    pub(crate) fn at_key(mut self, key: impl Display) -> ApiError {
        self.body.place.get_or_insert_default().key = Some(key.to_string());
        self
    }

    /// Says which character of a text is wrong, by its byte.
    pub(crate) fn at_byte(mut self, text: &str, byte: usize) -> ApiError {
        let before = &text[..text.floor_char_boundary(byte)];
        self.body.place.get_or_insert_default().column = Some(before.chars().count() + 1);
        self
    }

    pub(crate) fn at(mut self, line: usize, column: usize) -> ApiError {
        let place = self.body.place.get_or_insert_default();
        (place.line, place.column) = (Some(line), Some(column));
        self
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether only the token is missing.
    pub(crate) fn is_no_token(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// What is wrong, in words.
    pub(crate) fn message(&self) -> &str {
        &self.body.message
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorAnswer { error: *self.body })).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

impl From<SpotFileError> for ApiError {
    fn from(error: SpotFileError) -> ApiError {
        if error.is_cancelled() {
            return ApiError::given_up();
        }
        let mut answer = ApiError::bad_input(error.message());
        if let Some(key) = error.key() {
            answer = answer.at_key(key);
        }
        if let Some(position) = error.position() {
            answer = answer.at(position.line, position.column);
        }
        match error.suggestion() {
            Some(suggestion) => answer.help(suggestion),
            None => answer,
        }
    }
}

impl From<LockTextError> for ApiError {
    fn from(error: LockTextError) -> ApiError {
        ApiError::bad_input(error).at_key("locks")
    }
}

impl From<TooLarge> for ApiError {
    fn from(error: TooLarge) -> ApiError {
        let mut advice = error.advice.clone();
        advice.push("fewer bet sizes or narrower ranges take less".to_owned());
        ApiError::new(StatusCode::INSUFFICIENT_STORAGE, &error).help(advice.join("; "))
    }
}

impl From<FileError> for ApiError {
    /// Without the folder, which is nobody's business.
    fn from(error: FileError) -> ApiError {
        match error {
            FileError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                ApiError::not_found("there is no such solution")
            }
            FileError::Io { source, .. } => ApiError::internal(format!("the file cannot be read: {source}")),
            FileError::Invalid { reason, .. } => {
                ApiError::bad_input(format!("the file cannot be used: {reason}"))
            }
            _ => ApiError::internal("the file cannot be used"),
        }
    }
}

impl From<ParsePathError> for ApiError {
    fn from(error: ParsePathError) -> ApiError {
        ApiError::bad_input(error).at_key("path")
    }
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> ApiError {
        match error {
            ReadError::File(error) => error.into(),
            ReadError::Resolve { .. } => ApiError::busy(error),
            ReadError::Stopped { .. } => ApiError::given_up(),
            _ => ApiError::bad_input(error).at_key("path"),
        }
    }
}
