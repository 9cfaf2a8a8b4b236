import Encodings
import FoundationEssentials
import SampleStore

@testable import Checks
@testable import Inputs
@testable import Proofs
@testable import Streams

/// The inputs to start from, all of them made: the same files every time.
struct Seeds {
    /// Gets a folder of inputs and a dictionary for each subject.
    let folder: String

    private let files = FileManager.default
    private static let claims = 400

    func write() throws {
        let export = try SampleExport(count: Self.claims, seed: 7, forgeryShare: 0.2, plantShare: 0.6)
        let claims = try (0..<Self.claims).map { try export.claim(at: $0) }
        let receipts = claims.compactMap { $0.file }.filter { $0.bytes.count < 16_000 && $0.extendedTo == nil }
        try write(.container, containers() + first(receipts.map(\.bytes)))
        try write(.receipt, try contents())
        try write(.json, tables(claims).map(\.json) + JSONSeeds.all)
        try write(.csv, tables(claims).map(\.csv) + CSVSeeds.all)
        try write(.base64, base64())
        try write(.reduce, lines(claims))
        try write(.yaml, try yaml())
        let tokens = try TokenSeeds.all()
        try write(.token, tokens.flatMap { [$0.encoded, $0.payload.octets] })
        try write(.evidence, TokenSeeds.evidence(tokens))
        try write(.workbook, WorkbookSubject.seeds)
        for kind in FuzzTarget.allCases { try write(Words.list(of: kind), to: "\(kind.rawValue).dict") }
    }

