import Foundation
import Policies
import Testing

struct `A policy that was damaged` {
    /// Numbers that are the same in every run.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

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
