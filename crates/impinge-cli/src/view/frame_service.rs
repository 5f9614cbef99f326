//! One thread owns the scene and the collider, and answers the server's requests: the scene, a frame, the method's overlays.
//!
//! While idle it computes frames ahead, so that the timeline fills and playback does not wait. Answers are cached, up to
//! [`MAX_CACHED_BYTES`], oldest evicted first.

use super::report_file::Counts;
use super::scene_data::Told;
use super::{frame_data, seen_data};
use crate::backend::{Backend, Engine};
use crate::error::Error;
use crate::options::Subject;
use crate::question::Question as Asked;
use crate::seen;
use crate::source::Source;
use axum::body::Bytes;
use serde::Serialize;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{oneshot, watch};

/// Size of the answer cache.
const MAX_CACHED_BYTES: usize = 192 << 20;

/// A request of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Scene,
    Frame(usize),
    Seen(usize),
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No such frame.
    NotThere,
    /// The files changed after the page loaded the scene.
    Changed,
    Failed(String),
}

pub(crate) type Answer = Result<Bytes, Refusal>;

enum Message {
    Ask { question: Question, data: u64, reply: oneshot::Sender<Answer> },
    Reload,
}

/// The service's state, for long-polling pages.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    /// Incremented at every change.
    pub(crate) version: u64,
    /// Incremented whenever the files are read.
    pub(crate) data: u64,
    /// Why the last reload failed; the page keeps showing the previous data.
    pub(crate) problem: Option<String>,
}

/// The server's handle to the service.
#[derive(Clone)]
pub(crate) struct Client {
    questions: Sender<Message>,
    pub(crate) state: watch::Receiver<State>,
    counts: Arc<Mutex<Counts>>,
}

impl Client {
    /// `data` is the version of the scene that the page has; `None` to request the scene itself.
    pub(crate) async fn ask(&self, question: Question, data: Option<u64>) -> Answer {
        let (reply, answer) = oneshot::channel();
        let data = data.unwrap_or_else(|| self.state.borrow().data);
        let gone = || Refusal::Failed("the program is stopping".into());
        self.questions.send(Message::Ask { question, data, reply }).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Requests a reload of the files.
    pub(crate) fn reload(&self) {
        // The receiver is gone only when the program stops.
        let _ = self.questions.send(Message::Reload);
    }
}

/// Reads the files and starts the thread. Fails if a file cannot be read or the requested GPU is missing.
pub(crate) fn open(subject: Subject) -> Result<Client, Error> {
    let (questions, receiver) = mpsc::channel();
    let (sender, state) = watch::channel(State { version: 1, data: 1, problem: None });
    let counts = Arc::new(Mutex::new(Counts::default()));
    let (opened, wait) = mpsc::channel();
    let shared = Arc::clone(&counts);
    // Colliders stay in the thread that made them.
    std::thread::spawn(move || match FrameService::open(&subject, shared) {
        Ok(service) => {
            let _ = opened.send(Ok(()));
            work(service, &subject, &receiver, &sender);
        }
        Err(error) => drop(opened.send(Err(error))),
    });
    match wait.recv() {
        Ok(Ok(())) => Ok(Client { questions, state, counts }),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(Error::scene("view", "the thread that reads the files has stopped")),
    }
}

fn work(
    mut service: FrameService,
    subject: &Subject,
    questions: &Receiver<Message>,
    state: &watch::Sender<State>,
) {
    loop {
        let message = match questions.try_recv() {
            Ok(message) => Some(message),
            Err(TryRecvError::Disconnected) => return,
            // Without a request, compute a frame ahead; when all are done, sleep.
            Err(TryRecvError::Empty) if service.look_ahead() => None,
            Err(TryRecvError::Empty) => match questions.recv() {
                Ok(message) => Some(message),
                Err(_) => return,
            },
        };
        match message {
            None => {}
            Some(Message::Ask { question, data, reply }) => {
                let current = state.borrow().data;
                let answer = if data == current { service.answer(question) } else { Err(Refusal::Changed) };
                // The page may have disconnected.
                let _ = reply.send(answer);
            }
            Some(Message::Reload) => {
                let opened = FrameService::open(subject, Arc::clone(&service.counts));
                state.send_modify(|state| {
                    state.version += 1;
                    state.problem = opened.as_ref().err().map(ToString::to_string);
                    state.data += u64::from(opened.is_ok());
                });
                if let Ok(opened) = opened {
                    service = opened;
                }
            }
        }
    }
}

/// The loaded scene, its engine and the answer cache.
struct FrameService {
    source: Source,
    frames: Range<usize>,
    told: Told,
    scene: Bytes,
    asked: Asked,
    engine: Engine,
    /// The same with the method that answered last (`auto` chooses one).
    answered: Asked,
    kept: VecDeque<(Question, Bytes)>,
    kept_bytes: usize,
    /// The first frame whose counts may be unknown.
    next: usize,
    counts: Arc<Mutex<Counts>>,
}

impl FrameService {
    fn open(subject: &Subject, counts: Arc<Mutex<Counts>>) -> Result<Self, Error> {
        let mut source = subject.load()?;
        let frames = subject.frames.within(source.frames())?;
        source.set_frame(frames.start)?;
        let told = Told::new(&source.scene);
        let scene = told.encode(&source.name, &source.scene, &frames, subject.up)?.into();
        let asked = subject.question.with_shapes(true);
        let engine = Backend::open(&subject.place, &source.scene)?.ask(asked.clone())?;
        *counts.lock().unwrap_or_else(PoisonError::into_inner) = Counts::unknown(frames.len());
        let (next, answered) = (frames.start, asked.clone());
        let kept = VecDeque::new();
        Ok(Self { source, frames, told, scene, asked, engine, answered, kept, kept_bytes: 0, next, counts })
    }

