import {
  type Body,
  type Client,
  type Data,
  type Input,
  type Method,
  type Path,
  type Query,
  type Reply,
  type RequestOptions,
  withResponse,
} from './client.ts'
import type { components } from './generated/api.ts'
import { type List, listOf } from './list.ts'

/** A method that has no client yet. The options of the request come after its own arguments. */
type Unbound<Arguments extends unknown[], Result> = (
  client: Client,
) => (...args: [...Arguments, options?: RequestOptions | undefined]) => Result

/** What `make` may take without saying types: the identifiers of the path, what is sent, and the query. */
type Known<M extends Method, P extends Path, Sent extends 'body' | 'member'> = [
  ...Identifiers<P, Values<M, P>>,
  ...(M extends 'post' | 'put' ? [Sent extends 'body' ? Body<M, P> : OnlyMember<Body<M, P>>] : []),
  Query<M, P>,
]
type Values<M extends Method, P extends Path> = Input<M, P> extends { readonly path: infer V } ? V : never
type Identifiers<P extends string, V> = P extends `${string}{${infer Name}}${infer Rest}`
  ? [Name extends keyof V ? V[Name] : string, ...Identifiers<Rest, V>]
  : []
type OnlyMember<Value> = NonNullable<Value[keyof Value]>
type Make<M extends Method, P extends Path, Sent extends 'body' | 'member' = 'member'> = (
  ...args: Known<M, P, Sent>
) => Input<M, P>

type Returned<Whole, Name extends keyof Whole> = Promise<
  Reply<[Name] extends [never] ? Whole : NonNullable<Whole[Name]>>
>
interface Paged {
  readonly page: components['schemas']['Page']
}
type RowOf<Rows> = Rows extends readonly (infer Row)[] ? Row : never

/** A method that calls one operation. It returns the named member of the response, or all of them. */
export function send<
  M extends Method,
  P extends Path,
  Arguments extends unknown[],
  Name extends keyof Data<M, P> = never,
>(
  method: M,
  path: P,
  make: (...args: Arguments) => Input<M, P>,
  member?: Name,
): Unbound<Arguments, Returned<Data<M, P>, Name>> {
  return unbound(make, async (client, input, options) => {
    const data = await client.send(method, path, input, options)
    return (member === undefined ? data : withResponse(data[member] as object, data.lastResponse)) as Awaited<
      Returned<Data<M, P>, Name>
    >
  })
}

/** `make` is inferred as a whole function, so that the method has its names of arguments. */
function operation<M extends Method, Sent extends 'body' | 'member' = 'member'>(method: M) {
  return <P extends Path, F extends Make<M, P, Sent>, Name extends keyof Data<M, P> = never>(
    path: P,
    make: F,
    member?: Name,
  ) => send(method, path, make as (...args: Parameters<F>) => Input<M, P>, member)
}

export const get = operation('get')
export const post = operation('post')
export const put = operation('put')
export const del = operation('delete')
/** These take the body whole instead of its only member. */
export const postBody = operation<'post', 'body'>('post')
export const putBody = operation<'put', 'body'>('put')

/** A method that reads a list. */
export function list<P extends Path, F extends Make<'get', P>, Name extends keyof Data<'get', P>>(
  path: P,
  make: F,
  member: Name,
): Unbound<Parameters<F>, List<RowOf<Data<'get', P>[Name]>>> {
  return unbound(make as (...args: Parameters<F>) => Input<'get', P>, (client, input, options) =>
    listOf(
      input.query,
      async (query) => {
        const data = await client.send('get', path, { ...input, query }, options)
        return data as Extract<typeof data, Paged>
      },
      (data) => data[member] as RowOf<Data<'get', P>[Name]>[],
    ),
  )
}

/** A method that gets a file. */
export function download<P extends Path, F extends Make<'get', P>>(
  path: P,
  make: F,
): Unbound<Parameters<F>, Promise<Response>> {
  return unbound(make as (...args: Parameters<F>) => Input<'get', P>, (client, input, options) =>
    client.download(path, input, options),
  )
}

/** The method, without what it returns. */
export function withoutData<Arguments extends unknown[]>(
  method: Unbound<Arguments, Promise<unknown>>,
): Unbound<Arguments, Promise<void>> {
  return (client) =>
    async (...args) => {
      await method(client)(...args)
    }
}

/** The options come after the parameters of `make`, so none of them may have a default value: `length` leaves it out. */
function unbound<Arguments extends unknown[], Made, Result>(
  make: (...args: Arguments) => Made,
  run: (client: Client, input: Made, options: RequestOptions | undefined) => Result,
): Unbound<Arguments, Result> {
  return (client) =>
    (...args) =>
      run(
        client,
        make(...(args.slice(0, make.length) as Arguments)),
        args[make.length] as RequestOptions | undefined,
      )
}

/** The methods of a table with their client. Being homomorphic, it keeps their comments. */
export type Methods<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (client: Client) => infer Method ? Method : never
}

export function methodsOf<Table extends Readonly<Record<string, (client: Client) => unknown>>>(
  table: Table,
  client: Client,
) {
  return Object.fromEntries(
    Object.entries(table).map(([name, method]) => [name, method(client)]),
  ) as Methods<Table>
}
