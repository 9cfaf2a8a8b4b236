#pragma once

/// Returns one byte of the commit that the program was built from; 0 past its end, and if the commit is not known.
char audit_commit_octet(int index);
