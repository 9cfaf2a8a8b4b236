import Encodings
private import Yams

/// Reads bytes as one YAML document. Only this file uses Yams.
enum YAMLDocument {
    /// The maximum nesting. The files of this program need six levels.
    private static let maxDepth = 64

    static func value(of bytes: [UInt8], limit: Int) throws(YAMLFileError.Problem) -> YAMLValue {
        // The parser counts a byte-order mark as a column of the first line, so the other lines would seem less
        // indented.
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        guard bytes.count <= limit else { throw YAMLFileError.Problem(nil, "is over \(limit >> 20) MiB") }
        let text = try text(of: bytes)
        if let alias = YAMLAlias.first(in: bytes.span) {
            throw YAMLFileError.Problem(
                YAMLFileError.Place(at: alias.position, of: bytes),
                "aliases (“&\(alias.name)” and “*\(alias.name)”) are not supported; write out the value")
        }
        do {
            return try value(of: root(of: text), depth: 1) { $0 }
        } catch let error as YAMLFileError.Problem {
            throw error
        } catch {
            // Yams treats canonically equivalent keys as the same key.
            if case YamlError.duplicatedKeysInMapping = error, let masked = YAMLMask.masked(text),
                let root = try? root(of: masked)
            {
                return try value(of: root, depth: 1, YAMLMask.unmasked)
            }
            throw YAMLFileError.Problem(error, text)
        }
    }

    private static func root(of text: String) throws -> Node? {
        // Without a given encoding, Yams would look for one in the environment.
        try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    }

    private static func text(of bytes: [UInt8]) throws(YAMLFileError.Problem) -> String {
        let span = bytes.span
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: span))
        } catch {
            throw YAMLFileError.Problem(
                YAMLFileError.Place(at: error.byteOffsets.lowerBound, of: bytes), "is not UTF-8; save it as UTF-8")
        }
    }

    /// - Parameter spelling: a scalar as written.
    private static func value(
        of node: Node?, depth: Int, _ spelling: (String) -> String
    ) throws(YAMLFileError.Problem) -> YAMLValue {
        guard let node else { return YAMLValue(place: YAMLFileError.Place(line: 1, column: 1), content: .empty) }
        let place = node.place
        guard depth <= maxDepth else {
            throw YAMLFileError.Problem(place, "is nested more than \(maxDepth) levels deep")
        }
        let tag = node.tag.rawValue
        guard redundantTags.contains(ExactText(tag)) else {
            throw YAMLFileError.Problem(place, "the tag \(tag.quoted) is not read")
        }
        switch node {
        case .scalar(let scalar):
            let text = ExactText(spelling(scalar.string))
            let isEmpty = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(text)
            return YAMLValue(place: place, content: isEmpty ? .empty : .text(text))
        case .sequence(let sequence):
            var list: [YAMLValue] = []
            for node in sequence { list.append(try value(of: node, depth: depth + 1, spelling)) }
            return YAMLValue(place: place, content: .list(list))
        case .mapping(let mapping):
            var table: [YAMLEntry] = []
            for (key, node) in mapping {
                let name = try name(of: key, depth: depth + 1, spelling)
                table.append(
                    YAMLEntry(key: name, place: key.place, value: try value(of: node, depth: depth + 1, spelling)))
            }
            return YAMLValue(place: place, content: .table(table))
        case .alias: throw YAMLFileError.Problem(place, "aliases are not supported")
        }
    }

    /// Returns the text of a key, even if it is the word `null`, which as a value would mean nothing.
    private static func name(
        of key: Node, depth: Int, _ spelling: (String) -> String
    ) throws(YAMLFileError.Problem) -> ExactText {
        switch try value(of: key, depth: depth, spelling).content {
        case .text(let name): return name
        case .empty:
            guard case .scalar(let scalar) = key else { break }
            let name = spelling(scalar.string)
            if ["null", "Null", "NULL"].contains(name) { return ExactText(name) }
        case .list, .table: break
        }
        throw YAMLFileError.Problem(key.place, "a key must be a text")
    }

    /// No tag, or the node's default tag.
    private static let redundantTags: Set<ExactText> = [
        "", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]
}

