import { MissingClientCapabilityError } from '#authoring/shown-error.js';
import type { CreateMessageParams, Root } from '#protocol/content.js';
import { isJsonObject } from '#protocol/json.js';
import type { ClientCapabilities } from '#protocol/messages.js';
import type { SchemaSource, Validation } from '#schema/compile-schema.js';
import { elicitationSchema } from '#schema/elicitation-schema.js';

/** A request to the client that stands in an `input_required` result (specification: basic/patterns/mrtr). */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: object;
}

/** A question, and how its answer is read. */
export interface Question {
  /** @param complaint what was wrong with the answer before, to be told to the user */
  request(complaint?: string): InputRequest;
  /** What the client must have declared. */
  readonly needs: ClientCapabilities;
  isSupported(capabilities: ClientCapabilities): boolean;
  /** The answer as the handler gets it, or what is wrong with it. */
  read(answer: Readonly<Record<string, unknown>>): Validation | Promise<Validation>;
}

/** @throws MissingClientCapabilityError */
export function checkSupported(question: Question, capabilities: ClientCapabilities): void {
  if (!question.isSupported(capabilities)) throw new MissingClientCapabilityError(question.needs);
}

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

function malformed(message: string): Validation {
  return { issues: [{ path: '', message }] };
}

/** A form (specification: client/elicitation, "Form Mode"). An `elicitation` capability without modes means this one. */
export function formQuestion(message: string, source: SchemaSource): Question {
  const schema = elicitationSchema(source);
  return {
    request: (complaint) => ({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: complaint === undefined ? message : `${message}\n\n${complaint}`,
        requestedSchema: schema.json,
      },
    }),
    needs: { elicitation: { form: {} } },
    isSupported: ({ elicitation }) =>
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    read: async ({ action, content }) => {
      if (!ACTIONS.includes(action)) return malformed('The action must be accept, decline or cancel.');
      if (action !== 'accept') return { value: { action } };
      const checked = await schema.validate(content ?? {});
      return 'issues' in checked ? checked : { value: { action, content: checked.value } };
    },
  };
}

/** A page to open (specification: client/elicitation, "URL Mode"). */
export function linkQuestion(message: string, url: string): Question {
  return {
    request: () => ({ method: 'elicitation/create', params: { mode: 'url', message, url: new URL(url).href } }),
    needs: { elicitation: { url: {} } },
    isSupported: ({ elicitation }) => elicitation?.url !== undefined,
    read: ({ action }) =>
      ACTIONS.includes(action) ? { value: { action } } : malformed('The action must be accept, decline or cancel.'),
  };
}

/** A message for the client's model to continue (specification: client/sampling). */
export function samplingQuestion(params: CreateMessageParams): Question {
  const tools = params.tools !== undefined || params.toolChoice !== undefined;
  return {
    request: () => ({ method: 'sampling/createMessage', params }),
    needs: { sampling: tools ? { tools: {} } : {} },
    isSupported: ({ sampling }) => sampling !== undefined && (!tools || sampling.tools !== undefined),
    read: (answer) =>
      typeof answer['role'] === 'string' && typeof answer['model'] === 'string' && typeof answer['content'] === 'object'
        ? { value: answer }
        : malformed('The answer must have a role, a model and content.'),
  };
}

/** The client's roots (specification: client/roots). */
export function rootsQuestion(): Question {
  return {
    request: () => ({ method: 'roots/list', params: {} }),
    needs: { roots: {} },
    isSupported: ({ roots }) => roots !== undefined,
    read: ({ roots }) =>
      Array.isArray(roots) && roots.every(isRoot)
        ? { value: roots }
        : malformed('The answer must list roots, each with a URI.'),
  };
}

function isRoot(value: unknown): value is Root {
  return isJsonObject(value) && typeof value['uri'] === 'string';
}
