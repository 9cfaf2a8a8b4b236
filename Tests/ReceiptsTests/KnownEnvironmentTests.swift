import Encodings
import Receipts
import Testing

struct `An environment that is known` {
    @Test func `keeps its number, which stands in what was written`() {
        let names: [ExactText] = [
            "Production", "ProductionSandbox", "Xcode", "ProductionVPP", "ProductionVPPSandbox", "", "Sandbox",
            "LocalTesting",
        ]
        #expect(names.map { KnownEnvironment.number(of: $0) } == [0, 1, 2, 3, 4, 5, 6, 7])
        #expect((0..<8).map { KnownEnvironment.name($0) } == names)
    }

    @Test(arguments: ["production", "sandbox", "Production ", "Xcode\u{301}", "\0"])
    func `is spelled as receipts spell it`(name: String) {
        #expect(KnownEnvironment.number(of: ExactText(name)) == nil)
    }

    @Test(arguments: [-1, 8, Int.max])
    func `has none of the other numbers`(number: Int) { #expect(KnownEnvironment.name(number) == nil) }

    @Test func `is not meant by the number of those that are not known`() {
        #expect(KnownEnvironment.name(KnownEnvironment.unknown) == nil)
    }
}
