import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksumAddress } from '../model/address.ts'
import { TRANSFER_TOPIC } from '../node/rpc-responses.ts'
import type { Anvil } from './anvil.ts'

const artifact = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve(
      '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
    ),
    'utf8',
  ),
) as { bytecode: string }

/** The selector of `transfer(address,uint256)`. */
const TRANSFER = '0xa9059cbb'

export interface TestToken {
  readonly address: string
  transfer(to: string, units: bigint, from?: string): Promise<string>
  /** Does not wait for mining, so that one block can hold all the transfers. */
  sendAll(transfers: readonly { readonly to: string; readonly units: bigint }[]): Promise<void>
}

export async function deployToken(
  anvil: Anvil,
  options: { name?: string; symbol?: string; supply?: bigint } = {},
): Promise<TestToken> {
  const owner = anvil.accounts[0]
  if (owner === undefined) throw new Error('no account')
  const { name = 'Token', symbol = 'TKN', supply = 10n ** 40n } = options
  // The ABI puts the two texts behind the four arguments and their places in bytes among these.
  const texts = [text(name), text(symbol)]
  const places = [4 * 32, 4 * 32 + text(name).length / 2].map(word)
  const data = [artifact.bytecode, ...places, word(supply), word(owner), ...texts].join('')
  const address = await deploy(anvil, data)
  const transaction = (to: string, units: bigint, from: string = owner) => ({
    from,
    to: address,
    gas: '0x30d40',
    // A fixed price makes a repeated transfer after a reorg the same transaction.
    gasPrice: '0x12a05f200',
    data: `${TRANSFER}${word(to)}${word(units)}`,
  })
  return {
    address,
    transfer: async (to, units, from) => (await anvil.send(transaction(to, units, from))).transactionHash,
    sendAll: async (transfers) => {
      const nonce = Number(await anvil.rpc<string>('eth_getTransactionCount', owner, 'pending'))
      await anvil.batch(
        transfers.map(({ to, units }, index) => ({
          method: 'eth_sendTransaction',
          params: [{ ...transaction(to, units), nonce: `0x${(nonce + index).toString(16)}` }],
        })),
      )
    },
  }
}

/**
 * Deploys a contract whose constructor emits logs that only resemble transfers to `to`: one without data, one with four
 * topics, one of 0 units. EVM code: PUSH32 topics, PUSH1 size, PUSH1 offset, LOG3 or LOG4.
 */
export async function deployFakeTransferToken(anvil: Anvil, to: string): Promise<string> {
  const topic = (value: bigint | string): string => `7f${word(value)}`
  const [from, receiver, transfer] = [topic(1n), topic(to), topic(TRANSFER_TOPIC)]
  const noData = [receiver, from, transfer, '60006000a3']
  const nft = [topic(7n), receiver, from, transfer, '60006000a4']
  const nothing = [receiver, from, transfer, '60206000a3']
  return deploy(anvil, `0x${[...noData, ...nft, ...nothing, '00'].join('')}`)
}

/** The address of the next contract that the account deploys: the hash of its address and nonce in RLP. */
export async function nextContractAddress(anvil: Anvil, account: string): Promise<string> {
  const nonce = Number(await anvil.rpc<string>('eth_getTransactionCount', account, 'latest'))
  if (nonce >= 128) throw new RangeError('the nonce takes more than one byte')
  const list = Buffer.from(`d694${account.slice(2)}${hexByte(nonce === 0 ? 128 : nonce)}`, 'hex')
  return checksumAddress(`0x${Buffer.from(keccak_256(list)).subarray(12).toString('hex')}`)
}

/** Makes the address a contract that reverts every call. EVM code: PUSH1 0, PUSH1 0, REVERT. */
export async function makeReverting(anvil: Anvil, address: string): Promise<void> {
  await anvil.rpc('anvil_setCode', address, '0x60006000fd')
}

async function deploy(anvil: Anvil, data: string): Promise<string> {
  const receipt = await anvil.send({ from: anvil.accounts[0], data, gas: '0x4c4b40' })
  return checksumAddress(receipt.contractAddress)
}

/** A number or an address in the 32 bytes of the ABI. */
function word(value: bigint | number | string): string {
  return BigInt(value).toString(16).padStart(64, '0')
}

/** The length of a text in bytes, and the text, filled up to whole words. */
function text(value: string): string {
  const bytes = Buffer.from(value)
  return word(bytes.length) + bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
