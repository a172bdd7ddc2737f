// Keeps the screen on while a round runs: a wake lock, or where there is none (http://) a silent
// moving picture of two pixels.

let lock: { release(): Promise<void> } | null = null;
let video: HTMLVideoElement | null = null;
let wanted = false;

async function hold(): Promise<void> {
  if (!wanted || document.visibilityState !== "visible") return;
  if ("wakeLock" in navigator && navigator.wakeLock !== undefined) {
    if (lock !== null) return;
    try {
      const got = await navigator.wakeLock.request("screen");
      lock = got;
      got.addEventListener("release", () => {
        lock = null;
      });
      return;
    } catch {
      // Low battery, or not allowed: the picture, below.
    }
  }
  try {
    if (video === null) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 2;
      const brush = canvas.getContext("2d");
      if (brush === null || typeof canvas.captureStream !== "function") return;
      video = document.createElement("video");
      video.muted = true;
      video.playsInline = true;
      video.srcObject = canvas.captureStream(1);
      let tick = 0;
      setInterval(() => {
        if (!wanted) return;
        brush.fillStyle = tick++ % 2 === 0 ? "#000" : "#111";
        brush.fillRect(0, 0, 2, 2);
      }, 1000);
    }
    await video.play();
  } catch {
    // It may only start after a tap; the next call tries again.
  }
}

export function keepAwake(on: boolean): void {
  if (on === wanted) return;
  wanted = on;
  if (on) void hold();
  else {
    void lock?.release().catch(() => undefined);
    lock = null;
    video?.pause();
  }
}

/** Call on every tap and return to the page: both ways may have been taken from us. */
export function stayAwake(): void {
  if (wanted && lock === null && (video === null || video.paused)) void hold();
}
