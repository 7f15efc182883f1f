import Foundation
import PortalClient
import Testing
import Wire

@testable import PortalCLI

/// The judge of the simulation has to notice everything that can go wrong.
@Suite struct AgreementTests {
    let at = Instant(milliseconds: 1_772_431_200_000)

    func sheet(_ answer: Double = 1, assignment: String? = "a") -> SentSheet {
        SentSheet(
            assignmentID: assignment, studyID: nil, questionnaireKey: "k", version: 1, title: "",
            startedAt: at, completedAt: at, receivedAt: at, timezone: "UTC",
            answers: Ordered([("q", .number(answer)), ("r", nil)]), scores: Ordered([]))
    }

    func diary(_ ids: [String]) -> Diary {
        var diary = Diary()
        diary.sheets = ids.map {
            Diary.Contribution(id: $0, phone: 0, assignment: $0, answers: ["q": .number(1)], completedAt: at)
        }
        return diary
    }

    func phone(
        _ ids: [String], sheets: [LocalSheet] = [], appointments: [String: Appointment] = [:],
        refusedRecords: Set<String> = [], waiting: Int = 0, conflicts: Int = 0
    ) -> PhoneState {
        PhoneState(
            contributions: Dictionary(uniqueKeysWithValues: ids.map { ($0, sheet()) }), sheets: sheets,
            appointments: appointments, interventions: [:], refusedRecords: refusedRecords,
            waiting: waiting, conflicts: conflicts)
    }

    func portal(
        _ items: [Item<SentSheet>], appointments: [Item<Appointment>] = [],
        interventions: [Item<Intervention>] = [], listening: [Item<ListeningSession>] = [],
        statistics: [Item<ListeningStatistic>] = []
    ) -> PortalState {
        PortalState(
            contributions: items, appointments: appointments, interventions: interventions,
            listening: listening, listeningStatistics: statistics)
    }

    func session(_ seconds: Double = 60, rating: Int? = 3) -> ListeningSession {
        ListeningSession(
            soundID: "s", title: "Regen", startedAt: at, listenedSeconds: seconds, loopMinutes: 2,
            rating: rating,
            ratingState: "rated", receivedAt: at, counts: seconds >= 10)
    }

