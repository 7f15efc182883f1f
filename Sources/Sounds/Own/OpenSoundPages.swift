import HTTP
import Records
import Web
import Wire
import Wording

/// Listening without an account (SN-1): nothing of it is stored.
package enum OpenSoundPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/listen", .anyone, index)
        routes.page(.get, "/listen/:sound", .anyone, show)
    }

    package struct Index: Page {
        package static let template = "sounds/listen"
        let library: SoundLibraryView
        let soundStyles: String
    }

    package struct Show: Page {
        package static let template = "sounds/listen-sound"
        let player: PlayerView
    }

    @Sendable static func index(_ c: Context<Anyone>) throws -> Reply {
        let sounds = try c.read { try SoundStore.offered($0) }
        return .page(
            Index(
                library: SoundLibraryView(sounds, favourites: [], base: "/listen", c),
                soundStyles: c.services.assets.alone("sounds")))
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let id: ID<Sound> = try c.id("sound")
        guard let sound = try c.read({ try SoundStore.find(id, $0) }), sound.isOffered else {
            throw Problem.notFound
        }
        return .page(Show(player: PlayerView(sound, c)))
    }
}
