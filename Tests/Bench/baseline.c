// What the same two libraries do without us: a bare server that reads the same rows and writes much the same
// bytes. No sessions, no access rules, no sealing, no templates; the yardstick of bin/bench.
//
//   baseline DATABASE PORT     tables: entries and entry_scores, sheets and sheet_scores, inserted
#include <microhttpd.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *path;
static sqlite3 *writer;
static sqlite3_stmt *insert;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

struct buffer { char *bytes; size_t used, size; };

static void add(struct buffer *b, const char *text)
{
    size_t length = strlen(text);
    while (b->used + length + 1 > b->size) b->bytes = realloc(b->bytes, b->size = b->size ? b->size * 2 : 65536);
    memcpy(b->bytes + b->used, text, length + 1);
    b->used += length;
}

static void escaped(struct buffer *b, const char *text)
{
    char one[2] = {0, 0};
    for (; *text; text++) {
        switch (*text) {
        case '&': add(b, "&amp;"); break;
        case '<': add(b, "&lt;"); break;
        case '>': add(b, "&gt;"); break;
        case '"': add(b, "&quot;"); break;
        default: one[0] = *text; add(b, one);
        }
    }
}

static void quoted(struct buffer *b, const char *text)
{
    char code[8] = {0};
    add(b, "\"");
    for (const char *c = text ? text : ""; *c; c++) {
        if ((unsigned char)*c < 0x20) {
            snprintf(code, sizeof code, "\\u%04x", *c);
            add(b, code);
            continue;
        }
        if (*c == '"' || *c == '\\') add(b, "\\");
        code[0] = *c;
        code[1] = 0;
        add(b, code);
    }
    add(b, "\"");
}

static void moment(struct buffer *b, sqlite3_int64 milliseconds, const char *format, int local)
{
    time_t seconds = milliseconds / 1000;
    struct tm parts;
    char text[40];
    if (local) localtime_r(&seconds, &parts); else gmtime_r(&seconds, &parts);
    strftime(text, sizeof text, format, &parts);
    add(b, text);
}

struct reader { sqlite3 *db; sqlite3_stmt *entries, *entry_scores, *sheets, *sheet_scores; };
static pthread_key_t readers;

static void close_reader(void *context)
{
    struct reader *r = context;
    sqlite3_finalize(r->entries);
    sqlite3_finalize(r->entry_scores);
    sqlite3_finalize(r->sheets);
    sqlite3_finalize(r->sheet_scores);
    sqlite3_close(r->db);
    free(r);
}

static struct reader *reader(void)
{
    struct reader *r = pthread_getspecific(readers);
    if (r) return r;
    r = calloc(1, sizeof *r);
    sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_prepare_v2(r->db, "SELECT id, at, title, link, basis FROM entries ORDER BY at DESC", -1, &r->entries, NULL);
    sqlite3_prepare_v2(r->db, "SELECT label, value FROM entry_scores WHERE entry = ? ORDER BY position", -1, &r->entry_scores, NULL);
    sqlite3_prepare_v2(r->db,
        "SELECT id, assignment_id, key, version, title, started_at, completed_at, received_at, timezone, answers "
        "FROM sheets ORDER BY completed_at DESC LIMIT 100", -1, &r->sheets, NULL);
    sqlite3_prepare_v2(r->db, "SELECT scale, value FROM sheet_scores WHERE sheet = ? ORDER BY position", -1, &r->sheet_scores, NULL);
    pthread_setspecific(readers, r);
    return r;
}

static const char *text(sqlite3_stmt *s, int column) { return (const char *)sqlite3_column_text(s, column); }

static void timeline(struct buffer *b)
{
    struct reader *r = reader();
    sqlite3_stmt *s = r->entries, *scores = r->entry_scores;
    add(b, "<!DOCTYPE html><html lang=\"de\"><head><title>Zeitachse</title></head><body><ol>");
    while (sqlite3_step(s) == SQLITE_ROW) {
        add(b, "<li class=\"entry\"><time datetime=\"");
        moment(b, sqlite3_column_int64(s, 1), "%Y-%m-%dT%H:%M", 1);
        add(b, "\">");
        moment(b, sqlite3_column_int64(s, 1), "%a %d.%m. %H:%M", 1);
        add(b, "</time><div><p><a class=\"entry__title\" href=\"");
        escaped(b, text(s, 3));
        add(b, "\">");
        escaped(b, text(s, 2));
        add(b, "</a>");
        sqlite3_bind_int64(scores, 1, sqlite3_column_int64(s, 0));
        while (sqlite3_step(scores) == SQLITE_ROW) {
            add(b, "<span class=\"entry__score\">");
            escaped(b, text(scores, 0));
            add(b, " <strong>");
            escaped(b, text(scores, 1));
            add(b, "</strong></span>");
        }
        sqlite3_reset(scores);
        add(b, "<span class=\"entry__basis\">");
        escaped(b, text(s, 4));
        add(b, "</span></p></div></li>\n");
    }
    sqlite3_reset(s);
    add(b, "</ol></body></html>");
}

