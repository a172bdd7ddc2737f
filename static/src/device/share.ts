// Copying and sharing. On a plain http:// page the modern ways are missing; each has a fallback.

export const canShare = (): boolean => typeof navigator.share === "function";

export async function share(title: string, text: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, text, url });
    return true;
  } catch {
    return false;
  }
}

/** Whether it is on the clipboard now; if not, the caller shows it to be selected by hand. */
export async function copy(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden here: the old way, below.
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "offscreen";
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  area.setSelectionRange(0, text.length);
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    copied = false;
  }
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
