import Encodings
import Testing

struct `The word that somebody may have meant` {
    @Test(arguments: [
        ("sevrity", "severity"), ("severitty", "severity"), ("sevarity", "severity"), ("esverity", "severity"),
        ("SEVERITY", "severity"), ("limt", "limit"), ("offf", "off"),
    ])
    func `is one that is near`(text: String, word: String) {
        let near = Nearest.word(to: ExactText(text), among: ["rules", "severity", "limit", "off"])
        #expect(near == ExactText(word))
    }

    @Test(arguments: ["", "x", "versatility", "unlimited", "limxy", "fof no"])
    func `is none that is far`(text: String) {
        #expect(Nearest.word(to: ExactText(text), among: ["rules", "severity", "limit", "off"]) == nil)
    }

    @Test func `is the nearest, and the first of those that are as near`() {
        #expect(Nearest.word(to: "products", among: ["product", "products"]) == "products")
        #expect(Nearest.word(to: "cat", among: ["bat", "rat"]) == "bat")
    }

    @Test func `is asked for in a question, or not at all`() {
        #expect(Nearest.question("sevrity", among: ["severity"]) == "; did you mean “severity”?")
        #expect(Nearest.question("colour", among: ["severity"]) == "")
    }

    @Test func `is found in time, however long the text is`() {
        let text = ExactText(String(repeating: "x", count: 1 << 20))
        #expect(Nearest.word(to: text, among: [ExactText(String(repeating: "x", count: 100))]) != nil)
    }
}
