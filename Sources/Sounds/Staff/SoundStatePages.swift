import HTTP
import Web
import Wording

/// Publishing, archiving and deleting sounds.
enum SoundStatePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/sounds/:sound(id)/publication", .lead, publish)
        routes.page(.post, "/sounds/:sound(id)/archive", .lead, archive)
        routes.page(.post, "/sounds/:sound(id)/removal", .lead, remove)
    }

    @Sendable static func publish(_ c: Context<Member>) throws -> Reply {
        let sound = try SoundActions.find(c)
        let isOn = InputReader(form: try c.form()).bool("published") ?? false
        var changed = sound
        changed.publishedAt = isOn ? sound.publishedAt ?? c.now : nil
        try SoundActions.save(changed, over: sound, c)
        return back(sound, isOn ? "sound_library.published" : "sound_library.withdrawn")
    }

    @Sendable static func archive(_ c: Context<Member>) throws -> Reply {
        let sound = try SoundActions.find(c)
        let isOn = InputReader(form: try c.form()).bool("archived") ?? false
        var changed = sound
        changed.archivedAt = isOn ? sound.archivedAt ?? c.now : nil
        try SoundActions.save(changed, over: sound, c)
        return back(sound, isOn ? "sound_library.archived" : "sound_library.brought_back")
    }

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        try SoundActions.delete(try c.id("sound"), c)
        return .seeOther("/sounds", flash: Message("sound_library.removed"))
    }

    private static func back(_ sound: SoundRecord, _ message: String) -> Reply {
        .seeOther("/sounds/\(sound.id)", flash: Message(message))
    }
}
