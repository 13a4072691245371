// SPDX-License-Identifier: MIT
//! The few calls of kernel32 that this crate needs, behind functions that cannot be misused.
//! Declared here rather than taken from a crate: ten functions are no reason for a dependency.

use std::ffi::c_void;
use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::ptr::null;

const JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: u32 = 0x2000;
const JOB_OBJECT_EXTENDED_LIMIT_INFORMATION: i32 = 9;
const TH32CS_SNAPTHREAD: u32 = 0x4;
const THREAD_SUSPEND_RESUME: u32 = 0x2;
const INVALID_HANDLE_VALUE: RawHandle = -1_isize as RawHandle;
/// What those end with who are killed: an ordinary code, as `taskkill` uses it.
const KILLED: u32 = 1;

#[repr(C)]
struct BasicLimits {
    per_process_user_time_limit: i64,
    per_job_user_time_limit: i64,
    limit_flags: u32,
    minimum_working_set_size: usize,
    maximum_working_set_size: usize,
    active_process_limit: u32,
    affinity: usize,
    priority_class: u32,
    scheduling_class: u32,
}

#[repr(C)]
struct ExtendedLimits {
    basic: BasicLimits,
    io_counters: [u64; 6],
    process_memory_limit: usize,
    job_memory_limit: usize,
    peak_process_memory_used: usize,
    peak_job_memory_used: usize,
}

#[repr(C)]
struct ThreadEntry {
    size: u32,
    usage: u32,
    thread_id: u32,
    owner_process_id: u32,
    base_priority: i32,
    delta_priority: i32,
    flags: u32,
}

#[link(name = "kernel32")]
extern "system" {
    fn CreateJobObjectW(attributes: *const c_void, name: *const u16) -> RawHandle;
    fn SetInformationJobObject(
        job: RawHandle,
        class: i32,
        information: *const c_void,
        length: u32,
    ) -> i32;
    fn AssignProcessToJobObject(job: RawHandle, process: RawHandle) -> i32;
    fn TerminateJobObject(job: RawHandle, exit_code: u32) -> i32;
    fn CreateToolhelp32Snapshot(flags: u32, process_id: u32) -> RawHandle;
    fn Thread32First(snapshot: RawHandle, entry: *mut ThreadEntry) -> i32;
    fn Thread32Next(snapshot: RawHandle, entry: *mut ThreadEntry) -> i32;
    fn OpenThread(access: u32, inherit: i32, thread_id: u32) -> RawHandle;
    fn ResumeThread(thread: RawHandle) -> u32;
}

/// Processes that die together, at the latest when this value is dropped.
pub(super) struct Job {
    handle: OwnedHandle,
}

impl Job {
    pub(super) fn new() -> io::Result<Job> {
        // SAFETY: both pointers may be null: default security, no name.
        let job = Job {
            handle: owned(unsafe { CreateJobObjectW(null(), null()) })?,
        };
        // SAFETY: all of it are numbers, for which zero means "no limit".
        let mut limits: ExtendedLimits = unsafe { zeroed() };
        limits.basic.limit_flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: pointer and length are those of `limits`, whose layout is what the class means.
        done(unsafe {
            SetInformationJobObject(
                job.handle.as_raw_handle(),
                JOB_OBJECT_EXTENDED_LIMIT_INFORMATION,
                (&limits as *const ExtendedLimits).cast(),
                size_of::<ExtendedLimits>() as u32,
            )
        })?;
        Ok(job)
    }

    pub(super) fn add(&self, process: RawHandle) -> io::Result<()> {
        // SAFETY: both handles are open: ours, and that of a `Child` the caller holds.
        done(unsafe { AssignProcessToJobObject(self.handle.as_raw_handle(), process) })
    }

    pub(super) fn terminate(&self) -> io::Result<()> {
        // SAFETY: the handle is ours and open.
        done(unsafe { TerminateJobObject(self.handle.as_raw_handle(), KILLED) })
    }
}

/// Lets a process run that was started suspended. The standard library keeps the handle of its only
/// thread to itself, so the thread is looked up.
pub(super) fn resume_process(process_id: u32) -> io::Result<()> {
    // SAFETY: takes two numbers.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    let snapshot = owned(snapshot)?;
    // SAFETY: all of it are numbers.
    let mut entry: ThreadEntry = unsafe { zeroed() };
    entry.size = size_of::<ThreadEntry>() as u32;
    let mut resumed = false;
    // SAFETY: the snapshot is open, and `entry` has the size it says.
    let mut found = unsafe { Thread32First(snapshot.as_raw_handle(), &mut entry) };
    while found != 0 {
        if entry.owner_process_id == process_id {
            resume_thread(entry.thread_id)?;
            resumed = true;
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(snapshot.as_raw_handle(), &mut entry) };
    }
    if resumed {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::NotFound,
        "the new process has no thread to run",
    ))
}

fn resume_thread(thread_id: u32) -> io::Result<()> {
    // SAFETY: takes numbers only.
    let thread = owned(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread_id) })?;
    // SAFETY: the handle is open and may be used to resume.
    if unsafe { ResumeThread(thread.as_raw_handle()) } == u32::MAX {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn owned(handle: RawHandle) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a new handle that nobody else has.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn done(result: i32) -> io::Result<()> {
    if result == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
