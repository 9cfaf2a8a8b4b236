import Encodings
import FoundationEssentials
import Testing

@testable import SampleStore

/// That the cases of tokens are made, and are what they say: signatures, chains and markers as OpenSSL sees them.
struct `The token cases of the attack suite` {
    /// What every case presents, made once.
    private static let claims = Result {
        let kit = try AttackKit()
        return try Dictionary(uniqueKeysWithValues: AttackSuite.tokenCases.map { ($0.id, try $0.claim(kit)) })
    }

    private let claims: [String: AttackClaim]

    init() throws { claims = try Self.claims.get() }

    @Test func `are at least forty forgeries and ten controls, in groups of their own`() {
        #expect(AttackSuite.tokenCases.count { !$0.isControl } >= 40)
        #expect(AttackSuite.tokenCases.count { $0.isControl } >= 10)
        for test in AttackSuite.tokenCases {
            #expect(test.isControl == test.group.isOfControls, "\(test.id)")
            #expect(test.text.kind != .appReceipt, "\(test.id)")
        }
        #expect(Set(AttackGroup.ofReceipts).isDisjoint(with: AttackGroup.ofTokens))
    }

    @Test func `have ids in kebab-case that no other case has`() {
        let tokenIDs = AttackSuite.tokenCases.map(\.id)
        #expect(Set(tokenIDs).count == tokenIDs.count)
        #expect(Set(tokenIDs).isDisjoint(with: AttackSuite.cases.filter { $0.text.kind == .appReceipt }.map(\.id)))
        for id in tokenIDs { #expect(id.wholeMatch(of: /token(-[a-z0-9]+)+/) != nil, "\(id)") }
    }

    @Test func `say what they are, why, and by what reference, in whole sentences`() {
        for test in AttackSuite.tokenCases {
            #expect(test.text.summary.hasSuffix(".") && [".", "?", ")"].contains(test.text.why.last), "\(test.id)")
            #expect(!test.text.reference.isEmpty && !test.text.reference.hasSuffix("."), "\(test.id)")
            #expect(!test.text.summary.contains("\t") && test.text.summary.count <= 160, "\(test.id)")
            let positions = test.text.failedChecks.compactMap(Forgery.allCases.firstIndex)
            #expect(positions == positions.sorted(), "\(test.id)")
            #expect(!test.verdict.starts(with: "unreadable") || test.text.failedChecks.count == 1, "\(test.id)")
        }
    }

    @Test func `never present the same twice`() throws {
        var met: [[UInt8]: String] = [:]
        for test in AttackSuite.tokenCases where test.group != .tokenCost {
            let claim = try #require(claims[test.id])
            let key =
                claim.proof + Array("\(claim.deviceVerificationID ?? "") \(claim.appVersion ?? "")".utf8)
                + Array("\(claim.allowedEnvironments ?? []) \(claim.asOf)".utf8) + claim.trustAnchors.joined()
            #expect(met[key] == nil, "\(test.id) is \(met[key] ?? "")")
            met[key] = test.id
        }
    }

    @Test func `are the same bytes each time`() throws {
        var octets: [UInt8] = []
        for test in AttackSuite.tokenCases {
            octets += SampleDigest.sha256.hash(test.json(try #require(claims[test.id])).file)
        }
        let hash = SampleDigest.sha256.hash(octets)
        #expect(Hex.string(hash.span) == "07f71dda59961adf37f556e57adab42eec1233e82bc8726918ec41e67ef9d814")
    }

    @Test(arguments: AttackSuite.tokenCases.filter { $0.verdict != "unreadable" }.map(\.id))
    func `have signatures, chains and markers that hold or fail as they say`(id: String) throws {
        let test = try #require(AttackSuite.tokenCases.first { $0.id == id })
        let claim = try #require(claims[id])
        let token = try #require(ReadToken(claim))
        #expect((token.key == nil) == test.text.failedChecks.contains(.signerNotFound))
        guard let key = token.key else { return }
        #expect(token.isSigned(by: key) == !test.text.failedChecks.contains(.signatureInvalid))
        #expect(token.isMarked == !test.text.failedChecks.contains(.signerNotAppStore))
        // OpenSSL looks at the key usage of a leaf only if it is told a purpose, trusts an anchor as its own leaf, and
        // denies critical extensions that it does not know, such as the markers of developers.
        let differing = ["token-chain-leaf-key-usage", "token-x5c-reversed", "token-of-known-kind-by-developer"]
        guard !differing.contains(id) else { return }
        let answer = OpenSSLOracle.verify(
            chain: Array(token.certificates.prefix(2)), root: claim.trustAnchors[0], at: token.date)
        let isUntrusted =
            test.text.failedChecks.contains(.chainUntrusted) || test.text.failedChecks.contains(.chainExpired)
        #expect(answer.isAccepted == !isUntrusted, "\(answer)")
    }

    @Test func `that are not in the form of a token say so`() throws {
        for test in AttackSuite.tokenCases where test.verdict != "unreadable" {
            let claim = try #require(claims[test.id])
            let isExact = try #require(ReadToken(claim)).isExact
            #expect(isExact == !test.text.failedChecks.contains(.noncanonicalContainer), "\(test.id)")
        }
    }
}

/// A token, read leniently with Foundation's base64 and JSON.
private struct ReadToken {
    private let parts: [String]
    private let header: [UInt8]
    private let payload: [UInt8]
    private let signature: [UInt8]
    private let algorithm: String?
    /// The entries of `x5c` that are certificates; an empty one for each that is not.
    let certificates: [[UInt8]]

    init?(_ claim: AttackClaim) {
        let text = String(decoding: claim.proof, as: UTF8.self)
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        parts = String(trimmed).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let octets = parts.map { part in
            let standard = part.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
            return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
        }
        guard octets.count == 3, let header = octets[0], let payload = octets[1], let signature = octets[2] else {
            return nil
        }
        (self.header, self.payload, self.signature) = ([UInt8](header), [UInt8](payload), [UInt8](signature))
        let members = try? JSONDecoder().decode([String: DecodedJSON].self, from: header)
        if case .text(let text) = members?["alg"] { algorithm = text } else { algorithm = nil }
        certificates = Self.entries(members?["x5c"]).map { entry in
            guard let der = Data(base64Encoded: entry), let tree = try? DERTree(parsing: [UInt8](der)) else {
                return []
            }
            return tree.encoded.count == der.count && OpenSSLOracle.publicKey(of: [UInt8](der)) != nil
                ? [UInt8](der) : []
        }
    }

    private static func entries(_ list: DecodedJSON?) -> [String] {
        switch list {
        case .list(let texts): texts
        case .mixed(let values): values.map { if case .text(let text) = $0 { text } else { "" } }
        default: []
        }
    }

    /// The first certificate's key.
    var key: [UInt8]? { certificates.first.flatMap { $0.isEmpty ? nil : OpenSSLOracle.publicKey(of: $0) } }

    /// Whether the markers are in their places.
    var isMarked: Bool {
        certificates.count > 1 && !certificates[1].isEmpty
            && OpenSSLOracle.text(of: certificates[0]).contains("1.2.840.113635.100.6.11.1:")
            && OpenSSLOracle.text(of: certificates[1]).contains("1.2.840.113635.100.6.2.1:")
    }

    /// The date at which the chain is judged.
    var date: Instant {
        let members = try? JSONDecoder().decode([String: DecodedJSON].self, from: Data(payload))
        for name in ["signedDate", "receiptCreationDate"] {
            if case .number(let milliseconds) = members?[name] { return Instant(milliseconds: Int64(milliseconds)) }
        }
        return AttackKit.createdAt
    }

    func isSigned(by key: [UInt8]) -> Bool {
        guard algorithm == "ES256", signature.count == 64 else { return false }
        return OpenSSLOracle.verify(
            ECDSASignature(octets: signature, curve: .p256).der, over: Array("\(parts[0]).\(parts[1])".utf8),
            key: key, digest: .sha256)
    }

    /// Whether the form is the one of a genuine token.
    var isExact: Bool {
        let order = EllipticCurve.p256.order
        let numbers = [Array(signature.prefix(32)), Array(signature.dropFirst(32))]
        let members = try? JSONDecoder().decode([String: DecodedJSON].self, from: Data(header))
        let names = String(decoding: header, as: UTF8.self).components(separatedBy: "\"alg\"").count
        return parts == [header, payload, signature].map { TokenSegment($0).text }
            && signature.count == 64 && numbers.allSatisfy { $0.contains { $0 != 0 } }
            && numbers.allSatisfy { $0.lexicographicallyPrecedes(order) }
            && algorithm == "ES256" && Set(members.map { Array($0.keys) } ?? []) == ["alg", "x5c"] && names == 2
            && String(decoding: header, as: UTF8.self).components(separatedBy: "\"x5c\"").count == 2
            && !header.contains(UInt8(ascii: "\\"))
            && certificates.count == 3 && !certificates.contains([]) && Set(certificates).count == 3
    }
}
