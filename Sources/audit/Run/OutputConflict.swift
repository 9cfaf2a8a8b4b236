import Encodings
import Files
import Inputs
import Reports

/// An output of a run that would replace an input or another output, or that is inside an INPUT folder.
struct OutputConflict: Error, CustomStringConvertible {
    enum Reason {
        /// It replaces an input file.
        case replaces
        /// It is the same file as another output.
        case isWrittenTwice
        /// It is inside an INPUT folder, where every file is read as a receipt.
        case liesInside
    }

    let output: String
    let other: String
    let reason: Reason

    var description: String {
        let (output, other) = (TerminalText.escaped(output), TerminalText.escaped(other))
        return switch reason {
        case .replaces: "\(output) would replace \(other), which this run reads; choose another file"
        case .isWrittenTwice: "\(output) and \(other) are the same file; choose another one"
        case .liesInside:
            "\(output) is inside the INPUT \(other), where every file is read as a receipt; choose another folder"
        }
    }
}

extension RunSettings {
    /// An output: its option, its path and its kind.
    private struct Output {
        enum Kind: Equatable {
            case report(ReportRequest.Table?)
            case metrics, ledger, temporary
        }

        let written: String
        let path: String
        let kind: Kind
    }

    /// All outputs.
    private var outputs: [Output] {
        var outputs = requests.filter { $0.path != "-" }.map {
            Output(written: "--report \($0.path)", path: $0.path, kind: .report($0.table))
        }
        if let metrics { outputs.append(Output(written: "--metrics \(metrics)", path: metrics, kind: .metrics)) }
        if let state {
            // The one before the last change, and a damaged one, are kept beside it.
            for suffix in ["", ".previous", ".damaged"] {
                let written = "--state \(state.written)\(suffix)"
                outputs.append(Output(written: written, path: state.path + suffix, kind: .ledger))
            }
        }
        return outputs
    }

    /// Throws if an output would replace an input or another output, or is inside an INPUT folder.
    ///
    /// In an INPUT folder an untrusted file could have the name of an output's temporary file, and the next run would
    /// read the output as a receipt. A `fraud` report may replace the baseline that it is compared with.
    func checkOutputs() throws(OutputConflict) {
        let folders = (inputs.filter { $0.path != "-" } + evidence + [sales].compactMap(\.self)).compactMap { input in
            FileIdentity(directory: input.path).map { (identity: $0, name: input.written) }
        }
        let (read, baseline) = (readFiles, baseline.flatMap { FileIdentity($0.path) })
        var written: [FileIdentity: Output] = [:]
        func check(_ output: Output, _ identity: FileIdentity?) throws(OutputConflict) {
            // Checks the target of a symbolic link, and the link itself, which could be untrusted.
            for path in Set([output.path, OutputFile.resolved(output.path)]) {
                let above = FileIdentity.directories(above: path)
                guard let folder = folders.first(where: { above.contains($0.identity) }) else { continue }
                throw OutputConflict(output: output.written, other: folder.name, reason: .liesInside)
            }
            guard let identity else { return }
            if let input = read[identity] {
                throw OutputConflict(output: output.written, other: input, reason: .replaces)
            }
            if identity == baseline, output.kind != .report(.fraud) {
                throw OutputConflict(output: output.written, other: "the baseline", reason: .replaces)
            }
            // A run that ends while its ledger takes the place of the last one may leave one file with both names.
            let other = written.updateValue(output, forKey: identity)
            if let other, (other.kind, output.kind) != (.ledger, .ledger) {
                throw OutputConflict(output: output.written, other: other.written, reason: .isWrittenTwice)
            }
        }
        for output in outputs { try check(output, FileIdentity(output.path)) }
        if let request = requests.first(where: { $0.path == "-" }), let identity = FileIdentity.standardOutput {
            let path = FileIdentity.standardOutputPath ?? "/dev/stdout"
            try check(Output(written: "standard output", path: path, kind: .report(request.table)), identity)
        }
        let temporary = Self.temporaryFolder
        try check(
            Output(written: "TMPDIR (\(temporary))", path: temporary + "/audit.XXXXXX", kind: .temporary), nil)
    }

    /// The input files, except receipts in folders and the baseline, with their arguments.
    private var readFiles: [FileIdentity: String] {
        var read: [FileIdentity: String] = [:]
        let manifests =
            devices.map { [$0] } ?? inputs.map { GivenPath($0.written + "/devices.csv", at: $0.path + "/devices.csv") }
        let settings = [policy, pseudonymise, jobFile].compactMap { $0 }
        for given in inputs.filter({ $0.path != "-" }) + evidence + manifests + roots + settings {
            if let identity = FileIdentity(given.path) { read[identity] = given.written }
        }
        if inputs.contains(where: { $0.path == "-" }), let identity = FileIdentity.standardInput {
            read[identity] = "standard input"
        }
        return read
    }

    /// Removes the temporary files of killed runs next to the outputs.
    ///
    /// Leaves the folder of an INPUT alone that is a file or standard input: its rows may name receipts there, with any
    /// names.
    func removeStaleFiles() {
        let folders = Set(
            inputs.filter { $0.path == "-" || FileIdentity(directory: $0.path) == nil }
                .compactMap { FileIdentity.directories(above: $0.path).first })
        for output in outputs {
            let paths = [output.path, OutputFile.resolved(output.path)]
            guard paths.allSatisfy({ folders.isDisjoint(with: FileIdentity.directories(above: $0)) }) else { continue }
            StaleFiles.remove(beside: output.path, varying: [date, time])
        }
    }
}
