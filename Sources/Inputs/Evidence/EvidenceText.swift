public import Encodings

/// Finds the tokens in a text of evidence: one by itself, or JSON as App Store Server Notifications and answers of the App
/// Store Server API have it.
public enum EvidenceText {
    /// The names of members that hold a token, or an array of tokens.
    public static let names: [ExactText] = [
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedTransactions", "signedAppTransactionInfo",
    ]
    /// How many objects and arrays may stand around a token.
    private static let maxDepth = 8
    /// The number of values up to which a text is read. A page of the API has some hundred.
    private static let maxValues = 1 << 20

    /// Returns the tokens in a text, in their order.
    ///
    /// - Throws: the reason, in words for a person, if it is JSON that cannot be read, or without a token.
    public static func tokens(in text: [UInt8]) throws(EvidenceFault) -> [[UInt8]] {
        guard let first = text.first(where: { !$0.isBlank }), [0x7b, 0x5b].contains(first) else { return [text] }
        var tokens: [[UInt8]] = []
        do throws(JSONError) {
            let document = try JSONDocument(text, maxDepth: 64, maxValues: maxValues)
            collect(document, JSONDocument.root, depth: 0, into: &tokens)
        } catch {
            throw EvidenceFault(reason: error.description)
        }
        guard !tokens.isEmpty else { throw EvidenceFault(reason: "JSON without a signed token") }
        return tokens
    }

    private static func collect(_ document: JSONDocument, _ index: Int, depth: Int, into tokens: inout [[UInt8]]) {
        guard depth <= maxDepth else { return }
        switch document.kind(index) {
        case .object:
            for member in document.children(of: index) {
                guard names.contains(document.name(member)) else {
                    collect(document, member, depth: depth + 1, into: &tokens)
                    continue
                }
                switch document.kind(member) {
                case .string: append(document, member, to: &tokens)
                case .array:
                    for element in document.children(of: member) where document.kind(element) == .string {
                        append(document, element, to: &tokens)
                    }
                case .null, .bool, .number, .object: break
                }
            }
        case .array:
            for element in document.children(of: index) { collect(document, element, depth: depth + 1, into: &tokens) }
        case .null, .bool, .number, .string: break
        }
    }

    private static func append(_ document: JSONDocument, _ index: Int, to tokens: inout [[UInt8]]) {
        var token: [UInt8] = []
        token.append(copying: document.octets(index))
        tokens.append(token)
    }
}

/// Says why a text of evidence holds no token.
public struct EvidenceFault: Error, Equatable, Sendable {
    /// In words for a person.
    public let reason: String
}
