import Database
import Foundation
import HTTP
import JSON
import Secrets
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// What a request that writes is made of.
struct WriteSample: Sendable {
    /// The caller, where it is not the usual one of a route of this kind.
    var who: Person?
    /// The body of a call; nil for none.
    var json: (@Sendable (Stage) throws -> String)?
    /// What is typed into the form of a page.
    var typed: @Sendable (Stage) throws -> [String: String] = { _ in [:] }
    /// The page that shows the form, where it is not the one it is sent to or one above.
    var page: String?
    /// What has to be there first; may fill places of the path.
    var prepare: @Sendable (Stage) throws -> Void = { _ in }
    /// Opens a session or a token without having had one.
    var isSignIn = false
    /// Is about another therapy than Pia's.
    var isOfSomebodyElse = false

    static func call(_ json: String, _ prepare: @escaping @Sendable (Stage) throws -> Void = { _ in })
        -> WriteSample
    {
        WriteSample(json: { _ in json }, prepare: prepare)
    }

    static func form(
        _ typed: [String: String] = [:], on page: String? = nil,
        _ prepare: @escaping @Sendable (Stage) throws -> Void = { _ in }
    ) -> WriteSample {
        WriteSample(typed: { _ in typed }, page: page, prepare: prepare)
    }

    func person(_ route: Route) -> Person {
        if let who { return who }
        switch route.rule {
        case .admin, .clinicLead: return .uma
        case .lead, .studyLead, .studyAssessor, .team: return .lena
        case .patient, .paired, .account: return .pia
        case .registrant: return .tess
        case .halfway: return .half
        case .anyone: return .nobody
        default: return .ada
        }
    }

    func by(_ person: Person) -> WriteSample {
        var sample = self
        sample.who = person
        return sample
    }
}

/// A portal with what a sample needs.
final class Stage {
    let portal: TestPortal
    /// What stands in the places of a path.
    var places: [String: String]

    init(_ portal: TestPortal) {
        self.portal = portal
        let cast = portal.cast
        places = [
            "patient": cast.therapies[.pia]?.text ?? "", "contribution": WriteSamples.newID,
            "assignment": cast.assignment, "subject": cast.assignment, "appointment": WriteSamples.newID,
            "number": "1", "rule": cast.rule, "intervention": cast.intervention, "pause": cast.pause,
            "sheet": cast.quarantined, "questionnaire": cast.questionnaire, "session": cast.session,
            "study": cast.study, "item": cast.studyItem, "codename": "S123456",
            "account": cast.accounts[.ben]?.text ?? "", "page": "privacy",
        ]
    }

    /// A request of a sample, ready to be sent.
    func request(_ sample: WriteSample, _ route: Route) throws -> () -> Response {
        try sample.prepare(self)
        let person = sample.person(route)
        let portal = portal
        let target = path(route.pattern.description)
        if route.surface == .api {
            let path = String(target.dropFirst("/api/v1".count))
            let json = try sample.json?(self)
            let tag = portal.call(.get, path, as: person).headers["ETag"]
            let headers: Headers = tag.map { ["If-Match": $0] } ?? [:]
            return { portal.call(route.method, path, json, as: person, headers) }
        }
        let (address, fields) = try form(sample, route, isPrepared: true)
        return { portal.post(address, fields, as: person) }
    }

    /// The form of a sample as its page draws it, filled in.
    func form(
        _ sample: WriteSample, _ route: Route, isPrepared: Bool = false
    ) throws -> (address: String, fields: [(String, String)]) {
        if !isPrepared { try sample.prepare(self) }
        let target = path(route.pattern.description)
        let typed = try sample.typed(self)
        let places = [sample.page.map(path), target].compactMap(\.self) + Self.above(target)
        for place in places {
            let html = portal.get(place, as: sample.person(route)).text
            if let form = FilledForm.read(html, action: target, typed: typed) { return form }
        }
        return (target, typed.map { ($0.key, $0.value) })
    }

    private static func above(_ target: String) -> [String] {
        let parts = target.split(separator: "/")
        return (1..<max(parts.count, 1)).map { "/" + parts.dropLast($0).joined(separator: "/") }
    }

