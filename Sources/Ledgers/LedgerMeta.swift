/// What a ledger was made with. Runs with another origin cannot be compared with it, but for trust anchors that were
/// added.
public struct LedgerOrigin: Sendable, Equatable {
    /// The fingerprints of the trust anchors.
    public var trustAnchors: Set<String>
    /// The digest of the key of pseudonyms; `nil` if the ledger is made without pseudonyms.
    public var pseudonymKey: [UInt8]?

    public init(trustAnchors: Set<String>, pseudonymKey: [UInt8]?) {
        self.trustAnchors = trustAnchors
        self.pseudonymKey = pseudonymKey
    }

    /// Returns the first difference between this ledger and a run; `nil` if there is none.
    func difference(to run: LedgerOrigin) -> LedgerError.Difference? {
        if !trustAnchors.isSubset(of: run.trustAnchors) { return .trustAnchors }
        guard pseudonymKey != run.pseudonymKey else { return nil }
        if pseudonymKey == nil { return .noPseudonyms }
        return run.pseudonymKey == nil ? .pseudonyms : .pseudonymKey
    }
}

/// The table `meta`: single values by name.
struct LedgerMeta {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// What the ledger was made with; `nil` if no run was ever committed.
    func origin() throws(LedgerError) -> LedgerOrigin? {
        guard let anchors = try bytes("trust_anchors") else { return nil }
        let names = anchors.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
        return LedgerOrigin(trustAnchors: Set(names), pseudonymKey: try bytes("pseudonym_key"))
    }

    func set(_ origin: LedgerOrigin) throws(LedgerError) {
        try set("trust_anchors", bytes: Array(origin.trustAnchors.sorted().joined(separator: "\n").utf8))
        if let key = origin.pseudonymKey { try set("pseudonym_key", bytes: key) }
    }

    /// Returns the numbers that were set; none if they never were.
    func numbers(_ name: String) throws(LedgerError) -> [Int64] {
        guard let bytes = try bytes(name) else { return [] }
        return stride(from: 0, to: bytes.count - 7, by: 8).map { Int64(octets: bytes[$0..<$0 + 8]) }
    }

    func set(_ name: String, _ numbers: [Int64]) throws(LedgerError) {
        try set(name, bytes: numbers.flatMap(\.octets))
    }

    private func bytes(_ name: String) throws(LedgerError) -> [UInt8]? {
        let statement = try Statement(connection, Self.select + " WHERE name=?1")
        statement.bind(name, at: 1)
        guard try statement.step() else { return nil }
        guard let value = Self.value(statement) else {
            throw .damaged(path: connection.name, reason: "checksum mismatch in \(name)")
        }
        return value
    }

    static let select = "SELECT name, value, seal FROM meta"

    /// The value in a row of ``select``; `nil` if its checksum does not match.
    static func value(_ row: Statement) -> [UInt8]? {
        let (name, value) = (row.text(0), row.bytes(1))
        let seal = Checksum().adding(name).adding(value.span).value
        return row.number(2) == seal ? value : nil
    }

    private func set(_ name: String, bytes value: [UInt8]) throws(LedgerError) {
        let statement = try Statement(connection, "INSERT OR REPLACE INTO meta(name, value, seal) VALUES(?1, ?2, ?3)")
        statement.bind(name, at: 1)
        statement.bind(value.span, at: 2)
        statement.bind(Checksum().adding(name).adding(value.span).value, at: 3)
        try statement.run()
    }
}

extension Int64 {
    /// The number in eight octets, big-endian.
    var octets: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> Int64(56 - 8 * $0)) } }

    init(octets: ArraySlice<UInt8>) {
        self.init(bitPattern: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
