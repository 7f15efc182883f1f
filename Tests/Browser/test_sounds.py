"""Loudness, measured by the program and by another implementation of ITU-R BS.1770."""

import json
import subprocess

import numpy
import pyloudnorm
import pytest
import soundfile

from conftest import PROGRAM


def mix(random):
    """Noises and tones of random levels, one after the other and on top of each other, on one channel or two."""
    rate = int(random.choice([32_000, 44_100, 48_000, 96_000]))
    channels = int(random.integers(1, 3))
    frames = int(rate * random.uniform(1.5, 8))
    moments = numpy.arange(frames) / rate
    sound = numpy.zeros((frames, channels))
    for _ in range(random.integers(1, 6)):
        begin = random.integers(0, frames // 2)
        end = random.integers(begin + frames // 4, frames + 1)
        level = 10 ** (random.uniform(-40, -8) / 20)
        if random.random() < 0.5:
            part = numpy.sin(2 * numpy.pi * random.uniform(40, 10_000) * moments)[:, None].repeat(channels, 1)
        else:
            part = random.normal(0, 0.3, (frames, channels))
        sound[begin:end] += (level * part * random.uniform(0.2, 1, channels))[begin:end]
    return rate, numpy.clip(sound, -1, 1)


@pytest.mark.parametrize("number", range(50))
def test_s1_random_mixes_are_as_loud_as_pyloudnorm_finds_them(number, tmp_path):
    random = numpy.random.default_rng(number)
    rate, sound = mix(random)
    path = tmp_path / f"mix.{random.choice(['wav', 'flac'])}"
    soundfile.write(path, sound, rate, subtype="PCM_24")
    told = json.loads(subprocess.run([PROGRAM, "sound-scan", path], check=True, capture_output=True).stdout)
    # One channel comes out of two loudspeakers.
    heard, _ = soundfile.read(path, always_2d=True)
    heard = heard if heard.shape[1] == 2 else heard.repeat(2, 1)
    expected = pyloudnorm.Meter(rate).integrated_loudness(heard)
    assert told["sample_rate"] == rate and told["frames"] == len(sound) and told["channels"] == sound.shape[1]
    assert abs(told["loudness_lufs"] - expected) <= 0.2
    assert told["true_peak_db"] >= 20 * numpy.log10(numpy.abs(heard).max()) - 0.01
    room = min(12, -1 - told["true_peak_db"])
    assert abs(told["gain_db"] - max(-24, min(-23 - told["loudness_lufs"], room))) < 0.011
