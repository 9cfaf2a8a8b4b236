#pragma once

/// One octet of the commit that the program was built from; 0 behind its end, and if the commit is not known.
char audit_commit_octet(int index);