    @Test func `what was heard is there once, as it was, with its sums`() {
        var evening = Diary()
        evening.heard = [
            "1": Client.Listened(
                soundID: "s", startedAt: at, listenedSeconds: 60, loopMinutes: 2, rating: 3,
                ratingState: "rated")
        ]
        let sums = Item(
            id: "s",
            ListeningStatistic(
                soundID: "s", title: "Regen", plays: 1, listenedSeconds: 60, meanRating: 3, rated: 1))
        let there = portal([], listening: [Item(id: "1", session())], statistics: [sums])
        let fine = judged(evening, [phone([])], there)
        #expect(fine.differences.isEmpty && fine.heard == 1)
        #expect(judged(evening, [phone([])], portal([])).differences == ["x: session of listening 1 is lost"])
        #expect(judged(evening, [phone([], refusedRecords: ["1"])], portal([])).differences.isEmpty)
        #expect(
            judged(Diary(), [phone([])], there).differences == ["x: session of listening 1 was never heard"])
        let other = portal([], listening: [Item(id: "1", session(rating: 4))], statistics: [sums])
        #expect(
            judged(evening, [phone([])], other).differences == [
                "x: session of listening 1 says something else"
            ])
        let twice = portal(
            [], listening: [Item(id: "1", session()), Item(id: "1", session())], statistics: [sums])
        #expect(
            judged(evening, [phone([])], twice).differences == ["x: a session of listening is there twice"])
        let few = portal([], listening: [Item(id: "1", session())], statistics: [])
        #expect(
            judged(evening, [phone([])], few).differences == [
                "x: the statistics of sound s are not those of its sessions"
            ])
    }

    func judged(_ diary: Diary, _ phones: [PhoneState], _ portal: PortalState) -> Agreement {
        var agreement = Agreement()
        agreement.add("x", diary, phones, nil, portal)
        return agreement
    }

    @Test func `where everything is on both sides there is nothing to say`() {
        let fine = judged(diary(["1"]), [phone(["1"])], portal([Item(id: "1", sheet())]))
        #expect(fine.differences.isEmpty && fine.acknowledged == 1 && fine.refused.isEmpty)
    }

    @Test func `what is lost, doubled, changed, made up or on one side only is told`() {
        let all: [(String, Agreement)] = [
            ("sheet 1 is lost", judged(diary(["1"]), [phone([])], portal([]))),
            (
                "sheet 1 is there twice",
                judged(
                    diary(["1"]), [phone(["1"])],
                    portal([Item(id: "1", sheet()), Item(id: "1", sheet(assignment: nil))]))
            ),
            (
                "an assignment is answered twice",
                judged(
                    diary(["1", "2"]), [phone(["1", "2"])],
                    portal([Item(id: "1", sheet()), Item(id: "2", sheet())]))
            ),
            (
                "sheet 1 says something else",
                judged(diary(["1"]), [phone(["1"])], portal([Item(id: "1", sheet(2))]))
            ),
            (
                "sheet 1 was never filled in",
                judged(diary([]), [phone(["1"])], portal([Item(id: "1", sheet())]))
            ),
            (
                "phone 0: sheet 1 is on one side only",
                judged(diary(["1"]), [phone([])], portal([Item(id: "1", sheet())]))
            ),
            ("phone 0: 2 things were never sent", judged(diary([]), [phone([], waiting: 2)], portal([]))),
            ("phone 0: 1 conflicts are left", judged(diary([]), [phone([], conflicts: 1)], portal([]))),
        ]
        for (line, agreement) in all { #expect(agreement.differences == ["x: " + line]) }
    }

    @Test func `a refused sheet is no lost one, and is counted by its reason`() {
        let kept = LocalSheet(
            id: "1", assignmentID: "a",
            sheet: AnswerSheet(
                assignmentID: "a", startedAt: at, completedAt: at, timezone: "UTC", answers: [:]),
            refusal: Refusal(status: 409, message: "…"))
        let agreement = judged(diary(["1"]), [phone([], sheets: [kept])], portal([]))
        #expect(agreement.differences.isEmpty && agreement.refused == [409: 1])
    }

    @Test func `appointments are held against the diary and every phone`() {
        let one = Appointment(title: "a", startsAt: at, endsAt: at.adding(seconds: 60), comment: nil)
        var other = one
        other.comment = "b"
        var wishes = Diary()
        wishes.appointments = ["1": one]
        let there = portal([], appointments: [Item(id: "1", one)])
        #expect(judged(wishes, [phone([], appointments: ["1": one])], there).differences.isEmpty)
        #expect(
            judged(wishes, [phone([], appointments: ["1": other])], there).differences == [
                "x: appointment 1 is different in phone 0"
            ])
        #expect(
            judged(Diary(), [phone([], appointments: ["1": one])], there).differences == [
                "x: appointment 1 is not in the diary"
            ])
        #expect(
            judged(wishes, [phone([], appointments: ["1": one])], portal([])).differences == [
                "x: appointment 1 is in the diary only", "x: appointment 1 is in phone 0 only",
            ])
    }

    @Test func `an intervention that was finished has to be known as finished`() {
        var done = Diary()
        done.completed = ["1"]
        let it = Intervention(kind: "task", text: "t", assignedAt: at, openedAt: at, completedAt: nil)
        let agreement = judged(done, [phone([])], portal([], interventions: [Item(id: "1", it)]))
        #expect(
            agreement.differences == [
                "x: intervention 1 was finished, and the portal does not know",
                "x: phone 0: intervention 1 is on one side only",
            ])
    }
}