    func path(_ pattern: String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix(":") ? places[String(part.dropFirst())] ?? "x" : String(part)
        }.joined(separator: "/")
    }

    // MARK: Things

    /// Makes something over the API and puts its id into a place.
    func make(_ place: String?, _ path: String, _ json: String, as person: Person) {
        let made = portal.call(.post, self.path(path), json, as: person)
        #expect((200..<300).contains(made.status), "\(path): \(made.text)")
        if let place { places[place] = made.id.isEmpty ? made.list.first?["id"]?.string : made.id }
    }

    func draft() throws {
        let made = portal.post(
            "/questionnaires/new", [("key", "schlaf"), ("title_de", "Schlaf"), ("title_en", "Sleep")],
            as: .ada)
        places["questionnaire"] = String(made.headers["Location"]?.split(separator: "/")[1] ?? "")
    }

    /// A study of Lena's that runs, with one questionnaire, and Nora in it.
    func study(_ more: String = "", questionnaire: String = "", enrols: Bool = false) throws {
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        places["study"] = desk.begin(more)
        places["item"] = desk.add("wellbeing-5", to: places["study"] ?? "", questionnaire)
        if enrols {
            let enrolled = desk.enrol(.nora, in: places["study"] ?? "")
            #expect(enrolled.status == 201, "\(enrolled.text)")
            places["codename"] = enrolled.attributes["codename"]?.string
        }
    }

    /// A profile of Pia's that goes on.
    func profile() throws {
        try portal.publish("tinnitus-profile")
        make(
            "item", "/patients/:patient/assignments", #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada)
    }

    /// An alert that a rule of Ada's has raised.
    func alert() throws {
        make("rule", "/rules", WriteSamples.rule, as: .ada)
        let rule = places["rule"] ?? ""
        let therapy = ID<Therapy>(places["patient"] ?? "")
        let now = portal.now
        places["alert"] = WriteSamples.newID
        let key = try portal.services.records.read { connection in
            try TherapyStore.find(therapy, connection)?.key(portal.services.keys)
        }
        let record = key?.seal(bytes: [], for: SealContext("rule_firings", WriteSamples.newID, "record"))
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run(
                """
                INSERT INTO rule_firings (id, rule_id, therapy_id, at, record)
                VALUES (\(WriteSamples.newID), \(rule), \(therapy), \(now), \(record))
                """)
            try connection.run(
                """
                INSERT INTO alerts (id, therapy_id, firing_id, raised_at)
                VALUES (\(WriteSamples.newID), \(therapy), \(WriteSamples.newID), \(now))
                """)
        }
    }

    /// Another session of a person.
    func device(of person: Person) throws {
        let account = try portal.services.records.read { [portal] in
            try AccountStore.find(portal.cast.accounts[person] ?? "", $0)
        }
        guard let account else { return }
        let credential = NewCredential(.token, of: account, id: ID(WriteSamples.newID), now: portal.now)
        try portal.services.records.writeUnaudited(.madeUp) { try CredentialStore.insert(credential, $0) }
        places["device"] = WriteSamples.newID
    }

    /// The token of a link that a mail brought, or that is stored here.
    func resetLink(of person: Person) throws -> String {
        let token = Token()
        let now = portal.now
        let account = portal.cast.accounts[person] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try PasswordStore.insertReset(
                token.hash, of: account, now: now, expires: now.adding(days: 1), connection)
        }
        return token.text
    }

    /// The link that puts a former address back.
    func returnLink(of person: Person) throws -> String {
        let token = Token()
        let link = Token()
        let now = portal.now
        let keys = portal.services.keys
        let account = portal.cast.accounts[person] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            let key = try #require(try AccountStore.find(account, connection)).key(keys)
            let change = EmailChange(
                to: "\(person)@example.org", of: account, under: key, hash: link.hash,
                id: "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b77", now: now)
            try EmailChangeStore.insert(change, connection)
            try EmailChangeStore.spendAll(of: account, now: now, connection)
            let way = EmailReturn(
                to: "\(person).vorher@example.org", from: change, under: key, hash: token.hash, now: now)
            try EmailChangeStore.insert(way, of: link.hash, connection)
        }
        return token.text
    }

    func verificationLink() throws -> String {
        let token = Token()
        let now = portal.now
        let account = portal.cast.accounts[.tess] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try MailLinkStore.insertVerification(
                token.hash, of: account, now: now, expires: now.adding(days: 1), connection)
        }
        return token.text
    }

    /// Sets a second factor up for Ada, as the profile does.
    /// - Returns: a code of it that was not used yet.
    func secondFactor(of person: Person) throws -> String {
        let secret = [UInt8](repeating: 7, count: 20)
        let now = portal.now
        let account = try portal.services.records.read { [portal] in
            try AccountStore.find(portal.cast.accounts[person] ?? "", $0)
        }
        guard let account else { return "" }
        let sealed = try account.key(portal.services.keys).seal(
            bytes: secret, for: SecondFactorRecord.place(account.id))
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try SecondFactorStore.insert(sealed, for: account.id, step: 0, at: now, connection)
        }
        return OneTimeCode.code(secret, step: now.seconds / OneTimeCode.step) ?? ""
    }
}
