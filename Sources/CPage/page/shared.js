// What every screen of the open diary shares.

import { call } from "/server.js";

export const shared = { names: null, kinds: new Map(), undo: null, state: null, begins: false, ends: new Map(), fileLimit: 0, sizeLimit: 0, saved: { id: null, at: 0 } };

/** The names that journals and kinds had before, and those that they have now. */
const renamed = { journals: new Map(), kinds: new Map() };

/** What a journal or kind is called now that had a name when it was shown. */
export function nameNow(what, name) {
  return renamed[what].get(name) ?? name;
}

export async function readNames() {
  const before = shared.names;
  shared.names = await call("names");
  for (const what of ["journals", "kinds"]) {
    const names = new Map(shared.names[what].map((each) => [each.id, each.name]));
    for (const each of before?.[what] ?? []) {
      const now = names.get(each.id);
      if (now === undefined || now === each.name) continue;
      for (const [old, name] of renamed[what]) if (name === each.name) renamed[what].set(old, now);
      renamed[what].set(each.name, now);
    }
    // A name that is there again means what has it.
    for (const name of names.values()) renamed[what].delete(name);
  }
  shared.kinds = new Map(shared.names.kinds.map((kind) => [kind.name, kind]));
}
