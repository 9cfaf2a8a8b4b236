import Corpus
import Encodings
import FoundationEssentials

/// The independent decode of one receipt of the corpus, as far as these tests look at it.
struct Expected: Decodable {
    struct Attribute: Decodable {
        let type: Int
        let version: Int
        let encoding: String
        /// The bytes, or for a purchase only their SHA-256.
        let rawHex: String?
        let rawSha256: String?
        let value: Value?
    }

    struct Purchase: Decodable {
        let attributes: [Attribute]
        /// By the names of verifyReceipt's response.
        let fields: [String: Value]
    }

    struct Container: Decodable {
        let payloadSha256: String
    }

    struct Signer: Decodable {
        let digestAlg: String
    }

    struct Certificate: Decodable {
        let serial: String
        let sha256: String
    }

    let container: Container
    let signer: Signer
    let certs: [Certificate]
    let attributes: [Attribute]
    let inApp: [Purchase]

    /// A text, a number, or something else that is not compared.
    enum Value: Decodable, Equatable {
        case text(String)
        case number(Int)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }

    /// The decode of a receipt, named by its file.
    init(of receipt: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = Corpus.bytes("expected/" + receipt.replacing(".der", with: ".json"))
        self = try decoder.decode(Expected.self, from: Data(bytes))
    }
}

extension [Expected.Attribute] {
    /// The one text of an attribute; `nil` if it is not there or empty.
    func text(_ type: Int) -> ExactText? {
        guard case .text(let text)? = first(where: { $0.type == type })?.value, !text.isEmpty else { return nil }
        return ExactText(text)
    }

    func number(_ type: Int) -> Int? {
        guard case .number(let number)? = first(where: { $0.type == type })?.value else { return nil }
        return number
    }

    func date(_ type: Int) -> Instant? { text(type).flatMap { Instant(rfc3339: $0.text) } }

    func hex(_ type: Int) -> String? { first { $0.type == type }?.rawHex ?? nil }
}
