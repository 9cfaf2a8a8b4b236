internal import Encodings

/// A path below a folder, in its one spelling: no `.` component, no doubled slash.
///
/// `./a.der`, `a.der` and `x//../a.der` are three ways to write a path; the first two name the same
/// file wherever they stand, the last is refused, because `..` is how a manifest would reach outside.
enum RelativePath {
    /// Why a path is not looked for.
    static func objection(to path: Span<UInt8>) -> InputFault? {
        if path.count > 0, path[0] == slash { return InputFault(.receiptNotFound, "an absolute path") }
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

    /// Whether it is sure that a path is in its one spelling and nobody objects to it, as it is of nearly all.
    static func isPlain(_ path: Span<UInt8>) -> Bool {
        var last = slash
        for position in path.indices {
            let byte = path[position]
            if byte == 0 || (last == slash && (byte == slash || byte == dot)) { return false }
            last = byte
        }
        return last != slash
    }

    /// Rewrites a path in an arena into its one spelling, which is never longer, and returns its range.
    static func normalise(_ path: Range<Int>, in arena: inout ByteArena) -> Range<Int> {
        var end = path.lowerBound
        var position = path.lowerBound
        while position < path.upperBound {
            let start = position
            while position < path.upperBound, arena[position] != slash { position += 1 }
            let component = start..<position
            position += 1
            guard !component.isEmpty, !(component.count == 1 && arena[start] == dot) else { continue }
            if end > path.lowerBound {
                arena[end] = slash
                end += 1
            }
            for source in component {
                arena[end] = arena[source]
                end += 1
            }
        }
        return path.lowerBound..<end
    }

    private static let slash: UInt8 = 0x2f
    private static let dot: UInt8 = 0x2e
}

extension ByteArena {
    /// Appends the path that a claim names, in its one spelling and with a NUL behind it.
    mutating func append(pathOf claim: inout Claim) throws(InputFault) {
        let path = append(claim.file.utf8.span)
        if let objection = objection(toPath: path) { throw objection }
        let spelling = RelativePath.normalise(path, in: &self)
        if spelling.isEmpty { throw .folder }
        cut(at: spelling.upperBound)
        claim.file = ExactText(String(repairing: span(spelling)))
        append(0)
    }

    func objection(toPath path: Range<Int>) -> InputFault? { RelativePath.objection(to: span(path)) }
}
