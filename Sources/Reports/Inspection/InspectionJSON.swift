public import Checks
import Encodings
import FoundationEssentials

/// An inspection for programs: one JSON object, whose keys never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `receipt` | the file's path, or `standard input` |
/// | `size`, `is_base64` | bytes as they were sent in; whether they had to be decoded |
/// | `as_of` | the instant it was judged for |
/// | `verdict` | `valid`, `invalid` or `unreadable` |
/// | `failed_checks` | their codes, in the contract's order |
/// | `checks` | each check's `code`, `outcome` (`passed`, `failed`, `not-checked`) and `reason` |
/// | `guid` | `match`, `mismatch` or `not-checked` |
/// | `container` | `is_canonical`, `deviation`, `digest`, `content_size`, `content_sha256`, `certificates` (how many) |
/// | `chain` | `trust` (`trusted`, `untrusted`, `no-signer`), `reason`, `certificates`, signer first |
/// | `attributes` | `type`, `name`, `version`, `kind`, `value`, `raw` (hex), in the receipt's order |
/// | `unreadable` | what stands where attributes belong: `position`, `raw` |
///
/// An attribute's `kind` says what its `value` is: `text`, `number`, `date` (in UTC), `empty` (`""`), `octets`
/// (`null`: there is only `raw`) or `purchase` (an object with `attributes` and `unreadable` of its own).
/// Keys are always there; what is not known is `null`.
public enum InspectionJSON {
    /// The object, keys sorted, safe to print on a terminal.
    public static func text(of inspection: Inspection) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(InspectionObject(inspection))
        return TerminalText.escaped(json: String(decoding: data, as: UTF8.self)) + "\n"
    }
}

/// A value that is written as `null` if it is not there, so that every key always is.
struct Nullable<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
