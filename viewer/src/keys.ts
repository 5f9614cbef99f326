// Keys that work anywhere on the page, but for those that belong to what is in focus.

export type Keys = Record<string, () => void>;

export function listen(keys: Keys, isAsleep: () => boolean): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isAsleep()) return;
    if (belongsTo(event.target, event.key)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = keys[event.shiftKey && /^[a-z]$/.test(name) ? `Shift+${name}` : name];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Whether what is in focus has a use of its own for a key. */
function belongsTo(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLInputElement && target.type === "range") return key.startsWith("Arrow");
  if (target instanceof HTMLInputElement || target instanceof HTMLButtonElement) {
    return key === " " || key === "Enter" || (key.startsWith("Arrow") && target.role === "tab");
  }
  if (target instanceof HTMLSelectElement) return key.length === 1 || key.startsWith("Arrow");
  return target instanceof HTMLCanvasElement && key.startsWith("Arrow");
}
