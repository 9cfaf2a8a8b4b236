import Encodings

/// A path that a table names in its normal form: without `.` components and doubled slashes. A slash at its start stays:
/// ``ReceiptFolder`` finds the file below another machine's path.
///
/// `./a.der`, `a.der` and `x//../a.der` are three ways to write a path. The first two name the same file; the last one
/// is refused, because `..` could lead outside.
enum RelativePath {
    /// Returns the reason why a path is refused, if it is.
    static func objection(to path: Span<UInt8>) -> InputFault? {
        var start = 0
        for position in 0...path.count where position == path.count || path[position] == slash {
            if position - start == 2, path[start] == dot, path[start + 1] == dot {
                return InputFault(.receiptNotFound, "a path with ..")
            }
            start = position + 1
        }
        for position in path.indices where path[position] == 0 {
            return InputFault(.receiptNotFound, "a path with a NUL byte")
        }
        return nil
    }

    /// Whether a path is certainly in normal form and not refused, like nearly all paths.
    static func isPlain(_ path: Span<UInt8>) -> Bool {
        var last = slash
        for position in path.indices {
            let byte = path[position]
            if byte == 0 || (last == slash && (byte == slash || byte == dot)) { return false }
            last = byte
        }
        return last != slash
    }

    /// Rewrites a path in an arena into normal form, which is never longer, and returns its range.
    static func normalise(_ path: Range<Int>, in arena: inout ByteArena) -> Range<Int> {
        let root = !path.isEmpty && arena[path.lowerBound] == slash ? path.lowerBound + 1 : path.lowerBound
        var end = root
        var position = root
        while position < path.upperBound {
            let start = position
            while position < path.upperBound, arena[position] != slash { position += 1 }
            let component = start..<position
            position += 1
            guard !component.isEmpty, !(component.count == 1 && arena[start] == dot) else { continue }
            if end > root {
                arena[end] = slash
                end += 1
            }
            for source in component {
                arena[end] = arena[source]
                end += 1
            }
        }
        return path.lowerBound..<(end == root ? path.lowerBound : end)
    }

    private static let slash: UInt8 = 0x2f
    private static let dot: UInt8 = 0x2e
}

extension ByteArena {
    /// Appends the path that a claim names, in normal form and with a trailing NUL.
    mutating func append(pathOf claim: inout Claim) throws(InputFault) {
        let path = append(claim.file.utf8.span)
        if let objection = objection(toPath: path) { throw objection }
        let normal = RelativePath.normalise(path, in: &self)
        if normal.isEmpty { throw .folder }
        cut(at: normal.upperBound)
        claim.file = ExactText(String(repairing: span(normal)))
        append(0)
    }

    func objection(toPath path: Range<Int>) -> InputFault? { RelativePath.objection(to: span(path)) }
}
