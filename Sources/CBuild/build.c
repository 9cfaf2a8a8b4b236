#include "build.h"

#ifndef AUDIT_COMMIT
#define AUDIT_COMMIT ""
#endif

char audit_commit_octet(int index) {
    static const char commit[] = AUDIT_COMMIT;
    return index >= 0 && index < (int)sizeof commit ? commit[index] : 0;
}
