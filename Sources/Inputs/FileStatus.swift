private import Glibc

/// Throws unless there is something at this path, which a run needs to know before it starts.
func requireFile(_ path: String) throws(InputError) {
    if path == "-" { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
        throw .unopenable(path: path, reason: systemReason())
    }
}

func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The absolute path without symbolic links.
func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// What the system says of its last refusal, for example `no such file or directory`.
func systemReason() -> String { unsafe String(cString: strerror(errno)).lowercased() }
