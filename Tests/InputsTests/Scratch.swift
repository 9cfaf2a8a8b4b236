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

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }
}

/// A claim with the bytes of its receipt, or why there are none.
struct Presented {
    let claim: Claim
    let bytes: [UInt8]?
    let fault: InputFault?

    /// `devices.csv:2 a.der 30 01`, or `devices.csv:2 receiptNotFound`.
    var line: String {
        let receipt = bytes.map { String(decoding: $0, as: UTF8.self) } ?? fault.map { "\($0.kind)" } ?? ""
        return "\(claim.source) \(receipt)"
    }
}

/// Everything that the inputs present, in order.
func claims(_ paths: String..., devices: String? = nil, loading: Bool = true) throws -> [Presented] {
    try claims(of: ClaimSource(paths, devices: devices), loading: loading)
}

func claims(of source: ClaimSource, loading: Bool = true) throws -> [Presented] {
    var decoder = ClaimDecoder()
    let loader = ClaimLoader()
    var all: [Presented] = []
    while var block = try source.nextBlock() {
        if loading { loader.load(&block) }
        decoder.forEachClaim(in: block) { claim, bytes in
            switch bytes {
            case .receipt(let span): all.append(Presented(claim: claim, bytes: span.array, fault: nil))
            case .fault(let fault): all.append(Presented(claim: claim, bytes: nil, fault: fault))
            }
        }
        source.recycle(block)
    }
    return all
}

extension Span<UInt8> {
    var array: [UInt8] { indices.map { self[$0] } }
}
