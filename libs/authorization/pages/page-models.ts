/** A client as a person may see it. Every text in it comes from the client and is not to be trusted. */
export interface ClientView {
  /** What the client calls itself; may be empty, long or hostile. */
  readonly name: string;
  /**
   * Where the person is sent afterwards, such as `claude.ai`, `127.0.0.1 (this computer)` or `cursor://`. Undefined when it
   * is nowhere: the client waits on a device.
   */
  readonly redirectHost: string | undefined;
  /**
   * The answer goes to this computer, as with every redirect URI of the client: any application here can pass itself off
   * as it. Never so for a part of the platform: where its own origin is on this computer, so is whoever signs in there.
   */
  readonly loopbackOnly: boolean;
  /** Part of the platform, registered by the tenant's administrator, identified by the URL of a document, or registered by itself. */
  readonly identity: 'platform' | 'registered' | 'document' | 'dynamic';
  /** The host of the document that identifies the client. */
  readonly identityHost?: string | undefined;
}

/** The person who is signed in. */
export interface AccountView {
  readonly name: string;
}

/** A scope in words. Without a description its name is all there is. */
export interface ScopeView {
  readonly name: string;
  readonly description?: string | undefined;
}

export interface SignInModel {
  readonly tenantTitle: string;
  readonly client: ClientView;
  readonly action: string;
  readonly cancelAction: string;
  readonly csrf: string;
  readonly email?: string | undefined;
  readonly problem?: string | undefined;
  readonly upstream?: { readonly label: string; readonly href: string } | undefined;
  readonly passwordSignIn: boolean;
}

export interface ConsentModel {
  readonly tenantTitle: string;
  /** The URL of the MCP server. */
  readonly resource: string;
  readonly client: ClientView;
  readonly account: AccountView;
  readonly scopes: readonly (ScopeView & { readonly isNew: boolean })[];
  /** Asked for, but not permitted by the person's role. */
  readonly withheld: readonly ScopeView[];
  /** A refresh token will be issued. */
  readonly keepsAccess: boolean;
  readonly action: string;
  readonly csrf: string;
  readonly switchAction: string;
}

export interface NoAccessModel {
  readonly tenantTitle: string;
  /** Whether it is a tenant, which has members. */
  readonly isTenant: boolean;
  readonly account: AccountView;
  readonly csrf: string;
  readonly switchAction: string;
  readonly cancelAction: string;
}

export interface MessageModel {
  readonly title: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Finds this moment in the log. */
  readonly reference?: string | undefined;
  readonly tone: 'error' | 'success' | 'plain';
}

export interface DeviceInputModel {
  readonly action: string;
  readonly csrf: string;
  readonly userCode?: string | undefined;
  readonly problem?: string | undefined;
}

export interface DeviceConfirmModel {
  readonly action: string;
  readonly csrf: string;
  readonly userCode: string;
  readonly client: ClientView;
  readonly tenantTitle?: string | undefined;
}
