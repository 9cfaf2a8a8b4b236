import Checks
import Encodings
import Engine
import Proofs
import Rules

/// The anchors of a page, which depend on nothing but what they lead to: a link to a finding or an account also leads
/// there on the page of another night.
enum PageAnchor {
    static func of(_ finding: FindingID) -> String { "finding-\(finding)" }

    static func of(_ entity: Entity) -> String { of(entity.kind.code, entity.id) }

    /// The maximum length of an id in an anchor; a longer one is named by its digest.
    private static let maxLength = 200

    private static func of(_ kind: String, _ id: ExactText) -> String {
        // An id of a page has no white space, and a fragment of an address only some characters.
        let encoded = CopiedText.encoded(id).replacing("~", with: "~7e").replacing("%", with: "~")
        guard encoded.utf8.count > maxLength else { return "\(kind)-\(encoded)" }
        do { return try "\(kind)-\(Digest.sha256Hex(of: Array(id.utf8)))" } catch { return "\(kind)-\(encoded)" }
    }
}
