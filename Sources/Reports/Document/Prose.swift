/// A text of ours, in which names stand between backticks.
enum Prose {
    /// The text in pieces, in order; a backtick without a second one stays as it is.
    static func pieces(_ text: String) -> [(text: String, isCode: Bool)] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count % 2 == 1 else { return [(text: text, isCode: false)] }
        return parts.enumerated().map { (text: $1, isCode: $0 % 2 == 1) }.filter { !$0.text.isEmpty }
    }
}
