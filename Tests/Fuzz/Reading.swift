import Encodings

@testable import Inputs
@testable import Streams

/// A stream that gives a limited number of bytes at a time.
final class Pieces: ByteStream {
    private let bytes: [UInt8]
    private let most: Int
    private(set) var position = 0
    var size: Int? { bytes.count }

    init(_ bytes: [UInt8], _ most: Int) {
        self.bytes = bytes
        self.most = most
    }

    func read(into arena: inout ByteArena, atMost count: Int) -> Int {
        let end = min(bytes.count, position + min(most, count))
        defer { position = end }
        return arena.append(bytes[position..<end].span).count
    }
}

/// A claim with all that was read of it, and the bytes to judge or why there are none.
struct ReadClaim: Equatable {
    let claim: Claim
    let bytes: [UInt8]?
    let fault: InputFault?
    /// The bytes that distinguish the claim from others.
    let identity: [UInt8]

    static func == (a: ReadClaim, b: ReadClaim) -> Bool {
        a.text == b.text && a.bytes == b.bytes && a.fault == b.fault && a.identity == b.identity
    }

    /// Every field, byte by byte.
    private var text: [[UInt8]] {
        let texts = [
            claim.source, claim.file, claim.deviceID, claim.accountID, claim.bundleID, claim.appVersion,
            claim.productID, claim.deviceVerificationID, claim.accountToken, claim.ip,
            "\(claim.line) \(claim.presentedAt.map { "\($0.milliseconds)" } ?? "") \(claim.isReceiptBase64)",
        ]
        return texts.map { Array($0.utf8) }
    }

    /// For whoever reads a failure.
    var summary: String {
        let receipt = bytes.map { "\($0.count) bytes" } ?? fault.map { "\($0.kind) (\($0.reason))" } ?? ""
        return
            "\(claim.source) \(claim.deviceID.text.debugDescription) \(claim.accountID.text.debugDescription) \(receipt)"
    }

    /// All claims of a source, or why it has none.
    static func all(of source: any ClaimSource) -> Result<[ReadClaim], InputError> {
        let decoder = ClaimDecoder()
        let loader = ClaimLoader(pool: BufferPool())
        var all: [ReadClaim] = []
        do throws(InputError) {
            while var block = try source.next() {
                _ = loader.load(&block)
                try decoder.forEachClaim(
                    in: block,
                    onReceipt: { claim, bytes, stored in
                        all.append(
                            ReadClaim(
                                claim: claim, bytes: bytes.indices.map { bytes[$0] }, fault: nil,
                                identity: stored.indices.map { stored[$0] }))
                    },
                    onFault: { claim, fault, identity in
                        all.append(
                            ReadClaim(
                                claim: claim, bytes: nil, fault: fault, identity: identity.indices.map { identity[$0] })
                        )
                    })
            }
        } catch {
            return .failure(error)
        }
        return .success(all)
    }
}

/// Sizes of pieces that an input is read in besides in one.
let pieceSizes = [1, 3, 64]

extension [UInt8] {
    /// A number between 0 and `limit` that the bytes choose.
    func choice(of limit: Int) -> Int { Int(self.span.stableHash % UInt64(limit)) }
}

/// Whether a text can be printed on a terminal: no controls, none of direction.
func isPrintable(_ text: String) -> Bool {
    !text.unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
