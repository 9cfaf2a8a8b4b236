import Encodings
import Engine
import Testing

/// How often a rule was right.
struct `The quality of a rule` {
    private func quality(fraud: Int, ok: Int, watch: Int = 0) -> RuleQuality {
        var quality = RuleQuality("shared-receipt", findings: 1000)
        for _ in 0..<fraud { quality.add(.fraud) }
        for _ in 0..<ok { quality.add(.ok) }
        for _ in 0..<watch { quality.add(.watch) }
        return quality
    }

    /// The bounds are those of R's `binom::binom.wilson` and of statsmodels' `proportion_confint`.
    @Test(arguments: [
        (36, 3, "0.923077", "0.797", "0.973"), (0, 1, "0", "0", "0.793"), (1, 0, "1", "0.207", "1"),
        (5, 5, "0.5", "0.237", "0.763"), (81, 182, "0.307985", "0.255", "0.366"),
    ])
    func `is the share of what was confirmed, with Wilson's bounds`(
        fraud: Int, ok: Int, share: String, low: String, high: String
    ) {
        let quality = quality(fraud: fraud, ok: ok, watch: 7)
        #expect(quality.confirmed?.description == share)
        #expect(quality.bounds?.low.description == low && quality.bounds?.high.description == high)
        #expect(quality.reviewed == fraud + ok + 7)
    }

    @Test func `is not known where nothing was decided`() {
        #expect(quality(fraud: 0, ok: 0, watch: 3).confirmed == nil)
        #expect(quality(fraud: 0, ok: 0, watch: 3).bounds == nil)
    }
}
