import Database
import HTTP
import Records
import SoundFiles
import Web
import Wire
import Wording

/// Changing the library, for pages and calls alike.
package enum SoundActions {
    /// The sound in the path, in any state: for those who keep the library.
    static func find(_ c: Context<Member>) throws -> SoundRecord {
        let id: ID<Sound> = try c.id("sound")
        guard let sound = try c.read({ try SoundStore.find(id, $0) }) else { throw Problem.notFound }
        return sound
    }

    /// Samples of one channel.
    static func samples(of sound: SoundRecord, _ c: Context<Member>) throws -> Int {
        try c.read { try SoundFileStore.audio(sound.audioHash, $0) }?.measure.frames ?? 0
    }

    /// - Throws: `Problem.invalid` for an unknown category.
    /// - Parameters:
    ///   - upload: the upload that was waiting for its title.
    ///   - received: the files that came with it, where they did not wait.
    static func add(
        _ sound: NewSound, instead upload: ID<SoundUpload>? = nil,
        with received: SoundUploading.Received? = nil, _ c: Context<Member>
    ) throws -> ID<Sound> {
        let id: ID<Sound> = c.newID()
        try c.write(.soundAdded, object: id) { [now = c.now] connection in
            try check(sound.categoryID, connection)
            if let received { try SoundUploading.keep(received, at: now, connection) }
            try SoundStore.insert(sound, id: id, at: now, connection)
            if let upload { try SoundUploadStore.remove(upload, connection) }
        }
        return id
    }

    static func save(_ changed: SoundRecord, over sound: SoundRecord, _ c: Context<Member>) throws {
        let action: AuditAction =
            if (changed.publishedAt == nil) != (sound.publishedAt == nil) {
                changed.publishedAt == nil ? .soundWithdrawn : .soundPublished
            } else if (changed.archivedAt == nil) != (sound.archivedAt == nil) {
                changed.archivedAt == nil ? .soundBroughtBack : .soundArchived
            } else {
                .soundChanged
            }
        try c.write(action, object: sound.id) { [now = c.now] connection in
            guard try SoundStore.find(sound.id, connection) != nil else { throw Problem.notFound }
            if changed.categoryID != sound.categoryID { try check(changed.categoryID, connection) }
            try SoundStore.update(changed, at: now, connection)
        }
    }

    /// Deletes a sound that was never heard; its file goes when no other sound uses it.
    /// - Throws: `Problem.conflict` for a sound that was heard: it can only be archived.
    static func delete(_ id: ID<Sound>, _ c: Context<Member>) throws {
        try c.write(.soundRemoved, object: id) { connection in
            guard try SoundStore.find(id, connection) != nil else { throw Problem.notFound }
            if try ListeningStore.isHeard(id, connection) {
                throw Problem.conflict(Message("sound_library.heard"))
            }
            try SoundStore.delete(id, connection)
        }
    }

    private static func check(_ category: ID<SoundCategory>, _ connection: borrowing Connection) throws {
        guard let found = try SoundCategoryStore.find(category, connection), found.archivedAt == nil else {
            throw Problem.invalid("category_id", "sound_library.unknown_category")
        }
    }
}

/// Changing categories, for pages and calls alike.
enum SoundCategoryActions {
    static func add(_ title: LocalizedText, position: Int?, _ c: Context<Member>) throws -> ID<SoundCategory>
    {
        let id: ID<SoundCategory> = c.newID()
        try c.write(.soundCategoryChanged, object: id) { connection in
            try SoundCategoryStore.insert(title, position: position, id: id, connection)
        }
        return id
    }

    static func find(_ c: Context<Member>) throws -> SoundCategoryRecord {
        let id: ID<SoundCategory> = try c.id("category")
        guard let found = try c.read({ try SoundCategoryStore.find(id, $0) }) else { throw Problem.notFound }
        return found
    }

    static func save(_ record: SoundCategoryRecord, _ c: Context<Member>) throws {
        try c.write(.soundCategoryChanged, object: record.id) { connection in
            guard try SoundCategoryStore.find(record.id, connection) != nil else { throw Problem.notFound }
            try SoundCategoryStore.update(record, connection)
        }
    }

    /// Moves by one place; all are numbered again.
    static func move(_ id: ID<SoundCategory>, isUp: Bool, _ c: Context<Member>) throws {
        try c.write(.soundCategoryChanged, object: id) { connection in
            var ids = try SoundCategoryStore.all(connection).map(\.id)
            guard let place = ids.firstIndex(of: id) else { throw Problem.notFound }
            let other = isUp ? place - 1 : place + 1
            if ids.indices.contains(other) { ids.swapAt(place, other) }
            for (index, id) in ids.enumerated() {
                try SoundCategoryStore.place(id, at: index + 1, connection)
            }
        }
    }
}

extension AuditAction {
    static let soundAdded = AuditAction(name: "sound.added")
    static let soundChanged = AuditAction(name: "sound.changed")
    static let soundPublished = AuditAction(name: "sound.published")
    static let soundWithdrawn = AuditAction(name: "sound.withdrawn")
    static let soundArchived = AuditAction(name: "sound.archived")
    static let soundBroughtBack = AuditAction(name: "sound.brought_back")
    static let soundRemoved = AuditAction(name: "sound.removed")
    static let soundUploaded = AuditAction(name: "sound.uploaded")
    static let soundCategoryChanged = AuditAction(name: "sound_category.changed")
}
