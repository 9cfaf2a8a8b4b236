import DER

/// A ``DERReader`` whose refusals are deviations from the strict form of a container.
struct StrictReader: ~Escapable {
    private var reader: DERReader

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { reader = DERReader(bytes) }

    var isAtEnd: Bool { reader.isAtEnd }

    /// What has not been read yet.
    var rest: Span<UInt8> { @_lifetime(copy self) get { reader.rest } }

    func isNext(_ tag: DERTag) -> Bool { reader.isNext(tag) }

    @_lifetime(copy self)
    mutating func contents(of tag: DERTag) throws(ContainerDeviation) -> Span<UInt8> {
        do throws(DERError) { return try reader.contents(of: tag) } catch { throw .encoding(error) }
    }

    @_lifetime(copy self)
    mutating func element(of tag: DERTag) throws(ContainerDeviation) -> Span<UInt8> {
        do throws(DERError) { return try reader.element(of: tag) } catch { throw .encoding(error) }
    }

    /// Reads one element of any kind, and returns all of it.
    @_lifetime(copy self)
    mutating func element() throws(ContainerDeviation) -> Span<UInt8> {
        do throws(DERError) { return try reader.element() } catch { throw .encoding(error) }
    }

    func end() throws(ContainerDeviation) {
        do throws(DERError) { try reader.end() } catch { throw .encoding(error) }
    }

    /// Reads a version number, which must be 1.
    mutating func version1() throws(ContainerDeviation) {
        let version: Int
        do throws(DERError) { version = try reader.integer() } catch { throw .encoding(error) }
        guard version == 1 else { throw .version(version) }
    }

    /// Reads an AlgorithmIdentifier with any parameters and returns its object identifier.
    @_lifetime(copy self)
    mutating func anyAlgorithm() throws(ContainerDeviation) -> Span<UInt8> {
        var algorithm = StrictReader(try contents(of: .sequence))
        return try algorithm.contents(of: .objectIdentifier)
    }

    /// Reads an AlgorithmIdentifier (RFC 5280, section 4.1.1.2) and returns its object identifier.
    /// The parameters must be NULL or absent.
    @_lifetime(copy self)
    mutating func algorithm() throws(ContainerDeviation) -> Span<UInt8> {
        var algorithm = StrictReader(try contents(of: .sequence))
        let objectIdentifier = try algorithm.contents(of: .objectIdentifier)
        if !algorithm.isAtEnd {
            guard algorithm.isNext(.null), try algorithm.contents(of: .null).count == 0, algorithm.isAtEnd else {
                throw .algorithmParameters
            }
        }
        return objectIdentifier
    }
}
