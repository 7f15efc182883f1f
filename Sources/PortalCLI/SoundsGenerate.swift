import SoundFiles

enum SoundsGenerate: Command {
    static let name = "sounds generate"
    static let summary = "Makes the starter sounds, all our own, and their manifest for sounds import"
    static let options = [Option("seed", "N", "the same seed, the same sounds (default 1)")]
    static let operands = "FOLDER"

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else { throw UsageError("sounds generate wants one folder") }
        let seed = try arguments.number("seed", 0...1_000_000) ?? 1
        let manifest = try StarterSounds(seed: UInt64(seed)).write(to: arguments.operands[0])
        Output.line(
            "\(manifest.sounds.count) sounds in \(arguments.operands[0]), listed in \(SoundManifest.file)")
    }
}
