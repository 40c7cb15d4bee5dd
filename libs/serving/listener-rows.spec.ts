import { describe, expect, it } from '@jest/globals';
import { ListenerRows } from './listener-rows.js';
import type { ListenerStore } from './listener.store.js';
import type { Listener } from './listener.js';

const listener = { key: 'one', owner: 'ada', row: {} } as unknown as Listener;

/** A store that answers when it is told to. */
function slowStore() {
  const answers: ((ids: ReadonlySet<string>) => void)[] = [];
  const open = (): Promise<ReadonlySet<string>> => new Promise((resolve) => answers.push(resolve));
  const rows = new ListenerRows({ open } as unknown as ListenerStore, {
    nodeId: 'node',
    maxPerPrincipal: 1,
    onFailure: () => undefined,
  });
  return { rows, answer: (...ids: string[]) => answers.shift()?.(new Set(ids)) };
}

describe('a stream whose row takes long to be written', () => {
  it('opens, and is told later that there was no room', async () => {
    const { rows, answer } = slowStore();
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    expect(await rows.admit(listener, () => refuse())).toBe(true);
    answer();
    await refused;
  });

  it('opens, and stays when there was', async () => {
    const { rows, answer } = slowStore();
    let refused = false;
    expect(await rows.admit(listener, () => (refused = true))).toBe(true);
    answer('one');
    expect(await rows.admit(listener, () => undefined)).toBe(false);
    expect(refused).toBe(false);
  });
});
