/// A table that has been opened: its bytes, decompressed if its name ends in `.gz`.
struct TableFile {
    let stream: any ByteStream
    let status: FileStatus

    /// Opens a table that a user named.
    init(_ path: String) throws(InputError) {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor.open(path)
        } catch {
            throw InputError(opening: path, error)
        }
        try self.init(file, path)
    }

    /// Opens the manifest at the top of a folder, if it has one. The fence holds for it too.
    init?(in folder: ConfinedDirectory, _ path: String) throws(InputError) {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try folder.open(Array("devices.csv\0".utf8).span)
        } catch {
            if error.isMissing { return nil }
            throw InputError(opening: path, error)
        }
        try self.init(file, path)
    }

    private init(_ file: consuming FileDescriptor, _ path: String) throws(InputError) {
        do throws(SystemError) {
            status = try file.status()
        } catch {
            throw InputError(opening: path, error)
        }
        if let objection = status.objection { throw .unreadable(path: path, reason: objection) }
        let bytes = FileStream(file, size: status.size)
        guard path.hasExtension(".gz") else {
            stream = bytes
            return
        }
        guard let decompressed = GzipStream(bytes) else { throw .unreadable(path: path, reason: "out of memory") }
        stream = decompressed
    }
}
