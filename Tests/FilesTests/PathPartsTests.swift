import Files
import Testing

struct `The parts of a path` {
    @Test(arguments: [
        ("a/b/c.der", "a/b", "c.der"), ("c.der", "", "c.der"), ("/c.der", "/", "c.der"), ("//c.der", "/", "c.der"),
        ("a//c.der", "a/", "c.der"), ("a/", "a", ""), ("/", "/", ""), ("", "", ""), ("./c.der", ".", "c.der"),
    ])
    func `are the folder and the name`(path: String, folder: String, name: String) {
        let parts = PathParts(path)
        #expect(parts.folder == folder)
        #expect(parts.name == name)
    }

    @Test(arguments: [("a/b/c.der", "a/b/"), ("c.der", "./"), ("/c.der", "/"), ("a//c.der", "a//")])
    func `are a place, before which another name can be put`(path: String, place: String) {
        #expect(PathParts(path).place == place)
    }

    @Test func `are cut at a slash that a mark stands behind`() {
        let parts = PathParts("a/\u{301}b")
        #expect(parts.folder == "a")
        #expect(parts.name.unicodeScalars.elementsEqual("\u{301}b".unicodeScalars))
    }
}
