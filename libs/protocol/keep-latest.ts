/**
 * Puts the entry last in the map, also when it is there already, and forgets the first when there are more than `most`: of
 * a map that is only ever written so, the one that was put longest ago.
 */
export function keepLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
