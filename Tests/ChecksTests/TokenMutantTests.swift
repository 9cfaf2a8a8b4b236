import Corpus
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// Tokens put together of parts of genuine ones and of what a forger can make, in random ways.
///
/// A mutant may be valid only if its content equals a genuine token's, byte by byte.
struct `A mutant of a token` {
    @Test(arguments: 0..<4) func `is never valid if its payload is not one that the store signed`(seed: Int) throws {
        let (store, rogue, developer) = (
            try TokenAuthority(), try TokenAuthority.rogue(), try TokenAuthority.developer()
        )
        let checker = try Samples.checker(trusting: store.root.certificate)
        let payloads = (0..<4).map { number in
            TransactionContent(
                .nonConsumable, bundleID: "com.example.notes", productID: "pro",
                transactionID: "46000000000000\(number)",
                purchasedAt: .utc(2025, 3, 1)
            ).json.octets
        }
        let genuine = try payloads.map { try store.token(octets: $0) }
        for token in genuine { #expect(checker.codes(token.encoded, Claim(source: "genuine")) == "") }
        let signed = Set(payloads)
        var random = Seeded(state: UInt64(seed))
        var valid = 0
        let rounds = Exhaustive.count(25_000, sampled: 750)
        for _ in 0..<rounds {
            var token = try #require(genuine.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                try mutate(&token, genuine, [rogue, developer], store, &random)
            }
            let facts = checker.facts(token.encoded, Claim(source: "mutant"))
            guard facts.verdict == .valid else { continue }
            valid += 1
            #expect(signed.contains(token.payload.octets), "\(token.text)")
        }
        // Some change nothing, so that the others are not refused for an accident of the test.
        #expect(valid > 0 && valid < rounds / 2)
    }

    private func mutate(
        _ token: inout TokenContent, _ genuine: [TokenContent], _ forgers: [TokenAuthority], _ store: TokenAuthority,
        _ random: inout Seeded
    ) throws {
        let other = try #require(genuine.randomElement(using: &random))
        let forger = try #require(forgers.randomElement(using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: token.header = other.header
        case 1: token.payload = other.payload
        case 2: token.signature = other.signature
        case 3: token.payload.octets = altered(token.payload.octets, &random)
        case 4: token.signature.octets = altered(token.signature.octets, &random)
        case 5: token.header.octets = altered(token.header.octets, &random)
        case 6: token = try forger.token(octets: altered(token.payload.octets, &random))
        case 7:
            // The forger's signature under the store's certificates.
            let forged = try forger.token(octets: altered(token.payload.octets, &random))
            (token.payload, token.signature) = (forged.payload, forged.signature)
        case 8:
            var form = TokenForm()
            form.certificates = [forger.leaf.certificate] + store.certificates.dropFirst()
            token = try forger.token(octets: altered(token.payload.octets, &random), as: form)
        case 9: token.payload.paddingCount = Int.random(in: 0...2, using: &random)
        case 10: token.header.hasStrayBits.toggle()
        default:
            let numbers = token.signature.octets
            if numbers.count == 64 { token.signature.octets = Array(numbers[32...] + numbers[..<32]) }
        }
    }

    /// Bytes with some changed, left out, repeated or put in.
    private func altered(_ octets: [UInt8], _ random: inout Seeded) -> [UInt8] {
        guard !octets.isEmpty else { return octets }
        var octets = octets
        let place = Int.random(in: octets.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: octets[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: octets.remove(at: place)
        case 2: octets.insert(octets[place], at: place)
        case 3: octets.insert(UInt8(ascii: " "), at: place)
        default: octets.removeLast(octets.count - place)
        }
        return octets
    }
}
