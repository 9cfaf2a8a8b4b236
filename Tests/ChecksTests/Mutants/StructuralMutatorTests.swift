import SampleStore
import Testing

struct `A mutator` {
    @Test(arguments: MutationKind.ofContainers)
    func `makes the same mutant for the same seed and number, and others for others`(kind: MutationKind) throws {
        let authority = try PrivateAuthority()
        let specimen = try #require(Specimen(name: "sample", bytes: authority.receipt(Samples.receipt)))
        let donor = try #require(
            Specimen(name: "rogue", bytes: PrivateAuthority.rogue().receipt(Samples.receipt, digest: .sha1)))
        func mutants(seed: UInt64) -> [[UInt8]] {
            (0..<20).map { number in
                var mutator = StructuralMutator(specimen, donors: [donor], kinds: [kind], seed: seed, number: number)
                return mutator.mutant().bytes
            }
        }
        let first = mutants(seed: 1)
        #expect(first == mutants(seed: 1))
        #expect(first != mutants(seed: 2))
        #expect(Set(first).count > 1)
        #expect(first.contains { $0 != specimen.bytes })
    }
}