    fn answer(&mut self, question: Question) -> Answer {
        match question {
            Question::Scene => return Ok(self.scene.clone()),
            Question::Frame(frame) | Question::Seen(frame) if !self.frames.contains(&frame) => {
                return Err(Refusal::NotThere);
            }
            _ => {}
        }
        if let Some((_, bytes)) = self.kept.iter().find(|(kept, _)| *kept == question) {
            return Ok(bytes.clone());
        }
        let bytes = match question {
            Question::Seen(frame) => self.see(frame),
            Question::Frame(frame) => self.frame(frame),
            Question::Scene => Ok(self.scene.clone()),
        };
        let bytes = bytes.map_err(|error| Refusal::Failed(error.to_string()))?;
        self.keep(question, bytes.clone());
        Ok(bytes)
    }

    fn frame(&mut self, frame: usize) -> Result<Bytes, Error> {
        self.source.set_frame(frame)?;
        let findings = self.engine.answer(&self.source.scene)?;
        self.answered = self.asked.answered_by(&findings);
        let encoded = frame_data::encode(frame, &self.source.scene, findings, &self.told, &self.asked)?;
        // Under one lock: the page polls until every frame has counts.
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let place = frame - self.frames.start;
        counts.put(place, findings);
        counts.put_depth(place, encoded.deepest);
        drop(counts);
        Ok(encoded.bytes.into())
    }

    fn see(&mut self, frame: usize) -> Result<Bytes, Error> {
        self.source.set_frame(frame)?;
        // For `auto`, the method that it chose.
        let seen = seen::of(&self.source.scene, &self.answered);
        Ok(seen_data::encode(frame, seen, &self.told.space)?.into())
    }

    fn keep(&mut self, question: Question, bytes: Bytes) {
        self.kept_bytes += bytes.len();
        self.kept.push_back((question, bytes));
        while self.kept_bytes > MAX_CACHED_BYTES {
            let Some((_, oldest)) = self.kept.pop_front() else { return };
            self.kept_bytes -= oldest.len();
        }
    }

    /// Computes the next frame without counts; `false` if all have them.
    fn look_ahead(&mut self) -> bool {
        let counted = |frame: usize| {
            let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.found.get(frame - self.frames.start).is_none_or(Option::is_some)
        };
        let Some(frame) = (self.next..self.frames.end).find(|&frame| !counted(frame)) else {
            self.next = self.frames.end;
            return false;
        };
        self.next = frame + 1;
        // An error is reported when the frame is requested.
        let _ = self.answer(Question::Frame(frame));
        true
    }
}
