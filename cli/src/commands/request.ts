import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { connect } from '../connection.ts'
import { parseExact } from '../exact-json.ts'
import { printJson } from '../output.ts'
import { Problem } from '../problem.ts'
import { type RawRequest, sendRaw } from '../request.ts'

interface RequestOptions {
  readonly data?: string
  readonly idempotencyKey?: string
  readonly keyless?: boolean
}

export function addRequest(program: Command): void {
  program
    .command('request')
    .description('send any request of the API, and print what it returns')
    .argument('<method>', 'get, post, put or delete')
    .argument('<path>', 'such as /svc/payment/api/v1/openapi/orders')
    .option('-d, --data <json>', 'the body; @file reads a file, @- the standard input')
    .option('--idempotency-key <key>', 'repeats an earlier request safely (default: a new key)')
    .addOption(new Option('--no-idempotency-key', 'send none').implies({ keyless: true }))
    .action(async (method: string, path: string, options: RequestOptions, command: Command) => {
      const request = {
        method: methodOf(method),
        path: path.startsWith('/') ? path : `/${path}`,
        ...(options.data !== undefined && { body: readBody(await dataOf(options.data)) }),
      }
      const takesKey = (request.method === 'POST' || request.method === 'PUT') && options.keyless !== true
      const key = takesKey ? { idempotencyKey: options.idempotencyKey ?? randomUUID() } : {}
      printJson(await sendRaw(await connect(command), { ...request, ...key }))
    })
}

function methodOf(text: string): RawRequest['method'] {
  const method = text.toUpperCase()
  if (method === 'GET' || method === 'POST' || method === 'PUT' || method === 'DELETE') return method
  throw new Problem(`The API has no method ${text}. It has get, post, put and delete.`)
}

async function dataOf(data: string): Promise<string> {
  if (data === '@-') return textOf(process.stdin)
  if (!data.startsWith('@')) return data
  try {
    return await readFile(data.slice(1), 'utf8')
  } catch (error) {
    throw new Problem(`${data.slice(1)} cannot be read: ${(error as Error).message}`)
  }
}

function readBody(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new Problem(`The body is not JSON: ${(error as Error).message}`)
  }
}
