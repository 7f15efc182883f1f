import Database
import Foundation
import Identity
import Records
import Web
import Wording

/// Reading and writing information pages, for pages and calls alike.
package enum Information {
    struct Current: Sendable {
        let version: Int
        let text: InformationText
    }

    /// The page in force, in the first of the reader's languages that it has, else in English, else in German.
    static func current(
        _ page: InformationPage, _ readers: [Language], _ services: Services,
        _ connection: borrowing Connection
    ) throws -> Current {
        let version = try InformationStore.version(of: page, connection)
        for language in readers + [.english, .german] {
            if let text = try text(of: page, language, version: version, services, connection) {
                return Current(version: version, text: text)
            }
        }
        throw Problem.notFound
    }

    /// The version in force, and the page in every installed language that has it.
    static func texts(
        of page: InformationPage, _ services: Services, _ connection: borrowing Connection
    ) throws -> (version: Int, texts: [Language: InformationText]) {
        let version = try InformationStore.version(of: page, connection)
        var texts: [Language: InformationText] = [:]
        for language in services.languages {
            texts[language] = try text(
                of: page, language, version: version, services, connection)
        }
        return (version, texts)
    }

    /// The page in force in exactly this language; nil where it has none.
    static func text(
        of page: InformationPage, _ language: Language, version: Int, _ services: Services,
        _ connection: borrowing Connection
    ) throws -> InformationText? {
        if let own = try InformationStore.text(of: page, language, version: version, connection) {
            return own
        }
        // The clinic's own version replaces the shipped page in every language.
        guard let shipped = page.shipped, version == InformationPage.shippedVersion else { return nil }
        let name = "\(shipped.rawValue).\(language.rawValue).md"
        return services.shipped("information/\(name)").map {
            InformationText(file: String(decoding: $0, as: UTF8.self))
        }
    }

    /// The sentence by which a shipped page calls itself a template, where the page in force still has it in any
    /// language; nil once it is gone. Templates begin with it.
    package static func templateSentence(
        _ shipped: ShippedPage, _ services: Services, _ connection: borrowing Connection
    ) throws -> String? {
        let page = InformationPage(shipped)
        let sentences = try services.languages.compactMap { language in
            try text(
                of: page, language, version: InformationPage.shippedVersion, services, connection
            ).map { String(spaced($0.body).prefix { $0 != "." }) }
        }
        let bodies = try texts(of: page, services, connection).texts.values.map { spaced($0.body) }
        return sentences.first { sentence in bodies.contains { $0.contains(sentence) } }
    }

    /// Ignores changed line breaks.
    private static func spaced(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// All pages: the shipped ones, then the added ones.
    static func all(_ connection: borrowing Connection) throws -> [InformationPage] {
        try ShippedPage.allCases.map(InformationPage.init)
            + InformationStore.added(connection).map(InformationPage.init(added:))
    }

    /// - Throws: `Problem.notFound`.
    static func page<P>(_ c: Context<P>) throws -> InformationPage {
        guard let page = try pageOrNil(c) else { throw Problem.notFound }
        return page
    }

    static func pageOrNil<P>(_ c: Context<P>) throws -> InformationPage? {
        guard let key = c.places["page"] else { return nil }
        if let shipped = ShippedPage(rawValue: key) { return InformationPage(shipped) }
        return try c.read({ try InformationStore.isAdded(key, $0) }) ? InformationPage(added: key) : nil
    }

    /// - Parameter seen: the version that the editor was based on.
    /// - Throws: `Problem.preconditionFailed` when there is a newer one meanwhile, `.notFound` when the page was
    ///   removed.
    static func publish(
        _ draft: InformationDraft, as page: InformationPage, over seen: Int, _ c: Context<Member>
    ) throws {
        let account = c.proof.account.id
        try c.write(.informationChanged, object: page.key) { [now = c.now] connection in
            if page.shipped == nil, try !InformationStore.isAdded(page.key, connection) {
                throw Problem.notFound
            }
            guard try InformationStore.version(of: page, connection) == seen else {
                throw Problem.preconditionFailed
            }
            _ = try InformationStore.publish(draft, as: page, by: account, at: now, connection)
        }
    }

    /// Adds a page beside the shipped ones.
    /// - Throws: `Problem.invalid` for an unsuitable key, `.conflict` when there is such a page.
    static func add(_ key: String, _ draft: InformationDraft, _ c: Context<Member>) throws {
        guard InformationPage.isKey(key) else { throw Problem.invalid("page", "information.bad_key") }
        let taken = Problem.conflict(
            Message("information.taken"), FieldErrors("page", "information.taken"))
        guard ShippedPage(rawValue: key) == nil else { throw taken }
        let page = InformationPage(added: key)
        let account = c.proof.account.id
        try c.write(.informationAdded, object: key) { [now = c.now] connection in
            if try InformationStore.isAdded(key, connection) { throw taken }
            try InformationStore.add(key, at: now, connection)
            _ = try InformationStore.publish(draft, as: page, by: account, at: now, connection)
        }
    }

    /// The texts stay: they may have been agreed to, and the page can be brought back.
    /// - Throws: `Problem.conflict` for a shipped page, `.notFound` for an unknown one.
    static func remove(_ key: String, _ c: Context<Member>) throws {
        guard ShippedPage(rawValue: key) == nil else {
            throw Problem.conflict(Message("information.shipped"))
        }
        try c.write(.informationRemoved, object: key) { [now = c.now] connection in
            guard try InformationStore.remove(key, at: now, connection) else { throw Problem.notFound }
        }
    }

    /// - Throws: `Problem.notFound` for a page that was never removed.
    static func bringBack(_ key: String, _ c: Context<Member>) throws {
        try c.write(.informationReturned, object: key) { connection in
            guard try InformationStore.bringBack(key, connection) else { throw Problem.notFound }
        }
    }
}