static void list(struct buffer *b)
{
    static const char *names[] = {"started_at", "completed_at", "received_at"};
    struct reader *r = reader();
    sqlite3_stmt *s = r->sheets, *scores = r->sheet_scores;
    char number[40];
    const char *comma = "";
    add(b, "{\"data\":[");
    while (sqlite3_step(s) == SQLITE_ROW) {
        add(b, comma);
        add(b, "{\"type\":\"contribution\",\"id\":");
        quoted(b, text(s, 0));
        add(b, ",\"attributes\":{\"assignment_id\":");
        quoted(b, text(s, 1));
        add(b, ",\"study_id\":null,\"questionnaire_key\":");
        quoted(b, text(s, 2));
        snprintf(number, sizeof number, ",\"version\":%d,\"title\":", sqlite3_column_int(s, 3));
        add(b, number);
        quoted(b, text(s, 4));
        for (int i = 0; i < 3; i++) {
            add(b, ",\"");
            add(b, names[i]);
            add(b, "\":\"");
            moment(b, sqlite3_column_int64(s, 5 + i), "%Y-%m-%dT%H:%M:%SZ", 0);
            add(b, "\"");
        }
        add(b, ",\"timezone\":");
        quoted(b, text(s, 8));
        add(b, ",\"answers\":");
        add(b, text(s, 9));
        add(b, ",\"scores\":{");
        sqlite3_bind_text(scores, 1, text(s, 0), -1, SQLITE_STATIC);
        for (const char *between = ""; sqlite3_step(scores) == SQLITE_ROW; between = ",") {
            add(b, between);
            quoted(b, text(scores, 0));
            snprintf(number, sizeof number, ":%.17g", sqlite3_column_double(scores, 1));
            add(b, number);
        }
        sqlite3_reset(scores);
        add(b, "}}}");
        comma = ",";
    }
    sqlite3_reset(s);
    add(b, "],\"meta\":{\"total\":100,\"next\":null}}");
}

static int store(const char *body, size_t length)
{
    pthread_mutex_lock(&writing);
    sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_bind_text(insert, 1, body, (int)length, SQLITE_STATIC);
    int code = sqlite3_step(insert);
    sqlite3_reset(insert);
    sqlite3_exec(writer, "COMMIT", NULL, NULL, NULL);
    pthread_mutex_unlock(&writing);
    return code == SQLITE_DONE;
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *size, void **state)
{
    struct buffer *body = *state;
    if (!body) {
        *state = calloc(1, sizeof *body);
        return MHD_YES;
    }
    if (*size) {
        char *text = strndup(upload, *size);
        add(body, text);
        free(text);
        *size = 0;
        return MHD_YES;
    }
    struct buffer out = {0};
    unsigned status = 200;
    if (!strcmp(method, "PUT")) status = store(body->bytes, body->used) ? 201 : 503;
    else if (!strcmp(url, "/timeline")) timeline(&out);
    else list(&out);
    struct MHD_Response *response = MHD_create_response_from_buffer(out.used, out.bytes, MHD_RESPMEM_MUST_FREE);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static void done(void *cls, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    struct buffer *body = *state;
    if (body) free(body->bytes);
    free(body);
    *state = NULL;
}

int main(int count, char **words)
{
    if (count != 3) return 2;
    path = words[1];
    pthread_key_create(&readers, close_reader);
    sqlite3_open(path, &writer);
    sqlite3_exec(writer, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
    sqlite3_prepare_v2(writer, "INSERT INTO inserted (body) VALUES (?)", -1, &insert, NULL);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, (unsigned short)atoi(words[2]), NULL,
        NULL, answer, NULL, MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
    if (!daemon) return 1;
    pause();
    return 0;
}
