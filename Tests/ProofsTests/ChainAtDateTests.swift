import Corpus
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// A chain is verified once and judged at each date by comparing instants; that must be what verifying each time says.
struct `A chain judged at a date` {
    /// Before, inside, at both ends of and after the validity of Apple's certificates.
    private static let dates: [Instant] = [
        .utc(2005, 1, 1), .utc(2010, 10, 20), .utc(2013, 2, 7), .utc(2013, 2, 8), .utc(2015, 11, 12),
        .utc(2015, 11, 14), .utc(2016, 2, 14), .utc(2018, 6, 1), .utc(2023, 2, 7), .utc(2023, 2, 8),
        .utc(2023, 11, 17), .utc(2023, 11, 18), .utc(2024, 8, 11), .utc(2024, 8, 12), .utc(2025, 1, 24),
        .utc(2026, 8, 23), .utc(2026, 8, 24), .utc(2035, 2, 10),
    ]

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: Corpus.files(in: "receipts", ending: ".der").filter { !$0.hasPrefix("xcode") })
    func `is what PKCS7_verify says at that date`(name: String) throws {
        let container = Corpus.bytes("receipts/" + name)
        let roots = ["AppleRootCA.cer", "AppleRootG2.cer", "AppleRootG3.cer"].map { Corpus.bytes("certs/" + $0) }
        let verifier = try SignatureVerifier(trust: .apple())
        for date in Self.dates {
            #expect(
                try isAccepted(container, verifier, at: date) == OpenSSLAnswer(container, roots: roots, at: date).pkcs7,
                "at \(date)")
        }
    }

    /// RFC 5280, section 4.1.2.5, includes that second; OpenSSL does not.
    @Test func `ends after the second in which its first certificate ends`() throws {
        let end = Instant.utc(2024, 3, 1)
        let authority = try PrivateAuthority(leaf: .leaf.with { $0.notAfter = end })
        let container = try authority.receipt(Self.receipt, digest: .sha256)
        let root = authority.root.certificate
        let verifier = try SignatureVerifier(trust: TrustAnchors(files: [(name: "root", bytes: root)]))
        for offset in [-86_400, -1, 0, 1, 86_400] as [Int64] {
            let date = end.adding(seconds: offset)
            let isAccepted = try isAccepted(container, verifier, at: date)
            #expect(isAccepted == (offset <= 0), "\(offset) s after its end")
            let oracle = OpenSSLAnswer(container, roots: [root], at: date).pkcs7
            #expect(oracle == (offset < 0), "\(offset) s after its end")
        }
    }

    @Test func `may end at either of two roots of one name, whichever holds at the date`() throws {
        let early = try PrivateAuthority(root: .root.with { $0.notAfter = .utc(2020) })
        let late = try PrivateAuthority(
            root: .root.with {
                $0.notBefore = .utc(2020)
                $0.serialNumber = 77
            })
        let trust = try TrustAnchors(files: [
            (name: "early", bytes: early.root.certificate), (name: "late", bytes: late.root.certificate),
        ])
        let verifier = try SignatureVerifier(trust: trust)
        // Both containers carry leaf and intermediate only: the root is the verifier's.
        var container = try late.sign(Self.receipt)
        container.certificates.removeLast()
        for date in [Instant.utc(2018, 6, 1), .utc(2022, 6, 1)] {
            #expect(try isAccepted(container.encoded, verifier, at: date), "at \(date)")
        }
    }

    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 2, 1))

    private func isAccepted(_ container: [UInt8], _ verifier: SignatureVerifier, at date: Instant) throws -> Bool {
        let signedData = try SignedData(strict: container.span)
        let verdict = verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: date)
        return verdict.signature == .holds && verdict.isChainCurrent(at: date) == true
    }
}
