import DER

/// Counts what a container in any form of BER holds, before it is read.
///
/// What exceeds these limits, far beyond any container of Apple's, is not read.
struct ContainerCensus {
    /// Elements in all; a container of Apple's has some 250, and one in pieces one more for each piece.
    static let elementLimit = DERRewriter.elementLimit
    /// Octets around the content; a container of Apple's has some 4,000.
    static let overheadLimit = 1 << 18
    /// Digest algorithms; a container of Apple's has one.
    static let digestLimit = 4
    /// Elements inside each other.
    static let depthLimit = DERRewriter.depthLimit

    /// The ends of the elements that are open, outermost first; `nil` where the length is indefinite.
    private var ends: [Int?] = []
    private var elements = 0
    private var digestAlgorithms = 0
    /// The octets inside the SignedData's second SEQUENCE, which holds the content.
    private var contentOctets = 0
    private var contentStart: Int?

    /// Throws if the container is broken or over a limit.
    static func check(_ bytes: Span<UInt8>) throws(ContainerFault) {
        var census = ContainerCensus()
        let total: Int
        do throws(DERError) {
            total = try census.walk(bytes)
        } catch {
            throw .malformed(error.description)
        }
        if census.elements > elementLimit { throw .malformed("more than \(elementLimit) elements") }
        if census.ends.count > depthLimit { throw .malformed("elements nested more than \(depthLimit) deep") }
        if census.digestAlgorithms > digestLimit { throw .malformed("more than \(digestLimit) digest algorithms") }
        guard total - census.contentOctets <= overheadLimit else {
            throw .malformed("more than \(overheadLimit) bytes around the content")
        }
    }

    /// Walks over the first element until it ends or a limit is passed, and returns how many octets that took.
    private mutating func walk(_ bytes: Span<UInt8>) throws(DERError) -> Int {
        var reader = BERReader(bytes)
        repeat {
            let start = reader.position
            let header = try reader.header()
            elements += 1
            if header.isEndOfContents, case .some(.none) = ends.last {
                ends.removeLast()
            } else {
                note(header, at: start)
                try enter(header, &reader)
            }
            try leave(at: reader.position)
        } while !ends.isEmpty && elements <= Self.elementLimit && ends.count <= Self.depthLimit
        return reader.position
    }

    private mutating func enter(_ header: BERReader.Header, _ reader: inout BERReader) throws(DERError) {
        let end = header.count.map { reader.position + $0 }
        // An element may not reach beyond the nearest one around it that says where it ends.
        if let end, let outer = ends.last(where: { $0 != nil }) ?? nil, end > outer {
            throw .truncated(at: reader.position)
        }
        if header.isConstructed { ends.append(end) } else { reader.skip(header.count ?? 0) }
    }

    /// Closes every element that ends here.
    private mutating func leave(at position: Int) throws(DERError) {
        while let last = ends.last, let end = last, end <= position { ends.removeLast() }
        if let contentStart, ends.count <= 3 {
            contentOctets = position - contentStart
            self.contentStart = nil
        }
    }

    /// ContentInfo holds [0], which holds SignedData, whose fields stand three deep.
    private mutating func note(_ header: BERReader.Header, at start: Int) {
        switch (ends.count, header.tag) {
        case (3, DERTag.sequence.rawValue) where contentOctets == 0: contentStart = start
        case (4, DERTag.sequence.rawValue) where contentOctets == 0 && contentStart == nil: digestAlgorithms += 1
        default: break
        }
    }
}
