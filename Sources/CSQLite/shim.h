// What Swift cannot import from SQLite: the destructor constant is a cast macro.
#ifndef INTERSESSION_CSQLITE_SHIM_H
#define INTERSESSION_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Tells SQLite to copy a bound value, because the Swift buffer lives only as long as the call.
static inline sqlite3_destructor_type intersession_sqlite_transient(void)
{
    return SQLITE_TRANSIENT;
}

#endif
