import Foundation

/// Sounds of our own, so that a library is not empty and no licence is in doubt: made of numbers, the same for the same seed.
public struct StarterSounds: Sendable {
    /// Their authors, and the licence of their use.
    public static let credits = "Intersession"
    public static let licence = "CC0-1.0"

    private let seed: UInt64
    /// How long each is.
    let seconds: Int

    public init(seed: UInt64) { self.init(seed: seed, seconds: 20) }

    /// - Parameter seconds: how long each is; short ones are made sooner.
    public init(seed: UInt64, seconds: Int) {
        self.seed = seed
        self.seconds = seconds
    }

    /// How many there are.
    public static var count: Int { recipes.count }

    /// Where notches lie, in Hz: around what most people hear.
    static let notches = [2000, 4000, 6000, 8000]

    struct Recipe {
        let name: String
        let category: String
        let german: String
        let english: String
        let motif: StarterPicture.Motif
        let make: @Sendable (StarterSounds, UInt64) -> [[Double]]
    }

    static let categories = [
        SoundManifest.Category(key: "noise", title: ["de": "Rauschen", "en": "Noise"]),
        SoundManifest.Category(
            key: "notched", title: ["de": "Rauschen mit Lücke", "en": "Noise with a gap"]),
        SoundManifest.Category(key: "water", title: ["de": "Wie Wasser", "en": "Like water"]),
        SoundManifest.Category(key: "tones", title: ["de": "Töne", "en": "Tones"]),
    ]

    static let recipes: [Recipe] =
        [
            Recipe(
                name: "white-noise", category: "noise", german: "Weißes Rauschen", english: "White noise",
                motif: .grain(1...1)
            ) {
                $0.noises(.white, $1)
            },
            Recipe(
                name: "pink-noise", category: "noise", german: "Rosa Rauschen", english: "Pink noise",
                motif: .grain(1...5)
            ) {
                $0.noises(.pink, $1)
            },
            Recipe(
                name: "brown-noise", category: "noise", german: "Braunes Rauschen", english: "Brown noise",
                motif: .grain(3...6)
            ) {
                $0.noises(.brown, $1)
            },
        ]
        + notches.map { notch in
            Recipe(
                name: "notched-noise-\(notch)", category: "notched",
                german: "Rauschen mit Lücke um \(notch) Hz", english: "Noise with a gap around \(notch) Hz",
                motif: .gap(notch)
            ) { [LoopedSound.noise(.notched(Double(notch)), seconds: $0.seconds, seed: $1)] }
        } + [
            Recipe(name: "rain", category: "water", german: "Regen", english: "Rain", motif: .rain) {
                $0.rain($1)
            },
            Recipe(name: "sea", category: "water", german: "Meer", english: "Sea", motif: .waves) {
                $0.sea($1)
            },
            Recipe(
                name: "sweep", category: "tones", german: "Gleitender Ton", english: "Gliding tone",
                motif: .glide
            ) {
                sounds, _ in sounds.sweep()
            },
        ]

    private static func colours(_ category: String) -> StarterPicture.Colours {
        switch category {
        case "notched": StarterPicture.Colours(dark: [43, 47, 74], light: [217, 211, 238])
        case "water": StarterPicture.Colours(dark: [18, 59, 74], light: [201, 232, 234])
        case "tones": StarterPicture.Colours(dark: [61, 42, 58], light: [242, 220, 203])
        default: StarterPicture.Colours(dark: [36, 52, 77], light: [215, 227, 240])
        }
    }

    func sound(_ recipe: Recipe) -> LoopedSound {
        let index = UInt64(Self.recipes.firstIndex { $0.name == recipe.name } ?? 0)
        var sound = LoopedSound(recipe.make(self, seed &* 1000 &+ index &* 10))
        sound.normalise()
        return sound
    }

    /// Writes the sounds and their list into a folder, which is made if it is not there.
    @discardableResult
    public func write(to folder: String) throws -> SoundManifest {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var sounds: [SoundManifest.Sound] = []
        for recipe in Self.recipes {
            let sound = sound(recipe)
            let file = recipe.name + ".flac"
            try SoundWriter.writeFLAC(
                sound.samples, channels: sound.channels, rate: LoopedSound.rate, to: "\(folder)/\(file)")
            let picture = recipe.name + ".png"
            let drawn = StarterPicture(recipe.motif, seed: seed).png(Self.colours(recipe.category))
            try Data(drawn).write(to: URL(fileURLWithPath: "\(folder)/\(picture)"))
            sounds.append(
                SoundManifest.Sound(
                    file: file, category: recipe.category,
                    title: ["de": recipe.german, "en": recipe.english], credits: Self.credits,
                    licence: Self.licence, loopStart: 0, loopEnd: sound.frames, picture: picture))
        }
        let manifest = SoundManifest(categories: Self.categories, sounds: sounds)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(manifest).write(to: URL(fileURLWithPath: "\(folder)/\(SoundManifest.file)"))
        return manifest
    }
}
