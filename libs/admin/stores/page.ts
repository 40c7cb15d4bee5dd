/** Which part of a list is asked for. */
export interface PageTerms {
  readonly limit: number;
  /** What the last item of the page before is ordered by. */
  readonly after: string | undefined;
}
