// SPDX-License-Identifier: MIT
//! Locks whose holder panicked are used all the same: every change under them is one assignment.

use std::sync::{Mutex, MutexGuard};

pub(crate) trait Locked<T> {
    fn locked(&self) -> MutexGuard<'_, T>;
}

impl<T> Locked<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        match self.lock() {
            Ok(guard) => guard,
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}
