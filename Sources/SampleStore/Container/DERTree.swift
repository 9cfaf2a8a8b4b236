public import DER

/// One element of BER or DER (X.690, section 8.1) as a value that can be edited and written again.
///
/// What was read is written with the same octets, whatever form its lengths have. After an edit the lengths follow the
/// contents, unless an element has a ``Length`` that is wrong on purpose. ``edit(at:_:)`` and its relatives name an
/// element by its path; a path that leads nowhere changes nothing.
public struct DERTree: Equatable, Sendable {
    /// The identifier octets (section 8.1.2); none for octets that are no element, see ``init(raw:)``.
    public var identifier: [UInt8]
    /// How the length octets are written.
    public var length: Length
    /// The contents in front of the children: all contents of a primitive element that was not opened.
    public var octets: [UInt8]
    /// The elements inside, also those of a string that was opened.
    public var children: [DERTree]

    /// The form of an element's length octets (section 8.1.3).
    public enum Length: Equatable, Sendable {
        /// The shortest definite form: DER's.
        case shortest
        /// The long form with at least this many octets behind the first (1 to 126).
        case long(Int)
        /// The indefinite form; two octets of zero end the contents.
        case indefinite
        /// The shortest form of a length that differs from that of the contents by so many octets.
        case wrong(by: Int)
        /// These octets, whatever the contents are.
        case raw([UInt8])
    }

    public init(
        identifier: [UInt8], length: Length = .shortest, octets: [UInt8] = [], children: [DERTree] = []
    ) {
        self.identifier = identifier
        self.length = length
        self.octets = octets
        self.children = children
    }

    /// A primitive element.
    public init(_ tag: DERTag, _ octets: [UInt8]) { self.init(identifier: [tag.rawValue], octets: octets) }

    /// A constructed element.
    public init(_ tag: DERTag, _ children: [DERTree]) { self.init(identifier: [tag.rawValue], children: children) }

    /// Octets without identifier and length, which are written as they are.
    public init(raw octets: [UInt8]) { self.init(identifier: [], length: .raw([]), octets: octets) }

    /// The identifier's first octet; `nil` for raw octets.
    public var tag: UInt8? { identifier.first }

    /// The whole element: identifier, length and contents octets.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The contents octets.
    public var contents: [UInt8] {
        var contents = octets
        for child in children { child.write(to: &contents) }
        return contents
    }

    private func write(to output: inout [UInt8]) {
        let contents = contents
        output += identifier
        output += length.octets(for: contents.count)
        output += contents
        if length == .indefinite { output += [0, 0] }
    }
}

extension DERTree.Length {
    /// The length octets in front of contents of this size.
    func octets(for count: Int) -> [UInt8] {
        switch self {
        case .shortest: return Self.definite(count, atLeast: 0)
        case .long(let octets): return Self.definite(count, atLeast: min(max(octets, 1), 126))
        case .indefinite: return [0x80]
        case .wrong(let difference): return Self.definite(max(0, count &+ difference), atLeast: 0)
        case .raw(let octets): return octets
        }
    }

    /// A definite length: in the short form if it fits and no octets are asked for.
    private static func definite(_ count: Int, atLeast least: Int) -> [UInt8] {
        if least == 0, count < 0x80 { return [UInt8(truncatingIfNeeded: count)] }
        var octets: [UInt8] = []
        var rest = count
        while rest > 0 {
            octets.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        octets += [UInt8](repeating: 0, count: max(0, least - octets.count))
        return [0x80 | UInt8(truncatingIfNeeded: octets.count)] + octets.reversed()
    }
}