    private func write(_ kind: FuzzTarget, _ seeds: [[UInt8]]) throws {
        for (number, seed) in seeds.enumerated() { try write(seed, to: "\(kind.rawValue)/seed-\(number)") }
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let path = folder + "/" + name
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Some of many, so that there are not a thousand alike.
    private func first(_ all: [[UInt8]]) -> [[UInt8]] {
        stride(from: 0, to: all.count, by: 6).map { all[$0] }
    }

    /// A container for each way in which one departs from the strict form, and Xcode's.
    private func containers() throws -> [[UInt8]] {
        let authority = try PrivateAuthority()
        let content = Settings.receipt.der
        var all = [try authority.receipt(Settings.receipt), try authority.receipt(Settings.receipt, digest: .sha1)]
        for deviation in ContainerVariant.allCases {
            all.append(try deviation.container(signing: content, by: authority))
        }
        for other in [try PrivateAuthority.rogue(), try .developer(), try .chainOfFour()] {
            all.append(try other.receipt(Settings.receipt))
        }
        return all + [try XcodeReceipt.bytes(Settings.receipt)] + corpus("receipts") + corpus("negative")
    }

    /// The content of sample receipts of every kind.
    private func contents() throws -> [[UInt8]] {
        var all = (0..<24).map { ClaimDraft(index: $0, seed: 3, asOf: Settings.asOf).receipt.der }
        all.append(Settings.receipt.der)
        all.append(XcodeReceipt.content(from: Settings.receipt).der)
        let verifier = try SignatureVerifier(trust: try Settings.trust())
        for bytes in corpus("receipts") {
            if let contents = try? verifier.contents(of: bytes.span) { all.append(contents.content) }
        }
        return all
    }

    /// Rows of claims as NDJSON and as CSV, a few in each.
    private func tables(_ claims: [SampleClaim]) -> [(json: [UInt8], csv: [UInt8])] {
        stride(from: 0, to: 60, by: 3).map { start in
            var json: [UInt8] = []
            var csv = Array("receipt_data,file,device_id,account_id,bundle_id,presented_at\r\n".utf8)
            for claim in claims[start..<start + 3] {
                let row = claim.row
                let receipt = start % 2 == 0 ? Data(claim.file?.bytes.prefix(300) ?? []).base64EncodedString() : ""
                let cells = [receipt, row.file, row.deviceID, row.accountID, row.bundleID]
                let presented = row.presentedAt?.description ?? ""
                let names = ["receipt_data", "file", "device_id", "account_id", "bundle_id"]
                var members = zip(names, cells).map { "\(quoted($0)):\(quoted($1))" }
                members.append("\"presented_at\":" + quoted(presented))
                json += Array("{\(members.joined(separator: ","))}\n".utf8)
                csv += Array((cells + [presented]).map(cell).joined(separator: ",").utf8) + [0x0d, 0x0a]
            }
            return (json, csv)
        }
    }

    private func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONString.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func cell(_ text: String) -> String {
        text.contains { ",\"".contains($0) } ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    private func base64() throws -> [[UInt8]] {
        let data = Data(try PrivateAuthority().receipt(Settings.receipt).prefix(200))
        let text = data.base64EncodedString()
        let lines = data.base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
        let forms = [
            text, lines, String(text.prefix { $0 != "=" }), text.replacing("+", with: "-").replacing("/", with: "_"),
            "-----BEGIN PKCS7-----\n\(lines)\n-----END PKCS7-----\n", "\u{feff}" + text,
            "data:application/octet-stream;base64," + text, "TQ==", "TWE=", "TWFu", "T Q\n=\t=", "====", "TQ", "T", "",
            "\\x3082", "0x3082", text.replacing("+", with: "%2B"),
        ]
        return forms.map { Array($0.utf8) } + [Array(data)]
    }

    /// The lines of some claims, sorted, those of each step, and what every step makes of them.
    private func lines(_ claims: [SampleClaim]) throws -> [[UInt8]] {
        let trust = try Settings.trust()
        let settings = Settings.stream(trust)
        let checker = try Checker(trust: trust, expectations: settings.expectations)
        let identities = try IdentityHasher()
        var mapped: [[UInt8]] = []
        for (number, sample) in claims.enumerated() {
            guard let file = sample.file, file.extendedTo == nil else { continue }
            let emitter = try LineEmitter(settings, input: 0)
            var claim = Claim(source: "t:\(number)")
            claim.line = number
            claim.deviceID = ExactText(sample.row.deviceID)
            claim.accountID = ExactText(sample.row.accountID)
            claim.productID = ExactText(sample.row.productID)
            claim.presentedAt = sample.row.presentedAt
            var container: [UInt8] = []
            let isBase64 = ReceiptForm.decode(file.bytes.span, into: &container)
            var facts = checker.facts(of: claim, receipt: (isBase64 ? container : file.bytes).span)
            identities.identify(&facts, raw: file.bytes.span)
            emitter.emit(facts, by: settings.rules)
            mapped += try emitter.end().split(separator: 0x0a).map { Array($0) }
        }
        let rows = mapped.filter { $0.first == UInt8(ascii: "{") }
        let keyed = mapped.filter { $0.first != UInt8(ascii: "{") }.sorted { $0.lexicographicallyPrecedes($1) }
        var seeds: [[UInt8]] = []
        // The groups that show most: those of many claims.
        let groups = Dictionary(grouping: keyed) { Array($0.prefix { $0 != 0x09 }) }.values
        for group in groups.sorted(by: { ($0.count, $1[0].count) > ($1.count, $0[0].count) }).prefix(40) {
            let lines = Self.text(group.prefix(8))
            seeds += [lines, ReduceLines.reduced(lines, settings) ?? []]
        }
        seeds.append(Self.text(rows.prefix(6)))
        // The counts of a process that has read nothing make a summary by themselves.
        seeds.append(ReduceLines.reduced([], settings) ?? [])
        let reduced = ReduceLines.reduced(Self.text(keyed[...]), settings) ?? []
        for key in ["0", "c", "f", "j"] as [Unicode.Scalar] { seeds.append(Self.lines(of: reduced, under: key)) }
        return seeds.filter { !$0.isEmpty && $0.count < 16_000 }
    }

    private static func text(_ lines: ArraySlice<[UInt8]>) -> [UInt8] {
        var text: [UInt8] = []
        for line in lines { text += line + [0x0a] }
        return text
    }

    /// The first lines of a text whose keys start so.
    private static func lines(of text: [UInt8], under key: Unicode.Scalar) -> [UInt8] {
        let lines = text.split(separator: 0x0a).filter { $0.first == UInt8(ascii: key) }.map { Array($0) }
        return self.text(lines.prefix(8))
    }

    private func yaml() throws -> [[UInt8]] {
        var all = [Array(SamplePolicy.text.utf8), Array(YAMLSeeds.all.utf8)]
        for path in ["jobs/nightly.yml", "jobs/policy.example.yml"] {
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            all.append(Array(text.utf8))
            // The same with all that is commented out.
            all.append(
                Array(
                    text.split(separator: "\n").map { $0.hasPrefix("# ") ? $0.dropFirst(2) : $0 }
                        .joined(separator: "\n").utf8))
        }
        return all
    }

    /// Genuine receipts, where somebody has them; see CONTRIBUTING.md.
    private func corpus(_ part: String) -> [[UInt8]] {
        guard let corpus = ProcessInfo.processInfo.environment["RECEIPTS_CORPUS"] else { return [] }
        let names = (try? files.contentsOfDirectory(atPath: "\(corpus)/\(part)")) ?? []
        return names.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: URL(filePath: "\(corpus)/\(part)/\(name)")), data.count < 20_000
            else {
                return nil
            }
            return [UInt8](data)
        }
    }
}
