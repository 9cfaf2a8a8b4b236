import SampleStore
import Testing

struct `An export with plants` {
    @Test func `holds every kind among 1,000 claims at a share of 0.08`() throws {
        let export = try SampleExport(count: 1000, seed: 1, plantShare: 0.08)
        #expect(Set((0..<1000).compactMap { export.plant(at: $0) }).count == Plant.allCases.count)
        for plant in Plant.allCases {
            let clusters = export.expectedFindings(of: plant)
            #expect(!clusters.isEmpty)
            for findings in clusters { #expect(findings.map(\.rule).contains(plant.rawValue)) }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 17, 60, 999, 4000], [0.01, 0.05, 0.4, 1])
    func `has whole clusters within its share, and none where a forgery is`(count: Int, share: Double) throws {
        let export = try SampleExport(count: count, seed: 2, plantShare: share)
        let plain = try SampleExport(count: count, seed: 2)
        var planted: [Plant: Int] = [:]
        for index in 0..<count {
            #expect(export.forgery(at: index) == plain.forgery(at: index))
            guard let plant = export.plant(at: index) else { continue }
            #expect(export.forgery(at: index) == nil)
            planted[plant, default: 0] += 1
        }
        let total = planted.values.reduce(0, +)
        #expect(Double(total) <= Double(count) * share)
        // The largest cluster has eleven claims.
        #expect(Double(total) > min(Double(count) * share, Double(count) * 0.9) - 12)
    }

    @Test func `leaves the claims that are not planted as they were`() throws {
        let export = try SampleExport(count: 200, seed: 3, plantShare: 0.3)
        let plain = try SampleExport(count: 200, seed: 3)
        for index in 0..<200 where export.plant(at: index) == nil {
            let claim = try export.claim(at: index)
            let other = try plain.claim(at: index)
            #expect(claim.file == other.file && claim.row == other.row && claim.truth == other.truth)
        }
    }

    @Test func `spreads the claims of a cluster`() throws {
        let export = try SampleExport(count: 1000, seed: 4, plantShare: 0.05)
        let crowd = (0..<1000).filter { export.plant(at: $0) == .crowdedDevice }
        #expect(crowd.count == 6)
        #expect(zip(crowd, crowd.dropFirst()).allSatisfy { $1 - $0 > 50 })
    }
}
