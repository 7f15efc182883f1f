import HTTP
import Web
import Wire
import Wording

/// The clinic's settings over the API, for administrators.
package enum ClinicAPI {
    package static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/settings", .admin, .one("What the clinic says of itself", Wire.ClinicSettings.self), show)
        routes.call(
            .put, "/settings", .admin,
            .one(
                "Set it; what is left out follows from the zone", Wire.ClinicSettings.self,
                takes: Wire.ClinicSettings.sent
            ).revised(ClinicStore.revision), update)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(c)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let seen = c.services.clinic.now.record
        let draft = try ClinicDraft.read(json: try c.body(), over: seen)
        try ClinicChange.save(draft, over: seen.revision, c)
        return try answer(c)
    }

    /// With the revision in force in this process, which follows the database after a moment.
    private static func answer(_ c: Context<Member>) throws -> Reply {
        let revision = c.services.clinic.now.record.revision
        return Conditional.tagged(
            try .data(One(ClinicChange.wire(c.services))), revision: revision, c.language)
    }
}

/// Saving the clinic's settings, for page and call alike.
enum ClinicChange {
    /// A value sent unchanged that follows from the zone or the texts continues to follow.
    /// - Throws: `Problem.preconditionFailed` when the settings were changed meanwhile.
    static func save(_ sent: ClinicRecord, over revision: Int, _ c: Context<Member>) throws {
        var record = sent
        if record.crisis == c.services.inheritedNumbers { record.crisis = nil }
        record.labels = sent.labels.flatMap { own($0, c.services) }
        try store(record, over: revision, c)
    }

    private static func own(_ labels: SheetLabels, _ services: Services) -> SheetLabels? {
        var own = SheetLabels()
        // The shipped steps depend on the labels: both forms count as shipped.
        for (language, words) in labels.words {
            let texts = services.texts(language)
            let kept = words.filter { part, word in
                ![SheetLabels(), labels].contains { $0.shipped(part, texts) == word }
            }
            if !kept.isEmpty { own.words[language] = kept }
        }
        return own.words.isEmpty ? nil : own
    }

    private static func store(_ record: ClinicRecord, over revision: Int, _ c: Context<Member>) throws {
        try c.write(.clinicChanged, object: "settings") { [now = c.now] connection in
            guard try ClinicStore.save(record, over: revision, at: now, connection) else {
                throw Problem.preconditionFailed
            }
        }
        c.services.hear(.clinicChanged)
    }

    static func wire(_ services: Services) -> Wire.ClinicSettings {
        let labels = services.clinic.now.record.labels ?? SheetLabels()
        let label = { (part: SheetLabels.Part) -> LocalizedText in
            LocalizedText(
                translations: services.languages.map { language in
                    (language.rawValue, labels.word(part, services.texts(language)))
                })
        }
        return Wire.ClinicSettings(
            name: services.clinic.now.record.name, timezone: services.timezone,
            timezoneSource: services.clinic.now.zoneSource.rawValue,
            languageVariant: services.clinic.now.variant.rawValue,
            crisisNumbers: services.crisisNumbers.map(\.wire),
            sheetLabels: .init(
                codeStep: label(.codeStep), codeField: label(.codeField), path: label(.path),
                firstSteps: label(.firstSteps), laterSteps: label(.laterSteps),
                addresses: labels[.addresses]), unseenMailHours: services.clinic.now.record.unseenMailHours)
    }
}
