import Encodings
import YAML

/// A reader that makes nothing of a document.
struct PlainReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []
}

/// The values of a text.
func document(_ text: String) throws(YAMLFileError) -> YAMLValue {
    try PlainReader.read(bytes: Array(text.utf8), name: "file.yml", limit: 8 << 20) { $1 }
}

/// What is said of a text that cannot be read, or of what a reader makes of it; empty if there is nothing wrong.
func complaint(
    _ bytes: [UInt8], limit: Int = 8 << 20, _ read: (inout PlainReader, YAMLValue) -> Void = { _, _ in }
) -> String {
    do throws(YAMLFileError) {
        try PlainReader.read(bytes: bytes, name: "file.yml", limit: limit, read)
        return ""
    } catch {
        return error.description
    }
}

func complaint(_ text: String, _ read: (inout PlainReader, YAMLValue) -> Void = { _, _ in }) -> String {
    complaint(Array(text.utf8), read)
}

extension YAMLValue {
    var list: [YAMLValue]? {
        guard case .list(let list) = content else { return nil }
        return list
    }

    var table: [YAMLEntry]? {
        guard case .table(let table) = content else { return nil }
        return table
    }

    var isEmpty: Bool {
        guard case .empty = content else { return false }
        return true
    }
}
