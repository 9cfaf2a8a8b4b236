/// A stranger's text in quotation marks, cut to a length that a person can read.
func quoted(_ text: String) -> String {
    guard text.unicodeScalars.count > 100 else { return "“\(text)”" }
    return "“" + String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) + "…”"
}

/// A number with its noun: `1 byte`, `2 bytes`.
func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
