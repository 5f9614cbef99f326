//! HTTP for one page on one machine: fixed routes, none of which names a file.
//!
//! `axum`, because it is what the Rust community keeps alive and looks at; smaller servers have not had a release in years.
//!
//! Other pages in the same browser must not read the scene. The address in the request must be an address or the name
//! that was asked for, so that no name of somebody else's can be pointed here; whatever another page starts is refused.

use super::frame_service::{Answer, Client, Question, Refusal};
use super::page;
use axum::Router;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// How long a page waits for news before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// The page allows itself its own two scripts and styles, by their hashes; this keeps everything else out too.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Who may ask.
#[derive(Clone)]
pub(crate) struct Guard {
    /// The name given with `--host`, in small letters.
    pub(crate) name: Option<String>,
    pub(crate) port: u16,
}

pub(crate) fn router(client: Client, guard: Guard) -> Router {
    Router::new()
        .route("/", get(|| async { axum::response::Html(page::served()) }))
        .route("/scene", get(scene))
        .route("/frame", get(frame))
        .route("/seen", get(seen))
        .route("/counts", get(|State(client): State<Client>| async move { json(&client.counts()) }))
        .route("/version", get(version))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .with_state(client)
        .layer(middleware::from_fn_with_state(Arc::new(guard), guarded))
}

async fn guarded(State(guard): State<Arc<Guard>>, request: Request<Body>, next: Next) -> Response {
    let mut response = match guard.refuses(request.method(), request.headers()) {
        Some((status, why)) => (status, why).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    /// Why a request is refused.
    fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        if method != Method::GET && method != Method::HEAD {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n"));
        }
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text("host").unwrap_or_default();
        if !self.is_here(host) {
            return Some((StatusCode::FORBIDDEN, "this server has another address\n"));
        }
        let foreign = (StatusCode::FORBIDDEN, "another page may not ask\n");
        if text("origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Some(foreign);
        }
        // Following a link from elsewhere is no harm: the other page sees nothing.
        let follows =
            text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest") == Some("document");
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => None,
            Some(_) if follows => None,
            Some(_) => Some(foreign),
        }
    }

    /// Whether a `Host` header means this server: an address, `localhost` or the name it was given, and the port.
    fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let is_address = bare.parse::<IpAddr>().is_ok();
        let is_name = name.eq_ignore_ascii_case("localhost")
            || self.name.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(name));
        port == Some(self.port) && (is_address || is_name)
    }
}

/// Of which scene the page was told, and which frame it wants.
#[derive(Deserialize)]
struct Wanted {
    number: usize,
    data: u64,
}

async fn scene(State(client): State<Client>) -> Response {
    let data = client.state.borrow().data;
    let mut response = sent(client.ask(Question::Scene, Some(data)).await);
    response.headers_mut().insert("impinge-data", HeaderValue::from(data));
    response
}

async fn frame(State(client): State<Client>, Query(wanted): Query<Wanted>) -> Response {
    sent(client.ask(Question::Frame(wanted.number), Some(wanted.data)).await)
}

async fn seen(State(client): State<Client>, Query(wanted): Query<Wanted>) -> Response {
    sent(client.ask(Question::Seen(wanted.number), Some(wanted.data)).await)
}

fn sent(answer: Answer) -> Response {
    match answer {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response(),
        Err(Refusal::NotThere) => (StatusCode::NOT_FOUND, "there is no such frame\n").into_response(),
        Err(Refusal::Changed) => (StatusCode::CONFLICT, "the files have changed\n").into_response(),
        Err(Refusal::Failed(why)) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The version that the page knows.
#[derive(Deserialize)]
struct Known {
    #[serde(default)]
    after: u64,
}

/// Answers when there is something new, or after a while.
async fn version(State(client): State<Client>, Query(known): Query<Known>) -> Response {
    let mut state = client.state.clone();
    let news = state.wait_for(|state| state.version > known.after);
    let _ = tokio::time::timeout(PATIENCE, news).await;
    let now = client.state.borrow().clone();
    json(&now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(method: &Method, headers: &[(&'static str, &'static str)]) -> bool {
        let guard = Guard { name: Some("workshop".into()), port: 8123 };
        let headers = headers
            .iter()
            .map(|&(name, value)| (header::HeaderName::from_static(name), HeaderValue::from_static(value)));
        guard.refuses(method, &headers.collect()).is_some()
    }

    #[test]
    fn only_this_address_is_answered() {
        for host in ["127.0.0.1:8123", "localhost:8123", "[::1]:8123", "workshop:8123", "LOCALHOST:8123"] {
            assert!(!refused(&Method::GET, &[("host", host)]), "{host}");
        }
        for host in ["evil.example:8123", "127.0.0.1:81", "127.0.0.1", "localhost", "", "[::1]", "::1:8123x"]
        {
            assert!(refused(&Method::GET, &[("host", host)]), "{host}");
        }
        assert!(refused(&Method::GET, &[]));
    }

    #[test]
    fn other_pages_are_refused_but_links_may_be_followed() {
        let host = ("host", "127.0.0.1:8123");
        assert!(!refused(&Method::GET, &[host, ("origin", "http://127.0.0.1:8123")]));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:8123", "http://localhost:8123"] {
            assert!(refused(&Method::GET, &[host, ("origin", origin)]), "{origin}");
        }
        assert!(!refused(&Method::GET, &[host, ("sec-fetch-site", "same-origin")]));
        assert!(refused(&Method::GET, &[host, ("sec-fetch-site", "cross-site")]));
        assert!(refused(
            &Method::GET,
            &[host, ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors")]
        ));
        let link = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(!refused(&Method::GET, &link));
    }

    #[test]
    fn nothing_is_written() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            assert!(refused(&method, &[("host", "localhost:8123")]));
        }
        assert!(!refused(&Method::HEAD, &[("host", "localhost:8123")]));
    }
}
