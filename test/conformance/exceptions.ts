/** Scenarios that are run, for what they show, but are no part of the verdict. */
export const NOT_COUNTED = [
  {
    scenarios: /^tasks-/,
    reason: 'the server does not advertise the extension io.modelcontextprotocol/tasks',
  },
] as const;

/** A warning that is let pass. */
export interface ExplainedWarning {
  readonly scenario: string;
  readonly check: string;
  readonly reason: string;
}

/** Warnings that are let pass, each with its reason. Any other warning fails the run. */
export const EXPLAINED_WARNINGS: readonly ExplainedWarning[] = [];
