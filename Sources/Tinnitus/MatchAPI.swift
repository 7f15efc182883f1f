import Database
import HTTP
import Identity
import Psychometrics
import Records
import Web
import Wire
import Wording

/// The runs of matching: each is kept unchanged until the account is erased.
package enum MatchAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .put, "/my/tinnitus-matches/:match", .patient,
            .one(
                "Keep a run of matching; the same again is harmless", TinnitusMatch.self, status: 201,
                takes: TinnitusMatch.sent), put)
        routes.call(
            .get, "/my/tinnitus-matches", .patient,
            .many(
                "The own runs of matching; meta says runs, median_hz, quartiles_hz and octave_apart",
                TinnitusMatch.self), index)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<MatchRecord>(uuid: c.places["match"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let draft = try MatchDraft.read(try c.body(), now: c.now)
        let isNew = try keep(draft.match, id, c)
        let key = try c.proof.account.key(c.keys)
        guard let record = try c.read({ try MatchStore.find(id, of: c.proof.account.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(One(id: id, try record.match(key)), status: isNew ? 201 : 200)
    }

    /// A client that sends more in a day is faulty.
    private static let runsADay = 200

    /// - Returns: whether it is new.
    /// - Throws: `Problem.conflict` for other content under the same id, and for too many a day.
    static func keep(_ match: TinnitusMatch, _ id: ID<MatchRecord>, _ c: Context<Member>) throws -> Bool {
        let account = c.proof.account.id
        let key = try c.proof.account.key(c.keys)
        // A repeated run changes nothing, and needs no line in the audit log.
        if try c.read({ try isKnown(match, id, of: account, key, $0) }) { return false }
        return try c.write(.tinnitusMatched, about: account, object: id) { [now = c.now] connection in
            if try isKnown(match, id, of: account, key, connection) { return false }
            if try MatchStore.count(of: account, since: now.adding(days: -1), connection) >= runsADay {
                throw Problem.conflict(Message("tinnitus.too_many", ["n": String(runsADay)]))
            }
            try MatchStore.insert(match, id, of: account, key, at: now, connection)
            return true
        }
    }

    private static func isKnown(
        _ match: TinnitusMatch, _ id: ID<MatchRecord>, of account: ID<Account>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> Bool {
        guard let known = try MatchStore.find(id, of: account, connection) else { return false }
        guard try known.match(key).says(theSameAs: match) else {
            throw Problem.conflict(Message("answers.changed"))
        }
        return true
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let all = try c.read { try MatchStore.all(of: account.id, $0) }
        return try list(all, account.key(c.keys), c.request)
    }

    /// One page of the runs, with the summary of all of them.
    static func list(_ all: [MatchRecord], _ key: PersonKey?, _ request: Request) throws -> Reply {
        let paging = try Paging(request)
        let (part, next) = paging.part(of: all) { Position($0.matchedAt, $0.id) }
        let summary = MatchSummary(all.map(\.frequencyHz))
        return try .data(
            TinnitusMatches(
                try key.map { key in try part.map { Item(id: $0.id, try $0.match(key)) } } ?? [],
                meta: .init(
                    total: all.count, next: next, runs: summary.runs, medianHz: summary.quartiles?.median,
                    quartilesHz: summary.quartiles.map { [$0.lower, $0.upper] },
                    octaveApart: summary.isOctaveApart)))
    }
}

extension TinnitusMatch {
    /// Times are compared by whole seconds.
    fileprivate func says(theSameAs other: TinnitusMatch) -> Bool {
        matchedAt.seconds == other.matchedAt.seconds && method == other.method && ear == other.ear
            && kind == other.kind && frequencyHz == other.frequencyHz && levelSlDb == other.levelSlDb
            && bandwidthOctaves == other.bandwidthOctaves && certainty == other.certainty
            && headphones == other.headphones && device == other.device && run == other.run
    }
}

extension AuditAction {
    static let tinnitusMatched = AuditAction(name: "tinnitus.matched")
}
