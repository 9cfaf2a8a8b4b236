import Encodings
import FoundationEssentials
import SampleStore
import Testing

struct `A forgery` {
    /// Some drafts, among them Macs, base64 files and SHA-1 signatures.
    static let drafts = (0..<12).map { ClaimDraft(index: $0, seed: 5, asOf: SampleExport.asOf) }

    @Test(arguments: Forgery.ofExports)
    func `is what OpenSSL says it is`(forgery: Forgery) throws {
        let authorities = try SampleAuthorities()
        for draft in Self.drafts {
            let claim = try forgery.claim(from: draft, by: authorities, seed: 5)
            #expect(claim.failedCheck == forgery.rawValue)
            let answer = claim.file.map {
                OpenSSLOracle.verify(
                    container(in: $0), root: authorities.genuine.root.certificate, at: draft.receipt.createdAt)
            }
            switch forgery {
            case .rowMalformed, .receiptNotFound: #expect(claim.file == nil)
            case .receiptEmpty: #expect(claim.file?.bytes == [])
            case .unknownFormat, .malformedContainer: #expect(answer == .unreadable)
            case .notSigned: #expect(answer == .notSigned)
            case .notAProof: Issue.record("no export has it")
            case .noContent: #expect(answer == .refused("no content"))
            case .noncanonicalContainer: #expect(answer?.isRefused == false)
            case .signatureInvalid: #expect(answer?.description.contains("signature failure") == true)
            case .signerNotFound: #expect(answer == .refused("signer certificate not found"))
            case .chainUntrusted: #expect(answer?.description.contains("self-signed certificate") == true)
            case .chainExpired: #expect(answer?.description.contains("certificate has expired") == true)
            case .receiptUnreadable, .signerNotAppStore, .malformedReceipt, .malformedInAppPurchase,
                .deviceIDMalformed, .guidMismatch, .bundleIDMismatch, .appVersionMismatch, .environmentMismatch,
                .receiptExpired:
                #expect(answer?.isAccepted == true, "\(String(describing: answer))")
            }
        }
    }

    @Test(arguments: Forgery.ofExports)
    func `leaves row and receipt in agreement, except where it says otherwise`(forgery: Forgery) throws {
        let authorities = try SampleAuthorities()
        for draft in Self.drafts {
            let claim = try forgery.claim(from: draft, by: authorities, seed: 5)
            guard let file = claim.file, forgery != .malformedReceipt,
                case .accepted(let content) = OpenSSLOracle.verify(
                    container(in: file), root: authorities.genuine.root.certificate, at: draft.receipt.createdAt)
            else { continue }
            let receipt = try DecodedAttributes(content)
            let hash = draft.receipt.hash
            #expect((receipt.value(5) == hash) == (forgery != .guidMismatch))
            #expect((try receipt.text(2) == claim.row.bundleID) == (forgery != .bundleIDMismatch))
            #expect((try receipt.text(3) == claim.row.appVersion) == (forgery != .appVersionMismatch))
            #expect((draft.receipt.device.text == claim.row.deviceID) == (forgery != .deviceIDMalformed))
            let hasExpired = try receipt.text(21).flatMap { Instant(rfc3339: $0) }.map { $0 < SampleExport.asOf }
            #expect(hasExpired == (forgery == .receiptExpired ? true : nil))
        }
    }

    @Test func `of a row lacks its last cell`() throws {
        let claim = try Forgery.rowMalformed.claim(from: Self.drafts[0], by: SampleAuthorities(), seed: 5)
        let commas = { (line: [UInt8]) in line.count { $0 == 0x2c } }
        #expect(commas(claim.row.line) == commas(SampleRow.header) - 1)
    }

    @Test func `that is too large is one byte over 8 MiB`() throws {
        let claim = try Forgery.receiptUnreadable.claim(from: Self.drafts[0], by: SampleAuthorities(), seed: 5)
        #expect(claim.file?.extendedTo == 8_388_609)
    }
}

/// The container in a file, which may be base64.
func container(in file: SampleFile) -> [UInt8] {
    guard file.path.hasSuffix(".b64") else { return file.bytes }
    return Data(base64Encoded: Data(file.bytes), options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? file.bytes
}
