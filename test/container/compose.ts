import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 600_000;

/** The project of the compose file under a name, a port and volumes of its own. */
export class Compose {
  private readonly environment: NodeJS.ProcessEnv;

  constructor(
    private readonly project: string,
    port: number,
  ) {
    this.environment = { ...process.env, PORT: String(port) };
  }

  /** What the command wrote to stdout. @throws Error with its stderr when it fails */
  async compose(...args: readonly string[]): Promise<string> {
    return this.docker('compose', '--project-name', this.project, ...args);
  }

  /** What a command in the app's container wrote; a failure's stderr when it fails. */
  async inside(...command: readonly string[]): Promise<string> {
    return this.compose('exec', '--no-TTY', 'app', ...command).catch((error: unknown) =>
      String((error as { stderr?: string }).stderr),
    );
  }

  /** How the app's container stands or ended, such as `exited 0`. */
  async stateOfApp(): Promise<string> {
    const id = (await this.compose('ps', '--all', '--quiet', 'app')).trim();
    return (await this.docker('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', id)).trim();
  }

  private async docker(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', args, {
      env: this.environment,
      timeout: LIMIT_MS,
      maxBuffer: 64 * 1024 ** 2,
    });
    return stdout;
  }
}
