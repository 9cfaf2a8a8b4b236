/// The few values that a ledger has once.
struct LedgerMeta {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// What the ledger was made with; `nil` if no run was ever committed.
    func origin() throws(LedgerError) -> LedgerOrigin? {
        guard let anchors = try bytes("trust_anchors") else { return nil }
        return LedgerOrigin(trustAnchors: anchors, pseudonymKey: try bytes("pseudonym_key"))
    }

    func set(_ origin: LedgerOrigin) throws(LedgerError) {
        try set("trust_anchors", origin.trustAnchors)
        if let key = origin.pseudonymKey { try set("pseudonym_key", key) }
    }

    /// A number that was set; 0 if it never was.
    func number(_ name: String) throws(LedgerError) -> Int64 {
        guard let bytes = try bytes(name) else { return 0 }
        return Self.number(bytes.prefix(8))
    }

    func set(_ name: String, _ number: Int64) throws(LedgerError) {
        try set(name, Self.octets(number))
    }

    /// Numbers that were set; none if they never were.
    func numbers(_ name: String) throws(LedgerError) -> [Int64] {
        guard let bytes = try bytes(name) else { return [] }
        return stride(from: 0, to: bytes.count - 7, by: 8).map { Self.number(bytes[$0..<$0 + 8]) }
    }

    func set(_ name: String, _ numbers: [Int64]) throws(LedgerError) { try set(name, numbers.flatMap(Self.octets)) }

    private static func number(_ octets: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func octets(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * $0)) }
    }

    private func bytes(_ name: String) throws(LedgerError) -> [UInt8]? {
        let statement = try Statement(connection, "SELECT value, seal FROM meta WHERE name=?1")
        statement.bind(name, at: 1)
        guard try statement.step() else { return nil }
        let value = statement.bytes(0)
        guard statement.number(1) == seal(name, value) else {
            throw .damaged(path: connection.name, reason: "\(name) is not what it was")
        }
        return value
    }

    private func set(_ name: String, _ value: [UInt8]) throws(LedgerError) {
        let statement = try Statement(connection, "INSERT OR REPLACE INTO meta(name, value, seal) VALUES(?1, ?2, ?3)")
        statement.bind(name, at: 1)
        statement.bind(value.span, at: 2)
        statement.bind(seal(name, value), at: 3)
        try statement.run()
    }

    private func seal(_ name: String, _ value: [UInt8]) -> Int64 {
        var seal = Checksum()
        seal.add(name)
        seal.add(value.span)
        return seal.value
    }
}
