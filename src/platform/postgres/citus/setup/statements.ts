import type pg from 'pg'

/** Quoted texts, dollar-quoted bodies and comments, in which a semicolon ends no statement. */
const OPAQUE = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g

export function statementsOf(text: string): string[] {
  const ends = [...text.replace(OPAQUE, (opaque) => ' '.repeat(opaque.length)).matchAll(/;/g)].map(
    ({ index }) => index,
  )
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts
    .map((start, index) => text.slice(start, ends[index]).trim())
    .filter((statement) => statement.replace(OPAQUE, '').trim() !== '')
}

/** A client that sends the statements of a text one by one. Otherwise Citus sends the whole text to its nodes. */
export function oneByOne(client: pg.Client): pg.Client {
  const query = async (text: unknown, ...rest: unknown[]): Promise<unknown> => {
    const send = client.query.bind(client) as (text: unknown, ...rest: unknown[]) => Promise<unknown>
    if (typeof text !== 'string' || rest.some((value) => value !== undefined)) return send(text, ...rest)
    let result: unknown
    for (const statement of statementsOf(text)) result = await send(statement)
    return result
  }
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) })
}
