// SPDX-License-Identifier: MIT
//! Events as an asynchronous stream. The few lines of `run` stand for any runtime.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Wake};
use std::thread::{self, Thread};

use yume_host::{spawn_tokio, Dialect, Ending, Event, EventKind, Mode, SpawnOptions, TokioEvents};

use crate::gate::Gate;
use crate::place::Place;
use crate::server::Reply;

struct Wakes(Thread);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn run(test: impl Future<Output = ()>) {
    let mut test: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(test);
    let waker = Arc::new(Wakes(thread::current())).into();
    let mut context = Context::from_waker(&waker);
    while test.as_mut().poll(&mut context).is_pending() {
        thread::park();
    }
}

async fn take_until(events: &mut TokioEvents, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
    let mut taken = Vec::new();
    while let Some(event) = events.next().await {
        let found = wanted(&event);
        taken.push(event);
        if found {
            return taken;
        }
    }
    panic!("it never came: {taken:#?}");
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn two_conversations_go_on_side_by_side_in_one_thread() {
    let gates = [Gate::new(), Gate::new()];
    let places: Vec<Place> = gates
        .iter()
        .map(|gate| Place::new(vec![Reply::gated("One, ", gate, "two.")]))
        .collect();
    run(async {
        let start = |place: &Place| spawn_tokio(place.options(Dialect::Yume)).unwrap();
        let (mut first, mut second) = (start(&places[0]), start(&places[1]));
        let begun = |event: &Event| event.text().is_some();
        take_until(&mut first, begun).await;
        take_until(&mut second, begun).await;
        gates[1].open();
        let ended = |event: &Event| matches!(event.kind, EventKind::Exited(_));
        take_until(&mut second, ended).await;
        gates[0].open();
        take_until(&mut first, ended).await;
        assert!(first.next().await.is_none());
    });
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn a_conversation_is_interrupted_and_killed() {
    let place = Place::new(vec![
        Reply::stalled("Half of"),
        Reply::stalled("Another half"),
    ]);
    run(async {
        let mut events = spawn_tokio(SpawnOptions {
            mode: Mode::Conversation,
            ..place.options(Dialect::Claude)
        })
        .unwrap();
        let handle = events.handle();
        place.server.next_request();
        handle.interrupt().unwrap();
        take_until(
            &mut events,
            |event| matches!(&event.kind, EventKind::Result(result) if result.is_error),
        )
        .await;
        handle.send("again").unwrap();
        place.server.next_request();
        handle.kill().unwrap();
        let rest = take_until(&mut events, |event| {
            matches!(&event.kind, EventKind::Exited(exited) if exited.ending == Ending::Killed)
        })
        .await;
        assert!(!rest.is_empty());
        assert_eq!(place.processes(), [""; 0]);
    });
}

#[test]
#[ignore = "needs YUME_CLI_BINARY"]
fn dropped_events_leave_no_process() {
    let place = Place::new(vec![Reply::stalled("Half of")]);
    let events = spawn_tokio(place.options(Dialect::Yume)).unwrap();
    place.server.next_request();
    let watch = place.watch();
    assert_eq!(watch.len(), 1);
    drop(events);
    watch.wait_for_end();
}
