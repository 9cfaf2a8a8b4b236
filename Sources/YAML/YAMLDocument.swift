import Encodings
private import Yams

/// Reads bytes as one YAML document. The one place that knows Yams.
enum YAMLDocument {
    /// Tables in lists in tables: our files need six levels.
    static let deepest = 64

    static func value(of bytes: [UInt8], limit: Int) throws(YAMLProblem) -> YAMLValue {
        guard bytes.count <= limit else { throw YAMLProblem(nil, "is over \(limit >> 20) MiB") }
        let text = try text(of: bytes)
        if let alias = YAMLAlias.first(in: bytes.span) {
            throw YAMLProblem(
                YAMLFileError.Place(at: alias.position, of: bytes),
                "aliases (“&\(alias.name)” and “*\(alias.name)”) are not read; write out what it stands for")
        }
        do {
            return try value(of: root(of: text), depth: 1) { $0 }
        } catch let error as YAMLProblem {
            throw error
        } catch {
            // Keys are the same key for Yams if they are canonically equivalent.
            if case YamlError.duplicatedKeysInMapping = error, let masked = YAMLMask.masked(text),
                let root = try? root(of: masked)
            {
                return try value(of: root, depth: 1, YAMLMask.unmasked)
            }
            throw YAMLProblem(error, text)
        }
    }

    private static func root(of text: String) throws -> Node? {
        // The encoding is named: to find it out, Yams would ask the environment.
        try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    }

    private static func text(of bytes: [UInt8]) throws(YAMLProblem) -> String {
        let span = bytes.span
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: span))
        } catch {
            throw YAMLProblem(
                YAMLFileError.Place(at: error.byteOffsets.lowerBound, of: bytes), "is not UTF-8; save it as UTF-8")
        }
    }

    /// - Parameter spelling: a scalar as it was written.
    private static func value(
        of node: Node?, depth: Int, _ spelling: (String) -> String
    ) throws(YAMLProblem) -> YAMLValue {
        guard let node else { return YAMLValue(place: YAMLFileError.Place(line: 1, column: 1), content: .empty) }
        let place = node.place
        guard depth <= deepest else { throw YAMLProblem(place, "is nested more than \(deepest) levels deep") }
        let tag = node.tag.rawValue
        guard tagsWithoutMeaning.contains(ExactText(tag)) else {
            throw YAMLProblem(place, "the tag \(tag.quoted) is not read")
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
                guard case .text(let name) = try value(of: key, depth: depth + 1, spelling).content else {
                    throw YAMLProblem(key.place, "a key must be a text")
                }
                table.append(
                    YAMLEntry(key: name, place: key.place, value: try value(of: node, depth: depth + 1, spelling)))
            }
            return YAMLValue(place: place, content: .table(table))
        case .alias: throw YAMLProblem(place, "aliases are not read")
        }
    }

    /// None, or what the node would be anyway.
    private static let tagsWithoutMeaning: Set<ExactText> = [
        "", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]
}

extension Node {
    fileprivate var place: YAMLFileError.Place {
        YAMLFileError.Place(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}
