import { createHash } from 'node:crypto';

const LIGHT = `
  --ground: #eef2f4;
  --card: #ffffff;
  --ink: #14212b;
  --quiet: #4a5a67;
  --line: #d3dce2;
  --control: #6d7d8a;
  --accent: #0a5c6b;
  --accent-strong: #084753;
  --accent-ink: #ffffff;
  --focus: #1d5fd6;
  --caution-ground: #fff4d6;
  --caution-line: #9a6700;
  --problem-ground: #fdecea;
  --problem-line: #b3261e;
  --success-line: #1d7a46;`;

const DARK = `
  --ground: #0e151a;
  --card: #172129;
  --ink: #e8eef2;
  --quiet: #a9b8c3;
  --line: #31404b;
  --control: #8193a0;
  --accent: #6cc7d6;
  --accent-strong: #93dce7;
  --accent-ink: #07252c;
  --focus: #9cc2ff;
  --caution-ground: #33290f;
  --caution-line: #d9a331;
  --problem-ground: #3a1b1a;
  --problem-line: #f2867d;
  --success-line: #62c48b;`;

/** The style of every page: one file, without anything from outside. Targets of 44 px, colours of WCAG AA or better. */
export const STYLE_SHEET = `:root {
  color-scheme: light dark;${LIGHT}
}
@media (prefers-color-scheme: dark) {
  :root {${DARK}
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  display: flex;
  flex-direction: column;
  min-height: 100vh;
  min-height: 100dvh;
  margin: 0;
  padding: 1.25rem 1rem 2rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
.mark, .card { width: 100%; max-width: 28rem; margin-inline: auto; }
.mark {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  margin-top: auto;
  padding: 0 0.25rem 0.75rem;
  color: var(--quiet);
  font-size: 0.875rem;
  font-weight: 600;
  letter-spacing: 0.04em;
}
.mark::before {
  content: "";
  width: 1.375rem;
  height: 0.375rem;
  background: repeating-linear-gradient(90deg, var(--accent) 0 0.375rem, transparent 0.375rem 0.5rem);
}
.card {
  margin-bottom: auto;
  padding: 1.5rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: 0.875rem;
  background: var(--card);
}
h1, h2, p, ul, dl, dd { margin: 0; }
h1 { font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 1rem; font-weight: 650; }
.card > * + *, .card form > * + * { margin-top: 1rem; }
.card form > [type="hidden"] + * { margin-top: 0; }
.card > h2 { margin-top: 1.5rem; }
.card > h2 + * { margin-top: 0.25rem; }
.card > .aside + ul { margin-top: 0.5rem; }
.card > form + form { margin-top: 0.75rem; }
.client > * + *, .notice > * + *, .message > * + * { margin-top: 0.25rem; }
.aside { color: var(--quiet); font-size: 0.875rem; }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.notice { padding: 0.75rem 1rem; border-inline-start: 0.25rem solid; border-radius: 0.5rem; }
.caution { border-color: var(--caution-line); background: var(--caution-ground); }
.problem { border-color: var(--problem-line); background: var(--problem-ground); }
.message { padding-inline-start: 1rem; border-inline-start: 0.25rem solid var(--line); }
.message > h1 + p { margin-top: 0.5rem; }
.error { border-color: var(--problem-line); }
.success { border-color: var(--success-line); }
.plain { border-color: var(--accent); }
label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
input {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--control);
  border-radius: 0.5rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}
input[aria-invalid] { border-color: var(--problem-line); }
.code-input, .user-code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.code-input { font-size: 1.25rem; letter-spacing: 0.1em; text-transform: uppercase; }
.user-code {
  padding: 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--ground);
  font-size: 1.75rem;
  font-weight: 600;
  letter-spacing: 0.1em;
  line-height: 1.25;
  text-align: center;
}
.user-code > code { font: inherit; }
.button {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5625rem 1rem;
  border: 1px solid var(--control);
  border-radius: 0.5rem;
  background: transparent;
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { border-color: var(--ink); background: var(--ground); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
.text-button {
  min-height: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font: inherit;
  text-align: start;
  text-decoration: underline;
  text-underline-offset: 0.2em;
  cursor: pointer;
}
.text-button:hover { color: var(--accent-strong); }
:focus-visible { outline: 0.1875rem solid var(--focus); outline-offset: 0.125rem; }
.decision { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.card > .decision { margin-top: 1.5rem; }
.card > .decision > * { flex: 1 1 9rem; width: auto; margin-top: 0; }
.divider { display: flex; align-items: center; gap: 0.75rem; color: var(--quiet); font-size: 0.875rem; }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.facts { padding: 0.75rem 0 0; border-top: 1px solid var(--line); }
.facts > dt { color: var(--quiet); font-size: 0.875rem; }
.facts > dd + dt { margin-top: 0.75rem; }
.scope-name { display: block; color: var(--quiet); }
.scopes { padding: 0; border: 1px solid var(--line); border-radius: 0.5rem; list-style: none; }
.scopes > li { padding: 0.625rem 1rem; }
.scopes > li + li { border-top: 1px solid var(--line); }
.withheld { border-style: dashed; color: var(--quiet); }
.new {
  padding: 0 0.5rem;
  border: 1px solid currentcolor;
  border-radius: 1rem;
  color: var(--accent);
  font-size: 0.75rem;
}
@media (min-width: 30rem) {
  .card { padding: 2rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: background-color 120ms, border-color 120ms; }
}
`;

const hash = createHash('sha256').update(STYLE_SHEET).digest('hex').slice(0, 16);

/** Where the style sheet is served. The name changes with the content, so it can be cached for ever. */
export const STYLE_SHEET_PATH = `/assets/sign-in.${hash}.css`;
