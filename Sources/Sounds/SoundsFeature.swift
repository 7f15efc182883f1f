import Identity
import Web
import Wire

extension Feature {
    /// The library of sounds, and listening (SN-1, SN-2, SN-3).
    package static let sounds = Feature(
        name: "sounds",
        addRoutes: { routes in
            SoundAPI.routes(&routes)
            SoundCategoryAPI.routes(&routes)
            ListeningAPI.routes(&routes)
            OpenSoundPages.routes(&routes)
            OwnSoundPages.routes(&routes)
            OwnListeningPages.routes(&routes)
            SoundUploadPages.routes(&routes)
            StarterSoundPages.routes(&routes)
            SoundPages.routes(&routes)
            SoundStatePages.routes(&routes)
            SoundCategoryPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try SoundUploadStore.removeExpired(now: now, connection)
            try SoundFileStore.removeUnused(before: now.adding(days: -1), connection)
        },
        questions: FeatureQuestions {
            $0.kits = StarterSoundPages.kits
            $0.bands = SharedListening.bands
        },
        studyFiles: [.listening], pages: [SoundUploadPages.Show.example],
        ownData: { owner, connection in
            let titles = try ListeningActions.titles(owner.c, connection)
            return [
                .listening: try ListeningStore.all(of: owner.account.id, connection).map { $0.wire(titles) },
                .soundFavourites: try FavouriteStore.all(of: owner.account.id, connection).map {
                    SoundFavourite(title: titles[$0.sound] ?? "", addedAt: $0.addedAt)
                },
            ]
        })
}
