import FoundationEssentials

/// The folder of a written export: `root.cer`, `policy.yml`, `truth.json`, `README.md`, `receipts/` with its
/// `devices.csv`, and, if it has tokens, `evidence.ndjson`.
public struct ExportFolder {
    private let folder: GeneratedFolder

    public init(_ path: String) {
        folder = GeneratedFolder(
            path: path, content: "an export",
            names: ["README.md", "evidence.ndjson", "policy.yml", "receipts", "root.cer", "truth.json"],
            title: ExportReadme.title)
    }

    /// Writes a whole export.
    ///
    /// - Parameters:
    ///   - first: the index of the first claim to write.
    ///   - replacing: whether to remove an earlier export in the same folder first.
    ///   - progress: called with the number of written claims, once per folder of them.
    public func write(
        _ export: SampleExport, from first: Int = 0, replacing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> ExportSummary {
        try folder.prepare(replacing: replacing, subfolder: "receipts")
        try folder.write(export.root, to: "root.cer")
        try folder.write(Array(SamplePolicy.text.utf8), to: "policy.yml")
        let receipts = folder.url.appending(path: "receipts")
        let table = try GeneratedFile(receipts.appending(path: "devices.csv").path())
        let evidence =
            export.hasEvidence ? try GeneratedFile(folder.url.appending(path: "evidence.ndjson").path()) : nil
        var rows = SampleRow.header
        var summary = ExportSummary()
        for index in min(max(0, first), export.count)..<export.count {
            if index.isMultiple(of: ClaimDraft.filesPerFolder) || index == first {
                try FileManager.default.createDirectory(
                    at: receipts.appending(path: ClaimDraft.folder(of: index)), withIntermediateDirectories: true)
                try table.write(rows)
                rows.removeAll(keepingCapacity: true)
                progress(index)
            }
            let claim = try export.claim(at: index)
            if let file = claim.file {
                try folder.write(file.bytes, to: "receipts/" + file.path, extendedTo: file.extendedTo)
            }
            rows += claim.row.line
            summary.add(claim)
            for line in try export.evidence(at: index) {
                try evidence?.write(Array(line.utf8))
                summary.addNotification()
            }
        }
        try table.write(rows)
        for line in first == 0 ? try export.supportEvidence() : [] {
            try evidence?.write(Array(line.utf8))
            summary.addNotification()
        }
        try folder.write(TruthFile(export).json(), to: "truth.json")
        try folder.write(Array(ExportReadme.text(of: export, summary).utf8), to: "README.md")
        progress(export.count)
        return summary
    }
}

/// The README of an export, which lists the forged and planted claims.
public enum ExportReadme {
    /// The first line, which identifies the folder of an export.
    public static let title = "# A made-up export of App Store receipts"

    /// Returns the text, in Markdown.
    public static func text(of export: SampleExport, _ summary: ExportSummary) -> String {
        """
        \(title)

        \(summary.claims) claims, seed \(export.seed), \(summary.forged) of them forged and \(summary.planted) in planted \
        frauds. Nobody's data is in here: apps, accounts and devices do not exist, and the receipts are signed by a private test authority.

        - `receipts/devices.csv`: one claim a row.
        - `receipts/`: the proofs, a thousand to a folder; \(summary.files) files, \(summary.tokens) of them StoreKit 2 \
        tokens (`.jws`), \(summary.base64Files) receipts in base64 (`.b64`), the others receipts in DER.
        - `root.cer`: the trust anchors of receipts and tokens. It is outside `receipts/`, because everything in there is \
        a proof.
        - `policy.yml`: what the made-up apps sell, and the environments they allow.
        - `truth.json`: every finding that an audit with this policy must report; any other is a false alarm. And every
          subscription, one a line, by the columns of the report.

        Audit it with

            audit run receipts --root root.cer --policy policy.yml --as-of \(SampleExport.asOf) --report report.html

        No receipt is younger than that instant, and no claim was presented after it.

        ## What is wrong with which

        Each forged claim has exactly one fault. The \(summary.genuine) claims that are neither forged nor planted are valid; \
        \(summary.rowsWithoutDevice) rows name no device, so the device of those is not checked.

        | failed check | claims | what was done | the first of them |
        |---|---:|---|---|
        \(Forgery.ofExports.compactMap { line($0.rawValue, $0.summary, summary.groups[$0]) }.joined(separator: "\n"))
        \(summary.notifications == 0 ? "" : evidence(summary))\(summary.plants.isEmpty ? "" : plants(summary))
        """
    }

