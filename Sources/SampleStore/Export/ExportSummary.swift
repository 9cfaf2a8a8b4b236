/// What an export holds, counted while its claims are made.
public struct ExportSummary: Sendable {
    /// The claims with one kind of forgery.
    public struct Group: Sendable {
        public var count = 0
        /// The first few, as `devices.csv:17 (0000/000015.der)`.
        public var examples: [String] = []
    }

    public private(set) var claims = 0
    public private(set) var genuine = 0
    public private(set) var groups: [Forgery: Group] = [:]
    public private(set) var plants: [Plant: Group] = [:]
    public private(set) var files = 0
    public private(set) var base64Files = 0
    /// The bytes in all files.
    public private(set) var bytes = 0
    public private(set) var rowsWithoutDevice = 0

    public init() {}

    /// Counts one more claim.
    public mutating func count(_ claim: SampleClaim) {
        claims += 1
        if let file = claim.file {
            files += 1
            bytes += max(file.bytes.count, file.extendedTo ?? 0)
            if file.path.hasSuffix(".b64") { base64Files += 1 }
        }
        if claim.row.deviceID.isEmpty { rowsWithoutDevice += 1 }
        switch claim.truth {
        case .genuine: genuine += 1
        case .forged(let forgery): groups[forgery, default: Group()].count(claim)
        case .planted(let plant): plants[plant, default: Group()].count(claim)
        }
    }

    /// How many claims are forged.
    public var forged: Int { groups.values.reduce(0) { $0 + $1.count } }
    /// How many claims belong to planted clusters.
    public var planted: Int { plants.values.reduce(0) { $0 + $1.count } }
}

extension ExportSummary.Group {
    mutating func count(_ claim: SampleClaim) {
        count += 1
        if examples.count < 3 { examples.append("\(claim.source) (\(claim.row.file))") }
    }
}
