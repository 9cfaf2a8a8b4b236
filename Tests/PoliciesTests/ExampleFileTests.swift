import Corpus
import Encodings
import Foundation
import Policies
import Rules
import Testing

struct `The example of a policy` {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../jobs/policy.example.yml")
    private let text: String

    init() throws { text = try String(contentsOf: Self.url, encoding: .utf8) }

    @Test func `changes nothing as it is, so that it condemns nobody's apps`() throws {
        let policy = try policy(text)
        #expect(policy.environments == Policy().environments && policy.apps.isEmpty)
        #expect(policy.rules.isEmpty && policy.allowances.isEmpty)
    }

    /// The file without the marks in front of its settings: paragraphs that begin with a key.
    private var uncommented: String {
        text.split(separator: "\n\n", omittingEmptySubsequences: false).map { paragraph in
            guard ["environments:", "apps:", "allow:"].contains(where: { paragraph.hasPrefix("# " + $0) }) else {
                return String(paragraph)
            }
            return paragraph.split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    @Test func `is a policy if the marks in front of its settings are taken away`() throws {
        let policy = try policy(uncommented)
        #expect(policy.environments == ["Production", "ProductionVPP"])
        #expect(policy.apps.keys.sorted() == ["com.example.lite", "com.example.notes"])
        #expect(policy.apps["com.example.notes"]?.versions == ["1.0", "1.1", "1.10"])
        #expect(policy.apps["com.example.notes"]?.products?.count == 4)
        #expect(policy.rules.isEmpty)
        #expect(policy.allowances.count == 2)
    }

    @Test func `shows each rule with its standard severity and limits, in the order of the rule book`() {
        let settings = RuleBook.rules.map { rule in
            let documentation = rule.documentation
            let limits = documentation.limits.map { ", \($0.name): \($0.standard)" }.joined()
            return "  # \(documentation.id): {severity: \(documentation.severity.code)\(limits)}"
        }
        let lines = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  # ") && $0.hasSuffix("}") }
        #expect(lines == settings)
    }

    @Test(arguments: RuleBook.rules.indices)
    func `shows a rule so that taking away the mark is enough`(number: Int) throws {
        let documentation = RuleBook.rules[number].documentation
        let policy = try policy(text.replacing("  # \(documentation.id): {", with: "  \(documentation.id): {"))
        var settings = Policy.RuleSettings()
        settings.severity = documentation.severity
        for limit in documentation.limits { settings.limits[limit.name] = limit.standard }
        #expect(policy.rules == [documentation.id: settings])
    }
}

struct `A policy that was damaged` {
    @Test(arguments: 1...8)
    func `is read or refused with a reason, and nothing else happens`(seed: UInt64) throws {
        let example = Array(try Data(contentsOf: `The example of a policy`.url))
        let marks = Array("[]{}:,-?&*!|>'\"%@`#~ \n\t\\".utf8) + [0, 0x80, 0xff]
        var random = Seeded(state: seed)
        for _ in 0..<150 {
            var bytes = example
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[start] = marks[Int.random(in: 0..<marks.count, using: &random)]
                case 1: bytes.insert(marks[Int.random(in: 0..<marks.count, using: &random)], at: start)
                case 2: if end - start < bytes.count { bytes.removeSubrange(start..<end) }
                case 3:
                    bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0..<bytes.count, using: &random))
                // Takes a rule out of its comment.
                default: if let mark = bytes[start...].firstIndex(of: UInt8(ascii: "#")) { bytes[mark] = 0x20 }
                }
            }
            let complaint = complaint(bytes)
            #expect(complaint.isEmpty || complaint.hasPrefix("policy.yml:"))
        }
    }
}
