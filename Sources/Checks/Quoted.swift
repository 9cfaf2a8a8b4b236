import Encodings

/// An untrusted text in quotation marks, cut to a length that a person can read.
func quoted(_ text: String) -> String { text.quoted(upTo: 100) }

func quoted(_ text: ExactText) -> String { quoted(text.text) }
