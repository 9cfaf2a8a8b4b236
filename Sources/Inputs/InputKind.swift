/// What an INPUT is, by its name alone, unless it is a folder.
enum InputKind {
    case folder
    case table
    case lines
    case standardInput
    /// Anything else: one receipt.
    case receipt

    /// Looks at an INPUT; one that is not there, or is neither file nor folder, stops the job at once.
    init(of path: String) throws(InputError) {
        if path == "-" {
            self = .standardInput
            return
        }
        let status: FileStatus
        do throws(SystemError) {
            status = try FileDescriptor.open(path).status()
        } catch {
            throw InputError(opening: path, error)
        }
        if status.isFolder {
            self = .folder
            return
        }
        if let objection = status.objection { throw .unreadable(path: path, reason: objection) }
        self = Self.extensions.first { path.hasExtension($0.suffix) }?.kind ?? .receipt
    }

    private static let extensions: [(suffix: String, kind: InputKind)] = [
        (".csv", .table), (".csv.gz", .table),
        (".ndjson", .lines), (".ndjson.gz", .lines),
        (".jsonl", .lines), (".jsonl.gz", .lines),
    ]
}

extension String {
    /// Whether the name ends so, in whatever case.
    func hasExtension(_ suffix: String) -> Bool {
        let end = Array(utf8.suffix(suffix.utf8.count))
        return end.span.equalsIgnoringCase(Array(suffix.utf8))
    }
}
