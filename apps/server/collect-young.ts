import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating what calls are made of in the old generation, which it begins to do when it sees that a few
 * outlive a collection, as calls under way do. From then on every such object, dead or not, would keep what it refers to
 * through each young collection: calls that wait for something cost half as much again. To be called before anything has
 * been compiled (docs/decisions/no-pretenuring.md).
 */
export function collectYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
