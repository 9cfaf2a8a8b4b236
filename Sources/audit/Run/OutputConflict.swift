import Encodings
import Files
import Inputs
import Reports

/// Something that a run is to write would take the place of something that it reads, or of something else that it writes.
struct OutputConflict: Error, CustomStringConvertible {
    let output: String
    let other: String
    let isInput: Bool

    var description: String {
        let (output, other) = (TerminalText.escaped(output), TerminalText.escaped(other))
        return isInput
            ? "\(output) would take the place of \(other), which this run reads; give it another name"
            : "\(output) and \(other) are one file; give one of them another name"
    }
}

extension RunSettings {
    /// What is to be written, each as the command line says it, and where.
    private var outputs: [(written: String, path: String)] {
        let reports = requests.filter { $0.path != "-" }.map { ("--report \($0.path)", $0.path) }
        return reports + (metrics.map { [("--metrics \($0)", $0)] } ?? [])
            + (state.map { [("--state \($0.written)", $0.path)] } ?? [])
    }

    /// The paths of all files that a run is to write.
    var outputPaths: [String] { outputs.map(\.path) }

    /// Throws if a file is to be written that is read, or that is to be written twice. An earlier report may be the baseline of
    /// the one that takes its place.
    func checkOutputs() throws(OutputConflict) {
        var read: [FileIdentity: String] = [:]
        let manifests =
            devices.map { [$0] } ?? inputs.map { GivenPath($0.written + "/devices.csv", at: $0.path + "/devices.csv") }
        for given in inputs + manifests + roots + [policy, pseudonymise].compactMap({ $0 }) {
            if let identity = FileIdentity(given.path) { read[identity] = given.written }
        }
        var written: [FileIdentity: String] = [:]
        for output in outputs {
            guard let identity = FileIdentity(output.path) else { continue }
            if let input = read[identity] {
                throw OutputConflict(output: output.written, other: input, isInput: true)
            }
            if let other = written.updateValue(output.written, forKey: identity) {
                throw OutputConflict(output: output.written, other: other, isInput: false)
            }
        }
    }
}
