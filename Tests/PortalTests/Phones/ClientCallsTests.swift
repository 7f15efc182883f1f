import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Accounts
@testable import Portal
@testable import PortalClient
@testable import PortalTesting
@testable import Records
@testable import WearableLinks
@testable import Web

/// The typed calls, each against the portal.
@Suite struct ClientCallsTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    /// What the patients' part of the API has, without what staff alone may call and what is no data.
    static func routes() -> Set<String> {
        let table = Routes.all.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let rules: Set = ["anyone", "registrant", "account", "patient", "paired"]
        return Set(
            table.compactMap { line in
                guard line.count == 3, line[1].hasPrefix("/api/v1/"), rules.contains(line[2]),
                    line[1] != "/api/v1/openapi.json", !line[1].contains("/hooks/")
                else { return nil }
                return line[0] + " " + line[1].dropFirst("/api/v1".count)
            })
    }

    /// The pattern that a request was answered by.
    static func pattern(of asked: String, among routes: Set<String>) -> String? {
        let words = asked.split(separator: "?")[0].split(separator: "/", omittingEmptySubsequences: false)
        let fitting = routes.filter { route in
            let parts = route.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == words.count
                && zip(parts, words).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }
        // The more exact one, as the router does.
        return fitting.min { $0.count(where: { $0 == ":" }) < $1.count(where: { $0 == ":" }) }
    }

    @Test func `every call that patients have is there, typed, and understood by the portal`() async throws {
        var asked: [String] = []
        try await register(&asked)
        try await account(&asked)
        try await therapy(&asked)
        try await answers(&asked)
        try await tinnitus(&asked)
        try await listening(&asked)
        try await health(&asked)
        try await wearables(&asked)
        try await studies(&asked)
        try await leave(&asked)
        let routes = Self.routes()
        let reached = Set(asked.compactMap { Self.pattern(of: $0, among: routes) })
        #expect(routes.count > 40 && routes.subtracting(reached).sorted() == [])
    }

    private func register(_ asked: inout [String]) async throws {
        let phone = try Phone(portal, of: .nobody)
        let client = phone.client
        #expect(try await client.health().status == "ok")
        #expect(try await client.isEmailAvailable("pat+x@example.org"))
        let (account, token) = try await client.register(
            Registration(
                email: "pat@example.org", password: Cast.password, passwordConfirmation: Cast.password,
                privacyAccepted: true))
        #expect(!account.emailVerified)
        try await client.resendVerification(token)
        #expect(try await client.changeEmail(to: "pad@example.org", token).email == "pad@example.org")
        do {
            _ = try await client.signIn(email: "pad@example.org", password: Cast.password)
            Issue.record("signed in before the address was confirmed")
        } catch {
            #expect(error.refusal?.status == 403 && error.refusal?.registrationToken != nil)
        }
        let mail = try #require(try portal.mails().last)
        let link = try #require(mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/)).1
        #expect(try await client.verifyEmail(String(link)).emailVerified)
        #expect(try await client.registration(token).emailVerified)
        try await client.forgotPassword("pad@example.org")
        do {
            try await client.resetPassword("nonsense", to: Cast.password)
            Issue.record("reset by a link that does not exist")
        } catch { #expect(error.refusal?.status == 404) }
        asked += phone.line.asked()
    }

    private func account(_ asked: inout [String]) async throws {
        let phone = try Phone(portal, of: .nobody)
        let client = phone.client
        let device = DeviceInformation(platform: "ios", osVersion: "19", appVersion: "1")
        _ = try await client.signIn(
            email: "nora@example.org", password: Cast.password, deviceName: "Telefon", device: device)
        #expect(client.isSignedIn)
        #expect(try await client.profile().email == "nora@example.org")
        let changed = try await client.changeProfile(ProfileChange(timezone: "Europe/London", sex: 2))
        #expect(changed.timezone == "Europe/London" && changed.sex == 2 && changed.language == "de")
        #expect(try await client.overview().paired == false)
        #expect(try await client.setResearchConsent(true).researchConsent)
        #expect(try await client.privacy().history.count >= 1)
        _ = try await client.accountDeletion()
        #expect(try await client.accessLog().isEmpty)
        guard case .fresh(let changes) = try await client.changes() else {
            Issue.record("nobody has asked before")
            return
        }
        #expect(changes.value.profile != nil && changes.value.appointments == nil)
        guard case .unchanged = try await client.changes(unless: changes.etag) else {
            Issue.record("nothing has changed")
            return
        }
        #expect(try await client.pushKey().publicKey.count == 87)
        let own = try await client.devices().first { $0.attributes.current }?.id ?? ""
        let push = try await client.subscribe(
            device: own, endpoint: "https://1.1.1.1/push", p256dh: PushKey.example.publicKey,
            auth: "BTBZMqHH6r4Tts7J_aSIgg", wants: ["prompts"])
        #expect(push.endpointHost == "1.1.1.1" && push.state == "live")
        try await client.testPush(device: own)
        try await client.unsubscribe(device: own)
        try await client.sendFeedback("Danke.", replyTo: "nora@example.org")
        #expect(try await !client.informationPages().isEmpty)
        #expect(try await client.informationPage("privacy").version >= 1)
        #expect(try await !client.export().isEmpty)
        let other = try #require(try await client.devices().first { !$0.attributes.current })
        try await client.signOut(device: other.id)
        try await client.askForEmail("nora.neu@example.org", password: Cast.password)
        let new = "ein ganz anderes langes Wort"
        try await client.changePassword(from: Cast.password, to: new)
        let shown = try await client.makeDeviceCode()
        let second = try Phone(portal, of: .nobody)
        _ = try await second.client.signIn(deviceCode: shown.code, deviceName: "Zweites", device: device)
        #expect(try await client.deviceCode().deviceName == "Zweites")
        try await client.approveDevice()
        #expect(try await second.client.profile().email == "nora@example.org")
        _ = try await client.makeDeviceCode()
        try await client.refuseDevice()
        asked += second.line.asked()
        let code = try await client.pairingCode(portal.cast.openCode)
        #expect(code.therapistName.contains("Ada"))
        let day = try #require(LocalDate("1990-05-17"))
        let profile = try await client.pair(code: portal.cast.openCode, birthDate: day, gender: .female)
        #expect(profile.paired && profile.patient?.birthDate == day)
        try await client.signOut()
        #expect(!client.isSignedIn)
        asked += phone.line.asked()
    }

    private func therapy(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        #expect(try await client.therapist().name.contains("Ada"))
        #expect(String(decoding: try await client.therapistCard(), as: UTF8.self).hasPrefix("BEGIN:VCARD"))
        // PR-21: there and back again, and told of both.
        for person in ["ben", "ada"] {
            let body = #"{"email": "\#(person)@example.org"}"#
            #expect(portal.call(.post, "/patients/C000001/hand-over", body, as: .uma).status == 204)
        }
        let told = try await client.notices()
        #expect(told.map(\.attributes.kind) == ["handover", "handover"])
        let notice = try await client.noteNoticeSeen(try #require(told.first).id, at: portal.now)
        #expect(notice.seenAt == portal.now)
        let given = try #require(try await client.interventions().first)
        let seen = try await client.reportIntervention(given.id, opened: portal.now)
        #expect(seen.openedAt == portal.now && seen.completedAt == nil)
        #expect(try await client.vault().revision == 0)
        #expect(try await client.putVault(Data([1, 2, 3]), seen: 0).revision == 1)
        try await client.emptyVault()
        #expect(try await client.vault().ciphertext == nil)
        let start = portal.now.adding(days: 2)
        let appointment = Appointment(
            title: "Sitzung", startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
        let id = "5a1c9a0e-98a5-4a9f-8d3e-000000000001"
        let kept = try await client.putAppointment(id, appointment, seen: nil)
        #expect(try await client.appointment(id).etag == kept.etag)
        #expect(try await client.appointments(from: portal.now, to: start.adding(days: 1)).map(\.id) == [id])
        #expect(try await client.appointments(from: start.adding(days: 1)).isEmpty)
        #expect(try await client.notedSessions().isEmpty)
        try await client.deleteAppointment(id, seen: kept.etag)
        asked += phone.line.asked()
    }

    private func listening(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        let id = try portal.addSound().text
        let sound = try #require(try await client.sounds().first)
        #expect(try await client.sound(id).title == sound.attributes.title)
        let hash = sound.attributes.audioURL.split(separator: "/").last.map(String.init) ?? ""
        _ = try await client.audio(of: id)
        _ = try await client.soundFile(hash)
        let listened = Client.Listened(
            soundID: id, startedAt: portal.now.adding(seconds: -60), listenedSeconds: 30, loopMinutes: nil,
            rating: 3, ratingState: "rated")
        let session = "5a1c9a0e-98a5-4a9f-8d3e-0000000000aa"
        #expect(try await client.sendListening(session, listened).counts)
        #expect(try await client.listeningSessions().map(\.id) == [session])
        #expect(try await client.listeningStatistics(sort: "plays").first?.attributes.rated == 1)
        try await client.addFavourite(sound: id)
        #expect(try await client.favouriteSound(id).title == sound.attributes.title)
        #expect(try await client.favouriteSounds().count == 1)
        try await client.removeFavourite(sound: id)
        let sharing = try await client.share(MeasurementSharing(shared: [.listening: nil]))
        #expect(try await client.measurementSharing() == sharing)
        asked += phone.line.asked()
    }

    private func health(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        let date = LocalTime(portal.now, Phone.zone).date
        let sent = Client.SentDay(
            source: .healthConnect, zone: "Europe/Vienna", completeUntil: portal.now, series: [[0, 60, 12]],
            total: 4_000)
        let kept = try await client.putDay(.steps, date, sent)
        #expect(try await client.day(.steps, date).series == kept.series && kept.n == 1)
        #expect(try await client.days(.steps, from: date, to: date).map(\.attributes.total) == [4_000])
        let begin = portal.now.adding(seconds: -120)
        try await client.putMeasurements([
            Client.SingleMeasurement(
                id: "5a1c9a0e-98a5-4a9f-8d3e-0000000000b1", type: .heartRate, startsAt: begin, endsAt: begin,
                value: 64, source: .healthKit)
        ])
        #expect(try await client.latestMeasurements().count == 2)
        #expect(try await client.measurements(.steps, from: date, to: date, byMonth: true).count == 1)
        #expect(try await client.heartDays(from: date, to: date).first?.attributes.mean == 64)
        try await client.deleteDay(.steps, date, source: .healthConnect)
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000000b2"
        let sleep = Sleep(
            startsAt: portal.now.adding(seconds: -30_000), endsAt: portal.now.adding(seconds: -3_000),
            origin: "manual")
        let slept = try await client.putSleep(id, sleep)
        #expect(try await client.sleep(id).etag == slept.etag)
        var longer = sleep
        longer.endsAt = longer.endsAt.adding(seconds: 600)
        #expect(try await client.putSleep(id, longer, seen: slept.etag).value == longer)
        let before = date.adding(days: -1)
        #expect(try await client.sleeps(from: before, to: date).map(\.id) == [id])
        try await client.deleteSleep(id)
        let walk = Activity(
            name: "Gehen", startsAt: portal.now.adding(seconds: -30_000), durationSeconds: 1_800)
        let walked = try await client.putActivity(id, walk)
        #expect(try await client.activity(id).etag == walked.etag)
        #expect(try await client.activities(from: before, to: date).first?.attributes == walk)
        try await client.deleteActivity(id)
        let goals = HealthGoals(stepsPerDay: 8_000, sleepMinutes: nil)
        try await client.setGoals(goals)
        #expect(try await client.goals() == goals)
        asked += phone.line.asked()
    }

    private func wearables(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        let provider = FakeHealth(portal.services.clock)
        portal.services.part(WearableSignal.self).set(provider.configured())
        #expect(
            try await client.wearables().map(\.attributes.state) == ["available"]
                + Array(repeating: "unavailable", count: 3))
        let address = try await client.linkWearable("google_health")
        let back = provider.consent(address, as: 1).replacing(portal.services.origin, with: "")
        #expect(portal.get(back, as: .nobody).status == 303)
        #expect(try await client.confirmWearable("google_health").state == "live")
        try await client.unlinkWearable("google_health", removingData: true)
        #expect(
            try await client.wearables().map(\.attributes.state) == ["available"]
                + Array(repeating: "unavailable", count: 3))
        asked += phone.line.asked()
    }

    private func answers(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        let id = portal.cast.assignment
        #expect(try await client.assignments().map(\.id).contains(id))
        let assignment = try await client.assignment(id)
        let questionnaire = try await client.questionnaire(assignment.questionnaireID)
        #expect(questionnaire.key == assignment.questionnaireKey)
        _ = try await client.reportAssignment(id, notified: portal.now, opened: portal.now)
        #expect(try await client.dailies().isEmpty)
        let keys = questionnaire.sections.flatMap(\.questions).map(\.key)
        let draft = try await client.putDraft(of: id, [keys[0]: .number(1)], seen: nil)
        #expect(try await client.draft(of: id).etag == draft.etag)
        let sheet = AnswerSheet(
            assignmentID: id, startedAt: portal.now, completedAt: portal.now, timezone: "Europe/Vienna",
            answers: Dictionary(uniqueKeysWithValues: keys.map { ($0, Answer.number(2)) }),
            answeredAt: [keys[0]: portal.now])
        let sheetID = "5a1c9a0e-98a5-4a9f-8d3e-000000000002"
        let sent = try await client.sendSheet(sheetID, sheet)
        #expect(try await client.contribution(sheetID).receivedAt == sent.receivedAt)
        #expect(try await client.contributions().count == 2)
        let sensors = try await client.setSensors(SensorSettings(gps: true, microphone: false))
        #expect(try await client.sensorSettings().gps == sensors.gps && sensors.gps)
        let settings = NotificationSettings(questionnaires: true, interventions: false, appointments: true)
        #expect(try await !client.setNotifications(settings).interventions)
        #expect(try await !client.notificationSettings().interventions)
        _ = try await client.notifications()
        asked += phone.line.asked()
    }

    private func tinnitus(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        try portal.publish("tinnitus-profile")
        let therapy = portal.cast.therapies[.pia] ?? ""
        let id = portal.call(
            .post, "/patients/\(therapy)/assignments", #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada
        ).id
        let empty = try await client.profileAnswers(id)
        #expect(empty.value.answers.isEmpty && empty.value.progress.total == 14)
        let changed = try await client.changeProfile(
            id, ["side": .number(2), "own_words": .text("hell")], at: ["side": portal.now],
            ifMatch: empty.etag)
        #expect(changed.value.answers["side"] == .number(2))
        let removed = try await client.changeProfile(id, ["own_words": nil])
        #expect(removed.value.answers["own_words"] == .some(nil) && removed.value.progress.answered == 1)
        #expect(try await client.profiles().map(\.id) == [id])
        let run = TinnitusMatch(
            matchedAt: portal.now, method: "slider", ear: "left", kind: "tone", frequencyHz: 6137.5,
            levelSlDb: 12, certainty: 7, run: 1)
        let kept = try await client.putTinnitusMatch("5a1c9a0e-98a5-4a9f-8d3e-000000000003", run)
        #expect(kept.frequencyHz == 6137.5 && kept.bandwidthOctaves == nil)
        let matches = try await client.tinnitusMatches()
        #expect(matches.data.count == 1 && matches.meta.medianHz == 6137.5 && !matches.meta.octaveApart)
        asked += phone.line.asked()
    }

    private func studies(_ asked: inout [String]) async throws {
        let phone = try Phone(portal)
        let client = phone.client
        let id = portal.cast.study
        #expect(try await client.studies().isEmpty)
        let study = try #require(try await client.studies(code: "13572468").first)
        #expect(study.id == id && study.attributes.access == "request" && study.attributes.lead == nil)
        #expect(study.attributes.consentVersion == 1)
        let picture = Data(PictureSample.png).base64EncodedString()
        _ = portal.change(.patch, "/studies/\(id)", #"{"picture": "\#(picture)"}"#, as: .lena)
        let asking = try await client.enrol(in: id, code: "13572468")
        #expect(asking.state == "pending" && asking.studyID == id)
        #expect(try await client.enrolment(in: id).codename == asking.codename)
        #expect(try await client.study(id).enrolled == false)
        _ = portal.call(.post, "/studies/\(id)/participants/\(asking.codename)/accept", as: .lena)
        #expect(try await client.myStudies().map(\.id) == [id])
        #expect(try await client.picture(ofStudy: id) == Data(PictureSample.png))
        let text = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
        _ = portal.change(.patch, "/studies/\(id)", text, as: .lena)
        #expect(try await client.enrolment(in: id).newestConsentVersion == 2)
        #expect(try await client.agree(toConsent: 2, ofStudy: id).consentVersion == 2)
        #expect(try await client.consents(ofStudy: id).map(\.attributes.version) == [2, 1])
        _ = portal.change(.patch, "/studies/\(id)", #"{"measurements": ["steps", "sleep"]}"#, as: .lena)
        #expect(try await client.study(id).measurements == ["steps", "sleep"])
        #expect(try await client.give([.sleep], toStudy: id).measurements == ["sleep"])
        let entry = try #require(try await client.studyQuestionnaires().first)
        let item = entry.attributes
        let plan = try await client.notificationPlan(entry.id)
        #expect(plan.option == "standard" && plan.windows.count == 7)
        _ = portal.change(
            .patch, "/studies/\(id)/questionnaires/\(entry.id)", #"{"is_schedule_changeable": true}"#,
            as: .lena)
        #expect(try await client.putNotificationPlan(entry.id, plan) == plan)
        _ = portal.change(
            .patch, "/studies/\(id)/questionnaires/\(entry.id)", #"{"can_use": ["gps"]}"#, as: .lena)
        #expect(try await client.study(id).asksLocation)
        #expect(try await client.give(location: true, toStudy: id).location == "allowed")
        let questionnaire = try await client.questionnaire(try #require(item.questionnaireID))
        let keys = questionnaire.sections.flatMap(\.questions).map(\.key)
        var sheet = AnswerSheet(
            assignmentID: nil, startedAt: portal.now, completedAt: portal.now, timezone: "Europe/Vienna",
            answers: Dictionary(uniqueKeysWithValues: keys.map { ($0, Answer.number(2)) }))
        sheet.studyID = id
        sheet.questionnaireID = item.questionnaireID
        #expect(try await client.sendSheet("5a1c9a0e-98a5-4a9f-8d3e-000000000004", sheet).studyID == id)
        let level = try #require(try await client.feedback().first?.attributes)
        #expect(level.level == 2 && level.sheets == 1 && level.distribution == nil)
        try portal.publish("wellbeing-5")
        let button = portal.call(
            .post, "/studies/\(id)/questionnaires",
            #"{"questionnaire_key": "wellbeing-5", "event": "span"}"#, as: .lena
        ).id
        let event = "5a1c9a0e-98a5-4a9f-8d3e-000000000005"
        let noted = try await client.putEvent(
            event, of: button, from: portal.now, until: portal.now, timezone: "Europe/Vienna")
        #expect(noted.endedAt == portal.now && noted.event == "span")
        #expect(try await client.events().map(\.id) == [event])
        try await client.removeEvent(event)
        #expect(try await client.events().isEmpty)
        let left = try #require(try await client.leave(study: id, removing: true))
        #expect(try await client.receipt(left.receipt).answers == "erased" && left.answers == "erased")
        #expect(try await client.myStudies().isEmpty)
        // Sent once more by a phone that did not hear the answer.
        let refused = try await client.refuse(consent: 2, ofStudy: id, removing: true)
        #expect(refused?.receipt == left.receipt)
        asked += phone.line.asked()
    }

    @Test func `a therapist makes a link to an assignment and ends it`() async throws {
        let client = try Phone(portal, of: .ada).client
        let (patient, assignment) = (portal.cast.therapies[.pia]?.text ?? "", portal.cast.assignment)
        let link = try await client.makeLink(ofPatient: patient, toAssignment: assignment)
        #expect(link.url.contains("/q/") && link.expiresAt > portal.now)
        let path = try #require(URL(string: link.url)).path
        #expect(portal.get(path, as: .nobody).status == 200)
        try await client.endLink(ofPatient: patient, toAssignment: assignment)
        #expect(portal.get(path, as: .nobody).status == 410)
    }

    private func leave(_ asked: inout [String]) async throws {
        let phone = try Phone(portal, of: .quinn)
        do {
            try await phone.client.deleteAccount(password: "wrong")
            Issue.record("deleted with a wrong password")
        } catch { #expect((400..<500).contains(error.refusal?.status ?? 0)) }
        try await phone.client.deleteAccount(password: Cast.password)
        #expect(!phone.client.isSignedIn)
        asked += phone.line.asked()
    }

    // MARK: Errors

    @Test func `a refusal carries the portal's words, in the language that was asked for`() async throws {
        let phone = try Phone(portal)
        var client = phone.client
        let wrong = Appointment(title: "", startsAt: portal.now, endsAt: portal.now, comment: nil)
        var words: Set<String> = []
        for language in [ClientLanguage.german, .english] {
            client.language = language
            do {
                _ = try await client.putAppointment("5a1c9a0e-98a5-4a9f-8d3e-000000000003", wrong, seen: nil)
                Issue.record("taken")
            } catch {
                let refusal = try #require(error.refusal)
                #expect(refusal.status == 422 && refusal.errors["title"]?.isEmpty == false)
                #expect(refusal.code == "invalid")
                words.insert(refusal.message)
            }
        }
        #expect(words.count == 2)
    }

    @Test func `what stands before the portal may say it in its own words`() async throws {
        let phone = try Phone(portal)
        phone.line.next(.answered(503, ["Retry-After": "7"]), .answered(502, [:]), .answered(200, [:]), .lost)
        await #expect {
            try await phone.client.profile()
        } throws: {
            ($0 as? ClientError)?.refusal
                == Refusal(status: 503, message: "", retryAfter: 7, isFromPortal: false)
        }
        await #expect { try await phone.client.profile() } throws: {
            ($0 as? ClientError)?.refusal?.isFinal == false
        }
        await #expect { try await phone.client.profile() } throws: {
            if case .unreadable = $0 as? ClientError { true } else { false }
        }
        await #expect { try await phone.client.profile() } throws: {
            if case .unreachable = $0 as? ClientError { true } else { false }
        }
    }

    @Test func `the same sheet gives the same bytes, so that it may be sent again`() throws {
        let sheet = AnswerSheet(
            assignmentID: "a", startedAt: portal.now, completedAt: portal.now, timezone: "UTC",
            answers: ["b": .number(1), "a": .text("x"), "c": .numbers([1, 2])])
        let bytes = try Client.bytes(of: sheet)
        for _ in 0..<20 { #expect(try Client.bytes(of: sheet) == bytes) }
        #expect(try JSONReader.value(AnswerSheet.self, from: bytes) == sheet)
    }
}
