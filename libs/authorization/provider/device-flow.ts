import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { deviceConfirmPage, deviceInputPage } from '../pages/device.pages.js';
import { messagePage } from '../pages/message.page.js';
import { clientView } from './client-view.js';
import { ENDPOINT_PATHS } from './endpoints.js';
import type { IssuerParts } from './provider-parts.js';
import { showPage } from './show-page.js';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** The code that came in the link, if the person came by one; see `prepareDeviceLink`. */
const prefilled = new WeakMap<object, string>();

/** Takes the code out of the link, so that the provider shows the form and does not post it by a script. */
export function prefillUserCode(request: object, userCode: string): void {
  prefilled.set(request, userCode);
}

/** The pages of the device flow (RFC 8628), ours and without scripts. */
export function deviceFlow({ issuer, resources, stores }: IssuerParts): DeviceFlow {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: () => ({}),
    userCodeInputSource: (ctx, _form, _out, error) => {
      if (error !== undefined && !hasSession(ctx)) return showGone(ctx);
      const userCode = prefilled.get(ctx.req);
      showPage(
        ctx,
        deviceInputPage({
          action: ENDPOINT_PATHS.code_verification,
          csrf: secretOf(ctx),
          userCode,
          problem: problemOf(error),
        }),
      );
      return Promise.resolve();
    },
    userCodeConfirmSource: async (ctx, ...rest) => {
      const [, client, , userCode] = rest;
      const { resource } = (ctx.oidc.entities.DeviceCode?.params ?? {}) as { resource?: unknown };
      const tenant = typeof resource === 'string' ? await resources.find(issuer, resource) : undefined;
      const record = await stores.clients.find(client.clientId);
      showPage(
        ctx,
        deviceConfirmPage({
          action: ENDPOINT_PATHS.code_verification,
          csrf: secretOf(ctx),
          userCode,
          client: clientView(client, undefined, record?.tenantId == null ? undefined : 'admin'),
          tenantTitle: tenant?.title,
        }),
      );
    },
    successSource: (ctx) => {
      showPage(
        ctx,
        messagePage({
          title: 'You are connected',
          message: 'Go back to your device. You can close this page.',
          tone: 'success',
        }),
      );
      return Promise.resolve();
    },
  };
}

/** Whether the browser brought a session that is kept; the form is good for nothing in another one. */
function hasSession({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.session?.exp !== undefined;
}

/** The form that was sent, or the page that was opened, belongs to a session that is not there. */
function showGone(ctx: KoaContextWithOIDC): Promise<void> {
  const { session } = ctx.oidc as { session?: { destroyed?: boolean } };
  if (session) session.destroyed = true; // the provider would save what was never kept, and fails at that
  showPage(
    ctx,
    messagePage({
      title: 'This page is no longer good',
      message: 'It was open for too long, or the browser does not keep cookies.',
      hint: 'Open the address that your device shows again.',
      tone: 'error',
    }),
  );
  return Promise.resolve();
}

function secretOf({ oidc }: KoaContextWithOIDC): string {
  return (oidc.session?.state as { secret?: string } | undefined)?.secret ?? '';
}

function problemOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const { name, userCode } = error as { name?: string; userCode?: string };
  if (userCode !== undefined || name === 'NoCodeError' || name === 'NotFoundError')
    return 'That code is not right, or it is too old. Look at your device and enter the code that it shows now.';
  return name === 'AbortedError' ? 'The sign-in was cancelled.' : 'Something went wrong. Start again on your device.';
}
