/// Finds the word that somebody probably meant.
public enum Nearest {
    /// Returns the nearest of some words, if at most one letter in three is wrong, missing, added or swapped.
    public static func word(to text: ExactText, among words: [ExactText]) -> ExactText? {
        let letters = Array(text.text.lowercased().unicodeScalars.prefix(100))
        var best: (distance: Int, word: ExactText)?
        for word in words {
            let other = Array(word.text.lowercased().unicodeScalars)
            let found = distance(letters, other)
            guard found <= max(1, min(letters.count, other.count) / 3) else { continue }
            if found < best?.distance ?? .max { best = (found, word) }
        }
        return best?.word
    }

    /// Returns “; did you mean …?” if a word is near, otherwise nothing.
    public static func question(_ text: ExactText, among words: [ExactText]) -> String {
        word(to: text, among: words).map { "; did you mean “\($0)”?" } ?? ""
    }

    /// Returns the number of letters to insert, delete, replace or swap with their neighbour (Damerau–Levenshtein
    /// distance).
    static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
