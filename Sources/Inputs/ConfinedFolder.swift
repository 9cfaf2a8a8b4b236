private import CLinux
private import Glibc

/// A folder out of which nothing leads: files are opened by paths that stay below it.
///
/// A manifest comes from strangers. An absolute path, `..` and a symbolic link that leads out are all
/// "not there"; only regular files are ever read.
final class ConfinedFolder: Sendable {
    let path: String
    private let descriptor: CInt

    /// Opens a folder; `nil` if there is none.
    init?(_ path: String) {
        self.path = path
        descriptor = unsafe Glibc.open(path, O_PATH_flag | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Appends a file's bytes to a buffer.
    ///
    /// A file that grows or shrinks meanwhile is what was read of it.
    func read(_ path: String, appendingTo bytes: inout [UInt8]) throws(InputFault) {
        let file = try open(path)
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .unreadable() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw InputFault(
                .receiptUnreadable, status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is not a regular file")
        }
        guard status.st_size <= ReceiptLimit.bytes else { throw .tooLarge }
        let start = bytes.count
        // One byte more, so that one read tells whether this was all.
        var room = Int(status.st_size) + 1
        while true {
            let count = append(upTo: room, of: file, to: &bytes)
            guard count >= 0 else { throw .unreadable() }
            guard bytes.count - start <= ReceiptLimit.bytes else { throw .tooLarge }
            if count < room { return }
            room = 64 << 10
        }
    }

    /// Opens a file below the folder. It never blocks: opening a FIFO does not wait for its other end.
    private func open(_ path: String) throws(InputFault) -> CInt {
        guard !path.utf8.contains(0) else { throw InputFault(.receiptNotFound, "the name holds a NUL") }
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        var file: CInt
        repeat {
            file = unsafe open_beneath(descriptor, path, UInt64(flags))
            if file < 0, errno == ENOSYS || errno == EPERM { file = openChecked(path, flags) }
        } while file < 0 && errno == EINTR
        guard file < 0 else { return file }
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: throw InputFault(.receiptNotFound, "no such file")
        case EXDEV, ELOOP: throw InputFault(.receiptNotFound, "leads out of the folder")
        default: throw .unreadable()
        }
    }

    /// The same without openat2, which old kernels and some containers lack: the file is found without
    /// opening it, its real place is compared with the folder's, and only then is it opened, by that same finding.
    private func openChecked(_ path: String, _ flags: CInt) -> CInt {
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            errno = EXDEV
            return -1
        }
        let found = unsafe openat(descriptor, path, O_PATH_flag | O_CLOEXEC)
        guard found >= 0 else { return -1 }
        defer { close(found) }
        guard let place = realPlace(of: found), let home = realPlace(of: descriptor),
            home == "/" || place.hasPrefix(home + "/")
        else {
            errno = EXDEV
            return -1
        }
        return unsafe Glibc.open("/proc/self/fd/\(found)", flags)
    }

    private func realPlace(of descriptor: CInt) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe readlink(
                "/proc/self/fd/\(descriptor)", start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}

/// Reads once into the end of an array; the number of bytes read, or -1.
private func append(upTo room: Int, of file: CInt, to bytes: inout [UInt8]) -> Int {
    var count = -1
    bytes.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
        unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            repeat {
                count = unsafe Glibc.read(file, start + initialized, room)
            } while count < 0 && errno == EINTR
            initialized += max(0, count)
        }
    }
    return count
}

extension InputFault {
    /// What the system says of its last refusal.
    static func unreadable() -> InputFault {
        InputFault(.receiptUnreadable, systemReason())
    }

    static let tooLarge = InputFault(.receiptUnreadable, "is over 8 MiB")
}
