import Encodings
import YAML

/// What went wrong, in words that a terminal shows and does not obey.
///
/// Errors carry names of files and cells of tables as they are; this is where they become text for a person.
enum ErrorText {
    static func safe(_ error: any Error) -> String {
        // A line for each problem, in which strangers' text is safe already.
        error is YAMLFileError ? "\(error)" : TerminalText.escaped("\(error)")
    }
}
