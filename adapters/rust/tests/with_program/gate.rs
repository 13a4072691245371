// SPDX-License-Identifier: MIT

use std::sync::{Arc, Condvar, Mutex};

/// Closed until somebody opens it, and then open for ever.
#[derive(Clone, Default)]
pub struct Gate {
    inner: Arc<(Mutex<bool>, Condvar)>,
}

impl Gate {
    pub fn new() -> Gate {
        Gate::default()
    }

    pub fn open(&self) {
        *self.inner.0.lock().unwrap() = true;
        self.inner.1.notify_all();
    }

    pub fn wait(&self) {
        let closed = self.inner.0.lock().unwrap();
        drop(self.inner.1.wait_while(closed, |open| !*open).unwrap());
    }
}
