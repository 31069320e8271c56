import type { components } from './generated/api.ts'

/** One page of a list. Iterating goes on with the pages after it. */
export interface Page<Row> extends AsyncIterable<Row> {
  readonly data: Row[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
  /** The next page, or null after the last. */
  next(): List<Row> | null
}

export interface PageQuery {
  offset?: number
  limit?: number
  cursor?: string
}

interface Rows<Row> {
  readonly rows: Row[]
  readonly page: components['schemas']['Page']
}

/**
 * A list, newest first. `for await` reads all of it page by page, `await` reads one page, `toArray` a bounded number of
 * rows. Nothing is sent before one of these.
 */
export class List<Row> implements PromiseLike<Page<Row>>, AsyncIterable<Row> {
  readonly #load: (cursor: string | undefined) => Promise<Rows<Row>>
  #page: Promise<Page<Row>> | undefined

  constructor(load: (cursor: string | undefined) => Promise<Rows<Row>>) {
    this.#load = load
  }

  // oxlint-disable-next-line unicorn/no-thenable -- `await list` reads one page, as in the SDKs of others.
  then<Result = Page<Row>, Failed = never>(
    onRead?: ((page: Page<Row>) => Result | PromiseLike<Result>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    this.#page ??= this.#load(undefined).then((rows) => pageOf(rows, this.#load))
    return this.#page.then(onRead, onFailed)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    yield* await this
  }

  /** The first `limit` rows of the list. */
  async toArray({ limit }: { limit: number }): Promise<Row[]> {
    const rows: Row[] = []
    if (limit > 0) {
      for await (const row of this) if (rows.push(row) >= limit) break
    }
    return rows
  }
}

function pageOf<Row>(
  { rows, page }: Rows<Row>,
  load: (cursor: string | undefined) => Promise<Rows<Row>>,
): Page<Row> {
  const next = () => {
    const { next_cursor: cursor } = page
    return cursor === null ? null : new List<Row>((later) => load(later ?? cursor))
  }
  return {
    data: rows,
    hasMore: page.has_more,
    nextCursor: page.next_cursor,
    next,
    async *[Symbol.asyncIterator]() {
      yield* rows
      for (let list = next(); list !== null;) {
        const following: Page<Row> = await list
        yield* following.data
        list = following.next()
      }
    },
  }
}

/** `next_cursor` replaces `offset`, because the service takes only one of them. */
export function listOf<Row, Query extends PageQuery, Data extends { readonly page: Rows<Row>['page'] }>(
  query: Query | undefined,
  load: (query: Query | undefined) => Promise<Data>,
  rowsOf: (data: Data) => Row[],
): List<Row> {
  return new List(async (cursor) => {
    const { offset: _, ...rest } = query ?? {}
    const data = await load(cursor === undefined ? query : ({ ...rest, cursor } as Query))
    return { rows: rowsOf(data), page: data.page }
  })
}
