internal import Files

/// What tells a block from any other: two with the same identity hold the same claims.
///
/// An identity is bytes of any length, of which a cryptographic hash is to be made.
extension ClaimBlock {
    /// Appends an identity by the bytes that the claims present.
    ///
    /// - Parameter digest: appends a cryptographic hash of a file's bytes.
    /// - Returns: whether there is one; not for a block some of whose files are read later.
    public func appendIdentity(to bytes: inout [UInt8], digest: (Span<UInt8>, inout [UInt8]) -> Void) -> Bool {
        let files = files
        return appendIdentity(to: &bytes) { index, bytes in
            guard case .loaded(let range) = items[index].receipt else { return false }
            digest(files.span(range), &bytes)
            return true
        }
    }

    /// Appends an identity by what the system says of the files, which need not have been read.
    ///
    /// - Parameter settledBefore: in nanoseconds since the epoch. A file whose bytes or status were changed after that may
    ///   be changed again without seeming so, as clocks tick only now and then.
    /// - Returns: whether there is one; not for a block without files.
    public func appendIdentityByStatus(to bytes: inout [UInt8], settledBefore limit: Int64) -> Bool {
        guard stamps.contains(where: { $0 != nil }) else { return false }
        return appendIdentity(to: &bytes) { index, bytes in
            guard index < stamps.count, let stamp = stamps[index], stamp.isSettled(before: limit) else { return false }
            stamp.appendIdentity(to: &bytes)
            return true
        }
    }

    /// Whether ``appendIdentity(to:digest:)`` says all: not if a claim named a file in a line.
    public var isSelfContained: Bool { !hasFilesInText }

    /// Notes that lines held these keys, as if they had been read.
    public func note(unknownKeys names: [String]) {
        for name in names { origin.unknownKeys?.insert(name) }
    }

    /// Keys in its lines that nobody asked for, as many as are ever named, in the order of their bytes.
    public var unknownKeyNames: [String] { unknownKeys.names }

    private func appendIdentity(to bytes: inout [UInt8], file: (Int, inout [UInt8]) -> Bool) -> Bool {
        bytes.append(shape == .files ? 0 : shape == .rows ? 1 : 2)
        bytes.append(origin.hasData ? 1 : 0)
        bytes.append(text: origin.table)
        bytes.append(text: origin.prefix)
        for index in items.indices {
            let item = items[index]
            bytes.append(bigEndian: UInt64(item.line))
            switch shape {
            case .files, .lines: bytes.append(counted: text.span(item.text))
            case .rows:
                for column in 0..<Column.count {
                    bytes.append(counted: text.span(cells[index * Column.count + column]))
                }
            }
            switch item.receipt {
            case .inText: bytes.append(0)
            case .inFile, .loaded:
                bytes.append(1)
                guard file(index, &bytes) else { return false }
            case .fault(let fault):
                bytes.append(2)
                bytes.append(text: "\(fault.kind)")
                bytes.append(text: fault.reason)
            }
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) {
        let bytes = Array(text.utf8)
        append(counted: bytes.span)
    }

    /// Appends bytes behind their number.
    fileprivate mutating func append(counted bytes: Span<UInt8>) {
        append(bigEndian: UInt64(bytes.count))
        append(copying: bytes)
    }
}
