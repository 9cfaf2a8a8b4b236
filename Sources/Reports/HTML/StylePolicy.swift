import Encodings
import FoundationEssentials
import Proofs

/// What the page's Content-Security-Policy says of styles: ours, known by its digest, and no other.
enum StylePolicy {
    static let source: String = {
        do {
            let digest = try Digest.sha256Hex(of: Array(HTMLTemplates.style.utf8))
            return "'sha256-" + base64(hex: digest) + "'"
        } catch {
            // Without a digest there is no style; the page can be read all the same.
            return "'none'"
        }
    }()

    private static func base64(hex: String) -> String {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return Data(bytes).base64EncodedString()
    }
}
