// zlib, as Debian installs it.
#pragma once
#include <zlib.h>

// `inflateInit2` is a function-like macro, which does not reach Swift.
static inline int audit_inflate_init2(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
