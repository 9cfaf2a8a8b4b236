import Corpus
import FoundationEssentials

/// What an independent decoder read from a receipt of the corpus.
struct ExpectedReceipt: Decodable {
    struct Attribute: Decodable {
        var type: Int
        var version: Int
        var raw_hex: String?
        var raw_len: Int?
    }

    struct Purchase: Decodable {
        var fields: [String: Value]
        var attributes: [Attribute]
    }

    struct Container: Decodable {
        var payload_len: Int
        var payload_sha256: String
    }

    struct Signer: Decodable {
        var digest_alg: String
    }

    struct Certificate: Decodable {
        var serial: String
    }

    /// A number or a text; numbers are compared as they are written.
    struct Value: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    var container: Container
    var signer: Signer
    var certs: [Certificate]
    var attributes: [Attribute]
    var in_app: [Purchase]

    init(of name: String) throws {
        let path = "expected/" + name.replacing(".der", with: ".json")
        self = try JSONDecoder().decode(ExpectedReceipt.self, from: Data(Corpus.bytes(path)))
    }
}
