// What Swift cannot import from libpq: the codes of an error's fields are characters.
#ifndef INTERSESSION_CPOSTGRESQL_SHIM_H
#define INTERSESSION_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

enum {
    intersession_pg_state = PG_DIAG_SQLSTATE,
    intersession_pg_message = PG_DIAG_MESSAGE_PRIMARY,
    intersession_pg_detail = PG_DIAG_MESSAGE_DETAIL,
    intersession_pg_table = PG_DIAG_TABLE_NAME,
    intersession_pg_constraint = PG_DIAG_CONSTRAINT_NAME,
    intersession_pg_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
};

#endif
