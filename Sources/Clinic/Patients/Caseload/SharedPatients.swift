import Database
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The part of the list of patients that colleagues share.
enum SharedPatients {
    /// The files that colleagues share with the reader; nil without any.
    static func read(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> PatientIndex.Shared? {
        let all = try SharingStore.all(with: c.proof.account.id, now: c.now, connection)
        if all.isEmpty { return nil }
        return PatientIndex.Shared(
            rows: all.map { entry in
                .init(
                    id: entry.therapy.id, codename: entry.therapy.codename, facts: grounds(of: entry, c))
            })
    }

    /// Every ground in words; covers with the end of the last.
    private static func grounds(of entry: SharedTherapy, _ c: Context<Member>) -> String {
        let grounds = entry.standing.grounds
        var words: [String] = []
        if grounds.contains(.secondTherapist) { words.append(c.texts["sharing.by_second_therapist"]) }
        if let until = entry.until {
            let day = c.dates.day(until.adding(seconds: -1))
            words.append(c.texts["sharing.by_cover", ["day": day]])
        }
        if grounds.contains(.supervisor) { words.append(c.texts["sharing.by_supervisor"]) }
        return words.joined(separator: " · ")
    }
}
