import DER

/// The first place in some bytes that is not DER, counted from their first byte.
///
/// A ``DERError`` counts from the start of the element that was being read, which is enough for a program.
/// A person who opens the file needs the place in the file.
public struct EncodingFlaw: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case indefiniteLength
        case longLength
        /// An element that reaches beyond the one around it, or beyond the end.
        case cutShort
        case leftOver
    }

    public let kind: Kind
    public let position: Int

    /// Walks all elements, outermost first; `nil` if every one of them is in DER's form.
    public init?(in bytes: Span<UInt8>) {
        var ends: [Int] = []
        var position = 0
        while position < bytes.count {
            if ends.isEmpty, position > 0 {
                self.init(kind: .leftOver, position: position)
                return
            }
            let end = ends.last ?? bytes.count
            switch Header(bytes, at: position, end: end) {
            case .flawed(let kind):
                self.init(kind: kind, position: position)
                return
            case .constructed(let contents):
                ends.append(contents.upperBound)
                position = contents.lowerBound
            case .primitive(let contents):
                if ends.isEmpty { ends.append(contents.upperBound) }
                position = contents.upperBound
            }
            while let last = ends.last, position == last { ends.removeLast() }
        }
        return nil
    }

    private init(kind: Kind, position: Int) {
        self.kind = kind
        self.position = position
    }

    /// One element's tag and length.
    private enum Header {
        case primitive(Range<Int>)
        case constructed(Range<Int>)
        case flawed(Kind)

        init(_ bytes: Span<UInt8>, at position: Int, end: Int) {
            guard position + 2 <= end else {
                self = .flawed(.cutShort)
                return
            }
            let first = bytes[position + 1]
            let count = first < 0x80 ? 0 : Int(first & 0x7f)
            let start = position + 2 + count
            guard first != 0x80 else {
                self = .flawed(.indefiniteLength)
                return
            }
            guard count <= 4, start <= end else {
                self = .flawed(count <= 4 ? .cutShort : .longLength)
                return
            }
            var length = count == 0 ? Int(first) : 0
            for index in 0..<count { length = length << 8 | Int(bytes[position + 2 + index]) }
            if count > 0, length < 0x80 || length >> (8 * (count - 1)) == 0 {
                self = .flawed(.longLength)
            } else if length > end - start {
                self = .flawed(.cutShort)
            } else {
                let contents = start..<(start + length)
                self = bytes[position] & 0x20 != 0 ? .constructed(contents) : .primitive(contents)
            }
        }
    }
}

extension EncodingFlaw: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .indefiniteLength: "the element at byte \(position) has BER's indefinite length, which DER forbids"
        case .longLength: "the length of the element at byte \(position) is not in its shortest form"
        case .cutShort: "the element at byte \(position) is cut short"
        case .leftOver: "bytes are left over from byte \(position) on"
        }
    }
}
