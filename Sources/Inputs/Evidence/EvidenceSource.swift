public import Encodings
import Files

/// Some texts of evidence, each with its place.
public struct EvidenceBlock: Sendable {
    public struct Item: Sendable {
        let file: EvidenceFile
        /// Its first line; `nil` if the file is one text.
        let line: Int?
        /// A token, JSON with tokens in it, or a row of a table; without surrounding blanks.
        public let text: [UInt8]
        /// The columns of its table; `nil` if it is not a row.
        let columns: EvidenceColumns?
        /// The reason why the text is incomplete; `nil` if it is complete.
        public let damage: String?

        /// The file or folder that the user named.
        public var input: ExactText { file.input }

        /// `notifications.ndjson:17`, or the path of a file that is one text.
        public var source: ExactText { line.map { "\(file.name):\($0)" } ?? file.name }

        /// Returns the source of a token in it.
        public func source(of found: EvidenceText.Found) -> ExactText {
            found.line.map { "\(file.name):\((line ?? 1) + $0)" } ?? source
        }
    }

    public internal(set) var items: [Item] = []
    var size = 0

    mutating func append(
        _ file: EvidenceFile, _ text: Span<UInt8>, line: Int? = nil, _ columns: EvidenceColumns? = nil,
        damage: String? = nil
    ) {
        size += text.count
        let text = text.withoutBlanks.copy()
        items.append(Item(file: file, line: line, text: text, columns: columns, damage: damage))
    }
}

/// A file of evidence: its path as written and as it is, and the file or folder that the user named.
struct EvidenceFile: Sendable {
    let name: ExactText
    let path: String
    let input: ExactText

    init(_ path: GivenPath, of input: GivenPath) {
        name = ExactText(path.written)
        self.path = path.path
        self.input = ExactText(input.written)
    }
}

/// What Apple sent to the company's server, as stored: notifications and answers of the App Store Server API.
///
/// A file contains tokens or JSON, one per line, one JSON text over several lines, or a table. In a folder every
/// regular file is read. One thread at a time may request blocks.
public final class EvidenceSource {
    private let files: [EvidenceFile]
    private let maxTextSize: Int
    private var next = 0
    private var reader: EvidenceReader?
    /// Incomplete texts, and unreadable folders.
    public private(set) var omissions: Omissions

    private static let blockSize = 1 << 18

    /// Lists the files of folders. An INPUT that cannot be opened stops the run before it begins.
    public convenience init(_ inputs: [GivenPath]) throws(InputError) { try self.init(inputs, maxTextSize: 64 << 20) }

    /// - Parameter maxTextSize: the maximum size of a line, and of JSON over several lines. Longer lines are read in
    ///   pieces.
    init(_ inputs: [GivenPath], maxTextSize: Int) throws(InputError) {
        self.maxTextSize = maxTextSize
        var files: [EvidenceFile] = []
        var omissions = Omissions()
        for input in inputs {
            let status = try InputError.opening(input.path) { () throws(SystemError) in
                try FileDescriptor.open(input.path).status()
            }
            guard status.isFolder else {
                if let objection = status.objection { throw .unreadable(path: input.path, reason: objection) }
                let start = PeekedStream(try InputFile(input.path).stream, atMost: 512).start
                if let known = FileShape(start.span, input.path), try !Self.showsToken(input.path) {
                    throw .unsupported(path: input.path, kind: known.kind, remedy: known.remedy)
                }
                files.append(EvidenceFile(input, of: input))
                continue
            }
            let prefix = input.written.hasSuffix("/") ? input.written : input.written + "/"
            let (names, skipped) = try FolderWalk.files(in: input.path)
            omissions.skipped += skipped
            if names.isEmpty { omissions.add(Self.empty(input.written), to: \.emptyEvidence) }
            for name in names {
                files.append(EvidenceFile(GivenPath(prefix + name, at: "\(input.path)/\(name)"), of: input))
            }
        }
        self.files = files
        self.omissions = omissions
    }

    /// Whether a file that begins like another format has a token: then only its first text does.
    private static func showsToken(_ path: String) throws(InputError) -> Bool {
        let start = PeekedStream(try InputFile(path).stream, atMost: 1 << 20).start
        return !EvidenceText(start).found.isEmpty
    }

    private static func empty(_ name: String) -> String { "\(name): holds no evidence" }

    /// Returns the next texts, in the order of files and lines; `nil` at the end.
    public func nextBlock() throws(InputError) -> EvidenceBlock? {
        var block = EvidenceBlock()
        while block.size < Self.blockSize, block.items.count < 1000 {
            if reader == nil {
                guard next < files.count else { break }
                reader = try EvidenceReader(files[next], maxTextSize: maxTextSize)
                next += 1
            }
            guard let reader else { break }
            if try !reader.read(into: &block) {
                if reader.isEmpty { omissions.add(Self.empty(files[next - 1].name.text), to: \.emptyEvidence) }
                if let damage = reader.damage { omissions.add(damage) }
                self.reader = nil
            }
        }
        return block.items.isEmpty ? nil : block
    }
}
