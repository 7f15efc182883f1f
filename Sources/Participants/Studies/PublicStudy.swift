import Identity
import Records
import Studies
import Web
import Wording

/// Finds a study by the last part of its page's address.
enum PublicStudy {
    private static let wrongCodes = 20

    /// The last part of its page's address: its name, or, where it is hidden, its code alone.
    static func word(of study: StudyRecord) -> String { study.isHidden ? study.code : study.name }

    /// The study in the path, running or ended.
    /// - Throws: `Problem.notFound` for all others, whatever the reason; 429 after too many codes.
    static func find<P>(_ c: Context<P>) throws -> StudyRecord {
        let word = c.places["code"] ?? ""
        let isCode = word.allSatisfy(\.isNumber)
        // A signed-in account counts by itself: a seminar room has one address.
        let key = "study page \(c.actor.member?.account.id.text ?? c.clientAddress)"
        if isCode { try c.services.limiter.check(key, limit: wrongCodes, now: c.now) }
        let found = try c.read { connection -> StudyRecord? in
            if let named = try StudyStore.find(name: word, connection), !named.isHidden { return named }
            return try StudyStore.find(code: word, connection).flatMap { $0.isHidden ? $0 : nil }
        }
        if let found, found.isRunning(at: c.now) || found.hasEnded(at: c.now) { return found }
        if isCode { try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now) }
        throw Problem.notFound
    }
}
