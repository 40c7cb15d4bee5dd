/** Where Redis is. Credentials stand in the URLs; `rediss:` means TLS. All nodes are reached alike. */
export interface RedisOptions {
  /** One node; in the modes `sentinel` and `cluster`, those to ask for the others. */
  readonly nodes: readonly [URL, ...URL[]];
  readonly mode: 'single' | 'sentinel' | 'cluster';
  /** What the sentinels call the group of servers; used in the mode `sentinel` alone. */
  readonly sentinelName: string;
  /** Stands in front of the names of channels, so that several deployments can share a Redis. */
  readonly prefix: string;
}
