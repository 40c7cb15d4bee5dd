import type { AccessGate } from '#access/access-gate.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import type { ListChanged, Listener } from './listener.js';

/** The open streams of one tenant on this node. What is the same for many of them is found out once. */
export class TenantListeners {
  private readonly listeners = new Set<Listener>();

  constructor(private readonly gate: Pick<AccessGate, 'renew'>) {}

  get size(): number {
    return this.listeners.size;
  }

  [Symbol.iterator](): Iterator<Listener> {
    return this.listeners.values();
  }

  add(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** False when it was not here. */
  delete(listener: Listener): boolean {
    return this.listeners.delete(listener);
  }

  /** Tells of changed contents those who asked for them and may see them. */
  tellResources(uris: Iterable<string>): void {
    for (const uri of uris) {
      const member = `"uri":${JSON.stringify(uri)}`;
      const isVisible = remembering((view: CatalogueView) => view.permitsResource(uri));
      for (const listener of this.listeners) {
        if (listener.listensTo(uri) && isVisible(listener.view)) listener.tellResource(member);
      }
    }
  }

  /** Tells of changed lists those who asked for them and see the difference; returns those that are not let in any more. */
  tellLists(catalogue: Catalogue, listeners: Iterable<Listener> = this.listeners): readonly Listener[] {
    const differences = remembering((before: CatalogueView) =>
      remembering((now: CatalogueView) => changed(before, now)),
    );
    const refused: Listener[] = [];
    for (const listener of listeners) {
      const caller = this.gate.renew(listener.caller, catalogue.tenant);
      if (!caller) {
        refused.push(listener);
        continue;
      }
      const [before, now] = [listener.view, catalogue.view(caller.grant)];
      listener.caller = caller;
      listener.view = now;
      if (before !== now) listener.tellLists(differences(before)(now));
    }
    return refused;
  }
}

function changed(before: CatalogueView, now: CatalogueView): readonly ListChanged[] {
  const kinds = before.changedLists(now);
  const methods: ListChanged[] = [];
  if (kinds.has('tools')) methods.push('notifications/tools/list_changed');
  if (kinds.has('prompts')) methods.push('notifications/prompts/list_changed');
  if (kinds.has('resources') || kinds.has('templates')) methods.push('notifications/resources/list_changed');
  return methods;
}

/** The function, asked once for each argument. */
function remembering<K, V>(ask: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, ask(key));
    return known.get(key) as V;
  };
}
