import Encodings
import Files
import SampleStore

/// A command's messages on standard error about the files that it has written.
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
