/// The MongoDB drivers that wrote UUIDs as BSON of subtype 03, each in its own byte order, which the value does not
/// show.
enum LegacyUUID: String, CaseIterable, Sendable {
    /// Bytes in the order of the text, as in subtype 04.
    case python
    /// Each half reversed.
    case java
    /// The first three groups of the text, each reversed.
    case csharp

    /// Returns the 16 bytes of a UUID in the order of its text.
    func ordered(_ octets: [UInt8]) -> [UInt8] {
        guard octets.count == 16 else { return octets }
        switch self {
        case .python: return octets
        case .java: return octets[..<8].reversed() + octets[8...].reversed()
        case .csharp:
            return octets[..<4].reversed() + octets[4..<6].reversed() + octets[6..<8].reversed() + octets[8...]
        }
    }
}
