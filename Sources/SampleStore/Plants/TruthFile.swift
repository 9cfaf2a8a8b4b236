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

    public init(_ export: SampleExport) {
        asOf = SampleExport.asOf.description
        claims = export.count
        seed = export.seed
        forgeryShare = export.forgeryShare
        plantShare = export.plantShare
        findings = export.expectedFindings()
    }

    enum CodingKeys: String, CodingKey {
        case version, claims, seed, findings
        case asOf = "as_of"
        case forgeryShare = "forgery_share"
        case plantShare = "plant_share"
    }

    /// The file: the same truth is the same bytes.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0a]
    }
}
