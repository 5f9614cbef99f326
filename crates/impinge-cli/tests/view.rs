//! `impinge view` and `check --html`, as far as no browser is needed; `viewer/e2e` has the rest.

mod common;

use common::{Folder, impinge, json, moving_boxes, poking_boxes, refused_args, run, stderr, stdout};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A server that ends with the test.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts it and reads the address that it prints.
fn view(args: &[&str]) -> Server {
    let mut command: Command = impinge();
    command.arg("view").args(args).arg("--no-open").stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().next().unwrap_or_default();
    let address = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap_or_default();
    assert!(!address.is_empty(), "{line}");
    Server(child, address.to_owned())
}

/// The head and the body of an answer.
fn get(server: &Server, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(&server.1).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.1);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    (String::from_utf8_lossy(&answer[..end]).into_owned(), answer[end + 4..].to_vec())
}

/// The JSON at the beginning of what the page is sent.
fn head(bytes: &[u8]) -> serde_json::Value {
    assert_eq!(&bytes[..8], b"impinge1");
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[12..12 + length]).unwrap()
}

#[test]
fn frames_are_served_with_the_report_of_check() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 5);
    let checked = json(&run(&["check", &scene, "--json", "--limit", "0"]));
    let server = view(&[&scene]);
    let (answer, bytes) = get(&server, "/scene");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let told = head(&bytes);
    assert_eq!((&told["name"], &told["end"]), (&"moving".into(), &5.into()));
    assert_eq!(told["bodies"], checked["bodies"]);
    // All arrays are there: 8 vertices and 12 triangles a box.
    assert_eq!(told["arrays"][0]["count"], 2 * 12 * 3);
    assert_eq!(told["arrays"][1]["count"], 2 * 8 * 3);
    for (frame, expected) in checked["frames"].as_array().unwrap().iter().enumerate() {
        let (answer, bytes) = get(&server, &format!("/frame?number={frame}&data=1"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let report = &head(&bytes)["report"];
        assert_eq!(report["contact_count"], expected["contact_count"]);
        assert_eq!(report["pairs"], expected["pairs"]);
    }
}

#[test]
fn what_cannot_be_served_is_one_line() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    assert!(refused_args(&["view", "nothing.obj", "--no-open"]).contains("nothing.obj"));
    assert!(refused_args(&["view", &a, &b, "--frames", "7", "--no-open"]).contains("no frame 7"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let line = refused_args(&["view", &a, &b, "--port", &port, "--no-open"]);
    assert!(line.contains(&port) && line.contains("--port"), "{line}");
}

#[test]
fn a_report_is_one_file_beside_the_same_answer() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let path = folder.path().join("report.html");
    let with = run(&["check", &a, &b, "--html", path.to_str().unwrap()]);
    assert_eq!(with.status.code(), Some(1), "{}", stderr(&with));
    let without = run(&["check", &a, &b]);
    assert_eq!(stdout(&with).lines().next(), stdout(&without).lines().next());
    let text = std::fs::read_to_string(&path).unwrap();
    for block in ["data-report", "data-scene", "data-frame-0", "data-seen-0"] {
        assert_eq!(text.matches(&format!("id=\"{block}\"")).count(), 1, "{block}");
    }
    assert!(text.starts_with("<!doctype html>") && text.trim_end().ends_with("</html>"));

    let nowhere = folder.path().join("no/such/folder/report.html");
    let output = run(&["check", &a, &b, "--html", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("report.html"), "{}", stderr(&output));
}
