// SQLite, as Debian installs it.
#pragma once
#include <sqlite3.h>

// Has SQLite not count the memory it has: for that, each allocation takes a lock that all connections share. To be called
// before anything else of SQLite. `sqlite3_config` is variadic, which Swift cannot call.
static inline int audit_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
