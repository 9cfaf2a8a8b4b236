import Encodings
import FoundationEssentials

/// The folder that a population is written to: `claims.ndjson`, `evidence.ndjson`, `truth.ndjson`, `support.ndjson`,
/// `world.json`, `root.cer`, `policy.yml` and `README.md`.
public struct HonestFolder {
    /// The counts of the written data.
    public struct Summary: Sendable, Codable, Equatable {
        public var persons = 0
        public var testers = 0
        public var circles = 0
        public var customers = 0
        public var notifications = 0
        public var appleAccounts = 0
        public var claims = 0
        public var receipts = 0
        public var tokens = 0
        /// The number of claims by the events before them.
        public var lives: [String: Int] = [:]
    }

    private let folder: GeneratedFolder

    public init(_ path: String) {
        folder = GeneratedFolder(
            path: path, content: "a population",
            names: [
                "README.md", "claims.ndjson", "evidence.ndjson", "missing.ndjson", "policy.yml", "root.cer", "sales",
                "support.ndjson", "truth.ndjson", "world.json",
            ],
            title: Self.title)
    }

    /// Writes a population, one Apple Account after the other.
    ///
    /// - Parameters:
    ///   - withSales: whether to write Apple's sales reports to `sales`, and what is missing to `missing.ndjson`.
    ///   - replacing: whether to remove an earlier population in the same folder first.
    ///   - progress: called with the number of written people, after every hundred Apple Accounts.
    public func write(
        _ world: HonestWorld, withSales: Bool = false, replacing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> Summary {
        try folder.prepare(replacing: replacing, subfolder: withSales ? "sales" : nil)
        var sales = HonestSales()
        try folder.write(world.root, to: "root.cer")
        try folder.write(Array(SamplePolicy.text.utf8), to: "policy.yml")
        let claims = try GeneratedFile(folder.url.appending(path: "claims.ndjson").path())
        let truth = try GeneratedFile(folder.url.appending(path: "truth.ndjson").path())
        var summary = Summary()
        for account in world.accounts {
            let lives = world.lives(of: account)
            summary.appleAccounts += 1
            summary.persons += lives.people.count
            try write(lives, of: world, claims: claims, truth: truth, &sales, &summary)
            if account % 100 == 99 { progress(summary.persons) }
        }
        for number in world.testers {
            summary.testers += 1
            try write(world.life(ofTester: number), of: world, claims: claims, truth: truth, &sales, &summary)
        }
        let evidence = try GeneratedFile(folder.url.appending(path: "evidence.ndjson").path())
        let support = try GeneratedFile(folder.url.appending(path: "support.ndjson").path())
        for number in world.circles {
            summary.circles += 1
            let lives = world.lives(ofCircle: number)
            try write(lives, of: world, claims: claims, truth: truth, &sales, &summary)
            try tell(lives, of: world, evidence: evidence, support: support, &sales, &summary)
        }
        for number in world.customers {
            summary.customers += 1
            try tell(world.lives(ofCustomer: number), of: world, evidence: evidence, support: support, &sales, &summary)
        }
        if withSales { try write(sales, seed: world.seed) }
        try folder.write(Self.record(of: world, summary), to: "world.json")
        try folder.write(Array(Self.readme(of: world, summary).utf8), to: "README.md")
        progress(summary.persons)
        return summary
    }

    /// Writes sales reports, and what they name and nothing shows.
    private func write(_ sales: HonestSales, seed: UInt64) throws {
        let (files, omissions) = sales.reports(seed: seed)
        for file in files { try folder.write(Array(file.text.utf8), to: "sales/" + file.name) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let lines = try omissions.map { Array(try encoder.encode($0)) + [0x0a] }
        try folder.write(lines.flatMap(\.self), to: "missing.ndjson")
    }

    /// Writes claims and their truth. A receipt or token is signed when its first claim is written.
    private func write(
        _ lives: HonestLives, of world: HonestWorld, claims: borrowing GeneratedFile, truth: borrowing GeneratedFile,
        _ sales: inout HonestSales, _ summary: inout Summary
    ) throws {
        var signed: [HonestProof: (text: String, content: [UInt8])] = [:]
        var lines: [UInt8] = []
        var truths: [UInt8] = []
        for claim in lives.claims {
            let receipt: (text: String, content: [UInt8])
            let proof = HonestProof(receipt: claim.receipt, isPadded: claim.life.contains(.padded))
            if let known = signed[proof] {
                receipt = known
            } else {
                receipt = try written(lives.receipts[claim.receipt], isPadded: proof.isPadded, by: world)
                signed[proof] = receipt
                if !proof.isPadded { sales.add(lives.receipts[claim.receipt]) }
            }
            lines += Array(claim.line(receipt: receipt.text).utf8)
            truths += Array(claim.truth(content: receipt.content).utf8)
            summary.claims += 1
            for name in claim.life.names { summary.lives[name, default: 0] += 1 }
        }
        let written = Set(signed.keys.map(\.receipt))
        let tokens = written.count { lives.receipts[$0].token != nil }
        summary.receipts += written.count - tokens
        summary.tokens += tokens
        try claims.write(lines)
        try truth.write(truths)
    }

    /// Writes what Apple tells of people, and what the tables for support must have of them.
    private func tell(
        _ lives: HonestLives, of world: HonestWorld, evidence: borrowing GeneratedFile,
        support: borrowing GeneratedFile, _ sales: inout HonestSales, _ summary: inout Summary
    ) throws {
        for notice in lives.notices {
            if let transaction = notice.transaction { sales.add(transaction) }
            let notification = try notice.notification(by: world.tokenAuthority)
            let token = try world.tokenAuthority.token(notification).text
            try evidence.write(Array("{\"signedPayload\":\"\(token)\"}\n".utf8))
            summary.notifications += 1
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        for supportCase in lives.supportCases { try support.write(Array(try encoder.encode(supportCase)) + [0x0a]) }
    }

    /// Returns a receipt in base64, or a token, and the content that identifies it. A receipt that is padded to the length
    /// of a column is no longer in the form of the App Store, so that its text identifies it.
    private func written(
        _ made: HonestReceipt, isPadded: Bool, by world: HonestWorld
    ) throws(SigningError) -> (text: String, content: [UInt8]) {
        let content = made.signed
        guard made.token == nil else { return (try world.tokenAuthority.token(octets: content).text, content) }
        var bytes = try SignedDataContent(signing: content, by: world.authority, digest: made.digest).encoded
        if isPadded { bytes += [UInt8](repeating: 0, count: 8192 - bytes.count % 8192) }
        let text = Data(bytes).base64EncodedString()
        return (text, isPadded ? Array(text.utf8) : content)
    }

    /// `world.json`: the arguments, the parameters and the counts.
    private static func record(of world: HonestWorld, _ summary: Summary) throws -> [UInt8] {
        struct Record: Encodable {
            let first, count: Int
            let seed: UInt64
            let start, asOf: String
            let parameters: HonestParameters
            let written: Summary
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let record = Record(
            first: world.persons.lowerBound, count: world.persons.upperBound, seed: world.seed,
            start: HonestWorld.start.description, asOf: HonestWorld.end.description, parameters: world.parameters,
            written: summary)
        return Array(try encoder.encode(record)) + [0x0a]
    }

    /// The first line of the README, which identifies the folder of a population.
    static let title = "# A simulated population of honest users"

    private static func readme(of world: HonestWorld, _ summary: Summary) -> String {
        """
        \(title)

        \(summary.claims) claims of \(summary.persons) persons, \(summary.circles) circles of people whose purchases \
        depend on one another, and \(summary.testers) testers over three years, seed \(world.seed). \
        \(summary.customers) more customers paid and present nothing. None of them is a fraud: a critical or high finding is a false alarm. Nobody's data is in \
        here: apps, accounts and devices do not exist, and the receipts and tokens are signed by a private test authority.

        - `claims.ndjson`: one claim a line, by Apple Account.
        - `evidence.ndjson`: what Apple told of circles and customers, one notification a line.
        - `truth.ndjson`: for the claim of the same line its `claim_id`, the person, and what had happened before.
        - `support.ndjson`: purchases by `original_transaction_id`: which ones the tables `unclaimed` and \
        `refund_requests` must have, and which are `settled` and not in `unclaimed`.
        - `sales` and `missing.ndjson`, with `--sales`: Apple's sales reports, and the units in them that nothing \
        shows, each of a day and product.
        - `root.cer`: the trust anchors of receipts and tokens.
        - `policy.yml`: what the made-up apps sell, and the environments they allow.
        - `world.json`: the parameters, and what was written.

        Audit it with

            audit run claims.ndjson --evidence evidence.ndjson --root root.cer --policy policy.yml \\
                --as-of \(HonestWorld.end) --report fraud=fraud.csv

        docs/honest-world.md explains the simulation.

        """
    }
}

/// A receipt or token as a row has it.
private struct HonestProof: Hashable {
    let receipt: Int
    let isPadded: Bool
}
