import Database
import Identity
import Records
import Wire

/// A ground on which a member of staff may open a patient's file.
package enum FileGround: String, Sendable, CaseIterable, SQLConvertible {
    case owner
    case secondTherapist = "second_therapist"
    /// Stands in for the therapist for a while.
    case coverAct = "cover_act"
    case coverRead = "cover_read"
    case supervisor
}

/// A reader's standing in a patient's file: the rights of all their grounds, joined.
package struct FileStanding: Sendable, Equatable {
    package let grounds: Set<FileGround>
    package let rights: Set<StandingRight>

    package static let owner = FileStanding([.owner])

    /// - Parameter shared: what the therapist ticked for these grounds, such as private words.
    package init(_ grounds: Set<FileGround>, sharing shared: Set<StandingRight> = []) {
        self.grounds = grounds
        rights = grounds.reduce(into: []) { $0.formUnion($1.rights(sharing: shared)) }
    }

    /// What each ground gives by itself, joined: a tick for one ground shares nothing through another.
    fileprivate init(joining all: [FileStanding]) {
        grounds = all.reduce(into: []) { $0.formUnion($1.grounds) }
        rights = all.reduce(into: []) { $0.formUnion($1.rights) }
    }

    package var mayRead: Bool { rights.contains(.read) }
    /// Whether the reader may do what the therapist does, except with the therapist's private things.
    package var mayAct: Bool { rights.contains(.act) }
    /// Whether alerts and answers that must be seen reach the reader.
    package var isWatching: Bool { rights.contains(.watch) }
    package var isOwner: Bool { rights.contains(.own) }
    /// Whether the reader opens the emergency contact for a reason; the owner reads it directly.
    package var mayOpenEmergencyContact: Bool { rights.contains(.emergencyContact) }
    /// Whether the therapist's name for the patient may be known.
    package var knowsAlias: Bool { rights.contains(.alias) }
    /// Whether the therapist's note and agenda may be known.
    package var knowsWords: Bool { rights.contains(.words) }

    /// The word for it on the wire.
    package var access: String { isOwner ? "own" : mayAct ? "act" : "read" }

    /// The ground named where one word is shown: on the file, and in the access log. It decides no right.
    package var name: FileGround { FileGround.allCases.first(where: grounds.contains) ?? .supervisor }
}

extension [SharedTherapy] {
    /// The standing in each file, for the access logs of the patients.
    package var standings: [ID<Therapy>: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.therapy.id, $0.standing.name.rawValue) })
    }
}

/// A therapy that another therapist shares with a reader.
package struct SharedTherapy: Sendable {
    package let therapy: Therapy
    package let standing: FileStanding
    /// The end of the last cover; nil for members.
    package let until: Instant?

    /// Whether the first therapist shares note and agenda.
    package var sharesWords: Bool { standing.knowsWords }

    /// The patient's name on the pages of the reader.
    package func name(for reader: AccountRecord, _ keys: Keyring) throws -> PatientName {
        PatientName(
            codename: therapy.codename,
            alias: standing.knowsAlias && !reader.hidesNames ? try therapy.alias(keys) : nil)
    }

    /// Joins the standings in each therapy.
    static func joined(_ all: [SharedTherapy]) -> [SharedTherapy] {
        Dictionary(grouping: all, by: \.therapy.id).values.compactMap { shares in
            guard let first = shares.first else { return nil }
            return SharedTherapy(
                therapy: first.therapy, standing: FileStanding(joining: shares.map(\.standing)),
                until: shares.compactMap(\.until).max())
        }.sorted { $0.therapy.codename < $1.therapy.codename }
    }
}
