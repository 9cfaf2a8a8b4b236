import Corpus
import FoundationEssentials
import Testing

/// How many mutants are made, and from which seed: more than usual if the environment says so.
enum MutationBudget {
    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    /// Mutants in all: of containers three quarters, of contents that are signed afterwards one quarter.
    static let mutants = max(1, number("ATTACK_MUTANTS") ?? 10_000)
    static let seed = UInt64(truncatingIfNeeded: number("ATTACK_SEED") ?? 1)
    /// Whether the table of all kinds is printed.
    static let isVerbose = number("ATTACK_MUTANTS") != nil
}

/// What became of some mutants.
struct MutationTally {
    struct Count {
        var mutants = 0
        /// The edits cancelled each other, or changed nothing.
        var unchanged = 0
        var accepted = 0
    }

    var kinds: [MutationKind: Count] = [:]
    var total = Count()
    /// Accepted mutants by what the product leaves open in them.
    var freedoms: [String: Int] = [:]
    /// What should not have been accepted, the first few of each specimen.
    var failures: [String] = []
    var failureCount = 0

    mutating func record(_ mutant: Mutant, _ outcome: WritableKeyPath<Count, Int>?) {
        total.mutants += 1
        if let outcome { total[keyPath: outcome] += 1 }
        for kind in Set(mutant.edits.map(\.kind)) {
            kinds[kind, default: Count()].mutants += 1
            if let outcome { kinds[kind, default: Count()][keyPath: outcome] += 1 }
        }
    }

    /// Records that a mutant of a specimen is not as it should be.
    mutating func fail(_ name: String, _ number: Int, _ reason: String, _ mutant: Mutant) {
        failureCount += 1
        guard failures.count < 3 else { return }
        failures.append("\(name), seed \(MutationBudget.seed), mutant \(number): \(reason); \(mutant.edits)")
    }

    mutating func add(_ other: MutationTally) {
        total.add(other.total)
        for (kind, count) in other.kinds { kinds[kind, default: Count()].add(count) }
        for (freedom, count) in other.freedoms { freedoms[freedom, default: 0] += count }
        failures += other.failures
        failureCount += other.failureCount
    }
}

extension MutationTally.Count {
    fileprivate mutating func add(_ other: MutationTally.Count) {
        mutants += other.mutants
        unchanged += other.unchanged
        accepted += other.accepted
    }
}

extension MutationTally: CustomStringConvertible {
    /// One line, or one for each kind too.
    var description: String {
        var lines = [
            "\(total.mutants) mutants from seed \(MutationBudget.seed): \(total.accepted) accepted, "
                + "\(total.unchanged) unchanged, \(failureCount) failures"
        ]
        lines += freedoms.sorted { $0.key < $1.key }.map { "    accepted \($0.value): \($0.key)" }
        guard MutationBudget.isVerbose else { return lines.joined(separator: "\n") }
        for kind in MutationKind.allCases {
            guard let count = kinds[kind] else { continue }
            lines.append(
                "    \(kind.rawValue): \(count.mutants) mutants, \(count.accepted) accepted, \(count.unchanged) unchanged"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension MutationTally {
    /// The tallies of several campaigns, which run side by side.
    static func sum<Subject: Sendable>(
        _ subjects: [Subject], _ run: @escaping @Sendable (Subject) throws -> MutationTally
    ) async throws -> MutationTally {
        try await withThrowingTaskGroup(of: MutationTally.self) { group in
            for subject in subjects { group.addTask { try run(subject) } }
            var sum = MutationTally()
            for try await tally in group { sum.add(tally) }
            return sum
        }
    }

    /// Prints the tally, and fails for each failure in it.
    ///
    /// - Parameter kinds: the kinds of mutant that must have been made.
    func check(everyOneOf kinds: [MutationKind] = []) {
        print(self)
        for failure in failures.prefix(20) { Issue.record("\(failure)") }
        #expect(failureCount == 0)
        // The harness itself: every kind was made, and what may be accepted was.
        for kind in kinds { #expect(self.kinds[kind]?.mutants ?? 0 > 0, "\(kind)") }
        #expect(total.accepted > 0)
    }
}
