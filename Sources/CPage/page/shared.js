// What every screen of the open diary shares.

import { call } from "/server.js";

export const shared = { names: null, kinds: new Map(), undo: null, state: null, begins: false, ends: new Map(), fileLimit: 0, sizeLimit: 0, saved: { id: null, at: 0 } };

export async function readNames() {
  shared.names = await call("names");
  shared.kinds = new Map(shared.names.kinds.map((kind) => [kind.name, kind]));
}
