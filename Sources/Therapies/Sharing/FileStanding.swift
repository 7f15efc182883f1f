import Database
import Identity
import Records
import Wire

/// One ground on which somebody opens a patient's file.
package enum FileGround: String, Sendable, CaseIterable, SQLConvertible {
    case owner
    case secondTherapist = "second_therapist"
    /// Stands in for the therapist for a while.
    case coverAct = "cover_act"
    case coverRead = "cover_read"
    case supervisor

    fileprivate var rights: FileRights {
        switch self {
        case .owner: [.act, .watch, .own]
        case .secondTherapist, .coverAct: [.act, .watch]
        case .coverRead: [.watch]
        case .supervisor: []
        }
    }
}

/// What is allowed beside reading.
private struct FileRights: OptionSet {
    let rawValue: Int
    /// What the therapist does, but with what is the therapist's own.
    static let act = FileRights(rawValue: 1)
    /// What waits for the therapist waits for them, too.
    static let watch = FileRights(rawValue: 2)
    /// What nobody does for the therapist.
    static let own = FileRights(rawValue: 4)
}

/// As whom somebody opens a patient's file: the rights of all grounds they have, joined. No ground takes away what another
/// one gives.
package struct FileStanding: Sendable, Equatable {
    package let grounds: Set<FileGround>

    package static let owner = FileStanding([.owner])

    package init(_ grounds: Set<FileGround>) { self.grounds = grounds }

    private var rights: FileRights { grounds.reduce(into: []) { $0.formUnion($1.rights) } }

    /// Whether they do what the therapist does, but with what is the therapist's own.
    package var mayAct: Bool { rights.contains(.act) }
    /// Whether alerts and answers that have to be seen reach them.
    package var isWatching: Bool { rights.contains(.watch) }
    package var isOwner: Bool { rights.contains(.own) }

    /// What the wire calls it.
    package var access: String { isOwner ? "own" : mayAct ? "act" : "read" }

    /// The ground that names it where one word has to do: on the file, and in the access log of the person whose it is. No
    /// right follows from it.
    package var name: FileGround { FileGround.allCases.first(where: grounds.contains) ?? .supervisor }
}

extension [SharedTherapy] {
    /// As what each is opened, for the access logs of the patients.
    package var standings: [ID<Therapy>: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.therapy.id, $0.standing.name.rawValue) })
    }
}

/// A therapy that somebody else shares with a reader.
package struct SharedTherapy: Sendable {
    package let therapy: Therapy
    package let standing: FileStanding
    /// Whether the first therapist shares alias, note and agenda.
    package let sharesWords: Bool
    /// The end of the last cover; nil for members.
    package let until: Instant?

    /// How a page names the patient to whom it is shared with.
    package func name(for reader: AccountRecord, _ keys: Keyring) throws -> PatientName {
        PatientName(
            codename: therapy.codename,
            alias: sharesWords && !reader.hidesNames ? try therapy.alias(keys) : nil)
    }

    /// The grounds of each therapy in one; words are shared where any of them shares them.
    static func joined(_ all: [SharedTherapy]) -> [SharedTherapy] {
        Dictionary(grouping: all, by: \.therapy.id).values.compactMap { shares in
            guard let first = shares.first else { return nil }
            return SharedTherapy(
                therapy: first.therapy,
                standing: FileStanding(shares.reduce(into: []) { $0.formUnion($1.standing.grounds) }),
                sharesWords: shares.contains(where: \.sharesWords), until: shares.compactMap(\.until).max())
        }.sorted { $0.therapy.codename < $1.therapy.codename }
    }
}
