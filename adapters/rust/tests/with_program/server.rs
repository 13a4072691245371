// SPDX-License-Identifier: MIT
//! A server on loopback that speaks as much HTTP and as much of Gemini's interface as a turn needs.
//! Replies are given in order, one for each request to the model; their pieces may wait for a gate.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{json, Value};

use crate::gate::Gate;

/// What the model says to one request.
pub struct Reply {
    steps: Vec<Step>,
}

enum Step {
    Part(Value),
    Wait(Gate),
    /// Says nothing more until the program hangs up.
    Stall,
    Stop,
}

impl Reply {
    pub fn text(text: &str) -> Reply {
        Reply::part(json!({ "text": text }))
    }

    pub fn texts(texts: impl IntoIterator<Item = String>) -> Reply {
        let parts = texts.into_iter().map(|text| json!({ "text": text }));
        let mut steps: Vec<Step> = parts.map(Step::Part).collect();
        steps.push(Step::Stop);
        Reply { steps }
    }

    pub fn call(name: &str, arguments: Value) -> Reply {
        Reply::part(json!({"functionCall": {"id": "call1", "name": name, "args": arguments}}))
    }

    /// A text, the rest of which comes when the gate opens.
    pub fn gated(first: &str, gate: &Gate, rest: &str) -> Reply {
        let part = |text: &str| Step::Part(json!({ "text": text }));
        Reply {
            steps: vec![
                part(first),
                Step::Wait(gate.clone()),
                part(rest),
                Step::Stop,
            ],
        }
    }

    /// A text that never ends.
    pub fn stalled(first: &str) -> Reply {
        Reply {
            steps: vec![Step::Part(json!({ "text": first })), Step::Stall],
        }
    }

    fn part(part: Value) -> Reply {
        Reply {
            steps: vec![Step::Part(part), Step::Stop],
        }
    }
}

pub struct Server {
    port: u16,
    requests: Mutex<Receiver<Value>>,
}

impl Server {
    pub fn start(replies: Vec<Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = channel();
        let replies = Arc::new(Mutex::new(VecDeque::from(replies)));
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let replies = Arc::clone(&replies);
                let sender = sender.clone();
                // A program that is killed breaks its connection, which is nobody's error here.
                thread::spawn(move || drop(serve(connection, &replies, &sender)));
            }
        });
        Server {
            port,
            requests: Mutex::new(requests),
        }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Waits for the next request to the model: its body.
    pub fn next_request(&self) -> Value {
        self.requests.lock().unwrap().recv().unwrap()
    }
}

fn serve(
    connection: TcpStream,
    replies: &Mutex<VecDeque<Reply>>,
    requests: &Sender<Value>,
) -> io::Result<()> {
    let mut out = connection.try_clone()?;
    let mut input = BufReader::new(connection);
    let head = read_head(&mut input)?;
    if head.expects_continue {
        out.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = read_body(&mut input, &head)?;
    if !head.first_line.contains(":streamGenerateContent") {
        return out.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
    let reply = replies.lock().unwrap().pop_front();
    let _ = requests.send(serde_json::from_slice(&body).unwrap());
    let steps = match reply {
        Some(reply) => reply.steps,
        None => panic!(
            "a request without a reply: {}",
            String::from_utf8_lossy(&body)
        ),
    };
    out.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    )?;
    let mut out = BufWriter::new(out);
    for step in steps {
        match step {
            Step::Part(part) => send(&mut out, &json!({"role": "model", "parts": [part]}), None)?,
            Step::Wait(gate) => {
                out.flush()?;
                gate.wait();
            }
            Step::Stall => {
                out.flush()?;
                let _ = input.read(&mut [0])?;
                return Ok(());
            }
            Step::Stop => send(
                &mut out,
                &json!({"role": "model", "parts": [{"text": ""}]}),
                Some("STOP"),
            )?,
        }
    }
    out.flush()
}

fn send(out: &mut impl Write, content: &Value, finish: Option<&str>) -> io::Result<()> {
    let mut candidate = json!({ "content": content });
    if let Some(reason) = finish {
        candidate["finishReason"] = reason.into();
    }
    let usage = json!({"promptTokenCount": 20, "candidatesTokenCount": 5, "totalTokenCount": 25});
    let data = json!({"candidates": [candidate], "usageMetadata": usage});
    out.write_all(format!("data: {data}\r\n\r\n").as_bytes())
}

#[derive(Default)]
struct Head {
    first_line: String,
    length: usize,
    chunked: bool,
    expects_continue: bool,
}

fn read_line(input: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_string())
}

fn read_head(input: &mut impl BufRead) -> io::Result<Head> {
    let mut head = Head {
        first_line: read_line(input)?,
        ..Head::default()
    };
    loop {
        let line = read_line(input)?.to_ascii_lowercase();
        match line.split_once(": ") {
            None => return Ok(head),
            Some(("content-length", length)) => head.length = length.parse().unwrap(),
            Some(("transfer-encoding", how)) => head.chunked = how == "chunked",
            Some(("expect", what)) => head.expects_continue = what == "100-continue",
            Some(_) => {}
        }
    }
}

fn read_body(input: &mut impl BufRead, head: &Head) -> io::Result<Vec<u8>> {
    let mut body = vec![0; head.length];
    if !head.chunked {
        input.read_exact(&mut body)?;
        return Ok(body);
    }
    loop {
        let size = usize::from_str_radix(&read_line(input)?, 16).unwrap();
        let start = body.len();
        body.resize(start + size, 0);
        input.read_exact(&mut body[start..])?;
        read_line(input)?;
        if size == 0 {
            return Ok(body);
        }
    }
}
