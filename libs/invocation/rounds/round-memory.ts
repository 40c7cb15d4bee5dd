import type { JsonObject, JsonValue } from '#protocol/json.js';
import type { ClientCapabilities } from '#protocol/messages.js';
import type { Issue } from '#schema/compile-schema.js';
import { issueText } from '#schema/issue-text.js';
import { ResultError } from '../fault.js';
import { checkSupported, type InputRequest, type Question } from './question.js';
import type { Round } from '../round.store.js';

/** Ends a round: an answer is not there yet. Thrown through the handler, so that its `finally` blocks run. */
export class InputNeeded extends Error {
  constructor() {
    super('The client is being asked: this call goes on in the next round. Let this error pass.');
    this.name = 'InputNeeded';
  }
}

type Responses = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What one run of a handler knows of the rounds before, and what it adds. */
export class RoundMemory {
  /** Questions that are open at the end of this run, by key. */
  readonly open = new Map<string, InputRequest>();
  private readonly asked = new Set<string>();
  private readonly answers: Record<string, JsonObject>;
  private readonly steps: Record<string, JsonValue>;
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly reading = new Set<Promise<unknown>>();

  /**
   * @param round what was kept, on a retry
   * @param responses what the client answers, not validated yet
   */
  constructor(
    private readonly capabilities: ClientCapabilities,
    round: Pick<Round, 'answers' | 'steps'> | undefined,
    private readonly responses: Responses,
  ) {
    // Without a prototype, so that any name is a name.
    this.answers = Object.assign(Object.create(null) as typeof this.answers, round?.answers);
    this.steps = Object.assign(Object.create(null) as typeof this.steps, round?.steps);
  }

  /** The answer to a question, or the end of the round. */
  async ask(key: string, question: Question): Promise<unknown> {
    if (this.asked.has(key))
      throw new ResultError(`The handler asks "${key}" twice: every question needs a key of its own.`);
    this.asked.add(key);
    checkSupported(question, this.capabilities);
    const answer = own(this.answers, key) ?? own(this.responses, key);
    if (answer === undefined) return this.leaveOpen(key, question.request());
    const reading = this.readAnswer(key, question, answer);
    this.reading.add(reading);
    return reading;
  }

  /** Runs a side effect once in all rounds. */
  step<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    const kept = own(this.steps, name);
    if (Array.isArray(kept)) return Promise.resolve(kept[0] as T);
    // The round is ending: what begins now might not be kept, and would run twice.
    if (this.open.size > 0 && !this.running.has(name)) return Promise.reject(new InputNeeded());
    const running = this.running.get(name) ?? this.runStep(name, effect);
    this.running.set(name, running);
    return running as Promise<T>;
  }

  /** Waits for the steps and answers that are still under way, so that they are kept for the next round. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.running.values(), ...this.reading]);
  }

  /** What the next round has to know. */
  snapshot(): Pick<Round, 'answers' | 'steps'> {
    return { answers: this.answers, steps: this.steps };
  }

  private async readAnswer(key: string, question: Question, answer: Responses[string]): Promise<unknown> {
    const checked = await question.read(answer);
    if ('issues' in checked) return this.leaveOpen(key, question.request(complaint(checked.issues)));
    this.answers[key] = answer as JsonObject;
    return checked.value;
  }

  private leaveOpen(key: string, request: InputRequest): never {
    this.open.set(key, request);
    throw new InputNeeded();
  }

  /** Kept as a list of at most one value, since JSON has no undefined. */
  private async runStep(name: string, effect: () => unknown): Promise<unknown> {
    const result = await effect();
    if (result === undefined) {
      this.steps[name] = [];
      return undefined;
    }
    const text = JSON.stringify(result) as string | undefined;
    if (text === undefined) throw new ResultError(`The result of the step "${name}" is not a JSON value.`);
    const kept = JSON.parse(text) as JsonValue;
    this.steps[name] = [kept];
    return kept;
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function complaint(issues: readonly Issue[]): string {
  return `That was not right: ${issues.map(issueText).join('; ')}`;
}
