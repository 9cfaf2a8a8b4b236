import Policies
import Rules
import YAML

@testable import audit

/// YAML: policies and jobs.
struct YAMLSubject: Subject {
    func read(_ bytes: [UInt8]) {
        check(bytes) { () throws(YAMLFileError) in
            let policy = try PolicyFile.read(bytes: bytes, name: "file.yml")
            _ = RuleSet(policy, asOf: Settings.asOf)
        }
        check(bytes) { () throws(YAMLFileError) in
            _ = try Job.read(bytes: bytes, name: "file.yml") { $0 == "HOME" ? "/home" : nil }
        }
    }

    /// A file is read, or refused with reasons that name places in it and can be printed.
    private func check(_ bytes: [UInt8], _ body: () throws(YAMLFileError) -> Void) {
        do throws(YAMLFileError) {
            try body()
        } catch {
            demand(!error.problems.isEmpty, "refused for no reason")
            // The line breaks of YAML 1.1: LF, CR, and U+0085, U+2028 and U+2029. One byte of each is counted.
            let lines = bytes.count { [0x0a, 0x0d, 0x85, 0xa8, 0xa9].contains($0) } + 1
            for problem in error.problems {
                demand(isPrintable(problem.message), "not fit for a terminal: \(problem.message.debugDescription)")
                demand(problem.message.utf8.count < 4_000, "a message of \(problem.message.utf8.count) bytes")
                guard let place = problem.place else { continue }
                demand((1...lines + 1).contains(place.line), "line \(place.line) of \(lines)")
                demand((1...bytes.count + 1).contains(place.column), "column \(place.column)")
            }
        }
    }
}