    private static func evidence(_ summary: ExportSummary) -> String {
        """

        ## What the store told

        `evidence.ndjson` holds \(summary.notifications) App Store Server Notifications about honest purchases, one a line, \
        some twice. Add `--evidence evidence.ndjson` to the command. They tell the same as the receipts, except for the \
        refunds that `truth.json` lists as `late_refunds`: those came after the proof was made. The last lines are about \
        customers who need help (`support`): purchases that no claim presents, and refunds that Apple asks about. The findings and \
        subscriptions there are those of an audit without evidence.

        """
    }

    private static func plants(_ summary: ExportSummary) -> String {
        """

        ## What is planted

        Frauds that only a rule can find, because most of their receipts are genuine one by one. The claims of one \
        fraud stand far apart. Some frauds cannot be had alone: a receipt of another device is also a \
        `device-mismatch`. `truth.json` names each such finding with all its claims, and those of forged and honest \
        claims (an honest purchase can have been refunded).

        | rule | claims | what was done | the first of them |
        |---|---:|---|---|
        \(Plant.allCases.compactMap { line($0.rawValue, $0.summary, summary.plants[$0]) }.joined(separator: "\n"))

        """
    }

    private static func line(_ code: String, _ summary: String, _ group: ExportSummary.Group?) -> String? {
        group.map { "| `\(code)` | \($0.count) | \(summary) | \($0.examples.joined(separator: ", ")) |" }
    }
}

/// The counts of an export, made while its claims are written.
public struct ExportSummary: Sendable {
    /// The claims of one kind of forgery or plant.
    public struct Group: Sendable {
        public var count = 0
        /// The first few examples, as `devices.csv:17 (0000/000015.der)`.
        public var examples: [String] = []
    }

    public private(set) var claims = 0
    public private(set) var genuine = 0
    public private(set) var groups: [Forgery: Group] = [:]
    public private(set) var plants: [Plant: Group] = [:]
    public private(set) var files = 0
    public private(set) var base64Files = 0
    public private(set) var tokens = 0
    /// The size of all files, in bytes.
    public private(set) var bytes = 0
    public private(set) var rowsWithoutDevice = 0
    /// The lines of evidence.
    public private(set) var notifications = 0

    public init() {}

    /// Adds a claim.
    public mutating func add(_ claim: SampleClaim) {
        claims += 1
        if let file = claim.file {
            files += 1
            bytes += max(file.bytes.count, file.extendedTo ?? 0)
            if file.path.hasSuffix(".b64") { base64Files += 1 }
            if file.path.hasSuffix(".jws") { tokens += 1 }
        }
        if !claim.row.namesDevice { rowsWithoutDevice += 1 }
        switch claim.truth {
        case .genuine: genuine += 1
        case .forged(let forgery): groups[forgery, default: Group()].add(claim)
        case .planted(let plant): plants[plant, default: Group()].add(claim)
        }
    }

    mutating func addNotification() { notifications += 1 }

    /// The number of forged claims.
    public var forged: Int { groups.values.reduce(0) { $0 + $1.count } }
    /// The number of claims in planted clusters.
    public var planted: Int { plants.values.reduce(0) { $0 + $1.count } }
}

extension ExportSummary.Group {
    fileprivate mutating func add(_ claim: SampleClaim) {
        count += 1
        if examples.count < 3 { examples.append("\(claim.source) (\(claim.row.file))") }
    }
}
