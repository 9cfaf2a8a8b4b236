private import Glibc
import Synchronization

/// The paths of files that must not outlive the process, in a form that a signal handler may read: no lock
/// and no allocation, only atomic addresses of C strings.
enum TemporaryFiles {
    private static let slots: [Slot] = (0..<64).map { _ in Slot() }

    /// Makes room for paths, which a signal handler may not do.
    static func prepare() { _ = slots }

    /// Remembers a path, if there is room for one more.
    static func add(_ path: String) -> Slot? {
        guard let copy = unsafe strdup(path) else { return nil }
        let address = UInt(bitPattern: copy)
        if let slot = slots.first(where: { $0.exchange(0, for: address) }) { return slot }
        unsafe free(copy)
        return nil
    }

    /// Forgets a path.
    static func remove(_ slot: Slot?) {
        guard let address = slot?.take() else { return }
        unsafe free(UnsafeMutableRawPointer(bitPattern: address))
    }

    /// Removes every file, and every folder that is empty then, from a signal handler.
    static func removeAll() {
        for slot in slots {
            guard let path = unsafe UnsafePointer<CChar>(bitPattern: slot.take()) else { continue }
            if unsafe unlink(path) != 0 { unsafe rmdir(path) }
        }
    }

    /// The address of a path, or 0.
    final class Slot: Sendable {
        private let address = Atomic<UInt>(0)

        fileprivate func exchange(_ old: UInt, for new: UInt) -> Bool {
            address.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
        }

        fileprivate func take() -> UInt { address.exchange(0, ordering: .acquiringAndReleasing) }
    }
}
