import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '#platform/embedded-postgres/free-port'
import { testPackages } from '#platform/testing/test-packages'

export interface Anvil {
  readonly url: string
  readonly port: number
  rpc<Result = unknown>(method: string, ...params: readonly unknown[]): Promise<Result>
  send(transaction: object): Promise<Receipt>
  batch(requests: readonly { method: string; params: readonly unknown[] }[]): Promise<unknown[]>
  mine(blocks?: number): Promise<void>
  accounts: readonly string[]
  signal(signal: NodeJS.Signals): void
  stop(signal?: NodeJS.Signals): Promise<void>
}

interface Receipt {
  readonly transactionHash: string
  readonly blockHash: string
  readonly blockNumber: string
  readonly contractAddress: string
}

export interface AnvilOptions {
  readonly port?: number
  readonly args?: readonly string[]
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux x64': 'linux-amd64',
  'linux arm64': 'linux-arm64',
  'darwin arm64': 'darwin-arm64',
  'darwin x64': 'darwin-amd64',
}

async function binary(): Promise<string> {
  const platform = PLATFORMS[`${process.platform} ${process.arch}`]
  if (platform === undefined)
    throw new Error(`anvil is not available for ${process.platform} ${process.arch}`)
  const packages = createRequire(join(await testPackages(), 'package.json'))
  return createRequire(packages.resolve('@foundry-rs/anvil/package.json')).resolve(
    `@foundry-rs/anvil-${platform}/bin/anvil`,
  )
}

export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--silent', '--gas-limit', '1000000000', ...(options.args ?? [])]
  const child = spawn(await binary(), args, { stdio: 'ignore' })
  // A test file that fails while loading does not run its afterAll.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const anvil: Anvil = {
    url,
    port,
    rpc: async <Result>(method: string, ...params: readonly unknown[]) =>
      (await call(url, { method, params })) as Result,
    send: (transaction) => send(url, transaction),
    batch: (requests) => callMany(url, requests),
    mine: async (blocks = 1) => void (await call(url, { method: 'anvil_mine', params: [toHex(blocks)] })),
    accounts: [],
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') => stop(child, signal),
  }
  await untilReady(anvil, child)
  return { ...anvil, accounts: await anvil.rpc<string[]>('eth_accounts') }
}

async function untilReady(anvil: Anvil, child: ChildProcess): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null) throw new Error(`anvil exited with code ${child.exitCode}`)
    try {
      await anvil.rpc('eth_chainId')
      return
    } catch (error) {
      if (tries > 4_000) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function send(url: string, transaction: object): Promise<Receipt> {
  const hash = await call(url, { method: 'eth_sendTransaction', params: [transaction] })
  for (let tries = 0; ; tries++) {
    const receipt = await call(url, { method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt !== null) return receipt as Receipt
    if (tries > 500) throw new Error('the transaction was not mined')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}
interface RpcResponse {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

async function call(url: string, request: Request): Promise<unknown> {
  return resultOf((await post(url, { jsonrpc: '2.0', id: 1, ...request })) as RpcResponse)
}

async function callMany(url: string, requests: readonly Request[]): Promise<unknown[]> {
  const body = requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }))
  const responses = (await post(url, body)) as RpcResponse[]
  return responses.sort((a, b) => a.id - b.id).map(resultOf)
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

function resultOf(response: RpcResponse): unknown {
  if (response.error !== undefined) throw new Error(response.error.message)
  return response.result
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
