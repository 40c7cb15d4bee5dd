/**
 * What Swagger UI's own style sheet lacks: scopes that the keyboard reaches, buttons that can be read, no field for a
 * secret that the page's client has not, and tables of parameters that become lists on a phone.
 */
export const DOCS_PAGE_STYLE = `:root { color-scheme: light; }
:root.dark-mode { color-scheme: dark; background: #1c2022; }
body { margin: 0; }
.swagger-ui .btn.authorize { border-color: #1b7f4f; color: #1b7f4f; }
.swagger-ui .btn.authorize svg * { fill: #1b7f4f; }
.dark-mode .swagger-ui .btn.authorize svg * { fill: #3ece90; }
.dark-mode .swagger-ui .examples-select__section-label { color: inherit; }
.swagger-ui .auth-container .wrapper:has([id^='client_secret']),
.swagger-ui .auth-container label[for^='client_secret'],
.swagger-ui .auth-container [id^='client_secret'] { display: none; }
.swagger-ui .checkbox { position: relative; }
.swagger-ui .checkbox input[type=checkbox] {
  display: block; position: absolute; inset: 0 auto auto 0; width: 20px; height: 20px; margin: 0; opacity: 0;
}
.swagger-ui .checkbox input[type=checkbox]:focus-visible + label > .item,
.swagger-ui :is(a, button, input, select, textarea):focus-visible { outline: 3px solid #2f6fde; outline-offset: 2px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 4px 8px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100vw - 150px); word-break: break-word; }
  .swagger-ui table.parameters, .swagger-ui table.parameters > tbody,
  .swagger-ui table.parameters > tbody > tr, .swagger-ui table.parameters > tbody > tr > td { display: block; width: auto; }
  .swagger-ui table.parameters > thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui textarea { max-width: 100%; box-sizing: border-box; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; height: auto; gap: 8px; }
  .swagger-ui .try-out { margin-top: 10px; display: flex; flex-wrap: wrap; gap: 8px; }
  .swagger-ui .try-out .btn { margin: 0; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: calc(100vw - 16px); }
}
`;
