import Inputs

@testable import Streams

/// What is wrong with a line; `nil` if it can be read.
func fault(_ read: () throws(LineFault) -> Void) -> String? {
    do throws(LineFault) {
        try read()
        return nil
    } catch {
        switch error {
        case .otherVersion: return "another version"
        case .otherSettings: return "other settings"
        case .malformed(let reason): return reason
        }
    }
}

/// The line that somebody writes: its key, and what stands behind the tab.
func written(_ write: (inout LineWriter) -> Void) -> (key: String, fields: String) {
    var line = LineWriter()
    write(&line)
    let parts = String(decoding: line.bytes, as: UTF8.self).split(
        separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), String(parts.last ?? ""))
}

/// The fields of a line of this version.
func fields(_ values: String) -> String { "[\(StreamVersion.number),\(values)]" }

/// What is read of the fields of a line, all of it.
func read<Value>(
    _ text: String, _ body: (inout LineFields) throws(LineFault) -> Value
) throws(LineFault) -> Value {
    let bytes = Array(text.utf8)
    var fields = try LineFields(bytes.span)
    let value = try body(&fields)
    try fields.end()
    return value
}
