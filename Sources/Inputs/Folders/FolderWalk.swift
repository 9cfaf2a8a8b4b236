internal import Glibc

/// Finds the receipt files below a folder.
///
/// No symbolic link to a folder is followed, so there is no way round in a circle; folders wait
/// on a list of their own, so that no depth is too deep.
struct FolderWalk {
    private let folder: ConfinedDirectory
    /// The manifests, which are no receipts.
    private let excluded: [FileStatus]
    private(set) var skipped = SkippedEntries()
    /// Folders still to be listed, each with a slash at its end.
    private var waiting: [[UInt8]] = [[]]

    init(_ folder: ConfinedDirectory, excluding excluded: [FileStatus]) {
        self.folder = folder
        self.excluded = excluded
    }

    /// Lists the next folder, and calls a body with the path of each of its files; false if there is none left.
    ///
    /// A folder below the top that cannot be listed is noted as skipped.
    ///
    /// - Throws: if the top cannot be listed, or if the system had no descriptor or no memory left.
    mutating func step(_ body: (Span<UInt8>) -> Void) throws(SystemError) -> Bool {
        guard let path = waiting.popLast() else { return false }
        do throws(SystemError) {
            try list(path, body)
        } catch {
            if path.isEmpty || error.isExhaustion { throw error }
            skipped.note(unreadableFolder: String(decoding: path.dropLast(), as: UTF8.self))
        }
        return true
    }

    private mutating func list(_ path: [UInt8], _ body: (Span<UInt8>) -> Void) throws(SystemError) {
        let opened = try folder.open((path + [0x2e, 0]).span, .folder)
        guard let stream = unsafe fdopendir(opened.release()) else { throw SystemError(code: errno) }
        defer { unsafe _ = closedir(stream) }
        var file = path
        while let entry = try unsafe nextEntry(of: stream) {
            let name = unsafe name(of: entry)
            guard unsafe !isDots(name) else { continue }
            if unsafe mayBeExcluded(UInt64(entry.pointee.d_ino)), try isExcluded(unsafe path + Array(name)) { continue }
            if path.isEmpty, unsafe name.elementsEqual("devices.csv".utf8) { continue }
            switch try unsafe kind(entry.pointee.d_type, path + Array(name)) {
            case .file:
                file.removeLast(file.count - path.count)
                unsafe file.append(contentsOf: name)
                body(file.span)
            case .folder: unsafe waiting.append(path + Array(name) + [0x2f])
            case .special: skipped.specialFiles += 1
            case .link: skipped.links += 1
            }
        }
    }

    enum Kind {
        case file, folder, special, link
    }

    /// What an entry is: by what its folder says of it, if it says so.
    func kind(_ type: UInt8, _ path: @autoclosure () -> [UInt8]) throws(SystemError) -> Kind {
        switch Int(type) {
        case 8: return .file
        case 4: return .folder
        case 1, 2, 6, 12: return .special
        case 0:
            // Not all file systems say.
            let path = path()
            guard let entry = try? folder.status(ofEntry: (path + [0]).span), !entry.isLink else {
                return try kind(ofLink: path)
            }
            return entry.isRegular ? .file : entry.isFolder ? .folder : .special
        default: return try kind(ofLink: path())
        }
    }

    private func kind(ofLink path: [UInt8]) throws(SystemError) -> Kind {
        try status(of: path)?.isRegular == true ? .file : .link
    }

    /// What is at a path, links inside the folder followed; `nil` if that cannot be told, or leads out.
    private func status(of path: [UInt8]) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try folder.open((path + [0]).span, .status).status()
        } catch {
            if error.isExhaustion { throw error }
            return nil
        }
    }

    private func mayBeExcluded(_ inode: UInt64) -> Bool { excluded.contains { $0.inode == inode } }

    private func isExcluded(_ path: [UInt8]) throws(SystemError) -> Bool {
        guard let status = try status(of: path) else { return false }
        return excluded.contains { $0.isSameFile(as: status) }
    }
}

/// The next entry of a folder; `nil` at its end. readdir(3) tells an error from the end by the error number alone.
private func nextEntry(of stream: OpaquePointer) throws(SystemError) -> UnsafeMutablePointer<dirent>? {
    errno = 0
    if let entry = unsafe readdir(stream) { return unsafe entry }
    guard errno == 0 else { throw SystemError(code: errno) }
    return nil
}

private func name(of entry: UnsafeMutablePointer<dirent>) -> UnsafeRawBufferPointer {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(entry) + offset
    return unsafe UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
}

/// Whether this is the folder itself, or the one above it.
private func isDots(_ name: UnsafeRawBufferPointer) -> Bool {
    unsafe name.elementsEqual([0x2e]) || name.elementsEqual([0x2e, 0x2e])
}
