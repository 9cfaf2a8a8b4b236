public import Encodings
import FoundationEssentials

/// A JSON value whose members keep their order, may repeat, and may be malformed in a forgery.
public indirect enum SampleJSON: Sendable {
    case text(String)
    /// Octets, written as text in base64.
    case base64([UInt8])
    case bool(Bool)
    case number(Int)
    case null
    case list([SampleJSON])
    case object([(String, SampleJSON)])
    /// An object whose names are written verbatim between their quotes, escapes included.
    case escapedObject([(String, SampleJSON)])
    /// Text that is written verbatim: a fraction, an escaped name, anything that is not JSON.
    case raw(String)

    /// Returns a list of texts.
    public static func texts(_ texts: [String]) -> SampleJSON { .list(texts.map(SampleJSON.text)) }

    /// Returns an instant in milliseconds, as in tokens.
    public static func date(_ instant: Instant) -> SampleJSON { .number(Int(instant.milliseconds)) }

    /// The value without white space, as written by the App Store.
    public var octets: [UInt8] { octets(.compact) }

    /// Returns the value with this white space at its ends and around every bracket, colon and comma.
    public func octets(around whiteSpace: String) -> [UInt8] {
        Array(whiteSpace.utf8) + octets(.spaced(Array(whiteSpace.utf8))) + Array(whiteSpace.utf8)
    }

    /// The value as a file: two blanks for each level, one line break at the end.
    var file: [UInt8] { octets(.indented) + [0x0a] }

    /// Where to put white space.
    private enum Layout {
        case compact
        case spaced([UInt8])
        case indented

        /// The line break after a bracket or comma, and before a closing bracket.
        func lineBreak(_ depth: Int) -> [UInt8] {
            switch self {
            case .compact: []
            case .spaced(let space): space
            case .indented: [0x0a] + [UInt8](repeating: 0x20, count: 2 * depth)
            }
        }

        /// Before a colon or comma.
        var before: [UInt8] { if case .spaced(let space) = self { space } else { [] } }

        var afterColon: [UInt8] { if case .indented = self { [0x20] } else { before } }
    }

    private func octets(_ layout: Layout) -> [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, layout, depth: 0)
        return bytes
    }

    private func append(to bytes: inout [UInt8], _ layout: Layout, depth: Int) {
        switch self {
        case .text(let text): JSONString.append(text, to: &bytes)
        case .base64(let octets):
            bytes.append(UInt8(ascii: "\""))
            bytes += Data(octets).base64EncodedData()
            bytes.append(UInt8(ascii: "\""))
        case .bool(let flag): bytes += Array((flag ? "true" : "false").utf8)
        case .number(let number): bytes += Array(String(number).utf8)
        case .null: bytes += Array("null".utf8)
        case .raw(let text): bytes += Array(text.utf8)
        case .list(let values):
            Self.append(values, between: "[", "]", to: &bytes, layout, depth) { value, bytes in
                value.append(to: &bytes, layout, depth: depth + 1)
            }
        case .object(let members):
            Self.append(members, between: "{", "}", to: &bytes, layout, depth) { member, bytes in
                JSONString.append(member.0, to: &bytes)
                Self.append(member.1, to: &bytes, layout, depth)
            }
        case .escapedObject(let members):
            Self.append(members, between: "{", "}", to: &bytes, layout, depth) { member, bytes in
                bytes += Array("\"\(member.0)\"".utf8)
                Self.append(member.1, to: &bytes, layout, depth)
            }
        }
    }

    /// Appends a colon and the value of a member.
    private static func append(_ value: SampleJSON, to bytes: inout [UInt8], _ layout: Layout, _ depth: Int) {
        bytes += layout.before + [UInt8(ascii: ":")] + layout.afterColon
        value.append(to: &bytes, layout, depth: depth + 1)
    }

    private static func append<Value>(
        _ values: [Value], between opening: String, _ closing: String, to bytes: inout [UInt8], _ layout: Layout,
        _ depth: Int, _ write: (Value, inout [UInt8]) -> Void
    ) {
        bytes += Array(opening.utf8)
        for (index, value) in values.enumerated() {
            if index > 0 { bytes += layout.before + [UInt8(ascii: ",")] }
            bytes += layout.lineBreak(depth + 1)
            write(value, &bytes)
        }
        if !values.isEmpty { bytes += layout.lineBreak(depth) }
        bytes += Array(closing.utf8)
    }
}

/// One change of the members of an object.
public enum MemberEdit: Sendable {
    /// Removes every member of this name.
    case leaveOut(String)
    /// Replaces the value of every member of this name.
    case replace(String, with: SampleJSON)
    /// Adds a member at the end, even if it is already present.
    case add(String, SampleJSON)
    /// Adds a member at the end, and writes all names verbatim between their quotes: `bundle\u0049d`.
    case addEscaped(String, SampleJSON)
}

extension SampleJSON {
    /// Returns this object after some edits, applied in order; any other value unchanged.
    public func edited(_ edits: [MemberEdit]) -> SampleJSON {
        guard case .object(var members) = self, !edits.isEmpty else { return self }
        var isEscaped = false
        for edit in edits {
            switch edit {
            case .leaveOut(let name): members.removeAll { $0.0 == name }
            case .replace(let name, let value):
                for index in members.indices where members[index].0 == name { members[index].1 = value }
            case .add(let name, let value): members.append((name, value))
            case .addEscaped(let name, let value):
                members.append((name, value))
                isEscaped = true
            }
        }
        return isEscaped ? .escapedObject(members) : .object(members)
    }
}
