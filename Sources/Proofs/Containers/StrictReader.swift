public import DER

/// Reads DER; what it refuses is a deviation from the strict form of a container.
typealias StrictReader = ElementReader<ContainerDeviation>

extension ContainerDeviation: DERFailure {
    public init(encoding error: DERError) { self = .encoding(error) }
}

extension ElementReader where Failure == ContainerDeviation {
    /// Reads a version number, which must be 1.
    @_lifetime(self: copy self)
    mutating func version1() throws(ContainerDeviation) {
        let version = try integer()
        guard version == 1 else { throw .version(version) }
    }

    /// Reads an AlgorithmIdentifier (RFC 5280, section 4.1.1.2) and returns its object identifier.
    /// The parameters must be NULL or absent.
    @_lifetime(copy self)
    mutating func algorithm() throws(ContainerDeviation) -> Span<UInt8> {
        let range = try inside(.sequence) { algorithm throws(ContainerDeviation) in
            let range = try algorithm.rangeOfContents(of: .objectIdentifier)
            if !algorithm.isAtEnd {
                guard algorithm.isNext(.null), try algorithm.contents(of: .null).count == 0, algorithm.isAtEnd else {
                    throw .algorithmParameters
                }
            }
            return range
        }
        return bytes(at: range)
    }

    /// Reads an AlgorithmIdentifier with any parameters and returns its object identifier.
    @_lifetime(copy self)
    mutating func anyAlgorithm() throws(ContainerDeviation) -> Span<UInt8> {
        let range = try inside(.sequence) { algorithm throws(ContainerDeviation) in
            let range = try algorithm.rangeOfContents(of: .objectIdentifier)
            if !algorithm.isAtEnd { _ = try algorithm.element() }
            return range
        }
        return bytes(at: range)
    }
}
