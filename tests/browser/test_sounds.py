"""Every sound rendered as it would be heard, and measured: light, short, about equally loud, distinct."""

from __future__ import annotations

import math
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("sounds")  # rendered once

SCORE = Path(__file__).parents[2] / "static" / "src" / "sound" / "score.ts"
sys.path.insert(0, str(SCORE.parents[3]))
from hatch_build import node  # noqa: E402 - it lies beside the package, not in it

STRIP = """
const { stripTypeScriptTypes } = require("node:module");
process.stdout.write(stripTypeScriptTypes(require("node:fs").readFileSync(process.argv[1], "utf8")));
"""
# What an ear is told: how high, how loud out of a phone (which has no bass: the loudest tenth of a
# second above 300 Hz), how long (until 40 dB under the peak), where in the spectrum (seven bands from
# 60 Hz up), and its course in time.
RENDER = """
async (url) => {
  const { SCORE } = await import(url);
  const rate = 44100;
  const heard = {};
  for (const [name, play] of Object.entries(SCORE)) {
    const audio = new OfflineAudioContext(1, 2 * rate, rate);
    play(audio);
    const samples = (await audio.startRendering()).getChannelData(0);
    let peak = 0;
    for (const each of samples) peak = Math.max(peak, Math.abs(each));
    let end = samples.length;
    while (end > 0 && Math.abs(samples[end - 1]) < peak / 100) end--;
    const through = async (...filters) => {
      const there = new OfflineAudioContext(1, samples.length, rate);
      const source = there.createBufferSource();
      source.buffer = there.createBuffer(1, samples.length, rate);
      source.buffer.copyToChannel(samples, 0);
      let last = source;
      for (const each of filters) last = last.connect(new BiquadFilterNode(there, each));
      last.connect(there.destination);
      source.start();
      return (await there.startRendering()).getChannelData(0);
    };
    const small = await through({ type: "highpass", frequency: 300 });
    let loudest = 0;
    for (let at = 0; at < end; at += rate / 20) {
      let sum = 0;
      for (let k = at; k < at + rate / 10; k++) sum += (small[k] ?? 0) ** 2;
      loudest = Math.max(loudest, sum / (rate / 10));
    }
    const bands = [];
    for (let low = 60; low < 15000; low *= 2.5) {
      const part = await through({ type: "highpass", frequency: low }, { type: "lowpass", frequency: low * 2.5 });
      bands.push(part.reduce((sum, each) => sum + each * each, 0));
    }
    const all = bands.reduce((a, b) => a + b);
    // Its course: the loudness of each of twelve steps, the loudest being one.
    const steps = Array.from({ length: 12 }, (_, k) => {
      let sum = 0;
      for (let at = Math.floor(k * rate / 12); at < Math.floor((k + 1) * rate / 12); at++) sum += samples[at] ** 2;
      return Math.sqrt(sum);
    });
    const most = Math.max(...steps);
    heard[name] = {
      peak,
      loud: 10 * Math.log10(loudest),
      seconds: end / rate,
      bands: bands.map((each) => each / all),
      course: steps.map((each) => each / most),
      click: Math.max(Math.abs(samples[0]), Math.abs(samples[samples.length - 1])),
    };
  }
  return heard;
}
"""


@pytest.fixture(scope="module")
def heard(browser: Any) -> dict[str, Any]:
    script = subprocess.run(
        [node(), "-e", STRIP, str(SCORE)], check=True, capture_output=True, text=True
    ).stdout
    page = browser.new_page()
    found: dict[str, Any] = page.evaluate(
        RENDER, "data:text/javascript;base64," + b64encode(script.encode()).decode()
    )
    page.close()
    return found


def test_every_sound_is_short_and_never_clips(heard) -> None:
    assert len(heard) == 11
    for name, sound in heard.items():
        assert 0.02 <= sound["peak"] <= 0.5, name
        assert sound["click"] < 0.01, name
        assert sound["seconds"] <= (1.0 if name in ("win", "lose") else 0.65), name


def test_all_are_about_equally_loud(heard) -> None:
    loud = {name: round(sound["loud"], 1) for name, sound in heard.items()}
    assert max(loud.values()) - min(loud.values()) <= 8, loud
    assert max(loud.values()) <= -24, loud


def test_no_two_can_be_taken_for_each_other(heard) -> None:
    def apart(one: dict[str, Any], two: dict[str, Any]) -> float:
        return math.dist(one["bands"], two["bands"]) + math.dist(one["course"], two["course"])

    names = sorted(heard)
    near = {
        (a, b): round(apart(heard[a], heard[b]), 2)
        for k, a in enumerate(names)
        for b in names[k + 1 :]
    }
    assert min(near.values()) >= 0.3, min(near, key=lambda pair: near[pair])
