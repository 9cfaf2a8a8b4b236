public import Encodings
import Files

/// Some texts of evidence, each with its place.
public struct EvidenceBlock: Sendable {
    public struct Item: Sendable {
        /// `notifications.ndjson:17`, or the path of a file that is one text.
        public let source: ExactText
        /// A token, or JSON with tokens in it; without blanks around it.
        public let text: [UInt8]
        /// Why the text is not whole; `nil` if it is.
        public let damage: String?
    }

    public internal(set) var items: [Item] = []
    var size = 0

    mutating func append(_ source: ExactText, _ text: Span<UInt8>, damage: String? = nil) {
        size += text.count
        items.append(Item(source: source, text: text.withoutBlanks.copy(), damage: damage))
    }
}

/// What Apple told the company's server, as it was stored: notifications and answers of the App Store Server API.
///
/// A file holds tokens or JSON, one a line, or one JSON text over several lines. Of a folder every regular file is read.
/// One thread at a time may ask for blocks.
public final class EvidenceSource {
    private let paths: [GivenPath]
    private var next = 0
    private var reader: EvidenceReader?
    /// What broke off before its end, and folders that cannot be read.
    public private(set) var omissions: Omissions

    private static let blockSize = 1 << 18

    /// Lists the files of folders. An INPUT that cannot be opened stops the run before it begins.
    public init(_ inputs: [GivenPath]) throws(InputError) {
        var paths: [GivenPath] = []
        var omissions = Omissions()
        for input in inputs {
            let status = try InputError.opening(input.path) { () throws(SystemError) in
                try FileDescriptor.open(input.path).status()
            }
            guard status.isFolder else {
                if let objection = status.objection { throw .unreadable(path: input.path, reason: objection) }
                let start = PeekedStream(try InputFile(input.path).stream, atMost: 512).start
                if let known = ForeignBytes(start.span, input.path) {
                    throw .unsupported(path: input.path, kind: known.kind, remedy: known.remedy)
                }
                paths.append(input)
                continue
            }
            let prefix = input.written.hasSuffix("/") ? input.written : input.written + "/"
            let names = try Self.files(in: input.path, &omissions.skipped)
            if names.isEmpty { omissions.add(Self.empty(input)) }
            for name in names {
                paths.append(GivenPath(prefix + name, at: "\(input.path)/\(name)"))
            }
        }
        self.paths = paths
        self.omissions = omissions
    }

    private static func empty(_ path: GivenPath) -> InputDamage {
        InputDamage(source: path.written, reason: "holds no evidence", losesRows: false)
    }

    /// The paths of all files below a folder, in the order of their octets.
    private static func files(
        in folder: String, _ skipped: inout SkippedEntries
    ) throws(InputError) -> [String] {
        var names: [ExactText] = []
        let confined = try ConfinedDirectory(input: folder)
        do throws(SystemError) {
            var walk = FolderWalk(confined, excluding: [])
            while try walk.step({ names.append(ExactText(repairing: $0)) }) {}
            skipped += walk.skipped
        } catch {
            throw InputError(opening: folder, error)
        }
        return names.sorted().map(\.text)
    }

    /// Returns the next texts, in the order of files and lines; `nil` at the end.
    public func nextBlock() throws(InputError) -> EvidenceBlock? {
        var block = EvidenceBlock()
        while block.size < Self.blockSize, block.items.count < 1000 {
            if reader == nil {
                guard next < paths.count else { break }
                reader = try EvidenceReader(paths[next])
                next += 1
            }
            guard let reader else { break }
            if try !reader.read(into: &block) {
                if reader.isEmpty { omissions.add(Self.empty(paths[next - 1])) }
                if let damage = reader.damage { omissions.add(damage) }
                self.reader = nil
            }
        }
        return block.items.isEmpty ? nil : block
    }
}

/// Reads the texts of one file.
private final class EvidenceReader {
    private let name: String
    private let stream: any ByteStream
    private var text = ByteArena()
    private var position = 0
    private var line = 1
    private var isWhole = false
    private var hasBegun = false
    private var hasEnded = false
    private(set) var damage: InputDamage?
    /// Whether the file has had no text.
    private(set) var isEmpty = true

    private static let chunk = 1 << 17
    /// The largest size of a line, and of JSON over several lines.
    private static let maxTextSize = 64 << 20

    init(_ path: GivenPath) throws(InputError) {
        name = path.written
        stream = try InputFile(path.path).stream
    }

    /// Adds the next text to a block; `false` at the end of the file.
    func read(into block: inout EvidenceBlock) throws(InputError) -> Bool {
        if !hasBegun { begin() }
        if isWhole {
            guard !hasEnded || position < text.count else { return false }
            while !hasEnded, text.count <= Self.maxTextSize { refill() }
            let damage = text.count > Self.maxTextSize ? "over 64 MiB without an end of line" : damage?.reason
            block.append(ExactText(name), text.span(position..<text.count), damage: damage)
            isEmpty = false
            text.empty()
            (position, hasEnded) = (0, true)
            return true
        }
        while true {
            if let end = text.firstIndex(of: 0x0a, from: position) {
                add(position..<end, to: &block)
                position = end + 1
                return true
            }
            guard !hasEnded else {
                guard position < text.count else { return false }
                add(position..<text.count, to: &block)
                position = text.count
                return true
            }
            if text.count - position > Self.maxTextSize {
                block.append("\(name):\(line)", text.span(position..<position), damage: "a line over 64 MiB")
                isEmpty = false
                hasEnded = true
                position = text.count
                return true
            }
            refill()
        }
    }

    private func add(_ range: Range<Int>, to block: inout EvidenceBlock) {
        defer { line += 1 }
        let line = text.withoutBlanks(range)
        guard !line.isEmpty else { return }
        isEmpty = false
        block.append("\(name):\(self.line)", text.span(line), damage: damage?.reason)
    }

    /// Reads the first bytes, and finds out whether the lines are texts by themselves: JSON over several lines begins with
    /// a line that does not end in a closing bracket.
    private func begin() {
        hasBegun = true
        repeat { refill() } while !hasEnded && text.firstIndex(of: 0x0a, from: 0) == nil && text.count < 1 << 20
        position = text.byteOrderMark
        let first = text.withoutBlanks(position..<(text.firstIndex(of: 0x0a, from: position) ?? text.count))
        guard let bracket = first.first.map({ text[$0] }), bracket == 0x7b || bracket == 0x5b else { return }
        let last = text[first.upperBound - 1]
        isWhole = first.count == 1 || last != 0x7d && last != 0x5d
    }

    private func refill() {
        if position > Self.chunk {
            let rest = text.span(position..<text.count).copy()
            text.empty()
            text.append(rest.span)
            position = 0
        }
        do throws(StreamDamage) {
            hasEnded = try stream.read(into: &text, atMost: Self.chunk) == 0
        } catch {
            hasEnded = true
            damage = InputDamage(source: name, reason: error.reason)
        }
    }
}
