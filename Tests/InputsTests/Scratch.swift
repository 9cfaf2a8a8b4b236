import FoundationEssentials

@testable import Inputs

/// A folder for one test, removed when the test is over.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "inputs-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and the folders above it.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        if let slash = file.lastIndex(of: "/") {
            try FileManager.default.createDirectory(atPath: String(file[..<slash]), withIntermediateDirectories: true)
        }
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path + "/" + name, toPath: path + "/" + other)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }
}

/// A claim with the bytes of its receipt, or why there are none.
struct Presented {
    let claim: Claim
    let bytes: [UInt8]?
    let fault: InputFault?
    /// What tells the claim from others: the bytes of the receipt as they are stored, or of what there is in its place.
    let identity: [UInt8]

    /// `devices.csv:2 a.der 30 01`, or `devices.csv:2 receiptNotFound`.
    var line: String {
        let receipt = bytes.map { String(decoding: $0, as: UTF8.self) } ?? fault.map { "\($0.kind)" } ?? ""
        return "\(claim.source) \(receipt)"
    }
}

/// Everything that the inputs present, in order.
func claims(_ paths: String..., manifestPath: String? = nil, loading: Bool = true) throws -> [Presented] {
    try claims(of: Inputs(paths, manifestPath: manifestPath), loading: loading)
}

func claims(of source: any ClaimSource, loading: Bool = true) throws -> [Presented] {
    let decoder = ClaimDecoder()
    let pool = BufferPool()
    let loader = ClaimLoader(pool: pool)
    var all: [Presented] = []
    while var block = try source.next() {
        if loading { _ = loader.load(&block) }
        try decoder.forEachClaim(
            in: block,
            onReceipt: { claim, bytes, stored in
                all.append(Presented(claim: claim, bytes: copy(bytes), fault: nil, identity: copy(stored)))
            },
            onFault: { all.append(Presented(claim: $0, bytes: nil, fault: $1, identity: copy($2))) })
        pool.reclaim(&block)
    }
    return all
}

private func copy(_ bytes: Span<UInt8>) -> [UInt8] { unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }

/// A stream that gives `piece` bytes at a time.
final class Pieces: ByteStream {
    private let bytes: [UInt8]
    private let piece: Int
    private(set) var position = 0
    var size: Int? { bytes.count }

    init(_ bytes: [UInt8], _ piece: Int) {
        self.bytes = bytes
        self.piece = piece
    }

    convenience init(_ text: String, _ piece: Int) { self.init(Array(text.utf8), piece) }

    func read(into arena: inout ByteArena, atMost count: Int) -> Int {
        let end = min(bytes.count, position + min(piece, count))
        let range = arena.append(bytes[position..<end].span)
        position = end
        return range.count
    }
}
