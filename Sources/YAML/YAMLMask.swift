/// A YAML document in which no two different texts are canonically equivalent.
///
/// Yams compares the keys of a mapping as Swift `String`s and refuses `K` beside the Kelvin sign (U+212A), or `é` beside
/// `e` with an accent (U+0301), as one key twice. Each scalar that has to do with canonical equivalence is replaced by one
/// of planes 15 and 16, whose scalars have none (The Unicode Standard, 23.5, “Private-Use Characters”), one for one, so
/// that lines and columns stay as they are.
enum YAMLMask {
    /// The document to parse in place of another; `nil` if the other has scalars of planes 15 or 16 itself.
    static func masked(_ text: String) -> String? {
        var masked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.value < 0xf_0000 else { return nil }
            masked.append(Self.mask(of: scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
        }
        return String(masked)
    }

    /// A text as it was before it was masked.
    static func unmasked(_ text: String) -> String {
        var unmasked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            unmasked.append(Self.origin(of: scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
        }
        return String(unmasked)
    }

    /// `nil` for what means something in YAML, and for what has no equivalents.
    private static func mask(of value: UInt32) -> UInt32? {
        switch value {
        // Line and paragraph separator, and the byte order mark.
        case 0x2028, 0x2029, 0xfeff: nil
        case 0xa0...0xd7ff, 0xe000...0xfffd: 0xf_0000 + value
        // Plane 1 below the emoji.
        case 0x1_0000...0x1_efff: 0x10_0000 + (value & 0xffff)
        // The compatibility ideographs of plane 2.
        case 0x2_f800...0x2_fa1f: 0x10_0000 + (value & 0xffff)
        default: nil
        }
    }

    private static func origin(of value: UInt32) -> UInt32? {
        switch value {
        case 0xf_0000...0xf_fffd: value - 0xf_0000
        case 0x10_0000...0x10_efff: 0x1_0000 + (value & 0xffff)
        case 0x10_f800...0x10_fa1f: 0x2_0000 + (value & 0xffff)
        default: nil
        }
    }
}
