import { once } from 'node:events';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createServer } from '#server/create-server.js';
import { temporaryDirectory } from '../support/databases.js';

describe('the first start', () => {
  it("tells the owner's password also when the port is taken, as it is not to be had again", async () => {
    const directory = await temporaryDirectory();
    const socket = createSocket().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    const told: string[][] = [];
    const start = createServer({
      environment: {
        HOST: '127.0.0.1',
        PORT: String((socket.address() as AddressInfo).port),
        DATA_DIR: directory.value,
        LOG_LEVEL: 'silent',
      },
      modules: [],
      database: { memory: true },
      onFirstPassword: (email, password) => told.push([email, password]),
    });
    await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(told).toEqual([['owner@localhost', expect.stringMatching(/^\S{16,}$/)]]);
    socket.close();
    await directory.dispose();
  });
});
