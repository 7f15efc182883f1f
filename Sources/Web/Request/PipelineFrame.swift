import HTTP
import Identity
import Records
import Wire
import Wording

/// What stands around every page.
extension Pipeline {
    func frame(
        for page: any Page, _ request: Request, _ actor: Actor, _ language: Language, cookie: String,
        now: Instant
    ) throws -> Layout {
        let texts = services.texts(language)
        let person = actor.member
        let places = try places(for: person, on: page, at: request.path, texts, now: now)
        // Also in the middle of registering. A page that is fetched ahead, to be kept, is not seen now.
        let isSeen = request.headers["X-Purpose"] == nil
        let flash =
            isSeen
            ? try (actor.signedIn?.credential.id).flatMap { try services.flashes.take(for: $0, now: now) }
            : nil
        var layout = Layout(
            clinic: services.clinic.now.record.name,
            information: try services.records.read { connection in
                try routes.foot.flatMap { try $0(language, texts, connection) }
            },
            crisis: services.crisisNumbers.map {
                Layout.Phone(label: $0.label(language), number: $0.number, path: $0.link)
            },
            language: language.rawValue,
            otherLanguages: services.languages.filter { $0 != language }.map { other in
                Layout.Switch(language: other.rawValue, label: services.texts(other)["frame.language"])
            },
            stylesheet: services.assets.stylesheet, deskStylesheet: services.assets.deskStylesheet,
            thresholdStylesheet: services.assets.alone("threshold"),
            answerStylesheet: services.assets.alone("answer"),
            answerScript: services.assets.own("screens.js"), script: services.assets.script,
            navigation: places.navigation, more: places.more,
            person: try person?.account.name(services.keys),
            sessionSeconds: person.flatMap { person in
                if person.credential.staysUntil != nil { return nil }
                return String(min(Credential.idleSeconds, person.credential.expiresAt.seconds - now.seconds))
            },
            // A page that is kept on a device is sent on many days: it has no name of its own.
            formToken: isSeen
                ? services.keys.pageToken(for: cookie) : services.keys.maskedFormToken(for: cookie),
            ownDevice: person.flatMap(ownDevice),
            flash: flash.flatMap { $0.isRefusal ? nil : texts[$0.message] }, flashUndo: flash?.undo,
            here: Self.address(of: request), patientBar: try patientBar(request, person, language, now),
            desk: person.flatMap(desk), carried: page.carried)
        layout.refusal = flash.flatMap { $0.isRefusal ? texts[$0.message] : nil }
        return layout
    }

    private func patientBar(
        _ request: Request, _ person: SignedIn?, _ language: Language, _ now: Instant
    ) throws -> Layout.PatientBar? {
        guard let person, person.account.kind == .staff else { return nil }
        return try services.records.read { connection in
            for read in routes.bars {
                if let bar = try read(request, person, services, language, now, connection) { return bar }
            }
            return nil
        }
    }

    private func desk(_ person: SignedIn) -> Layout.Desk? {
        guard person.account.kind == .staff else { return nil }
        return Layout.Desk(
            namesAreHidden: person.account.hidesNames, usesKeys: !person.account.isWithoutKeys,
            hasPatients: person.account.roles.contains(.therapist), deskScript: services.assets.deskScript)
    }

    private func ownDevice(_ person: SignedIn) -> Layout.Own? {
        guard person.account.kind == .patient else { return nil }
        return Layout.Own(
            module: services.assets.own("main.js"), imports: services.assets.ownImports,
            account: services.keys.deviceTag(for: person.account.id), zone: person.account.timezone,
            stays: person.credential.staysUntil != nil)
    }
}
