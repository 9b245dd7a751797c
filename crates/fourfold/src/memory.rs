//! Memory for large tables.

/// An empty vector with room for so many, or nothing if the memory cannot be had. Where the system
/// has larger pages for whoever asks, it is asked: a table that is looked at all over takes fewer
/// steps to find then.
pub(crate) fn room_for<T>(count: usize) -> Option<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).ok()?;
    #[cfg(target_os = "linux")]
    ask_for_large_pages(room.spare_capacity_mut());
    Some(room)
}

/// A multiple of the size of small pages on every system.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 16;

/// What takes less is as well off with small pages.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 21;

#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(room: &mut [std::mem::MaybeUninit<T>]) {
    let bytes = size_of_val(room);
    let start = room.as_mut_ptr().cast::<u8>();
    let offset = start.align_offset(PAGE);
    if bytes < LARGE + offset {
        return;
    }
    let length = (bytes - offset) / PAGE * PAGE;
    #[expect(unsafe_code, reason = "a system call that takes a range of memory")]
    // SAFETY: whole pages within the room, which stays as it is: only how the system backs them
    // changes, if it does. That it cannot be done is no fault.
    unsafe {
        libc::madvise(start.add(offset).cast(), length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(test)]
mod tests {
    use super::room_for;

    #[test]
    fn there_is_room_or_none() {
        for count in [0, 1, 1000, 1 << 20] {
            let mut room: Vec<u64> = room_for(count).unwrap();
            assert!(room.is_empty() && room.capacity() >= count);
            room.resize(count, 7);
            assert!(room.iter().all(|&item| item == 7));
        }
        assert!(room_for::<u64>(usize::MAX).is_none());
        assert!(room_for::<u64>(usize::MAX / 16).is_none());
    }
}
