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
export class List<Row, First extends Page<Row> = Page<Row>>
  implements PromiseLike<First>, AsyncIterable<Row>
{
  readonly #read: () => Promise<First>
  #page: Promise<First> | undefined

  constructor(read: () => Promise<First>) {
    this.#read = read
  }

  // oxlint-disable-next-line unicorn/no-thenable -- `await list` reads one page, as in the SDKs of others.
  then<Result = First, Failed = never>(
    onRead?: ((page: First) => Result | PromiseLike<Result>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    this.#page ??= this.#read()
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

type Load<Row> = (cursor: string | undefined) => Promise<Rows<Row>>

function listFrom<Row>(load: Load<Row>, cursor?: string): List<Row> {
  return new List(async () => pageOf(await load(cursor), load))
}

function pageOf<Row>({ rows, page }: Rows<Row>, load: Load<Row>): Page<Row> {
  const next = () => (page.next_cursor === null ? null : listFrom(load, page.next_cursor))
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
  return listFrom(async (cursor) => {
    const { offset: _, ...rest } = query ?? {}
    const data = await load(cursor === undefined ? query : ({ ...rest, cursor } as Query))
    return { rows: rowsOf(data), page: data.page }
  })
}

/** A list that the service returns whole. Its only page is also the array of its rows. */
export function wholeList<All extends unknown[]>(
  load: () => Promise<All>,
): List<All[number], All & Page<All[number]>> {
  return new List(async () => {
    const rows = await load()
    return Object.defineProperties(rows, {
      data: { value: rows },
      hasMore: { value: false },
      nextCursor: { value: null },
      next: { value: () => null },
      [Symbol.asyncIterator]: {
        value: async function* () {
          yield* rows.values()
        },
      },
    }) as All & Page<All[number]>
  })
}
