//! The page that shows a scene: served by `impinge view`, written as one file by `check --html`.
//!
//! ```text
//! Scene, Report, Seen -> scene_data, frame_data, seen_data -> container -> server or report_file -> page
//! ```

mod container;
mod frame_data;
mod frame_service;
mod page;
mod report_file;
mod scene_data;
mod seen_data;
mod server;
mod space;
mod watch;

use crate::error::Error;
use crate::options::ViewOptions;
use crate::outcome::Outcome;
pub(crate) use report_file::ReportFile;
use std::io::Write;
use std::net::SocketAddr;

/// Serves until Ctrl-C.
pub(crate) fn run(options: ViewOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let ViewOptions { subject, host, port, open } = options;
    let files = subject.files.clone();
    let client = frame_service::open(subject)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Output)?;
    runtime.block_on(async {
        let address = host.as_deref().unwrap_or("127.0.0.1");
        let failed = |error| Error::Listen { address: format!("{address}:{port}"), error };
        let listener = tokio::net::TcpListener::bind((address, port)).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let url = url(bound, host.as_deref());
        writeln!(out, "{url}  (Ctrl-C stops)")?;
        out.flush()?;
        watch::start(files, client.clone());
        if open && let Err(error) = open::that_detached(&url) {
            // Nothing is left to be done if this line cannot be written.
            let _ = writeln!(
                std::io::stderr(),
                "impinge: note: no browser was opened ({error}); open the address above"
            );
        }
        let router = server::router(client, server::Guard { name: host, port: bound.port() });
        tokio::select! {
            served = async { axum::serve(listener, router).await } => served.map_err(Error::Output)?,
            stopped = tokio::signal::ctrl_c() => stopped.map_err(Error::Output)?,
        }
        Ok(Outcome::Clear)
    })
}

/// What to type into a browser on this machine.
fn url(bound: SocketAddr, name: Option<&str>) -> String {
    match name {
        // An address for all of the machine's is none to type.
        _ if bound.ip().is_unspecified() => format!("http://localhost:{}/", bound.port()),
        Some(name) if name.parse::<std::net::IpAddr>().is_err() => format!("http://{name}:{}/", bound.port()),
        _ => format!("http://{bound}/"),
    }
}
