// Whether this browser can draw the page. What cannot even read its script never comes here.

/** Cards are measured in container units, shades mixed from the palette: without them a table would
 * open that nobody can play at (Chrome 111, Firefox 113, Safari 16.2). */
export const isModern = (): boolean => CSS.supports("width", "1cqw") && CSS.supports("color", "color-mix(in srgb, red, red)");
