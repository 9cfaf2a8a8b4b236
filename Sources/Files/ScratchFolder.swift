private import Glibc

/// A folder with a few files for a library that insists on names, for its owner only. It is removed with its owner, and when a
/// signal ends the process; a process that is killed leaves it behind.
public final class ScratchFolder {
    public let path: String
    private let names: [String]
    private var slots: [TemporaryFiles.Slot?] = []

    /// - Parameters:
    ///   - folder: where it is made.
    ///   - names: of all files that will ever be in it.
    public init(in folder: String, names: [String]) throws(FileError) {
        self.names = names
        var template = Array((folder + "/audit.XXXXXX").utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw FileError(.makeFolder, "\(folder)/audit.XXXXXX") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The folder itself comes last: it must be empty to be removed.
        for name in names { slots.append(TemporaryFiles.add(path + "/" + name)) }
        slots.append(TemporaryFiles.add(path))
    }

    deinit {
        for name in names { unsafe unlink(path + "/" + name) }
        unsafe rmdir(path)
        for slot in slots { TemporaryFiles.remove(slot) }
    }
}
