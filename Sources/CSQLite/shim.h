// SQLite, as Debian installs it.
#pragma once
#include <sqlite3.h>

// Stops SQLite from counting the memory that it allocates: to count it, each allocation takes a lock that all connections
// share. Must be called before any other function of SQLite. `sqlite3_config` is variadic, which Swift cannot call.
static inline int audit_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
