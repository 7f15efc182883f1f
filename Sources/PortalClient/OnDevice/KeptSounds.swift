import Database
public import Foundation
import Secrets
public import Wire

/// A sound whose file is on the device.
public struct KeptSound: Sendable {
    public let id: String
    /// SHA-256 of the file, in hexadecimal digits.
    public let hash: String
    public let bytes: Int
    /// The library's data when it was kept.
    public let sound: Sound
}

/// Sounds for listening offline. A file counts as kept once it is complete and its bytes match its hash; an
/// interrupted download continues where it stopped. Sounds that left the library stay on devices that kept them.
public struct KeptSounds: Sendable {
    private let folder: URL
    private let store: LocalStore
    /// The bytes of one request.
    private let piece: Int

    /// The bytes do not match the hash, even after a new download.
    public struct WrongFile: Error {}

    /// - Parameter folder: of the app alone; created when missing.
    /// - Throws: when the folder cannot be created.
    public init(_ folder: URL, _ store: LocalStore, piece: Int = 1 << 20) throws {
        self.folder = folder
        self.store = store
        self.piece = piece
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// In the order they were kept.
    public func all() throws -> [KeptSound] { try store.keptSounds() }

    /// The address for a player; nil for a sound that is not kept.
    public func file(of id: String) throws -> URL? {
        try all().first { $0.id == id }.map { place($0.hash) }.flatMap { place in
            FileManager.default.fileExists(atPath: place.path) ? place : nil
        }
    }

    /// Downloads a sound unless it is kept already.
    /// - Throws: `ClientError`; `WrongFile`; errors of the file system, such as a full device.
    public func keep(_ id: String, _ client: Client) async throws {
        let sound = try await client.sound(id)
        guard let hash = sound.audioURL.split(separator: "/").last.map(String.init) else { throw WrongFile() }
        if try digest(of: place(hash)) != hash {
            // Again from the beginning: the first part may be damaged.
            if try await !load(hash, client), try await !load(hash, client) { throw WrongFile() }
        }
        let size = try FileManager.default.attributesOfItem(atPath: place(hash).path)[.size] as? Int
        try store.keep(KeptSound(id: id, hash: hash, bytes: size ?? 0, sound: sound))
    }

    /// Removes a sound, and its file unless another sound has it.
    public func remove(_ id: String) throws {
        guard let kept = try all().first(where: { $0.id == id }), try store.forgetSound(id) else { return }
        for place in [place(kept.hash), half(kept.hash)] {
            try? FileManager.default.removeItem(at: place)
        }
    }

    /// Checks every file: the system may have deleted some, and disks fail.
    /// - Returns: the ids of sounds that are not kept any more.
    public func check() throws -> [String] {
        let lost = try all().filter { try digest(of: place($0.hash)) != $0.hash }
        for kept in lost { try remove(kept.id) }
        return lost.map(\.id)
    }

    // MARK: Files

    private func place(_ hash: String) -> URL { folder.appendingPathComponent(hash) }
    private func half(_ hash: String) -> URL { folder.appendingPathComponent(hash + ".half") }

    /// Piece by piece behind the present part; then checked, made durable, and named.
    /// - Returns: false when the bytes do not match the name; then none of them are kept.
    private func load(_ hash: String, _ client: Client) async throws -> Bool {
        let half = half(hash)
        if !FileManager.default.fileExists(atPath: half.path) {
            try Data().write(to: half)
        }
        let file = try FileHandle(forUpdating: half)
        defer { try? file.close() }
        var here = Int(try file.seekToEnd())
        var whole = Int.max
        while here < whole {

            do {
                let (bytes, size) = try await client.soundFile(hash, from: here, count: piece)
                try file.write(contentsOf: bytes)
                here += bytes.count
                whole = size
                if bytes.isEmpty { break }
            } catch ClientError.refused(let refusal) where refusal.status == 416 {
                break
            }
        }
        try file.synchronize()
        guard try digest(of: half) == hash else {
            try FileManager.default.removeItem(at: half)
            return false
        }
        try DurableFile.move(half.path, to: place(hash).path)
        return true
    }

    private func digest(of place: URL) throws -> String? {
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let file = try FileHandle(forReadingFrom: place)
        defer { try? file.close() }
        var digest = FileDigest()
        while let bytes = try file.read(upToCount: 1 << 18), !bytes.isEmpty {
            bytes.withUnsafeBytes { digest.add($0) }
        }
        return digest.hexadecimal
    }
}
