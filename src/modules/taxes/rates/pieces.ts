import { setImmediate } from 'node:timers/promises'

/** Lines of a file that are parsed, compared or stored between two turns of the event loop, in some milliseconds. */
export const PIECE = 500

/** Gives the event loop a turn after each piece, so that a long file holds up nobody. */
export async function* inPieces<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PIECE) {
    yield items.slice(at, at + PIECE)
    await setImmediate()
  }
}
