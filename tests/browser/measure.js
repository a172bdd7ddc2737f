// All that there is to find fault with where a screen stands, in words; none is good.
// `strict` (the made-up long language): besides, no word may be cut off.
(strict) => {
  const faults = new Set();
  // What is still on its way in is smaller than it will be.
  for (const motion of document.getAnimations())
    if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
  const app = document.getElementById("app");
  const wide = innerWidth + 1;
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (e) => {
    const id = e.dataset.testid ?? e.dataset.card ?? e.className;
    return `${e.tagName.toLowerCase()}.${id} "${(e.textContent || "").trim().slice(0, 30)}"`;
  };
  const texts = (e) => [...e.childNodes].filter((n) => n.nodeType === 3 && n.data.trim() !== "");
  // A decoration may hang over the edge, and what is only for the ear is nowhere.
  const beside = ".confetti, .fan, .offscreen, .ring-place, #flights";
  if (document.documentElement.scrollWidth > wide) faults.add("the page scrolls sideways");
  for (const e of app.querySelectorAll("*:not(svg, svg *)")) {
    const box = e.getBoundingClientRect();
    if (box.width === 0) continue;
    const over = box.left < -1 || box.right > wide;
    if (over && !e.closest(beside) && shown(e)) faults.add(`${named(e)} over the edge`);
    if (e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && shown(e))
      faults.add(`${named(e)} scrolls sideways`);
    if (!strict || texts(e).length === 0 || e.closest(beside) || !shown(e)) continue;
    // Names are the players' own, and the newest of what happened stands below the rest.
    if (e.closest(".name, .report-text, option")) continue;
    for (let up = e; up !== app; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      const room = up.getBoundingClientRect();
      if (/hidden|clip/.test(overflowX) && (box.left < room.left - 1 || box.right > room.right + 1))
        faults.add(`${named(e)} is cut off at the side`);
      if (up.matches(".happening") && !e.matches(":last-child")) break;
      if (/auto|scroll/.test(overflowY)) break;
      if (/hidden|clip/.test(overflowY) && (box.top < room.top - 2 || box.bottom > room.bottom + 2))
        faults.add(`${named(e)} is cut off`);
      if (up === e && /hidden|clip/.test(overflowX) && e.scrollWidth > e.clientWidth + 1)
        faults.add(`${named(e)} is cut short`);
      if (up === e && /hidden|clip/.test(overflowY) && e.scrollHeight > e.clientHeight + 2)
        faults.add(`${named(e)} loses lines`);
    }
  }
  if (app.querySelector("main.game") && document.documentElement.scrollHeight > innerHeight + 1)
    faults.add("the table scrolls");

  // What stands side by side in a line of a list or in a bar does not lie on its neighbour.
  for (const line of app.querySelectorAll("li, header, .strip, .actions, .row, .choice, .person, .sheet-head")) {
    const boxes = [...line.children].filter((e) => !/absolute|fixed/.test(getComputedStyle(e).position) && shown(e));
    const rects = boxes.map((e) => e.getBoundingClientRect());
    for (let k = 1; k < boxes.length; k++) {
      const [a, b] = [rects[k - 1], rects[k]];
      if (a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1)
        faults.add(`${named(boxes[k])} lies on ${named(boxes[k - 1])}`);
    }
  }

  // Under a sheet, a pause or the lobby's foot.
  const above = ".sheet-place, .pause, .conn, .claims, [class$=-foot]";
  const hit = (e, x, y) => {
    const found = document.elementFromPoint(x, y);
    return found !== null && (e === found || e.contains(found));
  };
  for (const e of app.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    if (!shown(e)) continue;
    const box = e.getBoundingClientRect();
    // A word stays in one piece. Names are whatever they are.
    if (!e.matches(".held, .happening, .link"))
      for (const node of [e, ...e.querySelectorAll("span, strong, b")].flatMap(texts)) {
        if (node.parentElement.closest(".name") || /[\s-]/.test(node.data.trim())) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if (range.getClientRects().length > 1) faults.add(`"${node.data}" is broken in ${named(e)}`);
      }
    let inside = { top: 0, bottom: innerHeight };
    for (let up = e.parentElement; up !== null; up = up.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
      const room = up.getBoundingClientRect();
      inside = { top: Math.max(inside.top, room.top), bottom: Math.min(inside.bottom, room.bottom) };
    }
    // Half out of sight: that is what scrolling is for. (A point is looked up by whole pixels.)
    if (box.top < inside.top - 0.4 || box.bottom > inside.bottom + 0.4) continue;
    if (box.width < 43.9 || box.height < 43.9) {
      faults.add(`${named(e)} is ${box.width.toFixed(0)}x${box.height.toFixed(0)}`);
      continue;
    }
    const card = e.matches("button.held");
    const x = card ? box.left + 22 : box.left + box.width / 2;
    const y = card ? box.top + 22 : box.top + box.height / 2;
    if (!hit(e, x, y)) {
      // Never the cards, ¡UNO! and Pillar.
      const over = document.elementFromPoint(x, y)?.closest(above);
      if (!over || e.closest(".hand, .actions, .strip")) faults.add(`${named(e)} is covered`);
      continue;
    }
    // A cross of 44 px: the corners may be round.
    for (const [dx, dy] of [[-21, 0], [21, 0], [0, -21], [0, 21]])
      if (!hit(e, x + dx, y + dy)) {
        const over = document.elementFromPoint(x + dx, y + dy)?.closest(above);
        if (!over) faults.add(`${named(e)} exposes less than 44 px`);
      }
  }
  return [...faults];
}
