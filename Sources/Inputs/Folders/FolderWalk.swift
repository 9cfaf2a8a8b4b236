import Encodings
import Files

/// Finds the receipt files below a folder.
///
/// Symbolic links to folders are not followed, so there are no cycles. Folders wait on a list, so no depth is too
/// great.
struct FolderWalk {
    private let folder: ConfinedDirectory
    /// The manifest, which is no receipt.
    private let manifest: FileStatus?
    private(set) var skipped = SkippedEntries()
    /// Folders that are still to be listed, each with a trailing slash.
    private var waiting: [[UInt8]] = [[]]

    init(_ folder: ConfinedDirectory, excluding manifest: FileStatus? = nil) {
        self.folder = folder
        self.manifest = manifest
    }

    /// Lists the next folder, and calls a body with the path of each of its files. Returns false if there is none left.
    ///
    /// A folder below the top that cannot be listed is recorded as skipped.
    ///
    /// - Throws: if the top cannot be listed, or if the system had no descriptor or no memory left.
    mutating func step(_ body: (Span<UInt8>) -> Void) throws(SystemError) -> Bool {
        guard let path = waiting.popLast() else { return false }
        do throws(SystemError) {
            try list(path, body)
        } catch {
            if path.isEmpty || error.isExhaustion { throw error }
            skipped.add(unreadableFolder: String(decoding: path.dropLast(), as: UTF8.self))
        }
        return true
    }

    private mutating func list(_ path: [UInt8], _ body: (Span<UInt8>) -> Void) throws(SystemError) {
        var listing = try FolderListing(folder.open((path + [0x2e, 0]).span, .folder))
        var file = path
        while let entry = try listing.next(appendingNameTo: &file) {
            defer { file.removeLast(file.count - path.count) }
            if let manifest, entry.inode == manifest.inode, try status(of: file)?.isSameFile(as: manifest) == true {
                continue
            }
            if path.isEmpty, file.elementsEqual("devices.csv".utf8) { continue }
            switch try kind(entry.type, file) {
            case .file:
                if let kind = LeftoverFile.kind(of: file.span) { skipped.add(leftover: kind) } else { body(file.span) }
            case .folder: waiting.append(file + [0x2f])
            case .special: skipped.specialFiles += 1
            case .link: skipped.links += 1
            }
        }
    }

    /// Returns the paths of all files below a folder that a user named, in byte order, and what was skipped.
    static func files(in folder: String) throws(InputError) -> (names: [String], skipped: SkippedEntries) {
        var names: [ExactText] = []
        var walk = FolderWalk(try ConfinedDirectory(input: folder))
        do throws(SystemError) {
            while try walk.step({ names.append(ExactText(repairing: $0)) }) {}
        } catch {
            throw InputError(opening: folder, error)
        }
        return (names.sorted().map(\.text), walk.skipped)
    }

    enum Kind {
        case file, folder, special, link
    }

    /// Returns the kind of an entry, from the type in its folder if there is one.
    func kind(_ type: UInt8, _ path: [UInt8]) throws(SystemError) -> Kind {
        switch Int(type) {
        case 8: return .file
        case 4: return .folder
        case 1, 2, 6, 12: return .special
        case 0:
            // Not all file systems have types.
            guard let entry = try? folder.status(ofEntry: (path + [0]).span), !entry.isLink else {
                return try kind(ofLink: path)
            }
            return entry.isRegular ? .file : entry.isFolder ? .folder : .special
        default: return try kind(ofLink: path)
        }
    }

    private func kind(ofLink path: [UInt8]) throws(SystemError) -> Kind {
        try status(of: path)?.isRegular == true ? .file : .link
    }

    /// Returns the status of a path, following links inside the folder; `nil` if it cannot be read, or leads outside.
    private func status(of path: [UInt8]) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try folder.open((path + [0]).span, .status).status()
        } catch {
            if error.isExhaustion { throw error }
            return nil
        }
    }
}
