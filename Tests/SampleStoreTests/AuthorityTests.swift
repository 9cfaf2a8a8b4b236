import Dispatch
import Encodings
import SampleStore
import Synchronization
import Testing

struct `A private authority` {
    @Test func `says the dates that it was given, from either side of 2050`() throws {
        let identity = try SampleIdentity(
            selfSigned: .root.with { ($0.notBefore, $0.notAfter) = (.utc(1999, 12, 31), .utc(2051, 2, 3)) })
        for (tag, text) in [(0x17, "991231000000Z"), (0x18, "20510203000000Z")] as [(UInt8, String)] {
            #expect(identity.certificate.firstRange(of: [tag, UInt8(text.utf8.count)] + text.utf8) != nil)
        }
    }

    @Test(arguments: SampleKey.allCases)
    func `has keys that can be read`(key: SampleKey) throws {
        let signing = try SigningKey(key)
        #expect(signing.curve == key.curve)
        if let curve = key.curve {
            #expect(try signing.curveSignature(over: [1], digest: .sha256).octets.count == 2 * curve.octetCount)
        } else {
            #expect(try signing.signature(over: [1], digest: .sha256).count == (key == .small ? 128 : 256))
        }
    }

    @Test func `signs the same on all threads at once`() throws {
        let key = try SigningKey(.leaf)
        let expected = try key.signature(over: Array("receipt".utf8), digest: .sha256)
        let equal = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if (try? key.signature(over: Array("receipt".utf8), digest: .sha256)) == expected {
                equal.add(1, ordering: .relaxed)
            }
        }
        #expect(equal.load(ordering: .relaxed) == 64)
    }
}
