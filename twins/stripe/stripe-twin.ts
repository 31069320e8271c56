import { openBooks } from '../common/books.ts'
import { jsonReply, type OpenTwin } from '../common/server.ts'

export const openStripeTwin: OpenTwin = async ({ directory }) => {
  const books = await openBooks<unknown>(directory, () => {})
  return {
    books,
    handle: async () => jsonReply(404, {}),
    pruneKeys: async () => {},
    close: () => books.close(),
  }
}
