import Encodings
import Engine
import Files
import FoundationEssentials
import Rules

@testable import Checks
@testable import Inputs
@testable import Streams

/// JSON objects, one a line or in any other way: claims as `audit run` and `audit map` read them, and the lines that `audit map` writes of them.
struct JSONLinesSubject: Subject {
    private let checker: Checker
    private let settings: StreamSettings
    private let folder: ReceiptFolder

    init() throws {
        let trust = try Settings.trust()
        checker = try Checker(trust: trust, expectations: Expectations(asOf: Settings.asOf))
        settings = Settings.stream(trust)
        // A folder in which nobody makes files.
        folder = try ReceiptFolder(input: "/proc/self/task")
    }

    func read(_ bytes: [UInt8]) {
        _ = InputContent(bytes.span, "export")
        let claims = claims(bytes, inPiecesOf: .max)
        let objects = objects(bytes, inPiecesOf: .max)
        for size in pieceSizes {
            demand(claims == self.claims(bytes, inPiecesOf: size), "other claims in pieces of \(size)")
            demand(objects == self.objects(bytes, inPiecesOf: size), "other objects in pieces of \(size)")
        }
        for line in bytes.split(separator: 0x0a) { compare(Array(line)) }
        map(claims)
    }

    private var origin: ClaimOrigin { ClaimOrigin(table: "t", folder: folder, unknownKeys: UnknownKeys()) }

    private func claims(_ bytes: [UInt8], inPiecesOf size: Int) -> [ReadClaim] {
        all(of: LineSource(Pieces(bytes, size), origin: origin, pool: BufferPool()))
    }

    private func objects(_ bytes: [UInt8], inPiecesOf size: Int) -> [ReadClaim] {
        all(of: ObjectSource(Pieces(bytes, size), origin: origin, pool: BufferPool()))
    }

    private func all(of source: any ClaimSource) -> [ReadClaim] {
        guard case .success(let claims) = ReadClaim.all(of: source) else {
            demand(false, "the lines cannot be read")
            return []
        }
        return claims
    }

    /// A line that is read is JSON for Foundation too, and says the same.
    private func compare(_ line: [UInt8]) {
        var arena = ByteArena()
        let range = arena.append(line.span)
        var object = JSONObject()
        guard (try? object.read(range, of: arena, unknown: { _ in })) != nil else { return }
        guard let other = try? JSONDecoder().decode([String: Member].self, from: Data(line)) else {
            return demand(false, "a line is read that Foundation refuses: \(String(decoding: line, as: UTF8.self))")
        }
        var claim = Claim(source: "")
        guard (try? object.fill(&claim, from: arena, range)) != nil else { return }
        for (name, text) in [("device_id", claim.deviceID), ("account_id", claim.accountID)] {
            let members = other.filter { member in
                ExportNames().column(named: Array(member.key.utf8).span)?.column.name == name
            }
            guard members.count == 1, let member = members.first, member.value.count(of: line, member.key) == 1,
                case .text(let expected) = member.value
            else { continue }
            let trimmed = Array(expected.utf8)
            demand(isSame(text, trimmed), "\(name) is \(text.text.debugDescription), not \(expected.debugDescription)")
        }
    }

    private func isSame(_ text: ExactText, _ expected: [UInt8]) -> Bool {
        let trimmed = expected.span.withoutBlanks
        return Array(text.utf8) == trimmed.indices.map { trimmed[$0] }
    }

    /// What is written of the claims for those who reduce is what they read.
    private func map(_ claims: [ReadClaim]) {
        guard let emitter = try? LineEmitter(settings, input: 0) else { return demand(false, "nothing can be hashed") }
        for claim in claims {
            if let bytes = claim.bytes {
                emitter.emit(checker.facts(of: claim.claim, receipt: bytes.span), by: settings.rules)
            } else if let fault = claim.fault {
                emitter.emit(checker.facts(of: claim.claim, fault: fault), by: settings.rules)
            }
        }
        let lines = try? emitter.end()
        demand(lines.map { ReduceLines.isReduced($0, settings) } == true, "lines of claims are refused")
    }
}

/// A member of an object, as Foundation reads it.
private enum Member: Decodable {
    case text(String)
    case other

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) { self = .text(text) } else { self = .other }
    }

    /// How often a key may stand in a line, at most: of one that is repeated every reader keeps another.
    func count(of line: [UInt8], _ key: String) -> Int {
        // A key with escapes can be written in too many ways to be looked for.
        line.contains(UInt8(ascii: "\\")) ? 2 : String(decoding: line, as: UTF8.self).ranges(of: "\"\(key)\"").count
    }
}
