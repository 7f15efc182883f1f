import Accounts
import Database
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Keeps the files of a patient who deletes their account for their therapists (docs/decisions/0024-the-file.md):
/// sealed under the therapist's key, for 14 days, without notes or name.
enum KeptFiles {
    /// Made before the deletion; its writes run in that transaction. A failure does not prevent the deletion.
    static func prepare(
        _ account: ID<Account>, _ services: Services, _ now: Instant
    ) throws -> @Sendable (borrowing Connection) throws -> Void {
        let files = try services.records.read { connection in
            try TherapyStore.all(of: account, connection).compactMap { therapy -> NewKeptFile? in
                do {
                    return try file(of: therapy, services, now, connection)
                } catch {
                    services.log.line("error", "file not kept", [("therapy", therapy.id.text)], at: now)
                    return nil
                }
            }
        }
        let end = now.adding(days: Erasure.fileDays)
        return { connection in
            for file in files { try KeptFileStore.insert(file, at: now, until: end, connection) }
        }
    }

    private static func file(
        of therapy: Therapy, _ services: Services, _ now: Instant, _ connection: borrowing Connection
    ) throws -> NewKeptFile? {
        guard let therapist = try AccountStore.find(therapy.therapistID, connection) else { return nil }
        let texts = services.texts(services.language(of: [therapist.language]))
        let dates = DateFormat(texts, Zone(services.timezone), now: now)
        let reader = TherapyFileReader(services: services, texts: texts, dates: dates, now: now)
        let bytes = try JSONWriter.bytes(
            of: try reader.read(therapy, withNotes: false, withDailies: true, connection))
        let id: ID<KeptFile> = services.chance.id()
        let sealed = try therapist.key(services.keys).seal(bytes: bytes, for: KeptFile.place(id))
        return NewKeptFile(id: id, therapist: therapist.id, codename: therapy.codename, sealed: sealed)
    }
}

/// The page where a therapist takes the files of erased patients.
package enum KeptFilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/kept-files", .therapist, index)
        routes.page(.get, "/kept-files/:file", .therapist, show)
        routes.page(.get, "/kept-files/:file/download", .therapist, download)
        routes.call(
            .get, "/kept-files", .therapist,
            .many(
                "Files of patients who have deleted their account: to be taken until they go",
                KeptFileLine.self),
            list)
        routes.call(
            .get, "/kept-files/:file", .therapist,
            .one("The file of a patient who has deleted their account", TherapyFile.self), call)
    }

    package struct Index: Page {
        package static let template = "file/kept"
        package static let section: NavigationItem? = .today
        package struct Row: Encodable, Sendable {
            let codename: String
            let path: String
            let until: String
        }
        let rows: [Row]
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        .page(Index(rows: try all(c).map { row($0, c) }))
    }

    /// How a kept file is told of.
    private static func row(_ file: KeptFile, _ c: Context<Member>) -> Index.Row {
        Index.Row(
            codename: file.codename, path: "/kept-files/\(file.id)",
            until: c.texts["therapy_file.kept_until", ["day": c.dates.longDay(file.expiresAt)]])
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (record, file) = try taken(c)
        let path = "/kept-files"
        return .page(
            TherapyFileView.Show(
                TherapyFileView(file, c.texts, c.dates), back: path,
                download: "\(path)/\(record.id)/download"))
    }

    @Sendable static func download(_ c: Context<Member>) throws -> Reply {
        try TherapyFilePages.attached(try taken(c).file)
    }

    @Sendable static func list(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let files = try all(c)
        let (part, next) = paging.part(of: files, .earliestFirst) { Position($0.expiresAt, $0.id) }
        let items = part.map {
            Item(
                id: $0.id,
                KeptFileLine(codename: $0.codename, deletedAt: $0.madeAt, expiresAt: $0.expiresAt))
        }
        return try .data(Many(items, total: files.count, next: next))
    }

    @Sendable static func call(_ c: Context<Member>) throws -> Reply {
        let (record, file) = try taken(c)
        return try .data(One(id: record.id, file))
    }

    private static func all(_ c: Context<Member>) throws -> [KeptFile] {
        try c.read { try KeptFileStore.all(of: c.proof.account.id, at: c.now, $0) }
    }

    /// The one in the path; another therapist's is not found. Taking it is noted.
    private static func taken(_ c: Context<Member>) throws -> (record: KeptFile, file: TherapyFile) {
        let id: ID<KeptFile> = try c.id("file")
        let account = c.proof.account
        guard let record = try c.read({ try KeptFileStore.find(id, of: account.id, at: c.now, $0) }) else {
            throw Problem.notFound
        }
        let bytes = try record.document(try account.key(c.keys))
        let file = try JSONReader.value(TherapyFile.self, from: bytes)
        try c.write(.fileMade, object: record.id) { _ in }
        return (record, file)
    }
}
