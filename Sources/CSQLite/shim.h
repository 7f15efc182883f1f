// What Swift cannot import from SQLite: the destructor constant is a cast macro, the configuration takes any number of arguments.
#ifndef INTERSESSION_CSQLITE_SHIM_H
#define INTERSESSION_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Tells SQLite to copy a bound value, because the Swift buffer lives only as long as the call.
static inline sqlite3_destructor_type intersession_sqlite_transient(void)
{
    return SQLITE_TRANSIENT;
}

/// Counts no memory. The counts stand behind one lock of the whole process, which every allocation of every connection takes.
/// - Returns: `SQLITE_OK`, or `SQLITE_MISUSE` when a database has been opened before.
static inline int intersession_sqlite_counts_no_memory(void)
{
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
