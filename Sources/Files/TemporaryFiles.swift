private import Glibc
import Synchronization

/// The paths of files that must not outlive the process, in a form that a signal handler may read: without locks and
/// allocations, only atomic addresses of C strings.
enum TemporaryFiles {
    private static let slots: [Slot] = (0..<64).map { _ in Slot() }

    /// Allocates the slots, which a signal handler may not do.
    static func prepare() { _ = slots }

    /// Adds a path, if a slot is free.
    static func add(_ path: String) -> Slot? {
        guard let copy = unsafe strdup(path) else { return nil }
        let address = UInt(bitPattern: copy)
        if let slot = slots.first(where: { $0.exchange(0, for: address) }) { return slot }
        unsafe free(copy)
        return nil
    }

    /// Removes a path from its slot.
    static func remove(_ slot: Slot?) {
        guard let address = slot?.clear() else { return }
        unsafe free(UnsafeMutableRawPointer(bitPattern: address))
    }

    /// Deletes every file. A signal handler may call it.
    static func deleteAll() {
        for slot in slots {
            guard let path = unsafe UnsafePointer<CChar>(bitPattern: slot.clear()) else { continue }
            unsafe unlink(path)
        }
    }

    /// The address of a path, or 0.
    final class Slot: Sendable {
        private let address = Atomic<UInt>(0)

        fileprivate func exchange(_ old: UInt, for new: UInt) -> Bool {
            address.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
        }

        fileprivate func clear() -> UInt { address.exchange(0, ordering: .acquiringAndReleasing) }
    }
}

/// Temporary files of killed runs. The next run that writes the same file removes them.
///
/// The writer of one holds a lock on it, which ends with the process. So a file that can be locked has no owner. They
/// are found by name alone, so nothing may be removed from a directory in which other people name files, such as the
/// directory of an INPUT.
public enum StaleFiles {
    /// Returns the prefix of the names of a file's temporary files; six letters and digits follow.
    static func prefix(of name: String) -> String { ".\(name).audit-" }

    static let suffixLength = 6

    /// Locks an open file. Before that it has no owner, and another writer of the same file may have removed it.
    ///
    /// - Returns: whether it still exists.
    static func claim(_ file: borrowing FileDescriptor, at path: String) -> Bool {
        // If a file system has no locks, nothing is removed.
        let isLocked = flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        return isLocked && file.isStill(at: path)
    }

    /// Removes the temporary files that ended runs left next to a file that they were writing. A file that cannot be
    /// removed is ignored.
    ///
    /// - Parameter texts: the date of the run, `2026-11-24`, and its time. If the file's name contains them, files that
    ///   are a day old and have other digits in their place are also removed, because no later run writes a file of that
    ///   name.
    public static func remove(beside path: String, varying texts: [String] = []) {
        let parts = PathParts(OutputFile.resolved(path))
        let own = Array(prefix(of: parts.name).utf8)
        let dates = texts.flatMap { text in
            parts.name.ranges(of: text).map { range in
                let start = parts.name.utf8.distance(from: parts.name.startIndex, to: range.lowerBound) + 1
                return start..<start + text.utf8.count
            }
        }
        guard let folder = try? FileDescriptor.open(parts.place, O_RDONLY | O_DIRECTORY),
            var listing = try? FolderListing(folder)
        else { return }
        var (names, name): ([[UInt8]], [UInt8]) = ([], [])
        while (try? listing.next(appendingNameTo: &name)) != nil {
            if name.count == own.count + suffixLength, isLike(own, name, dates) { names.append(name) }
            name.removeAll(keepingCapacity: true)
        }
        for name in names {
            remove(parts.place + String(decoding: name, as: UTF8.self), ifOld: !name.starts(with: own))
        }
    }

    /// Whether a name begins with a prefix, apart from the digits of dates.
    private static func isLike(_ prefix: [UInt8], _ name: [UInt8], _ dates: [Range<Int>]) -> Bool {
        prefix.indices.allSatisfy { index in
            name[index] == prefix[index]
                || dates.contains { $0.contains(index) } && isDigit(name[index]) && isDigit(prefix[index])
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func remove(_ path: String, ifOld: Bool) {
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(), status.isRegular, status.owner == geteuid(),
            !ifOld || status.modified / 1_000_000_000 < Int64(time(nil)) - 86_400,
            flock(file.number, LOCK_EX | LOCK_NB) == 0
        else { return }
        unsafe unlink(path)
    }
}
