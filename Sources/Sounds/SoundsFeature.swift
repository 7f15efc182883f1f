import Records
import Web
import Wire

extension Feature {
    /// The library of sounds, listening, and what was heard (SN-1, SN-2, SN-3).
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
        questions: FeatureQuestions(kits: StarterSoundPages.kits, bands: SharedListening.bands),
        studyFiles: [.listening])
}
