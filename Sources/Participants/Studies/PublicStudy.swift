import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Finding a study by what stands in the address of its page.
enum PublicStudy {
    private static let wrongCodes = 20

    /// What its page is found by: its name, or, where it is hidden, nothing but its code.
    static func word(of study: StudyRecord) -> String { study.isHidden ? study.code : study.name }

    /// The study in the path, running or at its end.
    /// - Throws: `Problem.notFound` for every other, whatever the reason; 429 for who tries many codes.
    static func find<P>(_ c: Context<P>) throws -> StudyRecord {
        let word = c.places["code"] ?? ""
        let isCode = word.allSatisfy(\.isNumber)
        let key = "study page \(ClientAddress.of(c.request, c.services.settings))"
        if isCode, c.services.limiter.value(key, now: c.now) >= wrongCodes {
            try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now)
        }
        let found = try c.read { connection -> StudyRecord? in
            if let named = try StudyStore.find(name: word, connection), !named.isHidden { return named }
            return try StudyStore.find(code: word, connection).flatMap { $0.isHidden ? $0 : nil }
        }
        if let found, found.isRunning(at: c.now) || found.hasEnded(at: c.now) { return found }
        if isCode { try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now) }
        throw Problem.notFound
    }
}
