import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Notices to patients: a hand-over, a cover, a message of a study.
package enum NoticeAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/my/notices", .patient, .many("What the caller is told", Wire.Notice.self), index)
        routes.call(
            .patch, "/my/notices/:notice", .patient,
            .one(
                "Say when it was seen; the first device to say so counts", Wire.Notice.self,
                takes: Wire.Notice.sent),
            update)
    }

    /// How far a phone's clock may be ahead, in seconds.
    private static let slackSeconds: Int64 = 300

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let all = try c.read { try NoticeStore.all(of: account.id, $0) }
        let key = try account.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.madeAt, $0.id) }
        let items = try part.map { Item(id: $0.id, try $0.wire(key, c.languages)) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let id: ID<NoticeRecord> = try c.id("notice")
        let account = c.proof.account
        guard let record = try c.read({ try NoticeStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        let fields = try c.body()
        let seen = fields.time("seen_at", required: true)
        if let seen, seen > c.now.adding(seconds: slackSeconds) { fields.refuse("seen_at", "errors.future") }
        try fields.finish()
        if let seen { try noteSeen(record, at: seen, c) }
        guard let kept = try c.read({ try NoticeStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(One(id: id, try kept.wire(try account.key(c.keys), c.languages)))
    }

    /// The first report counts.
    package static func noteSeen(
        _ record: NoticeRecord, at seen: Instant, _ c: Context<Member>
    ) throws {
        guard record.seenAt == nil else { return }
        let account = c.proof.account.id
        // With a slow clock, a notice may seem to be seen before it was written.
        let time = min(max(seen, record.madeAt), c.now)
        try c.write(.noticeSeen, about: account, object: record.id) { connection in
            try NoticeStore.noteSeen(record.id, of: account, at: time, connection)
        }
    }
}
