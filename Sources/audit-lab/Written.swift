import Encodings
import Files
import SampleStore

/// What a command has written to a folder, as it says on standard error.
enum Written {
    static func say(_ what: String, to folder: String) {
        StandardError.write("\(TerminalText.escaped(folder)): \(what)\n")
    }

    static func say(_ summary: ExportSummary, to folder: String) {
        say(
            "\(summary.claims) claims, \(summary.forged) of them forged, \(summary.planted) in planted frauds; "
                + "README.md lists them", to: folder)
    }
}
