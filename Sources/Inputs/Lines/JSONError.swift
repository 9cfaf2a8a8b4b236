/// Why a line is not the JSON that belongs there. Positions count bytes from the start of the line.
package enum JSONError: Error, Equatable {
    /// Something else stands where this belongs.
    case unexpected(at: Int, wanted: String)
    /// The line ends inside a string.
    case endsInside
    /// Values within values within values.
    case tooDeep
    /// Something stands behind the object.
    case leftOver(at: Int)
    case notUTF8
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let position, let wanted): "not JSON: \(wanted) belongs at byte \(position)"
        case .endsInside: "not JSON: the line ends inside a string"
        case .tooDeep: "JSON nested too deeply"
        case .leftOver(let position): "not JSON: something stands behind the object, at byte \(position)"
        case .notUTF8: "not JSON: the line is not UTF-8"
        }
    }
}

/// Where the text of a JSON string is.
package enum JSONText {
    /// In the line, as it stands.
    case plain(Range<Int>)
    /// Among the strings that had escapes.
    case spelled(Range<Int>)
}
