import Testing

@testable import Records

/// RP-229: one table says whether a folder is begun, served or refused.
@Suite struct FolderStateTests {
    typealias Stored = FolderState.Stored

    private func decision(
        _ keys: FolderState.Keys, _ stored: Stored, backup: String? = nil
    ) -> FolderState.Decision { FolderState(keys: keys, stored: stored, backup: backup).decision }

    @Test(arguments: [Stored.missing, .empty, .bare])
    func `RP-229 keys that were used make a database without content a loss`(_ stored: Stored) {
        #expect(decision(.used, stored) == .refuse(.databaseLost))
        #expect(decision(.used, stored, backup: "b") == .refuse(.databaseLost))
        #expect(decision(.lost, stored) == .refuse(.databaseLost))
        // A first start that ended early goes on, unless backups show that its key was used.
        #expect(decision(.unused, stored) == .begin)
        #expect(decision(.unused, stored, backup: "b") == .refuse(.databaseLost))
    }

    @Test func `RP-229 the first start, an ordinary one, and what opens nothing`() {
        #expect(decision(.none, .missing) == .begin && decision(.none, .empty) == .begin)
        #expect(decision(.used, .tables) == .serve && decision(.unused, .tables) == .begin)
        for stored in [Stored.tables, .bare, .damaged] {
            #expect(decision(.none, stored) == .refuse(.keyMissing))
        }
        #expect(decision(.lost, .tables) == .refuse(.keyMissing))
        #expect(decision(.used, .damaged) == .refuse(.databaseDamaged))
        for keys in FolderState.Keys.allCases {
            #expect(decision(keys, .unfit("newer")) == .refuse(.unfit("newer")))
        }
    }

    @Test func `RP-209 root writes nothing into the folder of another user`() {
        for keys in FolderState.Keys.allCases {
            let owner = FolderOwner.User(id: 990, group: 980, name: "intersession")
            let state = FolderState(keys: keys, stored: .missing, owner: owner)
            #expect(state.decision == .refuse(.belongsTo(owner)))
            let words = state.sentence(.belongsTo(owner), Settings())
            #expect(words.contains("belongs to intersession, "))
            #expect(words.contains("runuser -u intersession -- intersession …"))
        }
        // An id without an account has no name that runuser would take.
        let nameless = FolderOwner.User(id: 990, group: 980, name: nil)
        let words = FolderOwner.sentence(nameless, Settings())
        #expect(words.contains("belongs to user 990, "))
        #expect(words.contains("setpriv --reuid 990 --regid 980 --clear-groups -- intersession …"))
    }

    @Test func `RP-229 a refusal names the file, the backup and the way to begin anew`() {
        var settings = Settings()
        settings.data = "/house"
        let empty = FolderState(keys: .used, stored: .empty, backup: "/backups/a.sqlite")
        let text = empty.sentence(.databaseLost, settings)
        #expect(text.contains("/house/intersession.sqlite is empty (0 bytes)"))
        #expect(text.contains("intersession restore /backups/a.sqlite --data /house\n"))
        #expect(text.contains("serve --new-clinic") && !text.contains("--replace"))
        let damaged = FolderState(keys: .lost, stored: .damaged)
        let other = damaged.sentence(.databaseDamaged, settings)
        #expect(
            other.contains(
                "restore FILE --data /house --replace (no backup of these keys is in /house/backups)"))
        #expect(other.contains("/house/keys/master.key is missing as well"))
    }
}
