import Encodings
import FoundationEssentials
import Rules
import Testing

struct `The rule book` {
    @Test func `lists every rule that has a file, and no other`() throws {
        let rules = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Rules")
        var filed: [String] = []
        for folder in ["Claim", "Group"] {
            let path = rules.appending(path: folder).path()
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                let text = String(decoding: try Data(contentsOf: URL(filePath: path + "/" + file)), as: UTF8.self)
                guard text.contains("static let documentation") else { continue }
                filed.append(String(file.prefix { $0 != "." }))
            }
        }
        #expect(filed.sorted() == RuleBook.rules.map { "\($0)" }.sorted())
    }

    @Test func `names each rule once, in kebab case, as its type is named`() {
        #expect(Set(RuleBook.ids).count == RuleBook.ids.count)
        for (id, rule) in zip(RuleBook.ids, RuleBook.rules) {
            let words = id.text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            #expect(words.joined() == "\(rule)")
        }
    }

    @Test func `has the thirty-three rules in the order of reports`() {
        #expect(RuleBook.claimRules.count == 16)
        #expect(RuleBook.groupRules.count == 16)
        #expect(RuleBook.rules.count == 33)
        #expect(RuleBook.ids.last == "fraud-ring")
    }

    @Test(arguments: RuleBook.rules.indices)
    func `tells of each rule why it matters, when it is wrong and what to do`(number: Int) {
        let text = RuleBook.rules[number].documentation
        for part in [text.title, text.raisedWhen, text.why, text.whenWrong, text.whatToDo] { #expect(part.count > 10) }
        #expect(RuleBook.rules[number].examples.count >= 2)
        #expect(text.raisedWhen.split(separator: " ").count <= 100, "the rest is for the list of details")
        for limit in text.limits { #expect(limit.range.contains(limit.standard)) }
    }
}
