import type { Exchange } from '../exchange.js';

/**
 * The exchange of a call that another one makes for its caller: with the same rights, and gone when the other is. It has
 * no way to ask the client, since only the other can be asked again, and its progress is not the other's.
 */
export function nestedExchange(exchange: Exchange, signal: AbortSignal): Exchange {
  const { envelope, channel } = exchange;
  const meta = { ...envelope.meta, clientCapabilities: {}, progressToken: undefined };
  return {
    ...exchange,
    envelope: { ...envelope, meta },
    channel: {
      send: (text) => channel.send(text),
      finish: (text) => channel.finish(text),
      onClose: (callback) => {
        channel.onClose(callback);
        if (signal.aborted) callback();
        else signal.addEventListener('abort', callback, { once: true });
      },
    },
  };
}
