import Accounts
import Database
import Foundation
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Every page of the portal as its readers see it: drawn from the demonstration by following links and sending forms, then
/// from the examples of features for what neither leads to. For tests, and as files to look at.
package struct Gallery {
    /// A page in one state.
    package struct Sheet: Sendable {
        package let template: String
        /// What was asked for: `GET /patients`; of an example, its type.
        package let name: String
        package let html: [Language: String]
    }

    package private(set) var sheets: [Sheet] = []
    let services: Services
    private let pipeline: Pipeline
    private let languages: [Language]
    /// A route with what led to it, and a template.
    private var kinds: Set<String> = []
    /// By template, the parts of pages that sheets show.
    private var shown: [String: Set<String>] = [:]
    /// How often a kind of form was sent; what one account is refused another may be allowed.
    private var sent: [String: Int] = [:]

    /// - Parameters:
    ///   - services: of a folder that was seeded and is not needed any more: forms are sent in it.
    ///   - languages: which pages are drawn in; nil for all that are installed.
    package init(_ services: Services, languages: [Language]? = nil) throws {
        self.services = services
        self.languages = languages ?? services.languages
        pipeline = Pipeline(services)
        services.listens(on: "http://127.0.0.1:8080")
        var browsers = try browsers()
        for page in services.features.flatMap(\.pages) { try draw(example: page, in: &browsers) }
        let patterns = services.routes.list.filter { $0.surface == .portal && $0.method == .get }.map(
            \.pattern.description)
        for index in browsers.indices {
            try follow(patterns.filter { !$0.contains(":") }, in: &browsers[index])
        }
        // What no link leads to, with the ids that others have seen.
        var places = browsers.reduce(into: [:]) { all, browser in
            all.merge(browser.places) { known, _ in known }
        }
        places["version"] = places["questionnaire"]
        for index in browsers.indices {
            try follow(patterns.compactMap { GalleryBrowser.address(of: $0, places) }, in: &browsers[index])
        }
        for index in browsers.indices { try sendForms(of: &browsers[index]) }
    }

    // MARK: Browsers

    /// The first of staff and the first patient draw the examples.
    private static let staff = ["ada", "ben", "lena", "uma", "new"]
    private static let patients = ["nina", "pia", "ida", "teilnahme-1"]

    /// A stranger, an account in the middle of registering, one that has yet to give its second factor, and those above.
    private func browsers() throws -> [GalleryBrowser] {
        let registering = NewAccount(
            patient: "registering@example.org", researchConsent: false, passwordHash: "-",
            language: .german, timezone: services.timezone, id: services.chance.id(), keys: services.keys,
            now: services.clock.now)
        let new = NewAccount(
            staff: "Nora Neu", email: "new@example.org", roles: [.therapist, .lead, .clinicLead],
            passwordHash: "-", language: .german, timezone: services.timezone, id: services.chance.id(),
            keys: services.keys, now: services.clock.now)
        return try services.records.writeUnaudited(.madeUp) { connection in
            try AccountStore.insert(registering, connection)
            try AccountStore.insert(new, connection)
            let people = try (Self.staff + Self.patients).map { try browser($0, .session, connection) }
            return people + [
                try browser("registering", .registration, connection),
                try browser("ben", .halfway, connection),
                GalleryBrowser(cookie: Token().text, pipeline),
            ]
        }
    }

    /// Patients stay signed in, as on a device of their own.
    private func browser(
        _ name: String, _ kind: Credential.Kind, _ connection: borrowing Connection
    ) throws -> GalleryBrowser {
        let lookup = services.keys.lookup(email: "\(name)@example.org")
        // One of them is still registering.
        let found = try AccountStore.find(lookup: lookup, connection)
        guard let account = try found ?? AccountStore.registrations(of: lookup, connection).first else {
            throw Problem.notFound
        }
        var credential = NewCredential(
            kind, of: account, id: services.chance.id(), now: services.clock.now)
        credential.stay()
        try CredentialStore.insert(credential, connection)
        return GalleryBrowser(cookie: credential.token.text, pipeline)
    }

    // MARK: Walking

    private mutating func follow(_ addresses: [String], in browser: inout GalleryBrowser) throws {
        var waiting = addresses
        var next = 0
        while next < waiting.count {
            if let step = browser.step(to: waiting[next]) {
                waiting += try take(step, in: &browser).onward
            }
            next += 1
        }
    }

    /// Sends one form of every kind as it stands, and filled where that is refused.
    private mutating func sendForms(of browser: inout GalleryBrowser) throws {
        while let form = browser.nextForm() {
            for fields in [form.standing, form.filled] {
                guard let step = browser.step(to: form.address, sending: fields) else { continue }
                sent[step.kind, default: 0] += 1
                if sent[step.kind, default: 0] > 8 { continue }
                let outcome = try take(step, in: &browser)
                try follow(outcome.onward, in: &browser)
                if outcome.isTaken { break }
            }
        }
    }

    /// - Returns: whether a form was taken, and where the page leads.
    private mutating func take(
        _ step: GalleryBrowser.Step, in browser: inout GalleryBrowser
    ) throws -> (isTaken: Bool, onward: [String]) {
        let reply = try browser.answer(step, in: .german)
        if let reply, case .seeOther(let path, _, _, _) = reply {
            if step.request.method == .get { return (true, [path]) }
            let next = browser.step(to: path, after: (step.kind, reply))
            return (true, try next.map { try take($0, in: &browser).onward } ?? [])
        }
        guard case .page(let page, _, _, _)? = reply else { return (false, []) }
        let html = try browser.draw(page, step, in: .german)
        let template = type(of: page).template
        let onward = browser.read(html, on: step.address)
        let isFirst = kinds.insert("\(step.kind) \(template)").inserted
        let parts = Set(
            html.components(separatedBy: "class=\"").map { $0.prefix { $0 != "\"" } }.map(String.init))
        guard isFirst || !parts.isSubset(of: shown[template, default: []]) else { return (false, onward) }
        shown[template, default: []].formUnion(parts)
        var all = [Language.german: html]
        for language in languages where language != .german {
            guard case .page(let page, _, _, _)? = try browser.answer(step, in: language) else { continue }
            all[language] = try browser.draw(page, step, in: language)
        }
        sheets.append(Sheet(template: template, name: step.kind, html: all))
        return (false, onward)
    }

    private mutating func draw(example page: any Page, in browsers: inout [GalleryBrowser]) throws {
        let template = type(of: page).template
        let isOwn = template.hasPrefix("my/") || template == "shared/problem-own"
        let index = isOwn ? Self.staff.count : 0
        let before = (kind: "example", reply: Reply.seeOther("/"))
        guard let step = browsers[index].step(to: isOwn ? "/my" : "/", after: before) else { return }
        var all: [Language: String] = [:]
        for language in languages { all[language] = try browsers[index].draw(page, step, in: language) }
        sheets.append(Sheet(template: template, name: "\(type(of: page))", html: all))
    }
}
