import Encodings

/// A stranger's text in quotation marks, cut to a length that a person can read.
func quoted(_ text: String) -> String { text.quoted(upTo: 100) }
