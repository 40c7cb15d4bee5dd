import { attributes, html, type Html } from './html.js';
import { isolated } from './shown-text.js';

const PROBLEM_ID = 'problem';

interface Field {
  readonly label: string;
  /** Is the id too: a page has each name once. */
  readonly name: string;
  /** The summary above the form is about this field. */
  readonly hasProblem: boolean;
  readonly input: Readonly<Record<string, string | boolean | undefined>>;
}

/** A form with one button and no field to fill in. */
interface ButtonForm {
  readonly action: string;
  readonly csrf: string;
  readonly label: string;
}

/** What went wrong, for the top of a page with a form. It has the focus when the page opens, and fields refer to it. */
export function problemSummary(problem: string | undefined): Html | undefined {
  if (problem === undefined) return undefined;
  return html`<div class="notice problem" role="alert" id="${PROBLEM_ID}" tabindex="-1" autofocus>
    <p>${isolated(problem)}</p>
  </div>`;
}

/** A required input under its label. */
export function field({ label, name, hasProblem, input }: Field): Html {
  const given = { ...input, id: name, name, required: true };
  const described = hasProblem && { 'aria-describedby': PROBLEM_ID, 'aria-invalid': 'true' };
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input ${attributes({ ...given, ...described })} />
  </div>`;
}

/** A value that goes back with the form as it is. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** Offers one thing to do besides the main one. */
export function buttonForm({ action, csrf, label }: ButtonForm): Html {
  return html`<form method="post" action="${action}">
    ${hidden('csrf', csrf)}
    <button class="button" type="submit">${label}</button>
  </form>`;
}