extension YAMLFileError.Problem {
    /// Describes an error of Yams.
    fileprivate init(_ error: any Error, _ text: String) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let context = context.map { $0.text + ": " } ?? ""
            self.init(YAMLFileError.Place(mark), "is not YAML: \(context)\(problem)")
        case .composer(let context, let problem, let mark, _):
            // The only composer error with a context is that of a second document.
            let message =
                context == nil ? "is not YAML: \(problem)" : "a second document starts here; there must be only one"
            self.init(YAMLFileError.Place(mark), message)
        case .duplicatedKeysInMapping(let keys, let context):
            let key = (keys.first ?? "").quoted
            self.init(YAMLFileError.Place(context.mark), "the key \(key) occurs more than once")
        case .reader(let problem, let offset, _, _):
            let before = Array(text.prefix(offset ?? 0).utf8)
            self.init(YAMLFileError.Place(at: before.count, of: before), "is not YAML: \(problem)")
        case let other: self.init(nil, "cannot be read: " + "\(other.map { "\($0)" } ?? "\(error)")".quoted)
        }
    }
}

extension Node {
    fileprivate var place: YAMLFileError.Place {
        YAMLFileError.Place(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

extension YAMLFileError.Place {
    /// Finds the place of a byte in a text.
    fileprivate init(at offset: Int, of bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: before[lineStart...].count { $0 & 0xc0 != 0x80 } + 1)
    }

    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}

/// An alias: `*name`, which repeats what was marked `&name` before it.
///
/// Nested aliases expand a few lines to a tree of billions of nodes, which Yams builds and hashes before anything can
/// count them. The files of this program do not need any, so aliases are searched for in the text before it is parsed.
/// The search may find too many, where a comment or a quoted text has both marks with one name, but misses none.
private struct YAMLAlias {
    let name: String
    /// The offset of its asterisk.
    let position: Int

    static func first(in text: Span<UInt8>) -> YAMLAlias? {
        var anchors: Set<[UInt8]> = []
        var position = 0
        while position < text.count {
            let mark = text[position]
            let start = position
            position += 1
            guard mark == UInt8(ascii: "&") || mark == UInt8(ascii: "*") else { continue }
            var name: [UInt8] = []
            while position < text.count, isOfName(text[position]) {
                name.append(text[position])
                position += 1
            }
            guard !name.isEmpty else { continue }
            if mark == UInt8(ascii: "&") {
                anchors.insert(name)
            } else if anchors.contains(name) {
                return YAMLAlias(name: String(decoding: name.prefix(80), as: UTF8.self), position: start)
            }
        }
        return nil
    }

    /// Whether the YAML library counts a byte as part of a name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Rewrites a YAML document so that no two different texts in it are canonically equivalent.
///
/// Yams compares the keys of a mapping as Swift `String`s and refuses `K` next to the Kelvin sign (U+212A), or `é` next
/// to `e` with a combining accent (U+0301), as a duplicate key. Each affected scalar is replaced with one of planes 15
/// and 16, which have no equivalents (The Unicode Standard, 23.5, “Private-Use Characters”). Lines and columns do not
/// change.
private enum YAMLMask {
    /// Returns the document to parse instead of another; `nil` if that contains scalars of planes 15 or 16 itself.
    static func masked(_ text: String) -> String? {
        var masked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.value < 0xf_0000 else { return nil }
            masked.append(Self.mask(of: scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
        }
        return String(masked)
    }

    /// Returns the original of a masked text.
    static func unmasked(_ text: String) -> String {
        var unmasked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            unmasked.append(Self.origin(of: scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
        }
        return String(unmasked)
    }

    /// Returns the mask of a scalar; `nil` if it has a meaning in YAML, or no equivalents.
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
