import Encodings
import FoundationEssentials

/// `truth.json`: what an audit of the export must find.
public struct TruthFile: Codable, Sendable {
    public var version = 1
    public var asOf: String
    public var claims: Int
    public var seed: UInt64
    public var forgeryShare: Double
    public var plantShare: Double
    /// In the order of a report.
    public var findings: [ExpectedFinding]
    /// In the order of a report; `nil` in files that were written before there were any.
    public var subscriptions: [ExpectedSubscription]?

    public init(_ export: SampleExport) {
        asOf = SampleExport.asOf.description
        claims = export.count
        seed = export.seed
        forgeryShare = export.forgeryShare
        plantShare = export.plantShare
        findings = export.expectedFindings()
        subscriptions = export.expectedSubscriptions()
    }

    enum CodingKeys: String, CodingKey {
        case version, claims, seed, findings, subscriptions
        case asOf = "as_of"
        case forgeryShare = "forgery_share"
        case plantShare = "plant_share"
    }

    /// The file: the same truth is the same bytes. Subscriptions, of which there are many, have a line each.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var head = self
        head.subscriptions = nil
        var bytes = Array(try encoder.encode(head))
        guard let subscriptions else { return bytes + [0x0a] }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // In place of the brace that ends the object and the line break before it.
        bytes.removeLast(2)
        bytes += Array(",\n  \"subscriptions\" : [".utf8)
        for (number, subscription) in subscriptions.enumerated() {
            bytes += Array((number == 0 ? "\n    " : ",\n    ").utf8)
            bytes += Array(try encoder.encode(subscription))
        }
        return bytes + Array("\n  ]\n}\n".utf8)
    }
}
